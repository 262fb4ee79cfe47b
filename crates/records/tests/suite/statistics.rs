//! The statistics of the arena: against figures of others, under simulation, and by their laws.

// What is zero, a half or infinite by its definition is so to the last bit.
#![allow(clippy::float_cmp)]

use std::array;

use crate::runs::runs;
use kalah_records::SettingsError;
use kalah_records::commands::{estimate, margin};
use kalah_records::statistics::{
    Anchor, DavidsonRatings, Encounter, Estimate, Hypothesis, Pentanomial, Ratings, Sprt,
    SprtModel, Wdl,
};
use proptest::prelude::*;

const EVERYTHING: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The test of fastchess's figures, which come with risks of 0.05.
fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
    format!("elo0={elo0} elo1={elo1} model={model}").parse().unwrap()
}

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

/// `app/tests/elo_test.cpp` of fastchess (github.com/Disservin/fastchess), its cases
/// "`EloPentanomial`": normalised Elo, Elo, half the widths of their intervals, likelihood of
/// superiority in percent, score. Its counts of 2 draws and of win and loss are one here.
#[test]
fn elo_of_fastchess() {
    for (counts, normalized, elo, superiority, score) in [
        ([34, 54, 31 + 32, 64, 75], (57.94, 28.28), (55.58, 27.65), 100.00, 0.579),
        ([332, 433, 457 + 41, 333, 334], (-9.17, 10.96), (-8.64, 10.33), 5.05, 0.488),
        ([7895, 8757, 5485 + 200, 568, 9999], (-19.01, 2.65), (-21.04, 2.95), 0.00, 0.470),
    ] {
        let results = Pentanomial(counts);
        let half = |estimate: Estimate| (estimate.high - estimate.low) / 2.0;
        assert_near(results.normalized_elo().value, normalized.0, 0.005);
        assert_near(half(results.normalized_elo()), normalized.1, 0.005);
        assert_near(results.elo().value, elo.0, 0.005);
        assert_near(half(results.elo()), elo.1, 0.005);
        assert_near(100.0 * results.likelihood_of_superiority(), superiority, 0.005);
        assert_near(results.score(), score, 0.0005);
    }
}

/// `app/tests/sprt_test.cpp` of fastchess, its cases for pentanomial counts.
#[test]
fn log_likelihood_ratios_of_fastchess() {
    use SprtModel::{Logistic, Normalized};
    for (counts, model, elo0, elo1, llr) in [
        ([365, 16618, 36029 + 200, 16974, 390], Normalized, 0.0, 2.0, 2.25),
        ([127, 4883, 10311 + 401, 5150, 104], Normalized, -1.75, 0.25, 3.01),
        ([223, 9863, 20279 + 1000, 10037, 246], Logistic, 0.5, 2.5, -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], Logistic, 0.0, 2.0, -4.98),
    ] {
        assert_near(sprt(elo0, elo1, model).llr(&Pentanomial(counts)), llr, 0.005);
    }
}

/// In fastchess's case of wins only the last figure depends on where the search for the likeliest
/// distribution ends; fastchess tests to 1 %.
#[test]
fn log_likelihood_ratio_of_wins_only() {
    let llr = sprt(0.0, 5.0, SprtModel::Normalized).llr(&Pentanomial([0, 0, 0, 0, 5550]));
    assert_near(llr, 111.82, 0.03);
}

#[test]
fn scores_and_variances() {
    let games = Wdl { wins: 76, draws: 123, losses: 89 };
    assert_eq!(games.games(), 288);
    assert_near(games.score(), 0.4774, 0.0001);
    let pairs = Pentanomial([1, 0, 0, 0, 1]);
    assert_eq!((pairs.pairs(), pairs.score(), pairs.variance()), (2, 0.5, 0.25));
    assert_eq!((Wdl::default().score(), Pentanomial::default().variance()), (0.5, 0.0));
}

#[test]
fn what_is_rounded_to_0_has_no_minus() {
    let noise = Estimate { value: -3.3e-14, low: -0.0499, high: -0.0 };
    assert_eq!(estimate(&noise), "+0.0 [+0.0, +0.0]");
    let small = Estimate { value: -0.06, low: f64::NEG_INFINITY, high: 0.04 };
    assert_eq!(estimate(&small), "-0.1 [-inf, +0.0]");
    assert_eq!([-0.0049, -0.0051].map(|mean| margin(Some(mean))), ["+0.00", "-0.01"]);
}

#[test]
fn nothing_is_known_without_pairs() {
    let none = Pentanomial::default();
    for estimate in [none.elo(), none.normalized_elo()] {
        assert_eq!((estimate.low, estimate.high), EVERYTHING);
        assert_eq!(estimate.value, 0.0);
    }
    assert_eq!(none.likelihood_of_superiority(), 0.5);
    for model in MODELS {
        assert_eq!(sprt(1.0, 2.0, model).llr(&none), 0.0);
        assert_eq!(sprt(1.0, 2.0, model).verdict(&none), None);
    }
}

#[test]
fn pairs_that_are_alike_prove_more_the_more_there_are() {
    let drawn = |pairs| Pentanomial([0, 0, pairs, 0, 0]);
    assert!(drawn(1).elo().high > 400.0);
    assert_near(drawn(1000).elo().high, 1.28, 0.01);
    assert_near(drawn(1000).elo().low, -1.28, 0.01);
    assert_eq!(drawn(1000).likelihood_of_superiority(), 0.5);
    let won = |pairs| Pentanomial([0, 0, 0, 0, pairs]);
    assert_eq!(won(4).elo().value, f64::INFINITY);
    assert_eq!(won(4).elo().high, f64::INFINITY);
    // 39 in 40 odds that a coin would not have done it: 1/2^6 is below 1/40, 1/2^5 is not.
    assert!(won(5).elo().low < 0.0 && won(6).elo().low > 0.0);
    assert!(won(4).likelihood_of_superiority() < 0.975);
    assert!(won(5).likelihood_of_superiority() > 0.975);
    assert_eq!(won(5).normalized_elo().value, f64::INFINITY);
}

#[test]
fn bounds_are_walds() {
    let (lower, upper) = "elo0=0 elo1=5".parse::<Sprt>().unwrap().bounds();
    assert_near(lower, -2.944, 0.001);
    assert_near(upper, 2.944, 0.001);
    let (lower, upper) = "elo0=0 elo1=5 alpha=0.1 beta=0.02".parse::<Sprt>().unwrap().bounds();
    assert_near(lower, (0.02_f64 / 0.9).ln(), 1e-12);
    assert_near(upper, (0.98_f64 / 0.1).ln(), 1e-12);
}

#[test]
fn tests_are_written_as_they_are_read() {
    let sprt: Sprt = "model=logistic elo1=5.5 elo0=-1".parse().unwrap();
    let text = "elo0=-1 elo1=5.5 alpha=0.05 beta=0.05 model=logistic";
    assert_eq!(sprt.to_string(), text);
    assert_eq!(text.parse(), Ok(sprt));
    let plain: Sprt = "elo0=0 elo1=5".parse().unwrap();
    assert!(plain.to_string().ends_with("alpha=0.05 beta=0.05 model=normalized"));
}

#[test]
fn tests_that_make_no_sense_are_refused() {
    for (text, complaint) in [
        ("elo0=0", "a sequential test needs both elo0=… and elo1=…"),
        ("elo1=0", "a sequential test needs both elo0=… and elo1=…"),
        ("elo0=5 elo1=5", "'elo1' takes a number above elo0, 5, not '5'"),
        ("elo0=5 elo1=0", "'elo1' takes a number above elo0, 5, not '0'"),
        ("elo0=x elo1=0", "'elo0' takes a number from -1000 to 1000, not 'x'"),
        ("elo0=NaN elo1=0", "'elo0' takes a number from -1000 to 1000, not 'NaN'"),
        ("elo0=0 elo1=inf", "'elo1' takes a number from -1000 to 1000, not 'inf'"),
        ("elo0=0 elo1=5 alpha=0", "'alpha' takes a number between 0 and 0.5, not '0'"),
        ("elo0=0 elo1=5 beta=0.5", "'beta' takes a number between 0 and 0.5, not '0.5'"),
        ("elo0=0 elo1=5 beta=nan", "'beta' takes a number between 0 and 0.5, not 'nan'"),
        ("elo0=0 elo1=5 model=Elo", "'model' takes normalized or logistic, not 'Elo'"),
        (
            "elo0=0 elo1=5 gamma=1",
            "unknown key 'gamma', expected one of elo0, elo1, alpha, beta, model",
        ),
        ("elo0=0 elo0=1", "'elo0' is given twice"),
        ("0 5", "'0' is not of the form key=value, expected one of elo0, elo1, alpha, beta, model"),
    ] {
        let error: SettingsError = text.parse::<Sprt>().unwrap_err();
        assert_eq!(error.to_string(), complaint, "{text}");
    }
}

/// Results as matches of engines have them, the stronger the first player the further to the right.
const TYPICAL: [f64; 5] = [0.05, 0.2, 0.4, 0.25, 0.1];

/// [`TYPICAL`] with weights that grow from loss to win such that the distribution has `property`,
/// which grows with them.
fn tilted(property: impl Fn(f64, f64) -> f64, wanted: f64) -> [f64; 5] {
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let tilt = f64::midpoint(low, high);
        let (mean, deviation) = moments(&tilted_by(tilt));
        if property(mean, deviation) < wanted { low = tilt } else { high = tilt }
    }
    tilted_by(low)
}

fn tilted_by(tilt: f64) -> [f64; 5] {
    let weights: [f64; 5] = array::from_fn(|i| TYPICAL[i] * (tilt * i as f64).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Of the score of a pair.
fn moments(probabilities: &[f64; 5]) -> (f64, f64) {
    let moment =
        |power| -> f64 { (0..5).map(|i| probabilities[i] * (0.25 * i as f64).powi(power)).sum() };
    (moment(1), (moment(2) - moment(1).powi(2)).sqrt())
}

/// Results that two players have who differ by `elo` under a model.
fn results_at(elo: f64, model: SprtModel) -> [f64; 5] {
    match model {
        SprtModel::Logistic => tilted(|mean, _| mean, expected(elo)),
        SprtModel::Normalized => {
            let unit = 800.0 / 10_f64.ln() / 2_f64.sqrt();
            tilted(|mean, deviation| unit * (mean - 0.5) / deviation, elo)
        }
    }
}

fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The index of a result.
fn draw(probabilities: &[f64; 5], random: &mut fastrand::Rng) -> usize {
    let mut left = random.f64();
    let chosen = probabilities.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    chosen.unwrap_or(4)
}

/// With 1,000 matches a rate of 5 % has a standard error of 0.7 %; four of them are allowed for.
#[test]
fn verdicts_are_wrong_as_rarely_as_promised() {
    const MOST_PAIRS: usize = 100_000;
    let matches = runs(60, 1000);
    for model in MODELS {
        let sprt = sprt(0.0, 60.0, model);
        for (elo, wrong) in [(0.0, Hypothesis::H1), (60.0, Hypothesis::H0)] {
            let probabilities = results_at(elo, model);
            let mut random = fastrand::Rng::with_seed(2026);
            let (mut errors, mut pairs) = (0, 0);
            for _ in 0..matches {
                let mut results = Pentanomial::default();
                let verdict = (0..MOST_PAIRS).find_map(|_| {
                    results.0[draw(&probabilities, &mut random)] += 1;
                    sprt.verdict(&results)
                });
                errors += usize::from(verdict.unwrap() == wrong);
                pairs += results.pairs();
            }
            let rate = errors as f64 / matches as f64;
            println!("{model}, {elo}: {rate} wrong, {pairs} pairs");
            assert!(rate <= 0.05 + 4.0 * (0.05 * 0.95 / matches as f64).sqrt());
        }
    }
}

/// All players against each other, `pairs` pairs each, as their ratings let expect.
fn tournament(ratings: &[f64], pairs: usize, random: &mut fastrand::Rng) -> Vec<Encounter> {
    let mut encounters = Vec::new();
    for second in 0..ratings.len() {
        for first in 0..second {
            let difference = ratings[first] - ratings[second];
            let probabilities = results_at(difference, SprtModel::Logistic);
            let mut results = Pentanomial::default();
            for _ in 0..pairs {
                results.0[draw(&probabilities, random)] += 1;
            }
            encounters.push(Encounter { players: [first, second], results });
        }
    }
    encounters
}

#[test]
fn ratings_find_those_that_made_the_results() {
    let truth = [210.0, 80.0, 20.0, -40.0, -90.0, -180.0];
    let mut random = fastrand::Rng::with_seed(7);
    let (mut held, mut all, mut squares) = (0, 0, 0.0);
    for _ in 0..200 {
        let ratings = Ratings::new(truth.len(), &tournament(&truth, 40, &mut random), None);
        assert!(ratings.determined);
        for (estimate, truth) in ratings.players.iter().zip(truth) {
            held += usize::from((estimate.low..=estimate.high).contains(&truth));
            squares += ((estimate.value - truth) / (estimate.high - estimate.value)).powi(2);
            all += 1;
        }
    }
    let rate = held as f64 / all as f64;
    println!("intervals that held the truth: {rate}, {}", (squares / all as f64).sqrt() * 1.96);
    assert!((0.93..=0.98).contains(&rate), "{rate}");
}

#[test]
fn with_many_games_the_ratings_are_those_of_the_players() {
    let truth = [300.0, 0.0, -100.0, -200.0];
    let encounters = tournament(&truth, 100_000, &mut fastrand::Rng::with_seed(1));
    let ratings = Ratings::new(truth.len(), &encounters, None);
    for (estimate, truth) in ratings.players.iter().zip(truth) {
        assert_near(estimate.value, truth, 3.0);
        assert!(estimate.high - estimate.low < 3.0);
    }
}

#[test]
fn an_anchor_has_its_rating_and_the_others_their_distance_from_it() {
    let encounters = tournament(&[150.0, 0.0, -150.0], 50, &mut fastrand::Rng::with_seed(3));
    let free = Ratings::new(3, &encounters, None).players;
    let games = |&Encounter { players, results }: &Encounter| {
        let [losses, _, draws, _, wins] = results.0;
        Encounter { players, results: Wdl { wins, draws, losses } }
    };
    let games: Vec<_> = encounters.iter().map(games).collect();
    for player in 0..3 {
        let anchor = Some(Anchor { player, rating: 2000.0 });
        let likely = Ratings::new(3, &encounters, anchor).players;
        let bayesian = DavidsonRatings::new(3, &games, anchor).players;
        for ratings in [&likely, &bayesian] {
            let Estimate { value, low, high } = ratings[player];
            assert_eq!([value, low, high], [2000.0; 3]);
        }
        for (anchored, free_one) in likely.iter().zip(&free) {
            assert_near(anchored.value - 2000.0, free_one.value - free[player].value, 1e-6);
        }
    }
    // Of two players, the distance from the other is twice that from the mean, with its error.
    let encounters = [Encounter { players: [0, 1], results: Pentanomial([3, 9, 20, 14, 4]) }];
    let free = Ratings::new(2, &encounters, None).players[0];
    let anchor = Some(Anchor { player: 1, rating: 0.0 });
    let anchored = Ratings::new(2, &encounters, anchor).players[0];
    assert_near(anchored.value, 2.0 * free.value, 1e-6);
    assert_near(anchored.high - anchored.low, 2.0 * (free.high - free.low), 1e-6);
}

/// Games that are independent say in pairs what they say alone.
#[test]
fn games_that_count_alone_are_tested_as_pairs_of_independent_games() {
    let games = Wdl { wins: 5_200, draws: 2_400, losses: 4_800 };
    let total = games.games() as f64;
    let [loss, draw, win] = [games.losses, games.draws, games.wins].map(|n| n as f64 / total);
    let pairs = [
        loss * loss,
        2.0 * loss * draw,
        draw * draw + 2.0 * loss * win,
        2.0 * draw * win,
        win * win,
    ];
    let pairs = Pentanomial(pairs.map(|share| (share * total / 2.0).round() as u64));
    assert_near(games.strength().elo.value, pairs.elo().value, 0.05);
    assert_near(games.strength().elo.low, pairs.elo().low, 0.05);
    assert_near(games.strength().normalized_elo.value, pairs.normalized_elo().value, 0.05);
    assert_near(games.strength().normalized_elo.high, pairs.normalized_elo().high, 0.05);
    let [alone, paired] =
        [games.strength().likelihood_of_superiority, pairs.likelihood_of_superiority()];
    assert_near(alone, paired, 1e-4);
    for model in ["logistic", "normalized"] {
        let sprt: Sprt = format!("elo0=0 elo1=10 model={model}").parse().unwrap();
        let (alone, paired) = (sprt.llr_of_games(&games), sprt.llr(&pairs));
        assert!(alone > 1.0);
        assert_near(alone, paired, 0.02 * paired);
    }
}

/// The likelihood ratio of three results, against the best of many distributions of a given mean.
#[test]
fn the_ratio_of_games_is_that_of_the_likeliest_distributions() {
    let games = Wdl { wins: 60, draws: 30, losses: 40 };
    let sprt: Sprt = "elo0=-20 elo1=80 model=logistic".parse().unwrap();
    let best = |elo: f64| {
        let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let likelihood = |draw: f64| {
            let win = mean - draw / 2.0;
            60.0 * win.ln() + 30.0 * draw.ln() + 40.0 * (1.0 - draw - win).ln()
        };
        (1..10_000).map(|draw| likelihood(f64::from(draw) / 10_000.0)).fold(f64::MIN, f64::max)
    };
    assert_near(sprt.llr_of_games(&games), best(80.0) - best(-20.0), 1e-4);
    assert_eq!(sprt.llr_of_games(&Wdl::default()), 0.0);
}

#[test]
fn who_drew_against_all_is_rated_their_mean() {
    let mut encounters =
        vec![Encounter { players: [0, 1], results: Pentanomial([10, 20, 30, 40, 50]) }];
    let before = Ratings::new(2, &encounters, None);
    for player in [0, 1] {
        let results = Pentanomial([0, 0, 20, 0, 0]);
        encounters.push(Encounter { players: [2, player], results });
    }
    let after = Ratings::new(3, &encounters, None);
    assert_near(after.players[2].value, 0.0, 1e-6);
    assert!(0.0 < after.players[0].value && after.players[0].value < before.players[0].value);
    assert!(after.players[2].low < -5.0 && after.players[2].high > 5.0);
}

#[test]
fn undetermined_ratings_say_so() {
    let won = |players| Encounter { players, results: Pentanomial([0, 0, 0, 0, 10]) };
    let even = |players| Encounter { players, results: Pentanomial([0, 3, 4, 3, 0]) };
    for (players, encounters, determined) in [
        (0, vec![], true),
        (1, vec![], true),
        (2, vec![], false),
        (2, vec![won([0, 1])], false),
        (2, vec![even([0, 1])], true),
        (3, vec![won([0, 1]), won([1, 2]), won([2, 0])], true),
        (3, vec![won([0, 1]), won([1, 2]), won([0, 2])], false),
        (3, vec![even([0, 1])], false),
        (4, vec![even([0, 1]), even([2, 3])], false),
        (4, vec![even([0, 1]), even([2, 3]), won([0, 2])], false),
        (4, vec![even([0, 1]), even([2, 3]), won([0, 2]), won([3, 1])], true),
    ] {
        let ratings = Ratings::new(players, &encounters, None);
        assert_eq!(ratings.determined, determined, "{encounters:?}");
        assert_eq!(ratings.players.len(), players);
        assert_eq!(ratings, Ratings::new(players, &encounters, None));
        let mean: f64 = ratings.players.iter().map(|player| player.value).sum();
        assert_near(mean, 0.0, 1e-6);
    }
    let order = Ratings::new(3, &[won([0, 1]), won([1, 2])], None).players;
    assert!(order[0].value > 200.0 && order[2].value < -200.0);
    assert_near(order[1].value, 0.0, 1e-6);
    assert!(order.iter().all(|player| player.high - player.low > 400.0), "{order:?}");
}

#[test]
#[should_panic = "no player 2"]
fn players_that_do_not_exist_are_not_rated() {
    Ratings::new(2, &[Encounter { players: [0, 2], results: Pentanomial::default() }], None);
}

const MODELS: [SprtModel; 2] = [SprtModel::Logistic, SprtModel::Normalized];

fn models() -> impl Strategy<Value = SprtModel> {
    prop::sample::select(&MODELS[..])
}

/// Counts of all sizes, many of them 0.
fn results() -> impl Strategy<Value = Pentanomial> {
    let count = prop_oneof![3 => Just(0), 3 => 1..=5_u64, 3 => 1..=500_u64, 1 => 1..=1_000_000_u64];
    prop::array::uniform5(count).prop_map(Pentanomial)
}

/// Two differences, the lower one first.
fn hypotheses() -> impl Strategy<Value = (f64, f64)> {
    let elo = || prop_oneof![3 => -20.0..20.0, 1 => -1000.0..=1000.0];
    (elo(), elo())
        .prop_filter("different", |(one, other): &(f64, f64)| (one - other).abs() > 0.01)
        .prop_map(|(one, other): (f64, f64)| (one.min(other), one.max(other)))
}

/// Whether two sums of so many logarithms are equal but for rounding.
fn agree(left: f64, right: f64, results: &Pentanomial, precision: f64) -> bool {
    (left - right).abs() <= precision * (1.0 + results.pairs() as f64 + left.abs())
}

proptest! {
    #[test]
    fn seen_from_the_other_side_all_is_reversed(
        results in results(), model in models(), (elo0, elo1) in hypotheses(),
    ) {
        let other = results.reversed();
        let llr = sprt(elo0, elo1, model).llr(&results);
        prop_assert!(llr.is_finite());
        let reversed = sprt(-elo1, -elo0, model).llr(&other);
        prop_assert!(agree(llr, -reversed, &results, 1e-8), "{llr} {reversed}");
        let superiority = results.likelihood_of_superiority();
        prop_assert!((superiority + other.likelihood_of_superiority() - 1.0).abs() < 1e-9);
        prop_assert!((results.score() + other.score() - 1.0).abs() < 1e-9);
        prop_assert!((results.variance() - other.variance()).abs() < 1e-9);
    }

    #[test]
    fn estimates_lie_within_their_intervals(results in results()) {
        for estimate in [results.elo(), results.normalized_elo()] {
            let Estimate { value, low, high } = estimate;
            prop_assert!(low <= value && value <= high, "{estimate:?}");
            prop_assert!(low < high, "{estimate:?}");
            prop_assert_eq!(value > 0.0, results.score() > 0.5);
        }
        let superiority = results.likelihood_of_superiority();
        prop_assert!((0.0..=1.0).contains(&superiority));
    }

    /// By the theory the ratio of likeliest distributions with different means is monotone.
    #[test]
    fn more_points_speak_for_the_stronger(
        counts in prop::array::uniform5(2..=500_u64), from in 0..4_usize, (elo0, elo1) in hypotheses(),
    ) {
        let sprt = sprt(elo0, elo1, SprtModel::Logistic);
        let before = sprt.llr(&Pentanomial(counts));
        let mut better = counts;
        better[from] -= 1;
        better[from + 1] += 1;
        prop_assert!(sprt.llr(&Pentanomial(better)) >= before - 1e-7);
        better = counts;
        better[4] += 1;
        prop_assert!(sprt.llr(&Pentanomial(better)) >= before - 1e-7);
    }

    /// The likelihood under a hypothesis does not depend on the other one.
    #[test]
    fn ratios_add_up(
        results in results(), model in models(), (elo0, elo1) in hypotheses(), part in 0.1..0.9,
    ) {
        let between = elo0 + part * (elo1 - elo0);
        let [lower, upper, both] = [(elo0, between), (between, elo1), (elo0, elo1)]
            .map(|(elo0, elo1)| sprt(elo0, elo1, model).llr(&results));
        prop_assert!(agree(lower + upper, both, &results, 1e-12));
    }

    /// No hypothesis is likelier than what was measured.
    #[test]
    fn results_speak_for_what_was_measured(
        counts in prop::array::uniform5(1..=500_u64), model in models(), off in 5.0..200.0,
    ) {
        let results = Pentanomial(counts);
        let measured = match model {
            SprtModel::Logistic => results.elo().value,
            SprtModel::Normalized => results.normalized_elo().value,
        };
        prop_assume!(measured.abs() < 800.0);
        prop_assert!(sprt(measured - off, measured, model).llr(&results) > 0.0);
        prop_assert!(sprt(measured, measured + off, model).llr(&results) < 0.0);
    }

    #[test]
    fn ratings_of_two_players_are_their_elo_difference(
        counts in prop::array::uniform5(1..=1000_u64),
    ) {
        let results = Pentanomial(counts);
        let encounters = [Encounter { players: [1, 0], results }];
        let Ratings { players, determined } = Ratings::new(2, &encounters, None);
        prop_assert!(determined);
        let elo = results.elo();
        prop_assert!((players[1].value - players[0].value - elo.value).abs() < 1e-6);
        prop_assert!((players[1].value + players[0].value).abs() < 1e-6);
        let halves: Vec<_> = counts.map(|count| [count / 2, count - count / 2]).into_iter().collect();
        let parts = [0, 1].map(|part| {
            let results = Pentanomial(array::from_fn(|i| halves[i][part]));
            if part == 0 {
                Encounter { players: [1, 0], results }
            } else {
                Encounter { players: [0, 1], results: results.reversed() }
            }
        });
        let in_parts = Ratings::new(2, &parts, None).players;
        prop_assert!((in_parts[0].value - players[0].value).abs() < 1e-6);
        prop_assert!((in_parts[0].low - players[0].low).abs() < 1e-6);
    }

    #[test]
    fn ratings_are_finite_and_in_any_order_the_same(
        results in prop::collection::vec((0..6_usize, 1..6_usize, results()), 0..12),
    ) {
        let mut encounters: Vec<Encounter> = results
            .into_iter()
            .map(|(first, on, results)| Encounter { players: [first, (first + on) % 6], results })
            .collect();
        let ratings = Ratings::new(6, &encounters, None);
        encounters.reverse();
        for encounter in &mut encounters {
            encounter.players.reverse();
            encounter.results = encounter.results.reversed();
        }
        let again = Ratings::new(6, &encounters, None);
        prop_assert_eq!(ratings.determined, again.determined);
        for (one, other) in ratings.players.iter().zip(&again.players) {
            prop_assert!(one.low.is_finite() && one.high.is_finite() && one.low < one.high);
            prop_assert!((one.value - other.value).abs() < 1e-4);
        }
    }
}
