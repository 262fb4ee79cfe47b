//! Weaker play: a search that looks less far and misjudges, as people do. What is captured and banked
//! within sight it sees; what that leads to it sees less well the lower the level.

use super::preferences::EngineOptions;
use crate::search::{EvaluationNoise, Limits, SearchOptions};

/// The level of unrestricted play.
pub const MAX_SKILL_LEVEL: u8 = 20;

/// What levels have come to in a tournament (`docs/strength.md`); between them strength grows evenly.
const SCALE: [(u16, u8); 11] = [
    (1000, 0),
    (1290, 2),
    (1380, 4),
    (1550, 6),
    (1760, 8),
    (1910, 10),
    (2020, 12),
    (2090, 14),
    (2220, 16),
    (2270, 18),
    (2530, MAX_SKILL_LEVEL),
];

/// The least and the greatest strength there is on the scale.
pub(in crate::engine) const MIN_ELO: u16 = SCALE[0].0;
pub(in crate::engine) const MAX_ELO: u16 = SCALE[SCALE.len() - 1].0;

/// How far estimates of level 0 are off, in hundredths of a seed; see [`EvaluationNoise`].
const NOISE: f64 = 800.0;

/// Errors grow less with this power of the part of the levels that is left.
const NOISE_POWER: f64 = 2.0;

/// How many plies the levels look further, all together, and with which power of their part; level 0
/// looks one ply ahead.
const MORE_DEPTH: f64 = 19.0;
const DEPTH_POWER: f64 = 1.5;

/// The lowest level that knows the end of the game, from tables.
const TABLE_LEVEL: f64 = 10.0;

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// From 0 to [`MAX_SKILL_LEVEL`], which is as well as possible.
    pub level: u8,
    /// Whether it is `elo` that counts, and not the level.
    pub is_limited: bool,
    /// Strength on the scale of `docs/strength.md`.
    pub elo: u16,
}

impl Default for Skill {
    /// As well as possible.
    fn default() -> Self {
        Skill { level: MAX_SKILL_LEVEL, is_limited: false, elo: MAX_ELO }
    }
}

/// What makes play weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handicap {
    /// The most plies to look ahead.
    depth: u32,
    /// See [`EvaluationNoise::centiseeds`].
    noise: u32,
    /// Whether positions with few seeds are known.
    knows_tables: bool,
}

impl Skill {
    /// What makes play as weak as wanted; `None` when it is to be as good as possible.
    pub(super) fn handicap(self) -> Option<Handicap> {
        let level = if self.is_limited { level_of(self.elo) } else { f64::from(self.level) };
        let part = level / f64::from(MAX_SKILL_LEVEL);
        (part < 1.0).then(|| Handicap {
            depth: 1 + (MORE_DEPTH * part.powf(DEPTH_POWER)).round() as u32,
            noise: (NOISE * (1.0 - part).powf(NOISE_POWER)).round() as u32,
            knows_tables: level >= TABLE_LEVEL,
        })
    }
}

/// The level of a strength, with what lies between two levels.
fn level_of(elo: u16) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let steps = SCALE.iter().zip(&SCALE[1..]);
    let step = steps.rev().find(|((from, _), _)| *from <= elo);
    step.map_or(0.0, |(&(from, level), &(to, next))| {
        let part = f64::from(elo - from) / f64::from(to - from);
        f64::from(level) + part * f64::from(next - level)
    })
}

impl Handicap {
    /// The limits of a search with it.
    pub(super) fn limits(self, limits: &Limits) -> Limits {
        let depth = limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        Limits { depth: Some(depth), ..limits.clone() }
    }

    /// The preferences with it. Errors are drawn from the seed given where the settings have none.
    pub(super) fn preferences(
        self,
        preferences: &EngineOptions,
        errors_seed: u64,
    ) -> EngineOptions {
        let EngineOptions { search, exact, .. } = preferences;
        let given = search.depth_first.random_seed;
        let random_seed = if given == 0 { errors_seed } else { given };
        let noise = Some(EvaluationNoise { centiseeds: self.noise, random_seed });
        let search = SearchOptions { noise, ..search.clone() };
        EngineOptions { search, exact: *exact && self.knows_tables, ..preferences.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_look_further_and_judge_better_one_by_one() {
        let skills: Vec<Skill> =
            (0..=MAX_SKILL_LEVEL).map(|level| Skill { level, ..Skill::default() }).collect();
        let handicaps: Vec<_> = skills.iter().map(|skill| skill.handicap()).collect();
        let lowest = Handicap { depth: 1, noise: 800, knows_tables: false };
        assert_eq!(handicaps[0], Some(lowest));
        assert_eq!(handicaps[usize::from(MAX_SKILL_LEVEL)], None);
        for pair in handicaps.windows(2) {
            if let [Some(lower), Some(higher)] = pair {
                assert!(lower.depth <= higher.depth && lower.noise > higher.noise);
            }
        }
    }

    #[test]
    fn the_scale_goes_through_its_levels() {
        for (elo, level) in SCALE {
            assert!((level_of(elo) - f64::from(level)).abs() < 1e-9);
            let by_level = Skill { level, ..Skill::default() };
            let by_elo = Skill { is_limited: true, elo, level: 3 };
            assert_eq!(by_elo.handicap(), by_level.handicap());
        }
        for elo in MIN_ELO..MAX_ELO {
            assert!(level_of(elo) < level_of(elo + 1));
        }
        assert_eq!([0, u16::MAX].map(|elo| level_of(elo).round() as u8), [0, MAX_SKILL_LEVEL]);
    }
}
