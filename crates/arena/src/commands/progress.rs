//! The progress of commands that play games.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{GameInProgress, GamesInProgress, MoveEvaluation, UNLIMITED_GAMES};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kalah::board::Side;
use kalah::printable::{counted, printable};
use kalah_command::progress_bar::styled_bar;
use kalah_command::say;
use kalah_command::table::cut_text;
use kalah_records::{GameRecord, ScoreBound, Termination, bound_mark};

/// The time between progress lines when stderr is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Games that have lasted less are not shown: nobody could read them.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Lines of games; the rest is counted.
const MAX_LINES: usize = 8;

const NAME_WIDTH: usize = 16;

/// A progress bar on stderr if that is a terminal, otherwise a line every ten seconds.
pub(super) struct ArenaProgress {
    bar: ProgressBar,
    /// What is counted, in the singular.
    unit: &'static str,
    /// `None` if it is not known.
    total: Option<u64>,
    /// What the record has, whether it belongs to the total or not.
    pub read: u64,
    last_line: Instant,
}

impl ArenaProgress {
    /// Shows the games in progress above the bar.
    pub(super) fn new(unit: &'static str, total: u64, live: Arc<GamesInProgress>) -> ArenaProgress {
        let total = Some(total).filter(|&total| total != UNLIMITED_GAMES);
        let [of, left] = if total.is_some() { ["/{len}", ", {eta} left"] } else { [""; 2] };
        let template = format!("{{live}}{{bar:30}} {{pos}}{of} {unit}s, {{rate}}{left}  {{msg}}");
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:.1}/s", state.per_sec());
        };
        let live = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = text.write_str(&live_lines(&live.snapshot()));
        };
        let style = ProgressStyle::with_template(&template);
        let style = style.map(|style| style.with_key("rate", rate).with_key("live", live));
        let bar = styled_bar(ProgressBar::new(total.unwrap_or(0)), style);
        ArenaProgress { bar, unit, total, read: 0, last_line: Instant::now() }
    }

    /// Begins with what the record has, whose incomplete last line was dropped if it `was_torn`.
    pub(super) fn begin(&mut self, recorded: u64, was_torn: bool) {
        let unit = self.unit;
        self.bar.set_position(recorded);
        self.bar.reset_eta();
        if was_torn {
            self.say(&format!("the record ended with an incomplete {unit}, which is ignored"));
        }
        if self.total.is_none() {
            self.say("plays until the sequential test is decided: --games N would limit the games");
        }
        let more = self.read.saturating_sub(recorded);
        if recorded + more > 0 {
            let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
            let more = match more {
                0 => String::new(),
                more => format!(", and {more} more, which count, too"),
            };
            self.say(&format!("{recorded}{of} {unit}s are in the record{more}"));
        }
    }

    /// Counts one more; `state` tells what is known after it.
    pub(super) fn advance(&mut self, state: &str) {
        self.bar.inc(1);
        self.bar.set_message(printable(state).into_owned());
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (done, rate, unit) = (self.bar.position(), self.bar.per_sec(), self.unit);
            let left = self.bar.eta().as_secs();
            let known = |total| (format!("/{total}"), format!(", {left} s left"));
            let (of, left) = self.total.map(known).unwrap_or_default();
            say!("{done}{of} {unit}s, {rate:.1}/s{left}  {state}");
        }
    }

    /// Tells that a player has lost a game by a fault, if one has.
    pub(super) fn say_fault(&self, game: &GameRecord) {
        if let Termination::Fault(_) = game.reason {
            let loser = if game.result.half_points() == 0 { Side::South } else { Side::North };
            let name = &game.seat(loser).player.name;
            let detail = game.detail.as_deref().unwrap_or_default();
            self.say(&format!("game {}: {name} loses, {}: {detail}", game.game, game.reason));
        }
    }

    pub(super) fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            say!("{line}");
        } else {
            self.bar.println(printable(line));
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line for each game in progress that a person could read, each with a line end.
pub fn live_lines(games: &[GameInProgress]) -> String {
    let shown: Vec<&GameInProgress> =
        games.iter().filter(|game| game.begun.elapsed() >= SHOWN_AFTER).collect();
    let mut text = String::new();
    for game in shown.iter().take(MAX_LINES) {
        let _ = writeln!(text, "{}", line(game));
    }
    if shown.len() > MAX_LINES {
        let _ = writeln!(text, "and {}", counted(shown.len() - MAX_LINES, "more game"));
    }
    text
}

/// A game in at most 79 columns: number, ply, players with their evaluations, and stores.
fn line(game: &GameInProgress) -> String {
    let [south, north] = Side::ALL.map(|side| {
        let name = cut_text(&printable(&game.players[side.index()]), NAME_WIDTH);
        format!("{name:NAME_WIDTH$} {:>10}", evaluation(game.evaluations[side.index()]))
    });
    let [south_store, north_store] = Side::ALL.map(|side| game.board.store(side));
    let (number, ply) = (game.game, game.plies);
    format!("{number:>6} {south} {south_store:>3}:{north_store:<3} {north} ply {ply}")
}

/// The score in seeds and the depth, as in `+1.50/14`; `!` marks a proven score, `>` or `<` a bound.
fn evaluation(evaluation: MoveEvaluation) -> String {
    let Some(score) = evaluation.score else { return "-".to_owned() };
    let bound = bound_mark(ScoreBound::of(score.bound));
    let seeds = format!("{bound}{:+.2}", f64::from(score.centiseeds) / 100.0);
    match evaluation.depth {
        _ if score.proven => format!("{seeds}!"),
        Some(depth) => format!("{seeds}/{depth}"),
        None => seeds,
    }
}
