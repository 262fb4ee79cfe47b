//! What commands print: text for people or, with `--json`, JSON for programs.
//!
//! With `--json` a command prints one object, or one for each result that is complete before the next is
//! found. docs/manual/machines.md lists the formats, and docs/formats/schemas has the schema of each.

use std::io::{self, Write};

use clap::Args;
use kalah::board::RuleSet;
use kalah::printable::printable_json;
use serde::Serialize;

/// The option `--json`.
#[derive(Args, Clone, Copy)]
pub struct OutputOption {
    /// Print JSON, which docs/manual/machines.md describes, in place of text
    #[arg(long)]
    json: bool,
}

impl OutputOption {
    /// Whether JSON is printed.
    pub fn is_json(self) -> bool {
        self.json
    }

    /// Where text for people goes: nowhere if JSON is printed.
    pub fn text(self) -> Box<dyn Write> {
        human_output(self.json)
    }

    /// Prints a result as JSON, if that is asked for. The format is `kalah-` and the name of its schema.
    pub fn print(self, format: &str, result: &impl Serialize) -> anyhow::Result<()> {
        if self.json { print_json(format, result) } else { Ok(()) }
    }
}

/// The rules but for the number of houses, as members of a result.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RuleMembers {
    /// The capture rule; standard under relay sowing, which captures nothing.
    #[cfg_attr(feature = "schemas", schemars(with = "crate::schemas::CaptureRule"))]
    capture: &'static str,
    /// The way of sowing.
    #[cfg_attr(feature = "schemas", schemars(with = "crate::schemas::SowingRule"))]
    sowing: &'static str,
}

impl<T: Into<RuleSet>> From<T> for RuleMembers {
    fn from(rules: T) -> Self {
        let rules = rules.into();
        RuleMembers { capture: rules.capture().name(), sowing: rules.sowing().name() }
    }
}

/// Standard output, or nothing if that is for JSON.
pub fn human_output(is_json: bool) -> Box<dyn Write> {
    if is_json { Box::new(io::sink()) } else { Box::new(io::stdout()) }
}

/// The results of a command.
#[derive(Serialize)]
struct Document<'a, T> {
    /// The shape: the name of the schema.
    format: &'a str,
    /// Changes when a member changes its meaning or goes; members may be added to a version.
    version: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// The version of all shapes.
const VERSION: u32 = 1;

/// Writes results to the standard output, as a line.
pub fn print_json(format: &str, content: &impl Serialize) -> anyhow::Result<()> {
    let line = json_line(format, content)?;
    let mut output = io::stdout().lock();
    output.write_all(line.as_bytes())?;
    Ok(output.flush()?)
}

/// Results as a line with its end.
pub fn json_line(format: &str, content: &impl Serialize) -> anyhow::Result<String> {
    let document = Document { format, version: VERSION, content };
    // Texts may come from outside: nothing in them is to be obeyed by a terminal.
    let mut line = printable_json(&serde_json::to_string(&document)?).into_owned();
    line.push('\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_one_line_that_nothing_obeys() -> anyhow::Result<()> {
        #[derive(Serialize)]
        struct Content {
            text: &'static str,
        }
        let line = json_line("kalah-test", &Content { text: "a\n\u{1b}\u{202e}" })?;
        let expected = r#"{"format":"kalah-test","version":1,"text":"a\n\u001b\u202e"}"#;
        assert_eq!(line.trim_end(), expected);
        assert_eq!(line.matches('\n').count(), 1);
        Ok(())
    }
}
