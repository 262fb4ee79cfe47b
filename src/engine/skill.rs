//! Weaker play: a search that sees less and errs as people do. It looks fewer plies ahead, it
//! overlooks some moves of either side until they are on the board, beginners even some that they
//! could play now, and it misjudges positions. Captures that it sees are counted correctly.
//!
//! A level does the same work at every move, whatever the clock, and finds the same move in the same
//! position with the same random seed, whatever was searched before.

use std::num::NonZeroUsize;

use crate::board::{Board, Move};
use crate::search::{EvaluationNoise, Limits, MAX_DEPTH, Oversights, SearchOptions};

/// The level of unrestricted play.
pub const MAX_SKILL_LEVEL: u8 = 20;

/// A level, or one between two: how strong it is and what makes it so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level {
    /// The rating on Kalah(6,4), as measured in a tournament of the levels; that of level 0 is 1000.
    elo: u16,
    /// The most plies to search.
    depth: u32,
    /// See [`Oversights::permille`].
    overlooked: u32,
    /// How many of 1,000 moves that it can play now it overlooks.
    root_overlooked: u32,
    /// See [`EvaluationNoise::centiseeds`].
    noise: u32,
}

/// A row of [`LEVELS`].
const fn level(elo: u16, depth: u32, overlooked: u32, root_overlooked: u32, noise: u32) -> Level {
    Level { elo, depth, overlooked, root_overlooked, noise }
}

/// The levels from 0 on. `docs/notebook/strength.md` says how they were chosen, and how to measure them again.
/// Row 20 only ends the interpolation: that level plays without any handicap.
const LEVELS: [Level; MAX_SKILL_LEVEL as usize + 1] = [
    level(1000, 1, 520, 600, 5200),
    level(1069, 1, 510, 320, 5100),
    level(1147, 2, 500, 150, 5000),
    level(1183, 2, 390, 60, 3400),
    level(1269, 2, 304, 15, 1730),
    level(1330, 3, 291, 5, 1195),
    level(1401, 3, 271, 0, 930),
    level(1459, 3, 240, 0, 820),
    level(1520, 4, 232, 0, 808),
    level(1594, 5, 203, 0, 715),
    level(1650, 6, 180, 0, 615),
    level(1723, 6, 157, 0, 509),
    level(1773, 7, 134, 0, 411),
    level(1835, 7, 112, 0, 326),
    level(1890, 9, 92, 0, 256),
    level(1957, 11, 70, 0, 183),
    level(2014, 15, 46, 0, 122),
    level(2086, 23, 26, 0, 75),
    level(2135, 34, 13, 0, 41),
    level(2205, 45, 6, 0, 18),
    level(2279, MAX_DEPTH, 0, 0, 0),
];

/// The weakest and the strongest play on the scale.
pub(super) const MIN_ELO: u16 = LEVELS[0].elo;
pub(super) const MAX_ELO: u16 = LEVELS[MAX_SKILL_LEVEL as usize].elo;

/// The most positions that a level visits at a move: some hundredths of a second.
const MAX_NODES: u64 = 100_000;

/// Labels of levels, by lowest level.
const WORDS: [(u8, &str); 11] = [
    (0, "first game"),
    (1, "newcomer"),
    (3, "beginner"),
    (5, "casual player"),
    (7, "regular player"),
    (9, "club player"),
    (11, "strong club player"),
    (13, "expert"),
    (15, "master"),
    (18, "champion"),
    (MAX_SKILL_LEVEL, "full strength"),
];

/// The label of a level, a word or two; levels above the highest are as the highest.
pub fn skill_word(level: u8) -> &'static str {
    WORDS.iter().rev().find(|(from, _)| *from <= level).map_or("", |(_, word)| word)
}

/// The rating of a level on the Elo scale of `docs/manual/strength.md`; levels above the highest are as the highest.
pub fn skill_elo(level: u8) -> u16 {
    LEVELS[usize::from(level.min(MAX_SKILL_LEVEL))].elo
}

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// From 0 to [`MAX_SKILL_LEVEL`], the full strength.
    pub level: u8,
    /// Whether `elo` counts instead of `level`.
    pub is_limited: bool,
    /// Strength on the Elo scale of `docs/manual/strength.md`.
    pub elo: u16,
}

impl Default for Skill {
    /// Full strength.
    fn default() -> Self {
        Skill { level: MAX_SKILL_LEVEL, is_limited: false, elo: MAX_ELO }
    }
}

impl Skill {
    /// The handicap of this skill; `None` at full strength.
    pub(super) fn handicap(self) -> Option<Level> {
        let level = if self.is_limited { level_of(self.elo) } else { f64::from(self.level) };
        let (from, to) = LEVELS.iter().zip(&LEVELS[1..]).nth(level as usize)?;
        let between = |from: u32, to: u32| {
            (f64::from(from) + level.fract() * (f64::from(to) - f64::from(from))).round() as u32
        };
        Some(Level {
            elo: between(from.elo.into(), to.elo.into()) as u16,
            depth: between(from.depth, to.depth),
            overlooked: between(from.overlooked, to.overlooked),
            root_overlooked: between(from.root_overlooked, to.root_overlooked),
            noise: between(from.noise, to.noise),
        })
    }
}

/// The level of a rating, interpolated between those of the table.
fn level_of(elo: u16) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let steps = (0..MAX_SKILL_LEVEL).zip(LEVELS.iter().zip(&LEVELS[1..]));
    let step = steps.rev().find(|(_, (from, _))| from.elo <= elo);
    step.map_or(0.0, |(level, (from, to))| {
        f64::from(level) + f64::from(elo - from.elo) / f64::from(to.elo - from.elo)
    })
}

impl Level {
    /// The limits of a search with this handicap, among them the moves that are seen.
    pub(super) fn limits(self, board: &Board, limits: &Limits, random_seed: u64) -> Limits {
        let depth = limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let nodes = limits.nodes.map_or(MAX_NODES, |nodes| nodes.min(MAX_NODES));
        let searchmoves = self.seen_moves(board, &limits.searchmoves, random_seed);
        Limits { depth: Some(depth), nodes: Some(nodes), searchmoves, ..limits.clone() }
    }

    /// Those of the given moves, or of all if none are given, that are not overlooked; all instead of none.
    fn seen_moves(self, board: &Board, moves: &[Move], random_seed: u64) -> Vec<Move> {
        let oversights = Oversights { permille: self.root_overlooked, random_seed };
        let is_overlooked = |mv: Move| {
            let mut after = *board;
            after.play(mv).is_ok() && oversights.overlooks(board.key(), after.key())
        };
        let given = board.moves().filter(|mv| moves.is_empty() || moves.contains(mv));
        let seen: Vec<Move> = given.filter(|&mv| !is_overlooked(mv)).collect();
        if seen.is_empty() { moves.to_vec() } else { seen }
    }

    /// The options of a search with this handicap, with errors drawn from a random seed.
    pub(super) fn search(self, options: &SearchOptions, random_seed: u64) -> SearchOptions {
        SearchOptions {
            // Several threads would make the move depend on the time that each of them gets.
            threads: NonZeroUsize::MIN,
            noise: Some(EvaluationNoise { centiseeds: self.noise, random_seed }),
            oversights: Some(Oversights { permille: self.overlooked, random_seed }),
            ..options.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_look_further_overlook_less_and_judge_better_one_by_one() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].depth <= pair[1].depth, "{pair:?}");
            assert!(pair[0].overlooked > pair[1].overlooked, "{pair:?}");
            assert!(pair[0].root_overlooked >= pair[1].root_overlooked, "{pair:?}");
            assert!(pair[0].noise > pair[1].noise, "{pair:?}");
        }
        let handicap = |level| Skill { level, ..Skill::default() }.handicap();
        for (level, row) in (0..MAX_SKILL_LEVEL).zip(LEVELS) {
            assert_eq!(handicap(level), Some(row));
        }
        assert_eq!(handicap(MAX_SKILL_LEVEL), None);
        assert_eq!(handicap(u8::MAX), None);
    }

    #[test]
    fn levels_are_evenly_spaced() {
        for step in LEVELS.windows(3) {
            let difference = step[2].elo - step[0].elo;
            assert!((100..=180).contains(&difference), "{step:?}");
        }
    }

    #[test]
    fn the_scale_goes_through_the_levels() {
        for (level, row) in (0..=MAX_SKILL_LEVEL).zip(LEVELS) {
            assert!((level_of(row.elo) - f64::from(level)).abs() < 1e-9);
            let by_level = Skill { level, ..Skill::default() };
            let by_elo = Skill { is_limited: true, elo: row.elo, level: 3 };
            assert_eq!(by_elo.handicap(), by_level.handicap());
        }
        for elo in MIN_ELO..MAX_ELO {
            assert!(level_of(elo) < level_of(elo + 1));
        }
        assert_eq!([0, u16::MAX].map(|elo| level_of(elo).round() as u8), [0, MAX_SKILL_LEVEL]);
    }
}
