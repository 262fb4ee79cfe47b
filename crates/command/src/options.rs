//! Options that subcommands share: the board to start from, numbers, and the number of threads.

use std::num::NonZeroUsize;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use kalah::board::{Board, Capture, MAX_HOUSES, MAX_SEEDS, RuleSet, Rules, Sowing};
use kalah::solve::SolverResources;
use serde::Serialize;

use crate::output::RuleMembers;

/// The start of a game or any other board.
#[derive(Args)]
pub struct BoardOptions {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    pub houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = seeds())]
    pub seeds: u16,

    /// Start from this board, such as '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["houses", "seeds"])]
    pub fen: Option<String>,

    /// The capture rule and the way of sowing
    #[command(flatten)]
    pub rules: RuleOptions,
}

/// The rules but for the number of houses.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "RuleMembers")]
pub struct RuleOptions {
    /// Capture rule: standard, or empty (captures also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard, value_parser = capture_parser())]
    pub capture: Capture,

    /// Way of sowing: single, or relay (a sowing that ends in a house with seeds goes on with them; no
    /// captures)
    #[arg(long, value_name = "WAY", default_value_t = Sowing::Single, value_parser = sowing_parser())]
    pub sowing: Sowing,
}

impl RuleOptions {
    /// The rules of these options.
    pub fn rule_set(self) -> RuleSet {
        RuleSet::new(self.capture, self.sowing)
    }
}

impl From<RuleOptions> for RuleSet {
    fn from(options: RuleOptions) -> RuleSet {
        options.rule_set()
    }
}

impl BoardOptions {
    /// The board of these options.
    pub fn board(&self) -> anyhow::Result<Board> {
        let rule_set = self.rules.rule_set();
        match &self.fen {
            Some(fen) => Board::from_fen(fen, rule_set).with_context(|| format!("--fen '{fen}'")),
            None => Ok(Board::start(Rules::new(self.houses, rule_set)?, self.seeds)?),
        }
    }
}

/// Threads and memory of a solver.
#[derive(Args, Clone, Copy)]
pub struct SolverOptions {
    /// Number of threads, at most the number of processors [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,

    /// Upper limit of the memory for all tables together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = number::<u32>(1..))]
    hash: u32,
}

impl SolverOptions {
    /// The threads to use, and the memory.
    pub fn resources(self) -> SolverResources {
        SolverResources { threads: thread_count(self.threads), mebibytes: self.hash as usize }
    }
}

/// The number of threads to use: that of the processors, or fewer on request.
pub fn thread_count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let processors = kalah::sys::processors();
    threads.map_or(processors, |threads| threads.min(processors))
}

/// Reads the name of a capture rule, and tells a shell which there are.
pub fn capture_parser() -> impl TypedValueParser<Value = Capture> {
    PossibleValuesParser::new(Capture::ALL.map(Capture::name))
        .try_map(|name| name.parse::<Capture>())
}

/// Reads the name of a way of sowing, and tells a shell which there are.
pub fn sowing_parser() -> impl TypedValueParser<Value = Sowing> {
    PossibleValuesParser::new(Sowing::ALL.map(Sowing::name)).try_map(|name| name.parse::<Sowing>())
}

/// Reads the name of a file for a chart, which ends in `.svg`.
pub fn svg_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("charts are written as SVG: the name must end in .svg"),
    })
}

/// Reads a whole number of a range, or else says the range. What `T` cannot hold is out of range.
pub fn number<T: FromStr>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    const MAXIMA: [u64; 4] = [u64::MAX, u32::MAX as u64, u16::MAX as u64, u8::MAX as u64];
    let min = match range.start_bound() {
        Bound::Included(&min) => min,
        Bound::Excluded(&below) => below + 1,
        Bound::Unbounded => 0,
    };
    let max = match range.end_bound() {
        Bound::Included(&max) => max,
        Bound::Excluded(&above) => above - 1,
        Bound::Unbounded => {
            let fits = |max: &u64| max.to_string().parse::<T>().is_ok();
            MAXIMA.into_iter().find(fits).unwrap_or(u64::MAX)
        }
    };
    move |text| {
        let number = text.parse::<u64>().ok().filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| number.to_string().parse().ok());
        number.ok_or_else(|| match max {
            u64::MAX => format!("expected a whole number of at least {min}, less than 2^64"),
            _ => format!("expected a whole number from {min} to {max}"),
        })
    }
}

/// Reads a number of houses a side.
pub fn houses() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    number(1..=MAX_HOUSES as u64)
}

/// Reads a number of seeds in each house at the start of a game.
pub fn seeds() -> impl Fn(&str) -> Result<u16, String> + Clone + Send + Sync + 'static {
    number(1..=u64::from(MAX_SEEDS / 2))
}

/// Reads a time in seconds, of at least a millisecond.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    let seconds = seconds.ok_or_else(|| "expected seconds, from 0.001 to 1000000".to_owned())?;
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::{number, svg_path};

    fn read<T: std::str::FromStr + ToString>(
        range: impl std::ops::RangeBounds<u64>,
        text: &str,
    ) -> String {
        number::<T>(range)(text).map_or_else(|error| error, |number| number.to_string())
    }

    #[test]
    fn an_error_says_which_numbers_are_allowed() {
        for text in ["0", "-1", "6.5", "", " ", "x", "1e9", "13", "99999999999999999999999"] {
            assert_eq!(read::<u16>(1..=12, text), "expected a whole number from 1 to 12");
        }
        for text in ["0", "65536", "-3"] {
            let expected = "expected a whole number from 1 to 65535";
            assert_eq!(read::<NonZeroU16>(1.., text), expected);
        }
        assert_eq!(read::<u8>(.., "256"), "expected a whole number from 0 to 255");
        for (text, expected) in [("1", "1"), ("012", "12"), ("12", "12")] {
            assert_eq!(read::<u16>(1..13, text), expected);
        }
        assert_eq!(read::<u64>(.., "18446744073709551615"), "18446744073709551615");
        let expected = "expected a whole number of at least 2, less than 2^64";
        assert_eq!(read::<u64>(2.., "18446744073709551616"), expected);
    }

    #[test]
    #[cfg(unix)]
    fn a_picture_may_have_any_name_that_ends_in_svg() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        use clap::builder::TypedValueParser;

        let is_taken = |name: &[u8]| {
            svg_path().parse_ref(&clap::Command::new("lab"), None, OsStr::from_bytes(name)).is_ok()
        };
        for name in [&b"a.svg"[..], b"\xff.svg", b"folder/B.SVG"] {
            assert!(is_taken(name));
        }
        for name in [&b"a.png"[..], b"svg", b"\xff", b".svg", b""] {
            assert!(!is_taken(name));
        }
    }
}
