//! `kalah compliance`.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use kalah::arena::compliance::{Candidate, Check, Verdict, checks};

use super::super::interrupt::{Interrupted, stop_on_ctrl_c};

/// Check whether an engine does what the protocol says
///
/// The engine is started anew for each point of protocol.md, spoken to, and ended. Of a point that
/// fails the end of the conversation is shown: what the engine heard after '>', what it said after
/// '<'. The status is 0 when nothing fails.
///
///   kalah compliance ./my-engine --my-option
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ComplianceCommand {
    /// Seconds that the engine may take to answer where the protocol says nothing
    #[arg(long, value_name = "SECONDS", default_value_t = 10,
          value_parser = value_parser!(u64).range(1..=3600))]
    deadline: u64,

    /// Show the points, without checking any
    #[arg(long, conflicts_with = "cmd")]
    list: bool,

    /// The program
    #[arg(value_name = "CMD", required_unless_present = "list")]
    cmd: Option<String>,

    /// What it is called with
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// How many points went which way.
#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl ComplianceCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let checks = checks();
        let mut output = io::stdout();
        // Without a program there is only the list.
        let Some(cmd) = self.cmd else {
            for Check { section, name, .. } in &checks {
                writeln!(output, "{section}: {name}")?;
            }
            return Ok(());
        };
        kalah::engine::init_logging();
        let stop = stop_on_ctrl_c()?;
        let deadline = Duration::from_secs(self.deadline);
        let candidate = Candidate { cmd, args: self.args, deadline };
        let mut count = Count::default();
        let mut written = Ok(());
        let finished = candidate.run(&checks, &stop, &mut |check, verdict| {
            count.add(verdict);
            if let Err(error) = write_verdict(&mut output, check, verdict) {
                // Nobody reads any more.
                written = Err(error);
                stop.stop();
            }
        });
        written?;
        let finished = finished.with_context(|| format!("cannot start '{}'", candidate.cmd))?;
        let Count { passed, failed, skipped } = count;
        writeln!(output, "{passed} ok, {failed} failed, {skipped} skipped")?;
        if !finished {
            return Err(Interrupted.into());
        }
        if failed > 0 {
            bail!("'{}' does not do all that the protocol says", candidate.cmd);
        }
        Ok(())
    }
}

impl Count {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed { .. } => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
    }
}

fn write_verdict(output: &mut impl Write, check: &Check, verdict: &Verdict) -> io::Result<()> {
    let Check { section, name, .. } = check;
    match verdict {
        Verdict::Passed => writeln!(output, "ok       {section}: {name}"),
        Verdict::Skipped(why) => writeln!(output, "skipped  {section}: {name} ({why})"),
        Verdict::Failed { expected, heard, lines } => {
            writeln!(output, "FAILED   {section}: {name}")?;
            writeln!(output, "         expected: {expected}")?;
            writeln!(output, "         heard:    {heard}")?;
            lines.iter().try_for_each(|line| writeln!(output, "           {line}"))
        }
    }
}
