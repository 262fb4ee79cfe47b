//! Branching factors: by what the leaves evaluated are multiplied with every ply.

use linreg::linear_regression_of;
use serde::Serialize;

use super::theory::optimal_rate;
use super::uniform::UniformRow;

/// The branching factor of a search on trees of one width.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branching {
    /// Moves at every position.
    pub width: u32,
    /// The search.
    pub search: &'static str,
    /// The depths it was found from.
    pub depths: (u32, u32),
    /// As fitted: ln(leaves) over the depth, by least squares.
    pub fitted: f64,
    /// Pearl's limit for leaves that are all different, P*/(1 - P*).
    pub continuous: f64,
    /// The limit for leaves of few values, and that of perfect order.
    pub discrete: f64,
}

/// Fits a branching factor for each width and search. Widths with fewer than two depths have
/// none.
pub fn branching(rows: &[UniformRow]) -> Vec<Branching> {
    let mut fits: Vec<Branching> = Vec::new();
    for row in rows {
        if fits.iter().any(|fit| (fit.width, fit.search) == (row.width, row.search)) {
            continue;
        }
        let alike =
            rows.iter().filter(|other| (other.width, other.search) == (row.width, row.search));
        let points: Vec<(f64, f64)> = alike
            .clone()
            .map(|row| (f64::from(row.depth), (row.leaves as f64 / f64::from(row.trees)).ln()))
            .collect();
        let depths = alike.map(|row| row.depth);
        let depths = (depths.clone().min().unwrap_or(0), depths.max().unwrap_or(0));
        if let Ok((slope, _)) = linear_regression_of::<f64, f64, f64>(&points) {
            fits.push(Branching {
                width: row.width,
                search: row.search,
                depths,
                fitted: slope.exp(),
                continuous: optimal_rate(row.width),
                discrete: f64::from(row.width).sqrt(),
            });
        }
    }
    fits
}
