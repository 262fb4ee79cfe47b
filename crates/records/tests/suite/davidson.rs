//! Ratings in Davidson's model, against a plain reference.

use kalah_records::statistics::{DavidsonRatings, Encounter, Estimate, Pentanomial, Ratings, Wdl};
use proptest::prelude::*;

/// Elo per factor of e in the odds.
fn unit() -> f64 {
    400.0 / std::f64::consts::LN_10
}

/// The logarithm of the posterior density, written as in Davidson's paper. The strengths come as
/// logarithms, the draw parameter ν as it is.
fn log_posterior(strengths: &[f64], draws: f64, games: &[Encounter<Wdl>]) -> f64 {
    let deviation = 350.0 / unit();
    let prior: f64 = strengths.iter().map(|s| -0.5 * (s / deviation).powi(2)).sum();
    let prior = prior + 0.5 * (draws / (2.0 + draws)).ln() + 0.5 * (2.0 / (2.0 + draws)).ln();
    let likelihood = games.iter().map(|Encounter { players: [i, j], results }| {
        let [p, q] = [strengths[*i].exp(), strengths[*j].exp()];
        let tie = draws * (p * q).sqrt();
        let sum = p + q + tie;
        results.wins as f64 * (p / sum).ln()
            + results.draws as f64 * (tie / sum).ln()
            + results.losses as f64 * (q / sum).ln()
    });
    prior + likelihood.sum::<f64>()
}

/// The parameters of the model that ratings are made of.
fn parameters(ratings: &DavidsonRatings) -> (Vec<f64>, f64) {
    let scale = unit() * (1.0 - ratings.draw_rate);
    let strengths = ratings.players.iter().map(|player| player.value / scale).collect();
    (strengths, 2.0 * ratings.draw_rate / (1.0 - ratings.draw_rate))
}

fn game(players: [usize; 2], wins: u64, draws: u64, losses: u64) -> Encounter<Wdl> {
    Encounter { players, results: Wdl { wins, draws, losses } }
}

fn games() -> impl Strategy<Value = Vec<Encounter<Wdl>>> {
    let one = (0..5_usize, 1..5_usize, 0..30_u64, 0..30_u64, 0..30_u64);
    let one =
        one.prop_map(|(i, on, wins, draws, losses)| game([i, (i + on) % 5], wins, draws, losses));
    prop::collection::vec(one, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_near_an_estimate_is_more_probable(games in games()) {
        let ratings = DavidsonRatings::new(5, &games, None);
        let (strengths, draws) = parameters(&ratings);
        let best = log_posterior(&strengths, draws, &games);
        prop_assert!(best.is_finite());
        for change in [-0.1, -0.01, 0.01, 0.1] {
            for player in 0..5 {
                let mut other = strengths.clone();
                other[player] += change;
                prop_assert!(log_posterior(&other, draws, &games) < best + 1e-9);
            }
            prop_assert!(log_posterior(&strengths, draws * f64::exp(change), &games) < best + 1e-9);
        }
        let mean: f64 = ratings.players.iter().map(|player| player.value).sum();
        prop_assert!(mean.abs() < 1e-3, "{mean}");
        for Estimate { value, low, high } in ratings.players {
            prop_assert!(low.is_finite() && low < value && value < high && high.is_finite());
        }
    }

    #[test]
    fn the_order_of_games_and_players_is_of_no_matter(games in games()) {
        let turned: Vec<_> = games.iter().rev().map(|one| {
            let [i, j] = one.players;
            game([j, i], one.results.losses, one.results.draws, one.results.wins)
        }).collect();
        let (one, other) = (DavidsonRatings::new(5, &games, None), DavidsonRatings::new(5, &turned, None));
        prop_assert_eq!(one.determined, other.determined);
        prop_assert!((one.draw_rate - other.draw_rate).abs() < 1e-6);
        for (one, other) in one.players.iter().zip(&other.players) {
            prop_assert!((one.value - other.value).abs() < 1e-3 && (one.low - other.low).abs() < 1e-3);
        }
    }
}

/// The mode and the interval of two players are close to the mean and deviation of the whole posterior on a grid.
#[test]
fn an_interval_is_that_of_a_grid() {
    let games = [game([0, 1], 60, 50, 40)];
    let ratings = DavidsonRatings::new(2, &games, None);
    let (mut weights, mut mean, mut square) = (0.0, 0.0, 0.0);
    let (_, draws) = parameters(&ratings);
    let best = log_posterior(&parameters(&ratings).0, draws, &games);
    for step in -400..=400 {
        let strength = f64::from(step) / 400.0;
        for draw in -60..=60 {
            let draws = draws * f64::exp(f64::from(draw) / 40.0);
            let weight = (log_posterior(&[strength, -strength], draws, &games) - best).exp();
            weights += weight;
            mean += weight * strength;
            square += weight * strength * strength;
        }
    }
    mean /= weights;
    let deviation = (square / weights - mean * mean).sqrt();
    let scale = unit() * (1.0 - ratings.draw_rate);
    let Estimate { value, low, high } = ratings.players[0];
    assert!((value - scale * mean).abs() < 0.05 * scale * deviation, "{value} {}", scale * mean);
    let error = (high - low) / 2.0;
    assert!((error / (1.96 * scale * deviation) - 1.0).abs() < 0.03, "{error}");
}

#[test]
fn extremes_are_finite_and_marked() {
    for (players, games, determined) in [
        (0, vec![], true),
        (1, vec![], true),
        (2, vec![], false),
        (2, vec![game([0, 1], 1_000_000, 0, 0)], false),
        (2, vec![game([0, 1], 0, 1_000_000, 0)], true),
        (2, vec![game([0, 1], u64::MAX / 2, 1, 1)], true),
        (4, vec![game([0, 1], 3, 1, 2), game([2, 3], 2, 2, 2)], false),
        (3, vec![game([0, 1], 9, 0, 0), game([1, 2], 9, 0, 0), game([2, 0], 9, 0, 0)], true),
    ] {
        let ratings = DavidsonRatings::new(players, &games, None);
        assert_eq!(ratings.determined, determined, "{games:?}");
        assert!((0.0..=1.0).contains(&ratings.draw_rate));
        for Estimate { value, low, high } in &ratings.players {
            assert!(value.is_finite() && low <= value && value <= high, "{games:?}: {ratings:?}");
        }
    }
    let won = DavidsonRatings::new(2, &[game([0, 1], 10, 0, 0)], None);
    assert!(won.players[0].value > 100.0);
}

/// Draws between equals are found, and where draws are as likely as in the results, differences are on the
/// scale of the logistic model.
#[test]
fn with_many_games_both_models_agree_on_small_differences() {
    let pairs = Pentanomial([900, 2000, 4300, 2000, 1100]);
    let games = [game([0, 1], 5300, 10_000, 5300 - 400)];
    let davidson = DavidsonRatings::new(2, &games, None);
    assert!((davidson.draw_rate - 0.495).abs() < 0.01, "{}", davidson.draw_rate);
    let likely = Ratings::new(2, &[Encounter { players: [0, 1], results: pairs }], None);
    let [likely, davidson] = [likely.players[0].value, davidson.players[0].value];
    assert!((likely - davidson).abs() < 0.5, "{likely} {davidson}");
}
