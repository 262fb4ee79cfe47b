//! The scale of an axis: its range, its ticks and their labels.

use std::ops::Range;

use kalah_command::table::grouped;

/// Places on an axis are values, or the decimal logarithms of values.
pub(super) struct AxisScale {
    is_logarithmic: bool,
    range: Range<f64>,
    /// Places and labels.
    pub ticks: Vec<(f64, String)>,
    /// Places between them, of logarithmic axes alone.
    pub minor_ticks: Vec<f64>,
}

/// Space beyond the outermost values, as a part of the range.
const MARGIN: f64 = 0.04;

/// Labels from here on have commas.
const LONG: f64 = 10_000.0;

/// An axis of at most this number of powers of ten has labels at the multiples 2 and 5.
const FEW_DECADES: f64 = 2.0;

/// Prefixes of the powers of 1000.
const PREFIXES: [&str; 5] = ["", "k", "M", "G", "T"];

impl AxisScale {
    /// A scale for values, with about `max_ticks` ticks at most. `has_base` begins the axis at 0, without
    /// space below. Infinite values, and values up to 0 on a logarithmic axis, lie at the ends.
    pub(super) fn new(
        values: impl IntoIterator<Item = f64>,
        is_logarithmic: bool,
        has_base: bool,
        max_ticks: usize,
    ) -> AxisScale {
        let is_shown = |value: &f64| value.is_finite() && (!is_logarithmic || *value > 0.0);
        let values: Vec<f64> = values.into_iter().filter(is_shown).collect();
        let are_whole = values.iter().all(|value| value.fract() == 0.0);
        let places = values.into_iter().map(|value| place(value, is_logarithmic));
        let span = span(places);
        let margin = MARGIN * (span.end - span.start);
        let start = if has_base { span.start } else { span.start - margin };
        let range = start..span.end + margin;
        let (ticks, minor_ticks) = if is_logarithmic {
            logarithmic_ticks(&range, max_ticks)
        } else {
            (linear_ticks(&range, are_whole, max_ticks), Vec::new())
        };
        AxisScale { is_logarithmic, range, ticks, minor_ticks }
    }

    /// The scale of rows from the first at the end to the last at the start of the axis.
    pub(super) fn of_rows(rows: usize) -> AxisScale {
        let range = -(rows as f64) + 0.5..0.5;
        AxisScale { is_logarithmic: false, range, ticks: Vec::new(), minor_ticks: Vec::new() }
    }

    /// Where a value lies, from 0 at the start to 1 at the end.
    pub(super) fn share(&self, value: f64) -> f64 {
        self.share_of_place(place(value, self.is_logarithmic))
    }

    /// The same for a place.
    pub(super) fn share_of_place(&self, place: f64) -> f64 {
        ((place - self.range.start) / (self.range.end - self.range.start)).clamp(0.0, 1.0)
    }
}

fn place(value: f64, is_logarithmic: bool) -> f64 {
    if is_logarithmic { value.max(f64::MIN_POSITIVE).log10() } else { value }
}

/// The range from the minimum to the maximum value, never empty.
fn span(values: impl Iterator<Item = f64>) -> Range<f64> {
    let none = f64::INFINITY..f64::NEG_INFINITY;
    let span = values.fold(none, |span, value| span.start.min(value)..span.end.max(value));
    if span.start < span.end {
        span
    } else if span.start.is_finite() {
        span.start - 0.5..span.end + 0.5
    } else {
        0.0..1.0
    }
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten; of 1 at least if all values are whole.
fn linear_ticks(range: &Range<f64>, are_whole: bool, max_ticks: usize) -> Vec<(f64, String)> {
    let shortest = (range.end - range.start) / max_ticks.max(1) as f64;
    let power = 10_f64.powf(shortest.log10().floor());
    let step =
        [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|&step| step >= shortest);
    let step = step.unwrap_or(10.0 * power);
    let step = if are_whole { step.max(1.0) } else { step };
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let first = (range.start / step).ceil() as i64;
    let last = (range.end / step).floor() as i64;
    // Not "-0".
    let ticks = (first..=last).map(|number| number as f64 * step + 0.0);
    ticks.map(|value| (value, number_text(value, decimals))).collect()
}

fn number_text(value: f64, decimals: usize) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let value = value.abs();
    let digits = if value >= LONG { grouped(value as u64) } else { format!("{value:.decimals$}") };
    format!("{sign}{digits}")
}

/// Ticks at powers of ten and smaller ones at their multiples; in a range of few powers the smaller ones at 2
/// and 5 have labels too.
fn logarithmic_ticks(range: &Range<f64>, max_ticks: usize) -> (Vec<(f64, String)>, Vec<f64>) {
    let powers = range.start.floor() as i32..=range.end.ceil() as i32;
    let decades = range.end - range.start;
    let step = (decades / max_ticks.max(1) as f64).ceil().max(1.0) as i32;
    let is_inside = |place: &f64| range.contains(place);
    let mut ticks = Vec::new();
    let mut minor = Vec::new();
    for power in powers {
        for digit in 1..10 {
            let place = f64::from(power) + f64::from(digit).log10();
            if !is_inside(&place) {
                continue;
            }
            let is_major = match digit {
                1 => power.rem_euclid(step) == 0,
                2 | 5 => decades <= FEW_DECADES && 3.0 * decades <= max_ticks as f64,
                _ => false,
            };
            if is_major {
                ticks.push((place, power_text(digit, power)));
            } else if step == 1 || digit == 1 {
                minor.push(place);
            }
        }
    }
    (ticks, minor)
}

/// A digit times a power of ten, as in `200`, `5k` or `0.01`.
fn power_text(digit: i32, power: i32) -> String {
    let prefix = usize::try_from(power / 3).ok().and_then(|third| PREFIXES.get(third));
    match prefix {
        Some(prefix) if power >= 0 => {
            format!("{digit}{}{prefix}", "0".repeat(power as usize % 3))
        }
        _ if (-3..0).contains(&power) => {
            format!("{:.*}", -power as usize, f64::from(digit) * 10_f64.powi(power))
        }
        _ => format!("{digit}e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: [f64; 2], is_logarithmic: bool) -> Vec<String> {
        let scale = AxisScale::new(values, is_logarithmic, false, 6);
        scale.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_alike() {
        assert_eq!(labels([2.0, 6.0], false), ["2", "3", "4", "5", "6"]);
        assert_eq!(labels([0.55, 0.74], false), ["0.55", "0.60", "0.65", "0.70"]);
        assert_eq!(labels([-20.5, 20.0], false), ["−20", "−10", "0", "10", "20"]);
        assert_eq!(labels([0.0, 40_000.0], false), ["0", "10,000", "20,000", "30,000", "40,000"]);
        // Between whole numbers there is nothing to name.
        assert_eq!(labels([3.0, 4.0], false), ["3", "4"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(labels([1.0, 1e5], true), ["1", "10", "100", "1k", "10k", "100k"]);
        assert_eq!(labels([20.0, 90.0], true), ["20", "50"]);
        assert_eq!(labels([0.02, 0.8], true), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels([1.0, 1e16], true), ["1", "1k", "1M", "1G", "1T", "1e15"]);
        let scale = AxisScale::new([1.0, 1000.0], true, false, 6);
        assert_eq!(scale.minor_ticks.len(), 2 + 3 * 8);
        assert!((scale.share(f64::INFINITY) - 1.0).abs() < 1e-9 && scale.share(0.0) == 0.0);
    }

    #[test]
    fn any_values_have_a_scale() {
        for values in [vec![], vec![f64::NAN, f64::INFINITY], vec![3.0], vec![-1.0, 0.0]] {
            for is_logarithmic in [false, true] {
                let scale = AxisScale::new(values.iter().copied(), is_logarithmic, false, 6);
                assert!(scale.range.start < scale.range.end, "{values:?}");
                assert!((0.0..=1.0).contains(&scale.share(3.0)));
            }
        }
    }
}
