//! What went wrong on the page of `kalah gui` once, in a real browser: layout, lost games, dialogs, clocks. Without a
//! browser on the machine these tests are left out, unless `KALAH_BROWSER=required` is set.

use kalah::board::{Board, Capture};
use kalah_games::AnnotatedGame;
use serde_json::json;

use crate::page::{BOARD, Play, url};

/// A game of so many moves at most on a board of so many houses and seeds.
fn long_game(houses: usize, seeds: &str, moves: usize) -> String {
    let row = vec![seeds; houses].join(",");
    let fen = format!("<{houses},0,0,{row},{row}> S");
    let mut board = Board::from_fen(&fen, Capture::Standard).unwrap();
    let mut game = AnnotatedGame::new(board);
    for i in 0..moves {
        let legal: Vec<_> = board.moves().collect();
        let Some(&mv) = legal.get(i * 7 % legal.len().max(1)) else { break };
        game.play(mv).unwrap();
        board.play(mv).unwrap();
    }
    game.to_string()
}

/// Whether board, status and buttons lie within the window, and the current move within its list.
const IN_VIEW: &str = "(() => {
    const inside = (e, o) => { const b = e.getBoundingClientRect();
        return b.width > 0 && b.left >= o.left - 1 && b.right <= o.right + 1 && b.top >= o.top - 1 && b.bottom <= o.bottom + 1 };
    const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const shown = [...document.querySelectorAll('#board .hole, #board .count, #status, #bar button')].filter((e) => e.checkVisibility());
    const table = document.getElementById('table').getBoundingClientRect();
    if (![...document.querySelectorAll('#bar button')].filter((e) => e.checkVisibility()).every((e) => inside(e, table))) return false;
    const now = document.querySelector('#moves .now');
    return document.documentElement.scrollWidth <= innerWidth && shown.every((e) => inside(e, page))
        && (!now?.checkVisibility() || inside(now, document.getElementById('moves').getBoundingClientRect())) })()";

#[test]
fn board_status_and_buttons_are_in_view_at_any_length_of_a_game() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.open_text(&long_game(12, "42", 300));
    play.browser.key("End");
    play.browser.wait("document.querySelectorAll('#moves .move').length === 300 && document.querySelector('#moves .now')");
    let sizes = [(1440, 900), (320, 568), (390, 844), (844, 390), (768, 1024), (3840, 2160)];
    for (width, height) in sizes {
        play.browser.resize(width, height);
        play.browser.wait(IN_VIEW);
    }
    // Steps are followed.
    play.browser.key("Home");
    play.browser.key("ArrowRight");
    play.browser.wait(&format!("document.querySelector('#moves .now')?.textContent && {IN_VIEW}"));
    // 1440 × 900 enlarged fourfold.
    play.browser.resize(360, 225);
    play.browser.wait(IN_VIEW);
    play.check();
}

#[test]
fn a_review_leaves_the_board_in_view() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.open_text(&long_game(6, "3", 100));
    play.browser.key("End");
    play.browser.click("#review");
    play.browser.wait("document.querySelector('#report table')");
    for (width, height) in [(1440, 900), (390, 844), (320, 568)] {
        play.browser.resize(width, height);
        play.browser.wait(IN_VIEW);
    }
    play.check();
}

#[test]
fn a_game_that_is_replaced_comes_back_by_undo() {
    let Some(mut play) = Play::start_at_once() else { return };
    let undo = |play: &mut Play, expected: &str| {
        play.browser.wait("document.querySelector('#notices [data-kind=undo] button')");
        play.browser.click("#notices [data-kind=undo] button");
        play.browser.wait("!document.querySelector('#notices [data-kind=undo]')");
        play.browser.wait(&format!(
            "[...document.querySelectorAll('#moves .move')].map((e) => e.textContent).join('') === '{expected}'"
        ));
    };
    play.new_game(&[("north-seat", "person")]);
    for house in ["C", "A"] {
        play.sow(house);
    }
    // A live game goes on after each of these.
    play.browser.click("#resign");
    play.browser.wait("document.body.dataset.live === 'false'");
    undo(&mut play, "CA");
    play.browser.wait("document.body.dataset.live === 'true'");
    play.new_game(&[("houses", "4")]);
    undo(&mut play, "CA");
    play.set_up("<3,0,0,1,2,3,1,2,3> S");
    undo(&mut play, "CA");
    play.open_text("D a");
    undo(&mut play, "CA");
    play.browser.wait("document.body.dataset.live === 'true'");
    // The game that is already there is not opened again.
    play.browser.click("#open-share");
    play.browser.wait("document.getElementById('share-text').value.includes('C')");
    assert_eq!(play.browser.run("document.getElementById('share-open').disabled"), true);
    play.browser.key("Escape");
    play.browser.click("#resign");
    play.browser.wait("!document.getElementById('delete').disabled");
    play.browser.run("document.getElementById('delete').click()");
    play.browser.wait("document.querySelectorAll('#moves .move').length === 1");
    undo(&mut play, "CA");
    // Later, too.
    play.open_text("D a");
    play.browser.click("#open-share");
    play.browser.click("#share-before");
    play.browser.wait("document.querySelectorAll('#moves .move').length === 2 && document.querySelector('#moves .move').textContent === 'C'");
    play.check();
}

#[test]
fn a_page_that_is_left_before_it_shows_its_game_keeps_it() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.new_game(&[("north-seat", "person")]);
    play.sow("A");
    let moves = "[sessionStorage, localStorage].map((place) => JSON.parse(place['kalah-state']).game.moves.length).join()";
    play.browser.wait(&format!("{moves} === '1,1'"));
    // Neither a server nor a module answers.
    let source = "window.WebSocket = class { static OPEN = 1 }; WebAssembly.instantiateStreaming = () => new Promise(() => {})";
    play.browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}));
    play.browser.run(
        "delete document.body.dataset.ready, document.getElementById('home-open').onclick = null",
    );
    play.browser.call("Page.reload", json!({}));
    play.browser.wait("document.getElementById('open-help').onclick && document.getElementById('home-open').onclick && !document.body.dataset.ready");
    play.browser.run("window.dispatchEvent(new Event('pagehide'))");
    assert_eq!(play.browser.run(moves), "1,1");
    play.check();
}

#[test]
fn a_link_holds_the_game_alone_and_a_damaged_one_loses_nothing() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text }");
    play.open_text("D a {a \\ comment}");
    play.browser.click("#open-share");
    play.browser.click("#copy-link");
    play.browser.wait("window.copied");
    let link = play.browser.run("window.copied").as_str().unwrap().to_owned();
    assert!(!link.contains(&play.gui.token) && !link.contains('?'), "{link}");
    play.browser.key("Escape");
    let (_, hash) = link.split_once('#').unwrap();

    play.open_text("C A b");
    play.browser.key("End");
    // Damaged, in an open tab and at the start.
    for damaged in ["g=AAAA", "g=!", &hash[..hash.len() / 2]] {
        play.browser.run(&format!("location.hash = {}", json!(damaged)));
        play.browser.wait("location.hash === '' && /link is damaged/.test(document.getElementById('notices').textContent)");
        play.browser.call("Page.navigate", json!({"url": "about:blank"}));
        play.browser.open(&format!("{}#{damaged}", url(&play.gui)));
        assert_eq!(play.moves(), "CAb", "{damaged}");
    }
    // Pasted into an open tab, with the way back.
    play.browser.run(&format!("location.hash = {}", json!(hash)));
    play.browser.wait("document.querySelector('#moves .move')?.textContent === 'D'");
    play.browser.click("#notices [data-kind=undo] button");
    play.browser.wait("document.querySelector('#moves .move')?.textContent === 'C'");
    // Without the token, in a browser that knows it.
    play.browser.call("Page.navigate", json!({"url": "about:blank"}));
    play.browser.open(&link);
    play.browser.wait("document.querySelector('#moves .move')?.textContent === 'D'");
    assert_eq!(play.browser.text("#moves .comment").trim(), "a \\ comment");
}

#[test]
fn enter_does_what_a_dialog_is_for_and_edits_are_kept() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.key("n");
    play.browser.fill("#north-seat", "person");
    play.browser.fill("#houses", "5");
    play.browser.run("document.getElementById('houses').focus()");
    play.browser.key("Enter");
    play.browser.wait("document.body.dataset.live === 'true' && document.querySelectorAll('#board .house').length === 10");
    // A clock without end is none, nor is one without time.
    play.browser.key("n");
    play.browser.fill("#clock", "game");
    for time in ["1e300", ""] {
        play.browser.fill("#clock-time", time);
        play.browser.click("#start");
        play.browser.wait("document.querySelector('#clock-time:invalid')");
        assert_eq!(play.browser.run("document.getElementById('new-dialog').open"), true);
    }
    play.browser.key("Escape");
    play.browser.wait("!document.querySelector('dialog[open]')");

    play.browser.key("s");
    play.browser.wait("document.getElementById('setup-dialog').open");
    play.browser.fill("#setup-pit-A", "9");
    play.browser.key("Escape");
    play.browser.wait("document.querySelector('#notices [data-kind=edited]')");
    play.browser.click("#notices [data-kind=edited] button");
    play.browser.wait("document.getElementById('setup-dialog').open");
    assert_eq!(play.browser.run("document.getElementById('setup-pit-A').value"), "9");
    // An error names the house, and goes when it is mended.
    play.browser.fill("#setup-text", "<5,0,0,x,4,4,4,4,4,4,4,4,4> S");
    play.browser.wait(
        "/number for house A/.test(document.querySelector('#setup-dialog .error').textContent)",
    );
    play.browser.fill("#setup-pit-A", "8");
    play.browser.wait("!document.querySelector('#setup-dialog .error').textContent");
    play.browser.run("document.getElementById('setup-pit-A').focus()");
    play.browser.key("Enter");
    play.browser.wait(&format!("{BOARD} === '<5,0,0,8,4,4,4,4,4,4,4,4,4> S'"));
    play.browser.key(",");
    play.browser.run("document.getElementById('line-count').focus()");
    play.browser.key("Enter");
    play.browser.wait("!document.querySelector('dialog[open]')");
    play.check();
}

/// Lets time stand on the page, until `skip(milliseconds)`.
const SKIP: &str = "(() => { let time = performance.now();
    performance.now = () => time; window.skip = (passed) => { time += passed } })()";

#[test]
fn clocks_stand_while_seeds_move_and_go_back_with_a_move() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(SKIP);
    play.new_game(&[
        ("north-seat", "person"),
        ("clock", "game"),
        ("clock-time", "60"),
        ("clock-more", "0"),
    ]);
    let clock = |play: &mut Play, seat: &str| play.browser.text(&format!("#seat-{seat} .clock"));
    play.browser.wait("document.querySelector('#seat-below .clock').textContent === '60:00'");
    // Time that passes while the seeds of an extra turn move costs nobody anything.
    play.browser.run(
        "new MutationObserver(() => document.body.dataset.busy && skip(600_000)).observe(document.body, { attributeFilter: ['data-busy'] })",
    );
    play.sow("C");
    play.browser.wait("document.querySelector('#status').textContent.endsWith('again')");
    assert_eq!(clock(&mut play, "below"), "60:00");
    play.browser.run("skip(60_000)");
    play.sow("F");
    play.browser.wait("document.body.dataset.turn === 'N'");
    assert_eq!(clock(&mut play, "below"), "59:00");
    play.browser.run("skip(120_000)");
    play.sow("a");
    play.browser.wait("document.body.dataset.turn === 'S'");
    assert_eq!(clock(&mut play, "above"), "58:00");
    for (below, above) in [("59:00", "60:00"), ("60:00", "60:00")] {
        play.browser.click("#take-back");
        play.browser.wait(&format!(
            "document.querySelector('#seat-below .clock').textContent === '{below}'"
        ));
        assert_eq!(clock(&mut play, "above"), above);
    }
    // A flag ends the game with a result at once.
    play.browser.run("skip(3_700_000)");
    play.browser
        .wait("document.getElementById('status').textContent === 'North wins (time forfeit)'");
    play.browser.wait(
        "document.querySelector('#moves .outcome')?.textContent === 'North wins (time forfeit)'",
    );
    // Whoever resigns has thought, too.
    play.new_game(&[]);
    play.browser.run("skip(60_000)");
    play.browser.click("#resign");
    play.browser.wait("document.body.dataset.live === 'false'");
    assert_eq!(clock(&mut play, "below"), "59:00");
    play.check();
}

#[test]
fn a_page_that_is_hidden_while_seeds_move_goes_on() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run("localStorage.setItem('kalah-settings', JSON.stringify({ speed: 300 }))");
    play.browser.reload();
    play.new_game(&[("north-level", "0"), ("seeds", "20")]);
    // As in a hidden page, no frame is drawn.
    play.browser.run(
        "window.requestAnimationFrame = () => 0;
         new MutationObserver(() => {
             if (!document.body.dataset.busy || document.hidden) return;
             Object.defineProperty(document, 'hidden', { value: true });
             document.dispatchEvent(new Event('visibilitychange'));
         }).observe(document.body, { attributeFilter: ['data-busy'] })",
    );
    play.sow("A");
    play.browser.wait("document.querySelectorAll('#moves .move').length > 1 && document.querySelector('.house.open')");
    play.check();
}
