//! The options of the engine: one table that the handshake, the parser and the documentation
//! follow.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::thinker::{DEFAULT_SOLVER_HASH, EngineOptions, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO};
use crate::board::{Capture, MAX_HOUSES, MAX_SEEDS, shortened};
use crate::search::{EvaluationChoice, MoveOrdering, Network, TableUse, Variant};

/// A request to set an option that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The option is for an engine as a whole, and not for a search alone.
    #[error("option {0} cannot be set for a search that is built in")]
    NotOfSearches(String),
    /// A file cannot be used.
    #[error("option {name}: '{}': {reason}", path.display())]
    File {
        /// The option.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An option other than a button was given no value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// A button was given a value.
    #[error("option {0} is a button and takes no value")]
    ButtonWithValue(&'static str),
    /// The value is not of the kind the option takes.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
}

/// An option set to a value of its kind and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Hash(usize),
    ClearHash,
    Houses(usize),
    Seeds(u16),
    Capture(Capture),
    Tablebase(Option<PathBuf>),
    EvalFile(Option<PathBuf>),
    LogFile(Option<PathBuf>),
    OfThinking(ThinkingSetting),
}

/// An option that is about how a thinker goes about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThinkingSetting {
    Exact(bool),
    Traps(bool),
    SolverMemory(usize),
    Threads(NonZeroUsize),
    MultiPv(NonZeroUsize),
    Ponder,
    MoveOverhead(Duration),
    Search(Variant),
    Eval(Eval),
    Table(TableUse),
    Ordering(MoveOrdering),
    RandomSeed(u64),
    SkillLevel(u8),
    LimitStrength(bool),
    Elo(u16),
}

/// The evaluations that the option `Eval` tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eval {
    Auto,
    Learned,
    Plain,
    Material,
}

impl Eval {
    const ALL: [Eval; 4] = [Eval::Auto, Eval::Learned, Eval::Plain, Eval::Material];

    fn choice(self) -> EvaluationChoice {
        match self {
            Eval::Auto => EvaluationChoice::Automatic,
            Eval::Learned => EvaluationChoice::Learned,
            Eval::Plain => EvaluationChoice::Plain,
            Eval::Material => EvaluationChoice::Material,
        }
    }
}

/// What kind of value an option takes, its default, and what to make of a value.
enum Kind {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        make: fn(i64) -> Setting,
    },
    Check {
        default: bool,
        make: fn(bool) -> Setting,
    },
    Combo {
        default: &'static str,
        values: &'static [&'static str],
        make: fn(usize) -> Setting,
    },
    Button(Setting),
    /// The empty text is written `<empty>`.
    Text {
        make: fn(&str) -> Setting,
    },
}

/// An option: its name and kind.
pub(super) struct Specification {
    name: &'static str,
    kind: Kind,
}

pub(crate) const DEFAULT_HASH: usize = 16;
pub(super) const DEFAULT_SEEDS: u16 = 4;

/// One for every number from 0, for spins whose minimum is 1.
fn positive(number: i64) -> NonZeroUsize {
    usize::try_from(number).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN)
}

pub(super) static OPTIONS: [Specification; 23] = [
    Specification {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH as i64,
            min: 1,
            max: 1 << 25,
            make: |n| Setting::Hash(n as usize),
        },
    },
    Specification { name: "Clear Hash", kind: Kind::Button(Setting::ClearHash) },
    Specification {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 256,
            make: |n| Setting::OfThinking(ThinkingSetting::Threads(positive(n))),
        },
    },
    Specification {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_HOUSES as i64,
            make: |n| Setting::OfThinking(ThinkingSetting::MultiPv(positive(n))),
        },
    },
    Specification {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            make: |_| Setting::OfThinking(ThinkingSetting::Ponder),
        },
    },
    Specification {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 5000,
            make: |n| {
                Setting::OfThinking(ThinkingSetting::MoveOverhead(Duration::from_millis(n as u64)))
            },
        },
    },
    Specification {
        name: "Houses",
        kind: Kind::Spin {
            default: 6,
            min: 1,
            max: MAX_HOUSES as i64,
            make: |n| Setting::Houses(n as usize),
        },
    },
    Specification {
        name: "Seeds",
        kind: Kind::Spin {
            default: DEFAULT_SEEDS as i64,
            min: 1,
            max: MAX_SEEDS as i64 / 2,
            make: |n| Setting::Seeds(n as u16),
        },
    },
    Specification {
        name: "Capture",
        kind: Kind::Combo {
            default: "standard",
            values: &["standard", "empty"],
            make: |i| Setting::Capture(Capture::ALL[i]),
        },
    },
    Specification {
        name: "Search",
        kind: Kind::Combo {
            default: "selective",
            values: &Variant::NAMES,
            make: |i| Setting::OfThinking(ThinkingSetting::Search(Variant::ALL[i].1)),
        },
    },
    Specification {
        name: "Eval",
        kind: Kind::Combo {
            default: "auto",
            values: &["auto", "learned", "plain", "material"],
            make: |i| Setting::OfThinking(ThinkingSetting::Eval(Eval::ALL[i])),
        },
    },
    Specification {
        name: "EvalFile",
        kind: Kind::Text {
            make: |text| Setting::EvalFile((!text.is_empty()).then(|| PathBuf::from(text))),
        },
    },
    Specification {
        name: "Table",
        kind: Kind::Combo {
            default: "on",
            values: &["on", "equal-depth", "off"],
            make: |i| Setting::OfThinking(ThinkingSetting::Table(TableUse::ALL[i])),
        },
    },
    Specification {
        name: "MoveOrdering",
        kind: Kind::Combo {
            default: "dynamic",
            values: &["dynamic", "static", "random"],
            make: |i| Setting::OfThinking(ThinkingSetting::Ordering(MoveOrdering::ALL[i])),
        },
    },
    Specification {
        name: "Random Seed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i64::MAX,
            make: |n| Setting::OfThinking(ThinkingSetting::RandomSeed(n as u64)),
        },
    },
    Specification {
        name: "Exact",
        kind: Kind::Check {
            default: true,
            make: |on| Setting::OfThinking(ThinkingSetting::Exact(on)),
        },
    },
    Specification {
        name: "Solver Hash",
        kind: Kind::Spin {
            default: DEFAULT_SOLVER_HASH as i64,
            min: 4,
            max: 1 << 25,
            make: |n| Setting::OfThinking(ThinkingSetting::SolverMemory(n as usize)),
        },
    },
    Specification {
        name: "Traps",
        kind: Kind::Check {
            default: true,
            make: |on| Setting::OfThinking(ThinkingSetting::Traps(on)),
        },
    },
    Specification {
        name: "Tablebase",
        kind: Kind::Text {
            make: |text| Setting::Tablebase((!text.is_empty()).then(|| PathBuf::from(text))),
        },
    },
    Specification {
        name: "Skill Level",
        kind: Kind::Spin {
            default: MAX_SKILL_LEVEL as i64,
            min: 0,
            max: MAX_SKILL_LEVEL as i64,
            make: |n| Setting::OfThinking(ThinkingSetting::SkillLevel(n as u8)),
        },
    },
    Specification {
        name: "Limit Strength",
        kind: Kind::Check {
            default: false,
            make: |on| Setting::OfThinking(ThinkingSetting::LimitStrength(on)),
        },
    },
    Specification {
        name: "Elo",
        kind: Kind::Spin {
            default: MAX_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            make: |n| Setting::OfThinking(ThinkingSetting::Elo(n as u16)),
        },
    },
    Specification {
        name: "Log File",
        kind: Kind::Text {
            make: |text| Setting::LogFile((!text.is_empty()).then(|| PathBuf::from(text))),
        },
    },
];

impl Specification {
    fn read(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        let value = match (&self.kind, value) {
            (Kind::Button(setting), None) => return Ok(setting.clone()),
            (Kind::Button(_), Some(_)) => return Err(OptionError::ButtonWithValue(name)),
            (Kind::Text { .. }, None) => "",
            (_, None) => return Err(OptionError::NoValue(name)),
            (_, Some(value)) => value,
        };
        let bad = |expected| OptionError::Value { name, expected, value: shortened(value) };
        match &self.kind {
            Kind::Spin { min, max, make, .. } => {
                let digits = Some(value).filter(|value| !value.starts_with('+'));
                let number = digits
                    .and_then(|digits| digits.parse().ok())
                    .filter(|number| (min..=max).contains(&number));
                number.map(make).ok_or_else(|| bad(format!("a whole number from {min} to {max}")))
            }
            Kind::Check { make, .. } => match value {
                "true" => Ok(make(true)),
                "false" => Ok(make(false)),
                _ => Err(bad("true or false".to_owned())),
            },
            Kind::Combo { values, make, .. } => values
                .iter()
                .position(|known| known.eq_ignore_ascii_case(value))
                .map(make)
                .ok_or_else(|| bad(one_of(values))),
            Kind::Text { make } => Ok(make(if value == "<empty>" { "" } else { value })),
            Kind::Button(setting) => Ok(setting.clone()),
        }
    }
}

/// `a, b or c`.
fn one_of(values: &[&str]) -> String {
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => values.concat(),
    }
}

/// Finds the option with this name, in any case, and reads its value.
pub(super) fn read(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(shortened(name)))?
        .read(value)
}

impl ThinkingSetting {
    pub(super) fn apply_to(self, preferences: &mut EngineOptions) {
        let settings = &mut preferences.search;
        match self {
            ThinkingSetting::Exact(on) => preferences.exact = on,
            ThinkingSetting::Traps(on) => preferences.traps = on,
            ThinkingSetting::SolverMemory(mebibytes) => preferences.solver_mebibytes = mebibytes,
            ThinkingSetting::Threads(threads) => settings.threads = threads,
            ThinkingSetting::MultiPv(lines) => settings.multipv = lines,
            // The engine ponders when told to; the option only tells a GUI that it can.
            ThinkingSetting::Ponder => {}
            ThinkingSetting::MoveOverhead(time) => settings.move_overhead = time,
            ThinkingSetting::Search(variant) => settings.variant = variant,
            ThinkingSetting::Eval(eval) => settings.evaluation = eval.choice(),
            ThinkingSetting::Table(table) => settings.depth_first.table = table,
            ThinkingSetting::Ordering(ordering) => settings.depth_first.ordering = ordering,
            ThinkingSetting::RandomSeed(seed) => settings.depth_first.random_seed = seed,
            ThinkingSetting::SkillLevel(level) => preferences.skill.level = level,
            ThinkingSetting::LimitStrength(on) => preferences.skill.is_limited = on,
            ThinkingSetting::Elo(elo) => preferences.skill.elo = elo,
        }
    }
}

/// Reads the network that is to be played with, or goes back to those that come with the program.
pub(super) fn set_network(
    preferences: &mut EngineOptions,
    file: Option<PathBuf>,
) -> Result<(), OptionError> {
    let read = |path: PathBuf| match Network::read(&path) {
        Ok(network) => Ok(Arc::new(network)),
        Err(error) => Err(OptionError::File { name: "EvalFile", path, reason: error.to_string() }),
    };
    preferences.search.network = file.map(read).transpose()?;
    Ok(())
}

/// Sets an option of a thinker that runs without the engine around it: those of [`EngineOptions`], and
/// `Hash` as a number of MiB.
///
/// # Errors
/// When there is no such option, or it is about boards or the log file of an engine, or the value is
/// not what it takes. Nothing is changed then.
pub fn set_option(
    preferences: &mut EngineOptions,
    hash: &mut usize,
    name: &str,
    value: &str,
) -> Result<(), OptionError> {
    match read(name, Some(value))? {
        Setting::OfThinking(setting) => setting.apply_to(preferences),
        Setting::Tablebase(directory) => preferences.tablebase = directory,
        Setting::EvalFile(file) => set_network(preferences, file)?,
        Setting::Hash(mebibytes) => *hash = mebibytes,
        _ => return Err(OptionError::NotOfSearches(shortened(name))),
    }
    Ok(())
}

impl fmt::Display for Specification {
    /// As in the handshake: `name N type T default D …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Combo { default, values, .. } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Kind::Button(_) => f.write_str("button"),
            Kind::Text { .. } => f.write_str("string default <empty>"),
        }
    }
}
