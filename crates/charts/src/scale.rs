//! The scale of an axis: its range, its ticks and their labels.

use kalah_command::table::grouped;

use super::{Axis, drawing::text_width};

/// A position on an axis is a value, or the decimal logarithm of a value.
pub(crate) struct Scale {
    is_logarithmic: bool,
    start: f64,
    end: f64,
    /// Positions and labels; smaller ticks of a logarithmic axis have no label.
    ticks: Vec<(f64, String)>,
}

/// The size of labels in pixels.
pub(crate) const LABEL: i32 = 13;

/// Space beyond the outermost values, as a part of the range.
const MARGIN: f64 = 0.04;

/// Labels from here on have commas.
const LONG: f64 = 10_000.0;

/// An axis of at most this number of powers of ten has labels at the multiples 2 and 5.
const FEW_DECADES: f64 = 2.0;

/// Prefixes of the powers of 1000.
const PREFIXES: [&str; 5] = ["", "k", "M", "G", "T"];

impl Scale {
    /// A scale for values, with about `max_ticks` labels at most. `has_base` begins the axis at 0, without
    /// space below. Infinite values, and values up to 0 on a logarithmic axis, lie at the ends.
    pub(crate) fn new(values: &[f64], axis: &Axis, has_base: bool, max_ticks: usize) -> Scale {
        let is_logarithmic = axis.is_logarithmic;
        let is_shown = |value: &&f64| value.is_finite() && (!is_logarithmic || **value > 0.0);
        let shown = || values.iter().filter(is_shown);
        let positions = || shown().map(|&value| position(value, is_logarithmic));
        let (min, max) = match positions().reduce(f64::min).zip(positions().reduce(f64::max)) {
            Some((min, max)) if min < max => (min, max),
            Some((min, max)) => (min - 0.5, max + 0.5),
            None => (0.0, 1.0),
        };
        let margin = MARGIN * (max - min);
        let (start, end) = (if has_base { min } else { min - margin }, max + margin);
        let ticks = if is_logarithmic {
            logarithmic_ticks(start, end, max_ticks)
        } else {
            let are_whole = shown().all(|value| value.fract() == 0.0);
            linear_ticks(start, end, are_whole, max_ticks)
        };
        Scale { is_logarithmic, start, end, ticks }
    }

    /// A horizontal scale with as many ticks as their labels leave space for in a width in pixels.
    pub(crate) fn horizontal(values: &[f64], axis: &Axis, width: i32) -> Scale {
        let scale = |max_ticks: i32| Scale::new(values, axis, false, max_ticks as usize);
        let fits = |max_ticks: &i32| scale(*max_ticks).widest_label() + LABEL < width / max_ticks;
        scale((1..=width / 42).rev().find(fits).unwrap_or(1))
    }

    /// A scale of rows at 0, 1, 2, … from its end to its start, with their names.
    pub(crate) fn from_rows(names: impl Iterator<Item = String>) -> Scale {
        let ticks: Vec<(f64, String)> = (0_u32..).map(f64::from).zip(names).collect();
        Scale { is_logarithmic: false, start: ticks.len() as f64 - 0.5, end: -0.5, ticks }
    }

    /// The width of the widest label in pixels.
    pub(crate) fn widest_label(&self) -> i32 {
        self.ticks.iter().map(|(_, label)| text_width(label, LABEL)).max().unwrap_or(0)
    }

    /// Where a value lies, from 0 at the start to 1 at the end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        self.share_of_position(position(value, self.is_logarithmic))
    }

    /// The ticks: where they lie, as [`share`](Scale::share) says it, and their labels.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (f64, &str)> {
        self.ticks.iter().map(|(position, label)| (self.share_of_position(*position), &**label))
    }

    fn share_of_position(&self, position: f64) -> f64 {
        ((position - self.start) / (self.end - self.start)).clamp(0.0, 1.0)
    }
}

fn position(value: f64, is_logarithmic: bool) -> f64 {
    if is_logarithmic { value.max(f64::MIN_POSITIVE).log10() } else { value }
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten; of 1 at least if all values are whole.
fn linear_ticks(start: f64, end: f64, are_whole: bool, max_ticks: usize) -> Vec<(f64, String)> {
    let shortest = (end - start) / max_ticks.max(1) as f64;
    let power = 10_f64.powf(shortest.log10().floor());
    let step =
        [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|&step| step >= shortest);
    let step = step.unwrap_or(10.0 * power);
    let step = if are_whole { step.max(1.0) } else { step };
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let numbers = (start / step).ceil() as i64..=(end / step).floor() as i64;
    // Not "-0".
    let ticks = numbers.map(|number| number as f64 * step + 0.0);
    ticks.map(|value| (value, number_text(value, decimals))).collect()
}

fn number_text(value: f64, decimals: usize) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let value = value.abs();
    let digits = if value >= LONG { grouped(value as u64) } else { format!("{value:.decimals$}") };
    format!("{sign}{digits}")
}

/// Labels at powers of ten and smaller ticks at their multiples; in a range of few powers those at 2 and 5
/// have labels too.
fn logarithmic_ticks(start: f64, end: f64, max_ticks: usize) -> Vec<(f64, String)> {
    let decades = end - start;
    let step = (decades / max_ticks.max(1) as f64).ceil().max(1.0) as i32;
    let mut ticks = Vec::new();
    for power in start.floor() as i32..=end.ceil() as i32 {
        for digit in 1..10 {
            let position = f64::from(power) + f64::from(digit).log10();
            let has_label = match digit {
                1 => power.rem_euclid(step) == 0,
                2 | 5 => decades <= FEW_DECADES && 3.0 * decades <= max_ticks as f64,
                _ => false,
            };
            if (start..end).contains(&position) && (has_label || step == 1 || digit == 1) {
                let label = if has_label { power_text(digit, power) } else { String::new() };
                ticks.push((position, label));
            }
        }
    }
    ticks
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

    fn scale(values: &[f64], is_logarithmic: bool) -> Scale {
        Scale::new(values, &Axis { name: String::new(), is_logarithmic }, false, 6)
    }

    fn labels(values: [f64; 2], is_logarithmic: bool) -> Vec<String> {
        let ticks = scale(&values, is_logarithmic).ticks.into_iter();
        ticks.map(|(_, label)| label).filter(|label| !label.is_empty()).collect()
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
        let scale = scale(&[1.0, 1000.0], true);
        let small = scale.ticks.iter().filter(|(_, label)| label.is_empty());
        assert_eq!(small.count(), 2 + 3 * 8);
        assert!((scale.share(f64::INFINITY) - 1.0).abs() < 1e-9 && scale.share(0.0) == 0.0);
    }

    #[test]
    fn any_values_have_a_scale() {
        for values in [vec![], vec![f64::NAN, f64::INFINITY], vec![3.0], vec![-1.0, 0.0]] {
            for is_logarithmic in [false, true] {
                let scale = scale(&values, is_logarithmic);
                assert!(scale.start < scale.end, "{values:?}");
                assert!((0.0..=1.0).contains(&scale.share(3.0)));
            }
        }
    }
}
