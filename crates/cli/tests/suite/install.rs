//! What a shell and a reader of manuals install, and what all commands say alike.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::session::Session;

fn output(arguments: &[&str]) -> Vec<String> {
    Session::run(arguments).wait_for_success()
}

/// What bash offers after these words.
fn completed(script: &Path, words: &[&str]) -> BTreeSet<String> {
    let last = words.len() - 1;
    let call = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={last}; _kalah kalah '{}' '{}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        shell_words::join(words),
        words[last],
        words[last - 1],
    );
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &call]).current_dir(script.parent().unwrap());
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let has_bash = Command::new("bash").arg("--version").stdout(Stdio::null()).status();
    if !has_bash.is_ok_and(|status| status.success()) {
        eprintln!("there is no bash: its completions are not tested");
        return;
    }
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("kalah");
    fs::write(&script, output(&["completions", "bash"]).join("\n")).unwrap();
    assert_eq!(completed(&script, &["kalah", "so"]), ["solve".to_owned()].into());
    assert!(completed(&script, &["kalah", "tablebase", ""]).contains("probe"));
    assert!(completed(&script, &["kalah", "solve", "--mo"]).contains("--moves"));
    let rules = completed(&script, &["kalah", "solve", "--capture", ""]);
    assert_eq!(rules, ["empty".to_owned(), "standard".to_owned()].into());
    // Files for what is a file, whole ones, and none for a number.
    fs::write(folder.path().join("my games.jsonl"), "").unwrap();
    for (command, option) in [("match", "--record"), ("gui", "--engine")] {
        let files = completed(&script, &["kalah", command, option, "my"]);
        assert_eq!(files, ["my games.jsonl".to_owned()].into(), "{option}");
    }
    assert_eq!(completed(&script, &["kalah", "match", "--games", ""]), [String::new()].into());
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = output(&["completions", shell]).join("\n");
        for word in ["tablebase", "verify-proof", "checkpoint"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert_eq!(Session::run(&["completions", "csh"]).wait().status.code(), Some(2));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("share/man/man1");
    output(&["man", pages.to_str().unwrap()]);
    let read = || -> Vec<(String, Vec<u8>)> {
        let files = fs::read_dir(&pages).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files
            .map(|path| (path.file_name().unwrap().display().to_string(), fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let first = read();
    for name in ["kalah.1", "kalah-solve.1", "kalah-tablebase-probe.1", "kalah-lab-pearl.1"] {
        let page = first.iter().find(|(page, _)| page == name).unwrap_or_else(|| panic!("{name}"));
        let text = String::from_utf8_lossy(&page.1);
        assert!(text.contains(".SH SYNOPSIS") && text.contains("kalah"), "{name}: {text}");
    }
    // Examples stand as they are written, and no word is broken at a hyphen.
    for (name, page) in &first {
        let page = String::from_utf8_lossy(page);
        assert!(page.contains("\n.nh\n"), "{name}");
        let mut is_filled = true;
        for line in page.lines() {
            is_filled = line != ".nf" && (is_filled || line == ".fi");
            assert_eq!(line.starts_with("  "), !is_filled && line != ".nf", "{name}: {line}");
        }
        assert!(is_filled && page.contains("\n  kalah"), "{name}");
    }
    // Again over what is there: the same bytes.
    output(&["man", pages.to_str().unwrap()]);
    assert!(first == read());
    // Where no folder can be made.
    let ended = Session::run(&["man", pages.join("kalah.1").join("x").to_str().unwrap()]).wait();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.errors.starts_with("kalah: cannot write manual pages to"), "{}", ended.errors);
}

#[test]
fn a_quiet_command_says_only_its_results() {
    let folder = TempDir::new().unwrap();
    let record = folder.path().join("games.jsonl");
    let games = |words: &[&str]| {
        let mut arguments = vec!["match", "--engine", "builtin=pvs", "--engine", "builtin=mtdf"];
        arguments.extend(["--each", "nodes=100", "--games", "2", "--record"]);
        arguments.push(record.to_str().unwrap());
        arguments.extend(words);
        let ended = Session::run(&arguments).wait();
        assert!(ended.status.success(), "{}", ended.errors);
        ended.errors
    };
    games(&[]);
    assert!(games(&[]).contains("2 of 2 games are in the record"));
    assert_eq!(games(&["--quiet"]), "");
    let ended = Session::run(&["-q", "standing", "/no/such/file"]).wait();
    assert!(ended.errors.contains("/no/such/file"), "{}", ended.errors);
    let both = Session::run(&["-q", "-v", "perft", "1"]).wait();
    assert_eq!(both.status.code(), Some(2), "{}", both.errors);
    let mut session = Session::with(|command| {
        command.arg("-vv");
    });
    session.send("isready");
    session.expect("readyok");
    session.send("quit");
    assert!(session.wait().errors.contains("readyok"));
}

#[test]
fn help_has_colours_only_where_they_are_wanted() {
    let help = |name: &str, value: &str| {
        let mut session = Session::program(|command| {
            command.args(["solve", "--help"]).env_remove("NO_COLOR").env(name, value);
        });
        session.wait_for_success().join("\n").contains('\x1b')
    };
    assert!(help("CLICOLOR_FORCE", "1"));
    assert!(!help("NO_COLOR", "1"));
    assert!(!help("TERM", "xterm"));
}
