//! A move seed by seed, as pictures for the screen.

use std::time::Duration;

use kalah::board::{Board, MAX_HOUSES, Move, MoveTrace, Pit, Side};

/// The most steps of a sowing that are shown: of hundreds of seeds several fall at a time.
const MAX_STEPS: usize = 40;

/// The longest sowing, however many seeds.
const LONGEST: Duration = Duration::from_secs(4);

/// Pictures that a capture and a sweep stay on the screen.
const CAPTURE_STEPS: usize = 3;

/// What the screen shows for one step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SowingPicture {
    /// By side: the houses, and the store as the last.
    seeds: [[u16; MAX_HOUSES + 1]; 2],
    /// The pits that just changed.
    pub(super) marked: Vec<Pit>,
    pub(super) in_hand: u16,
}

fn place_of(pit: Pit) -> (usize, usize) {
    match pit {
        Pit::House(Move { side, house }) => (side.index(), house.index()),
        Pit::Store(side) => (side.index(), MAX_HOUSES),
    }
}

impl SowingPicture {
    /// A board on which nothing moves.
    pub(super) fn from_board(board: &Board) -> SowingPicture {
        let seeds = Side::ALL.map(|side| {
            let mut seeds = [0; MAX_HOUSES + 1];
            seeds[..board.rules().houses()].copy_from_slice(board.houses(side));
            seeds[MAX_HOUSES] = board.store(side);
            seeds
        });
        SowingPicture { seeds, marked: Vec::new(), in_hand: 0 }
    }

    pub(super) fn seeds(&self, pit: Pit) -> u16 {
        let (side, place) = place_of(pit);
        self.seeds[side][place]
    }

    fn seeds_mut(&mut self, pit: Pit) -> &mut u16 {
        let (side, place) = place_of(pit);
        &mut self.seeds[side][place]
    }
}

pub(super) struct Animation {
    pictures: Vec<SowingPicture>,
    step: Duration,
    started: Duration,
}

fn pictures(before: &Board, mv: Move, trace: &MoveTrace) -> Vec<SowingPicture> {
    let house = Pit::House(mv);
    let mut picture = SowingPicture::from_board(before);
    picture.in_hand = std::mem::take(picture.seeds_mut(house));
    picture.marked = vec![house];
    let mut pictures = vec![picture.clone()];
    let at_once = trace.path.len().div_ceil(MAX_STEPS).max(1);
    let mut pick_ups = trace.pick_ups.iter().peekable();
    let mut fallen = 0;
    for pits in trace.path.chunks(at_once) {
        for &pit in pits {
            *picture.seeds_mut(pit) += 1;
            picture.in_hand -= 1;
            fallen += 1;
            if let Some(pick_up) = pick_ups.next_if(|pick_up| pick_up.after == fallen) {
                picture.in_hand = std::mem::take(picture.seeds_mut(Pit::House(pick_up.house)));
            }
        }
        picture.marked = pits.to_vec();
        pictures.push(picture.clone());
    }
    let mut hold = |picture: &SowingPicture, marked: Vec<Pit>| {
        let picture = SowingPicture { marked, ..picture.clone() };
        pictures.extend(std::iter::repeat_n(picture, CAPTURE_STEPS));
    };
    if let Some((houses, seeds)) = &trace.capture {
        let pits: Vec<Pit> = houses.iter().map(|&mv| Pit::House(mv)).collect();
        hold(&picture, pits.clone());
        for pit in pits {
            *picture.seeds_mut(pit) = 0;
        }
        *picture.seeds_mut(Pit::Store(mv.side)) += seeds;
        hold(&picture, vec![Pit::Store(mv.side)]);
    }
    if let Some((side, _)) = trace.sweep {
        hold(&SowingPicture::from_board(&trace.board), vec![Pit::Store(side)]);
    }
    pictures
}

impl Animation {
    /// A sowing with this time for each seed; `None` if it is not to be shown.
    pub(super) fn new(
        before: &Board,
        mv: Move,
        trace: &MoveTrace,
        step: Duration,
        now: Duration,
    ) -> Option<Animation> {
        if step.is_zero() {
            return None;
        }
        let pictures = pictures(before, mv, trace);
        let longest = LONGEST / u32::try_from(pictures.len()).unwrap_or(u32::MAX);
        Some(Animation { pictures, step: step.min(longest), started: now })
    }

    fn step_at(&self, now: Duration) -> usize {
        (now.saturating_sub(self.started).as_nanos() / self.step.as_nanos().max(1)) as usize
    }

    /// The picture at this time; `None` at the end.
    pub(super) fn picture(&self, now: Duration) -> Option<&SowingPicture> {
        self.pictures.get(self.step_at(now))
    }

    pub(super) fn next_step(&self, now: Duration) -> Duration {
        self.started + self.step * (self.step_at(now) as u32 + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use kalah::board::{Capture, RuleSet, Rules};

    use super::*;

    #[test]
    fn the_last_picture_is_the_board_after_the_move() -> Result<(), Box<dyn Error>> {
        let mut random = fastrand::Rng::with_seed(7);
        for houses in 1..=MAX_HOUSES {
            for rule_set in RuleSet::ALL {
                let rules = Rules::new(houses, rule_set)?;
                let seeds = random.u16(1..=(1023 / (2 * houses as u16)));
                let mut board = Board::start(rules, seeds)?;
                while !board.is_over() {
                    let moves: Vec<Move> = board.moves().collect();
                    let mv = moves[random.usize(..moves.len())];
                    let trace = board.trace(mv)?;
                    let pictures = pictures(&board, mv, &trace);
                    assert!(pictures.len() <= MAX_STEPS + 1 + 3 * CAPTURE_STEPS);
                    let last = pictures.last().map(|last| (last.seeds, last.in_hand));
                    let after = (SowingPicture::from_board(&trace.board).seeds, 0);
                    assert_eq!(last, Some(after), "{} {mv}", board.fen());
                    board = trace.board;
                }
            }
        }
        Ok(())
    }

    #[test]
    fn no_sowing_takes_longer_than_four_seconds() -> Result<(), Box<dyn Error>> {
        let second = Duration::from_secs(1);
        let taken = |fen: &str, house: &str| -> Result<Duration, Box<dyn Error>> {
            let board = Board::from_fen(fen, Capture::Standard)?;
            let mv: Move = house.parse()?;
            let animation = Animation::new(&board, mv, &board.trace(mv)?, second / 5, second);
            let animation = animation.ok_or("it is not shown")?;
            let mut now = second;
            while animation.picture(now).is_some() {
                now = animation.next_step(now);
            }
            Ok(now.saturating_sub(second))
        };
        assert_eq!(taken("<3,0,0,3,0,0,1,1,1>", "A")?, second * 4 / 5);
        for seeds in [42, 900] {
            let longest = taken(&format!("<3,0,0,{seeds},0,0,1,1,1>"), "A")?;
            assert!(longest > second * 3 && longest <= LONGEST, "{seeds}: {longest:?}");
        }
        Ok(())
    }
}
