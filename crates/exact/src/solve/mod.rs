//! `kalah solve`.

pub(crate) mod proof;
pub(crate) mod session;
pub(crate) mod solved_board;
pub(crate) mod solving_kalah;
pub mod survey;

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use kalah::board::{Board, FenError, Side};
use kalah::protocol::{InputLine, LineReader, MAX_LINE};
use kalah::solve::SolveRequest;
use kalah::text_file;

use self::proof::ProofArguments;
use self::session::SolveSession;
use self::solved_board::SolvedBoard;
use kalah_command::exit::{wait_for_input, wrong_usage};
use kalah_command::options::{BoardOptions, SolverOptions, number};
use kalah_command::output::OutputOption;

/// Find the exact value of a position
///
/// Prints the final store difference when both sides play best, from the view of the side to move,
/// and the principal variation. Tables are built in memory first. Ctrl-C stops the search; with
/// --checkpoint it can be continued later.
///
///   kalah solve --seeds 4 --moves
///   kalah solve --fen '<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> N' --json
///   kalah solve --input boards.txt --threads 2
///   kalah solve --table 4 4
///   kalah solve --table 12 12 --csv values.csv --limit 60
///   kalah solve --seeds 4 --proof kalah-6-4.proof
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct SolveCommand {
    #[command(flatten)]
    board: BoardOptions,

    /// Side to move, S or N, for boards of --fen or --input that do not name it
    #[arg(long)]
    side: Option<Side>,

    /// Solve the boards in this file, one per line, in order; '-' is standard input. Blank lines
    /// and those that begin with # are skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["houses", "seeds", "fen"])]
    input: Option<PathBuf>,

    /// Print the table of *Solving Kalah*: 1 to M houses, 1 to N seeds, both capture rules, or relay sowing
    #[arg(long, num_args = 2, value_names = ["M", "N"], value_parser = value_parser!(u16).range(1..=i64::from(survey::MAX_SIZE)),
          conflicts_with_all = ["houses", "seeds", "fen", "input", "capture", "moves", "checkpoint"])]
    table: Option<Vec<u16>>,

    /// Add the starts of --table, with all first moves, to this CSV file, and skip those that it has
    #[arg(long, value_name = "FILE", requires = "table",
          conflicts_with_all = ["houses", "seeds", "fen", "input", "json"])]
    csv: Option<PathBuf>,

    /// Seconds for a start of --csv; after one that takes longer, larger ones of the same houses and
    /// rules are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, requires = "csv",
          conflicts_with_all = ["houses", "seeds", "fen", "input"],
          value_parser = number::<u64>(1..))]
    limit: u64,

    /// Print the margin after every move, too
    #[arg(long)]
    moves: bool,

    #[command(flatten)]
    solver: SolverOptions,

    /// Load tablebases from this directory, where it has enough seeds, instead of building them
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,

    /// Continue from what this file has, if it exists, and append to it what is found, every second
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    proof: ProofArguments,
}

impl SolveCommand {
    pub fn run(self) -> anyhow::Result<()> {
        if self.side.is_some() && self.board.fen.is_none() && self.input.is_none() {
            return Err(wrong_usage(&["solve"], "--side needs --fen or --input").into());
        }
        let mut session = SolveSession::new(self.solver.resources(), self.tablebase.clone())?;
        if let Some(&[max_houses, max_seeds]) = self.table.as_deref() {
            let sowing = self.board.rules.sowing;
            if let Some(csv) = &self.csv {
                let limit = Duration::from_secs(self.limit);
                return survey::run(&mut session, (max_houses, max_seeds), sowing, limit, csv);
            }
            let size = (max_houses, max_seeds);
            return solving_kalah::run(&mut session, size, sowing, self.output);
        }
        let line = self.output.is_json() || self.input.is_none();
        let request = SolveRequest { moves: self.moves, line, ..SolveRequest::default() };
        if let Some(input) = &self.input {
            return self.solve_all(&mut session, input, request);
        }
        let board = self.board().map_err(|error| wrong_usage(&["solve"], format!("{error:#}")))?;
        let proof = self.proof.file()?;
        if let (Some(proof), Some(checkpoint)) = (&proof, &self.checkpoint)
            && proof.is(checkpoint)
        {
            return Err(
                wrong_usage(&["solve"], "--proof and --checkpoint name the same file").into()
            );
        }
        if let Some(checkpoint) = &self.checkpoint {
            session.open_checkpoint(checkpoint, board.rules(), Some(&board))?;
        }
        let solved = session.solve(&board, request);
        let (solved, saved) = session.with_saved_checkpoint(self.checkpoint.as_deref(), solved)?;
        let printed = self.print(&solved, &solved.text());
        // A failed save is reported before a closed output.
        saved?;
        printed?;
        match proof {
            Some(file) => self.proof.write(file, &mut session, &board, self.output),
            None => Ok(()),
        }
    }

    fn board(&self) -> anyhow::Result<Board> {
        let (Some(fen), Some(side)) = (&self.board.fen, self.side) else {
            return self.board.board();
        };
        let board = self.parse(fen).with_context(|| format!("--fen '{fen}'"))?;
        if board.side() != side {
            bail!("--fen '{fen}' and --side {side} contradict each other");
        }
        Ok(board)
    }

    /// Parses a board. The side to move defaults to that of --side.
    fn parse(&self, fen: &str) -> Result<Board, FenError> {
        match self.side {
            // No side follows the board.
            Some(side) if fen.trim_end().ends_with('>') => {
                Board::from_fen(&format!("{fen} {side}"), self.board.rules.rule_set())
            }
            _ => Board::from_fen(fen, self.board.rules.rule_set()),
        }
    }

    fn solve_all(
        &self,
        session: &mut SolveSession,
        input: &Path,
        request: SolveRequest,
    ) -> anyhow::Result<()> {
        let name = text_file::name(input);
        let cannot = || format!("cannot read {name}");
        let file =
            wait_for_input(&session.stop, || text_file::open(input))?.with_context(cannot)?;
        let mut lines = LineReader::new(BufReader::new(file));
        while let Some(line) =
            wait_for_input(&session.stop, || lines.next_line())?.with_context(cannot)?
        {
            let place = || format!("{name}, line {}", lines.number());
            let line = match line {
                InputLine::Text(line) => line,
                InputLine::TooLong => bail!("{}: longer than {MAX_LINE} bytes", place()),
                InputLine::NotUtf8 => bail!("{}: not text in UTF-8", place()),
                InputLine::Utf16 => bail!("{}: text in UTF-16, expected UTF-8", place()),
            };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let board = self.parse(line).with_context(place)?;
            let solved = session.solve(&board, request).with_context(place)?;
            self.print(&solved, &solved.line())?;
        }
        Ok(())
    }

    /// Prints the text, or JSON in its place.
    fn print(&self, solved: &SolvedBoard, text: &str) -> anyhow::Result<()> {
        let mut output = self.output.text();
        writeln!(output, "{text}")?;
        output.flush()?;
        self.output.print("kalah-solve", solved)
    }
}
