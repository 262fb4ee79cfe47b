//! Confidence intervals.

use kalah_lab::ConfidenceInterval;

fn assert_near(interval: Option<ConfidenceInterval>, low: f64, high: f64) {
    let is_near = |a: f64, b: f64| (a - b).abs() < 5e-4;
    assert!(
        interval.is_some_and(|found| is_near(found.low, low) && is_near(found.high, high)),
        "{interval:?}"
    );
}

#[test]
fn proportions_have_wilsons_interval() {
    // From the tables of R. Newcombe (1998): 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    assert_near(ConfidenceInterval::for_proportion(81, 263), 0.2553, 0.3662);
    assert_near(ConfidenceInterval::for_proportion(15, 148), 0.0624, 0.1605);
    assert_near(ConfidenceInterval::for_proportion(0, 20), 0.0, 0.1611);
    assert_near(ConfidenceInterval::for_proportion(1, 29), 0.0061, 0.1718);
    assert_eq!(ConfidenceInterval::for_proportion(0, 0), None);
}

#[test]
fn medians_lie_between_two_values() {
    let values = |count: u32| (1..=count).map(f64::from);
    // The ranks of the usual tables.
    assert_near(ConfidenceInterval::for_median(values(6)), 1.0, 6.0);
    assert_near(ConfidenceInterval::for_median(values(20)), 6.0, 15.0);
    assert_near(ConfidenceInterval::for_median(values(50)), 18.0, 33.0);
    assert_eq!(ConfidenceInterval::for_median(values(5)), None);
    assert_eq!(ConfidenceInterval::for_median([]), None);
}

#[test]
fn means_have_students_interval() {
    // Logarithms 0, 1 and 2: 1 +- 4.3027 / sqrt 3.
    let values = [0.0, 1.0, 2.0].map(f64::exp);
    let found = ConfidenceInterval::for_geometric_mean(values);
    let logarithms =
        found.map(|found| ConfidenceInterval { low: found.low.ln(), high: found.high.ln() });
    assert_near(logarithms, 1.0 - 2.4841, 1.0 + 2.4841);
    assert_eq!(ConfidenceInterval::for_geometric_mean([1.0]), None);

    // Equal denominators: the interval of the mean of 1, 2 and 3 halves.
    let pairs = [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)];
    assert_near(ConfidenceInterval::for_ratio(&pairs), 1.0 - 1.2421, 1.0 + 1.2421);
    assert_near(ConfidenceInterval::for_ratio(&[(1.0, 2.0), (2.0, 4.0)]), 0.5, 0.5);
    assert_eq!(ConfidenceInterval::for_ratio(&[(0.0, 0.0); 3]), None);
    assert_eq!(ConfidenceInterval::for_ratio(&[(1.0, 2.0)]), None);
}
