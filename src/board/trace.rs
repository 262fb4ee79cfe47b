//! A move pit by pit, for programs that show it.

use super::board::{Board, IllegalMove};
use super::house::{House, Move, Side};
use super::position::Next;
use super::rules::{Capture, Sowing};

/// A house or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pit {
    /// The house that a move would begin in.
    House(Move),
    /// The store of a side.
    Store(Side),
}

/// Seeds that a relay picks up and sows on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickUp {
    /// The number of seeds that have fallen before.
    pub after: usize,
    /// The house they are picked up from, where the last of those has fallen.
    pub house: Move,
    /// How many there are, with that last one.
    pub seeds: u16,
}

/// What a move does, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTrace {
    /// Where each seed falls, in order. A relay picks up seeds that have fallen before, and they fall again.
    pub path: Vec<Pit>,
    /// What a relay picks up on the way, in order; not the seeds of the house that it begins with.
    pub pick_ups: Vec<PickUp>,
    /// The houses that a capture empties into the mover's store, and their seeds in all.
    pub capture: Option<(Vec<Move>, u16)>,
    /// Who moves next.
    pub next: Next,
    /// The seeds left when the game ends, and the side whose store they go to.
    pub sweep: Option<(Side, u16)>,
    /// The board after the move.
    pub board: Board,
}

impl Board {
    /// Plays a move and tells what happens on the way. [`Board::play`] is much faster.
    ///
    /// ```
    /// use kalah::board::Pit;
    /// use kalah::{Board, Capture, Side};
    ///
    /// let board = Board::from_fen("<3,0,0,0,1,2,3,1,0> S", Capture::Standard)?;
    /// let trace = board.trace("C".parse()?)?;
    /// assert_eq!(trace.path, [Pit::Store(Side::South), Pit::House("a".parse()?)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is illegal.
    pub fn trace(&self, mv: Move) -> Result<MoveTrace, IllegalMove> {
        let mut board = *self;
        let next = board.play(mv)?;
        let houses = self.rules().houses();
        let mut rows = Side::ALL.map(|side| self.houses(side).to_vec());
        let mover = mv.side;
        // A round: the mover's houses, the mover's store, the other houses.
        let house = |side, lane| Move { side, house: House::from_lane(lane) };
        let pit = |place: usize| match place % (2 * houses + 1) {
            own if own < houses => Pit::House(house(mover, own)),
            store if store == houses => Pit::Store(mover),
            other => Pit::House(house(!mover, other - houses - 1)),
        };
        let (mut path, mut pick_ups) = (Vec::new(), Vec::new());
        let mut hand = std::mem::take(&mut rows[mover.index()][mv.house.index()]);
        let mut place = mv.house.index();
        while hand > 0 {
            hand -= 1;
            place += 1;
            let pit = pit(place);
            path.push(pit);
            let Pit::House(into) = pit else { continue };
            let seeds = &mut rows[into.side.index()][into.house.index()];
            *seeds += 1;
            if hand == 0 && *seeds > 1 && self.rules().sowing() == Sowing::Relay {
                hand = std::mem::take(seeds);
                pick_ups.push(PickUp { after: path.len(), house: into, seeds: hand });
            }
        }
        let capture = match path.last() {
            Some(Pit::House(last))
                if last.side == mover && self.rules().sowing() == Sowing::Single =>
            {
                let (own, opposite) = (last.house.index(), houses - 1 - last.house.index());
                let taken = rows[(!mover).index()][opposite];
                let is_capture = rows[mover.index()][own] == 1
                    && (taken > 0 || self.rules().capture() == Capture::Empty);
                is_capture.then(|| {
                    rows[mover.index()][own] = 0;
                    rows[(!mover).index()][opposite] = 0;
                    let other = (taken > 0).then(|| house(!mover, opposite));
                    (std::iter::once(*last).chain(other).collect(), taken + 1)
                })
            }
            _ => None,
        };
        let left = |side: Side| rows[side.index()].iter().sum();
        let sweep = Side::ALL
            .into_iter()
            .map(|side| (side, left(side)))
            .find(|&(_, seeds)| board.is_over() && seeds > 0);
        Ok(MoveTrace { path, pick_ups, capture, next, sweep, board })
    }
}
