//! Ratings in a model with draws.

use std::f64::consts::LN_2;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::Wdl;
use super::elo::Estimate;
use super::ratings::{
    Anchor, ELO_UNIT, Encounter, add_between, check_players, estimates, is_determined,
};

/// The standard deviation of the prior of a rating, in Elo: the deviation with which Glicko starts a
/// player of whom nothing is known (M. Glickman, *Parameter Estimation in Large Dynamic Paired
/// Comparison Experiments*, 1999).
const PRIOR_DEVIATION: f64 = 350.0;

/// The prior of the draw parameter: this many games drawn, and as many decided, between equals.
const PRIOR_GAMES: f64 = 0.5;

/// Bayesian ratings in Davidson's model (R. Davidson, *On Extending the Bradley-Terry Model to
/// Accommodate Ties in Paired Comparison Experiments*, 1970). A player of strength p wins, draws and
/// loses against one of strength q with probabilities in the ratio p : ν √(pq) : q, and the draw
/// parameter ν is estimated from the games.
///
/// Ratings have a normal prior of mean 0 and standard deviation 350 Elo, so they are finite whatever the
/// results. An estimate is the mode of the posterior distribution, and its interval is the central 95 % of
/// the normal distribution that touches the posterior there (Laplace's approximation). Games count as
/// independent, unlike in [`Ratings`](super::Ratings).
///
/// Elo are scaled as in R. Coulom's Bayeselo: between equals, a small difference in rating changes the
/// expected score as much as in the logistic model.
#[derive(Clone, Debug, PartialEq)]
pub struct DavidsonRatings {
    /// The rating of each player with its 95 % interval about the mean of all, which is 0, or from the anchor.
    pub players: Vec<Estimate>,
    /// Whether the results alone determine the ratings, as in
    /// [`Ratings::determined`](super::Ratings::determined). If not, some depend on the prior.
    pub determined: bool,
    /// The estimated probability, 0 to 1, of a draw between two equal players.
    pub draw_rate: f64,
}

/// The posterior near a point: its logarithm up to a constant, gradient, and negative second derivative.
struct Posterior {
    log_density: f64,
    gradient: DVector<f64>,
    information: DMatrix<f64>,
}

impl DavidsonRatings {
    /// Rates players 0 to `players` - 1 by their games. Two players may occur several times. With an
    /// anchor, ratings and intervals are distances from that player, whose rating is given.
    ///
    /// # Panics
    ///
    /// If an encounter or the anchor names a player that does not exist, or an encounter one player twice.
    pub fn new(
        players: usize,
        encounters: &[Encounter<Wdl>],
        anchor: Option<Anchor>,
    ) -> DavidsonRatings {
        check_players(players, encounters);
        let (parameters, information) = mode(players, encounters);
        // Two strengths p and q, equal on the scale of the model, draw with probability ν / (2 + ν). The
        // expected score rises at 1 / (2 (2 + ν)) there, in the logistic model at 1/4.
        let draw_rate = draw_rate(parameters[players]);
        let unit = ELO_UNIT * (1.0 - draw_rate);
        let covariance = information
            .map(|information| information.inverse().view_range(..players, ..players).into_owned());
        let strengths = parameters.rows(0, players).into_owned();
        let ratings = estimates(&strengths, covariance.as_ref(), unit, anchor);
        let scores = encounters.iter().map(|&Encounter { players, results }| {
            let Wdl { wins, draws, losses } = results;
            (players, [wins > 0 || draws > 0, losses > 0 || draws > 0])
        });
        DavidsonRatings {
            players: ratings,
            determined: is_determined(players, &scores.collect::<Vec<_>>()),
            draw_rate,
        }
    }
}

/// The probability of a draw between equals, ν / (2 + ν), for ln ν.
fn draw_rate(log_draws: f64) -> f64 {
    1.0 / (1.0 + (LN_2 - log_draws).exp())
}

/// The mode of the posterior, by Newton's method: the logarithms of the strengths, then ln ν; with the
/// information there. The density is log-concave, so there is one mode; steps are halved until they
/// increase it.
fn mode(
    players: usize,
    encounters: &[Encounter<Wdl>],
) -> (DVector<f64>, Option<Cholesky<f64, Dyn>>) {
    const MAX_STEPS: usize = 200;
    const MAX_HALVINGS: usize = 60;
    /// A millionth of a standard deviation, squared.
    const TOLERANCE: f64 = 1e-12;

    let mut parameters = DVector::zeros(players + 1);
    parameters[players] = LN_2;
    let mut posterior = Posterior::at(&parameters, encounters);
    for _ in 0..MAX_STEPS {
        let Some(information) = Cholesky::new(posterior.information.clone()) else { break };
        let mut step = information.solve(&posterior.gradient);
        // Newton's decrement: the length of the step in standard deviations of the posterior, squared.
        if step.dot(&posterior.gradient) < TOLERANCE {
            break;
        }
        let better = (0..MAX_HALVINGS).find_map(|_| {
            let next = &parameters + &step;
            let there = Posterior::at(&next, encounters);
            step *= 0.5;
            (there.log_density >= posterior.log_density).then_some((next, there))
        });
        // No step is better only when rounding errors are larger than what is left to gain.
        let Some(better) = better else { break };
        (parameters, posterior) = better;
    }
    let information = Cholesky::new(posterior.information);
    (parameters, information)
}

impl Posterior {
    /// For strengths with a difference d of logarithms, the probabilities are e^(d/2), ν and e^(-d/2)
    /// divided by their sum: an exponential family with the statistics (wins - losses) / 2 and draws.
    /// Its second derivatives are the covariances of these.
    fn at(parameters: &DVector<f64>, encounters: &[Encounter<Wdl>]) -> Posterior {
        let draw = parameters.len() - 1;
        let log_draws = parameters[draw];
        let precision = (ELO_UNIT / PRIOR_DEVIATION).powi(2);
        let mut gradient = parameters * -precision;
        let mut diagonal = DVector::from_element(parameters.len(), precision);
        let rate = draw_rate(log_draws);
        gradient[draw] = PRIOR_GAMES * (1.0 - 2.0 * rate);
        diagonal[draw] = 2.0 * PRIOR_GAMES * rate * (1.0 - rate);
        let mut information = DMatrix::from_diagonal(&diagonal);
        let strengths = parameters.rows(0, draw);
        let mut log_density = -0.5 * precision * strengths.norm_squared()
            + PRIOR_GAMES * (log_of(rate) + log_of(1.0 - rate));
        for &Encounter { players: [first, second], results } in encounters {
            let half = 0.5 * (parameters[first] - parameters[second]);
            let largest = half.abs().max(log_draws);
            let weights = [half, log_draws, -half].map(|exponent| (exponent - largest).exp());
            let sum: f64 = weights.iter().sum();
            let [p_win, p_draw, p_loss] = weights.map(|weight| weight / sum);
            let [wins, draws, losses] =
                [results.wins, results.draws, results.losses].map(|count| count as f64);
            let games = wins + draws + losses;
            log_density +=
                (wins - losses) * half + draws * log_draws - games * (largest + sum.ln());
            let surplus = 0.5 * (wins - losses - games * (p_win - p_loss));
            gradient[first] += surplus;
            gradient[second] -= surplus;
            gradient[draw] += draws - games * p_draw;
            let variance = 0.25 * games * (p_win + p_loss - (p_win - p_loss).powi(2));
            add_between(&mut information, first, second, variance);
            information[(draw, draw)] += games * p_draw * (1.0 - p_draw);
            let covariance = -0.5 * games * (p_win - p_loss) * p_draw;
            for (player, covariance) in [(first, covariance), (second, -covariance)] {
                information[(player, draw)] += covariance;
                information[(draw, player)] += covariance;
            }
        }
        Posterior { log_density, gradient, information }
    }
}

/// The logarithm of a probability that may have been rounded to 0.
fn log_of(probability: f64) -> f64 {
    probability.max(f64::MIN_POSITIVE).ln()
}
