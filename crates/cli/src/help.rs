//! The text of the help, and what holds for all options.
//!
//! Descriptions of commands are taken as they are written, for the sake of their examples, which are
//! indented lines. Their prose has the line breaks of the source, and is joined here into one line a
//! paragraph, so that it wraps at the width of the terminal.

use clap::Command;

pub(super) fn with_joined_prose(mut command: Command) -> Command {
    if let Some(about) = command.get_long_about() {
        let about = joined_prose(&about.to_string());
        command = command.long_about(about);
    }
    // A negative number is a value that is out of range, not an unknown option.
    let command = command.mut_args(|argument| {
        let takes_values = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_joined_prose)
}

fn joined_prose(text: &str) -> String {
    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut joined = String::new();
    let mut follows_prose = false;
    for line in text.lines() {
        if !joined.is_empty() {
            joined.push(if follows_prose && is_prose(line) { ' ' } else { '\n' });
        }
        joined.push_str(line);
        follows_prose = is_prose(line);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text =
            "Find it\n\nIt is found\nat once.\n\n  kalah find\n  kalah find --all\n\nThat\nis all.";
        let joined =
            "Find it\n\nIt is found at once.\n\n  kalah find\n  kalah find --all\n\nThat is all.";
        assert_eq!(joined_prose(text), joined);
        assert_eq!(joined_prose(joined), joined);
    }
}
