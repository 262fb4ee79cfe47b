//! `kalah store add`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::{Args, Subcommand};
use kalah::board::{Board, Move};
use kalah::solve::{SolveError, SolveProgress, Solver};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::SolverOptions;
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::counting_bar;
use kalah_command::say;
use kalah_command::table::grouped;
use serde::Serialize;

use crate::answer::{MoveValue, PositionValue, Source};
use crate::store::{Claim, Store, claims_of};

/// Positions that are solved together: few enough that little is done again after Ctrl-C.
const BATCH: usize = 64;

/// Fill the store of a server
///
/// A server answers from its store what was solved before, as proven.
///
///   kalah store add solved.jsonl labels/*.jsonl
///   kalah store add solved.jsonl other.jsonl --json > added.json
#[derive(Subcommand)]
#[command(verbatim_doc_comment)]
#[allow(missing_docs, reason = "what a command does is the text of its help")]
pub enum StoreCommand {
    Add(AddCommand),
}

kalah_command::run_subcommands!(StoreCommand { Add });

/// Add positions that were solved elsewhere
///
/// Reads the lines of other stores, of `kalah solve --moves --json` and of the cluster's positions, solves each
/// position again, and appends those whose margins are all right to the store. Positions that the store has are
/// skipped, so the same command goes on after Ctrl-C or a kill. Names each wrong line; the exit status is 1 if there
/// is one.
///
///   python -m kalah.cluster positions --random 100000 --form jsonl --output labels
///   kalah store add solved.jsonl labels/*.jsonl --hash 4096
///   kalah store add solved.jsonl other.jsonl --threads 2 --json > added.json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct AddCommand {
    /// The store: the file of `kalah serve --store`
    store: PathBuf,

    /// Files with positions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    solver: SolverOptions,

    #[command(flatten)]
    output: OutputOption,
}

/// What was added to a store.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AddedJson {
    /// Positions added.
    added: usize,
    /// Positions that need no new line: the store had them, an earlier line has them, or their game is over.
    known: usize,
    /// Lines whose margins are wrong.
    wrong: Vec<WrongLine>,
    /// The time that it took, in seconds.
    seconds: f64,
}

/// A line with a wrong margin.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WrongLine {
    /// The file.
    file: String,
    /// The number of the line, from 1.
    line: u64,
    /// The position as FEN, with the side to move.
    fen: String,
    /// A move by its letter.
    r#move: char,
    /// Its margin in the file, from the view of the side to move.
    written: i32,
    /// Its margin as it was found now.
    found: i32,
}

impl AddCommand {
    fn run(self) -> anyhow::Result<()> {
        let (time, mut output) = (Instant::now(), self.output.text());
        // Whatever is wrong with a file is said before the work begins.
        let claims =
            self.files.iter().map(|file| claims_of(file)).collect::<Result<Vec<_>, _>>()?;
        let mut claims = claims.concat();
        let store = Store::open(&self.store, usize::MAX)?;
        let positions = claims.len();
        claims.retain(|claim| !claim.board.is_over() && store.moves(&claim.board).is_none());
        let (added, wrong) = self.add(&store, &claims)?;
        let known = positions - added - wrong.len();
        for WrongLine { file, line, fen, r#move, written, found } in &wrong {
            say!("'{file}', line {line}: {fen}, move {move}: margin {written}, found {found}");
        }
        let result = AddedJson { added, known, wrong, seconds: time.elapsed().as_secs_f64() };
        let [added, known, wrong] =
            [added, known, result.wrong.len()].map(|count| grouped(count as u64));
        let seconds = result.seconds;
        writeln!(output, "{added} added, {known} known, {wrong} wrong, in {seconds:.2} s")?;
        output.flush()?;
        self.output.print("kalah-store-add", &result)?;
        match result.wrong.len() {
            0 => Ok(()),
            1 => bail!("1 line is wrong, and was not added"),
            _ => bail!("{wrong} lines are wrong, and were not added"),
        }
    }

    /// Solves positions again, and keeps those whose margins are right. Returns how many are new.
    fn add(&self, store: &Store, claims: &[Claim]) -> anyhow::Result<(usize, Vec<WrongLine>)> {
        let (stop, progress) = (stop_on_ctrl_c()?, SolveProgress::default());
        let mut solver = Solver::new(self.solver.resources());
        let bar = counting_bar(claims.len(), "positions");
        let (mut added, mut wrong) = (0, Vec::new());
        for batch in claims.chunks(BATCH) {
            let boards: Vec<Board> = batch.iter().map(|claim| claim.board).collect();
            let solutions = match solver.solve_all(&boards, &stop, &progress) {
                Err(SolveError::Stopped) => {
                    return Err(interrupted(": the same command continues"));
                }
                solutions => solutions?,
            };
            let mut right = Vec::new();
            for (claim, solution) in batch.iter().zip(solutions) {
                let differs = |mv: &(Move, i32)| claim.moves.get(&mv.0.letter()) != Some(&mv.1);
                if let Some(&(mv, found)) = solution.moves.iter().find(|mv| differs(mv)) {
                    wrong.push(WrongLine {
                        file: claim.file.display().to_string(),
                        line: claim.line,
                        fen: claim.board.fen(),
                        r#move: mv.letter(),
                        written: claim.moves.get(&mv.letter()).copied().unwrap_or_default(),
                        found,
                    });
                    continue;
                }
                let value =
                    |(mv, margin)| MoveValue::proven(mv, margin, claim.line_of_play(mv, margin));
                let moves = solution.moves.into_iter().map(value).collect();
                right.push((claim.board, PositionValue::new(&claim.board, Source::Store, moves)));
            }
            added += store.keep(&right)?;
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        Ok((added, wrong))
    }
}
