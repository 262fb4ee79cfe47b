//! Time controls.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{KeyValues, SettingsError};
use kalah::search::MAX_DEPTH;

/// The longest time that can be set: some thirty years, far from overflow.
const MAX_SECONDS: f64 = 1e9;

/// The times that can be set.
const SECONDS: &str = "0.000001 to 1000000000 seconds";

/// The limits of a player, and how strictly the time is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeControl {
    /// A clock for the game, as in 40/60+0.5, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub tc: Option<ClockSettings>,
    /// Seconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub st: Option<f64>,
    /// Search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Playouts for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Milliseconds that a move may be late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timemargin: Option<u64>,
    /// Seconds after which a player without a clock counts as stalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<f64>,
}

/// A clock: time for a number of moves or for the whole game, and an increment for each move. As
/// text `40/60+0.5`, `60+0.5` or `60`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockSettings {
    /// Moves in each period; `None` if the time is for the whole game.
    pub moves: Option<u32>,
    /// Time for each period.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl FromStr for ClockSettings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<ClockSettings, SettingsError> {
        let expected = format!("{SECONDS}, as in 60, 60+0.5, 40/60+0.5 or 1:30+0.5");
        read_clock(text).ok_or_else(|| SettingsError::value("tc", expected, text))
    }
}

fn read_clock(text: &str) -> Option<ClockSettings> {
    let (moves, rest) =
        text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let moves: Option<u32> = moves.map(str::parse).transpose().ok()?;
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let (minutes, time) = time.split_once(':').unwrap_or(("0", time));
    let minutes: u32 = minutes.parse().ok()?;
    let time = seconds(time)? + Duration::from_secs(60 * u64::from(minutes));
    let clock = ClockSettings { moves, time, increment: seconds(increment)? };
    (moves != Some(0) && !time.is_zero() && time <= TimeControl::MAX_TIME).then_some(clock)
}

impl fmt::Display for ClockSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

impl Serialize for ClockSettings {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClockSettings {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        kalah_games::deserialize_from_str(deserializer)
    }
}

/// Reads a number of seconds without sign and exponent, to the microsecond.
fn seconds(text: &str) -> Option<Duration> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = text.parse().ok().filter(|_| is_plain)?;
    (seconds <= MAX_SECONDS).then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

impl TimeControl {
    /// The most time that increments can add up to: programs could not read more.
    pub const MAX_TIME: Duration = Duration::from_secs(MAX_SECONDS as u64);

    pub(crate) fn take(words: &mut KeyValues) -> Result<TimeControl, SettingsError> {
        let plies = format!("plies from 1 to {MAX_DEPTH}");
        let count = |words: &mut KeyValues, key| {
            // Programs may read signed 64-bit numbers.
            let is_valid = |&count: &u64| (1..=i64::MAX.unsigned_abs()).contains(&count);
            words.value_if(key, "a whole number from 1 to 9223372036854775807", is_valid)
        };
        let time = |words: &mut KeyValues, key| {
            let time = |text: &str| seconds(text).filter(|time| !time.is_zero());
            words.value_by(key, SECONDS, |text| Some(time(text)?.as_secs_f64()))
        };
        let control = TimeControl {
            tc: words.text("tc").map(|text| text.parse()).transpose()?,
            st: time(words, "st")?,
            depth: words.value_if("depth", &plies, |plies| (1..=MAX_DEPTH).contains(plies))?,
            nodes: count(words, "nodes")?,
            iterations: count(words, "iterations")?,
            timemargin: words.value("timemargin", "a whole number of milliseconds, at least 0")?,
            deadline: time(words, "deadline")?,
        };
        if control.tc.is_some() && control.st.is_some() {
            return Err(SettingsError::new("'tc' and 'st' exclude each other"));
        }
        Ok(control)
    }

    /// Writes the words by which a player is defined.
    pub fn words(&self) -> Vec<String> {
        let TimeControl { tc, st, depth, nodes, iterations, timemargin, deadline } = self;
        let words = [
            tc.map(|clock| format!("tc={clock}")),
            st.map(|seconds| format!("st={seconds}")),
            depth.map(|plies| format!("depth={plies}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
            iterations.map(|games| format!("iterations={games}")),
            timemargin.map(|milliseconds| format!("timemargin={milliseconds}")),
            deadline.map(|seconds| format!("deadline={seconds}")),
        ];
        words.into_iter().flatten().collect()
    }

    /// Completes the limits of a player by those for `each` player. An own `tc` or `st` replaces
    /// both; an own `depth`, `nodes` or `iterations` replaces all three.
    pub(crate) fn or(self, each: &TimeControl) -> TimeControl {
        let times = if self.is_timed() { &self } else { each };
        let counts = if self.has_count() { &self } else { each };
        TimeControl {
            tc: times.tc,
            st: times.st,
            depth: counts.depth,
            nodes: counts.nodes,
            iterations: counts.iterations,
            timemargin: self.timemargin.or(each.timemargin),
            deadline: self.deadline.or(each.deadline),
        }
    }

    fn has_count(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.iterations.is_some()
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.has_count() || self.is_timed()
    }

    /// Whether moves can lose on time.
    pub fn is_timed(&self) -> bool {
        self.tc.is_some() || self.st.is_some()
    }

    /// The time that a move may be late. Pipes delay a reply, and no system always wakes a program on time.
    pub fn time_margin(&self) -> Duration {
        Duration::from_millis(self.timemargin.unwrap_or(50))
    }

    /// The time after which a player without a clock counts as stalled.
    pub fn deadline(&self) -> Duration {
        self.deadline.map_or(Duration::from_mins(1), Duration::from_secs_f64)
    }

    /// The time for each move, if that is limited.
    pub fn move_time(&self) -> Option<Duration> {
        self.st.map(Duration::from_secs_f64)
    }
}
