//! The options of the engine: the table that the handshake and the parser read, and their values.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use self::Effect::{ClearHash, LogFile, Parameter, Set, SetPath, Start};
use super::error::{EngineError, OptionError};
use super::skill::{MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, Skill};
use crate::board::{
    Board, BoardError, Capture, MAX_HOUSES, MAX_SEEDS, RuleSet, Rules, Sowing, shortened,
};
use crate::book::Book;
use crate::printable::with_causes;
use crate::protocol::{Reply, whole_number};
use crate::search::{
    EvaluationChoice, Limits, MoveOrdering, Network, SearchOptions, SelectiveParameters, TableUse,
    Variant,
};

const DEFAULT_HASH: i64 = 16;
const DEFAULT_SOLVER_HASH: i64 = 256;
const DEFAULT_SEEDS: i64 = 4;

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
    /// Memory of the solver in MiB (`Solver Hash`), taken when needed; at most a quarter of the available memory.
    pub solver_mebibytes: usize,
    /// A book besides the one that is part of the program.
    pub book: Option<Arc<Book>>,
    /// Whether books of proofs take part (`OwnBook`), where the exact solver does.
    pub own_book: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            hash_mebibytes: DEFAULT_HASH as usize,
            search: SearchOptions::default(),
            skill: Skill::default(),
            exact: true,
            tablebase: None,
            solver_mebibytes: DEFAULT_SOLVER_HASH as usize,
            book: None,
            own_book: true,
        }
    }
}

impl EngineOptions {
    /// Sets an option by its name and value in the protocol; the value of a button is empty.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if there is no such option, if it is about the board or
    /// the log file of the program, or if the value does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        parse_engine_setting(name, value)?.change(self)
    }

    /// Checks that the limits suit the board and the search.
    pub(super) fn check_limits(&self, board: &Board, limits: &Limits) -> Result<(), EngineError> {
        if let Some(&mv) = limits.searchmoves.iter().find(|&&mv| !board.is_legal(mv)) {
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
    pub sowing: Sowing,
}

impl Default for StartOptions {
    fn default() -> Self {
        StartOptions {
            houses: 6,
            seeds: DEFAULT_SEEDS as u16,
            capture: Capture::default(),
            sowing: Sowing::default(),
        }
    }
}

impl StartOptions {
    pub(super) fn board(self) -> Result<Board, BoardError> {
        Board::start(Rules::new(self.houses, RuleSet::new(self.capture, self.sowing))?, self.seeds)
    }
}

/// What the value of an option changes.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// An option of the engine.
    Set(fn(&mut EngineOptions, i64)),
    /// A parameter of the selective search.
    Parameter(fn(&mut SelectiveParameters, i32)),
    /// Names a file or a directory of the engine. It may read the file.
    SetPath(fn(&mut EngineOptions, Option<PathBuf>) -> Result<(), OptionError>),
    /// The board of `startpos`.
    Start(fn(&mut StartOptions, i64)),
    LogFile,
    ClearHash,
}

/// An option with a value of its type and range.
pub(super) struct Setting {
    pub effect: Effect,
    /// Of a check 0 or 1, of a combo the index.
    pub number: i64,
    pub path: Option<PathBuf>,
}

impl Setting {
    /// Changes the options of an engine, unless it is about the program.
    pub(super) fn change(self, options: &mut EngineOptions) -> Result<(), OptionError> {
        match self.effect {
            Effect::Set(set) => set(options, self.number),
            Effect::Parameter(set) => {
                set(&mut options.search.depth_first.selective, self.number as i32);
            }
            Effect::SetPath(set) => set(options, self.path)?,
            Effect::Start(_) | Effect::LogFile | Effect::ClearHash => {}
        }
        Ok(())
    }
}

fn set_network(options: &mut EngineOptions, path: Option<PathBuf>) -> Result<(), OptionError> {
    let read = |path: PathBuf| {
        Network::read(&path).map(Arc::new).map_err(|error| {
            let (path, reason) = (path.display(), with_causes(&error));
            OptionError(format!("option EvalFile: '{path}': {reason}"))
        })
    };
    options.search.network = path.map(read).transpose()?;
    Ok(())
}

fn set_book(options: &mut EngineOptions, path: Option<PathBuf>) -> Result<(), OptionError> {
    let book = path.map(|path| Book::open(&path).map(Arc::new)).transpose();
    let error = |error| OptionError(format!("option Book: {}", with_causes(&error)));
    options.book = book.map_err(error)?;
    Ok(())
}

/// The type of an option with its default and its range.
#[derive(Clone, Copy)]
enum OptionType {
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Check(bool),
    /// The first value is the default.
    Combo(&'static [&'static str]),
    Button,
    /// The path of a file or a directory; `<empty>` is none.
    Path,
}

#[derive(Clone, Copy)]
struct OptionSpec {
    name: &'static str,
    kind: OptionType,
    effect: Effect,
}

const fn spin(
    name: &'static str,
    (default, min, max): (i64, i64, i64),
    effect: Effect,
) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Spin { default, min, max }, effect }
}

const fn check(name: &'static str, default: bool, effect: Effect) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Check(default), effect }
}

const fn combo(name: &'static str, values: &'static [&'static str], effect: Effect) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Combo(values), effect }
}

const fn path(name: &'static str, effect: Effect) -> OptionSpec {
    OptionSpec { name, kind: OptionType::Path, effect }
}

/// The number of a spin option that is at least 1.
fn positive(number: i64) -> NonZeroUsize {
    usize::try_from(number).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN)
}

const MAX_HASH: i64 = 1 << 25;
const ELO: (i64, i64) = (MIN_ELO as i64, MAX_ELO as i64);
const MAX_LEVEL: i64 = MAX_SKILL_LEVEL as i64;

/// The options other than the parameters of the selective search.
static OPTIONS: [OptionSpec; 25] = [
    spin("Hash", (DEFAULT_HASH, 1, MAX_HASH), Set(|o, n| o.hash_mebibytes = n as usize)),
    OptionSpec { name: "Clear Hash", kind: OptionType::Button, effect: ClearHash },
    spin("Threads", (1, 1, 256), Set(|o, n| o.search.threads = positive(n))),
    spin("MultiPV", (1, 1, MAX_HOUSES as i64), Set(|o, n| o.search.multipv = positive(n))),
    // The engine ponders when `go ponder` says so; the option only announces that it can.
    check("Ponder", false, Set(|_, _| {})),
    spin(
        "Move Overhead",
        (10, 0, 5000),
        Set(|o, n| o.search.move_overhead = Duration::from_millis(n as u64)),
    ),
    spin("Houses", (6, 1, MAX_HOUSES as i64), Start(|o, n| o.houses = n as usize)),
    spin("Seeds", (DEFAULT_SEEDS, 1, MAX_SEEDS as i64 / 2), Start(|o, n| o.seeds = n as u16)),
    combo("Capture", &["standard", "empty"], Start(|o, n| o.capture = Capture::ALL[n as usize])),
    combo("Sowing", &["single", "relay"], Start(|o, n| o.sowing = Sowing::ALL[n as usize])),
    combo("Search", &Variant::NAMES, Set(|o, n| o.search.variant = Variant::ALL[n as usize].1)),
    combo(
        "Eval",
        &["auto", "learned", "plain", "material"],
        Set(|o, n| o.search.evaluation = EVALUATIONS[n as usize].clone()),
    ),
    path("EvalFile", SetPath(set_network)),
    combo(
        "Table",
        &["on", "equal-depth", "off"],
        Set(|o, n| o.search.depth_first.table = TableUse::ALL[n as usize]),
    ),
    combo(
        "Ordering",
        &["dynamic", "static", "random"],
        Set(|o, n| o.search.depth_first.ordering = MoveOrdering::ALL[n as usize]),
    ),
    spin("Random Seed", (0, 0, i64::MAX), Set(|o, n| o.search.depth_first.random_seed = n as u64)),
    check("Exact", true, Set(|o, on| o.exact = on == 1)),
    spin(
        "Solver Hash",
        (DEFAULT_SOLVER_HASH, 4, MAX_HASH),
        Set(|o, n| o.solver_mebibytes = n as usize),
    ),
    path(
        "Tablebase",
        SetPath(|o, path| {
            o.tablebase = path;
            Ok(())
        }),
    ),
    path("Book", SetPath(set_book)),
    check("OwnBook", true, Set(|o, on| o.own_book = on == 1)),
    spin("Skill Level", (MAX_LEVEL, 0, MAX_LEVEL), Set(|o, n| o.skill.level = n as u8)),
    check("UCI_LimitStrength", false, Set(|o, on| o.skill.is_limited = on == 1)),
    spin("UCI_Elo", (ELO.1, ELO.0, ELO.1), Set(|o, n| o.skill.elo = n as u16)),
    path("Log File", LogFile),
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
    let parameters = SelectiveParameters::ALL.iter().map(|parameter| {
        let (min, max) = parameter.range;
        let range = (parameter.default.into(), min.into(), max.into());
        spin(parameter.name, range, Parameter(parameter.set))
    });
    OPTIONS.into_iter().chain(parameters)
}

/// The names of the options that name files or directories.
pub fn path_options() -> impl Iterator<Item = &'static str> {
    let paths = OPTIONS.iter().filter(|option| matches!(option.kind, OptionType::Path));
    paths.map(|option| option.name)
}

const EVALUATIONS: [EvaluationChoice; 4] = [
    EvaluationChoice::Automatic,
    EvaluationChoice::Learned,
    EvaluationChoice::Plain,
    EvaluationChoice::Material,
];

impl OptionSpec {
    fn parse(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let OptionSpec { name, kind, effect } = *self;
        let mut setting = Setting { effect, number: 0, path: None };
        let error = |text| Err(OptionError(format!("option {name} {text}")));
        let value = match (kind, value) {
            (OptionType::Button, None | Some("")) => return Ok(setting),
            (OptionType::Button, Some(_)) => return error("is a button and takes no value"),
            (OptionType::Path, None) => "",
            (_, None) => return error("needs a value"),
            (_, Some(value)) => value,
        };
        let error = |expected: String| {
            let value = shortened(value);
            OptionError(format!("option {name} takes {expected}, not '{value}'"))
        };
        match kind {
            OptionType::Spin { min, max, .. } => {
                let range = || error(format!("a whole number from {min} to {max}"));
                setting.number = whole_number(value, min, max).ok_or_else(range)?;
            }
            OptionType::Check(_) => {
                let flag = value.parse::<bool>().map_err(|_| error("true or false".to_owned()))?;
                setting.number = flag.into();
            }
            OptionType::Combo(values) => {
                let index = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                setting.number = index.ok_or_else(|| error(one_of(values)))? as i64;
            }
            OptionType::Path => {
                let is_empty = value.is_empty() || value == "<empty>";
                setting.path = (!is_empty).then(|| PathBuf::from(value));
            }
            OptionType::Button => {}
        }
        Ok(setting)
    }
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
        .ok_or_else(|| OptionError(format!("unknown option '{}'", shortened(name))))?
        .parse(value)
}

/// The same, for options of an engine without a program around it.
pub(super) fn parse_engine_setting(name: &str, value: &str) -> Result<Setting, OptionError> {
    let setting = parse_setting(name, Some(value))?;
    if matches!(setting.effect, Effect::Start(_) | Effect::LogFile) {
        return Err(OptionError(format!(
            "option {} can only be set for an engine that runs as a program",
            shortened(name)
        )));
    }
    Ok(setting)
}

impl fmt::Display for OptionSpec {
    /// As in the handshake: `name N type T default D …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match self.kind {
            OptionType::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionType::Check(default) => write!(f, "check default {default}"),
            OptionType::Combo(values) => {
                write!(f, "combo default {}", values[0])?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionType::Button => f.write_str("button"),
            OptionType::Path => f.write_str("string default <empty>"),
        }
    }
}
