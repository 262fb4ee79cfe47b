//! Weaker play: a search that looks less far ahead and misjudges positions, as people do. It sees the
//! captures and extra turns within its depth; the lower the level, the worse it judges what leads to
//! them.

use crate::search::{EvaluationNoise, Limits};

/// The level of unrestricted play.
pub const MAX_SKILL_LEVEL: u8 = 20;

/// Strength on the scale and level, as measured in a tournament (`docs/strength.md`). Between two
/// entries strength grows evenly.
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

/// The weakest and the strongest play on the scale.
pub(super) const MIN_ELO: u16 = SCALE[0].0;
pub(super) const MAX_ELO: u16 = SCALE[SCALE.len() - 1].0;

/// For whom the levels are, each from this level on. [`skill_word`] looks it up.
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

/// Evaluation errors of level 0, in hundredths of a seed; see [`EvaluationNoise`].
const MAX_NOISE: f64 = 800.0;

/// Errors shrink with this power of the fraction of levels that remain.
const NOISE_POWER: f64 = 2.0;

/// Level 0 searches one ply; higher levels add up to this many, with this power of their fraction.
const MAX_ADDED_DEPTH: f64 = 19.0;
const DEPTH_POWER: f64 = 1.5;

/// The lowest level that looks up endgame tables.
const MIN_TABLE_LEVEL: f64 = 10.0;

/// For whom a level is, in a word or two; levels above the highest are as the highest.
///
/// ```
/// use kalah::engine::skill_word;
///
/// assert_eq!(skill_word(4), "beginner");
/// assert_eq!(skill_word(20), "full strength");
/// ```
pub fn skill_word(level: u8) -> &'static str {
    WORDS.iter().rev().find(|(from, _)| *from <= level).map_or("", |(_, word)| word)
}

/// How strong the engine plays.
///
/// ```
/// use kalah::engine::{EngineOptions, Skill};
///
/// let skill = Skill { level: 4, ..Skill::default() };
/// let options = EngineOptions { skill, ..EngineOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// From 0 to [`MAX_SKILL_LEVEL`], the full strength.
    pub level: u8,
    /// Whether `elo` counts instead of `level`.
    pub is_limited: bool,
    /// Strength on the Elo scale of `docs/strength.md`.
    pub elo: u16,
}

impl Default for Skill {
    /// Full strength.
    fn default() -> Self {
        Skill { level: MAX_SKILL_LEVEL, is_limited: false, elo: MAX_ELO }
    }
}

/// How play is made weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handicap {
    /// The most plies to search.
    depth: u32,
    /// See [`EvaluationNoise::centiseeds`].
    noise: u32,
    /// Whether endgame tables may be looked up.
    pub has_tables: bool,
}

impl Skill {
    /// The handicap of this skill; `None` at full strength.
    pub(super) fn handicap(self) -> Option<Handicap> {
        let level = if self.is_limited { level_of(self.elo) } else { f64::from(self.level) };
        let fraction = level / f64::from(MAX_SKILL_LEVEL);
        (fraction < 1.0).then(|| Handicap {
            depth: 1 + (MAX_ADDED_DEPTH * fraction.powf(DEPTH_POWER)).round() as u32,
            noise: (MAX_NOISE * (1.0 - fraction).powf(NOISE_POWER)).round() as u32,
            has_tables: level >= MIN_TABLE_LEVEL,
        })
    }
}

/// The level of a strength, interpolated between the entries of the scale.
fn level_of(elo: u16) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let steps = SCALE.iter().zip(&SCALE[1..]);
    let step = steps.rev().find(|((from, _), _)| *from <= elo);
    step.map_or(0.0, |(&(from, level), &(to, next))| {
        let fraction = f64::from(elo - from) / f64::from(to - from);
        f64::from(level) + fraction * f64::from(next - level)
    })
}

impl Handicap {
    /// The limits of a search with this handicap.
    pub(super) fn limits(self, limits: &Limits) -> Limits {
        let depth = limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        Limits { depth: Some(depth), ..limits.clone() }
    }

    /// The errors of the evaluation, drawn from a random seed.
    pub(super) fn noise(self, random_seed: u64) -> EvaluationNoise {
        EvaluationNoise { centiseeds: self.noise, random_seed }
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
        let lowest = Handicap { depth: 1, noise: 800, has_tables: false };
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
