//! The statistics of the arena: against figures of others, under simulation, and by their laws.

use std::array;

use kalah::arena::SettingsError;
use kalah::arena::statistics::{
    Encounter, Estimate, Hypothesis, Pentanomial, Ratings, Sprt, SprtModel, Wdl,
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
        ([0, 0, 0, 0, 5550], Normalized, 0.0, 5.0, 111.82),
        ([223, 9863, 20279 + 1000, 10037, 246], Logistic, 0.5, 2.5, -3.07),
        ([871, 26175, 55003 + 980, 26678, 821], Logistic, 0.0, 2.0, -4.98),
    ] {
        assert_near(sprt(elo0, elo1, model).llr(&Pentanomial(counts)), llr, 0.0051);
    }
}

#[test]
fn probe() {
    let s = sprt(0.0, 5.0, SprtModel::Normalized);
    for counts in [[0, 0, 0, 0, 5550], [20, 150, 500, 250, 80], [1, 0, 0, 0, 0], [0, 0, 1_000_000, 0, 0], [0, 0, 0, 0, 1_000_000], [u64::MAX / 8; 5], [u64::MAX, 0, 0, 0, 0]] {
        for s in [s.clone(), sprt(0., 5., SprtModel::Logistic), sprt(-1000., 1000., SprtModel::Logistic), sprt(-1000., 1000., SprtModel::Normalized), sprt(999., 1000., SprtModel::Normalized), sprt(300., 400., SprtModel::Normalized)] {
            let p = Pentanomial(counts);
            let t = std::time::Instant::now();
            let l = s.llr(&p);
            println!("{s} {counts:?} {l} {:?}", t.elapsed());
        }
    }
    println!("{:?}", Ratings::new(0, &[]));
    println!("{:?}", Ratings::new(1, &[]));
    println!("{:?}", Ratings::new(2, &[]));
    for c in [[10, 20, 30, 20, 15], [0, 0, 10, 0, 0], [0, 0, 0, 0, 10], [0, 0, 0, 0, 1_000_000], [0, 0, 0, 1, 1_000_000]] {
        let e = Encounter { players: [0, 1], results: Pentanomial(c) };
        println!("{:?} {:?}", Ratings::new(2, &[e]), Pentanomial(c).elo());
        println!("{:?} {:?}", Pentanomial(c).normalized_elo(), Pentanomial(c).likelihood_of_superiority());
    }
}
