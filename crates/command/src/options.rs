//! Options that subcommands share: the board to start from and the number of threads.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kalah::board::{Board, Capture, Rules};

/// The start of a game or any other board.
#[derive(Args)]
pub struct BoardOptions {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    pub houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub seeds: u16,

    /// Start from this board, such as '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["houses", "seeds"])]
    pub fen: Option<String>,

    /// Capture rule: standard, or empty (captures also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard, value_parser = capture_parser())]
    pub capture: Capture,
}

impl BoardOptions {
    /// The board of these options.
    pub fn board(&self) -> anyhow::Result<Board> {
        Ok(match &self.fen {
            Some(fen) => {
                Board::from_fen(fen, self.capture).with_context(|| format!("--fen '{fen}'"))?
            }
            None => Board::start(Rules::new(self.houses, self.capture)?, self.seeds)?,
        })
    }
}

/// The number of threads to use: that of the processors, or fewer on request.
pub fn processors(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    threads.map_or(processors, |threads| threads.min(processors))
}

/// Reads the name of a capture rule, and tells a shell which there are.
pub fn capture_parser() -> impl TypedValueParser<Value = Capture> {
    PossibleValuesParser::new(Capture::ALL.map(Capture::name))
        .try_map(|name| name.parse::<Capture>())
}

/// Reads a time in seconds, of at least a millisecond.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    let seconds = seconds.ok_or_else(|| "not a number of seconds of at least 0.001".to_owned())?;
    Ok(Duration::from_secs_f64(seconds))
}
