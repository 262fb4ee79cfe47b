//! `kalah lab ratings`.

pub(super) mod list;
mod players;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, value_parser};
use indicatif::HumanDuration;
use kalah_arena::{
    OpeningSettings, PartialPlayerSettings, Tournament, TournamentEnd, TournamentOutcome,
};
use kalah_command::say;
use serde::Serialize;

use self::list::{RatedPlayer, list_table, rated_players};
use self::players::{ANCHOR, Group, ListedPlayer, listed_players};
use super::experiment::{OutputFiles, OutputOptions};
use super::screen::ScreenOptions;
use kalah_arena::commands::{
    ExpectedTime, SeriesOptions, UNDETERMINED, game_text, play, spare_records,
};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::exit::{stop_on_ctrl_c, wrong_usage};

const SUBCOMMAND: &[&str] = &["lab", "ratings"];

/// Rate the engine, its levels and the searches of the literature in one list.
///
/// A round robin of the engine at 1, 10 and 100 ms a move, its levels 0, 4, 8, 12 and 16 with at most
/// 100,000 nodes a move, and each search of the literature at 10 ms a move, with the plain evaluation
/// and without tables, solver and book. MTD-bi and NegaScout for two players are left out: they are
/// MTD(f) with other guesses and NegaScout written in another way. All play with one thread.
///
/// The ratings are maximum-likelihood estimates in Elo; level 0 is 0. The intervals are those of the
/// distance from the mean of all players. The openings are four random plies after which a search
/// expects a margin of at most 4 seeds. Every two players play the same openings, one for each two games:
/// with few games all ratings depend on few openings.
///
/// With --record FILE the same command continues after an interruption. CSV, JSON and chart are written
/// when all games have been played.
///
///   kalah lab ratings --games 20 --concurrency 2 --record ratings.jsonl --plot ratings.svg
///   kalah lab ratings --games 2
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RatingsCommand {
    /// The longest time of the engine in milliseconds a move; it plays at 1, 10, 100 … up to this
    #[arg(long, value_name = "MS", default_value_t = 100,
          value_parser = value_parser!(u64).range(1..=100_000))]
    longest: u64,

    /// Games of every two players, an even number
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u64).range(2..))]
    games: u64,

    /// Openings, as in `kalah tournament`
    #[arg(long, value_name = "WORDS", default_value = "plies=4 margin=4")]
    openings: OpeningSettings,

    /// Limits and options that replace those of all players, as in `kalah tournament`
    #[arg(long, value_name = "WORDS", hide = true)]
    each: Option<PartialPlayerSettings>,

    #[command(flatten)]
    series: SeriesOptions,

    /// Record each game in this file, a line of JSON each; games that it contains are not played
    /// again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    screen: ScreenOptions,

    #[command(flatten)]
    outputs: OutputOptions,
}

/// What the ratings rest on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RatingsSummary {
    /// Games of every two players, an even number
    games: usize,
    /// Whether the results alone determine the ratings.
    determined: bool,
}

impl RatingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let listed = listed_players(self.longest, self.each.as_ref())
            .map_err(|error| wrong_usage(SUBCOMMAND, error))?;
        let players = listed.iter().map(|listed| listed.settings.clone()).collect();
        let series = self.series.tournament(players);
        let tournament = Tournament {
            openings: self.openings,
            games: self.games,
            record: self.record,
            ..series.map_err(|error| wrong_usage(SUBCOMMAND, error))?
        };
        tournament.check().map_err(|error| wrong_usage(SUBCOMMAND, error))?;
        let files = self.outputs.prepare()?;
        for file in files.all() {
            spare_records(file, "report", tournament.record.as_slice())?;
        }
        let stop = stop_on_ctrl_c()?;
        let time = HumanDuration(ExpectedTime::new(&tournament, tournament.total_games()).time);
        let games = games_text(&tournament, tournament.total_games());
        say!("{games}: about {time} if players use all their time");
        play(
            &stop,
            SUBCOMMAND,
            &tournament,
            |_| {},
            |outcome| present(outcome, &listed, &tournament, (self.screen, files)),
        )
    }
}

/// Prints the list. When all games have been played, also writes the files.
fn present(
    outcome: &TournamentOutcome,
    listed: &[ListedPlayer],
    tournament: &Tournament,
    (screen, files): (ScreenOptions, OutputFiles),
) -> anyhow::Result<()> {
    let standings = &outcome.standings;
    let rated = rated_players(listed, standings);
    let determined = standings.ratings().determined;
    let games = games_text(tournament, standings.games().len() as u64);
    let (openings, seed) = (&tournament.openings, tournament.seed);
    let title = format!(
        "{games}, openings {openings}, seed {seed}; Elo with 95 % intervals, {ANCHOR} is 0"
    );
    let mut screen = screen.screen();
    screen.add_table(title, list_table(&rated));
    if !determined {
        screen.add_text(UNDETERMINED);
    }
    write!(files.text(), "{screen}")?;
    if outcome.end == TournamentEnd::Stopped {
        return Ok(());
    }
    let summary = RatingsSummary { games: standings.games().len(), determined };
    files.write("ratings", &outcome.conditions, &rated, &summary, || chart(tournament, &rated))
}

fn games_text(tournament: &Tournament, games: u64) -> String {
    let players = tournament.players.len();
    format!("{players} players, {games} games of {}", game_text(tournament))
}

/// A row for each player, with a mark for its group.
fn chart(tournament: &Tournament, rated: &[RatedPlayer]) -> Chart {
    let series = Group::ALL.into_iter().map(|(group, name)| {
        let players =
            (0..).map(f64::from).zip(rated).filter(move |(_, player)| player.group == group);
        let points = players
            .map(|(row, player)| Point::measured(row, player.elo, Some((player.low, player.high))));
        Series::new(name, SeriesStyle::Marks, points)
    });
    let rows = rated.iter().map(|player| player.player.clone()).collect();
    let panel = Panel { rows, ..Panel::new("", ["", "Elo"], series) };
    let chart = Chart::new(&format!("Ratings on {}", game_text(tournament)), [panel]);
    Chart { note: format!("{ANCHOR} is 0."), ..chart }
}
