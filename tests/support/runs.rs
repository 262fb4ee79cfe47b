//! How much of a sweep runs.

use std::env;

/// The number of cases: `few` whenever the tests run, `all` in `.ci/deep`, which sets `KALAH_DEEP`.
pub(crate) fn runs(few: usize, all: usize) -> usize {
    if env::var_os("KALAH_DEEP").is_some() { all } else { few }
}
