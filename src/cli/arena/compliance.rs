//! `kalah compliance`.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use kalah::arena::compliance::{Check, CheckResult, EngineUnderTest, checks};
use kalah::printable::printable;

use super::super::exit::{Interrupted, stop_on_ctrl_c};

/// Check whether an engine complies with the protocol
///
/// The engine is started anew for each check of a statement of protocol.md. When a check fails, the
/// last lines are shown: the input of the engine after '>', its output after '<'. The status is 0
/// if no check fails.
///
///   kalah compliance ./my-engine --my-option
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ComplianceCommand {
    /// Seconds for a reply where the protocol sets no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = value_parser!(u64).range(1..=3600))]
    deadline: u64,

    /// List the checks without making them
    #[arg(long, conflicts_with = "cmd")]
    list: bool,

    /// The program
    #[arg(value_name = "CMD", required_unless_present = "list")]
    cmd: Option<String>,

    /// Its arguments
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

impl ComplianceCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let checks = checks();
        let mut output = io::stdout();
        let Some(cmd) = self.cmd else {
            for Check { section, name, .. } in &checks {
                writeln!(output, "{section}: {name}")?;
            }
            return Ok(());
        };
        crate::cli::logging::init();
        let stop = stop_on_ctrl_c()?;
        let deadline = Duration::from_secs(self.deadline);
        let engine = EngineUnderTest { cmd, args: self.args, deadline };
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        let mut written = Ok(());
        let finished = engine.run(&checks, &stop, &mut |check, result| {
            *match result {
                CheckResult::Passed => &mut passed,
                CheckResult::Failed { .. } => &mut failed,
                CheckResult::Skipped(_) => &mut skipped,
            } += 1;
            if let Err(error) = write_result(&mut output, check, result) {
                // The output is closed.
                written = Err(error);
                stop.stop();
            }
        });
        written?;
        let finished = finished.with_context(|| format!("cannot start '{}'", engine.cmd))?;
        writeln!(output, "{passed} ok, {failed} failed, {skipped} skipped")?;
        if !finished {
            return Err(Interrupted.into());
        }
        if failed > 0 {
            bail!("'{}' does not comply with the protocol", engine.cmd);
        }
        Ok(())
    }
}

fn write_result(output: &mut impl Write, check: &Check, result: &CheckResult) -> io::Result<()> {
    let Check { section, name, .. } = check;
    match result {
        CheckResult::Passed => writeln!(output, "ok       {section}: {name}"),
        CheckResult::Skipped(reason) => {
            writeln!(output, "skipped  {section}: {name} ({})", printable(reason))
        }
        CheckResult::Failed { expected, actual, lines } => {
            writeln!(output, "FAILED   {section}: {name}")?;
            writeln!(output, "         expected: {}", printable(expected))?;
            writeln!(output, "         actual:   {}", printable(actual))?;
            lines.iter().try_for_each(|line| writeln!(output, "           {}", printable(line)))
        }
    }
}
