//! The rating of a player by opponents whose ratings are known, and intervals of means and shares.

use kalah_records::statistics::{
    Estimate, Pentanomial, RatedPair, RatingPrior, mean_estimate, rating_against, share_estimate,
};
use proptest::prelude::*;

/// So wide that it says nothing.
const FLAT: RatingPrior = RatingPrior { mean: 0.0, deviation: 1e5 };

/// Pairs with these points against opponents of these ratings.
fn pairs(results: &[(f64, u8)]) -> Vec<RatedPair> {
    let pair =
        |&(opponent, half_points)| RatedPair { opponent, points: f64::from(half_points) / 2.0 };
    results.iter().map(pair).collect()
}

/// Against one opponent the rating is the Elo difference of the score.
#[test]
fn one_opponent_gives_the_elo_difference() {
    let counts = [7_u64, 12, 40, 25, 16];
    let results: Vec<(f64, u8)> = counts
        .iter()
        .zip(0..)
        .flat_map(|(&count, half_points)| (0..count).map(move |_| (1500.0, half_points)))
        .collect();
    let rating = rating_against(&pairs(&results), FLAT);
    let elo = Pentanomial(counts).elo();
    assert!((rating.value - 1500.0 - elo.value).abs() < 0.1, "{rating:?} {elo:?}");
    let width = |estimate: Estimate| estimate.high - estimate.low;
    // One pair more counts, and the model knows nothing of draws.
    assert!((0.95..1.4).contains(&(width(rating) / width(elo))), "{rating:?} {elo:?}");
}

#[test]
fn without_games_the_rating_is_the_prior() {
    let prior = RatingPrior { mean: 1600.0, deviation: 500.0 };
    let Estimate { value, low, high } = rating_against(&[], prior);
    assert!((value - 1600.0).abs() < 1e-3, "{value}");
    assert!(low <= 1600.0 - 979.0 && high >= 1600.0 + 979.0, "{low} {high}");
    // Who wins all games is stronger than the opponent, and not infinitely.
    let all_won = rating_against(&pairs(&[(2279.0, 4); 50]), prior);
    assert!(all_won.value > 2400.0 && all_won.high.is_finite(), "{all_won:?}");
}

/// Of players of known strength the interval has the rating in about 95 of 100 exams.
#[test]
fn intervals_contain_the_rating_of_simulated_players() {
    let mut random = fastrand::Rng::with_seed(5);
    let prior = RatingPrior { mean: 1600.0, deviation: 500.0 };
    let mut inside = 0;
    for exam in 0..400 {
        let strength = 1000.0 + 3.0 * f64::from(exam);
        let mut results = Vec::new();
        for _ in 0..40 {
            let opponent = 1000.0 + 60.0 * f64::from(random.u32(0..20));
            let score = 1.0 / (1.0 + 10_f64.powf((opponent - strength) / 400.0));
            let half_points = (0..2).map(|_| if random.f64() < score { 2 } else { 0 }).sum();
            results.push((opponent, half_points));
        }
        let Estimate { low, high, .. } = rating_against(&pairs(&results), prior);
        inside += i32::from((low..=high).contains(&strength));
    }
    assert!((370..=396).contains(&inside), "{inside}");
}

proptest! {
    #[test]
    fn a_better_result_is_a_higher_rating(
        results in prop::collection::vec((800.0..2400.0, 0_u8..4), 1..30),
        place: prop::sample::Index,
    ) {
        let prior = RatingPrior { mean: 1600.0, deviation: 500.0 };
        let before = rating_against(&pairs(&results), prior);
        let mut better = results;
        let place = place.index(better.len());
        better[place].1 += 1;
        let after = rating_against(&pairs(&better), prior);
        prop_assert!(after.value > before.value);
        prop_assert!(after.low < after.value && after.value < after.high);
    }

    #[test]
    fn a_mean_is_within_its_interval(values in prop::collection::vec(-50.0..50.0, 1..40)) {
        let Estimate { value, low, high } = mean_estimate(&values, 1.0);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        prop_assert!((value - mean).abs() < 1e-9);
        prop_assert!(low < value && value < high);
        // More alike observations leave less doubt.
        let again: Vec<f64> = values.iter().chain(&values).copied().collect();
        let twice = mean_estimate(&again, 1.0);
        prop_assert!(twice.high - twice.low < high - low);
    }

    #[test]
    fn a_share_is_within_its_interval(count in 0_u32..50, more in 0_u32..50) {
        let all = f64::from(count + more);
        let share = if all > 0.0 { f64::from(count) / all } else { 0.5 };
        let Estimate { low, high, .. } = share_estimate(share, all);
        prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
        prop_assert!(high > low);
    }
}
