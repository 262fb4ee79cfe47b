//! Matches and tournaments, in parts that many machines play.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Mutex;

use kalah::lock::lock;
use kalah::printable::printable_json;
use kalah::{Side, StopToken};
use kalah_arena::{MAX_PROVEN_SEEDS, Shard, ShardRunner, TournamentEnd, TournamentEvent};
use kalah_games::message_without_place;
use kalah_records::statistics::{Estimate, Hypothesis};
use kalah_records::{
    GameRecord, JsonLine, OpeningBook, PartialPlayerSettings, PlayerSettings, RecordedTournament,
    SettingsError,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Count, Houses, List, Seeds, Whole};
use crate::board::parse_start;
use crate::errors::{self, ArenaError};
use crate::interruptible;

/// A match or tournament, as `kalah match` and `kalah tournament` play it: its games are numbered, and
/// a number determines players, sides, opening and random seeds. So machines can play parts of it, and all
/// records together are those of one machine.
///
/// Args:
///     players: The players, each in the words of ``--engine``: ``"cmd=./kalah name=new"`` for a program,
///         ``"builtin=pvs"`` for a search of the library.
///     games: Games of every two opponents, an even number.
///     each: Words for all players, such as ``"nodes=5000"``.
///     openings: The words of ``--openings``.
///     houses, seeds, capture, sowing: The start, as of `kalah.Board`.
///     seed: Seed of all random numbers.
///     format: ``"round-robin"``, or ``"gauntlet"``: the first player against every other.
///     resign: The words of ``--resign``.
///     adjudicate: Seeds in the houses at which games end at their proven margin, 1 to 24.
///     sprt: The words of ``--sprt``, for two players.
///
/// Raises:
///     ValueError: An argument is wrong.
///
/// Examples:
///     >>> match = Tournament(["builtin=negascout", "builtin=minimax"], 4, each="depth=2")
///     >>> score = Score(match)
///     >>> for line in match.play(1, 2) + match.play(2, 2):
///     ...     _ = score.add(line)
///     >>> score.games
///     4
#[pyclass(module = "kalah.arena", frozen)]
pub(crate) struct Tournament {
    settings: kalah_arena::Tournament,
    /// Players of a part that was played, for the next one.
    runner: Mutex<Option<ShardRunner>>,
}

/// Parses words as the command line does.
fn words<T: FromStr<Err = SettingsError>>(text: &str) -> PyResult<T> {
    text.parse().map_err(errors::value)
}

fn parse_shard(part: Count, of: Count) -> PyResult<Shard> {
    words(&format!("{}/{}", part.0, of.0))
}

#[pymethods]
impl Tournament {
    #[new]
    #[pyo3(
        signature = (players, games, *, each="", openings=None, houses=Whole(6), seeds=Whole(4),
                     capture="standard", sowing="single", seed=Whole(1), format="round-robin", resign=None,
                     adjudicate=None, sprt=None),
        text_signature = "(players, games, *, each='', openings=None, houses=6, seeds=4, \
                          capture='standard', sowing='single', seed=1, format='round-robin', resign=None, \
                          adjudicate=None, sprt=None)"
    )]
    fn new(
        players: List<String>,
        games: Count,
        each: &str,
        openings: Option<&str>,
        houses: Houses,
        seeds: Seeds,
        capture: &str,
        sowing: &str,
        seed: Count,
        format: &str,
        resign: Option<&str>,
        adjudicate: Option<Whole<u32, 1, { MAX_PROVEN_SEEDS as i128 }>>,
        sprt: Option<&str>,
    ) -> PyResult<Tournament> {
        let each: PartialPlayerSettings = words(each)?;
        let player =
            |text: &String| PlayerSettings::new(words(text)?, &each).map_err(errors::value);
        let players = players.0.iter().map(player).collect::<PyResult<_>>()?;
        let start = parse_start(houses, seeds, capture, sowing)?;
        let settings = kalah_arena::Tournament {
            format: format.parse().map_err(errors::value)?,
            openings: openings.map(words).transpose()?.unwrap_or_default(),
            seed: seed.0,
            games: games.0,
            resign: resign.map(words).transpose()?,
            adjudicate: adjudicate.map(|Whole(seeds)| seeds),
            sprt: sprt.map(words).transpose()?,
            ..kalah_arena::Tournament::new(players, start)
        };
        settings.check().map_err(errors::value)?;
        Ok(Tournament { settings, runner: Mutex::new(None) })
    }

    /// The names of the players.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.settings.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Plays the games of part ``part`` of ``of``, as ``--shard part/of`` does. Ctrl-C ends it. Searches of
    /// the library and their tables are kept for the next part.
    ///
    /// Returns:
    ///     The records of the games, each a line of JSON.
    ///
    /// Raises:
    ///     ValueError: There is no such part.
    ///     ArenaError: A player cannot be started, or the openings cannot be read.
    fn play(&self, py: Python<'_>, part: Count, of: Count) -> PyResult<Vec<String>> {
        let shard = parse_shard(part, of)?;
        let kept = lock(&self.runner).take();
        let mut runner = kept.unwrap_or_else(|| {
            let unjudged = kalah_arena::Tournament { sprt: None, ..self.settings.clone() };
            ShardRunner::new(unjudged, StopToken::new())
        });
        let stop = runner.stop().clone();
        let mut lines = Vec::new();
        let play = || {
            runner.play(shard, &mut |event, _| {
                if let TournamentEvent::Game(game) = event {
                    lines.push(serde_json::to_string(game));
                }
            })
        };
        let outcome = interruptible::run(py, &stop, play, |_| Ok(()))?.map_err(errors::arena)?;
        if outcome.end == TournamentEnd::Stopped {
            return Err(ArenaError::new_err("stopped before the games were played"));
        }
        *lock(&self.runner) = Some(runner);
        let printable = |line: serde_json::Result<String>| {
            Ok(printable_json(&line.map_err(errors::arena)?).into_owned())
        };
        lines.into_iter().map(printable).collect()
    }

    /// The numbers, from 1, of the games of part ``part`` of ``of``.
    ///
    /// Raises:
    ///     ValueError: There is no such part.
    fn numbers(&self, part: Count, of: Count) -> PyResult<Vec<u64>> {
        let shard = parse_shard(part, of)?;
        Ok(shard.games(self.settings.total_games()).map(|number| number + 1).collect())
    }

    /// The number of games in all.
    #[getter]
    fn games(&self) -> u64 {
        self.settings.total_games()
    }
}

/// The standings of a tournament, from the records of its games in any order, with its sequential test.
///
/// Args:
///     tournament: The tournament.
///
/// Raises:
///     ArenaError: A file of openings cannot be read.
#[pyclass(module = "kalah.arena")]
pub(crate) struct Score {
    tournament: Py<Tournament>,
    openings: Mutex<OpeningBook>,
    recorded: RecordedTournament,
    seen: BTreeSet<u64>,
}

impl Score {
    /// Counts a game unless it was counted before; the error says why it is not one of this tournament.
    fn count(&mut self, record: &GameRecord) -> Result<bool, String> {
        let Tournament { settings, .. } = self.tournament.get();
        let total = settings.total_games();
        let is_ours = |&side: &Side| settings.players.contains(&record.seat(side).player);
        if !(1..=total).contains(&record.game) || !Side::ALL.iter().all(is_ours) {
            return Err(format!("another player, or a number that is not from 1 to {total}"));
        }
        // Every two opponents play a pair of games in each round.
        let round = (record.game - 1) / (total / (settings.games / 2));
        let opening = lock(&self.openings).opening(round).map_err(|error| error.to_string())?.fen();
        if opening != record.opening {
            return Err(format!("the opening is '{}', not '{opening}'", record.opening));
        }
        if self.seen.contains(&record.game) {
            RecordedTournament::from_conditions(&self.recorded.conditions).add(record)?;
        } else {
            self.recorded.add(record)?;
        }
        Ok(self.seen.insert(record.game))
    }
}

#[pymethods]
impl Score {
    #[new]
    fn new(py: Python<'_>, tournament: Py<Tournament>) -> PyResult<Score> {
        let Tournament { settings, .. } = tournament.get();
        let kalah_arena::Tournament { openings, start, seed, sprt, .. } = settings;
        let stop = StopToken::new();
        let find = || OpeningBook::new(openings, start, *seed, &stop);
        let openings = interruptible::run(py, &stop, find, |_| Ok(()))?.map_err(errors::arena)?;
        let mut recorded = RecordedTournament::from_conditions(&settings.conditions(&openings));
        if let Some(sprt) = sprt {
            recorded.standings.start_test(sprt.clone());
        }
        Ok(Score { openings: Mutex::new(openings), recorded, seen: BTreeSet::new(), tournament })
    }

    /// Adds the record of a game, a line of JSON.
    ///
    /// Returns:
    ///     Whether it was new: a game that is added twice counts once.
    ///
    /// Raises:
    ///     ArenaError: It is not the record of a game of this tournament, or contradicts itself.
    fn add(&mut self, line: &str) -> PyResult<bool> {
        let record: GameRecord = serde_json::from_str(line).map_err(|error| {
            let (name, reason) = (GameRecord::NAME, message_without_place(&error));
            ArenaError::new_err(format!("not {name}: {reason}"))
        })?;
        let wrong =
            |what, reason| ArenaError::new_err(format!("game {}{what}: {reason}", record.game));
        record.check_result().map_err(|reason| wrong("", reason))?;
        self.count(&record).map_err(|reason| wrong(" is of another tournament", reason))
    }

    /// Whether the record of a game was added, by its number from 1.
    fn has(&self, game: Count) -> bool {
        self.seen.contains(&game.0)
    }

    /// The games added.
    #[getter]
    fn games(&self) -> usize {
        self.seen.len()
    }

    /// The hypothesis that the sequential test has accepted, ``"H0"`` or ``"H1"``; None without one.
    fn verdict(&self) -> Option<&'static str> {
        self.recorded.standings.verdict().map(|hypothesis| match hypothesis {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }

    /// The figures of a match, from the view of the first player, or of two players of a tournament.
    ///
    /// Returns:
    ///     A dict: ``games``, ``wins``, ``draws``, ``losses``, ``pairs`` (with 0, 1/2, 1, 3/2 and 2
    ///     points), ``score``, ``elo`` with its 95 % interval, ``superior`` (the likelihood), ``faults`` (the
    ///     games that each of the two lost by faults), and with a sequential test ``llr`` and its ``bounds``.
    #[pyo3(
        signature = (player=Whole(0), opponent=Whole(1)) -> "dict[str, Any]",
        text_signature = "($self, player=0, opponent=1)"
    )]
    fn figures<'py>(
        &self,
        py: Python<'py>,
        player: Count,
        opponent: Count,
    ) -> PyResult<Bound<'py, PyDict>> {
        let players = self.recorded.standings.players.len();
        let (player, opponent) = (player.0 as usize, opponent.0 as usize);
        if player >= players || opponent >= players || player == opponent {
            return Err(PyValueError::new_err(format!("there are {players} players, from 0")));
        }
        let results = self.recorded.standings.results(player, opponent);
        let pairs = self.recorded.standings.pairs(player, opponent);
        let Estimate { value, low, high } = pairs.elo();
        let figures = PyDict::new(py);
        figures.set_item("games", results.games())?;
        figures.set_item("wins", results.wins)?;
        figures.set_item("draws", results.draws)?;
        figures.set_item("losses", results.losses)?;
        figures.set_item("pairs", pairs.0.to_vec())?;
        figures.set_item("score", results.score())?;
        figures.set_item("elo", (value, low, high))?;
        figures.set_item("superior", pairs.likelihood_of_superiority())?;
        let faults = [player, opponent].map(|player| self.recorded.standings.faults(player));
        figures.set_item("faults", faults)?;
        if let Some(test) = self.recorded.standings.test() {
            figures.set_item("llr", test.llr())?;
            figures.set_item("bounds", test.sprt.bounds())?;
        }
        Ok(figures)
    }

    /// The players by their ratings, best first: name, Elo, and the ends of its 95 % interval.
    fn ratings(&self) -> Vec<(String, f64, f64, f64)> {
        let ratings = self.recorded.standings.ratings(None);
        let of = |player: usize| {
            let Estimate { value, low, high } = ratings.players[player];
            (self.recorded.standings.players[player].clone(), value, low, high)
        };
        self.recorded.standings.ranking().into_iter().map(of).collect()
    }
}
