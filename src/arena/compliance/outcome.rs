//! How a check comes out.

/// How often a check in which time counts is tried: a busy machine may hold up an answer or two.
const ATTEMPTS: usize = 3;

/// Why a check does not pass.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The engine does not do what the page says.
    Failed {
        expected: String,
        heard: String,
    },
    /// The engine does not have what is checked, and need not.
    Absent(String),
    Interrupted,
}

pub(super) type Outcome<T = ()> = Result<T, Trouble>;

pub(super) fn failed(expected: impl Into<String>, heard: impl Into<String>) -> Trouble {
    Trouble::Failed { expected: expected.into(), heard: heard.into() }
}

/// Requires something.
pub(super) fn ensure(
    holds: bool,
    expected: impl Into<String>,
    heard: impl Into<String>,
) -> Outcome {
    if holds { Ok(()) } else { Err(failed(expected, heard)) }
}

/// Tries a check again in which time counts, since a busy machine may be at fault.
pub(super) fn in_time(mut attempt: impl FnMut() -> Outcome) -> Outcome {
    let mut outcome = attempt();
    for _ in 1..ATTEMPTS {
        if !matches!(outcome, Err(Trouble::Failed { .. })) {
            break;
        }
        outcome = attempt();
    }
    outcome
}
