//! Analysis, reviews, variations, the editor and the looks of the page of `kalah gui` in a real browser. Without one on the machine these tests are left out, unless
//! `KALAH_BROWSER=required` is set.

use std::fs;

use kalah::StopToken;
use kalah::board::{Board, Capture};
use kalah::solve::SolverResources;
use kalah_games::AnnotatedGame;
use kalah_review::{ReviewLimit, Reviewer};
use serde_json::json;

use crate::page::{BOARD, Play, has_server, values};
use crate::runs::runs;

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
        for (mv, value) in values(&board) {
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
    let Some(mut play) = Play::start_at_once() else { return };
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
    let mut reviewer = Reviewer::new(ReviewLimit::Exact, SolverResources::default());
    let expected = reviewer.review(&game, &StopToken::new(), |_, _| {}).unwrap();
    play.browser.click("#review");
    play.browser.wait("document.querySelector('#report table')");
    let cells = play.browser.run(
        "[...document.querySelectorAll('#report tbody tr:nth-child(2) td')].map((e) => Number(e.textContent))",
    );
    assert_eq!(cells, json!([expected.south.lost, expected.north.lost]));
    // The key moments have their reasons, and open their positions.
    play.browser.wait("document.querySelectorAll('#moments .moment svg').length > 0");
    let cards = play
        .browser
        .run("[...document.querySelectorAll('#moments .moment')].map((card) => card.textContent)");
    let cards: Vec<String> = serde_json::from_value(cards).unwrap();
    assert_eq!(cards.len(), expected.moments.len());
    let moments = expected.moments.iter().map(|ply| &expected.moves[ply - 1]);
    for (card, moment) in cards.iter().zip(moments.clone()) {
        assert!(card.contains(&moment.why.as_ref().unwrap().text), "{card}");
    }
    play.browser.click("#moments .moment");
    let shown = json!(moments.clone().next().unwrap().board);
    play.browser.wait(&format!("{BOARD} === {shown}"));
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
    // Steps through the game do not take the puzzle off the board.
    let puzzle = play.board();
    play.browser.key("Home");
    assert_eq!(play.board(), puzzle);
    play.sow_task(best.as_str().unwrap());
    play.browser.wait("document.getElementById('task-answer').className === 'good'");
    play.check();
}

#[test]
fn variations_comments_and_the_way_back() {
    let Some(mut play) = Play::start_at_once() else { return };
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
fn a_comment_stays_with_its_position_when_the_game_goes_on() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.sow("C");
    play.sow("F");
    play.browser.key("ArrowLeft");
    play.browser.wait("document.querySelector('.move.now').textContent === 'C'");
    play.browser.run("document.getElementById('edit').open = true");
    play.browser.click("#comment");
    play.browser.call("Input.insertText", json!({"text": "one"}));
    play.browser.run("document.getElementById('forward').click()");
    play.browser.wait("document.querySelector('.move.now').textContent === 'F'");
    play.browser.call("Input.insertText", json!({"text": " more"}));
    let comments =
        "JSON.parse(sessionStorage['kalah-state']).game.moves.map(({ comment }) => comment).join()";
    play.browser.wait(&format!("{comments} === 'one more,'"));
    play.check();
}

#[test]
fn names_and_comments_from_outside_are_escaped() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.run(
        r#"document.getElementById("share-text").value =
            '[North "a\u202eb"]\n\n1. C {c\u200b\u0007d} *'"#,
    );
    play.browser.run("document.getElementById('share-open').onclick()");
    play.browser
        .wait(r"document.querySelector('.seat.north .name').textContent === 'a\\u{202e}b (North)'");
    assert_eq!(play.browser.text("#moves .comment").trim(), r"c\u{200b}\u{7}d");
    // What is saved is what was opened.
    play.browser.key("End");
    play.browser.wait(r"document.getElementById('comment').value === 'c\u200b\u0007d'");
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
fn every_size_and_colour_shows_the_whole_board() {
    let Some(mut play) = Play::start() else { return };
    let fits = "(() => { const b = document.getElementById('board').getBoundingClientRect();
        const wide = document.documentElement.scrollWidth <= window.innerWidth;
        const pits = [...document.querySelectorAll('#board .hole')].map((e) => e.getBoundingClientRect());
        return wide && pits.every((p) => p.left >= b.left - 1 && p.right <= b.right + 1 && p.top >= b.top - 1 && p.bottom <= b.bottom + 1
            && p.width > 18 && p.height > 18) })()";
    let sizes = [(390, 844), (1440, 900), (768, 1024), (320, 568), (844, 390)];
    for (width, height) in sizes.into_iter().take(runs(2, 5)) {
        play.browser.resize(width, height);
        for colours in ["light", "dark"].into_iter().take(runs(1, 2)) {
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

/// Looks for barriers with axe, in all colours.
struct Inspection {
    play: Play,
    violations: Vec<String>,
}

impl Inspection {
    /// An inspection, if this machine has a browser and axe.
    fn start() -> Option<Inspection> {
        let mut play = Play::start()?;
        let Some(path) = std::env::var_os("KALAH_AXE") else {
            assert!(std::env::var("KALAH_BROWSER").is_err(), "KALAH_AXE has to name axe.min.js");
            eprintln!("not tested: KALAH_AXE does not name axe.min.js of the npm package axe-core");
            return None;
        };
        let axe = fs::read_to_string(path).unwrap();
        play.browser.run(&format!("{axe};0"));
        play.browser.prefer(&[("prefers-reduced-motion", "reduce")]);
        Some(Inspection { play, violations: Vec::new() })
    }

    /// All rules in light colours; in others the rules that depend on colours.
    fn look(&mut self, what: &str) {
        let Inspection { play: Play { browser, .. }, violations, .. } = self;
        let all = "{}";
        let colours = "{runOnly: ['color-contrast', 'link-in-text-block']}";
        let views = [
            ("prefers-color-scheme", "light", all),
            ("prefers-color-scheme", "dark", colours),
            ("forced-colors", "active", colours),
        ];
        for (feature, value, rules) in views.into_iter().take(runs(2, 3)) {
            browser.prefer(&[(feature, value), ("prefers-reduced-motion", "reduce")]);
            let found = browser.run(&format!("axe.run({{resultTypes: ['violations'], ...{rules}}}).then((r) => r.violations.map((v) => `${{v.id}}: ${{v.nodes[0].html}}`))"));
            let found = found.as_array().unwrap().iter();
            violations.extend(found.map(|found| format!("{what}, {value}: {found}")));
        }
    }

    /// Looks at dialogs, which these buttons open.
    fn look_at_dialogs(&mut self, prefix: &str, names: &[&str]) {
        for name in names {
            self.play.browser.click(&format!("#{prefix}-{name}"));
            self.play.browser.wait(&format!("document.getElementById('{name}-dialog').open"));
            self.play.browser.run("document.getElementById('openings').open = true");
            self.look(name);
            self.play.browser.key("Escape");
            self.play.browser.wait("!document.querySelector('dialog[open]')");
        }
    }

    fn check(self) {
        assert_eq!(self.violations, Vec::<String>::new());
        self.play.check();
    }
}

#[test]
fn nothing_is_in_the_way_at_the_start_and_at_the_end() {
    let Some(mut inspection) = Inspection::start() else { return };
    let play = &mut inspection.play;
    play.set_up("<2,5,4,0,1,0,1> S");
    play.browser.click("#play-on");
    play.browser.click("#start");
    play.browser.wait("document.body.dataset.live === 'true'");
    play.browser.resize(390, 844);
    play.sow("B");
    play.browser.wait("!document.getElementById('ending').hidden");
    inspection.look("end on a phone");
    inspection.play.browser.click("#home-open");
    inspection.look("start on a phone");
    inspection.play.browser.resize(1440, 900);
    inspection.look("start");
    inspection.look_at_dialogs("home", &["rules", "games"]);
    inspection.check();
}

#[test]
fn nothing_is_in_the_way_of_a_game() {
    let Some(mut inspection) = Inspection::start() else { return };
    let play = &mut inspection.play;
    play.set_up("<6,13,2,1,1,0,1,1,1,1,0,11,2,1,1> S");
    inspection.look("board");
    let play = &mut inspection.play;
    play.browser.run("document.querySelector('#analyse').ariaChecked === 'true' || document.querySelector('#analyse').click()");
    play.browser
        .wait("document.getElementById('analysis-stats').textContent === 'Every move is proven.'");
    play.sow("B");
    inspection.look("analysis");
    inspection.play.browser.run("document.getElementById('delete').click()");
    inspection.play.browser.wait("document.querySelector('#notices button')");
    inspection.look("notice");
    inspection.check();
}

#[test]
fn nothing_is_in_the_way_in_dialogs() {
    let Some(mut inspection) = Inspection::start() else { return };
    inspection.look_at_dialogs("open", &["new", "setup", "share", "learn", "settings", "help"]);
    inspection.check();
}

#[test]
fn nothing_is_in_the_way_of_a_class() {
    let Some(mut inspection) = has_server().then(Inspection::start).flatten() else { return };
    inspection.play.browser.click("#open-share");
    inspection.play.browser.click("#open-room");
    inspection.look("before sharing");
    inspection.play.browser.click("#room-open");
    inspection.play.browser.wait("document.getElementById('room-invitation').checkVisibility()");
    inspection.look("invitation");
    let play = &mut inspection.play;
    play.browser.key("Escape");
    play.browser.wait("document.getElementById('room').checkVisibility()");
    inspection.look("room");
    let play = &mut inspection.play;
    play.browser.shift_key("F");
    play.browser.wait("document.body.hasAttribute('data-present')");
    inspection.look("full screen");
    let play = &mut inspection.play;
    play.browser.key("Escape");
    play.browser.click("#room-close");
    play.browser.wait("!document.getElementById('room').checkVisibility()");
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('#puzzle-levels button')");
    play.browser.click("#puzzle-levels button");
    play.browser.wait("document.body.hasAttribute('data-lesson')");
    inspection.look("puzzle");
    inspection.check();
}

/// Pictures for the documentation: `KALAH_PICTURES=folder cargo test --test suite pictures_of_the_page`.
#[test]
fn pictures_of_the_page() {
    let Some(folder) = std::env::var_os("KALAH_PICTURES") else { return };
    let folder = std::path::PathBuf::from(folder);
    let Some(mut play) = Play::start_at_once() else { return };
    for house in ["C", "F", "b", "a", "E", "f", "D", "e", "A"] {
        play.sow(house);
    }
    let picture = |play: &mut Play, name: &str, width, height, colours| {
        play.browser.resize(width, height);
        play.browser.prefer(&[("prefers-color-scheme", colours)]);
        play.browser.run("new Promise((resolve) => setTimeout(resolve, 300))");
        let picture = play.browser.picture();
        fs::write(folder.join(format!("gui-{name}-{colours}.png")), picture).unwrap();
    };
    play.browser.run("document.getElementById('home-open').click()");
    picture(&mut play, "start", 1200, 800, "light");
    play.browser.click("#home-continue");
    play.browser.key("v");
    play.browser.wait("document.querySelectorAll('.value:not(:empty)').length > 3");
    play.browser.wait("/[2-9] of . moves proven|Every/.test(document.getElementById('analysis-stats').textContent)");
    for (name, width, height) in
        [("phone", 390, 844), ("tablet", 768, 1024), ("desktop", 1440, 900)]
    {
        for colours in ["light", "dark"] {
            picture(&mut play, name, width, height, colours);
        }
    }
}
