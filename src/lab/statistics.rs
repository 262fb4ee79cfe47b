//! Averages of ratios and counts.

use statrs::statistics::{Data, OrderStatistics, Statistics};

/// The middle one of some values; `None` when there are none.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() { None } else { Some(Data::new(values).median()) }
}

/// The geometric mean of some positive values; `None` when there are none.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() { None } else { Some(values.geometric_mean()) }
}
