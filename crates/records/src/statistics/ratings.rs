//! Ratings of the players of a tournament.

use std::f64::consts::LN_10;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::Pentanomial;
use super::elo::{Estimate, Z_95};
use super::likelihood::scores;

/// Elo per factor of e in the odds.
pub(super) const ELO_UNIT: f64 = 400.0 / LN_10;

/// The prior: games that each player is assumed to have drawn against a player of rating 0 if the
/// results alone have no maximum likelihood ratings.
const PRIOR_GAMES: f64 = 0.5;

/// The pairs, or the games, that two players of a tournament played against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter<Results = Pentanomial> {
    /// The two players, by their numbers from 0.
    pub players: [usize; 2],
    /// Their results from the view of the first.
    pub results: Results,
}

/// Maximum likelihood ratings of the players of a tournament, in Elo: in the logistic model a player
/// is expected to score 1 / (1 + 10^(-d / 400)) against one rated d lower (E. Zermelo, *Die Berechnung der Turnier-Ergebnisse*, 1929;
/// R. Bradley and M. Terry, *Rank Analysis of Incomplete Block Designs*, 1952), a draw counting as
/// half a win and half a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The rating of each player with its 95 % interval; without anchor the mean of all is 0.
    pub players: Vec<Estimate>,
    /// Whether the results alone determine the ratings.
    ///
    /// They do unless the players can be split into two groups such that no player of the first
    /// scored against any of the second (L. Ford, *Solution of a Ranking Problem from Binary
    /// Comparisons*, 1957): the second would be infinitely stronger, or the groups never met. Then
    /// each player is also given half a game, drawn against a player of rating 0. A player who won
    /// all games is rated high, one who did not play 0, and all figures depend on this prior.
    pub determined: bool,
}

impl Ratings {
    /// Rates players 0 to `players` - 1 by their encounters. Two players may have several.
    ///
    /// The intervals come from the sandwich covariance with the pair as the observation
    /// (P. Huber, *The Behavior of Maximum Likelihood Estimates under Nonstandard Conditions*,
    /// 1967): the variance of the results about their expectation is measured, not taken from the
    /// model, which ignores draws and openings. To keep the intervals positive if all results are
    /// as expected, each player counts one more pair in that variance, shared among the opponents:
    /// two wins or two losses with equal probability. If the ratings are not determined, the
    /// covariance is the inverse information instead, which the prior keeps wide.
    ///
    /// With an anchor, ratings and intervals are distances from that player, whose rating is given.
    ///
    /// # Panics
    ///
    /// If an encounter or the anchor names a player that does not exist, or an encounter one player twice.
    pub fn new(players: usize, encounters: &[Encounter], anchor: Option<Anchor>) -> Ratings {
        check_players(players, encounters);
        let scored = encounters.iter().map(|&Encounter { players, results }| {
            (players, [has_points(results), has_points(results.reversed())])
        });
        let determined = is_determined(players, &scored.collect::<Vec<_>>());
        let prior_games = if determined { 0.0 } else { PRIOR_GAMES };
        let ratings = maximum_likelihood(players, encounters, prior_games);
        let information = information(&ratings, encounters, prior_games);
        let covariance = information.map(|information| {
            let inverse = information.inverse();
            if determined { &inverse * scatter(&ratings, encounters) * &inverse } else { inverse }
        });
        let players = estimates(&ratings, covariance.as_ref(), ELO_UNIT, anchor);
        Ratings { players, determined }
    }
}

/// The player from which ratings are counted, by its number from 0, and its rating in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The player.
    pub player: usize,
    /// Its rating.
    pub rating: f64,
}

/// Ratings with their intervals, in `unit` Elo, from the mean of all or from the anchor. Without
/// covariance the intervals are unbounded.
pub(super) fn estimates(
    ratings: &DVector<f64>,
    covariance: Option<&DMatrix<f64>>,
    unit: f64,
    anchor: Option<Anchor>,
) -> Vec<Estimate> {
    let players = ratings.len();
    let mut origin = DVector::from_element(players, 1.0 / players as f64);
    if let Some(Anchor { player, .. }) = anchor {
        origin.fill(0.0);
        origin[player] = 1.0;
    }
    // The variance of x_i - w·x is C_ii - 2 (C w)_i + w·C w.
    let variances = covariance.map(|covariance| {
        let with_origin = covariance * &origin;
        let of_origin = with_origin.dot(&origin);
        (covariance.diagonal() - 2.0 * with_origin).add_scalar(of_origin)
    });
    let at = origin.dot(ratings);
    let shift = anchor.map_or(0.0, |anchor| anchor.rating);
    let estimate = |player: usize| {
        let value = unit * (ratings[player] - at) + shift;
        let variance = variances.as_ref().map_or(f64::INFINITY, |variances| variances[player]);
        let error = unit * Z_95 * variance.max(0.0).sqrt();
        Estimate { value, low: value - error, high: value + error }
    };
    (0..players).map(estimate).collect()
}

/// Panics if an encounter names a player that does not exist, or one player twice.
pub(super) fn check_players<Results>(players: usize, encounters: &[Encounter<Results>]) {
    for Encounter { players: [first, second], .. } in encounters {
        assert!(first != second, "player {first} against itself");
        assert!(*first.max(second) < players, "no player {}", first.max(second));
    }
}

/// Whether every player is linked to every other by players who each scored against the next. Two
/// players come with whether the first and whether the second scored.
pub(super) fn is_determined(players: usize, encounters: &[([usize; 2], [bool; 2])]) -> bool {
    // All players must be reachable from the first, and the first from all players.
    [0, 1].into_iter().all(|direction| {
        let mut reached: Vec<bool> = (0..players).map(|player| player == 0).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &([first, second], scored) in encounters {
                for (from, to, scored) in
                    [(first, second, scored[direction]), (second, first, scored[1 - direction])]
                {
                    if reached[from] && scored && !reached[to] {
                        reached[to] = true;
                        has_changed = true;
                    }
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    })
}

/// Whether the first player scored.
fn has_points(results: Pentanomial) -> bool {
    results.0[1..].iter().any(|&count| count > 0)
}

/// The maximum likelihood ratings, as logarithms of odds, by Newton's method.
///
/// A step changes no difference of ratings by more than 1. Within that distance the second derivative
/// changes by at most a factor of e, so each step increases the likelihood (F. Bach, *Self-concordant Analysis
/// for Logistic Regression*, 2010).
fn maximum_likelihood(players: usize, encounters: &[Encounter], prior_games: f64) -> DVector<f64> {
    const MAX_STEPS: usize = 1000;
    const TOLERANCE: f64 = 1e-10;

    let mut ratings = DVector::zeros(players);
    for _ in 0..MAX_STEPS {
        let Some(information) = information(&ratings, encounters, prior_games) else { break };
        let mut gradient = ratings.map(|rating| prior_games * (0.5 - expected(rating)));
        for Encounter { players: [first, second], results } in encounters {
            let games = 2.0 * results.pairs() as f64;
            let surplus = games * (results.score() - expected(ratings[*first] - ratings[*second]));
            gradient[*first] += surplus;
            gradient[*second] -= surplus;
        }
        let step = information.solve(&gradient);
        let length = step.amax();
        ratings += step * (0.5 / length).min(1.0);
        if length < TOLERANCE {
            break;
        }
    }
    ratings
}

/// The covariance of the gradient of the log-likelihood.
fn scatter(ratings: &DVector<f64>, encounters: &[Encounter]) -> DMatrix<f64> {
    let mut pairs = vec![0.0; ratings.len()];
    for Encounter { players, results } in encounters {
        for &player in players {
            pairs[player] += results.pairs() as f64;
        }
    }
    let mut scatter = DMatrix::zeros(ratings.len(), ratings.len());
    for Encounter { players: [first, second], results } in encounters {
        if results.pairs() == 0 {
            continue;
        }
        let difference = ratings[*first] - ratings[*second];
        let expected = expected(difference);
        let squares = results.0.iter().zip(scores::<5>());
        let squares: f64 =
            squares.map(|(&count, score)| count as f64 * (score - expected).powi(2)).sum();
        let share = results.pairs() as f64 * (1.0 / pairs[*first] + 1.0 / pairs[*second]) / 2.0;
        add_between(&mut scatter, *first, *second, 4.0 * (squares + share * variance(difference)));
    }
    scatter
}

/// The Fisher information, the negative second derivative of the log-likelihood, factored. Results
/// alone do not determine the mean rating: a term that holds it at 0 makes the matrix regular.
fn information(
    ratings: &DVector<f64>,
    encounters: &[Encounter],
    prior_games: f64,
) -> Option<Cholesky<f64, Dyn>> {
    let mut information =
        DMatrix::from_diagonal(&ratings.map(|rating| prior_games * variance(rating)));
    for Encounter { players: [first, second], results } in encounters {
        let games = 2.0 * results.pairs() as f64;
        let weight = games * variance(ratings[*first] - ratings[*second]);
        add_between(&mut information, *first, *second, weight);
    }
    if prior_games == 0.0 {
        information.add_scalar_mut(1.0);
    }
    Cholesky::new(information)
}

/// Adds the second derivative of a function of the difference of two ratings.
pub(super) fn add_between(matrix: &mut DMatrix<f64>, first: usize, second: usize, weight: f64) {
    matrix[(first, first)] += weight;
    matrix[(second, second)] += weight;
    matrix[(first, second)] -= weight;
    matrix[(second, first)] -= weight;
}

/// The expected score at a difference of ratings.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The variance of a game without draws at a difference of ratings.
fn variance(difference: f64) -> f64 {
    expected(difference) * expected(-difference)
}
