//! What a match or a tournament would play, and how long it would take.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;
use std::{iter, slice};

use super::play::explained;
use crate::{Tournament, UNLIMITED_GAMES, UpcomingGame};
use anyhow::bail;
use indicatif::HumanDuration;
use kalah::board::Side;
use kalah_records::statistics::Mean;
use kalah_records::{
    EngineSettings, GameRecord, PlayerSettings, RecordError, RecordedTournament, TournamentFormat,
};

use kalah_command::table::{grouped, grouped_count, table};

/// Games that fit on a screen below the rest.
const SHOWN_GAMES: usize = 10;

/// Moves of both players in a game for each seed in the houses at the start, as measured.
const MOVES_PER_SEED: f64 = 0.65;

/// Nodes a second, for players that are limited by nodes.
const NODES_PER_SECOND: f64 = 5e6;

/// No time is longer: caps times so that they cannot overflow.
const MAX_SECONDS: f64 = 1e9;

/// Prints the players, the games (those that fit on a screen, or `all`) and the expected time.
pub(super) fn print_dry_run(
    subcommand: &str,
    tournament: &Tournament,
    all: bool,
) -> anyhow::Result<()> {
    tournament.check().map_err(|error| explained(&[subcommand], error))?;
    let scheduled =
        tournament.upcoming_games().map_err(|error| explained(&[subcommand], error.into()))?;
    let recorded = Recorded::read(tournament)?;
    let mut output = io::stdout().lock();
    let Tournament { players, format, openings, seed, .. } = tournament;
    writeln!(output, "{}, openings {openings}, seed {seed}\n", game_text(tournament))?;
    let rows = players
        .iter()
        .map(|player| [player.name.clone(), engine(player), player.time_control.words().join(" ")]);
    writeln!(output, "{}\n", table(["player", "engine", "limits"], 3, rows))?;

    let total = tournament.shard_games();
    let others = if players.len() > 2 { format!(", {format}") } else { String::new() };
    let number = match (&tournament.sprt, total) {
        (_, UNLIMITED_GAMES) => "games until the sequential test is decided".to_owned(),
        (Some(_), total) => format!("at most {}", grouped_count(total, "game")),
        (None, total) => grouped_count(total, "game"),
    };
    writeln!(output, "{number}{others}{}", recorded.text(total))?;
    let shown = if all && total != UNLIMITED_GAMES { usize::MAX } else { SHOWN_GAMES };
    let mut rows = Vec::new();
    for game in scheduled.take(shown) {
        let UpcomingGame { game, round, players: [south, north], opening } = game?;
        let name = |player: usize| players[player].name.clone();
        rows.push([name(south), name(north), opening.fen(), game.to_string(), round.to_string()]);
    }
    let left_out = total.saturating_sub(rows.len() as u64);
    writeln!(output, "{}", table(["South", "North", "opening", "game", "round"], 3, rows))?;
    if left_out > 0 && total != UNLIMITED_GAMES {
        let left_out = grouped_count(left_out, "more game");
        writeln!(output, "and {left_out}: --all shows them")?;
    }
    Ok(writeln!(output, "\n{}", recorded.time_text(tournament, total))?)
}

/// The start of the games, as in `Kalah(6,4), standard capture`.
pub fn game_text(tournament: &Tournament) -> String {
    let (rules, seeds) = (tournament.start.rules(), tournament.start.houses(Side::South)[0]);
    format!("Kalah({},{seeds}), {}", rules.houses(), rules.rule_set())
}

/// The program or search of a player, with the options that are set.
fn engine(player: &PlayerSettings) -> String {
    let mut text = match &player.engine {
        EngineSettings::Builtin { builtin } => format!("builtin {builtin}"),
        EngineSettings::Process { cmd, args, .. } => shell_words::join(iter::once(cmd).chain(args)),
    };
    for (name, value) in &player.options {
        let _ = write!(text, ", {name}={value}");
    }
    text
}

/// The games that the record already has.
struct Recorded {
    games: u64,
    /// Seconds of those whose time is known.
    seconds: Mean,
}

impl Recorded {
    fn read(tournament: &Tournament) -> anyhow::Result<Recorded> {
        let mut recorded = Recorded { games: 0, seconds: Mean::default() };
        let Some(path) = tournament.record.as_ref().filter(|path| path.exists()) else {
            return Ok(recorded);
        };
        let on_game = |game: &GameRecord| {
            recorded.seconds.extend(game.time.as_ref().map(|time| time.seconds.max(0.0)));
        };
        let read = match RecordedTournament::read(slice::from_ref(path), on_game) {
            // Its writer was stopped before the first game had ended.
            Err(RecordError::NoGames) => return Ok(recorded),
            read => read?,
        };
        if let Some(contradiction) = read.contradictions.into_iter().next() {
            bail!(contradiction);
        }
        if read.conditions != tournament.common_conditions()? {
            bail!("'{}' has games of another tournament", path.display());
        }
        // The record may have games of other shards, and of a longer tournament.
        let total = tournament.total_games();
        let numbers = read.standings.games().iter().map(|game| game.game - 1);
        let is_here = |&number: &u64| number < total && tournament.shard.contains(number);
        recorded.games = numbers.filter(is_here).count() as u64;
        Ok(recorded)
    }

    fn text(&self, total: u64) -> String {
        match self.games {
            0 => String::new(),
            games if games == total => ", all of them in the record".to_owned(),
            games => format!(", {} of them in the record", grouped(games)),
        }
    }

    fn time_text(&self, tournament: &Tournament, total: u64) -> String {
        if total == UNLIMITED_GAMES {
            return "how long it takes is not known: the sequential test decides".to_owned();
        }
        let left = total.saturating_sub(self.games);
        let at_a_time = match tournament.concurrency.get() {
            1 => "one game at a time".to_owned(),
            games => format!("{games} games at a time"),
        };
        if let Some(mean) = self.seconds.value() {
            let seconds = left as f64 * mean / tournament.concurrency.get() as f64;
            let time = HumanDuration(Duration::from_secs_f64(seconds.min(MAX_SECONDS)));
            return format!("takes {time}: {mean:.1} s a game as in the record, {at_a_time}");
        }
        let ExpectedTime { time, unlimited } = ExpectedTime::new(tournament, left);
        if let Some(name) = unlimited {
            return format!("how long it takes is not known: no time limits the moves of {name}");
        }
        let (time, moves) = (HumanDuration(time), moves_per_game(tournament));
        format!("takes {time} if players use all their time: {moves:.0} moves a game, {at_a_time}")
    }
}

/// How long games take if players use all their time.
pub struct ExpectedTime {
    /// The time of all games.
    pub time: Duration,
    /// A player whose moves are limited neither in time nor in nodes, and count as none.
    pub unlimited: Option<String>,
}

impl ExpectedTime {
    /// The time of this number of games of a tournament.
    pub fn new(tournament: &Tournament, games: u64) -> ExpectedTime {
        let moves = moves_per_game(tournament) / 2.0;
        let players = &tournament.players;
        // In a gauntlet the first player has a seat in every game.
        let seats = |number: usize| match (tournament.format, number) {
            (TournamentFormat::RoundRobin, _) => 2.0 / players.len() as f64,
            (TournamentFormat::Gauntlet, 0) => 1.0,
            (TournamentFormat::Gauntlet, _) => 1.0 / (players.len() - 1) as f64,
        };
        let times = players.iter().map(|player| seconds_of(player, moves));
        let game: f64 =
            times.enumerate().map(|(number, time)| seats(number) * time.unwrap_or(0.0)).sum();
        let seconds = games as f64 * game / tournament.concurrency.get() as f64;
        let is_unlimited = |player: &&PlayerSettings| seconds_of(player, moves).is_none();
        ExpectedTime {
            time: Duration::from_secs_f64(seconds.min(MAX_SECONDS)),
            unlimited: players.iter().find(is_unlimited).map(|player| player.name.clone()),
        }
    }
}

fn moves_per_game(tournament: &Tournament) -> f64 {
    MOVES_PER_SEED * f64::from(tournament.start.seeds_in_play())
}

/// The seconds of a player for this number of moves of a game; `None` if nothing limits them.
fn seconds_of(player: &PlayerSettings, moves: f64) -> Option<f64> {
    let limits = &player.time_control;
    let clock = limits.tc.map(|clock| {
        let periods = clock.moves.map_or(1.0, |period| (moves / f64::from(period)).ceil());
        periods * clock.time.as_secs_f64() + moves * clock.increment.as_secs_f64()
    });
    let nodes = limits.nodes.map(|nodes| nodes as f64 / NODES_PER_SECOND);
    clock.or_else(|| limits.st.or(nodes).map(|seconds| seconds * moves))
}
