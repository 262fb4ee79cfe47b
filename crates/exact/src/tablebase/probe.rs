//! `kalah tablebase probe`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use kalah::board::{AnyPosition, Board};
use kalah::tablebase::{
    MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, Tablebase, TablebaseError, TablebaseFiles, gains_of_moves,
    no_tables, positions,
};

use super::super::probed_board::ProbedBoard;
use super::with_usage;
use kalah_command::exit::wrong_usage;
use kalah_command::options::RuleOptions;
use kalah_command::output::OutputOption;

/// Look up the exact value of a position and of its moves
///
/// The margin is the final store difference from the view of the player to move, with best play of
/// both sides; the gain is the part of it that is not in the stores yet. Without a directory, a
/// table is built in memory if the position has few seeds.
///
///   kalah tablebase probe tables --fen '<6,29,29,0,0,2,1,3,2,0,1,2,0,2,1> N'
///   kalah tablebase probe --fen '<6,29,29,0,0,2,1,3,2,0,1,2,0,2,1>'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ProbeCommand {
    /// Directory of the files
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,

    /// The board, followed by S or N for the side to move [default: S]
    #[arg(long, value_name = "BOARD")]
    fen: String,

    #[command(flatten)]
    rules: RuleOptions,

    #[command(flatten)]
    output: OutputOption,
}

/// Maximum size of a table that is built for a single probe, which takes about a second.
const MAX_POSITIONS: u64 = 100_000_000;

type GainOf = Box<dyn Fn(&Board) -> Result<Option<i32>, TablebaseError>>;

/// The gains of boards with the rules of `board` and no more seeds.
fn open(directory: Option<&Path>, board: &Board) -> anyhow::Result<GainOf> {
    let (rules, seeds) = (board.rules(), board.seeds_in_play());
    let with_usage = |error| with_usage("probe", error);
    let Some(directory) = directory else {
        if positions(rules.houses(), seeds).is_none_or(|positions| positions > MAX_POSITIONS) {
            bail!(
                "the position has {seeds} seeds in the houses, too many to build a table in \
                 memory: give a directory with files of `kalah tablebase build`"
            );
        }
        let table = Tablebase::build(rules, seeds, kalah::sys::processors()).map_err(with_usage)?;
        return Ok(Box::new(move |board: &Board| Ok(table.gain(board))));
    };
    let files = TablebaseFiles::open(directory, rules).map_err(with_usage)?;
    let files = files.with_context(|| no_tables(directory, rules))?;
    if seeds > files.seeds() {
        bail!(
            "the position has {seeds} seeds in the houses, but the tables for {rules} in '{}' have \
             at most {}",
            directory.display(),
            files.seeds()
        );
    }
    Ok(Box::new(move |board: &Board| files.gain(board)))
}

impl ProbeCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let board = Board::from_fen(&self.fen, self.rules.rule_set()).map_err(|error| {
            wrong_usage(&["tablebase", "probe"], format!("--fen '{}': {error}", self.fen))
        })?;
        if !matches!(board.position(), AnyPosition::Narrow(..)) {
            let limits = format!(
                "tablebases have at most {MAX_TABLE_HOUSES} houses a side and {MAX_TABLE_SEEDS} seeds"
            );
            return Err(wrong_usage(&["tablebase", "probe"], limits).into());
        }
        let known = open(self.directory.as_deref(), &board)?;
        let gain_of = |board: &Board| {
            known(board)?.ok_or_else(|| TablebaseError::Seeds(board.seeds_in_play()))
        };
        let gain = gain_of(&board)?;
        let moves = gains_of_moves(&board, gain_of)?;
        let stores = board.store_difference();
        let margins = moves.iter().map(|&(mv, gain)| (mv, stores + gain));
        ProbedBoard::new(&board, stores + gain, margins).print(&board, self.output)?;
        if moves.iter().map(|&(_, gain)| gain).max().is_some_and(|best| best != gain) {
            bail!("the tables contradict each other: run `kalah tablebase verify`");
        }
        Ok(())
    }
}
