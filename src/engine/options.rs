//! The options of the engine: the table that the handshake and the parser read, and their values.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::error::{EngineError, OptionError};
use super::skill::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Skill};
use crate::board::{Board, Capture, MAX_HOUSES, MAX_SEEDS, Rules, shortened};
use crate::book::{Book, BookError};
use crate::printable::with_causes;
use crate::protocol::Reply;
use crate::search::{
    EvaluationChoice, Limits, MoveOrdering, Network, SearchOptions, SelectiveParameter,
    SelectiveParameters, TableUse, Variant,
};

const DEFAULT_HASH: usize = 16;
const DEFAULT_SOLVER_HASH: usize = 256;
pub(super) const DEFAULT_SEEDS: u16 = 4;

/// The options of an [`Engine`](super::Engine), which hold for all its moves.
///
/// ```
/// use kalah::engine::EngineOptions;
///
/// let mut options = EngineOptions { solver_mebibytes: 64, ..EngineOptions::default() };
/// options.set("Skill Level", "12")?;
/// assert_eq!(options.skill.level, 12);
/// # Ok::<(), kalah::engine::OptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Memory of the transposition table in MiB (`Hash`).
    pub hash_mebibytes: usize,
    /// The options of the search. The engine chooses its tables and its noise.
    pub search: SearchOptions,
    /// How strong the engine plays.
    pub skill: Skill,
    /// Whether endgame tables and the exact solver take part (`Exact`).
    pub exact: bool,
    /// The directory of endgame tables in files.
    pub tablebase: Option<PathBuf>,
    /// Memory of the solver in MiB (`Solver Hash`). It is taken when first needed, and at most a quarter
    /// of the machine's available memory.
    pub solver_mebibytes: usize,
    /// A book besides the one that is part of the program.
    pub book: Option<Arc<Book>>,
    /// Whether books of proofs take part (`OwnBook`), where the exact solver does.
    pub own_book: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            hash_mebibytes: DEFAULT_HASH,
            search: SearchOptions::default(),
            skill: Skill::default(),
            exact: true,
            tablebase: None,
            solver_mebibytes: DEFAULT_SOLVER_HASH,
            book: None,
            own_book: true,
        }
    }
}

impl EngineOptions {
    /// Sets an option by its name and value in the protocol.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no such option, if it is about the board or
    /// the log file of the program, or if the value does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match parse_engine_setting(name, value)? {
            Setting::Engine(set) => set(self),
            _ => Ok(()),
        }
    }

    /// Checks that the limits suit the board and the search.
    pub(super) fn check_limits(&self, board: &Board, limits: &Limits) -> Result<(), EngineError> {
        let is_illegal = |mv: &&_| !board.moves().any(|legal| legal == **mv);
        if let Some(&mv) = limits.searchmoves.iter().find(is_illegal) {
            return Err(EngineError::SearchMove(mv));
        }
        let search = self.search.variant;
        match search.unsupported_limit(limits) {
            Some((limit, instead)) => Err(EngineError::Limit { search, limit, instead }),
            None => Ok(()),
        }
    }
}

/// The options of `startpos`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartOptions {
    pub houses: usize,
    pub seeds: u16,
    pub capture: Capture,
}

impl Default for StartOptions {
    fn default() -> Self {
        StartOptions { houses: 6, seeds: DEFAULT_SEEDS, capture: Capture::Standard }
    }
}

impl StartOptions {
    pub(super) fn board(self) -> Result<Board, EngineError> {
        Ok(Board::start(Rules::new(self.houses, self.capture)?, self.seeds)?)
    }
}

/// Sets an option of the engine. It may read a file first.
type SetEngineOption = Box<dyn FnOnce(&mut EngineOptions) -> Result<(), OptionError> + Send>;

/// An option with a value of its type and range.
pub(super) enum Setting {
    Engine(SetEngineOption),
    ClearHash,
    /// Sets an option of the start board.
    Start(Box<dyn FnOnce(&mut StartOptions) + Send>),
    LogFile(Option<PathBuf>),
}

/// A setting that cannot fail.
fn field(set: impl FnOnce(&mut EngineOptions) + Send + 'static) -> Setting {
    Setting::Engine(Box::new(|options| {
        set(options);
        Ok(())
    }))
}

fn start(set: impl FnOnce(&mut StartOptions) + Send + 'static) -> Setting {
    Setting::Start(Box::new(set))
}

fn set_network(path: Option<PathBuf>) -> Setting {
    let read = |path: PathBuf| {
        Network::read(&path).map(Arc::new).map_err(|error| {
            let reason = with_causes(&error);
            OptionError::File { name: "EvalFile", path, reason }
        })
    };
    Setting::Engine(Box::new(move |options| {
        options.search.network = path.map(read).transpose()?;
        Ok(())
    }))
}

fn set_book(path: Option<PathBuf>) -> Setting {
    let open = |path: PathBuf| {
        Book::open(&path).map(Arc::new).map_err(|error| {
            let reason = match error {
                BookError::File { source, .. } => source.to_string(),
                error => error.to_string(),
            };
            OptionError::File { name: "Book", path, reason }
        })
    };
    Setting::Engine(Box::new(move |options| {
        options.book = path.map(open).transpose()?;
        Ok(())
    }))
}

/// The type of an option with its default and its range, and the setting that a value makes.
#[derive(Clone, Copy)]
enum OptionType {
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
    Button {
        make: fn() -> Setting,
    },
    /// A parameter of the selective search.
    Parameter(&'static SelectiveParameter),
    /// The path of a file or a directory; `<empty>` is none.
    Path {
        make: fn(Option<PathBuf>) -> Setting,
    },
}

/// An option of the protocol.
#[derive(Clone, Copy)]
struct OptionSpec {
    name: &'static str,
    kind: OptionType,
}

const fn spin(
    name: &'static str,
    default: i64,
    (min, max): (i64, i64),
    make: fn(i64) -> Setting,
) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Spin { default, min, max, make } }
}

const fn check(name: &'static str, default: bool, make: fn(bool) -> Setting) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Check { default, make } }
}

const fn combo(
    name: &'static str,
    default: &'static str,
    values: &'static [&'static str],
    make: fn(usize) -> Setting,
) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Combo { default, values, make } }
}

const fn path(name: &'static str, make: fn(Option<PathBuf>) -> Setting) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Path { make } }
}

/// The number of a spin option that is at least 1.
fn positive(number: i64) -> NonZeroUsize {
    usize::try_from(number).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN)
}

const MAX_HASH: i64 = 1 << 25;
const MAX_ELO_OPTION: i64 = MAX_ELO as i64;
const MAX_LEVEL: i64 = MAX_SKILL_LEVEL as i64;

/// The options other than the parameters of the selective search.
static OPTIONS: [OptionSpec; 24] = [
    spin("Hash", DEFAULT_HASH as i64, (1, MAX_HASH), |n| {
        field(move |o| o.hash_mebibytes = n as usize)
    }),
    OptionSpec { name: "Clear Hash", kind: OptionType::Button { make: || Setting::ClearHash } },
    spin("Threads", 1, (1, 256), |n| field(move |o| o.search.threads = positive(n))),
    spin("MultiPV", 1, (1, MAX_HOUSES as i64), |n| field(move |o| o.search.multipv = positive(n))),
    // The engine ponders when `go ponder` says so; the option only announces that it can.
    check("Ponder", false, |_| field(|_| {})),
    spin("Move Overhead", 10, (0, 5000), |n| {
        field(move |o| o.search.move_overhead = Duration::from_millis(n as u64))
    }),
    spin("Houses", 6, (1, MAX_HOUSES as i64), |n| start(move |o| o.houses = n as usize)),
    spin("Seeds", DEFAULT_SEEDS as i64, (1, MAX_SEEDS as i64 / 2), |n| {
        start(move |o| o.seeds = n as u16)
    }),
    combo("Capture", "standard", &["standard", "empty"], |i| {
        start(move |o| o.capture = Capture::ALL[i])
    }),
    combo("Search", "selective", &Variant::NAMES, |i| {
        field(move |o| o.search.variant = Variant::ALL[i].1)
    }),
    combo("Eval", "auto", &["auto", "learned", "plain", "material"], |i| {
        field(move |o| o.search.evaluation = EVALUATIONS[i].clone())
    }),
    path("EvalFile", set_network),
    combo("Table", "on", &["on", "equal-depth", "off"], |i| {
        field(move |o| o.search.depth_first.table = TableUse::ALL[i])
    }),
    combo("Ordering", "dynamic", &["dynamic", "static", "random"], |i| {
        field(move |o| o.search.depth_first.ordering = MoveOrdering::ALL[i])
    }),
    spin("Random Seed", 0, (0, i64::MAX), |n| {
        field(move |o| o.search.depth_first.random_seed = n as u64)
    }),
    check("Exact", true, |on| field(move |o| o.exact = on)),
    spin("Solver Hash", DEFAULT_SOLVER_HASH as i64, (4, MAX_HASH), |n| {
        field(move |o| o.solver_mebibytes = n as usize)
    }),
    path("Tablebase", |directory| field(move |o| o.tablebase = directory)),
    path("Book", set_book),
    check("OwnBook", true, |on| field(move |o| o.own_book = on)),
    spin("Skill Level", MAX_LEVEL, (0, MAX_LEVEL), |n| field(move |o| o.skill.level = n as u8)),
    check("UCI_LimitStrength", false, |on| field(move |o| o.skill.is_limited = on)),
    spin("UCI_Elo", MAX_ELO_OPTION, (MIN_ELO as i64, MAX_ELO_OPTION), |n| {
        field(move |o| o.skill.elo = n as u16)
    }),
    path("Log File", Setting::LogFile),
];

/// The replies to `uci`.
pub(super) fn handshake() -> impl Iterator<Item = Reply> {
    let name = Reply::Id("name", concat!("Kalah ", env!("CARGO_PKG_VERSION")).to_owned());
    let author = Reply::Id("author", "the Kalah authors".to_owned());
    let options = options().map(|option| Reply::Option(option.to_string()));
    [name, author].into_iter().chain(options).chain([Reply::UciOk])
}

/// All options, in the order of the handshake.
fn options() -> impl Iterator<Item = OptionSpec> {
    let parameters = SelectiveParameters::ALL.iter();
    let parameters = parameters.map(|parameter| OptionSpec {
        name: parameter.name,
        kind: OptionType::Parameter(parameter),
    });
    OPTIONS.into_iter().chain(parameters)
}

/// The names of the options that name files or directories.
pub fn path_options() -> impl Iterator<Item = &'static str> {
    let paths = OPTIONS.iter().filter(|option| matches!(option.kind, OptionType::Path { .. }));
    paths.map(|option| option.name)
}

/// The evaluations that the option `Eval` names.
const EVALUATIONS: [EvaluationChoice; 4] = [
    EvaluationChoice::Automatic,
    EvaluationChoice::Learned,
    EvaluationChoice::Plain,
    EvaluationChoice::Material,
];

impl OptionSpec {
    fn parse(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        let value = match (&self.kind, value) {
            (OptionType::Button { make }, None) => return Ok(make()),
            (OptionType::Button { .. }, Some(_)) => return Err(OptionError::ButtonWithValue(name)),
            (OptionType::Path { .. }, None) => "",
            (_, None) => return Err(OptionError::NoValue(name)),
            (_, Some(value)) => value,
        };
        let error = |expected| OptionError::Value { name, expected, value: shortened(value) };
        match &self.kind {
            OptionType::Spin { min, max, make, .. } => {
                number_within(value, (*min, *max)).map(make).map_err(error)
            }
            &OptionType::Parameter(&SelectiveParameter { range: (min, max), set, .. }) => {
                let number = number_within(value, (min.into(), max.into())).map_err(error)?;
                Ok(field(move |o| set(&mut o.search.depth_first.selective, number as i32)))
            }
            OptionType::Check { make, .. } => match value {
                "true" => Ok(make(true)),
                "false" => Ok(make(false)),
                _ => Err(error("true or false".to_owned())),
            },
            OptionType::Combo { values, make, .. } => {
                let index = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                index.map(make).ok_or_else(|| error(one_of(values)))
            }
            OptionType::Path { make } => {
                let is_empty = value.is_empty() || value == "<empty>";
                Ok(make((!is_empty).then(|| PathBuf::from(value))))
            }
            OptionType::Button { make } => Ok(make()),
        }
    }
}

/// Parses a whole number of a range, without a plus sign; the error says what is expected.
fn number_within(value: &str, (min, max): (i64, i64)) -> Result<i64, String> {
    let digits = Some(value).filter(|value| !value.starts_with('+'));
    digits
        .and_then(|digits| digits.parse().ok())
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("a whole number from {min} to {max}"))
}

/// `a, b or c`.
fn one_of(values: &[&str]) -> String {
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => values.concat(),
    }
}

/// Parses the value of the option with this name, in any case.
pub(super) fn parse_setting(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    options()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(shortened(name)))?
        .parse(value)
}

/// The same, for options of an engine without a program around it.
pub(super) fn parse_engine_setting(name: &str, value: &str) -> Result<Setting, OptionError> {
    match parse_setting(name, Some(value))? {
        Setting::Start(_) | Setting::LogFile(_) => Err(OptionError::ProgramOnly(shortened(name))),
        setting => Ok(setting),
    }
}

impl fmt::Display for OptionSpec {
    /// As in the handshake: `name N type T default D …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionType::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionType::Parameter(SelectiveParameter { default, range: (min, max), .. }) => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionType::Check { default, .. } => write!(f, "check default {default}"),
            OptionType::Combo { default, values, .. } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionType::Button { .. } => f.write_str("button"),
            OptionType::Path { .. } => f.write_str("string default <empty>"),
        }
    }
}
