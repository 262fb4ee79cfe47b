//! `kalah completions` and `kalah man`: what a shell and a reader of manuals want to have installed.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

/// Print the completions for a shell
///
/// The script completes commands, options, names of files and the values of options that have a fixed
/// set of them. docs/manual/installing.md says where each shell looks for it.
///
///   kalah completions bash > ~/.local/share/bash-completion/completions/kalah
///   kalah completions fish > ~/.config/fish/completions/kalah.fish
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompletionsCommand {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsCommand {
    /// `program` is the whole command line.
    pub(super) fn run(&self, mut program: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "kalah", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}

/// Write the manual pages
///
/// Writes kalah.1 and a page for each command, such as kalah-solve.1, to a folder, which is created if it
/// does not exist. Pages that are there are replaced.
///
///   kalah man ~/.local/share/man/man1
///   kalah man /usr/local/share/man/man1
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ManCommand {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl ManCommand {
    /// `program` is the whole command line.
    pub(super) fn run(&self, program: Command) -> anyhow::Result<()> {
        let cannot = || format!("cannot write manual pages to '{}'", self.folder.display());
        fs::create_dir_all(&self.folder).with_context(cannot)?;
        let command = program.disable_help_subcommand(true);
        clap_mangen::generate_to(command, &self.folder).with_context(cannot)
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use crate::arguments::Arguments;

    /// The examples in the help of a command: lines that begin with the name of the program.
    fn examples(command: &Command) -> Vec<String> {
        let help = command.get_long_about().or(command.get_about()).map(ToString::to_string);
        let help = help.unwrap_or_default().replace("\\\n", " ");
        let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
        lines.filter(|line| line.trim_start().starts_with("kalah")).map(str::to_owned).collect()
    }

    fn visit(command: &Command, path: &str, complaints: &mut Vec<String>) {
        let examples = examples(command);
        if examples.len() < 2 {
            complaints.push(format!("{path}: {} examples", examples.len()));
        }
        for example in examples {
            let words = shell_words::split(&example).unwrap_or_default();
            // What follows is for the shell.
            let words = words.iter().take_while(|word| !["|", ">", "<"].contains(&word.as_str()));
            let parsed = Arguments::command().try_get_matches_from(words);
            if let Err(error) = parsed {
                complaints.push(format!("{example}: {error}"));
            }
        }
        for subcommand in command.get_subcommands().filter(|command| command.get_name() != "help") {
            visit(subcommand, &format!("{path} {}", subcommand.get_name()), complaints);
        }
    }

    #[test]
    fn every_command_has_two_examples_that_parse() {
        let mut complaints = Vec::new();
        visit(&Arguments::command(), "kalah", &mut complaints);
        assert_eq!(complaints, [""; 0]);
    }
}
