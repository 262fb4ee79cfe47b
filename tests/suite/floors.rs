//! The rooms of the crate stand on one another: imports point downwards only.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. A room may use itself and those before it.
const ROOMS: [&str; 14] = [
    "board",
    "sys",
    "stop",
    "parallel",
    "atomic_file",
    "tablebase",
    "search",
    "solve",
    "protocol",
    "engine",
    "lab",
    "arena",
    "training",
    "cli",
];

/// A file past this wants to be two.
const MOST_LINES: usize = 600;

/// The ground floor is the game alone: no input and output, no clocks, no threads.
const NOT_ON_THE_GROUND: [&str; 6] = ["env", "fs", "io", "net", "thread", "time"];

/// All source files, as paths below `src/`.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                sources.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    sources
}

/// The modules that a file is: `engine/state.rs` is `[engine, state]`.
fn modules(path: &Path) -> Vec<String> {
    let names = path.with_extension("");
    let names = names.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !matches!(name.as_str(), "mod" | "main" | "lib")).collect()
}

/// The text less its comments. Text in quotes that looks like either is beyond this.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names of the paths that follow wherever `prefix` stands: one, or those in braces.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(prefix)
        .filter(|&(at, _)| !code[..at].ends_with(is_name))
        .flat_map(|(at, _)| {
            let rest = code[at + prefix.len()..].trim_start();
            match rest.strip_prefix('{') {
                Some(group) => members(group),
                None => vec![rest.split(|c| !is_name(c)).next().unwrap_or_default().to_owned()],
            }
        })
        // A glob, and `self`, name the place itself.
        .map(|name| if name.is_empty() || name == "self" { "*".to_owned() } else { name })
        .collect()
}

/// The first names in a group of imports that has just been opened.
fn members(group: &str) -> Vec<String> {
    let mut depth = 1;
    let mut names = vec![String::new()];
    let mut in_first = true;
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => {
                names.push(String::new());
                in_first = true;
            }
            ':' | '{' | '}' => in_first = false,
            c if c.is_whitespace() => in_first &= names.last().is_some_and(String::is_empty),
            c if in_first && depth == 1 => names.last_mut().expect("there is one").push(c),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The names that a file uses from the root of the crate.
fn used_from_root(modules: &[String], text: &str) -> Vec<String> {
    let code = code(text);
    // From this file, so many steps up lead to the root.
    let up = "super::".repeat(modules.len());
    let prefixes = ["crate::", "kalah::", &up];
    let prefixes = prefixes.into_iter().filter(|prefix| !prefix.is_empty());
    let used = prefixes.flat_map(|prefix| names_after(&code, prefix));
    used.filter(|name| name != "super").collect()
}

/// What is wrong with the imports of a file, if anything.
fn complaints(path: &Path, text: &str) -> Vec<String> {
    let modules = modules(path);
    let floor = |name: &str| ROOMS.iter().position(|&room| room == name);
    // The roots of the library and of the program stand above all rooms.
    let Some(room) = modules.first() else { return Vec::new() };
    let Some(own) = floor(room) else {
        return vec![format!("the room '{room}' has no floor: give it one in ROOMS")];
    };
    let mut complaints = Vec::new();
    for name in used_from_root(&modules, text) {
        match floor(&name) {
            Some(used) if used <= own => {}
            Some(_) => {
                complaints.push(format!("{} uses {name}, which is above it", path.display()));
            }
            None => complaints.push(format!("{} uses {name} of no room", path.display())),
        }
    }
    if own == 0 {
        let used = names_after(&code(text), "std::");
        let used = used.iter().filter(|name| NOT_ON_THE_GROUND.contains(&name.as_str()));
        complaints.extend(used.map(|name| format!("{} uses std::{name}", path.display())));
    }
    complaints
}

#[test]
fn imports_point_downwards() {
    let sources = sources();
    let rooms: Vec<_> =
        sources.iter().filter_map(|(path, _)| modules(path).into_iter().next()).collect();
    for room in ROOMS {
        assert!(rooms.iter().any(|there| there == room), "no room '{room}'");
    }
    let complaints: Vec<String> =
        sources.iter().flat_map(|(path, text)| complaints(path, text)).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn files_are_not_too_long() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn upward_imports_are_found() {
    for (path, text) in [
        ("board/rules.rs", "use crate::search::Limits;"),
        ("board/mod.rs", "use super::search::Limits;"),
        ("board/rules.rs", "use super::super::search;"),
        ("search/table.rs", "use crate::{board::Board, engine::{self, Options}};"),
        ("search/table.rs", "use crate::{\n    board::{Board, House},\n    protocol,\n};"),
        ("protocol/reply.rs", "fn f(error: crate::engine::EngineError) {}"),
        ("engine/mod.rs", "use kalah::cli;"),
        ("engine/mod.rs", "use crate::*;"),
        ("board/key.rs", "use crate::CONSTANT;"),
        ("attic/mod.rs", ""),
        ("board/key.rs", "use std::{fmt, time::Instant};"),
        ("board/key.rs", "std::thread::spawn(f);"),
    ] {
        assert_eq!(complaints(Path::new(path), text).len(), 1, "{path}: {text}");
    }
}

#[test]
fn downward_imports_are_not() {
    for (path, text) in [
        ("search/table.rs", "use crate::board::Board;\nuse super::value::Bound;"),
        ("engine/mod.rs", "use crate::{board::Board, protocol::{Command, engine}, search};"),
        ("engine/mod.rs", "// Not crate::cli::run.\nuse self::options::cli;"),
        ("cli/bench.rs", "use kalah::engine;\nuse std::io;"),
        ("main.rs", "mod cli;"),
        ("lib.rs", "pub mod engine;"),
        ("board/rules.rs", "use super::house::House;\nuse std::fmt;"),
        ("board/row.rs", "mod tests { use super::*; }"),
    ] {
        assert_eq!(complaints(Path::new(path), text), [""; 0], "{path}: {text}");
    }
}
