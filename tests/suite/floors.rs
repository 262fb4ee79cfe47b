//! The layout of the sources: imports point downwards and never in a circle, files have a readable
//! length, a public type has a name of its own, and the bare library depends on few crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::imports::{Source, Sources};

/// The modules from the ground up, floor by floor. A module may use itself and lower floors.
const FLOORS: [&[&str]; 16] = [
    &["board", "sys", "lock", "printable", "regular_file", "web_server"],
    &["stop", "parallel", "atomic_file", "file_header", "games"],
    &["file_lock"],
    &["tablebase"],
    &["proof_file", "search"],
    &["solve"],
    &["book"],
    &["protocol"],
    &["engine"],
    &["process"],
    &["lab"],
    &["training"],
    &["arena"],
    &["review"],
    &["gui", "kgp"],
    &["cli"],
];

const MAX_LINES: usize = 500;
/// A file below this is short; a `mod.rs` may be.
const SHORT: usize = 60;
const MAX_SHORT_FILES: usize = 12;

/// Of the library without default features, with itself.
const MAX_CRATES: usize = 25;

/// The board is the game alone: no input and output, no clocks, no threads.
const NOT_ON_THE_BOARD: [&str; 6] = ["env", "fs", "io", "net", "thread", "time"];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

/// Imports that do not point downwards.
fn upward_imports(sources: &Sources) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, file) in sources.files.iter().enumerate() {
        // The roots of the library and of the program stand above all modules.
        let Some(module) = file.module.get(1) else { continue };
        let Some(own) = floor(module) else {
            complaints.push(format!("the module '{module}' has no floor: give it one in FLOORS"));
            continue;
        };
        for imported in sources.imported_by(number) {
            let imported = &sources.files[imported];
            let target = imported.module.get(1);
            let is_below = target.and_then(|module| floor(module)).is_some_and(|floor| floor < own);
            if target != Some(module) && !is_below {
                complaints.push(format!(
                    "{} uses {}",
                    file.path.display(),
                    imported.path.display()
                ));
            }
        }
        if module == "board" {
            let paths = file.std_paths().filter(|path| {
                path.get(1).is_none_or(|name| NOT_ON_THE_BOARD.contains(&name.as_str()))
            });
            complaints.extend(paths.map(|path| format!("{} uses {path:?}", file.path.display())));
        }
    }
    complaints
}

fn circles(sources: &Sources) -> Vec<String> {
    sources.circles().iter().map(|circle| sources.names(circle)).collect()
}

/// Names that several public types share, with their files.
fn shared_names(sources: &Sources) -> Vec<String> {
    let mut files_by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in &sources.files {
        for name in &file.public_types {
            files_by_name.entry(name).or_default().push(file.path.display().to_string());
        }
    }
    files_by_name.retain(|_, files| files.len() > 1);
    files_by_name.iter().map(|(name, files)| format!("{name}: {}", files.join(", "))).collect()
}

/// Files chosen by their lines.
fn files_of(sources: &Sources, is_chosen: impl Fn(usize) -> bool) -> Vec<String> {
    let files = sources.files.iter().filter(|file| is_chosen(file.lines));
    files.map(|file| format!("{} has {} lines", file.path.display(), file.lines)).collect()
}

#[test]
fn imports_point_downwards() {
    let sources = Sources::read();
    for module in FLOORS.concat() {
        assert!(sources.files.iter().any(|file| file.module[1..] == [module]), "no '{module}'");
    }
    assert_eq!(upward_imports(&sources), [""; 0]);
}

#[test]
fn no_files_import_each_other() {
    assert_eq!(circles(&Sources::read()), [""; 0]);
}

#[test]
fn files_have_a_readable_length() {
    let sources = Sources::read();
    assert_eq!(files_of(&sources, |lines| lines > MAX_LINES), [""; 0]);
    let mut short = files_of(&sources, |lines| lines < SHORT);
    short.retain(|file| !file.contains("mod.rs"));
    assert!(short.len() <= MAX_SHORT_FILES, "{short:#?}");
}

#[test]
fn public_types_have_names_of_their_own() {
    assert_eq!(shared_names(&Sources::read()), [""; 0]);
}

#[test]
fn the_bare_library_needs_few_crates() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "-e", "normal", "--no-default-features"])
        .args(["--prefix", "none", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // Repeated crates are marked after their name and version.
    let crates: BTreeSet<_> =
        text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>()).collect();
    assert!(crates.len() <= MAX_CRATES, "{crates:#?}");
}

/// A crate with a file for every module, and these.
fn sources_of(files: &[(&str, &str)]) -> Sources {
    let mut texts: BTreeMap<String, &str> =
        FLOORS.concat().into_iter().map(|module| (format!("{module}/mod.rs"), "")).collect();
    texts.extend([("lib.rs".to_owned(), ""), ("main.rs".to_owned(), "")]);
    texts.extend(files.iter().map(|&(path, text)| (path.to_owned(), text)));
    Sources::new(texts.iter().map(|(path, text)| Source::new(Path::new(path), text)).collect())
}

#[test]
fn upward_imports_are_found() {
    for (path, text) in [
        ("board/rules.rs", "use crate::search::Limits;"),
        ("board/mod.rs", "use super::search::Limits;"),
        ("board/rules.rs", "use super::super::search; fn f(limits: search::Limits) {}"),
        ("board/rules.rs", "use crate::stop::StopToken;"),
        ("search/table.rs", "use crate::{board::Board, engine::{self, Options}};"),
        ("search/table.rs", "use crate::{\n    board::{Board, House},\n    protocol::Reply,\n};"),
        ("protocol/reply.rs", "fn f(error: crate::engine::EngineError) {}"),
        ("engine/mod.rs", "use kalah::cli;"),
        ("engine/mod.rs", "use crate::*;"),
        ("board/key.rs", "use crate::CONSTANT;"),
        ("attic/mod.rs", ""),
        ("board/key.rs", "use std::{fmt, time::Instant};"),
        ("board/key.rs", "fn f() { std::thread::spawn(f); }"),
    ] {
        assert_eq!(upward_imports(&sources_of(&[(path, text)])).len(), 1, "{path}: {text}");
    }
}

#[test]
fn downward_imports_are_not() {
    for (path, text) in [
        ("search/table.rs", "use crate::board::Board;\nuse super::value::Bound;"),
        ("engine/mod.rs", "use crate::{board::Board, protocol::{Command, engine}, search};"),
        ("engine/mod.rs", "// Not crate::cli::run.\nuse self::options::cli;"),
        ("engine/mod.rs", "fn f<'a>() { g(\"crate::cli::run\", '\"', r#\"crate::cli::run\"#) }"),
        ("cli/bench.rs", "use kalah::engine;\nuse std::io;"),
        ("main.rs", "mod cli;"),
        ("lib.rs", "pub mod engine;"),
        ("board/rules.rs", "use super::house::House;\nuse std::fmt;"),
        ("board/row.rs", "#[cfg(test)]\nmod tests { use crate::cli::f; }"),
        ("board/row.rs", "mod narrow { use super::Row; fn f() { super::super::g() } }"),
    ] {
        assert_eq!(upward_imports(&sources_of(&[(path, text)])), [""; 0], "{path}: {text}");
    }
}

#[test]
fn circles_are_found() {
    let declared = ("search/mod.rs", "mod a;\nmod b;\npub use a::A;\npub use b::{B, c as d};");
    for (a, b) in [
        ("use super::b::B;", "use super::a::A;"),
        // Whatever re-exports a name.
        ("use super::B;", "use crate::search::A;"),
        ("fn f() { super::d() }", "use super::{self as all}; fn f() { all::A::new() }"),
        // Through the root.
        ("use crate::b::B;", "use crate::{search::{a::A}, Other};"),
    ] {
        let root = ("lib.rs", "pub use search::b;");
        let sources = sources_of(&[root, declared, ("search/a.rs", a), ("search/b.rs", b)]);
        assert_eq!(circles(&sources), ["search/a.rs -> search/b.rs"], "{a} {b}");
    }
    for (parent, child) in [
        ("mod a;\npub use a::A;\nfn f(a: A) {}", "use super::f;"),
        ("mod a;\nfn f() { a::g() }", "use crate::search::f;"),
    ] {
        let sources = sources_of(&[("search/mod.rs", parent), ("search/a.rs", child)]);
        assert_eq!(circles(&sources), ["search/a.rs -> search/mod.rs"], "{parent} {child}");
    }
    let sources = sources_of(&[
        ("search/a.rs", "use super::b::B;"),
        ("search/b.rs", "use super::c::C;"),
        ("search/c.rs", "use super::a::A;"),
        ("search/d.rs", "use super::a::A;"),
    ]);
    assert_eq!(circles(&sources), ["search/a.rs -> search/b.rs -> search/c.rs"]);
}

#[test]
fn re_exports_are_no_circles() {
    let sources = sources_of(&[
        ("search/mod.rs", "mod a;\nmod b;\npub use a::A;\nfn f() {}"),
        ("search/a.rs", "use super::f;"),
        ("search/b.rs", "use super::A;"),
    ]);
    assert_eq!(circles(&sources), [""; 0]);
}

#[test]
fn shared_names_are_found() {
    let sources = sources_of(&[
        ("search/a.rs", "pub struct A; enum B {} impl C for A { type D = A; }"),
        ("search/b.rs", "pub(in crate::search) enum A {} pub(crate) type B = u8;"),
        ("cli/mod.rs", "pub trait D {} pub(super) const fn b() {}"),
    ]);
    assert_eq!(shared_names(&sources), ["A: search/a.rs, search/b.rs"]);
}
