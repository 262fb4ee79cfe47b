//! `kalah solve`.

mod answer;
mod paper;
mod work;

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use kalah::board::{Board, FenError, Rules, Side};
use kalah::solve::{SolveRequest, Solver, SolverResources};
use kalah::tablebase::{MAX_TABLE_HOUSES, TablebaseFiles};

use self::answer::Answer;
use self::work::Work;
use super::board_options::BoardOptions;
use super::usage::{processors, wrong_usage};

/// Find the exact value of a position
///
/// Tells the final store difference when both sides play their best, from the view of the side to
/// move, and the line that leads to it. Tables are built in memory first, as large as pays. Ctrl-C
/// ends it; with --checkpoint what has been found out is kept for the next time.
///
///   kalah solve --seeds 4 --moves
///   kalah solve --fen '<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> N' --json
///   kalah solve --input boards.txt --threads 2
///   kalah solve --table 4 4
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Solve {
    #[command(flatten)]
    board: BoardOptions,

    /// Who is to move, S or N, when the board of --fen or a line of --input does not say
    #[arg(long)]
    side: Option<Side>,

    /// Solve the boards in this file, one a line, in order; '-' is standard input. Blank lines are
    /// skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["houses", "seeds", "fen"])]
    input: Option<PathBuf>,

    /// Make the table of *Solving Kalah*: 1 to M houses, 1 to N seeds, both rules
    #[arg(long, num_args = 2, value_names = ["M", "N"], value_parser = value_parser!(u16).range(1..=12),
          conflicts_with_all = ["houses", "seeds", "fen", "input", "capture", "moves", "checkpoint"])]
    table: Option<Vec<u16>>,

    /// Tell what every move is worth, too
    #[arg(long)]
    moves: bool,

    /// Threads, as far as there are processors for them; all processors if it is not given
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Memory for all tables together in MiB, used as far as it pays
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = value_parser!(u32).range(1..))]
    hash: u32,

    /// Take tables from this directory, where it has enough, instead of building them
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,

    /// Answer in JSON, a line for each board
    #[arg(long)]
    json: bool,

    /// Go on from what this file holds, and keep in it what is found out: every ten minutes and at
    /// the end
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    checkpoint: Option<PathBuf>,
}

impl Solve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.side.is_some() && self.board.fen.is_none() && self.input.is_none() {
            return Err(
                wrong_usage(&["solve"], "--side is for the boards of --fen and --input").into()
            );
        }
        let threads = processors(self.threads);
        let resources = SolverResources { threads, mebibytes: self.hash as usize };
        let mut work = Work::new(Solver::new(resources))?;
        if let Some(table) = &self.table {
            return paper::run(&mut work, table, self.tablebase.as_deref(), self.json);
        }
        // The line is not for those who ask for many values.
        let line = self.json || self.input.is_none();
        let wanted = SolveRequest { moves: self.moves, line, guess: None };
        if let Some(input) = &self.input {
            return self.solve_all(&mut work, input, wanted);
        }
        let board = self.board().map_err(|error| wrong_usage(&["solve"], format!("{error:#}")))?;
        use_files(&mut work, self.tablebase.as_deref(), board.rules())?;
        let (answer, saved) = match &self.checkpoint {
            Some(checkpoint) => work.solve_with_checkpoint(&board, wanted, checkpoint)?,
            None => (work.solve(&board, wanted)?, Ok(())),
        };
        // Whoever has closed the output may want the file all the same.
        let told = self.tell(&answer, answer.text());
        saved?;
        told
    }

    fn board(&self) -> anyhow::Result<Board> {
        let (Some(fen), Some(side)) = (&self.board.fen, self.side) else {
            return self.board.board();
        };
        let board = self.read(fen).with_context(|| format!("--fen '{fen}'"))?;
        if board.side() != side {
            bail!("--fen '{fen}' and --side {side} contradict each other");
        }
        Ok(board)
    }

    /// A board with its side, or that of the option.
    fn read(&self, fen: &str) -> Result<Board, FenError> {
        match self.side {
            // Only a board alone can have the side put behind it.
            Some(side) if fen.trim_end().ends_with('>') => {
                Board::from_fen(&format!("{fen} {side}"), self.board.capture)
            }
            _ => Board::from_fen(fen, self.board.capture),
        }
    }

    fn solve_all(&self, work: &mut Work, input: &Path, wanted: SolveRequest) -> anyhow::Result<()> {
        let name = input.display();
        let reader: Box<dyn BufRead> = if input == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(input).with_context(|| format!("cannot read '{name}'"))?;
            Box::new(BufReader::new(file))
        };
        let mut rules = None;
        for (line, number) in reader.lines().zip(1..) {
            let place = || format!("'{name}', line {number}");
            let line = line.map_err(|error| {
                // What is no text stands in a line; what cannot be read is the file.
                let is_no_text = error.kind() == ErrorKind::InvalidData;
                let what = if is_no_text { place() } else { format!("cannot read '{name}'") };
                anyhow::Error::from(error).context(what)
            })?;
            // Some editors begin a file with a mark that it is UTF-8.
            let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { &line };
            if line.trim().is_empty() {
                continue;
            }
            let board = self.read(line.trim()).with_context(place)?;
            if rules != Some(board.rules()) {
                use_files(work, self.tablebase.as_deref(), board.rules())?;
                rules = Some(board.rules());
            }
            let answer = work.solve(&board, wanted).with_context(place)?;
            self.tell(&answer, answer.line())?;
        }
        Ok(())
    }

    fn tell(&self, answer: &Answer, text: String) -> anyhow::Result<()> {
        let text = if self.json { serde_json::to_string(answer)? } else { text };
        let mut output = io::stdout().lock();
        writeln!(output, "{text}")?;
        Ok(output.flush()?)
    }
}

/// Has tables taken from a directory. There are none for larger boards.
fn use_files(work: &mut Work, directory: Option<&Path>, rules: Rules) -> anyhow::Result<()> {
    if let Some(directory) = directory.filter(|_| rules.houses() <= MAX_TABLE_HOUSES)
        && let Some(files) = TablebaseFiles::open(directory, rules)?
    {
        work.solver.set_tablebase_files(files);
    }
    Ok(())
}
