//! `kalah completions` and `kalah man`: what a shell and a reader of manuals want to have installed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;

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
    pub(super) fn run(&self, program: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        let mut program = with_value_hints(program);
        clap_complete::generate(self.shell, &mut program, "kalah", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}

/// Says of each option what its values are, by their type and by the name that the help gives them.
/// Without that a shell offers files for numbers, and splits the names of files at spaces.
fn with_value_hints(program: Command) -> Command {
    let hinted = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        let hint = match (arg.get_value_hint(), arg.get_value_names()) {
            (ValueHint::AnyPath, Some([name])) if name == "DIR" => ValueHint::DirPath,
            // The completions of bash split what a command is completed to; its program is a file.
            (_, Some([name])) if ["FILE", "OUT", "CMD"].contains(&name.as_str()) => {
                ValueHint::FilePath
            }
            (ValueHint::AnyPath, _) => ValueHint::FilePath,
            (ValueHint::Unknown, _) => ValueHint::Other,
            (hint, _) => hint,
        };
        if takes_values { arg.value_hint(hint) } else { arg }
    };
    program.mut_args(hinted).mut_subcommands(with_value_hints)
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
        let mut command = program.disable_help_subcommand(true);
        command.build();
        write_pages(&command, &self.folder).with_context(cannot)
    }
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let page = Man::new(command.clone());
    let mut roff = Vec::new();
    page.render(&mut roff)?;
    fs::write(folder.join(page.get_filename()), unfilled(&String::from_utf8_lossy(&roff)))
}

/// The same page, in which words are not broken, and indented lines, which are examples, stand as they are.
fn unfilled(roff: &str) -> String {
    let mut page = String::new();
    let mut is_example = false;
    for line in roff.lines() {
        if is_example != line.starts_with("  ") {
            is_example = !is_example;
            page += if is_example { ".nf\n" } else { ".fi\n" };
        }
        page += line;
        page += if line.starts_with(".TH ") { "\n.nh\n" } else { "\n" };
    }
    page
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::path::PathBuf;

    use clap::{Command, CommandFactory, ValueHint};

    use super::{unfilled, with_value_hints};
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

    fn visit_hints(command: &Command, path: &str, complaints: &mut Vec<String>) {
        for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
            let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            let hint = arg.get_value_hint();
            let fits = match hint {
                ValueHint::Other => !is_path,
                ValueHint::FilePath | ValueHint::DirPath => true,
                _ => false,
            };
            if !fits {
                complaints.push(format!("{path} {arg}: {hint:?}"));
            }
        }
        for subcommand in command.get_subcommands() {
            visit_hints(subcommand, &format!("{path} {}", subcommand.get_name()), complaints);
        }
    }

    #[test]
    fn every_value_has_a_hint() {
        let mut complaints = Vec::new();
        visit_hints(&with_value_hints(Arguments::command()), "kalah", &mut complaints);
        assert_eq!(complaints, [""; 0]);
    }

    #[test]
    fn examples_in_manual_pages_are_unfilled() {
        let page =
            ".TH kalah 1\nIt finds it.\n  kalah find\n  kalah find \\-\\-all\nThat is all.\n";
        let expected = ".TH kalah 1\n.nh\nIt finds it.\n.nf\n  kalah find\n  kalah find \\-\\-all\n.fi\n\
                        That is all.\n";
        assert_eq!(unfilled(page), expected);
    }
}
