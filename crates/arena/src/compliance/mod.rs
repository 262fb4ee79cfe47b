//! Checks whether an engine complies with `protocol.md`, statement by statement.
//!
//! Each check starts the engine anew, so that one failure does not affect the next check and the
//! lines shown for a failure reproduce it. What the protocol leaves open is not checked.

mod bestmove;
mod check;
mod errors;
mod exit;
mod handshake;
mod info;
mod limits;
mod lines;
mod options;
mod positions;
mod session;

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use self::session::{CheckError, EngineSession, LineFaults};
use kalah::StopToken;
use kalah_client::{EngineCommand, EngineProcess};

pub use check::{Check, CheckResult, Requirement, Tier};
#[doc(hidden)]
pub use session::info_fault;

/// An engine to be checked.
#[derive(Clone, Debug)]
pub struct EngineUnderTest {
    /// The program.
    pub cmd: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The time for a reply where the protocol sets no limit.
    pub deadline: Duration,
}

/// Returns all checks, in the order in which they are made.
pub fn checks() -> Vec<Check> {
    let groups = [
        handshake::checks(),
        positions::checks(),
        options::checks(),
        limits::checks(),
        limits::waiting_checks(),
        bestmove::checks(),
        info::checks(),
        errors::checks(),
        exit::checks(),
        // The last ones are about the lines of all sessions.
        lines::checks(),
    ];
    groups.into_iter().flatten().collect()
}

impl EngineUnderTest {
    /// Makes the checks and reports each result. Returns `false` if it was stopped before the end.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn run(
        &self,
        checks: &[Check],
        stop: &StopToken,
        on_result: &mut dyn FnMut(&Check, &CheckResult),
    ) -> io::Result<bool> {
        let command = EngineCommand::new(&self.cmd, &self.cmd);
        let command = EngineCommand { arguments: self.args.clone(), ..command };
        let mut not_passed = HashSet::new();
        let mut faults = LineFaults::default();
        for check in checks {
            let unmet = check.prerequisites().find(|id| not_passed.contains(id));
            let result = if let Some(id) = unmet {
                let statement = Requirement::named(id).statement;
                CheckResult::Skipped { reason: format!("it needs '{statement}'") }
            } else {
                let process = EngineProcess::spawn(&command)?;
                let mut session = EngineSession::new(process, self.deadline, stop, &mut faults);
                match (check.body)(&mut session) {
                    Ok(()) => CheckResult::Passed,
                    Err(CheckError::Unsupported(what)) => {
                        CheckResult::Skipped { reason: format!("the engine has no {what}") }
                    }
                    Err(CheckError::Failed { expected, actual }) => {
                        CheckResult::Failed { expected, actual, lines: session.lines.into() }
                    }
                    Err(CheckError::Stopped) => return Ok(false),
                }
            };
            if result != CheckResult::Passed {
                not_passed.insert(check.requirement.id);
            }
            on_result(check, &result);
        }
        Ok(true)
    }
}
