//! `kalah lab ratings`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanDuration;
use kalah::printable::counted;
use kalah::search::{DepthFirst, MtdDriver, Variant};
use kalah_arena::{Tournament, TournamentEnd, TournamentOutcome};
use kalah_command::say;
use kalah_records::{
    OpeningSettings, PartialPlayerSettings, PlayerSettings, SettingsError, Standings,
};
use serde::Serialize;

use super::output::{OutputFiles, OutputOptions, ScreenOptions};
use super::screen::{Column, ScreenTable, ScreenText};
use kalah_arena::commands::{ExpectedTime, SeriesOptions, game_text, play};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle};
use kalah_command::exit::{stop_on_ctrl_c, wrong_usage};
use kalah_command::options::number;
use kalah_records::commands::{UNDETERMINED, margin, percent, reject_record_path};

/// The player whose rating is 0.
const ANCHOR: &str = "level 0";

/// The time of the searches of the literature, in milliseconds a move.
const SEARCH_TIME: u64 = 10;

/// Limits the levels, so that their strength is the same on every machine.
const LEVEL_LIMIT: &str = "nodes=100000";

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
pub struct RatingsCommand {
    /// The longest time of the engine in milliseconds a move; it plays at 1, 10, 100 … up to this
    #[arg(long, value_name = "MS", default_value_t = 100,
          value_parser = number::<u64>(1..=100_000))]
    longest: u64,

    /// Games of every two players, an even number
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(2..))]
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
    /// All games played.
    games: usize,
    /// Whether the results alone determine the ratings.
    determined: bool,
    /// Games lost by faults.
    faults: u64,
}

impl RatingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let listed = listed_players(self.longest, self.each.as_ref())
            .map_err(|error| wrong_usage(SUBCOMMAND, error))?;
        let players = listed.iter().map(|(_, settings)| settings.clone()).collect();
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
            reject_record_path(file, "report", tournament.record.as_slice())?;
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
    listed: &[(Group, PlayerSettings)],
    tournament: &Tournament,
    (screen, files): (ScreenOptions, OutputFiles),
) -> anyhow::Result<()> {
    let standings = &outcome.standings;
    let rated = rated_players(listed, standings);
    let determined = standings.ratings(None).determined;
    let games = games_text(tournament, standings.games().len() as u64);
    let (openings, seed) = (&tournament.openings, tournament.seed);
    let title = format!(
        "{games}, openings {openings}, seed {seed}; Elo with 95 % intervals, {ANCHOR} is 0"
    );
    let mut screen = ScreenText::new(screen.all);
    screen.add_table(title, list_table(&rated));
    if !determined {
        screen.add_text(UNDETERMINED);
    }
    let faults = standings.all_faults().into_values().sum();
    if faults > 0 {
        screen.add_text(format!("{} lost by faults", counted(faults, "game")));
    }
    write!(files.text(), "{screen}")?;
    if outcome.end == TournamentEnd::Stopped {
        return Ok(());
    }
    let summary = RatingsSummary { games: standings.games().len(), determined, faults };
    files.write("ratings", &outcome.conditions, &rated, &summary, || chart(tournament, &rated))
}

fn games_text(tournament: &Tournament, games: u64) -> String {
    let players = tournament.players.len();
    format!("{players} players, {} of {}", counted(games, "game"), game_text(tournament))
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

/// A player of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RatedPlayer {
    /// The place in the list, from 1.
    rank: usize,
    /// The player's name.
    player: String,
    /// What the player is.
    group: Group,
    /// The rating.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    elo: f64,
    /// The lower end of its 95 % interval; null if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    low: f64,
    /// The upper end of its 95 % interval; null if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    high: f64,
    /// Games of this player.
    games: u64,
    /// The mean points of a game.
    score: f64,
    /// The mean margin in seeds.
    margin: Option<f64>,
}

/// The players by rating, the highest first.
fn rated_players(listed: &[(Group, PlayerSettings)], standings: &Standings) -> Vec<RatedPlayer> {
    let ratings = standings.ratings(None).players;
    let anchor = listed.iter().position(|(_, settings)| settings.name == ANCHOR);
    let zero = anchor.map_or(0.0, |anchor| ratings[anchor].value);
    let mut ranking: Vec<usize> = (0..listed.len()).collect();
    ranking.sort_by(|&a, &b| ratings[b].value.total_cmp(&ratings[a].value));
    let rated = ranking.into_iter().zip(1..).map(|(player, rank)| {
        let ((group, settings), rating) = (&listed[player], &ratings[player]);
        RatedPlayer {
            rank,
            player: settings.name.clone(),
            group: *group,
            elo: rating.value - zero,
            low: rating.low - zero,
            high: rating.high - zero,
            games: standings.total(player).games(),
            score: standings.total(player).score(),
            margin: standings.mean_margin(player),
        }
    });
    rated.collect()
}

fn list_table(rated: &[RatedPlayer]) -> ScreenTable {
    let columns: [Column<RatedPlayer>; 7] = [
        ("", |player| player.rank.to_string()),
        ("player", |player| player.player.clone()),
        ("Elo", |player| elo(player.elo)),
        ("95 %", |player| format!("[{}, {}]", elo(player.low), elo(player.high))),
        ("games", |player| player.games.to_string()),
        ("score", |player| percent(player.score)),
        ("margin", |player| margin(player.margin)),
    ];
    ScreenTable::of_items(rated, columns, 2, 1)
}

/// A rating without a fraction: intervals are far wider than 1.
fn elo(value: f64) -> String {
    // Not "-0".
    format!("{:.0}", value.round() + 0.0)
}

/// A group of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum Group {
    /// The engine, by its time.
    Engine,
    /// Weaker levels of the engine.
    Levels,
    /// Searches of the literature that need an evaluation or proofs.
    Literature,
    /// Searches of the literature that play random games.
    MonteCarlo,
}

impl Group {
    const ALL: [(Group, &'static str); 4] = [
        (Group::Engine, "engine"),
        (Group::Levels, "levels"),
        (Group::Literature, "literature"),
        (Group::MonteCarlo, "Monte Carlo"),
    ];
}

/// All players. `longest` is the longest time of the engine in milliseconds; `each` replaces the limits.
///
/// # Errors
/// When `each` has no limit, or sets what players cannot share.
fn listed_players(
    longest: u64,
    each: Option<&PartialPlayerSettings>,
) -> Result<Vec<(Group, PlayerSettings)>, SettingsError> {
    let times = std::iter::successors(Some(1_u64), |time| time.checked_mul(10));
    let engines = times.take_while(|&time| time <= longest).map(|time| {
        let name = format!("engine, {}", time_text(time));
        (Group::Engine, name, "builtin=selective option.OwnBook=false".to_owned(), st(time))
    });
    let levels = (0..=16).step_by(4).map(|level| {
        let words = format!("builtin=selective 'option.Skill Level={level}'");
        (Group::Levels, format!("level {level}"), words, LEVEL_LIMIT.to_owned())
    });
    let searches = Variant::ALL.into_iter().filter_map(|(variant_name, variant)| {
        let (group, name) = listed_search(variant)?;
        let name = format!("{name}, {}", time_text(SEARCH_TIME));
        let words = format!("builtin={variant_name} option.Exact=false");
        Some((group, name, words, st(SEARCH_TIME)))
    });
    let players = engines.chain(levels).chain(searches).map(|(group, name, words, limit)| {
        let limit = if each.is_some() { "" } else { &limit };
        // Generous, so that other work on the machine does not decide a game.
        let words = format!("{words} {limit} timemargin=1000 'name={name}'");
        let none = PartialPlayerSettings::default();
        Ok((group, PlayerSettings::new(words.parse()?, each.unwrap_or(&none))?))
    });
    players.collect()
}

/// The group and the name of a search of the literature.
fn listed_search(variant: Variant) -> Option<(Group, &'static str)> {
    let name = match variant {
        Variant::DepthFirst(search) => match search {
            DepthFirst::Minimax => "minimax",
            DepthFirst::AlphaBeta => "alpha-beta",
            DepthFirst::Scout => "SCOUT",
            DepthFirst::NegaScout => "NegaScout",
            DepthFirst::Pvs => "PVS",
            DepthFirst::Mtd(MtdDriver::Guess) => "MTD(f)",
            DepthFirst::Mtd(MtdDriver::Above) => "SSS*",
            DepthFirst::Mtd(MtdDriver::Below) => "DUAL*",
            // NegaScout and MTD(f) again, and the engine.
            DepthFirst::NegaScoutMinimax
            | DepthFirst::Mtd(MtdDriver::Bisection)
            | DepthFirst::Selective => return None,
        },
        Variant::ProofNumber => "proof-number",
        Variant::FlatMonteCarlo => return Some((Group::MonteCarlo, "flat Monte Carlo")),
        Variant::FlatUcb => return Some((Group::MonteCarlo, "flat UCB1")),
        Variant::MonteCarloTree => return Some((Group::MonteCarlo, "MCTS")),
    };
    Some((Group::Literature, name))
}

fn st(time: u64) -> String {
    format!("st={}", time as f64 / 1e3)
}

fn time_text(time: u64) -> String {
    if time.is_multiple_of(1000) { format!("{} s", time / 1000) } else { format!("{time} ms") }
}
