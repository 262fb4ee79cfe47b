//! From proofs to values: which claims to settle one after the other, after T.-s. Hsu's lecture
//! *Scout, NegaScout and Proof-Number Search* (2014).
//!
//! The values that a position can have are put in order and numbered from 0, the least. The claim
//! that the number is `v` or more is tried for 1, 2, 4, 8, … until it fails; between the last that
//! held and the first that did not, the value is found by bisection.

/// What is known of the number of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bisection {
    low: u32,
    high: u32,
    /// Whether every claim has held so far.
    doubling: bool,
}

impl Bisection {
    /// Of one of the numbers from 0 to `last`.
    pub(super) fn up_to(last: u32) -> Bisection {
        Bisection { low: 0, high: last, doubling: true }
    }

    /// The least and the greatest number it can still be.
    pub(super) fn range(&self) -> (u32, u32) {
        (self.low, self.high)
    }

    /// The `v` of the next claim; `None` when the number is known.
    pub(super) fn next_claim(&self) -> Option<u32> {
        if self.low == self.high {
            return None;
        }
        let doubled = self.low.saturating_mul(2).max(1);
        if self.doubling && doubled <= self.high {
            return Some(doubled);
        }
        // The lecture rounds down, and would ask for ever about the lower of two neighbours.
        Some(self.low + (self.high - self.low).div_ceil(2))
    }

    /// Takes in whether the number is `v` or more.
    pub(super) fn learn(&mut self, v: u32, holds: bool) {
        if holds {
            self.low = v;
        } else {
            self.high = v - 1;
            self.doubling = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims made to find a number.
    fn claims(number: u32, last: u32) -> Vec<u32> {
        let mut bisection = Bisection::up_to(last);
        let mut claims = Vec::new();
        while let Some(v) = bisection.next_claim() {
            bisection.learn(v, number >= v);
            claims.push(v);
        }
        assert_eq!(bisection.range(), (number, number));
        claims
    }

    #[test]
    fn claims_are_doubled_until_one_fails_and_then_halved() {
        assert_eq!(claims(0, 100), [1]);
        assert_eq!(claims(1, 100), [1, 2]);
        assert_eq!(claims(18, 100), [1, 2, 4, 8, 16, 32, 24, 20, 18, 19]);
        assert_eq!(claims(5, 6), [1, 2, 4, 5, 6]);
        assert!(claims(0, 0).is_empty());
    }

    #[test]
    fn every_number_is_found_with_twice_as_many_claims_as_it_has_digits() {
        for last in 0..200 {
            for number in 0..=last {
                assert!(claims(number, last).len() <= 2 * (number.max(1).ilog2() as usize + 1));
            }
        }
    }
}
