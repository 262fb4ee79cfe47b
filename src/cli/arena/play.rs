//! A tournament that goes on, for whoever watches it.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kalah::StopToken;
use kalah::arena::{
    ArenaError, GameRecord, OpeningError, PlayerSettings, SequentialTest, Standings, StartError,
    Termination, Tournament, TournamentEnd, TournamentEvent, TournamentOutcome,
};
use kalah::board::Side;

use super::super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::super::new_file::NewFile;
use super::super::usage::wrong_usage;
use super::report::{Report, prepare};
use super::standing_text::{estimate, percent, standing_text};

/// Lines about the progress are no nearer to each other.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Plays a tournament and tells how it went.
pub(super) fn play(
    subcommand: &str,
    tournament: &Tournament,
    report: Option<PathBuf>,
) -> anyhow::Result<()> {
    kalah::engine::init_logging();
    let record = tournament.record.as_slice();
    let report = report.map(|report| prepare(&report, record)).transpose()?;
    play_unless(&stop_on_ctrl_c()?, subcommand, tournament, report)
}

/// The same, unless somebody wants it to end.
pub(in crate::cli) fn play_unless(
    stop: &StopToken,
    subcommand: &str,
    tournament: &Tournament,
    report: Option<NewFile>,
) -> anyhow::Result<()> {
    if is_crowded(tournament) {
        say!("there are more games at a time than processors: their clocks will not be fair");
    }

    let mut progress = Progress::new();
    let outcome = tournament.run(stop, &mut |event, standing, test| {
        progress.hear(event, standing, test);
    });
    progress.finish();
    let TournamentOutcome { conditions, entrants, standing, test, end } =
        outcome.map_err(|error| explained(subcommand, error))?;
    let test = test.as_ref();
    // Whoever has closed the output may want the page all the same, and the other way round.
    let reported = report.map_or(Ok(()), |file| {
        Report { conditions: &conditions, entrants: &entrants, standing: &standing, test }
            .write(file)
    });
    writeln!(io::stdout(), "{}", standing_text(&standing, test))?;
    reported?;
    if end != TournamentEnd::Stopped {
        return Ok(());
    }
    match &tournament.record {
        Some(record) => say!(
            "interrupted: all finished games are in '{}', the same command goes on from there",
            record.display()
        ),
        None => say!("interrupted: without --record FILE no game was kept"),
    }
    Err(Interrupted.into())
}

/// Whether players whose time counts have to share processors.
fn is_crowded(tournament: &Tournament) -> bool {
    let is_timed = |player: &PlayerSettings| {
        player.time_control.tc.is_some() || player.time_control.st.is_some()
    };
    let processors = thread::available_parallelism();
    tournament.players.iter().any(is_timed)
        && processors.is_ok_and(|processors| tournament.concurrency > processors)
}

/// The error of a tournament as the command line sees it: some come of wrong usage.
fn explained(subcommand: &str, error: ArenaError) -> anyhow::Error {
    match error {
        ArenaError::TooFewPlayers(_)
        | ArenaError::SameName(_)
        | ArenaError::OddGames(_)
        | ArenaError::SprtNeedsMatch
        | ArenaError::Opening(OpeningError::TooMany { .. }) => {
            wrong_usage(&[subcommand], error).into()
        }
        ArenaError::Start(StartError::Stopped) => {
            say!("interrupted before play began");
            Interrupted.into()
        }
        _ => error.into(),
    }
}

/// A bar at a terminal, else a line now and then; on stderr.
struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Instant,
    total: u64,
}

impl Progress {
    fn new() -> Progress {
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} games, {per_sec}, {eta} left  {msg}",
        );
        let bar = ProgressBar::new(0);
        let bar = match style {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        Progress {
            bar,
            is_terminal: io::stderr().is_terminal(),
            last_line: Instant::now(),
            total: 0,
        }
    }

    fn hear(
        &mut self,
        event: &TournamentEvent,
        standing: &Standings,
        test: Option<&SequentialTest>,
    ) {
        match event {
            TournamentEvent::Started { total, recorded, was_torn } => {
                self.total = *total;
                self.bar.set_length(*total);
                self.bar.set_position(*recorded);
                self.bar.reset_eta();
                if *was_torn {
                    self.say("the record ended with part of a game, which is left out");
                }
                if *recorded > 0 {
                    self.say(&format!("{recorded} of {total} games are in the record"));
                }
            }
            TournamentEvent::OpeningsRepeat { distinct, needed } => self.say(&format!(
                "there are {distinct} openings for {needed} pairs: they repeat, and players \
                 without chance repeat their games"
            )),
            TournamentEvent::Game(game) => {
                if let Termination::Fault(_) = game.reason {
                    self.say(&fault(game));
                }
                self.bar.inc(1);
                self.bar.set_message(state(standing, test));
                if !self.is_terminal && self.last_line.elapsed() >= BETWEEN_LINES {
                    self.last_line = Instant::now();
                    let played = self.bar.position();
                    let rate = self.bar.per_sec();
                    let left = self.bar.eta().as_secs();
                    let total = self.total;
                    let state = state(standing, test);
                    say!("{played}/{total} games, {rate:.1}/s, {left} s left  {state}");
                }
            }
        }
    }

    /// A line above the bar.
    fn say(&self, line: &str) {
        if self.is_terminal {
            self.bar.println(line);
        } else {
            say!("{line}");
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The present figures of a match, or who leads.
fn state(standing: &Standings, test: Option<&SequentialTest>) -> String {
    if standing.players.len() > 2 {
        let leader = standing.ranking()[0];
        let score = percent(standing.total(leader).score());
        return format!("{} leads with {score}", standing.players[leader]);
    }
    let elo = format!("Elo {}", estimate(&standing.pairs(0, 1).elo()));
    match test {
        Some(test) => {
            let (low, high) = test.sprt().bounds();
            format!("{elo}  LLR {:.2} of [{low:.2}, {high:.2}]", test.llr())
        }
        None => elo,
    }
}

fn fault(game: &GameRecord) -> String {
    let loser = if game.result.half_points() == 0 { Side::South } else { Side::North };
    let name = &game.seat(loser).player.name;
    let detail = game.detail.as_deref().unwrap_or_default();
    format!("game {}: {name} loses, {}: {detail}", game.game, game.reason)
}
