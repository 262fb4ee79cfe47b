//! A game that records how a search visits it.

use std::cell::RefCell;

use kalah::search::{Game, Query, Score, TableEntry, Transition, Window};

/// Wraps a game and records the events of a search.
#[derive(Debug)]
pub struct RecordedGame<G: Game> {
    game: G,
    events: RefCell<Vec<SearchEvent<G::Position>>>,
}

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEvent<P> {
    /// The search enters a position, to answer a query.
    Entered(P, Query),
    /// It evaluates a position.
    Evaluated(P, i32),
    /// It leaves a position with a result.
    Left(P, Score),
}

impl<G: Game> RecordedGame<G> {
    /// Wraps a game, with an empty record.
    pub fn new(game: G) -> RecordedGame<G> {
        RecordedGame { game, events: RefCell::default() }
    }

    /// The events in order.
    pub fn into_events(self) -> Vec<SearchEvent<G::Position>> {
        self.events.into_inner()
    }

    fn record(&self, event: SearchEvent<G::Position>) {
        self.events.borrow_mut().push(event);
    }
}

impl<G: Game> Game for RecordedGame<G> {
    type Position = G::Position;
    type Move = G::Move;
    type MoveList = G::MoveList;

    const VALUE_STEP: i32 = G::VALUE_STEP;
    const ALTERNATES: bool = G::ALTERNATES;

    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }

    fn is_leaf(&self, position: &G::Position) -> bool {
        self.game.is_leaf(position)
    }

    fn evaluate(&self, position: &G::Position) -> i32 {
        let value = self.game.evaluate(position);
        self.record(SearchEvent::Evaluated(*position, value));
        value
    }

    fn for_each_move(
        &self,
        position: &G::Position,
        visit: impl FnMut(G::Move, Transition<G::Position>),
    ) {
        self.game.for_each_move(position, visit);
    }

    fn move_score(
        &self,
        position: &G::Position,
        chosen: G::Move,
        step: &Transition<G::Position>,
    ) -> i32 {
        self.game.move_score(position, chosen, step)
    }

    fn value_range(&self, position: &G::Position) -> (i32, i32) {
        self.game.value_range(position)
    }

    fn align_window(&self, position: &G::Position, window: Window) -> Window {
        self.game.align_window(position, window)
    }

    fn is_consistent(&self, position: &G::Position, entry: &TableEntry<G::Move>) -> bool {
        self.game.is_consistent(position, entry)
    }

    fn on_enter(&self, position: &G::Position, query: Query) {
        self.record(SearchEvent::Entered(*position, query));
    }

    fn on_result(&self, position: &G::Position, score: Score) {
        self.record(SearchEvent::Left(*position, score));
    }
}
