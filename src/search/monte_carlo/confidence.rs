//! How far the value of a move may lie from the mean of its samples.

use std::f64::consts::LN_2;

/// Half the width of the confidence interval of UCB1, less a constant factor and in units of the
/// range that samples come from (P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time analysis
/// of the multiarmed bandit problem*, 2002): from the logarithm of the number of samples of all
/// moves, and the number of those of this one.
#[inline]
pub(super) fn radius(logarithm: f64, samples: u32) -> f64 {
    (logarithm / f64::from(samples)).sqrt()
}

/// The natural logarithm of a number from 1, and at most 0.06 less: a straight line between
/// powers of two. Unlike that of a library it is the same on every machine, and so are the
/// searches.
#[inline]
pub(super) fn logarithm(number: u32) -> f64 {
    let number = number.max(1);
    let exponent = number.ilog2();
    let power = f64::from(1_u32 << exponent);
    (f64::from(exponent) + f64::from(number) / power - 1.0) * LN_2
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn logarithms_are_near() {
        for number in (1..10_000).chain(u32::MAX - 10..=u32::MAX) {
            let error = f64::from(number).ln() - logarithm(number);
            assert!((-1e-12..0.06).contains(&error), "{number}: {error}");
        }
    }
}
