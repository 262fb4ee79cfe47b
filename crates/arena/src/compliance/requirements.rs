//! The requirements of `protocol.md`: their identifiers and tiers. The page lists them in the same order.

use clap::ValueEnum;
use serde::Serialize;
use strum::Display;

/// How much a requirement matters, as in RFC 2119.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Tier {
    /// Without it a GUI or a match cannot use the engine, or gets wrong moves.
    Must,
    /// Everybody who knows the protocol expects it.
    Should,
    /// An engine may omit it.
    May,
}

impl Tier {
    /// All tiers, the most important first.
    pub const ALL: [Tier; 3] = [Tier::Must, Tier::Should, Tier::May];
}

/// A statement of `protocol.md` that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Requirement {
    /// Its name in `protocol.md`; it does not change.
    #[cfg_attr(test, schemars(regex(pattern = r"^[a-z0-9-]+\.[a-z0-9-]+$")))]
    pub id: &'static str,
    /// How much it matters.
    pub tier: Tier,
    /// The section of `protocol.md`.
    pub section: &'static str,
    /// The statement, unique within its section.
    pub statement: &'static str,
}

/// The requirement with this statement. A test makes sure that each check has one of the table.
pub(super) fn requirement(section: &'static str, statement: &'static str) -> Requirement {
    let found = REQUIREMENTS.iter().find(|(.., of, is)| (*of, *is) == (section, statement));
    let (tier, id) = found.map_or((Tier::Must, "unlisted"), |&(tier, id, ..)| (tier, id));
    Requirement { id, tier, section, statement }
}

use Tier::{May, Must, Should};

#[rustfmt::skip]
const REQUIREMENTS: [(Tier, &str, &str, &str); 116] = [
    (Must, "uci.ok", "uci", "'uci' is answered up to 'uciok'"),
    (Must, "isready.ok", "isready", "'isready' is answered by 'readyok'"),
    (Must, "uci.id", "uci", "'id name' and 'id author' are sent"),
    (Must, "uci.options", "uci", "options are described as in UCI"),
    (Must, "options.types", "Options", "options have the types of protocol.md"),
    (Should, "options.houses", "Options", "Houses exists: 1 to 12, default 6"),
    (Should, "options.seeds", "Options", "Seeds exists: 1 to 511, default 4"),
    (Should, "options.capture", "Options", "Capture exists: standard (default) or empty"),
    (Must, "isready.searching", "isready", "'isready' is answered while searching"),
    (Should, "uci.searching", "uci", "'uci' is answered while searching"),
    (Must, "ucinewgame.keeps", "ucinewgame", "options and position are kept"),
    (May, "debug.accepted", "debug on / debug off", "both are accepted, and searches still work"),
    (Must, "d.fen", "d", "'d' shows the board after 'Fen:'"),
    (Should, "d.searching", "d", "'d' is answered while searching"),
    (Must, "position.initial", "position", "the initial position is 'startpos'"),
    (Must, "boards.side-default", "Boards and moves as text", "South moves when no side is given"),
    (Should, "boards.sizes", "Boards and moves as text", "boards of all sizes are read"),
    (Must, "moves.spacing", "Boards and moves as text", "moves may be separated or run together"),
    (Must, "moves.case", "Boards and moves as text", "moves are read in either case"),
    (Should, "position.games", "position", "games of all sizes are played by the rules"),
    (Should, "position.bad-board", "position", "invalid boards are refused and change nothing"),
    (Should, "position.bad-move", "position", "illegal moves are refused and change nothing"),
    (Should, "position.searching", "position", "a position set during a search is for the next"),
    (Must, "rules.extra-turn", "The game", "an extra turn"),
    (Must, "rules.past-store", "The game", "past the own store"),
    (Must, "rules.capture", "The game", "a capture of 1 + 4"),
    (Must, "rules.nothing-opposite", "The game", "nothing opposite"),
    (Should, "rules.empty-capture", "The game", "the lone seed captured"),
    (Must, "rules.full-lap", "The game", "a full lap ends where it began, and captures"),
    (Must, "rules.past-opponent", "The game", "past the opponent's store and on"),
    (Must, "rules.two-laps", "The game", "two laps: the last house holds 2, no capture"),
    (Must, "rules.capture-ends", "The game", "a capture that ends the game; North sweeps 10"),
    (Must, "rules.no-turn-at-end", "The game", "no extra turn after the end"),
    (Should, "rules.empty-capture-ends", "The game", "a lone capture that ends the game"),
    (Must, "rules.last-seeds", "The game", "taking the opponent's last seeds"),
    (Must, "rules.north", "The game", "North moves by the same rules"),
    (Should, "rules.all-moves", "The game", "all other moves on these boards"),
    (Must, "setoption.case", "setoption", "names are read in any case"),
    (Must, "setoption.defaults", "setoption", "each option accepts its default"),
    (Should, "setoption.range", "setoption", "values outside the range of an option are refused"),
    (Should, "setoption.invalid", "setoption", "invalid commands are refused and change nothing"),
    (Should, "options.startpos", "Options", "Houses and Seeds define 'startpos'"),
    (Should, "options.no-startpos", "Options", "Houses and Seeds without a valid board are refused"),
    (Should, "options.capture-rule", "Options", "Capture is the rule of all boards"),
    (Should, "position.option-change", "position", "it is read again when an option changes"),
    (Should, "position.option-misfit", "position", "it becomes 'startpos' when an option makes it invalid"),
    (Should, "setoption.searching", "setoption", "the command is refused while searching and changes nothing"),
    (May, "options.threads-determinism", "Options", "one thread gives the same nodes and moves every time"),
    (May, "go.depth", "go", "'depth' is the last depth searched"),
    (Should, "go.nodes", "go", "'nodes' is the node limit, exceeded by at most 1,000"),
    (Must, "go.movetime", "go", "'movetime' is not exceeded"),
    (Should, "go.movetime-used", "go", "'movetime' is used up, unless the score is proven before"),
    (Must, "go.clock-south", "go", "South's clock counts when South moves"),
    (Must, "go.clock-north", "go", "North's clock counts when North moves"),
    (Should, "go.clock-uci", "go", "'wtime' and 'btime' are South's and North's clock"),
    (Should, "go.increment", "go", "'sinc', 'ninc', 'winc' and 'binc' are read with the clocks"),
    (Should, "go.movestogo", "go", "'movestogo' is read with the clocks"),
    (Must, "go.no-time", "go", "with a clock at or below zero the engine moves at once"),
    (Should, "go.first-limit", "go", "the first limit reached ends the search"),
    (Should, "go.forced", "go", "with a clock a forced move is played at once"),
    (Should, "go.searchmoves", "go", "only the 'searchmoves' are considered"),
    (May, "go.perft", "go", "'perft' counts the leaves below each move"),
    (May, "go.perft-everywhere", "go", "'perft' counts at the end of games, for North, and on other boards"),
    (Must, "go.infinite", "go", "'infinite' ends only after 'stop'"),
    (Should, "go.infinite-limits", "go", "'infinite' waits whatever the limits"),
    (Should, "go.infinite-over", "go", "'infinite' waits when the game is over"),
    (Should, "go.ponder", "go", "'ponder' ends only after 'ponderhit' or 'stop'"),
    (Should, "ponderhit.limits", "ponderhit", "limits count from then on"),
    (Should, "ponderhit.stop", "ponderhit", "a search can be stopped after it"),
    (Should, "errors.ponderhit", "Errors", "'ponderhit' is an error when no search is pondering"),
    (Must, "stop.at-once", "stop", "it ends every search at once"),
    (Must, "go.one-bestmove", "go", "a search that ends by itself sends exactly one bestmove"),
    (Must, "go.one-bestmove-stopped", "go", "a stopped search sends exactly one bestmove"),
    (Must, "go.many", "go", "dozens of searches in a row send one bestmove each"),
    (Must, "stop.order", "stop", "bestmove comes before the replies to later commands"),
    (Should, "errors.stop", "Errors", "'stop' is an error when no search is running"),
    (Must, "bestmove.legal", "bestmove", "the move is legal"),
    (Should, "bestmove.capital", "bestmove", "the move is a capital letter for South"),
    (Should, "bestmove.small", "bestmove", "the move is a small letter for North"),
    (Must, "bestmove.ponder", "bestmove", "the ponder move is legal after it"),
    (Must, "bestmove.extra-turn", "bestmove", "after an extra turn the same player moves"),
    (Must, "bestmove.over", "bestmove", "the move is 0000 when the game is over"),
    (Should, "info.before-stop", "info", "a line with a 'pv' comes before 'stop'"),
    (Should, "info.members", "info", "lines with a 'pv' have depth, score, nodes and time"),
    (Must, "info.pv-legal", "info", "the moves of the 'pv' are legal one after the other"),
    (Should, "info.pv-case", "info", "the moves of the 'pv' are written in the case of their player"),
    (Should, "info.pv-searchmoves", "info", "every 'pv' begins with one of the 'searchmoves'"),
    (May, "options.multipv", "Options", "MultiPV is the number of lines, at most one for each move"),
    (Must, "info.proven", "info", "'proven' scores are correct"),
    (Should, "errors.unknown", "Errors", "unknown commands are refused"),
    (Should, "errors.incomplete", "Errors", "incomplete commands are refused"),
    (Should, "errors.extra-words", "Errors", "extra words are refused"),
    (Should, "errors.go", "Errors", "invalid 'go' commands are refused and start no search"),
    (Should, "go.searching", "go", "the command is refused while searching"),
    (Should, "ucinewgame.searching", "ucinewgame", "the command is refused while searching"),
    (Must, "errors.undisturbed", "Errors", "errors do not disturb a search"),
    (Must, "quit.status", "quit", "the engine exits with status 0"),
    (Should, "quit.searching", "quit", "a running search sends its bestmove first"),
    (Should, "quit.later", "quit", "later commands are ignored"),
    (Must, "end.idle", "The end", "at the end of input an idle engine exits with status 0"),
    (Should, "end.limited", "The end", "at the end of input a limited search is finished"),
    (Should, "end.infinite", "The end", "at the end of input an infinite search is stopped"),
    (Should, "end.ponder", "The end", "at the end of input a pondering search is stopped"),
    (Should, "end.output-closed", "The end", "the engine exits when its output is closed"),
    (Must, "lines.carriage-return", "Lines", "a carriage return before the line feed is ignored"),
    (Must, "lines.empty", "Lines", "empty lines are ignored"),
    (Must, "lines.spaces", "Lines", "words are separated by any number of spaces and tabs"),
    (Should, "lines.lower-case", "Lines", "command words are lower case"),
    (Should, "lines.longest", "Lines", "a line of 1 MiB is read"),
    (Should, "lines.too-long", "Lines", "a line of more than 1 MiB is answered by an error"),
    (Should, "lines.not-utf8", "Lines", "a line that is not UTF-8 is answered by an error"),
    (Must, "lines.pieces", "Lines", "a line may arrive in pieces"),
    (Must, "lines.order", "Lines", "replies come in the order of the commands"),
    (Must, "lines.none-empty", "Lines", "no empty line was sent in any check"),
    (Must, "lines.utf8", "Lines", "all lines sent in all checks were UTF-8"),
    (Must, "info.form", "info", "all info lines in all checks had the form of protocol.md"),
];
