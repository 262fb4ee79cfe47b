//! Branching factors: by what the leaves evaluated are multiplied with every ply.
//!
//! J. Pearl (*SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties*, 1980)
//! shows that on uniform trees whose leaves are drawn from a continuous distribution no
//! directional search does better than P*/(1 - P*), where P* is the root of x^d + x - 1 = 0 and d
//! the width of the tree, and that SCOUT reaches it in the limit, as alpha-beta does (J. Pearl,
//! 1982). With few values the limit is the square root of the width, but for a case that he names.

use linreg::linear_regression_of;
use serde::Serialize;

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

/// A value to the power of a whole number, the same on all machines.
fn power(value: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * value)
}

/// Where a rising function passes through zero between 0 and 1.
fn root_of(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // As many halvings as a double has digits.
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(low, high);
        if function(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// P*, the root of x^d + x - 1 = 0.
pub fn p_star(width: u32) -> f64 {
    root_of(|x| power(x, width) + x - 1.0)
}

/// P*/(1 - P*).
pub fn optimal_rate(width: u32) -> f64 {
    let p = p_star(width);
    p / (1.0 - p)
}

/// The median of the root's value over all trees of a size whose leaves have the values from 0 up
/// to `values`, exclusive: a good first guess for who knows nothing but that.
pub(super) fn typical_value(width: u32, depth: u32, values: u32) -> i32 {
    // From the part of the leaves at or below some value to that of the roots, ply by ply.
    let at_root = |at_leaves: f64| {
        (0..depth).rev().fold(at_leaves, |below, ply| {
            let is_max = ply.is_multiple_of(2);
            if is_max { power(below, width) } else { 1.0 - power(1.0 - below, width) }
        })
    };
    let fractile = root_of(|at_leaves| at_root(at_leaves) - 0.5);
    (fractile * f64::from(values)) as i32
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
