//! `kalah compliance`.

use std::io::{self, Write};
use std::time::Duration;

use crate::compliance::{Check, CheckResult, EngineUnderTest, Requirement, Tier, checks};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use kalah::printable::printable;
use serde::Serialize;

use kalah_command::exit::{Interrupted, stop_on_ctrl_c};
use kalah_command::options::number;
use kalah_command::output::print_json;

/// Check whether an engine complies with the protocol
///
/// The engine is started anew for each check of a statement of protocol.md. When a check fails, the
/// last lines are shown: the input of the engine after '>', its output after '<'. At the end is what
/// is missing in each tier, by the identifiers of protocol.md, and a line for a README: 'must' is what
/// GUIs and matches need, 'should' the rest of the protocol, 'may' what an engine may omit. The status
/// is 0 if no check fails.
///
///   kalah compliance ./my-engine --my-option
///   kalah compliance --tier must python3 engine.py
///   kalah compliance --list
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ComplianceCommand {
    /// Seconds for a reply where the protocol sets no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = number::<u64>(1..=3600))]
    deadline: u64,

    /// The last tier that is checked
    #[arg(long, value_enum, value_name = "TIER", default_value_t = Tier::May)]
    tier: Tier,

    /// List the checks without making them
    #[arg(long, conflicts_with = "cmd")]
    list: bool,

    /// Print the results as JSON, at the end
    #[arg(long)]
    json: bool,

    /// The program
    #[arg(value_name = "CMD", required_unless_present = "list")]
    cmd: Option<String>,

    /// Its arguments
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Whether an engine complies with `protocol.md`, requirement by requirement.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ComplianceResults {
    /// The program and its arguments; absent in a list of checks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    command: Vec<String>,
    /// A summary of each tier that was checked, the most important first.
    tiers: Vec<TierSummary>,
    /// The checks in the order in which they were made.
    checks: Vec<MadeCheck>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TierSummary {
    tier: Tier,
    /// Their number.
    requirements: usize,
    /// Those that the engine meets.
    passed: usize,
    /// The identifiers of what failed or could not be checked.
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MadeCheck {
    #[serde(flatten)]
    requirement: Requirement,
    /// Absent in a list of checks.
    #[serde(flatten)]
    result: Option<CheckResult>,
}

impl ComplianceCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let mut checks = checks();
        checks.retain(|check| check.requirement.tier <= self.tier);
        let mut output = io::stdout();
        let Some(cmd) = self.cmd else {
            if self.json {
                let made = checks.iter().map(|check| MadeCheck::new(check, None)).collect();
                return print_json("kalah-compliance", &ComplianceResults::new(vec![], made));
            }
            for check in checks {
                let Requirement { id, tier, section, statement } = check.requirement;
                writeln!(output, "{tier:6}  {id:27}  {section}: {statement}")?;
            }
            return Ok(());
        };
        let stop = stop_on_ctrl_c()?;
        let deadline = Duration::from_secs(self.deadline);
        let engine = EngineUnderTest { cmd, args: self.args, deadline };
        let mut made = Vec::new();
        let mut written = Ok(());
        let finished = engine.run(&checks, &stop, &mut |check, result| {
            if !self.json
                && let Err(error) = write_result(&mut output, check, result)
            {
                // The output is closed.
                written = Err(error);
                stop.stop();
            }
            made.push(MadeCheck::new(check, Some(result)));
        });
        written?;
        let finished = finished.with_context(|| format!("cannot start '{}'", engine.cmd))?;
        let command = [vec![engine.cmd.clone()], engine.args].concat();
        let results = ComplianceResults::new(command, made);
        if self.json {
            print_json("kalah-compliance", &results)?;
        } else {
            results.write(&mut output)?;
        }
        if !finished {
            return Err(Interrupted.into());
        }
        if results.checks.iter().any(MadeCheck::has_failed) {
            bail!("'{}' does not comply with the protocol", engine.cmd);
        }
        Ok(())
    }
}

impl MadeCheck {
    fn new(check: &Check, result: Option<&CheckResult>) -> MadeCheck {
        MadeCheck { requirement: check.requirement, result: result.cloned() }
    }

    fn has_passed(&self) -> bool {
        matches!(self.result, Some(CheckResult::Passed))
    }

    fn has_failed(&self) -> bool {
        matches!(self.result, Some(CheckResult::Failed { .. }))
    }
}

impl ComplianceResults {
    fn new(command: Vec<String>, checks: Vec<MadeCheck>) -> ComplianceResults {
        let summary = |tier| {
            let of_tier = || checks.iter().filter(move |check| check.requirement.tier == tier);
            let missing = of_tier().filter(|check| !check.has_passed());
            let missing: Vec<_> = missing.map(|check| check.requirement.id).collect();
            let requirements = of_tier().count();
            TierSummary { tier, requirements, passed: requirements - missing.len(), missing }
        };
        let tiers = Tier::value_variants()
            .iter()
            .copied()
            .map(summary)
            .filter(|tier| tier.requirements > 0);
        ComplianceResults { command, tiers: tiers.collect(), checks }
    }

    /// The numbers of all checks, what is missing in each tier, and a line for a README.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let passed = self.checks.iter().filter(|check| check.has_passed()).count();
        let failed = self.checks.iter().filter(|check| check.has_failed()).count();
        let skipped = self.checks.len() - passed - failed;
        for TierSummary { tier, missing, .. } in
            self.tiers.iter().filter(|tier| !tier.missing.is_empty())
        {
            writeln!(output, "missing of '{tier}': {}", missing.join(", "))?;
        }
        let counts = self.tiers.iter().map(|TierSummary { tier, passed, requirements, .. }| {
            format!("{tier} {passed}/{requirements}")
        });
        writeln!(output, "kalah protocol: {}", counts.collect::<Vec<_>>().join(", "))?;
        writeln!(output, "{passed} ok, {failed} failed, {skipped} skipped")
    }
}

fn write_result(output: &mut impl Write, check: &Check, result: &CheckResult) -> io::Result<()> {
    let Requirement { id, section, statement, .. } = check.requirement;
    match result {
        CheckResult::Passed => writeln!(output, "ok       {section}: {statement} [{id}]"),
        CheckResult::Skipped { reason } => {
            writeln!(output, "skipped  {section}: {statement} [{id}] ({})", printable(reason))
        }
        CheckResult::Failed { expected, actual, lines } => {
            writeln!(output, "FAILED   {section}: {statement} [{id}]")?;
            writeln!(output, "         expected: {}", printable(expected))?;
            writeln!(output, "         actual:   {}", printable(actual))?;
            lines.iter().try_for_each(|line| writeln!(output, "           {}", printable(line)))
        }
    }
}
