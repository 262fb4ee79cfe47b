//! `kalah standing`.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::path::PathBuf;

use super::games_log::GamesLog;
use super::report::Report;
use super::standings_json::{StandingsJson, TestJson};
use super::standings_text::{estimate, percent, standings_text};
use super::{fail_if_left_out, new_file};
use crate::statistics::{Anchor, Pentanomial, RatingModel, Sprt, Strength, Wdl};
use crate::{Entrant, RecordError, RecordedTournament, Standings};
use clap::{Args, ValueHint};
use kalah::printable::{counted, printable};
use serde::Serialize;

use kalah_command::exit::wrong_usage;
use kalah_command::output::OutputOption;
use kalah_command::say;

/// Print the standings of recorded matches and tournaments
///
/// Prints what `kalah match` and `kalah tournament` print at their end. Files with the same
/// conditions are parts of one tournament. Those of different ones are counted together, and
/// players told apart by their names.
///
///   kalah standing games.jsonl --report games.html
///   kalah standing part-*.jsonl --sprt 'elo0=0 elo1=5'
///   kalah standing monday.jsonl tuesday.jsonl --anchor mtdf=2000
///   kalah standing --counts 70,103,2151,105,90 --sprt 'elo0=-5 elo1=5'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct StandingCommand {
    /// Records written by --record
    #[arg(required_unless_present = "counts", value_name = "FILE", value_hint = ValueHint::FilePath)]
    records: Vec<PathBuf>,

    /// Instead of records: games WON,DRAWN,LOST by the first player, or five numbers: the pairs of
    /// games in which it scored 0, 1/2, 1, 3/2 and 2 points
    #[arg(long, value_name = "N,N,N", value_parser = parse_counts, conflicts_with_all = ["records", "ratings", "anchor", "report"])]
    counts: Option<Counts>,

    /// Also print the state of a sequential test of a match: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic; it counts the pairs before the first incomplete one
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,

    /// Ratings: ml (maximum likelihood) or davidson (Bayesian, with draws)
    #[arg(long, value_name = "MODEL", default_value_t)]
    ratings: RatingModel,

    /// Give a player this rating, and the others their distance from it; without, the mean is 0
    #[arg(long, value_name = "PLAYER=ELO", value_parser = parse_anchor)]
    anchor: Option<(String, f64)>,

    /// Write an HTML report to this file: figures, charts, games on a board, conditions, players
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    report: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

/// The largest rating of an anchor, either way: far beyond all scales in use.
const MAX_RATING: f64 = 10_000.0;

fn parse_anchor(text: &str) -> Result<(String, f64), &'static str> {
    let anchor = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    let anchor =
        anchor.filter(|(name, elo): &(&str, f64)| !name.is_empty() && elo.abs() <= MAX_RATING);
    let anchor = anchor.map(|(name, elo)| (name.to_owned(), elo));
    anchor.ok_or("expected the name of a player and -10000 to 10000 Elo, as in mtdf=2000")
}

impl StandingCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let StandingCommand { records, counts, sprt, ratings, output, .. } = self;
        let usage = |error: String| anyhow::Error::from(wrong_usage(&["standing"], error));
        if let Some(counts) = counts {
            let counts = CountsJson::new(counts, sprt.as_ref());
            writeln!(output.text(), "{counts}")?;
            return output.print("kalah-counts", &counts);
        }
        let report = self.report.map(|path| new_file(&path, "report", &records)).transpose()?;
        let mut log = GamesLog::default();
        let mut tournaments = RecordedTournament::read_all(&records, |game| {
            if report.is_some() {
                log.add(game);
            }
        })?;
        for path in tournaments.iter().flat_map(|tournament| &tournament.torn) {
            say!("{}", super::torn_warning(path));
        }
        if sprt.is_some() || report.is_some() {
            RecordedTournament::require_one(&tournaments)?;
        }
        if let (Some(sprt), [tournament]) = (sprt, &mut tournaments[..]) {
            if tournament.standings.players.len() > 2 {
                return Err(usage("a sequential test needs a match of two players".to_owned()));
            }
            tournament.standings.start_test(sprt);
        }
        let combined;
        let standings = match &tournaments[..] {
            [] => return Err(RecordError::NoGames.into()),
            [tournament] => &tournament.standings,
            several => {
                say!("{}", several_note(several));
                combined = RecordedTournament::combined(several);
                &combined
            }
        };
        let anchor = self.anchor.map(|(name, rating)| {
            let player = standings.players.iter().position(|player| *player == name);
            let player = player.ok_or_else(|| {
                let names = printable(&standings.players.join(", ")).into_owned();
                usage(format!("--anchor: no player '{}', but {names}", printable(&name)))
            })?;
            anyhow::Ok(Anchor { player, rating })
        });
        let anchor = anchor.transpose()?;
        if let (Some(file), [tournament]) = (report, &tournaments[..]) {
            let RecordedTournament { conditions, entrants, standings, .. } = tournament;
            Report { conditions, entrants, standings, log: &mut log }.write(file)?;
        }
        print_standings(output, standings, ratings, anchor)?;
        fail_if_left_out(tournaments.into_iter().flat_map(|read| read.contradictions).collect())
    }
}

/// Prints the standings with ratings of this model, as JSON if that is asked for.
pub fn print_standings(
    output: OutputOption,
    standings: &Standings,
    model: RatingModel,
    anchor: Option<Anchor>,
) -> anyhow::Result<()> {
    if output.is_json() {
        return output.print("kalah-standing", &StandingsJson::new(standings, model, anchor));
    }
    Ok(writeln!(io::stdout(), "{}", standings_text(standings, model, anchor))?)
}

/// Says that several tournaments count together, and which players are not the same in all of them.
fn several_note(tournaments: &[RecordedTournament]) -> String {
    let mut known: Vec<&Entrant> = Vec::new();
    let mut differences = Vec::new();
    for entrant in tournaments.iter().flat_map(|tournament| &tournament.entrants) {
        match known.iter().find(|other| other.player.name == entrant.player.name) {
            None => known.push(entrant),
            Some(other) if *other == entrant => {}
            Some(_) if differences.contains(&&entrant.player.name) => {}
            Some(_) => differences.push(&entrant.player.name),
        }
    }
    let mut note = format!("{} tournaments are counted together", tournaments.len());
    let game = |RecordedTournament { conditions, .. }: &RecordedTournament| {
        (conditions.houses, conditions.seeds, conditions.rule_set())
    };
    if tournaments.windows(2).any(|pair| game(&pair[0]) != game(&pair[1])) {
        note.push_str("; not all are of the same game");
    }
    for name in differences {
        let _ = write!(note, "; not all have the same settings of '{}'", printable(name));
    }
    note
}

/// The results of a match, from the view of the first player.
#[derive(Clone, Copy, Debug)]
enum Counts {
    /// Games, each of which counts alone.
    Games(Wdl),
    /// Pairs of games from the same opening.
    Pairs(Pentanomial),
}

fn parse_counts(text: &str) -> Result<Counts, &'static str> {
    let counts = text.split(',').map(|count| count.trim().parse::<u32>().map(u64::from));
    let counts: Result<Vec<u64>, _> = counts.collect();
    match counts.as_deref() {
        Ok(&[wins, draws, losses]) => Ok(Counts::Games(Wdl { wins, draws, losses })),
        Ok(&[none, half, one, more, two]) => {
            Ok(Counts::Pairs(Pentanomial([none, half, one, more, two])))
        }
        _ => {
            Err("expected games WON,DRAWN,LOST, or pairs with 0, 1/2, 1, 3/2 and 2 points, as in \
                  70,103,2151,105,90")
        }
    }
}

/// The figures of a match by its counts. Infinite Elo differences are `null`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CountsJson {
    /// The number of games.
    games: u64,
    /// Points a game, 0 to 1; 1/2 without games.
    score: f64,
    #[serde(flatten)]
    strength: Strength,
    /// The state of the test; null without one.
    sequential_test: Option<TestJson>,
    /// What the test counts.
    #[serde(skip)]
    unit: &'static str,
}

impl CountsJson {
    fn new(counts: Counts, sprt: Option<&Sprt>) -> CountsJson {
        let (games, score, strength, unit) = match counts {
            Counts::Games(games) => (games.games(), games.score(), games.strength(), "games"),
            Counts::Pairs(pairs) => (2 * pairs.pairs(), pairs.score(), pairs.strength(), "pairs"),
        };
        let sequential_test = sprt.map(|sprt| match counts {
            Counts::Games(games) => TestJson::new(sprt, sprt.llr_of_games(&games), games.games()),
            Counts::Pairs(pairs) => TestJson::new(sprt, sprt.llr(&pairs), pairs.pairs()),
        });
        CountsJson { games, score, strength, sequential_test, unit }
    }
}

impl Display for CountsJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CountsJson { games, score, strength, sequential_test, unit } = self;
        let Strength { elo, normalized_elo, likelihood_of_superiority } = strength;
        writeln!(f, "score       {} of {}", percent(*score), counted(*games, "game"))?;
        writeln!(f, "Elo         {}", estimate(elo))?;
        writeln!(f, "nElo        {}", estimate(normalized_elo))?;
        write!(f, "superior    {}", percent(*likelihood_of_superiority))?;
        let Some(test) = sequential_test else { return Ok(()) };
        write!(f, "\nLLR         {}", test.text(unit))
    }
}
