//! How values are distributed.

/// Counts of whole numbers, in bars of the same width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// How many numbers a bar takes.
    pub width: i64,
    /// The middle of each bar and its count, from the least to the greatest, empty ones among
    /// them. A bar of even width takes one number more below its middle than above.
    pub bars: Vec<(i64, u64)>,
}

impl Histogram {
    /// More bars than these are not drawn.
    const MOST_BARS: i64 = 60;

    /// Counts values. When all are even, as margins are whose seeds can be halved, so is the width:
    /// no bar is empty for want of odd ones. It is an odd multiple then, and bars lie evenly
    /// about 0.
    pub fn new(values: impl IntoIterator<Item = i64>) -> Histogram {
        let values: Vec<i64> = values.into_iter().collect();
        let step = if values.iter().all(|value| value % 2 == 0) { 2 } else { 1 };
        let (Some(&least), Some(&greatest)) = (values.iter().min(), values.iter().max()) else {
            return Histogram { width: step, bars: Vec::new() };
        };
        let fewest_steps = (greatest - least) / (step * Self::MOST_BARS) + 1;
        let width = step * (fewest_steps | 1);
        let bar = |value: i64| (value + width / 2).div_euclid(width);
        let middles = (bar(least)..=bar(greatest)).map(|bar| bar * width);
        let mut bars: Vec<(i64, u64)> = middles.map(|middle| (middle, 0)).collect();
        for value in values {
            bars[(bar(value) - bar(least)) as usize].1 += 1;
        }
        Histogram { width, bars }
    }
}
