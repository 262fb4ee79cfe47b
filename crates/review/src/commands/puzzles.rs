//! `kalah puzzles`.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::{ReviewError, puzzles};
use clap::Args;

use super::counting_bar;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c};
use kalah_command::new_file::NewFile;
use kalah_command::say;

/// Make puzzles of random games
///
/// Plays random games on boards of 3, 4 and 6 houses with both capture rules, and keeps proven positions in
/// which one move holds and every other one loses at least 4 seeds. The page of `kalah gui` has those that
/// the command below made.
///
///   kalah puzzles --games 300 --seed 21 --output puzzles.json
///   kalah puzzles --games 20 --output few.json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct PuzzlesCommand {
    /// Random games, each of which gives at most one puzzle
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,

    /// Random seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Write the puzzles to this file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl PuzzlesCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        let file = NewFile::create(&self.output)?;
        let stop = stop_on_ctrl_c()?;
        let bar = counting_bar(self.games, "games");
        let made = puzzles(self.games, self.seed, &stop, |games, _| bar.set_position(games));
        bar.finish_and_clear();
        let made = match made {
            Ok(made) => made,
            Err(ReviewError::Stopped) => {
                say!("interrupted: no puzzles were written");
                return Err(Interrupted.into());
            }
            Err(error) => return Err(error.into()),
        };
        file.write(|output| {
            writeln!(output, "{{\"version\":{},\"puzzles\":[", made.version)?;
            for (number, puzzle) in made.puzzles.iter().enumerate() {
                let comma = if number + 1 < made.puzzles.len() { "," } else { "" };
                writeln!(output, "{}{comma}", serde_json::to_string(puzzle)?)?;
            }
            Ok(writeln!(output, "]}}")?)
        })?;
        let number = made.puzzles.len();
        Ok(writeln!(io::stdout(), "{number} puzzles of {} games", self.games)?)
    }
}
