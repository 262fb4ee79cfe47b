//! A check of a requirement of `protocol.md`, and the positions that several checks use.

use clap::ValueEnum;
use serde::Serialize;
use strum::Display;

use super::session::{CheckOutcome, EngineSession};
use kalah::protocol::SPECIFICATION;

/// The requirements that others depend on.
pub(super) const UCI: &str = "uci.ok";
pub(super) const READY: &str = "isready.ok";
pub(super) const DISPLAY: &str = "d.fen";

/// The start position of the default game.
pub(super) const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/// Far from the end of the game, with all houses legal.
pub(super) const LARGE: &str = "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S";

/// Solved within milliseconds, with three legal moves.
pub(super) const SMALL: &str = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S";

pub(super) const FINISHED: &str = "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S";

/// How much a requirement matters, as in RFC 2119.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Tier {
    /// Without it a GUI or a match cannot use the engine, or gets wrong moves.
    Must,
    /// Everybody who knows the protocol expects it.
    Should,
    /// An engine may omit it.
    May,
}

/// A statement of `protocol.md` that can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Requirement {
    /// Its name in `protocol.md`; it does not change.
    #[cfg_attr(test, schemars(regex(pattern = r"^[a-z0-9-]+\.[a-z0-9-]+$")))]
    pub id: &'static str,
    /// How much it matters.
    pub tier: Tier,
    /// The section of `protocol.md`.
    pub section: &'static str,
    /// The statement, unique within its section.
    pub statement: &'static str,
}

impl Requirement {
    /// Looks a requirement up in the index of `protocol.md`. A test makes sure that each check has one.
    pub(super) fn named(id: &'static str) -> Requirement {
        let row = SPECIFICATION.lines().find_map(|line| {
            let row = line.strip_prefix("| `")?.strip_prefix(id)?.strip_prefix("` | ")?;
            let (tier, rest) = row.strip_suffix(" |")?.split_once(" | ")?;
            let (section, statement) = rest.split_once(": ")?;
            Some((Tier::from_str(tier, false).ok()?, section, statement))
        });
        let (tier, section, statement) = row.unwrap_or((Tier::Must, "unlisted", id));
        Requirement { id, tier, section, statement }
    }
}

type CheckBody = Box<dyn Fn(&mut EngineSession<'_>) -> CheckOutcome>;

/// A check of one requirement.
pub struct Check {
    /// What is checked.
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
        id: &'static str,
        body: impl Fn(&mut EngineSession<'_>) -> CheckOutcome + 'static,
    ) -> Check {
        Check { requirement: Requirement::named(id), needs_display: false, body: Box::new(body) }
    }

    /// A check that reads boards from the replies to `d`.
    pub(super) fn with_display(
        id: &'static str,
        body: impl Fn(&mut EngineSession<'_>) -> CheckOutcome + 'static,
    ) -> Check {
        Check { needs_display: true, ..Check::new(id, body) }
    }

    /// A check that each of some commands is refused and leaves the board as it is.
    pub(super) fn refused(id: &'static str, commands: &'static [&'static str]) -> Check {
        Check::with_display(id, move |engine| engine.expect_all_refused(commands))
    }

    /// The requirements that must be met before this check.
    pub(super) fn prerequisites(&self) -> impl Iterator<Item = &'static str> {
        let display = self.needs_display.then_some(DISPLAY);
        let basics = [UCI, READY].into_iter().take_while(|&id| id != self.requirement.id);
        basics.chain(display)
    }
}
