//! Plays a tournament with a progress bar and prints its standing.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kalah::StopToken;
use kalah::arena::{
    ArenaError, GameRecord, OpeningError, PlayerSettings, SequentialTest, Standings, StartError,
    Termination, Tournament, TournamentEnd, TournamentEvent, TournamentOutcome,
};
use kalah::board::Side;
use kalah::printable::printable;

use super::super::exit::{Interrupted, wrong_usage};
use super::standings_text::{estimate, percent, standings_text};

/// The time between progress lines when stderr is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Plays a tournament and presents its outcome. When it was stopped, the outcome has the games so far
/// and the result is [`Interrupted`].
pub(in crate::cli) fn play(
    stop: &StopToken,
    subcommand: &[&str],
    tournament: &Tournament,
    present: impl FnOnce(&TournamentOutcome) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if is_crowded(tournament) {
        say!("more games at a time than processors: the clocks will not be fair");
    }
    let mut progress = TournamentProgress::new();
    let outcome = tournament.run(stop, &mut |event, standings, test| {
        progress.update(event, standings, test);
    });
    progress.bar.finish_and_clear();
    let outcome = outcome.map_err(|error| explained(subcommand, error))?;
    present(&outcome)?;
    if outcome.end != TournamentEnd::Stopped {
        return Ok(());
    }
    Err(Interrupted::with_record("all finished games", tournament.record.as_deref()).into())
}

/// Prints the standing.
pub(in crate::cli) fn print_standings(outcome: &TournamentOutcome) -> anyhow::Result<()> {
    let text = standings_text(&outcome.standings, outcome.test.as_ref());
    Ok(writeln!(io::stdout(), "{text}")?)
}

/// Whether players with a time limit have to share processors.
fn is_crowded(tournament: &Tournament) -> bool {
    let is_timed = |player: &PlayerSettings| {
        player.time_control.tc.is_some() || player.time_control.st.is_some()
    };
    let processors = thread::available_parallelism();
    tournament.players.iter().any(is_timed)
        && processors.is_ok_and(|processors| tournament.concurrency > processors)
}

/// Turns the errors that come from wrong arguments into usage errors.
fn explained(subcommand: &[&str], error: ArenaError) -> anyhow::Error {
    match error {
        ArenaError::TooFewPlayers(_)
        | ArenaError::SameName(_)
        | ArenaError::OddGames(_)
        | ArenaError::SprtNeedsMatch
        | ArenaError::Opening(OpeningError::TooMany { .. }) => {
            wrong_usage(subcommand, error).into()
        }
        ArenaError::Start(StartError::Stopped) => {
            say!("interrupted before play began");
            Interrupted.into()
        }
        _ => error.into(),
    }
}

/// A progress bar on stderr if that is a terminal, otherwise a line every ten seconds.
struct TournamentProgress {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Instant,
}

impl TournamentProgress {
    fn new() -> TournamentProgress {
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} games, {per_sec}, {eta} left  {msg}",
        );
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        TournamentProgress {
            bar: ProgressBar::new(0).with_style(style),
            is_terminal: io::stderr().is_terminal(),
            last_line: Instant::now(),
        }
    }

    fn update(
        &mut self,
        event: &TournamentEvent,
        standings: &Standings,
        test: Option<&SequentialTest>,
    ) {
        match event {
            TournamentEvent::Started { total, recorded, was_torn } => {
                self.bar.set_length(*total);
                self.bar.set_position(*recorded);
                self.bar.reset_eta();
                if *was_torn {
                    self.say("the record ended with an incomplete game, which is ignored");
                }
                if *recorded > 0 {
                    self.say(&format!("{recorded} of {total} games are in the record"));
                }
            }
            TournamentEvent::OpeningsRepeat { distinct, needed } => self.say(&format!(
                "{needed} rounds need more than the {distinct} openings: openings repeat, and \
                 deterministic players repeat their games"
            )),
            TournamentEvent::Game(game) => {
                if let Termination::Fault(_) = game.reason {
                    self.say(&fault_text(game));
                }
                self.bar.inc(1);
                let state = state(standings, test);
                self.bar.set_message(printable(&state).into_owned());
                if !self.is_terminal && self.last_line.elapsed() >= LINE_INTERVAL {
                    self.last_line = Instant::now();
                    let played = self.bar.position();
                    let rate = self.bar.per_sec();
                    let left = self.bar.eta().as_secs();
                    let total = self.bar.length().unwrap_or(0);
                    say!("{played}/{total} games, {rate:.1}/s, {left} s left  {state}");
                }
            }
        }
    }

    /// A line above the bar.
    fn say(&self, line: &str) {
        if self.is_terminal {
            self.bar.println(printable(line));
        } else {
            say!("{line}");
        }
    }
}

/// The Elo difference of a match, or the leader of a tournament.
fn state(standings: &Standings, test: Option<&SequentialTest>) -> String {
    if standings.players.len() > 2 {
        let leader = standings.ranking()[0];
        let score = percent(standings.total(leader).score());
        return format!("{} leads with {score}", standings.players[leader]);
    }
    let elo = format!("Elo {}", estimate(&standings.pairs(0, 1).elo()));
    match test {
        Some(test) => {
            let (low, high) = test.sprt().bounds();
            format!("{elo}  LLR {:.2} of [{low:.2}, {high:.2}]", test.llr())
        }
        None => elo,
    }
}

fn fault_text(game: &GameRecord) -> String {
    let loser = if game.result.half_points() == 0 { Side::South } else { Side::North };
    let name = &game.seat(loser).player.name;
    let detail = game.detail.as_deref().unwrap_or_default();
    format!("game {}: {name} loses, {}: {detail}", game.game, game.reason)
}
