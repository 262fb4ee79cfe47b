//! `kalah watch`: a tournament of another process is followed while it is played.

use std::fs;
use std::io::Write;

use crate::contest::Contest;

const GAMES: &str = "match --engine builtin=pvs --engine builtin=mtdf --each nodes=100";

#[test]
fn games_are_shown_as_they_come() {
    let contest = Contest::new();
    contest.played(&format!("{GAMES} --games 4 --record whole"));
    let whole = contest.read("whole");
    let lines: Vec<&str> = whole.lines().collect();
    let mut watch = contest.start("watch games --games 4");
    // The file does not exist yet. Then games come one by one, one of them in two pieces.
    let mut file = fs::File::create(contest.path("games")).unwrap();
    let mut write = |text: &str| {
        file.write_all(text.as_bytes()).unwrap();
        file.flush().unwrap();
    };
    write(&format!("{}\n", lines[0]));
    assert!(watch.line().starts_with("game 1: pvs - mtdf "));
    let (start, rest) = lines[1].split_at(lines[1].len() / 2);
    write(start);
    write(&format!("{rest}\n{}\n", lines[2]));
    assert!(watch.line().starts_with("game 2: mtdf - pvs "));
    assert!(watch.line().starts_with("game 3: pvs - mtdf "));
    // At its end the writer replaces the file by one that is sorted.
    fs::write(contest.path("sorted"), &whole).unwrap();
    fs::rename(contest.path("sorted"), contest.path("games")).unwrap();
    assert!(watch.line().starts_with("game 4: mtdf - pvs "));
    let ended = watch.wait();
    assert!(ended.status.success(), "{}", ended.errors);
    let standing = contest.played("standing whole").0;
    assert_eq!(ended.output.join("\n"), standing);
}

#[test]
fn it_shows_what_there_is_and_ends() {
    let contest = Contest::new();
    contest.refused("watch nothing --once", 1, "cannot read 'nothing'");
    contest.write("empty", "");
    assert_eq!(contest.played("watch empty --once").0, "no games yet");
    contest.played(&format!("{GAMES} --games 2 --record games"));
    let standing = contest.played("standing games --sprt 'elo0=0 elo1=5'").0;
    let watched = contest.played("watch games --once --sprt 'elo0=0 elo1=5'").0;
    assert!(watched.ends_with(&standing), "{watched}");
    assert_eq!(watched.lines().filter(|line| line.starts_with("game ")).count(), 2);
}

#[test]
fn a_line_that_comes_later_is_named_by_its_number() {
    let contest = Contest::new();
    contest.played(&format!("{GAMES} --games 2 --record games"));
    let mut watch = contest.start("watch games");
    assert!(watch.line().starts_with("game 1: "));
    assert!(watch.line().starts_with("game 2: "));
    contest.write("games", contest.read("games") + "\nhello\n");
    let ended = watch.wait();
    assert_eq!(ended.status.code(), Some(1));
    let said = "'games', line 4: not a record of a game: no JSON begins here";
    assert!(ended.errors.contains(said), "{}", ended.errors);
}

#[test]
fn what_is_not_a_record_is_refused() {
    let contest = Contest::new();
    contest.write("text", "hello\n");
    contest.refused("watch text --once", 1, "not a record of a game");
    contest.played(&format!("{GAMES} --games 2 --record one"));
    contest.played(&format!("{GAMES} --games 2 --seed 7 --record two"));
    let ended = contest.run("watch one two --once");
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.errors.contains("'two' is of another tournament"), "{}", ended.errors);
    let ended = contest.run("watch one one --once");
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.errors.contains("'one': game 1 has been read already"), "{}", ended.errors);
    contest.refused("watch", 2, "FILE");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_it_with_the_standing() {
    use rustix::process::Signal;

    let contest = Contest::new();
    contest.played(&format!("{GAMES} --games 2 --record games"));
    let mut watch = contest.start("watch games");
    assert!(watch.line().starts_with("game 1: "));
    watch.signal(Signal::INT);
    let ended = watch.wait();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    assert!(ended.output.iter().any(|line| line == "pvs against mtdf, 2 games"));
}
