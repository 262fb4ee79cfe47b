//! A single check, and the positions that several checks use.

use serde::Serialize;

use super::requirements::{Requirement, requirement};
use super::session::{CheckOutcome, EngineSession};

/// The names of the checks that others depend on.
pub(super) const UCI: &str = "'uci' is answered up to 'uciok'";
pub(super) const READY: &str = "'isready' is answered by 'readyok'";
pub(super) const DISPLAY: &str = "'d' shows the board after 'Fen:'";

/// The start position of the default game.
pub(super) const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/// Far from the end of the game, with all houses legal.
pub(super) const LARGE: &str = "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S";

/// Solved within milliseconds, with three legal moves.
pub(super) const SMALL: &str = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S";

/// A finished game.
pub(super) const FINISHED: &str = "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S";

type CheckBody = Box<dyn Fn(&mut EngineSession<'_>) -> CheckOutcome>;

/// A check of one statement of `protocol.md`.
pub struct Check {
    /// The statement, with its identifier and tier.
    pub requirement: Requirement,
    /// Whether it uses the command `d`.
    needs_display: bool,
    pub(super) body: CheckBody,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum CheckResult {
    /// The engine complies.
    Passed,
    /// The engine does not comply.
    Failed {
        /// What the protocol requires.
        expected: String,
        /// What the engine did.
        actual: String,
        /// The last lines of the session: input of the engine after `>`, its output after `<`.
        lines: Vec<String>,
    },
    /// The check was not made.
    Skipped {
        /// Why not.
        reason: String,
    },
}

impl Check {
    pub(super) fn new(
        section: &'static str,
        statement: &'static str,
        body: impl Fn(&mut EngineSession<'_>) -> CheckOutcome + 'static,
    ) -> Check {
        Check {
            requirement: requirement(section, statement),
            needs_display: false,
            body: Box::new(body),
        }
    }

    /// A check that reads boards from the replies to `d`.
    pub(super) fn with_display(
        section: &'static str,
        statement: &'static str,
        body: impl Fn(&mut EngineSession<'_>) -> CheckOutcome + 'static,
    ) -> Check {
        Check { needs_display: true, ..Check::new(section, statement, body) }
    }

    /// The names of the checks that must have passed before this one.
    pub(super) fn prerequisites(&self) -> impl Iterator<Item = &'static str> {
        let display = self.needs_display.then_some(DISPLAY);
        [UCI, READY]
            .into_iter()
            .take_while(|&name| name != self.requirement.statement)
            .chain(display)
    }
}
