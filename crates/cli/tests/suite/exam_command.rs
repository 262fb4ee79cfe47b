//! `kalah exam`: its results as text, JSON and a page, and what it refuses.

use serde_json::Value;

use crate::contest::Contest;
use crate::markup;

/// A set that is made in a moment, in the file `set`.
fn with_set() -> Contest {
    let contest = Contest::new();
    contest.played("exam --make set --houses 4 --seeds 3 --seed 7");
    contest
}

#[test]
fn the_page_the_text_and_the_json_agree() {
    let contest = with_set();
    let exam = "exam 'builtin=minimax depth=2 name=<deep>' --positions set --precision 300";
    let (text, _) = contest.played(&format!("{exam} --html page.html"));
    let (json, _) = contest.played(&format!("{exam} --json"));
    let json: Value = serde_json::from_str(&json).unwrap();
    let page = contest.read("page.html");
    markup::assert_well_formed(&page);
    let total = &json["positions"]["total"];
    let regret = format!("{:.2}", total["regret"]["value"].as_f64().unwrap());
    let rating = format!("{:.0}", json["games"]["rating"]["value"].as_f64().unwrap());
    assert!(text.contains(&format!("regret       {regret} seeds a move")), "{text}");
    assert!(text.contains(&format!("rating       {rating} [")), "{text}");
    assert!(
        page.contains(&format!("<b>{regret}</b>")) && page.contains(&format!("<b>{rating}</b>"))
    );
    assert!(page.contains("Exam: &lt;deep&gt;") && !page.contains("<deep>"), "{page}");
    assert!(!page.contains("NaN") && !page.contains("inf]"), "{page}");
    // All that is known can be checked by anybody: the losses are the differences of the margins.
    let set = contest.read("set");
    let answers = json["answers"].as_array().unwrap();
    assert_eq!(answers.len(), set.lines().count() - 1);
    let mut losses = 0;
    for (answer, line) in answers.iter().zip(set.lines().skip(1)) {
        let fen = answer["fen"].as_str().unwrap();
        assert!(line.contains(fen), "{line}");
        let margins: Vec<Option<i64>> =
            line.rsplit(' ').next().unwrap().split(',').map(|it| it.parse().ok()).collect();
        let letter = answer["move"].as_str().unwrap().to_ascii_uppercase().into_bytes()[0];
        let margin = margins[usize::from(letter - b'A')].unwrap();
        let loss = margins.iter().flatten().max().unwrap() - margin;
        assert_eq!(answer["loss"], loss);
        losses += loss;
    }
    let mean = losses as f64 / answers.len() as f64;
    assert!((total["regret"]["value"].as_f64().unwrap() - mean).abs() < 1e-9);
}

#[test]
fn positions_are_chosen_by_their_rules_and_by_the_time() {
    let contest = with_set();
    let answers = |words: &str| {
        let exam = format!("exam 'builtin=pvs depth=1' --positions set --no-games --json {words}");
        let (json, _) = contest.played(&exam);
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["games"], Value::Null);
        json["answers"].as_array().unwrap().len()
    };
    let set = contest.read("set");
    let standard = set.lines().filter(|line| line.starts_with("standard ")).count();
    assert_eq!(answers(""), set.lines().count() - 1);
    assert_eq!(answers("--houses 4 --capture standard"), standard);
    contest.refused("exam 'builtin=pvs depth=1' --positions set --houses 5", 2, "no positions");
    // The positions of the program, as many as there is time for.
    let (text, _) = contest.played("exam builtin=mcts --movetime 0.2 --time 1 --no-games");
    let line = text.lines().find(|line| line.starts_with("positions ")).unwrap();
    assert!(line.contains(" of "), "{text}");
}

/// Neither a program that answers in time nor one that never answers outlasts the time of the exam.
#[test]
fn programs_are_not_asked_after_the_time() {
    let contest = Contest::new();
    let deaf =
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done";
    let kalah = format!("cmd={}", shell_words::quote(env!("CARGO_BIN_EXE_kalah")));
    let deaf = format!("cmd=sh args={}", shell_words::quote(&format!("-c '{deaf}'")));
    let [some, none] = [kalah, deaf].map(|player| {
        let player = shell_words::quote(&player).into_owned();
        let (json, _) =
            contest.played(&format!("exam {player} --movetime 1000 --time 1 --no-games --json"));
        serde_json::from_str::<Value>(&json).unwrap()
    });
    let answers = |of: &Value| of["answers"].as_array().unwrap().len() as u64;
    assert!(answers(&some) < some["set"]["chosen"].as_u64().unwrap());
    assert_eq!(answers(&none), 0);
    assert_eq!(none["positions"]["mean_milliseconds"].to_string(), "0.0");
    let mute = "exam 'cmd=sh args=\"-c \\\"while read line; do :; done\\\"\"' --time 0.2";
    contest.refused(mute, 1, "the engine did not start within 0.1 s");
}

#[test]
fn results_are_added_to_a_file_of_anchors() {
    let contest = with_set();
    for depth in [1, 2, 1] {
        contest.played(&format!(
            "exam 'builtin=minimax depth={depth} name=minimax{depth}' --positions set --no-games --anchor anchors"
        ));
    }
    let anchors = contest.read("anchors");
    let names: Vec<String> = anchors
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].to_string())
        .collect();
    assert_eq!(names, ["\"minimax2\"", "\"minimax1\""]);
}

/// Ctrl-C ends the games, and what is known is printed.
#[cfg(unix)]
#[test]
fn an_exam_that_is_stopped_prints_what_it_has() {
    let contest = with_set();
    let exam = "exam 'builtin=minimax depth=3' --positions set --precision 1 --time 1000 --record games --json";
    let ended = contest.stopped_at_work(exam, "games", rustix::process::Signal::INT);
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    assert!(ended.errors.contains("interrupted: the results are those until then"));
    let json: Value = serde_json::from_str(&ended.output[0]).unwrap();
    let games = json["games"]["games"].as_u64().unwrap();
    assert_eq!(games, contest.games("games").len() as u64);
    assert!(games > 0);
    // The record is good for more games of this player, and of no other.
    let exam = |depth: u32| {
        format!(
            "exam 'builtin=minimax depth={depth}' --positions set --precision 1000 --record games"
        )
    };
    contest.played(&exam(3));
    contest.refused(&exam(2), 1, "'games'");
}

#[test]
fn what_cannot_be_examined_is_refused() {
    let contest = with_set();
    contest.refused("exam", 2, "ENGINE");
    contest.refused("exam nonsense", 2, "nonsense");
    contest.refused("exam name=nobody", 2, "a player needs 'cmd' or 'builtin'");
    contest.refused("exam cmd=no/such/engine", 1, "no/such/engine");
    contest.refused("exam builtin=pvs --time 0", 2, "expected seconds");
    contest.refused("exam builtin=pvs --html no/such/folder/page", 1, "no/such/folder/page");
    contest.refused("exam builtin=pvs --record same --html same", 1, "same");
    contest.refused("exam builtin=pvs --no-games --record games", 2, "--record");
    contest.write("other", "no set");
    contest.refused("exam builtin=pvs --positions other", 1, "'other' is not a set of positions");
    contest.refused("exam builtin=pvs --positions none", 1, "'none'");
    assert_eq!(contest.files(), ["other", "set"]);
}

/// What is wrong with a file is said before the work.
#[test]
fn a_file_is_named_for_one_purpose_and_is_of_its_kind() {
    let contest = with_set();
    contest.write("games", "no game\n");
    contest.write("notes", "no anchor\n");
    let contents = || ["games", "notes", "set"].map(|name| contest.read(name));
    let before = contents();
    for (words, code, named) in [
        ("--html set", 1, "'set' cannot be both set of positions and page"),
        ("--anchor set", 1, "'set' cannot be both set of positions and file of anchors"),
        ("--html same --anchor same", 1, "is named for two files"),
        ("--record same --anchor same", 1, "cannot be both record and file of anchors"),
        ("--record set", 1, "'set', line 1"),
        ("--record games", 1, "'games', line 1"),
        ("--record no/such/folder/games", 1, "no/such/folder/games"),
        ("--anchor notes", 1, "'notes': line 1 is no anchor"),
        ("--make set", 2, "--make"),
    ] {
        contest.refused(&format!("exam builtin=pvs --positions set --time 2 {words}"), code, named);
    }
    contest.refused("exam --make set --html set", 2, "--html");
    assert_eq!(
        (contest.files(), contents()),
        (["games", "notes", "set"].map(str::to_owned).into(), before)
    );
}
