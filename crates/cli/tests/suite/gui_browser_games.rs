//! Games on the page of `kalah gui` in a real browser. Without one on the machine these tests are left out, unless
//! `KALAH_BROWSER=required` is set.

use kalah::Side;
use kalah::board::{Board, Capture};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contest::Contest;
use crate::gui::Gui;
use crate::page::{AT_ONCE, BOARD, Play, has_server, open_board, values};
use crate::runs::runs;

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
fn a_game_against_an_engine_with_takebacks_and_reloads() {
    play_against_an_engine(runs(2, 10), 0);
}

#[test]
fn a_game_against_an_engine_that_is_killed() {
    play_against_an_engine(0, runs(1, 5));
}

fn play_against_an_engine(most_reloads: usize, most_kills: usize) {
    let Some(mut play) = Play::start_at_once() else { return };
    let seeds = runs(2, 6);
    play.new_game(&[("north-level", "1"), ("seeds", &seeds.to_string())]);
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
        if kills < most_kills {
            kill_engines(&mut play);
            kills += 1;
        }
        if reloads < most_reloads {
            play.browser.reload();
            reloads += 1;
            assert!(play.moves().starts_with(&before), "{before}: {}", play.moves());
        }
        if most_reloads > 0 && reloads == most_reloads / 2 {
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
    assert_eq!((reloads, kills), (most_reloads, most_kills), "the game was too short: {notices}");
    let moves = play.moves();
    let mut board = Board::start(kalah::Rules::default(), seeds as u16).unwrap();
    board.play_moves(&moves).unwrap();
    assert!(board.is_over());
    play.check();
}

/// Kills the engines that play in a page.
fn kill_engines(play: &mut Play) {
    if !has_server() {
        play.browser.run(
            "for (const worker of workers) worker.terminate(), worker.dispatchEvent(new ErrorEvent('error', { message: 'killed' }))",
        );
        return;
    }
    for process in play.gui.contest.processes() {
        if process.1.ends_with("kalah") {
            let _ = kill_process(Pid::from_raw(process.0).unwrap(), Signal::KILL);
        }
    }
}

#[test]
fn a_hint_a_swap_and_a_resignation() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#open-new");
    play.browser.click("#may-swap");
    play.browser.key("Escape");
    play.new_game(&[("north-seat", "person"), ("houses", "3"), ("seeds", "3")]);
    play.browser.click("#hint");
    play.browser.wait("document.querySelector('#notices [data-kind=hint]')");
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
    let mut last = String::new();
    while board.side() == Side::South {
        let mv = board.moves().next().unwrap();
        play.sow(&mv.to_string());
        board.play(mv).unwrap();
        last = mv.to_string();
    }
    play.browser.wait("!document.getElementById('swap').hidden");
    play.browser.click("#swap");
    play.browser.wait("document.getElementById('swap').hidden");
    assert_eq!(play.browser.text("#live"), "The sides are swapped.");
    play.browser.click("#resign");
    play.browser.wait("document.body.dataset.live === 'false'");
    assert_eq!(play.browser.text("#live").split('.').next(), Some("North resigns"));
    // What is tried after it is a variation, which begins with the last move.
    let tried = board.moves().next().unwrap().to_string();
    play.sow(&tried);
    let variation =
        "(JSON.parse(sessionStorage.getItem('kalah-state')).game.moves.at(-1).variations ?? [])";
    let letters = "line.map(({ move }) => move).join('')";
    let is_saved = format!("{variation}.some((line) => {letters} === '{last}{tried}')");
    play.browser.wait(&is_saved);
    play.browser.reload();
    play.browser.wait(&is_saved);
    play.check();
}

#[test]
fn two_pages_play_two_games() {
    let Some(mut play) = Play::start() else { return };
    let mut other = Browser::start().unwrap();
    open_board(&mut other, &play.gui);
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
    open_board(&mut browser, &gui);
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
    let Some(mut play) = Play::start_at_once() else { return };
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
    assert!(announced.starts_with("You sow C, and move again."), "{announced}");
    play.browser.key("?");
    play.browser.wait("document.getElementById('help-dialog').open");
    play.browser.key("Escape");
    play.browser.wait("!document.getElementById('help-dialog').open");
    play.check();
}

#[test]
fn engines_play_each_other_against_a_clock() {
    let Some(mut play) = Play::start_at_once() else { return };
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
