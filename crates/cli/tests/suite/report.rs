//! Reports, and standings from records.

use std::fs;
use std::path::PathBuf;

use kalah::board::Side;
use kalah_records::statistics::Histogram;
use kalah_records::{
    GameRecord, PartialPlayerSettings, PlayerSettings, RecordedTournament, read_lines,
};
use tempfile::TempDir;

use crate::browser::Browser;
use crate::command_line::assert_refused;
use crate::markup::assert_well_formed;
use crate::session::{Ended, Session};

const ODD_NAME: &str = r#"name='<b>&"x' builtin=pvs"#;
const ODD_NAME_IN_HTML: &str = "&lt;b&gt;&amp;&quot;x";
const SPRT: &str = "elo0=0 elo1=20";

/// A small match, and what goes with every one of them.
const MATCH: [&str; 9] = [
    "match",
    "--engine",
    ODD_NAME,
    "--engine",
    "builtin=mtdf",
    "--each",
    "depth=2",
    "--seeds",
    "2",
];

/// A folder with files of a test.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Plays a match that is recorded; returns the path of the record.
    fn record(&self, name: &str, more: &[&str]) -> String {
        let path = self.path(name);
        printed(&[&MATCH[..], &["--games", "8", "--record", &path], more].concat());
        path
    }
}

/// What a command that goes well prints.
#[track_caller]
fn printed(arguments: &[&str]) -> Vec<String> {
    Session::run(arguments).wait_for_success()
}

/// Requires that a page is complete and hangs together without anything from outside.
#[track_caller]
fn assert_page(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">") && page.ends_with("</html>"));
    assert_well_formed(page);
    let outside = page.replace("\"http://www.w3.org/2000/svg\"", "");
    for link in ["http:", "https:", "src=", "href=", "url(", "@import", "fetch("] {
        assert!(!outside.contains(link), "{link}");
    }
    assert!(!page.contains("<b>") && page.contains(ODD_NAME_IN_HTML));
    assert_eq!(page.matches("<script").count(), 2, "the games and the script");
    let data: serde_json::Value = serde_json::from_str(games_of(page)).unwrap();
    let games = data["games"].as_array().unwrap();
    for game in games {
        let [members @ .., moves] = game.as_array().unwrap().as_slice() else { panic!("{game}") };
        assert!(members.len() == 9 && members[6].as_str().unwrap().ends_with('Z'), "{game}");
        assert!(moves.as_str().unwrap().chars().all(|c| c.is_ascii_alphabetic()), "{game}");
    }
    assert!(!games.is_empty());
}

/// The data of the script of a page.
fn games_of(page: &str) -> &str {
    let (_, data) = page.split_once("type=\"application/json\">").unwrap();
    data.split_once("</script>").unwrap().0
}

#[test]
fn a_match_is_reported_as_it_is_printed() {
    let files = Files::new();
    let (record, report) = (files.path("games.jsonl"), files.path("report.html"));
    let kept = ["--games", "40", "--record", &record, "--report", &report, "--sprt", SPRT];
    let lines = printed(&[&MATCH[..], &kept].concat());
    let page = files.text("report.html");
    assert_page(&page);
    assert!(page.contains(&format!("<h1>{ODD_NAME_IN_HTML} against mtdf, 40 games</h1>")));
    assert_eq!(lines[0], r#"<b>&"x against mtdf, 40 games"#);
    assert_eq!(lines.len(), 8, "{lines:#?}");
    for line in &lines[1..] {
        let (_, value) = line.split_at(12);
        assert!(page.contains(&format!("<td>{value}</td>")), "{line}");
    }
    let figures = [
        "Elo difference over time",
        "Sequential test over time",
        "Lengths of games",
        "Margins",
        "Seeds by ply",
    ];
    for figure in figures {
        assert!(page.contains(&format!("<figure aria-label=\"{figure}\"><svg ")), "{figure}");
    }
    let version = format!("<td>kalah {}</td>", env!("CARGO_PKG_VERSION"));
    for cell in ["<td>Kalah(6,2), capture standard</td>", "<td>plies=4 order=random</td>", &version]
    {
        assert!(page.contains(cell), "{cell}");
    }
    assert!(page.contains("<code>name=mtdf builtin=mtdf depth=2</code>"));
    assert!(page.contains("<td>played out</td><td class=\"number\">40</td>"));

    let again = files.path("again.html");
    assert_eq!(printed(&["standing", &record, "--report", &again, "--sprt", SPRT]), lines);
    assert_eq!(files.text("again.html"), page);
    assert_eq!(printed(&["standing", &record]), lines[..7]);
}

#[test]
fn a_tournament_is_reported_as_it_is_printed() {
    let files = Files::new();
    let (record, report) = (files.path("games.jsonl"), files.path("report.html"));
    let players = ["--engine", ODD_NAME, "--engine", "builtin=mtdf", "--engine", "builtin=scout"];
    let games = ["--each", "depth=2", "--seeds", "2", "--games", "10"];
    let kept = ["--record", &record, "--report", &report];
    let lines = printed(&[&["tournament"], &players[..], &games, &kept].concat());
    let page = files.text("report.html");
    assert_page(&page);
    assert!(page.contains("<h1>3 players, round-robin, 30 games</h1>"));
    let cells = lines.iter().flat_map(|line| line.split('|')).map(str::trim);
    for cell in cells.filter(|cell| !cell.starts_with("--")) {
        let cell = cell.replace(r#"<b>&"x"#, ODD_NAME_IN_HTML);
        assert!(page.contains(&format!(">{cell}</")), "{cell}");
    }
    assert!(page.contains("<figure aria-label=\"Ratings over time\">"));

    let again = files.path("again.html");
    assert_eq!(printed(&["standing", &record, "--report", &again]), lines);
    assert_eq!(files.text("again.html"), page);
    assert_refused(&["standing", &record, "--sprt", SPRT], 2, "two players");
}

#[test]
fn both_models_rate_a_tournament() {
    let files = Files::new();
    let record = files.path("games.jsonl");
    let players = ["--engine", ODD_NAME, "--engine", "builtin=mtdf", "--engine", "builtin=scout"];
    let games = ["--each", "depth=2", "--seeds", "2", "--games", "10", "--record", &record];
    let play = [&["tournament"], &players[..], &games].concat();
    let likely = printed(&play);
    let davidson = printed(&[&["-q"], &play[..], &["--ratings", "davidson"]].concat());
    assert_ne!(likely, davidson);
    assert_eq!(printed(&["standing", &record, "--ratings", "ml"]), likely);
    assert_eq!(printed(&["standing", &record, "--ratings", "davidson"]), davidson);
    assert_refused(&["standing", &record, "--ratings", "elo"], 2, "elo");
}

#[test]
fn text_of_strangers_ends_no_script() {
    let files = Files::new();
    let report = files.path("report.html");
    let name = "name='</script><b>\u{2028}\u{202e}x' builtin=pvs";
    let players = ["--engine", name, "--engine", "builtin=mtdf", "--each", "depth=1"];
    printed(&[&["match", "--games", "2", "--report", &report], &players[..]].concat());
    let page = files.text("report.html");
    assert_well_formed(&page);
    assert!(!page.contains("<b>") && !page.contains(['\u{2028}', '\u{202e}']));
    let data: serde_json::Value = serde_json::from_str(games_of(&page)).unwrap();
    assert_eq!(data["players"][0], r"</script><b>\u{2028}\u{202e}x");
}

#[test]
fn the_board_shows_each_game_as_it_was_played() {
    let Some(mut browser) = Browser::start() else { return };
    for rule in [["--capture", "standard"], ["--capture", "empty"], ["--sowing", "relay"]] {
        let files = Files::new();
        let report = files.path("report.html");
        let more = [&rule[..], &["--report", &report]].concat();
        let record = files.record("games.jsonl", &more);
        browser.open(&format!("file://{report}"));
        let shown = browser.run(
            "(() => {
                const forward = document.querySelector('.viewer [title^=forward]');
                const next = document.querySelector('.viewer [title^=next]');
                const shown = [];
                for (let game = 0; game < 8; game += 1) {
                    const plies = document.querySelectorAll('.moves button').length;
                    for (let ply = 0; ply <= plies; ply += 1) {
                        shown.push(document.querySelector('.board').getAttribute('aria-label'));
                        forward.click();
                    }
                    next.click();
                }
                return shown.join('\\n');
            })()",
        );
        let mut boards = Vec::new();
        for game in read_lines::<GameRecord>(&PathBuf::from(record)).unwrap() {
            for board in game.unwrap().boards().unwrap() {
                let [south, north] = Side::ALL.map(|side| {
                    let houses = board.houses(side).iter().map(u16::to_string);
                    format!("{}, store {}", houses.collect::<Vec<_>>().join(" "), board.store(side))
                });
                boards.push(format!("South {south}; North {north}"));
            }
        }
        assert_eq!(shown.as_str().unwrap().lines().collect::<Vec<_>>(), boards);
        let overflow = "document.documentElement.scrollWidth <= innerWidth";
        for width in [360, 390, 768, 1280] {
            browser.resize(width, 800);
            assert_eq!(browser.run(overflow), true, "{width} pixels");
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn faults_are_told_by_player_and_kind() {
    let files = Files::new();
    let report = files.path("report.html");
    // It says hello and leaves.
    let leaves =
        "name=quitter cmd=sh args='-c \"read uci; echo uciok; read isready; echo readyok\"'";
    let players = ["--engine", "builtin=pvs depth=1", "--engine", leaves, "--each", "st=5"];
    let Ended { output, .. } =
        Session::run(&[&["match", "--games", "2", "--report", &report], &players[..]].concat())
            .wait();
    assert!(output.iter().any(|line| line.contains("quitter lost 2 games by faults")));
    let page = files.text("report.html");
    assert_well_formed(&page);
    let row = "<td>quitter</td><td>crashed</td><td class=\"number\">2</td>";
    assert!(page.contains(row));
    // There is no finite estimate without a point, and no margin.
    assert!(!page.contains("Elo difference over time") && !page.contains("Margins"));
    assert!(page.contains("Lengths of games"));
}

#[test]
fn a_record_is_read_as_far_as_it_is_whole() {
    let files = Files::new();
    let record = files.record("games.jsonl", &[]);
    let text = files.text("games.jsonl");
    let torn = files.path("torn.jsonl");
    fs::write(&torn, &text[..text.len() - 20]).unwrap();
    let ended = Session::run(&["standing", &torn]).wait();
    assert!(ended.output[0].ends_with("7 games"), "{:#?}", ended.output);
    assert!(ended.errors.contains("incomplete game, which is ignored"), "{}", ended.errors);
    assert!(printed(&["standing", &record])[0].ends_with("8 games"));
}

#[test]
fn records_of_one_tournament_are_read_together() {
    let files = Files::new();
    let whole = files.record("whole.jsonl", &[]);
    let parts = ["1/2", "2/2"]
        .map(|part| files.record(&format!("{}.jsonl", &part[..1]), &["--shard", part]));
    let together = printed(&["standing", &parts[1], &parts[0]]);
    assert_eq!(together, printed(&["standing", &whole]));

    assert_refused(&["standing", &parts[0], &whole], 1, "game 1 is in");
    assert_refused(&["standing", &whole, &whole], 1, "already");
    let other = files.record("other.jsonl", &["--seed", "2"]);
    let report = files.path("report.html");
    let two = ["standing", &parts[0], &other, "--report", &report];
    assert_refused(&two, 1, "'seed' is 2, expected 1");
    let deeper = files.path("deeper.jsonl");
    let text = files.text("2.jsonl").replace("\"depth\":2", "\"depth\":3");
    fs::write(&deeper, text).unwrap();
    assert_refused(&["standing", &parts[0], &deeper], 1, "'depth' is 3, expected 2");
}

#[test]
fn records_that_are_none_are_refused() {
    let files = Files::new();
    assert_refused(&["standing"], 2, "<FILE>");
    assert_refused(&["standing", &files.path("missing")], 1, "missing");
    let record = files.record("games.jsonl", &[]);
    assert_refused(&["standing", &record, "--sprt", "elo0=7"], 2, "elo1");
    let text = files.text("games.jsonl");
    let with_first = |number: &str| text.replace("{\"game\":1,", &format!("{{\"game\":{number},"));
    let path = files.path("bad.jsonl");
    for (text, named) in [
        (String::new(), "no games"),
        ("precious\n".to_owned(), "line 1"),
        (with_first("0"), "begin with 1"),
        (with_first("2"), "schedule"),
        (text.replacen("\"round\":1,", "\"round\":2,", 1), "the round is 2, expected 1"),
        (text.replace("[\"<b>&\\\"x\",\"mtdf\"]", "[]"), "two players"),
    ] {
        fs::write(&path, text).unwrap();
        assert_refused(&["standing", &path], 1, named);
    }
    // Nobody plays so many, but nothing is wrong with the number.
    let round = (u64::MAX - 1) / 2 + 1;
    let text = with_first(&u64::MAX.to_string());
    fs::write(&path, text.replacen("\"round\":1,", &format!("\"round\":{round},"), 1)).unwrap();
    printed(&["standing", &path]);
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_play() {
    let files = Files::new();
    let record = files.path("games.jsonl");
    let long = ["--games", "1000000", "--record", &record];
    for (report, named) in
        [(files.path("missing/report.html"), "missing"), (record.clone(), "both record and report")]
    {
        assert_refused(&[&MATCH[..], &long, &["--report", &report]].concat(), 1, named);
        assert!(!fs::exists(&record).unwrap());
    }
    let record = files.record("games.jsonl", &[]);
    let text = files.text("games.jsonl");
    assert_refused(&["standing", &record, "--report", &record], 1, "is a record of games");
    let other = files.path("other.jsonl");
    fs::copy(&record, &other).unwrap();
    assert_refused(&["standing", &record, "--report", &other], 1, "is a record of games");
    assert_refused(&[&MATCH[..], &["--report", &other]].concat(), 1, "is a record of games");
    assert_eq!(fs::read(&other).unwrap(), fs::read(&record).unwrap());
    assert_eq!(files.text("games.jsonl"), text);
}

#[cfg(unix)]
#[test]
fn a_match_that_is_interrupted_is_reported() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    let files = Files::new();
    let (record, report) = (files.path("games.jsonl"), files.path("report.html"));
    let long = ["--games", "1000000", "--record", &record, "--report", &report];
    let mut child = Command::new(env!("CARGO_BIN_EXE_kalah"))
        .args([&MATCH[..], &long].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(&record).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed() < Duration::from_mins(1));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(!fs::exists(&report).unwrap());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let again = files.path("again.html");
    printed(&["standing", &record, "--report", &again]);
    assert_page(&files.text("report.html"));
    assert_eq!(files.text("again.html"), files.text("report.html"));
}

#[test]
fn history_leads_to_the_present() {
    let files = Files::new();
    let record = PathBuf::from(files.record("games.jsonl", &[]));
    let standings = RecordedTournament::read(&[record], |_| {}).unwrap().standings;
    let pairs = |most| standings.history(most, |standings| standings.pairs(0, 1));
    let numbers = |most| pairs(most).into_iter().map(|(pairs, _)| pairs).collect::<Vec<_>>();
    assert_eq!(numbers(100), [1, 2, 3, 4]);
    assert_eq!(numbers(3), [2, 4]);
    assert_eq!(numbers(1), [4]);
    for (number, pairs) in pairs(4) {
        assert_eq!(pairs.pairs(), number);
    }
    assert_eq!(pairs(1), [(4, standings.pairs(0, 1))]);
}

#[test]
fn bars_take_all_values() {
    let bars = |values: &[i64]| Histogram::new(values.iter().copied());
    assert_eq!(bars(&[]).bars, []);
    assert_eq!(bars(&[3]), Histogram { width: 1, bars: vec![(3, 1)] });
    assert_eq!(bars(&[-2, 0, 2, 2]), Histogram { width: 2, bars: vec![(-2, 1), (0, 1), (2, 2)] });
    assert_eq!(bars(&[1, 3, 3]), Histogram { width: 1, bars: vec![(1, 1), (2, 0), (3, 2)] });
    let wide = bars(&[-100, -2, 0, 2, 100, 101]);
    assert_eq!(wide.width, 5);
    assert_eq!(wide.bars.iter().map(|&(_, count)| count).sum::<u64>(), 6);
    assert!(wide.bars.contains(&(0, 3)));
    let extremes = bars(&[i64::from(i32::MIN), i64::from(i32::MAX)]);
    assert!(extremes.bars.len() < 70);
}

#[test]
fn settings_are_shown_as_they_are_given() {
    for words in [
        "name=pvs builtin=pvs depth=3",
        "name='a b' builtin=mcts iterations=5 option.Hash=2",
        "name=other cmd=/bin/cat args='-u '\\''a b'\\''' dir=/tmp tc=40/60+0.5 timemargin=7",
        "name=x cmd=x st=0.25 nodes=9 deadline=2 option.Empty='' 'option.Move Overhead'=5",
    ] {
        let given: PartialPlayerSettings = words.parse().unwrap();
        let player = PlayerSettings::new(given, &PartialPlayerSettings::default()).unwrap();
        assert_eq!(player.to_string().parse(), words.parse::<PartialPlayerSettings>());
        assert_eq!(player.to_string(), words);
    }
}
