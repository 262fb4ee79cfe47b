//! What commands print: text for people or, with `--json`, JSON for programs.
//!
//! With `--json` a command prints one object, or one for each result that is complete before the next is
//! found. docs/machines.md lists the formats, and docs/schemas has the schema of each.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use super::document::print_json;

/// The option `--json`.
#[derive(Args, Clone, Copy)]
pub(super) struct OutputOption {
    /// Print JSON, which docs/machines.md describes, in place of text
    #[arg(long)]
    json: bool,
}

/// A result that programs read.
pub(super) trait JsonOutput: Serialize {
    /// The name of the format: `kalah-` and the name of its schema.
    const FORMAT: &'static str;
}

impl OutputOption {
    pub(super) fn is_json(self) -> bool {
        self.json
    }

    /// Where text for people goes: nowhere if JSON is printed.
    pub(super) fn text(self) -> Box<dyn Write> {
        text_for_people(self.json)
    }

    /// Prints a result as JSON, if that is asked for.
    pub(super) fn print<T: JsonOutput>(self, result: &T) -> anyhow::Result<()> {
        if self.json { print_json(T::FORMAT, result) } else { Ok(()) }
    }
}

/// Standard output, or nothing if that is for JSON.
pub(super) fn text_for_people(is_json: bool) -> Box<dyn Write> {
    if is_json { Box::new(io::sink()) } else { Box::new(io::stdout()) }
}
