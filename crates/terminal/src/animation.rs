//! A move seed by seed, as pictures for the screen.

use std::time::Duration;

use kalah::board::{Board, MAX_HOUSES, Move, MoveTrace, Pit, Side};

/// The most steps of a sowing that are shown one by one: of a heap of hundreds of seeds several fall at a
/// time.
const MAX_STEPS: usize = 40;

/// Pictures that a capture and a sweep stay on the screen.
const CAPTURE_STEPS: usize = 3;

/// Seeds by pit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeedCounts {
    pub(super) houses: [[u16; MAX_HOUSES]; 2],
    pub(super) stores: [u16; 2],
}

impl SeedCounts {
    pub(super) fn of(board: &Board) -> SeedCounts {
        let stores = Side::ALL.map(|side| board.store(side));
        let mut counts = SeedCounts { houses: [[0; MAX_HOUSES]; 2], stores };
        for side in Side::ALL {
            let houses = board.houses(side);
            counts.houses[side.index()][..houses.len()].copy_from_slice(houses);
        }
        counts
    }

    fn pit(&mut self, pit: Pit) -> &mut u16 {
        match pit {
            Pit::House(Move { side, house }) => &mut self.houses[side.index()][house.index()],
            Pit::Store(side) => &mut self.stores[side.index()],
        }
    }
}

/// What the screen shows for one step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SowingPicture {
    pub(super) counts: SeedCounts,
    /// The pits that just changed.
    pub(super) marked: Vec<Pit>,
    /// Seeds that are still to be sown.
    pub(super) in_hand: u16,
}

/// A sowing that is being shown.
pub(super) struct Animation {
    pictures: Vec<SowingPicture>,
    step: Duration,
    started: Duration,
}

/// The pictures of a move.
fn pictures(before: &Board, mv: Move, trace: &MoveTrace) -> Vec<SowingPicture> {
    let mut counts = SeedCounts::of(before);
    let house = Pit::House(mv);
    let mut in_hand = std::mem::take(counts.pit(house));
    let mut pictures = vec![SowingPicture { counts: counts.clone(), marked: vec![house], in_hand }];
    let at_once = trace.path.len().div_ceil(MAX_STEPS).max(1);
    for pits in trace.path.chunks(at_once) {
        for &pit in pits {
            *counts.pit(pit) += 1;
            in_hand -= 1;
        }
        pictures.push(SowingPicture { counts: counts.clone(), marked: pits.to_vec(), in_hand });
    }
    let mut hold = |counts: &SeedCounts, marked: Vec<Pit>| {
        let picture = SowingPicture { counts: counts.clone(), marked, in_hand: 0 };
        pictures.extend(std::iter::repeat_n(picture, CAPTURE_STEPS));
    };
    if let Some((houses, seeds)) = &trace.capture {
        let pits: Vec<Pit> = houses.iter().map(|&mv| Pit::House(mv)).collect();
        hold(&counts, pits.clone());
        for pit in pits {
            *counts.pit(pit) = 0;
        }
        *counts.pit(Pit::Store(mv.side)) += seeds;
        hold(&counts, vec![Pit::Store(mv.side)]);
    }
    if let Some((side, _)) = trace.sweep {
        hold(&SeedCounts::of(&trace.board), vec![Pit::Store(side)]);
    }
    pictures
}

impl Animation {
    /// A sowing with so much time for each seed; `None` if it is not to be shown.
    pub(super) fn of(
        before: &Board,
        mv: Move,
        trace: &MoveTrace,
        step: Duration,
        now: Duration,
    ) -> Option<Animation> {
        if step.is_zero() {
            return None;
        }
        Some(Animation { pictures: pictures(before, mv, trace), step, started: now })
    }

    fn step_at(&self, now: Duration) -> usize {
        (now.saturating_sub(self.started).as_nanos() / self.step.as_nanos().max(1)) as usize
    }

    /// The picture at this time; `None` at the end.
    pub(super) fn picture(&self, now: Duration) -> Option<&SowingPicture> {
        self.pictures.get(self.step_at(now))
    }

    /// When the next picture is due.
    pub(super) fn next_step(&self, now: Duration) -> Duration {
        self.started + self.step * (self.step_at(now) as u32 + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use kalah::board::{Capture, Rules};

    use super::*;

    #[test]
    fn the_last_picture_is_the_board_after_the_move() -> Result<(), Box<dyn Error>> {
        let mut random = fastrand::Rng::with_seed(7);
        for houses in 1..=MAX_HOUSES {
            for capture in Capture::ALL {
                let rules = Rules::new(houses, capture)?;
                let seeds = random.u16(1..=(1023 / (2 * houses as u16)));
                let mut board = Board::start(rules, seeds)?;
                while !board.is_over() {
                    let moves: Vec<Move> = board.moves().collect();
                    let mv = moves[random.usize(..moves.len())];
                    let trace = board.trace(mv)?;
                    let pictures = pictures(&board, mv, &trace);
                    assert!(pictures.len() <= MAX_STEPS + 1 + 3 * CAPTURE_STEPS);
                    let last = pictures.last().map(|picture| &picture.counts);
                    let after = SeedCounts::of(&trace.board);
                    assert_eq!(last, Some(&after), "{} {mv}", board.fen());
                    board = trace.board;
                }
            }
        }
        Ok(())
    }
}
