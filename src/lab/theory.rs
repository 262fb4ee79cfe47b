//! What is known of uniform trees whose leaves are drawn by chance.
//!
//! J. Pearl (*SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties*, 1980)
//! shows that with leaves from a continuous distribution no directional search does better than
//! P*/(1 - P*), where P* is the root of x^d + x - 1 = 0 and d the width of the tree, and that SCOUT
//! reaches it in the limit, as alpha-beta does (J. Pearl, 1982). With few values the limit is the
//! square root of the width, but for a case that he names.

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
