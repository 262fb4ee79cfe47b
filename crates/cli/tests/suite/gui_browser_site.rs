//! The page without a server: offline, its memory, its stops. The tests of the other files `gui_browser_*.rs` are its
//! tests too, where `KALAH_SITE` names its folder.

use serde_json::json;

use crate::page::{Play, has_server};

/// The first visit of a page without a server.
fn start() -> Option<Play> {
    if has_server() {
        return None;
    }
    let mut play = Play::start()?;
    assert_eq!(play.browser.run("crossOriginIsolated"), false);
    Some(play)
}

#[test]
fn a_game_goes_on_without_a_network() {
    let Some(mut play) = start() else { return };
    // Its files are there before the network is gone.
    play.browser.run("navigator.serviceWorker.ready.then(() => 0)");
    let none =
        json!({"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    play.browser.call("Network.emulateNetworkConditions", none);
    play.visit_again();
    play.new_game(&[("north-level", "0")]);
    play.sow("A");
    play.browser.wait("document.querySelector('.house.open')");
    for _ in 0..10 {
        let moves = play.moves();
        play.browser.reload();
        assert_eq!(play.moves(), moves);
    }
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('dialog[open]')");
    play.check();
}

#[test]
fn what_needs_a_server_is_not_offered() {
    let Some(mut play) = start() else { return };
    play.browser.click("#home-open");
    let shown = |id: &str| format!("document.getElementById('{id}').checkVisibility()");
    assert_eq!(play.browser.run(&shown("home-two")), true);
    assert_eq!(play.browser.run(&shown("home-phones")), false);
    play.browser.key("Escape");
    play.browser.click("#open-share");
    assert_eq!(play.browser.run(&shown("open-room")), false);
    play.browser.key("Escape");
    play.browser.click("#open-settings");
    assert_eq!(play.browser.run(&shown("quit")), false);
    play.check();
}

/// A search is stopped while it runs, one that ponders goes on, and the table is still there.
const STOPS: &str = "
    await send('setoption name OwnBook value false');
    await send('setoption name Seeds value 6');
    for (let i = 0; i < 30; i++) {
        await send('go infinite');
        await wait('info depth ' + (i % 7 + 1));
        await send('stop');
        await wait('bestmove ');
    }
    await send('go ponder movetime 50');
    await wait('info depth 3');
    await send('isready');
    await send('ponderhit');
    await wait('readyok');
    return wait('bestmove ');";

#[test]
fn a_search_is_stopped_with_and_without_shared_memory() {
    let Some(mut play) = start() else { return };
    assert!(play.with_engine(STOPS).starts_with("bestmove "));
    play.visit_again();
    assert!(play.with_engine(STOPS).starts_with("bestmove "));
    play.check();
}

#[test]
fn a_table_that_is_refused_is_none_of_the_game() {
    let Some(mut play) = start() else { return };
    let refused =
        "await send('setoption name Hash value 65536'); return wait('info string error: ');";
    assert!(play.with_engine(refused).contains("memory"));
    let then = "await send('setoption name Hash value 65536'); await send('go depth 5'); return wait('bestmove ');";
    assert!(play.with_engine(then).starts_with("bestmove "));
    play.check();
}
