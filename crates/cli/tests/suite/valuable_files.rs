//! Results of long work are not replaced by other output, nor is what a command reads.

use std::fs;

use crate::contest::Contest;

const MATCH: &str = "match --engine builtin=negascout --engine builtin=mtdf --each depth=1 \
                     --houses 3 --seeds 2 --games 2";

/// Requires that a command is refused and that a file stays as it is.
#[track_caller]
fn spares(contest: &Contest, file: &str, words: &str, named: &str) {
    let before = fs::read(contest.path(file)).unwrap();
    contest.refused(words, 1, named);
    assert!(fs::read(contest.path(file)).unwrap() == before, "{words}");
}

#[test]
fn results_of_long_work_are_not_replaced() {
    let contest = Contest::new();
    contest.played(&format!("{MATCH} --record games"));
    contest.played("review games --depth 1 --record reviews");
    contest.played("solve --seeds 2 --checkpoint checkpoint");
    contest.played("tablebase build tables --houses 2 --seeds 2");
    contest.played("book build book --houses 3 --seeds 2 --plies 1");
    contest.played(
        "tune --engine 'builtin=selective name=s' --each nodes=60 --houses 3 --seeds 2 \
         --parameter 'name=Hash start=2 min=1 max=4 step=1' --iterations 1 --pairs 1 --record tuning",
    );
    contest.write(
        "solved",
        r#"{"fen":"<1,0,0,1,1> S","capture":"standard","sowing":"single","moves":{"A":0}}"#,
    );
    contest.played("store add store solved");
    for (file, kind) in [
        ("games", "a record of games"),
        ("store", "a store of solved positions"),
        ("reviews", "a record of reviews"),
        ("tuning", "a record of a tuning run"),
        ("checkpoint", "a checkpoint"),
        ("book", "a book"),
        ("tables/kalah-2-standard-2.ktb", "a tablebase file"),
    ] {
        let named = format!("it is {kind}, which would be lost");
        spares(&contest, file, &format!("solve --seeds 1 --proof {file}"), &named);
        spares(&contest, file, &format!("review games --html {file}"), &named);
        spares(&contest, file, &format!("lab pearl --seeds 1 --csv {file}"), &named);
    }
    spares(&contest, "games", "puzzles --games 1 --output games", "a record of games");
    spares(&contest, "games", "book merge games book", "a record of games");
    spares(&contest, "book", "merge games --output book --force", "a book");
}

#[test]
fn surveys_are_not_replaced() {
    let contest = Contest::new();
    contest.write("notes.csv", "my notes");
    spares(&contest, "notes.csv", "solve --table 1 1 --csv notes.csv", "not a survey of starts");
    contest.played("solve --table 1 1 --csv values.csv");
    let wider: Vec<String> =
        contest.read("values.csv").lines().map(|line| format!("{line},note")).collect();
    contest.write("wider.csv", wider.join("\n"));
    spares(&contest, "wider.csv", "solve --table 1 2 --csv wider.csv", "not a survey of starts");
    fs::copy(contest.path("values.csv"), contest.path("values.svg")).unwrap();
    spares(&contest, "values.svg", "lab values values.svg values.svg", "both survey and picture");
    contest.refused("lab values values.csv values.csv", 2, ".svg");
}

#[test]
fn a_network_is_not_written_among_the_files_of_its_training() {
    let contest = Contest::new();
    fs::create_dir(contest.path("training")).unwrap();
    let words = "train --houses 2 --out training/generation-1.knn --folder training";
    contest.refused(words, 1, "the folder of the training");
    assert_eq!(fs::read_dir(contest.path("training")).unwrap().count(), 0);
}

#[test]
fn names_that_cannot_be_are_refused_before_the_work() {
    let contest = Contest::new();
    let long = "n".repeat(300);
    contest.refused(&format!("{MATCH} --record games --report {long}"), 1, "cannot write");
    contest.refused(&format!("solve --seeds 1 --proof {long}"), 1, "cannot write");
    contest.refused("solve --seeds 1 --proof ..", 1, "cannot write");
    assert!(contest.files().is_empty());
}
