//! A game that remembers what it was asked.

use std::cell::RefCell;

use crate::search::{Game, Query, Score, TableEntry, Transition, Window};

/// A game with a record of all that a search does in it.
#[derive(Debug)]
pub struct Recorded<G: Game> {
    game: G,
    events: RefCell<Vec<Event<G::Position>>>,
}

/// Something that a search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<P> {
    /// It came to a position with a question.
    Asked(P, Query),
    /// It evaluated a position.
    Evaluated(P, i32),
    /// It left a position with an answer.
    Answered(P, Score),
}

impl<G: Game> Recorded<G> {
    /// The game with an empty record.
    pub fn new(game: G) -> Recorded<G> {
        Recorded { game, events: RefCell::default() }
    }

    /// The game itself.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What has happened, in order.
    pub fn into_events(self) -> Vec<Event<G::Position>> {
        self.events.into_inner()
    }

    fn record(&self, event: Event<G::Position>) {
        self.events.borrow_mut().push(event);
    }
}

impl<G: Game> Game for Recorded<G> {
    type Position = G::Position;
    type Move = G::Move;
    type MoveList = G::MoveList;

    const VALUE_STEP: i32 = G::VALUE_STEP;
    const ALTERNATES: bool = G::ALTERNATES;
    const HISTORY_SIZE: usize = G::HISTORY_SIZE;

    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }

    fn is_leaf(&self, position: &G::Position) -> bool {
        self.game.is_leaf(position)
    }

    fn evaluate(&self, position: &G::Position) -> i32 {
        let value = self.game.evaluate(position);
        self.record(Event::Evaluated(*position, value));
        value
    }

    fn for_each_move(
        &self,
        position: &G::Position,
        see: impl FnMut(G::Move, Transition<G::Position>),
    ) {
        self.game.for_each_move(position, see);
    }

    fn move_score(
        &self,
        position: &G::Position,
        chosen: G::Move,
        step: &Transition<G::Position>,
    ) -> i32 {
        self.game.move_score(position, chosen, step)
    }

    fn history_index(&self, position: &G::Position, chosen: G::Move) -> usize {
        self.game.history_index(position, chosen)
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

    fn on_enter(&self, position: &G::Position, question: Query) {
        self.record(Event::Asked(*position, question));
    }

    fn on_result(&self, position: &G::Position, score: Score) {
        self.record(Event::Answered(*position, score));
    }
}
