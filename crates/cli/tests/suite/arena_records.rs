//! Records of games: they survive whatever ends a run, and a run goes on where the last one ended.
#![cfg(unix)]

use std::fs;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use kalah_records::{GameRecord, lock_record};

use crate::contest::{Contest, without_times};
use crate::runs::runs;
use crate::session::Session;

/// Players that always play the same games, one of them by chance.
const LONG: &str = "match --engine 'builtin=negascout depth=7' --engine 'builtin=mcts iterations=300' \
                    --games 60 --concurrency 2 --record games";

const SHORT: &str = "match --engine 'builtin=negascout depth=2' --engine 'builtin=mtdf depth=3' \
                     --games 4 --record games";

/// The record of an undisturbed short run.
static SHORT_RECORD: LazyLock<String> = LazyLock::new(|| {
    let contest = Contest::new();
    contest.played(SHORT);
    contest.read("games")
});

/// Waits until the record has so many lines; `false` when the run ended before that.
fn wait_for_games(contest: &Contest, session: &mut Session, games: usize) -> bool {
    let start = Instant::now();
    loop {
        let record = fs::read(contest.path("games")).unwrap_or_default();
        if record.split(|&byte| byte == b'\n').count() > games {
            return true;
        }
        if session.has_ended() {
            return false;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "no {games} games");
        thread::sleep(Duration::from_millis(1));
    }
}

#[track_caller]
fn wait_for_file(contest: &Contest, session: &mut Session, name: &str) {
    let start = Instant::now();
    while !contest.path(name).exists() {
        assert!(start.elapsed() < Duration::from_mins(1) && !session.has_ended(), "no '{name}'");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_record() {
    let undisturbed = Contest::new();
    undisturbed.played(LONG);

    let contest = Contest::new();
    let mut random = fastrand::Rng::with_seed(4);
    let mut games = 0;
    while games < 60 {
        let mut session = contest.start(LONG);
        games += random.usize(1..=12);
        if wait_for_games(&contest, &mut session, games) {
            thread::sleep(Duration::from_micros(random.u64(0..8000)));
            session.signal(Signal::KILL);
        }
        session.wait();
    }
    contest.played(LONG);
    assert_eq!(without_times(&contest.read("games")), without_times(&undisturbed.read("games")));
    let numbers: Vec<u64> = contest.games("games").iter().map(|game| game.game).collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<u64>>());
}

#[test]
fn a_record_that_is_removed_during_play_is_there_at_the_end() {
    let contest = Contest::new();
    // One game at a time: the games are in order as they are.
    let mut session = contest.start(&LONG.replace("--concurrency 2", ""));
    assert!(wait_for_games(&contest, &mut session, 2));
    fs::remove_file(contest.path("games")).unwrap();
    assert_eq!(session.wait().status.code(), Some(0));
    assert_eq!(contest.games("games").len(), 60);
}

/// Requires that a run on a record with a damaged end plays what is missing.
#[track_caller]
fn assert_mended(damaged: &[u8], is_torn: bool) {
    let contest = Contest::new();
    contest.write("games", damaged);
    let (_, errors) = contest.played(SHORT);
    assert_eq!(without_times(&contest.read("games")), without_times(&SHORT_RECORD));
    let said = errors.contains("the record ended with an incomplete game, which is ignored");
    assert_eq!(said, is_torn, "{errors}");
}

#[test]
fn a_torn_line_is_left_out_and_played_again() {
    let record = SHORT_RECORD.as_bytes();
    let start = SHORT_RECORD.trim_end().rfind('\n').unwrap() + 1;
    let step = runs(4, 1);
    let cuts = (start + 1..start + 12).step_by(step);
    let cuts = cuts.chain((start + 12..record.len()).step_by(97 * step));
    for cut in cuts.chain((record.len() - 6..record.len() - 1).step_by(step)) {
        assert_mended(&record[..cut], true);
    }
    // Only the line break is missing.
    assert_mended(&record[..record.len() - 1], false);
    assert_mended(&record[..start], false);
    assert_mended(b"", false);
}

#[test]
fn zeros_at_the_end_are_left_out() {
    let record = SHORT_RECORD.as_bytes();
    let start = SHORT_RECORD.trim_end().rfind('\n').unwrap() + 1;
    for cut in [start, start + 1, start + 40, record.len() - 1, record.len()] {
        assert_mended(&[&record[..cut], &[0; 100]].concat(), true);
    }
    assert_mended(&[0; 4096], true);
}

/// Requires that a file is refused as record, and stays as it is.
#[track_caller]
fn assert_left_alone(text: &[u8], named: &str) {
    let contest = Contest::new();
    contest.write("games", text);
    contest.refused(SHORT, 1, named);
    assert_eq!(fs::read(contest.path("games")).unwrap(), text);
    assert_eq!(contest.files(), ["games"]);
}

#[test]
fn a_bad_line_in_the_middle_is_refused_with_its_number() {
    let lines: Vec<&str> = SHORT_RECORD.lines().collect();
    let with_third = |third: &str| {
        let lines = [lines[0], lines[1], third, lines[3]];
        lines.map(|line| format!("{line}\n")).concat()
    };
    for bad in ["{", "{}", "null", "\0\0\0", "[1]", &lines[2][..200], &lines[2][1..]] {
        assert_left_alone(with_third(bad).as_bytes(), "line 3");
    }
    let twice = with_third(lines[1]);
    assert_left_alone(twice.as_bytes(), "line 3: game 2: it is recorded twice");
    let glued = with_third(&format!("{}{}", lines[2], lines[2]));
    assert_left_alone(glued.as_bytes(), "line 3");
}

#[test]
fn a_file_that_is_no_record_is_refused() {
    for text in [
        "Dear diary,",
        "Dear diary,\n",
        "{\"name\":1}",
        "{\"game\":\"chess\"}",
        "{\"game\":1}",
        "{\"game\":1}\n",
        "[]",
        "0",
        "a\0\0\0",
        "\u{feff}{\"game\":1",
    ] {
        assert_left_alone(text.as_bytes(), "line 1");
    }
    assert_left_alone(b"\xff\xfe\n", "line 1");
    assert_left_alone(b"[1,2]\n", "not a record of a game: expected an object, not an array");
    let first = SHORT_RECORD.lines().next().unwrap();
    assert_left_alone(format!("{first}\nDear diary,").as_bytes(), "line 2");
    // A game of another tournament, without a line break.
    let contest = Contest::new();
    contest.write("games", first);
    contest.refused(LONG, 1, "line 1");
    assert_eq!(fs::read(contest.path("games")).unwrap(), first.as_bytes());
}

#[test]
fn a_record_of_another_tournament_is_refused_with_the_difference() {
    let contest = Contest::new();
    contest.write("games", SHORT_RECORD.as_str());
    let swapped = "match --engine 'builtin=mtdf depth=3' --engine 'builtin=negascout depth=2' \
                   --games 4 --record games";
    for (words, named) in [
        (format!("{SHORT} --seed 2"), "'seed' is 1, expected 2"),
        (format!("{SHORT} --openings plies=3"), "'openings' is "),
        (format!("{SHORT} --openings random=4"), "random=4"),
        (format!("{SHORT} --houses 5"), "'houses' is 6, expected 5"),
        (format!("{SHORT} --seeds 3"), "'seeds' is 4, expected 3"),
        (format!("{SHORT} --capture empty"), "'capture' is "),
        (format!("{SHORT} --adjudicate 8"), "'adjudicate' is none, expected 8"),
        (format!("{SHORT} --resign 'movecount=2 score=900'"), "'resign' is none, expected"),
        (format!("{SHORT} --each option.Hash=2"), "'options' is none, expected"),
        (SHORT.replace("depth=3", "depth=4"), "'depth' is 3, expected 4"),
        (SHORT.replace("depth=3", "nodes=300"), "'depth' is 3, expected none"),
        (SHORT.replace("mtdf", "pvs"), "'players["),
        (SHORT.replace("mtdf", "pvs name=mtdf"), "'builtin' is \"mtdf\", expected \"pvs\""),
        (swapped.to_owned(), "'players["),
        (SHORT.replace("match", "tournament --format gauntlet"), "'format' is "),
    ] {
        contest.refused(&words, 1, named);
        contest.refused(&words, 1, "is of another tournament");
        assert_eq!(contest.read("games"), *SHORT_RECORD, "{words}");
    }
    let version = format!("\"kalah\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let older = SHORT_RECORD.replace(&version, "\"kalah\":\"0.0.0\"");
    contest.write("games", &older);
    contest.refused(SHORT, 1, "'kalah' is \"0.0.0\", expected");
    assert_eq!(contest.read("games"), older);
}

#[test]
fn a_file_of_openings_that_has_changed_is_noticed() {
    let contest = Contest::new();
    let words = format!("{SHORT} --openings 'file=boards order=sequential'");
    contest
        .write("boards", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n<6,1,0,4,4,4,4,4,3,4,4,4,4,4,4> S\n");
    contest.played(&words);
    let record = contest.read("games");
    contest
        .write("boards", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n<6,1,0,4,4,4,4,3,4,4,4,4,4,4,4> S\n");
    contest.refused(&words, 1, "'positions' is ");
    assert_eq!(contest.read("games"), record);
}

#[test]
fn more_games_continue_a_finished_record() {
    let contest = Contest::new();
    contest.played(&SHORT.replace("--games 4", "--games 2"));
    let first = contest.read("games");
    let (output, errors) = contest.played(SHORT);
    assert!(output.contains("4 games") && errors.contains("2 of 4 games"), "{output}\n{errors}");
    let record = contest.read("games");
    assert!(record.starts_with(&first));
    assert_eq!(without_times(&record), without_times(&SHORT_RECORD));
    contest.played(SHORT);
    assert_eq!(contest.read("games"), record, "a finished record is left as it is");
}

#[test]
fn two_runs_on_one_record_are_one_too_many() {
    let contest = Contest::new();
    let thinking = "match --engine 'name=a builtin=negascout' --engine 'name=b builtin=negascout' \
                    --each st=1000 --record games";
    let mut session = contest.start(thinking);
    wait_for_file(&contest, &mut session, "games");
    // The lock is taken right after the file is made. The tournament waits while this test has it.
    while lock_record(&contest.path("games")).is_ok() {
        thread::sleep(Duration::from_millis(1));
    }
    contest.refused(thinking, 1, "is being written to by another process");
    drop(session);
}

#[test]
fn records_are_written_where_they_can_be() {
    let contest = Contest::new();
    fs::create_dir(contest.path("folder")).unwrap();
    let record = |path: &str| SHORT.replace("--record games", &format!("--record {path}"));
    contest.refused(&record("folder"), 1, "folder");
    contest.refused(&record("no/such/games"), 1, "no/such/games");
    contest.refused(&record("''"), 2, "--record");
    contest.refused(&record("/dev/null"), 1, "not a regular file");
    assert_eq!(contest.files(), ["folder"]);

    contest.write("sealed", SHORT_RECORD.as_str());
    let mut permissions = fs::metadata(contest.path("sealed")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(contest.path("sealed"), permissions).unwrap();
    // Some users may write to everything.
    if fs::OpenOptions::new().append(true).open(contest.path("sealed")).is_err() {
        contest.refused(&record("sealed"), 1, "sealed");
    }
    assert_eq!(contest.read("sealed"), *SHORT_RECORD);
}

#[test]
fn a_link_stays_a_link() {
    let words = SHORT.replace("--games 4", "--games 20 --concurrency 2");
    for exists in [true, false] {
        let contest = Contest::new();
        fs::create_dir(contest.path("elsewhere")).unwrap();
        if exists {
            contest.write("elsewhere/real", "");
        }
        std::os::unix::fs::symlink("elsewhere/real", contest.path("games")).unwrap();
        // Out of order, so that the file is written anew.
        contest.played(&words.replace("--games 20", "--games 4"));
        let record = contest.read("games");
        let (first, rest) = record.split_once('\n').unwrap();
        contest.write("games", format!("{rest}{first}\n"));
        contest.played(&words);
        let link = fs::read_link(contest.path("games")).expect("a link");
        assert_eq!(link.to_str(), Some("elsewhere/real"));
        assert_eq!(contest.games("elsewhere/real").len(), 20);
        assert!(contest.games("games").is_sorted_by_key(|game| game.game));
    }
}

#[test]
fn a_record_that_is_begun_through_a_link_to_nothing_is_put_in_order_behind_it() {
    // Whether games end out of order is chance; several runs make it likely.
    for _ in 0..5 {
        let contest = Contest::new();
        fs::create_dir(contest.path("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere/real", contest.path("games")).unwrap();
        contest.played(&SHORT.replace("--games 4", "--games 20 --concurrency 4"));
        assert!(fs::read_link(contest.path("games")).is_ok());
        assert_eq!(contest.games("elsewhere/real").len(), 20);
    }
}

/// Players that think for ever: two searches, two programs, and programs that hear nothing.
fn thinkers() -> [String; 3] {
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let deaf = "'cmd=sh args=\"-c '\\''read -r line; echo uciok; \
                while read -r line; do case $line in isready) echo readyok;; go*) sleep 1000;; \
                esac; done'\\''\"'";
    let players = |engine: &str| format!("--engine {engine} --engine {engine}");
    let named = |text: String| {
        text.replacen("--engine '", "--engine 'name=a ", 1)
            .replacen("--engine 'b", "--engine 'name=b b", 1)
            .replacen("--engine 'c", "--engine 'name=b c", 1)
    };
    [players("'builtin=negascout'"), players(&format!("'cmd={kalah}'")), players(deaf)].map(named)
}

#[test]
fn signals_end_long_thinking_in_good_order() {
    for (players, end) in thinkers().iter().zip([Signal::INT, Signal::TERM, Signal::INT]) {
        let contest = Contest::new();
        let words =
            format!("match {players} --each st=1000 --games 8 --concurrency 2 --record games");
        let mut session = contest.start(&words);
        wait_for_file(&contest, &mut session, "games");
        session.signal(end);
        let ended = session.wait();
        assert_eq!(ended.status.code(), Some(130), "{words}: {}", ended.errors);
        assert!(ended.output.join("\n").contains("a against b, 0 games"), "{:#?}", ended.output);
        let hint = "all finished games are in 'games', the same command continues from there";
        assert!(ended.errors.contains(hint), "{}", ended.errors);
        assert_eq!(contest.games("games"), []);
        contest.assert_nobody_left();
    }
}

#[test]
fn a_signal_ends_a_long_search_for_openings() {
    // South is so far ahead that the filter refuses all of them, which takes minutes.
    let line = |number: u32| {
        let houses = (0..12).map(|house| 2 + (number >> house) % 2);
        let houses: Vec<String> = houses.map(|seeds| seeds.to_string()).collect();
        format!("<6,90,0,{}>\n", houses.join(","))
    };
    let contest = Contest::new();
    contest.write("openings", (0..4096).map(line).collect::<String>());
    let mut session = contest.start(
        "match --engine 'name=a builtin=mtdf' --engine 'name=b builtin=mtdf' --each depth=1 \
         --openings 'file=openings margin=0 depth=18' --concurrency 2 --record games",
    );
    wait_for_file(&contest, &mut session, "games");
    session.signal(Signal::INT);
    let ended = session.wait();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    assert!(ended.output.join("\n").contains("a against b, 0 games"), "{:#?}", ended.output);
}

#[test]
fn a_run_that_was_interrupted_goes_on() {
    for end in [Signal::INT, Signal::TERM].into_iter().take(runs(1, 2)) {
        // On a busy machine a short match may be over before the signal is sent.
        let longer_and_longer = (0..8).map(|doublings| 30 << doublings);
        assert!(longer_and_longer.into_iter().any(|games| is_interrupted_and_goes_on(end, games)));
    }
}

/// Whether the signal came before the last game.
fn is_interrupted_and_goes_on(end: Signal, all: u64) -> bool {
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let contest = Contest::new();
    let words = format!(
        "match --engine 'name=a cmd={kalah} depth=7' --engine 'name=b builtin=negascout depth=7' \
         --games {all} --concurrency 2 --record games"
    );
    let mut session = contest.start(&words);
    if !wait_for_games(&contest, &mut session, 3) {
        return false;
    }
    session.signal(end);
    let ended = session.wait();
    let games = contest.games("games").len() as u64;
    if games == all {
        return false;
    }
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    contest.assert_nobody_left();
    assert!(games >= 3, "{games}");
    let standing = format!("a against b, {games} games");
    assert!(ended.output[0] == standing, "{:#?}", ended.output);
    let (output, errors) = contest.played(&words);
    assert!(errors.contains(&format!("{games} of {all} games are in the record")), "{errors}");
    assert!(output.contains(&format!("a against b, {all} games")), "{output}");
    let numbers: Vec<u64> = contest.games("games").iter().map(|game| game.game).collect();
    assert_eq!(numbers, (1..=all).collect::<Vec<u64>>());
    true
}

#[test]
fn an_interrupt_without_a_record_says_that_nothing_was_kept() {
    let contest = Contest::new();
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let script = format!(
        "while read -r line; do case $line in go*) : >started;; esac; echo \"$line\"; done | {kalah}"
    );
    let script = shell_words::quote(&script).into_owned();
    let engine = format!("name=a cmd=sh args={}", shell_words::quote(&format!("-c {script}")));
    let engine = shell_words::quote(&engine).into_owned();
    let words = format!(
        "match --engine {engine} --engine 'name=b builtin=negascout' --each st=1000 --openings plies=0"
    );
    let mut session = contest.start(&words);
    wait_for_file(&contest, &mut session, "started");
    session.signal(Signal::INT);
    let ended = session.wait();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.errors);
    assert!(ended.errors.contains("without --record FILE nothing was kept"), "{}", ended.errors);
}

#[test]
fn whoever_insists_need_not_wait_and_nobody_is_left_behind() {
    let [.., deaf] = thinkers();
    let contest = Contest::new();
    let words = format!("match {deaf} --each st=1000 --games 8 --concurrency 2 --record games");
    let mut session = contest.start(&words);
    wait_for_file(&contest, &mut session, "games");
    while !session.has_ended() {
        session.signal(Signal::INT);
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(session.wait().status.code(), Some(130));
    contest.assert_nobody_left();
}

#[test]
fn a_game_that_was_not_written_to_its_end_is_left_out() {
    let contest = Contest::new();
    let whole = &*SHORT_RECORD;
    contest.write("games", whole);
    let first = whole.lines().next().unwrap();
    contest.write("torn", format!("{whole}{}", &first[..first.len() / 2]));
    let (standing, errors) = contest.played("standing torn");
    assert_eq!(standing, contest.played("standing games").0);
    assert!(errors.contains("incomplete game, which is ignored"), "{errors}");
    let (review, errors) = contest.played("review torn --depth 1");
    assert_eq!(review, contest.played("review games --depth 1").0);
    assert!(errors.contains("incomplete game, which is ignored"), "{errors}");
    contest.write("twice", format!("{first}\n\n{first}\n"));
    contest.refused("standing twice", 1, "'twice', line 3: game 1 is in 'twice' already");
    contest.write("blank", "\n \r\n\t");
    contest.refused("standing blank", 1, "there are no games in the record");
    let utf16 = whole.encode_utf16().flat_map(u16::to_le_bytes);
    contest.write("utf16", [vec![0xff, 0xfe], utf16.collect()].concat());
    contest.refused("standing utf16", 1, "'utf16', line 1: text in UTF-16, expected UTF-8");
    contest.write("wrong", whole.replacen("\"game\":1,", "\"game\":6.5,", 1));
    contest.refused("standing wrong", 1, "expected a whole number of at least 0, not 6.5");
}

/// Editors and systems write the same text in many ways.
#[test]
fn a_record_is_read_however_it_was_edited() {
    let contest = Contest::new();
    let whole = &*SHORT_RECORD;
    contest.write("games", whole);
    let standing = contest.played("standing games").0;
    let games = contest.played("games games").0;
    for edited in [
        whole.trim_end().to_owned(),
        format!("\u{feff}{whole}"),
        whole.replace('\n', "\r\n"),
        whole.replace('\n', "\r"),
        format!("\n\r\n{}", whole.replace('\n', "\n \n")),
    ] {
        contest.write("edited", &edited);
        assert_eq!(contest.played("standing edited").0, standing, "{edited:.40}");
        assert_eq!(contest.played("games edited").0, games, "{edited:.40}");
        for (words, expected) in [("standing -", &standing), ("games -", &games)] {
            let mut session = contest.start(words);
            session.send_bytes(edited.as_bytes());
            session.close_input();
            assert_eq!(session.wait_for_success().join("\n"), *expected, "{words}");
        }
    }
}

#[test]
fn a_record_with_a_byte_order_mark_is_sorted_without_it() {
    let contest = Contest::new();
    let reversed: Vec<&str> = SHORT_RECORD.lines().rev().collect();
    contest.write("games", format!("\u{feff}{}\n", reversed.join("\n")));
    contest.played(SHORT);
    assert_eq!(contest.read("games"), *SHORT_RECORD);
}

/// The first game of the short record after a change.
fn changed(change: impl FnOnce(&mut GameRecord)) -> String {
    let mut game: GameRecord = serde_json::from_str(SHORT_RECORD.lines().next().unwrap()).unwrap();
    change(&mut game);
    serde_json::to_string(&game).unwrap() + "\n"
}

#[test]
fn a_time_below_zero_is_none() {
    let contest = Contest::new();
    contest.write("games", changed(|game| game.time.as_mut().unwrap().seconds = -5.0));
    let (text, _) = contest.played(&format!("{SHORT} --dry-run"));
    assert!(text.contains("takes 0 seconds: 0.0 s a game as in the record"), "{text}");
}

/// A few kilobytes can name thousands of players: nothing is kept, or computed, for every two of them.
#[test]
fn thousands_of_players_have_standings_without_ratings() {
    let contest = Contest::new();
    let more = (2..10_000).map(|player| format!("p{player}"));
    contest.write("many", changed(|game| game.conditions.players.extend(more)));
    let (text, _) = contest.played("standing many");
    assert!(text.contains("There are no ratings of more than 500 players."), "{text:.400}");
    assert!(text.contains("\n\nThe table of 10000 players against each other is left out."));
    let (json, _) = contest.played("standing many --json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["players"].as_array().unwrap().len(), 10_000);
    assert_eq!(
        (&json["players"][0]["rating"], &json["encounters"][0]["games"]),
        (&serde_json::Value::Null, &1.into())
    );
    contest.played("standing many --report report.html");
    contest.played("watch many --once");
}
