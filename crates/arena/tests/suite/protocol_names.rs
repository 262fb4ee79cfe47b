//! The names in brackets in `protocol.md` are those of the checks, each where its requirement stands.

use std::collections::BTreeSet;

use kalah_arena::compliance::checks;

use kalah::protocol::SPECIFICATION as PROTOCOL;

/// What stands in brackets and has the form of an identifier: two words with a dot between them.
fn bracketed(text: &str) -> BTreeSet<&str> {
    let is_word = |word: &str, others: &str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || others.contains(c);
        !word.is_empty() && word.chars().all(is_part)
    };
    let is_id = |text: &&str| {
        text.split_once('.')
            .is_some_and(|(section, name)| is_word(section, "") && is_word(name, "-"))
    };
    let inner = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    // A link has its address behind it.
    inner.filter(|(_, rest)| !rest.starts_with('(')).map(|(inner, _)| inner).filter(is_id).collect()
}

#[test]
fn names_in_brackets_are_found() {
    let text = "a [lines.crlf]. [x.y](z) `[snwb]` [Options] [go.one-bestmove] [a.B] [.x]";
    assert_eq!(bracketed(text), BTreeSet::from(["lines.crlf", "go.one-bestmove"]));
}

#[test]
fn each_requirement_has_its_name_beside_it() {
    let (page, _) = PROTOCOL.split_once("\n## Requirements\n").expect("an index");
    let known: BTreeSet<&str> = checks().iter().map(|check| check.requirement.id).collect();
    assert_eq!(bracketed(page), known);
}
