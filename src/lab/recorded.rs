//! A game that remembers what it was asked.

use std::cell::RefCell;

use crate::search::{Entry, Game, Question, Score, Step, Window};

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
    Asked(P, Question),
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
    type Children = G::Children;

    const STEP: i32 = G::STEP;
    const ALTERNATES: bool = G::ALTERNATES;
    const FEATURES: usize = G::FEATURES;

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

    fn expand(&self, position: &G::Position, see: impl FnMut(G::Move, Step<G::Position>)) {
        self.game.expand(position, see);
    }

    fn rank(&self, position: &G::Position, chosen: G::Move, step: &Step<G::Position>) -> i32 {
        self.game.rank(position, chosen, step)
    }

    fn feature(&self, position: &G::Position, chosen: G::Move) -> usize {
        self.game.feature(position, chosen)
    }

    fn range(&self, position: &G::Position) -> (i32, i32) {
        self.game.range(position)
    }

    fn align(&self, position: &G::Position, window: Window) -> Window {
        self.game.align(position, window)
    }

    fn is_possible(&self, position: &G::Position, entry: &Entry<G::Move>) -> bool {
        self.game.is_possible(position, entry)
    }

    fn asked(&self, position: &G::Position, question: Question) {
        self.record(Event::Asked(*position, question));
    }

    fn answered(&self, position: &G::Position, score: Score) {
        self.record(Event::Answered(*position, score));
    }
}
