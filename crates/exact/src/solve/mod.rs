//! `kalah solve`.

pub(crate) mod proof;
mod session;
pub(crate) mod solved_board;
pub(crate) mod solving_kalah;
pub mod survey;

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use kalah::board::{Board, FenError, Side};
use kalah::solve::{SolveRequest, SolverResources};

use self::proof::ProofArguments;
use self::session::SolveSession;
use self::solved_board::SolvedBoard;
use kalah_command::exit::wrong_usage;
use kalah_command::options::{BoardOptions, processors};
use kalah_command::output::OutputOption;

/// Most bytes of a line of --input: far more than any board has.
const MAX_LINE: u64 = 1 << 20;

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
    /// are skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["houses", "seeds", "fen"])]
    input: Option<PathBuf>,

    /// Print the table of *Solving Kalah*: 1 to M houses, 1 to N seeds, both capture rules
    #[arg(long, num_args = 2, value_names = ["M", "N"], value_parser = value_parser!(u16).range(1..=i64::from(survey::MAX_SIZE)),
          conflicts_with_all = ["houses", "seeds", "fen", "input", "capture", "moves", "checkpoint"])]
    table: Option<Vec<u16>>,

    /// Add the starts of --table, with all first moves, to this CSV file, and skip those that it has
    #[arg(long, value_name = "FILE", requires = "table",
          conflicts_with_all = ["houses", "seeds", "fen", "input", "json"])]
    csv: Option<PathBuf>,

    /// Seconds for a start of --csv; after one that takes longer, larger ones of the same houses and
    /// capture rule are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, requires = "csv",
          conflicts_with_all = ["houses", "seeds", "fen", "input"],
          value_parser = value_parser!(u64).range(1..))]
    limit: u64,

    /// Print the margin after every move, too
    #[arg(long)]
    moves: bool,

    /// Number of threads, at most the number of processors [default: all processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Upper limit of the memory for all tables together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = value_parser!(u32).range(1..))]
    hash: u32,

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
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        if self.side.is_some() && self.board.fen.is_none() && self.input.is_none() {
            return Err(wrong_usage(&["solve"], "--side needs --fen or --input").into());
        }
        // The solver warns when a checkpoint cannot be written.
        let threads = processors(self.threads);
        let resources = SolverResources { threads, mebibytes: self.hash as usize };
        let mut session = SolveSession::new(resources, self.tablebase.clone())?;
        if let Some([max_houses, max_seeds]) = self.table.as_deref() {
            if let Some(csv) = &self.csv {
                let limit = Duration::from_secs(self.limit);
                return survey::run(&mut session, (*max_houses, *max_seeds), limit, csv);
            }
            return solving_kalah::run(&mut session, *max_houses, *max_seeds, self.output);
        }
        let line = self.output.is_json() || self.input.is_none();
        let request = SolveRequest { moves: self.moves, line, ..SolveRequest::default() };
        if let Some(input) = &self.input {
            return self.solve_all(&mut session, input, request);
        }
        let board = self.board().map_err(|error| wrong_usage(&["solve"], format!("{error:#}")))?;
        let proof = self.proof.output(&board)?;
        if let (Some(proof), Some(checkpoint)) = (&proof, &self.checkpoint)
            && proof.is(checkpoint)
        {
            return Err(
                wrong_usage(&["solve"], "--proof and --checkpoint name the same file").into()
            );
        }
        let (solved, saved) = match &self.checkpoint {
            Some(checkpoint) => session.solve_with_checkpoint(&board, request, checkpoint)?,
            None => (session.solve(&board, request)?, Ok(())),
        };
        let printed = self.print(&solved, &solved.text());
        // A failed save is reported before a closed output.
        saved?;
        printed?;
        match proof {
            Some(proof) => proof.write(&mut session, &board, self.output),
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
                Board::from_fen(&format!("{fen} {side}"), self.board.capture)
            }
            _ => Board::from_fen(fen, self.board.capture),
        }
    }

    fn solve_all(
        &self,
        session: &mut SolveSession,
        input: &Path,
        request: SolveRequest,
    ) -> anyhow::Result<()> {
        let name = input.display();
        let mut reader: Box<dyn BufRead> = if input == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            // It may be a pipe.
            let file = session
                .wait_for_input(|| File::open(input))?
                .with_context(|| format!("cannot read '{name}'"))?;
            Box::new(BufReader::new(file))
        };
        for number in 1.. {
            let place = || format!("'{name}', line {number}");
            let mut line = String::new();
            let mut limited = (&mut reader).take(MAX_LINE);
            let read = session.wait_for_input(|| limited.read_line(&mut line))?;
            let bytes = read.map_err(|error| {
                // Invalid UTF-8 is an error of the line, everything else one of the file.
                let is_utf8_error = error.kind() == ErrorKind::InvalidData;
                let context = if is_utf8_error { place() } else { format!("cannot read '{name}'") };
                anyhow::Error::from(error).context(context)
            })?;
            if bytes == 0 {
                break;
            }
            if bytes as u64 == MAX_LINE {
                bail!("{}: longer than {MAX_LINE} bytes", place());
            }
            // The byte order mark that some editors write.
            let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { &line };
            if line.trim().is_empty() {
                continue;
            }
            let board = self.parse(line.trim()).with_context(place)?;
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
        self.output.print(&solved.json())
    }
}
