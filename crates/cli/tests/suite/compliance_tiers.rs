//! Tiers and identifiers of `kalah compliance`: the same in `protocol.md`, in text and in JSON.
#![cfg(unix)]

use std::collections::BTreeSet;

use kalah_arena::compliance::checks;

use crate::session::{Ended, Session};

/// The rows of the table of requirements in `protocol.md`.
fn requirements_of_the_page() -> Vec<[String; 3]> {
    let page = include_str!("../../../../protocol.md");
    let (_, table) = page.split_once("\n## Requirements\n").expect("a section");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, tier, statement] = cells[..] else { panic!("{row}") };
        [id.trim_matches('`'), tier, statement].map(str::to_owned)
    })
    .collect()
}

#[test]
fn every_requirement_stands_in_the_page() {
    let rows: Vec<[String; 3]> = checks()
        .iter()
        .map(|check| {
            let requirement = check.requirement;
            let statement = format!("{}: {}", requirement.section, requirement.statement);
            [requirement.id.to_owned(), requirement.tier.to_string(), statement]
        })
        .collect();
    assert_eq!(requirements_of_the_page(), rows);
    let identifiers: BTreeSet<_> = rows.iter().map(|[id, ..]| id).collect();
    assert_eq!(identifiers.len(), rows.len());
}

#[test]
fn tiers_say_what_is_missing() {
    // It has no ponderhit (should), no perft (may), and says its capitals in small letters (should).
    let cases = "'info string perft'*) ;; bestmove*) echo \"$line\" | tr A-L a-l;;";
    let script = format!(
        "\"$1\" | while IFS= read -r line; do case $line in {cases} *) echo \"$line\";; esac; done"
    );
    let run = |more: &[&str]| {
        let start = ["compliance", "--deadline", "2"];
        let engine = ["sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_kalah")];
        Session::run(&[&start[..], more, &engine].concat())
    };
    // Both mostly wait for what does not come.
    let (mut must, mut all) = (run(&["--tier", "must"]), run(&["--json"]));
    let Ended { status, output, .. } = must.wait();
    assert_eq!(status.code(), Some(0), "{output:#?}");
    assert!(output.contains(&"kalah protocol: must 52/52".to_owned()), "{output:#?}");
    let Ended { status, output, errors } = all.wait();
    assert_eq!(status.code(), Some(1), "{errors}");
    let results = crate::schemas::checked("compliance", &output);
    let missing = |tier: usize| {
        let ids = results["tiers"][tier]["missing"].as_array().unwrap();
        ids.iter().map(|id| id.as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(missing(0), [""; 0]);
    assert!(missing(1).contains(&"bestmove.capital"), "{results}");
    assert!(missing(2).contains(&"go.perft"), "{results}");
    let list = Session::run(&["compliance", "--list", "--json"]).wait_for_success();
    let results = crate::schemas::checked("compliance", &list);
    assert_eq!(results["checks"].as_array().unwrap().len(), checks().len());
}

#[test]
fn the_points_are_listed() {
    let lines = Session::run(&["compliance", "--list"]).wait_for_success();
    assert_eq!(lines.len(), checks().len());
    assert_eq!(
        lines[0],
        "must    uci.ok                       uci: 'uci' is answered up to 'uciok'"
    );
}
