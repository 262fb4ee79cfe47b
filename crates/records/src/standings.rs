//! The standings of a tournament, and the sequential test of a match while it is played.

use std::collections::BTreeMap;
use std::mem;

use kalah::board::Side;
use rustc_hash::FxHashMap;

use crate::statistics::{
    Anchor, DavidsonRatings, Encounter, Hypothesis, Mean, Pentanomial, Ratings, Sprt, Wdl,
};
use crate::{FaultKind, GameRecord, Termination};

/// The properties of a game that count in the standings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameSummary {
    /// The number of the game, from 1.
    pub game: u64,
    /// The players as indices into [`Standings::players`], South first.
    pub players: [usize; 2],
    /// Half points of South: 0, 1 or 2.
    pub half_points: usize,
    /// The margin in seeds from the view of South; `None` after a fault or a resignation.
    pub margin: Option<i32>,
    /// Plies played.
    pub plies: usize,
    /// Why the game ended.
    pub reason: Termination,
}

/// The standings of a tournament after the games played so far.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The names of the players.
    pub players: Vec<String>,
    games: Vec<GameSummary>,
    /// Games of a player against another, of those who met: of thousands of players that is a small part.
    results: FxHashMap<[usize; 2], Wdl>,
    /// Pairs of games of a player against another.
    pairs: FxHashMap<[usize; 2], Pentanomial>,
    /// The results of each player.
    totals: Vec<Wdl>,
    /// The margins of each player's games, in seeds.
    margins: Vec<Mean>,
    /// The games that each player lost by faults.
    faults: Vec<BTreeMap<FaultKind, u64>>,
    /// Games of incomplete pairs, by pair number.
    open_pairs: FxHashMap<u64, GameSummary>,
    test: Option<SequentialTest>,
}

impl GameSummary {
    /// The summary of a record; `None` if one of its players is not in `players`.
    pub fn from_record(record: &GameRecord, players: &[String]) -> Option<GameSummary> {
        let index_of = |side| {
            let name = &record.seat(side).player.name;
            players.iter().position(|player| player == name)
        };
        Some(GameSummary {
            game: record.game,
            players: [index_of(Side::South)?, index_of(Side::North)?],
            half_points: record.result.half_points(),
            margin: record.margin,
            plies: record.moves.len(),
            reason: record.reason,
        })
    }

    /// The number of the pair that the game belongs to, from 0.
    pub(super) fn pair(&self) -> u64 {
        self.game.saturating_sub(1) / 2
    }

    /// The margin in seeds from the view of a player.
    pub fn margin_of(&self, player: usize) -> Option<i64> {
        let margin = self.margin.map(i64::from);
        if self.players[0] == player { margin } else { margin.map(|margin| -margin) }
    }

    pub(super) fn half_points_of(&self, player: usize) -> usize {
        if self.players[0] == player { self.half_points } else { 2 - self.half_points }
    }
}

impl Standings {
    /// Standings without games.
    pub fn new(players: Vec<String>) -> Standings {
        let n = players.len();
        Standings {
            players,
            games: Vec::new(),
            results: FxHashMap::default(),
            pairs: FxHashMap::default(),
            totals: vec![Wdl::default(); n],
            margins: vec![Mean::default(); n],
            faults: vec![BTreeMap::new(); n],
            open_pairs: FxHashMap::default(),
            test: None,
        }
    }

    /// Begins a sequential test of the two players of a match, in which all games count.
    pub fn start_test(&mut self, sprt: Sprt) {
        let players = mem::take(&mut self.players);
        let games = mem::take(&mut self.games);
        let test = SequentialTest {
            sprt,
            results: Pentanomial::default(),
            next: 0,
            waiting: BTreeMap::new(),
            verdict: None,
        };
        *self = Standings { test: Some(test), ..Standings::new(players) };
        for game in games {
            self.add(game);
        }
    }

    /// The sequential test, if there is one.
    pub fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    /// The hypothesis that the sequential test has accepted.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.test.as_ref().and_then(|test| test.verdict)
    }

    /// Counts a recorded game between two of the players.
    pub fn add_record(&mut self, game: &GameRecord) {
        if let Some(summary) = GameSummary::from_record(game, &self.players) {
            self.add(summary);
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: GameSummary) {
        let [south, north] = game.players;
        let views = [[south, north], [north, south]];
        for view @ [player, _] in views {
            let half_points = game.half_points_of(player);
            self.results.entry(view).or_default().count(half_points);
            self.totals[player].count(half_points);
            self.margins[player].extend(game.margin_of(player).map(|margin| margin as f64));
            if let Termination::Fault(kind) = game.reason
                && half_points == 0
            {
                *self.faults[player].entry(kind).or_default() += 1;
            }
        }
        self.games.push(game);
        let Some(other) = self.open_pairs.remove(&game.pair()) else {
            self.open_pairs.insert(game.pair(), game);
            return;
        };
        let points = |player| game.half_points_of(player) + other.half_points_of(player);
        for view @ [player, _] in views {
            self.pairs.entry(view).or_default().0[points(player)] += 1;
        }
        if let Some(test) = &mut self.test {
            test.add(game.pair(), points(0));
        }
    }

    /// Counts all games of other standings, between players of the same names. Their pairs stay theirs.
    pub(crate) fn add_all(&mut self, other: &Standings) {
        let places = other.players.iter();
        let places = places.map(|name| self.players.iter().position(|player| player == name));
        let Some(places) = places.collect::<Option<Vec<usize>>>() else { return };
        self.open_pairs.clear();
        for game in &other.games {
            self.add(GameSummary { players: game.players.map(|one| places[one]), ..*game });
        }
    }

    /// All games, in the order in which they were added.
    pub fn games(&self) -> &[GameSummary] {
        &self.games
    }

    /// The games of a player against another, from the player's view.
    pub fn results(&self, player: usize, opponent: usize) -> Wdl {
        self.results.get(&[player, opponent]).copied().unwrap_or_default()
    }

    /// The games of a player against all others.
    pub fn total(&self, player: usize) -> Wdl {
        self.totals[player]
    }

    /// The complete pairs of games of a player against another, from the player's view.
    pub fn pairs(&self, player: usize, opponent: usize) -> Pentanomial {
        self.pairs.get(&[player, opponent]).copied().unwrap_or_default()
    }

    /// The mean margin of a player in seeds, over the games that have one.
    pub fn mean_margin(&self, player: usize) -> Option<f64> {
        self.margins[player].value()
    }

    /// The number of games that a player lost by faults.
    pub fn faults(&self, player: usize) -> u64 {
        self.fault_kinds(player).values().sum()
    }

    /// The number of games that were lost by each kind of fault.
    pub fn all_faults(&self) -> BTreeMap<FaultKind, u64> {
        let reasons = self.reasons().into_iter();
        let fault = |(reason, games)| match reason {
            Termination::Fault(kind) => Some((kind, games)),
            _ => None,
        };
        reasons.filter_map(fault).collect()
    }

    /// The number of games that a player lost by each kind of fault.
    pub fn fault_kinds(&self, player: usize) -> &BTreeMap<FaultKind, u64> {
        &self.faults[player]
    }

    /// The number of games by their termination.
    pub fn reasons(&self) -> BTreeMap<Termination, u64> {
        let mut reasons = BTreeMap::new();
        for game in &self.games {
            *reasons.entry(game.reason).or_default() += 1;
        }
        reasons
    }

    /// Ratings of all players from complete pairs.
    pub fn ratings(&self, anchor: Option<Anchor>) -> Ratings {
        Ratings::new(self.players.len(), &encounters(&self.pairs), anchor)
    }

    /// Ratings of all players in a model with draws, from all games.
    pub fn davidson_ratings(&self, anchor: Option<Anchor>) -> DavidsonRatings {
        DavidsonRatings::new(self.players.len(), &encounters(&self.results), anchor)
    }

    /// Every two players who met, in ascending order, with the results of the first.
    pub(crate) fn encounters(&self) -> Vec<Encounter<Wdl>> {
        encounters(&self.results)
    }

    /// The players from best to worst: by score, then by margin.
    pub fn ranking(&self) -> Vec<usize> {
        let key =
            |player| (self.total(player).score(), self.mean_margin(player).unwrap_or(0.0), player);
        let mut ranking: Vec<_> = (0..self.players.len()).map(key).collect();
        ranking.sort_by(|(a, a_margin, _), (b, b_margin, _)| {
            b.total_cmp(a).then(b_margin.total_cmp(a_margin))
        });
        ranking.into_iter().map(|(.., player)| player).collect()
    }

    /// A figure of the standings after up to `max_points` evenly spaced numbers of pairs, the last one at the
    /// end. Complete pairs count in the order of their numbers.
    pub fn history<T>(&self, max_points: u64, figure: impl Fn(&Standings) -> T) -> Vec<(u64, T)> {
        let mut games: Vec<GameSummary> = self.games().to_vec();
        games.sort_by_key(|game| game.game);
        let pairs: Vec<&[GameSummary]> =
            games.chunk_by(|a, b| a.pair() == b.pair()).filter(|games| games.len() == 2).collect();
        let total = pairs.len() as u64;
        let interval = total.div_ceil(max_points.max(1));
        let mut standings = Standings::new(self.players.clone());
        let mut history = Vec::new();
        for (number, games) in (1..).zip(pairs) {
            for &game in games {
                standings.add(game);
            }
            if number % interval == 0 || number == total {
                history.push((number, figure(&standings)));
            }
        }
        history
    }
}

/// The results between every two players, from the view of the first, in ascending order.
fn encounters<R: Copy>(results: &FxHashMap<[usize; 2], R>) -> Vec<Encounter<R>> {
    let ascending = results.iter().filter(|([first, second], _)| first < second);
    let encounter = |(&players, &results)| Encounter { players, results };
    let mut encounters: Vec<_> = ascending.map(encounter).collect();
    encounters.sort_unstable_by_key(|encounter| encounter.players);
    encounters
}

/// A sequential test of a match. Pairs count in the order of their numbers, whatever the order in
/// which they end: short games do not count before long ones, and the verdict does not depend on
/// the number of concurrent games.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    /// The hypotheses and error rates of the test.
    pub sprt: Sprt,
    /// The pairs that have counted.
    pub results: Pentanomial,
    /// The number of the next pair, from 0.
    next: u64,
    /// Pairs that have ended before the next one, with the half points of the first player.
    waiting: BTreeMap<u64, usize>,
    /// The accepted hypothesis, if the test is decided.
    pub verdict: Option<Hypothesis>,
}

impl SequentialTest {
    /// Counts a pair of games by the half points of the first player. Pairs after the verdict do not count.
    fn add(&mut self, pair: u64, half_points: usize) {
        self.waiting.insert(pair, half_points);
        while self.verdict.is_none()
            && let Some(half_points) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.results.0[half_points] += 1;
            self.verdict = self.sprt.verdict(&self.results);
        }
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.results)
    }
}
