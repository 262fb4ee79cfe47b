//! The page of `kalah gui` in a real browser. Without one on the machine these tests are left out,
//! unless `KALAH_BROWSER=required` is set.

use std::fs;

use kalah::board::{Board, Capture};
use kalah::games::AnnotatedGame;
use kalah::review::{ReviewLimit, review};
use kalah::solve::SolverResources;
use kalah::{Side, Solver, StopToken};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contest::Contest;
use crate::gui::Gui;

/// A server and a browser with its page.
struct Play {
    gui: Gui,
    browser: Browser,
}

impl Play {
    fn start() -> Option<Play> {
        Play::start_with("")
    }

    fn start_with(arguments: &str) -> Option<Play> {
        let mut browser = Browser::start()?;
        let gui = Gui::start(arguments);
        browser.open(&url(&gui));
        Some(Play { gui, browser })
    }

    /// Begins a game; fields of the dialog by their ids.
    #[track_caller]
    fn new_game(&mut self, fields: &[(&str, &str)]) {
        let Play { browser, .. } = self;
        browser.click("#open-new");
        browser.wait("document.getElementById('new-dialog').open");
        for (id, value) in fields {
            browser.fill(&format!("#{id}"), value);
        }
        browser.click("#start");
        browser.wait(
            "!document.getElementById('new-dialog').open && document.body.dataset.live === 'true'",
        );
    }

    /// Shows this board and nothing else.
    #[track_caller]
    fn set_up(&mut self, board: &str) {
        let Play { browser, .. } = self;
        browser.click("#open-setup");
        browser.fill("#setup-text", board);
        // The fields follow the text; then nothing moves any more.
        let houses = board.trim_start_matches('<').split(',').next().unwrap();
        browser.wait(&format!("document.getElementById('setup-houses').value === '{houses}'"));
        browser.wait(&format!(
            "document.querySelectorAll('#setup-pits input').length === 2 * {houses} + 2"
        ));
        browser.click("#setup-ok");
        browser.wait("!document.getElementById('setup-dialog').open");
        let fen = json!(board);
        browser.wait(&format!("{BOARD} === {fen}"));
    }

    fn board(&mut self) -> String {
        self.browser.run(BOARD).as_str().unwrap().to_owned()
    }

    fn moves(&mut self) -> String {
        let text = self.browser.run(
            "[...document.querySelectorAll('#moves .turns > span > button.move')].map((e) => e.textContent).join('')",
        );
        text.as_str().unwrap().to_owned()
    }

    /// Clicks a house, and waits until its seeds are sown.
    #[track_caller]
    fn sow(&mut self, house: &str) {
        self.browser.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
        let before = self.moves();
        self.browser.click(&format!("[data-pit={house}]"));
        let count = "document.querySelectorAll('#moves button.move').length";
        self.browser.wait(&format!("{count} > {}", before.len()));
        self.browser.wait("!document.body.dataset.busy");
    }

    /// Clicks a house of a question, where moves are not written down.
    #[track_caller]
    fn sow_task(&mut self, house: &str) {
        self.browser.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
        self.browser.click(&format!("[data-pit={house}]"));
    }

    /// Checks what must hold at the end of each test.
    #[track_caller]
    fn check(mut self) {
        self.browser.run("1");
        assert_eq!(self.browser.complaints, Vec::<String>::new());
        for request in &self.browser.requests {
            let (_, rest) = request.split_once("://").unwrap_or((request, ""));
            let is_own =
                rest.starts_with(&self.gui.host) || request.starts_with("blob:http://127.");
            assert!(is_own || request == "about:blank", "{request}");
        }
    }
}

fn url(gui: &Gui) -> String {
    format!("http://{}/?token={}", gui.host, gui.token)
}

/// The board that is shown, as text.
const BOARD: &str = "(() => {
    const seeds = (pit) => document.querySelector(`#board [data-pit='${pit}']`).dataset.seeds;
    const row = (letters) => [...letters].map(seeds);
    const houses = document.querySelectorAll('#board .house').length / 2;
    const fields = [houses, seeds('+'), seeds('-'), ...row('ABCDEFGHIJKL'.slice(0, houses)), ...row('abcdefghijkl'.slice(0, houses))];
    return `<${fields.join(',')}> ${document.body.dataset.turn || 'S'}`;
})()";

const AT_ONCE: &str = "localStorage.setItem('kalah-settings', JSON.stringify({ speed: 0 }))";

#[test]
fn a_game_between_two_people_by_clicks_and_by_keys() {
    let Some(mut play) = Play::start() else { return };
    play.new_game(&[("north-seat", "person")]);
    let mut board = Board::start(kalah::Rules::default(), 4).unwrap();
    // An extra turn by a click, sown seed by seed.
    play.sow("C");
    board.play_moves("C").unwrap();
    assert_eq!(play.board(), board.fen());
    assert_eq!(play.browser.text("#status"), "South to move again");
    play.browser.run(AT_ONCE);
    play.browser.reload();
    assert_eq!(play.board(), board.fen());
    // To the end, with captures on the way.
    let (mut captures, mut by_key) = (0, false);
    while let Some(mv) = board.moves().last() {
        let house = mv.letter().to_string();
        captures += usize::from(board.trace(mv).unwrap().capture.is_some());
        if by_key {
            let number = (mv.house.index() + 1).to_string();
            let key = if board.side() == Side::South { number } else { house.clone() };
            play.browser.key(&key);
        } else {
            play.sow(&house);
        }
        by_key = !by_key;
        board.play(mv).unwrap();
        let expected = json!(board.fen().split('>').next());
        play.browser.wait(&format!("{BOARD}.startsWith({expected})"));
    }
    assert!(captures > 0);
    let margin = board.result().unwrap();
    let winner = if margin > 0 { "South" } else { "North" };
    let expected = json!(format!("Game over: {winner} wins by {}", margin.abs()));
    play.browser.wait(&format!("document.getElementById('status').textContent === {expected}"));
    play.browser.wait("!document.getElementById('review').hidden");
    play.check();
}

#[test]
fn a_game_against_an_engine_with_takeback_reloads_and_kills() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    play.new_game(&[("north-level", "1"), ("seeds", "6")]);
    let (mut reloads, mut kills) = (0, 0);
    loop {
        play.browser
            .wait("document.body.dataset.live !== 'true' || document.querySelector('.house.open')");
        if play.browser.run("document.body.dataset.live") != "true" {
            break;
        }
        let house = play.browser.run("document.querySelector('.house.open').dataset.pit");
        play.sow(house.as_str().unwrap());
        let before = play.moves();
        if kills < 5 {
            kill_engines(&play.gui.contest);
            kills += 1;
        }
        if reloads < 10 {
            play.browser.reload();
            reloads += 1;
            assert!(play.moves().starts_with(&before), "{before}: {}", play.moves());
        }
        if reloads == 5 {
            play.browser.wait(
                "document.body.dataset.live !== 'true' || document.querySelector('.house.open')",
            );
            let before = play.moves();
            play.browser.click("#take-back");
            play.browser.wait(&format!(
                "document.querySelectorAll('#moves button.move').length < {}",
                before.len()
            ));
            assert!(before.starts_with(&play.moves()), "{before}: {}", play.moves());
        }
    }
    let notices = play.browser.text("#notices");
    assert_eq!((reloads, kills), (10, 5), "the game was too short: {notices}");
    let moves = play.moves();
    let mut board = Board::start(kalah::Rules::default(), 6).unwrap();
    board.play_moves(&moves).unwrap();
    assert!(board.is_over());
    play.check();
}

/// Kills the engines that play in a page of this folder.
fn kill_engines(contest: &Contest) {
    for process in contest.processes() {
        if process.1.ends_with("kalah") {
            let _ = kill_process(Pid::from_raw(process.0).unwrap(), Signal::KILL);
        }
    }
}

#[test]
fn analysis_proves_what_the_solver_proves() {
    let Some(mut play) = Play::start() else { return };
    for (fen, capture) in [
        ("<6,13,2,1,1,0,1,1,1,1,0,11,2,1,1> S", Capture::Standard),
        ("<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> N", Capture::Standard),
    ] {
        play.set_up(fen);
        if play.browser.run("document.getElementById('analyse').ariaChecked") == "false" {
            play.browser.key("v");
        }
        play.browser.wait(
            "document.getElementById('analysis-stats').textContent === 'Every move is proven.'",
        );
        let board = Board::from_fen(fen, capture).unwrap();
        let mut solver =
            Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
        for mv in board.moves() {
            let mut after = board;
            after.play(mv).unwrap();
            let sign = if after.side() == Side::South { 1 } else { -1 };
            let value =
                after.result().unwrap_or_else(|| sign * solver.solve(&after).unwrap().margin);
            let label =
                play.browser.run(&format!("document.querySelector('[data-pit={mv}]').ariaLabel"));
            let label = label.as_str().unwrap().to_owned();
            let words = match value {
                0 => "a draw, proven".to_owned(),
                1.. => format!("South wins by {value}, proven"),
                _ => format!("North wins by {}, proven", -value),
            };
            assert!(label.ends_with(&words), "{fen} {mv}: {label}, not {words}");
        }
    }
    play.check();
}

#[test]
fn a_review_becomes_questions() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    let mut board =
        Board::from_fen("<6,13,2,1,1,0,1,1,1,1,0,11,2,1,1> S", Capture::Standard).unwrap();
    play.set_up(&board.fen());
    let start = board;
    let mut moves = String::new();
    while let Some(mv) = board.moves().next() {
        play.sow(&mv.letter().to_string());
        board.play(mv).unwrap();
        moves.push(mv.letter());
    }
    let mut game = AnnotatedGame::new(start);
    for mv in moves.chars() {
        game.play(mv.to_string().parse().unwrap()).unwrap();
    }
    let expected = review(&game, ReviewLimit::Exact, &StopToken::new(), |_, _| {}).unwrap();
    play.browser.click("#review");
    play.browser.wait("document.querySelector('#report table')");
    let cells = play.browser.run(
        "[...document.querySelectorAll('#report tbody tr:nth-child(2) td')].map((e) => Number(e.textContent))",
    );
    assert_eq!(cells, json!([expected.south.lost, expected.north.lost]));
    let mistake = expected.moves.iter().find(|reviewed| reviewed.loss > 0).unwrap();
    play.browser.click("#learn-mistakes");
    play.browser.wait("document.getElementById('task-text').textContent");
    assert_eq!(play.board(), mistake.board);
    play.sow_task(&mistake.letter);
    play.browser.wait("document.getElementById('task-answer').className === 'bad'");
    let shown = json!(mistake.board);
    play.browser.wait(&format!("{BOARD} === {shown}"));
    play.sow_task(&mistake.best[0]);
    play.browser.wait("document.getElementById('task-answer').className === 'good'");
    play.browser.click("#task-end");
    play.browser.wait("document.getElementById('task').hidden");

    // A puzzle of the first level.
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('#puzzle-levels button')");
    play.browser.click("#puzzle-levels button");
    play.browser
        .wait("document.getElementById('task-title').textContent.startsWith('Puzzle 1 of')");
    play.browser.click("#task-show");
    play.browser.wait("document.querySelector('.house.hint')");
    let best = play.browser.run("document.querySelector('.house.hint').dataset.pit");
    play.sow_task(best.as_str().unwrap());
    play.browser.wait("document.getElementById('task-answer').className === 'good'");
    play.check();
}

#[test]
fn a_hint_a_swap_and_a_resignation() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    play.browser.click("#open-new");
    play.browser.click("#may-swap");
    play.browser.key("Escape");
    play.new_game(&[("north-seat", "person"), ("houses", "3"), ("seeds", "3")]);
    play.browser.click("#hint");
    play.browser.wait("document.querySelector('#board .hint')");
    let hint = play.browser.run("document.querySelector('#board .hint').dataset.pit");
    let rules = kalah::Rules::new(3, Capture::Standard).unwrap();
    let mut board = Board::start(rules, 3).unwrap();
    let values = values(&board);
    let best = values.iter().map(|(_, value)| *value).max().unwrap();
    let is_best = |(mv, value): &(kalah::Move, i32)| *value == best && hint == mv.to_string();
    assert!(values.iter().any(is_best), "{hint}: {values:?}");
    // To North's first turn.
    while board.side() == Side::South {
        let mv = board.moves().next().unwrap();
        play.sow(&mv.to_string());
        board.play(mv).unwrap();
    }
    play.browser.wait("!document.getElementById('swap').hidden");
    play.browser.click("#swap");
    play.browser.wait("document.getElementById('swap').hidden");
    assert_eq!(play.browser.text("#live"), "The sides are swapped.");
    play.browser.click("#resign");
    play.browser.wait("document.body.dataset.live === 'false'");
    assert_eq!(play.browser.text("#live").split('.').next(), Some("North resigns"));
    play.check();
}

/// The values of all moves, for South.
fn values(board: &Board) -> Vec<(kalah::Move, i32)> {
    let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    let value = |mv| {
        let mut after = *board;
        after.play(mv).unwrap();
        let sign = if after.side() == Side::South { 1 } else { -1 };
        let value = after.result().unwrap_or_else(|| sign * solver.solve(&after).unwrap().margin);
        (mv, value)
    };
    board.moves().map(value).collect()
}

#[test]
fn variations_comments_and_the_way_back() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    for house in ["C", "F", "b"] {
        play.sow(house);
    }
    play.browser.key("Home");
    play.browser.wait("document.querySelector('#back').disabled");
    play.sow("A");
    assert_eq!(play.moves(), "CFb");
    play.browser.wait("document.querySelector('.variation .move.now')?.textContent === 'A'");
    play.browser.run("document.getElementById('edit').open = true");
    play.browser.click("#comment");
    play.browser.call("Input.insertText", json!({"text": "a {comment} \"with\" \\ signs"}));
    play.browser.click("#promote");
    play.browser.wait("document.querySelector('#moves .turns > span > .move').textContent === 'A'");
    play.browser.reload();
    assert_eq!(play.moves(), "A");
    assert_eq!(play.browser.text("#moves .comment").trim(), "a {comment} \"with\" \\ signs");
    play.browser.key("ArrowDown");
    play.browser.wait("document.querySelector('.move.now').textContent === 'C'");
    play.browser.key("End");
    play.browser.wait("document.querySelector('.move.now').textContent === 'b'");
    play.browser.key("ArrowLeft");
    play.browser.wait("document.querySelector('.move.now').textContent === 'F'");
    play.browser.run("document.getElementById('edit').open = true");
    play.browser.click("#delete");
    play.browser
        .wait("![...document.querySelectorAll('.move')].some((e) => e.textContent === 'b')");
    play.check();
}

#[test]
fn the_editor_refuses_bad_boards() {
    let Some(mut play) = Play::start() else { return };
    play.browser.click("#open-setup");
    let bad = [
        "",
        "board",
        "<6,1>",
        "<13,0,0> S",
        "<1,0,0,1,1> X",
        "<2,0,0,1,1,1,70000>",
        "<script>alert(1)</script>",
    ];
    for text in bad {
        play.browser.run("document.querySelector('#setup-dialog .error').textContent = ''");
        play.browser.fill("#setup-text", text);
        play.browser.click("#setup-ok");
        play.browser.wait("document.querySelector('#setup-dialog .error').textContent");
    }
    play.browser.key("Escape");
    play.browser.wait("!document.getElementById('setup-dialog').open");
    assert_eq!(play.board(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
    play.set_up("<12,3,4,12,12,12,12,12,12,12,12,12,12,12,12,0,1,2,3,4,5,6,7,8,9,10,11> N");
    play.check();
}

#[test]
fn two_pages_play_two_games() {
    let Some(mut play) = Play::start() else { return };
    let mut other = Browser::start().unwrap();
    other.open(&url(&play.gui));
    play.new_game(&[("north-seat", "person")]);
    play.sow("C");
    other.key("a");
    other.wait("document.querySelectorAll('#moves button.move').length === 1");
    assert_eq!(play.moves(), "C");
    play.check();
}

#[test]
fn a_server_that_is_started_again_finds_its_page() {
    let Some(mut browser) = Browser::start() else { return };
    let contest = Contest::new();
    let words = "gui --no-open --port 0";
    let token = [("KALAH_GUI_TOKEN", "a-token-that-stays")];
    let gui = Gui::start_with_environment(contest, words, &token);
    browser.open(&url(&gui));
    let (_, port) = gui.host.rsplit_once(':').unwrap();
    let again = format!("gui --no-open --port {port}");
    let mut play = Play { gui, browser };
    play.new_game(&[("north-level", "0")]);
    play.sow("A");
    let pid = Pid::from_raw(play.gui.session.id().cast_signed()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    let Gui { contest, mut session, .. } = play.gui;
    session.wait();
    play.browser.wait("document.getElementById('connection')");
    play.gui = Gui::start_with_environment(contest, &again, &token);
    play.browser.wait("document.body.dataset.connection === 'open'");
    // The game goes on: North's answer came before the end, or comes now.
    play.browser.wait("document.querySelector('.house.open')");
    assert!(play.moves().starts_with('A'));
    assert!(play.moves().len() > 1);
}

#[test]
fn the_keyboard_alone_is_enough() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    play.browser.key("n");
    play.browser.wait("document.getElementById('new-dialog').open");
    for _ in 0..30 {
        if play.browser.run("document.activeElement.id") == "start" {
            break;
        }
        play.browser.key("Tab");
    }
    play.browser.key("Enter");
    play.browser
        .wait("document.body.dataset.live === 'true' && document.querySelector('.house.open')");
    for _ in 0..60 {
        if play.browser.run("document.activeElement.dataset?.pit") == "C" {
            break;
        }
        play.browser.key("Tab");
    }
    play.browser.key("Enter");
    play.browser.wait("document.querySelector('#moves .move')?.textContent === 'C'");
    let announced = play.browser.text("#live");
    assert!(announced.starts_with("South sows C, and moves again."), "{announced}");
    play.browser.key("?");
    play.browser.wait("document.getElementById('help-dialog').open");
    play.browser.key("Escape");
    play.browser.wait("!document.getElementById('help-dialog').open");
    play.check();
}

#[test]
fn every_size_and_colour_shows_the_whole_board() {
    let Some(mut play) = Play::start() else { return };
    let fits = "(() => { const b = document.getElementById('board').getBoundingClientRect();
        const wide = document.documentElement.scrollWidth <= window.innerWidth;
        const pits = [...document.querySelectorAll('#board .hole')].map((e) => e.getBoundingClientRect());
        return wide && pits.every((p) => p.left >= b.left - 1 && p.right <= b.right + 1 && p.top >= b.top - 1 && p.bottom <= b.bottom + 1
            && p.width > 18 && p.height > 18) })()";
    for (width, height) in [(390, 844), (768, 1024), (1440, 900), (320, 568), (844, 390)] {
        play.browser.resize(width, height);
        for colours in ["light", "dark"] {
            play.browser
                .prefer(&[("prefers-color-scheme", colours), ("prefers-reduced-motion", "reduce")]);
            for (houses, seeds) in [(1, 1), (6, 4), (12, 12), (12, 42)] {
                let row = vec![seeds.to_string(); houses].join(",");
                play.set_up(&format!("<{houses},0,0,{row},{row}> S"));
                play.browser.wait(fits);
            }
        }
    }
    // A move of 42 seeds around the board.
    let mut board = Board::from_fen(&play.board(), Capture::Standard).unwrap();
    play.sow("A");
    board.play_moves("A").unwrap();
    assert_eq!(play.board(), board.fen());
    play.check();
}

#[test]
fn nothing_is_in_the_way_of_those_who_cannot_see() {
    let Some(mut play) = Play::start() else { return };
    let Some(path) = std::env::var_os("KALAH_AXE") else {
        assert!(std::env::var("KALAH_BROWSER").is_err(), "KALAH_AXE has to name axe.min.js");
        eprintln!("not tested: KALAH_AXE does not name axe.min.js of the npm package axe-core");
        return;
    };
    let axe = fs::read_to_string(path).unwrap();
    let mut violations = Vec::new();
    let mut check = |play: &mut Play, what: &str| {
        play.browser.run(&format!("{axe};0"));
        let found = play.browser.run("axe.run({resultTypes: ['violations']}).then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html}`))");
        violations.extend(found.as_array().unwrap().iter().map(|found| format!("{what}: {found}")));
    };
    for colours in ["light", "dark"] {
        play.browser
            .prefer(&[("prefers-color-scheme", colours), ("prefers-reduced-motion", "reduce")]);
        play.set_up("<6,13,2,1,1,0,1,1,1,1,0,11,2,1,1> S");
        check(&mut play, "board");
        play.browser.run("document.querySelector('#analyse').ariaChecked === 'true' || document.querySelector('#analyse').click()");
        play.browser.wait(
            "document.getElementById('analysis-stats').textContent === 'Every move is proven.'",
        );
        play.sow("B");
        check(&mut play, "analysis");
        for name in ["new", "setup", "share", "learn", "settings", "help"] {
            play.browser.click(&format!("#open-{name}"));
            play.browser.wait(&format!("document.getElementById('{name}-dialog').open"));
            check(&mut play, name);
            play.browser.key("Escape");
            play.browser.wait("!document.querySelector('dialog[open]')");
        }
    }
    assert_eq!(violations, Vec::<String>::new());
    play.check();
}

#[test]
fn engines_play_each_other_against_a_clock() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(AT_ONCE);
    play.browser.reload();
    play.new_game(&[
        ("south-seat", "0"),
        ("south-level", "20"),
        ("north-level", "0"),
        ("houses", "3"),
        ("seeds", "2"),
        ("clock", "game"),
        ("clock-time", "60"),
    ]);
    play.browser.wait("document.body.dataset.live === 'false'");
    let status = play.browser.text("#status");
    assert!(status.starts_with("Game over: "), "{status}");
    let mut board = Board::start(kalah::Rules::new(3, Capture::Standard).unwrap(), 2).unwrap();
    board.play_moves(&play.moves()).unwrap();
    assert!(board.is_over());
    play.check();
}

#[test]
fn fingers_sow_on_a_phone() {
    let Some(mut play) = Play::start() else { return };
    play.browser.resize(390, 844);
    play.browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    play.browser.run(AT_ONCE);
    play.browser.reload();
    let mut board = Board::start(kalah::Rules::default(), 4).unwrap();
    for house in ["C", "F", "b"] {
        play.browser.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
        let place = play.browser.run(&format!(
            "(() => {{ const b = document.querySelector('[data-pit={house}]').getBoundingClientRect(); \
             return [b.x + b.width / 2, b.y + b.height / 2] }})()"
        ));
        let point = json!([{"x": place[0], "y": place[1]}]);
        let touch = |kind: &str, points: Value| json!({"type": kind, "touchPoints": points});
        play.browser.call("Input.dispatchTouchEvent", touch("touchStart", point));
        play.browser.call("Input.dispatchTouchEvent", touch("touchEnd", json!([])));
        board.play_moves(house).unwrap();
        play.browser.wait(&format!("{BOARD} === {}", json!(board.fen())));
    }
    play.check();
}

/// Pictures for the documentation: `KALAH_PICTURES=folder cargo test --test suite pictures_of_the_page`.
#[test]
fn pictures_of_the_page() {
    let Some(folder) = std::env::var_os("KALAH_PICTURES") else { return };
    let folder = std::path::PathBuf::from(folder);
    let Some(mut play) = Play::start() else { return };
    let _: Value = play.browser.run(AT_ONCE);
    play.browser.reload();
    for house in ["C", "F", "b", "a", "E", "f", "D", "e", "A"] {
        play.sow(house);
    }
    play.browser.key("v");
    play.browser.wait("document.querySelectorAll('.value:not(:empty)').length > 3");
    play.browser.wait("/[2-9] of . moves proven|Every/.test(document.getElementById('analysis-stats').textContent)");
    for (name, width, height) in
        [("phone", 390, 844), ("tablet", 768, 1024), ("desktop", 1440, 900)]
    {
        for colours in ["light", "dark"] {
            play.browser.resize(width, height);
            play.browser.prefer(&[("prefers-color-scheme", colours)]);
            play.browser.run("new Promise((resolve) => setTimeout(resolve, 300))");
            let picture = play.browser.picture();
            let file = folder.join(format!("gui-{name}-{colours}.png"));
            fs::write(file, picture).unwrap();
        }
    }
}
