//! Relay sowing on the page of `kalah gui` in a real browser: chosen by name, followed with its pick-ups, played by engines
//! and on two devices. Without a browser on the machine these tests are left out, unless `KALAH_BROWSER=required` is set.

use kalah::board::{Board, Pit, Rules, Sowing};
use serde_json::{Value, json};

use crate::contest::Contest;
use crate::gui::Gui;
use crate::gui_browser_rooms::{invite, sow};
use crate::page::{AT_ONCE, BOARD, Play, has_server, open_board, values};

fn start() -> Board {
    Board::start(Rules::new(6, Sowing::Relay).unwrap(), 4).unwrap()
}

/// Begins a game of two people at the start of the page.
#[track_caller]
fn begin(play: &mut Play) {
    play.browser.click("#home-open");
    play.browser.click("#home-rules-choice label:has([value=relay])");
    play.browser.click("#home-two");
    play.browser.wait("document.body.dataset.live === 'true'");
}

#[test]
fn the_path_of_a_relay_is_shown_and_sown_with_its_pick_ups() {
    let Some(mut play) = Play::start() else { return };
    begin(&mut play);
    let mut board = start();
    let trace = board.trace("F".parse().unwrap()).unwrap();
    assert_eq!(trace.pick_ups.len(), 2);
    // Each pick-up has its number at its house, and each pit that changes the number that it will have.
    play.browser.run("document.querySelector('[data-pit=E]').focus()");
    play.browser.key("Tab");
    play.browser.wait("document.querySelector('.arrow.path')");
    let badges =
        "[...document.querySelectorAll('.arrows .word')].map((e) => e.textContent).join(' ')";
    assert_eq!(play.browser.run(badges), "1 2");
    let at = "(() => { const badge = document.querySelectorAll('.arrows .word')[0].getBoundingClientRect();
        const pit = document.querySelector('[data-pit=c]').getBoundingClientRect();
        return badge.x >= pit.x - 9 && badge.right <= pit.right + 9 && badge.y >= pit.y - 9 && badge.bottom <= pit.bottom })()";
    assert_eq!(play.browser.run(at), true);
    let expected = Pit::House(trace.pick_ups[0].house);
    assert_eq!(expected, Pit::House("c".parse().unwrap()));
    let numbers = "Object.fromEntries([...document.querySelectorAll('#board .labels text')].filter((e) => e.querySelector('.letter'))
        .map((e) => [e.querySelector('.letter').textContent, Number(e.querySelector('.count').textContent)]))";
    let shown = play.browser.run(numbers);
    for side in kalah::Side::ALL {
        for (i, &seeds) in trace.board.houses(side).iter().enumerate() {
            let letter = if side == kalah::Side::South { b'A' } else { b'a' } + i as u8;
            assert_eq!(shown[char::from(letter).to_string()], json!(seeds));
        }
    }
    let label = play.browser.run("document.querySelector('[data-pit=F]').ariaLabel");
    assert_eq!(label, "South's house F, 4 seeds, sows on 2 times, moves again");
    // Seed by seed, in one flight of at most four seconds.
    play.browser.click("[data-pit=F]");
    play.browser.wait("document.querySelector('.hand').getAnimations().length === 1");
    play.browser.wait("document.querySelector('.picked[data-pit=c]')");
    play.browser.wait("!document.body.dataset.busy");
    board.play_moves("F").unwrap();
    assert_eq!(play.board(), board.fen());
    assert_eq!(play.browser.text("#status"), "South to move again");
    play.browser.wait("document.getElementById('live').textContent.includes('sows F, sows on 2 times, and moves again')");
    assert_eq!(play.browser.text("#terms"), "Avalanche, captures nothing");
    // The second click of two has not seen what the first one did.
    let click = |house: &str, detail: u32| {
        format!(
            "document.querySelector('[data-pit={house}]').dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {detail} }}))"
        )
    };
    assert_eq!(play.browser.run("document.querySelectorAll('.house.open[data-pit=F]').length"), 1);
    play.browser.run(&click("F", 2));
    play.browser.run(&click("E", 1));
    play.browser.wait("document.querySelectorAll('#moves button.move').length > 1");
    assert_eq!(play.moves(), "FE");
    // A long way takes no longer.
    let long = "<6,0,0,20,20,20,20,20,20,20,20,20,20,20,20> S";
    play.set_up(long);
    play.browser.wait("document.querySelector('.house.open[data-pit=B]')");
    play.browser.click("[data-pit=B]");
    play.browser.wait("document.querySelector('.hand').getAnimations().length === 1");
    let time = play
        .browser
        .run("document.querySelector('.hand').getAnimations()[0].effect.getTiming().duration");
    assert!(time.as_f64().is_some_and(|time| time <= 4000.0), "{time}");
    // Clicked again, the house shows the end.
    play.browser.run(&click("B", 1));
    let mut board = Board::from_fen(long, Sowing::Relay).unwrap();
    board.play_moves("B").unwrap();
    let expected = json!(board.fen());
    play.browser.wait(&format!("!document.body.dataset.busy && {BOARD} === {expected}"));
    assert_eq!(play.moves(), "B");
    play.check();
}

#[test]
fn a_game_of_relay_sowing_is_kept_linked_and_reviewed() {
    let Some(mut play) = Play::start_at_once() else { return };
    // The values of a small board are found at once.
    play.new_game(&[("capture", "relay"), ("north-seat", "person"), ("houses", "4")]);
    let mut board = Board::start(Rules::new(4, Sowing::Relay).unwrap(), 4).unwrap();
    // Without the long turns.
    while let Some(mv) =
        board.moves().min_by_key(|&mv| board.trace(mv).unwrap().board.store(board.side()))
    {
        play.sow(&mv.letter().to_string());
        board.play(mv).unwrap();
    }
    let margin = board.result().unwrap();
    let moves = play.moves();
    play.browser.wait("document.getElementById('status').textContent.startsWith('Game over')");
    assert_eq!(
        play.browser.run(BOARD).as_str().map(|fen| fen.split_once('>').unwrap().0.to_owned()),
        board.fen().split_once('>').map(|it| it.0.to_owned())
    );
    // A reload knows the rules again, and so does the text of the game, and its link.
    play.browser.reload();
    assert_eq!(play.browser.text("#terms"), "Avalanche, captures nothing");
    play.browser.click("#open-share");
    play.browser.wait("document.getElementById('share-text').value");
    let text = play.browser.run("document.getElementById('share-text').value");
    assert!(text.as_str().unwrap().contains("[Sowing \"relay\"]"), "{text}");
    play.browser.run(
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }",
    );
    play.browser.click("#copy-link");
    play.browser.wait("window.copied");
    play.browser.key("Escape");
    play.new_game(&[("north-seat", "person"), ("capture", "standard")]);
    assert_eq!(play.browser.text("#terms"), "captures only seeds opposite");
    play.browser.run("location.hash = new URL(window.copied).hash");
    play.browser.wait("document.getElementById('terms').textContent.startsWith('Avalanche')");
    assert_eq!(play.moves(), moves);
    // The review explains, and its values are those of the rules: the last one is the margin.
    play.browser.click("#review");
    play.browser.wait("document.querySelector('#report table')");
    play.browser.wait("document.querySelectorAll('#moments .moment svg').length > 0");
    play.browser.key("End");
    let last = format!("move {}: {}", moves.len(), if margin > 0 { "South" } else { "North" });
    play.browser.wait(&format!(
        "document.getElementById('graph').ariaValueText.startsWith({})",
        json!(last)
    ));
    // The shelf keeps it.
    play.browser.click("#home-open");
    play.browser.click("#home-games");
    play.browser.wait("document.querySelectorAll('#games-list li').length > 0");
    play.check();
}

#[test]
fn engines_play_and_prove_relay_sowing() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.new_game(&[("capture", "relay"), ("north-seat", "0"), ("north-level", "20")]);
    // A move that passes the turn.
    let mut board = start();
    let quiet = |board: &Board| {
        board.moves().find(|&mv| board.trace(mv).unwrap().board.side() != board.side())
    };
    let mv = quiet(&board).unwrap();
    play.browser.click(&format!("[data-pit={}]", mv.letter()));
    // The engine has moved by the rules until the person is to move.
    play.browser.wait("document.querySelector('.house.open') && document.querySelectorAll('#moves button.move').length > 1");
    play.browser.wait("!document.body.dataset.busy");
    let moves = play.moves();
    board.play_moves(&moves).unwrap();
    assert_eq!(play.board(), board.fen());
    // All moves are proven, and one is advised.
    let fen = "<6,13,2,1,1,0,1,1,1,1,0,11,2,1,1> S";
    play.set_up(fen);
    play.browser.key("v");
    play.browser
        .wait("document.getElementById('analysis-stats').textContent === 'Every move is proven.'");
    let board = Board::from_fen(fen, Sowing::Relay).unwrap();
    for (mv, value) in values(&board) {
        let label =
            play.browser.run(&format!("document.querySelector('[data-pit={mv}]').ariaLabel"));
        let label = label.as_str().unwrap().to_owned();
        let by = format!(" {}, proven", value.abs());
        assert!(value == 0 || label.ends_with(&by), "{mv}: {label}, not {value}");
    }
    play.browser.key("v");
    play.browser.key("x");
    play.browser.wait("document.querySelector('#notices [data-kind=hint] span')");
    // The same engine goes back to Kalah.
    play.new_game(&[("capture", "standard"), ("north-seat", "0"), ("north-level", "20")]);
    play.browser.click("[data-pit=A]");
    play.browser.wait("document.querySelector('.house.open') && document.querySelectorAll('#moves button.move').length > 1");
    play.browser.wait("!document.body.dataset.busy");
    let mut board = Board::start(Rules::default(), 4).unwrap();
    board.play_moves(&play.moves()).unwrap();
    assert_eq!(play.board(), board.fen());
    play.check();
}

#[test]
fn an_engine_without_relay_sowing_is_named() {
    if !has_server() {
        return;
    }
    let contest = Contest::new();
    contest.write(
        "old.sh",
        "while read line; do case $line in uci) echo id name Old; echo uciok;; isready) echo readyok;; go*) echo bestmove a;; esac; done",
    );
    let Some(mut browser) = crate::browser::Browser::start() else { return };
    let gui = Gui::start_in(contest, "--port 0 --engine 'sh old.sh'");
    open_board(&mut browser, &gui);
    browser.run(AT_ONCE);
    browser.reload();
    let mut play = Play { gui, browser };
    play.new_game(&[("capture", "relay"), ("south-seat", "1"), ("north-seat", "person")]);
    play.browser.wait(
        "document.getElementById('notices').textContent.includes('Old does not play Avalanche')",
    );
    play.check();
}

#[test]
fn two_devices_play_relay_sowing() {
    if !has_server() {
        return;
    }
    let Some(mut host) = Play::start_at_once() else { return };
    begin(&mut host);
    let Some(mut guest) = invite(&mut host, "S") else { return };
    guest.wait("document.getElementById('terms').textContent.startsWith('Avalanche')");
    sow(&mut host.browser, &mut guest, "F");
    let mut board = start();
    board.play_moves("F").unwrap();
    let shown: Value = guest.run(BOARD);
    assert_eq!(shown, json!(board.fen()));
    assert_eq!(guest.complaints, Vec::<String>::new());
    host.check();
}

#[test]
fn the_rules_of_relay_sowing_play_by_themselves() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#home-open");
    play.browser.click("#home-rules-choice label:has([value=relay])");
    play.browser.click("#home-rules");
    play.browser.wait("document.getElementById('rules-dialog').open");
    let text = play.browser.text("#rules-steps");
    assert!(text.contains("sow on from there"), "{text}");
    play.browser.click("#rules-steps li[data-rules=relay] button");
    play.browser.wait(
        "document.querySelector('#rules-steps li[data-rules=relay] button').ariaCurrent === 'step'",
    );
    assert_eq!(
        play.browser.run(
            "document.querySelector('#rules-steps li[data-rules=standard]').checkVisibility()"
        ),
        false
    );
    play.browser.click("#rules-try");
    play.browser.wait("document.body.dataset.live === 'true'");
    assert_eq!(play.browser.text("#terms"), "Avalanche, captures nothing");
    // The start remembers what was chosen.
    play.browser.reload();
    play.browser.click("#home-open");
    play.browser.wait("document.querySelector('#home-rules-choice [value=relay]').checked");
    play.check();
}
