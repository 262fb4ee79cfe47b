//! Whether an engine does what `protocol.md` says: the page as a list of checks.
//!
//! Each check is a conversation with an engine that was started for it alone, so that nothing of
//! an earlier failure is in its way, and what was said shows how to repeat it. What the page
//! leaves to the engine is not asked for.

mod answers;
mod boards;
mod conversation;
mod endings;
mod errors;
mod form;
mod handshake;
mod infos;
mod limits;
mod lines;
mod options;
mod outcome;
mod positions;
mod waiting;

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use self::conversation::{Conversation, Noted};
use self::outcome::{Outcome, Trouble};
use super::players::EngineProcess;
use crate::stop::StopToken;

/// The checks that all others need.
const BASIS: [&str; 2] = [handshake::INTRODUCTION, handshake::READY];

type Talk = Box<dyn Fn(&mut Conversation<'_>) -> Outcome>;

/// A point of the page.
pub struct Check {
    /// The section of `protocol.md` that says it.
    pub section: &'static str,
    /// What has to hold; no other check of the section says the same.
    pub name: &'static str,
    /// Whether it makes use of `d`.
    needs_display: bool,
    talk: Talk,
}

/// How a check went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The engine does as the page says.
    Passed,
    /// It does not.
    Failed {
        /// What the page says.
        expected: String,
        /// What the engine did.
        heard: String,
        /// The end of the conversation: what the engine heard after `>`, what it said after `<`.
        lines: Vec<String>,
    },
    /// It was not tried, for this reason.
    Skipped(String),
}

/// The engine that is checked.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The program.
    pub cmd: String,
    /// What it is called with.
    pub args: Vec<String>,
    /// How long it may take to answer where the page does not say more.
    pub deadline: Duration,
}

impl Check {
    fn new(
        section: &'static str,
        name: &'static str,
        talk: impl Fn(&mut Conversation<'_>) -> Outcome + 'static,
    ) -> Check {
        Check { section, name, needs_display: false, talk: Box::new(talk) }
    }

    /// A check that looks at boards, as `d` shows them.
    fn on_boards(
        section: &'static str,
        name: &'static str,
        talk: impl Fn(&mut Conversation<'_>) -> Outcome + 'static,
    ) -> Check {
        Check { needs_display: true, ..Check::new(section, name, talk) }
    }

    /// The checks that have to have passed before this one makes sense.
    fn needs(&self) -> impl Iterator<Item = &'static str> {
        let display = self.needs_display.then_some(positions::DISPLAY);
        BASIS.into_iter().take_while(|&name| name != self.name).chain(display)
    }
}

/// All checks, in the order in which they are made.
pub fn checks() -> Vec<Check> {
    let groups = [
        handshake::checks(),
        positions::checks(),
        boards::checks(),
        options::checks(),
        limits::checks(),
        waiting::checks(),
        answers::checks(),
        infos::checks(),
        errors::checks(),
        endings::checks(),
        // Last, since some of them are about all that was said before.
        lines::checks(),
    ];
    groups.into_iter().flatten().collect()
}

impl Candidate {
    /// Makes checks, telling of each as soon as it is made. Ends early, with `false`, when
    /// interrupted.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn run(
        &self,
        checks: &[Check],
        stop: &StopToken,
        watch: &mut dyn FnMut(&Check, &Verdict),
    ) -> io::Result<bool> {
        let mut missing = HashSet::new();
        let mut noted = Noted::default();
        for check in checks {
            let verdict = match check.needs().find(|name| missing.contains(name)) {
                Some(name) => Verdict::Skipped(format!("it needs '{name}'")),
                None => match self.make(check, stop, &mut noted)? {
                    Some(verdict) => verdict,
                    None => return Ok(false),
                },
            };
            if verdict != Verdict::Passed {
                missing.insert(check.name);
            }
            watch(check, &verdict);
        }
        Ok(true)
    }

    /// Makes a check; `None` when interrupted.
    fn make(
        &self,
        check: &Check,
        stop: &StopToken,
        noted: &mut Noted,
    ) -> io::Result<Option<Verdict>> {
        let process = EngineProcess::spawn(&self.cmd, &self.cmd, &self.args, None)?;
        let mut conversation = Conversation::new(process, self.deadline, stop, noted);
        Ok(Some(match (check.talk)(&mut conversation) {
            Ok(()) => Verdict::Passed,
            Err(Trouble::Absent(what)) => Verdict::Skipped(format!("the engine has no {what}")),
            Err(Trouble::Failed { expected, heard }) => {
                Verdict::Failed { expected, heard, lines: conversation.into_lines() }
            }
            Err(Trouble::Interrupted) => return Ok(None),
        }))
    }
}
