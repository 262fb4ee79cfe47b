//! The page without a server: offline, its memory, its stops. The tests of the other files `gui_browser_*.rs` are its
//! tests too, where `KALAH_SITE` names its folder.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::page::{Play, has_server};
use crate::site;

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
    // The page of the first visit may still ask the network for files of the engine; this one does not.
    play.visit_again();
    // What the service worker has kept is all that is left.
    play.browser.call("Network.clearBrowserCache", json!({}));
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
    play.browser.wait(&shown("home-two"));
    assert_eq!(play.browser.run(&shown("home-phones")), false);
    play.browser.key("Escape");
    for (opener, dialog, id) in [
        ("#open-share", "share-dialog", "open-room"),
        ("#open-settings", "settings-dialog", "quit"),
    ] {
        play.browser.click(opener);
        play.browser.wait(&format!("document.getElementById('{dialog}').open"));
        assert_eq!(play.browser.run(&shown(id)), false, "{id}");
        play.browser.key("Escape");
        play.browser.wait(&format!("!document.getElementById('{dialog}').open"));
    }
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

/// What is asked for and taken back before the module of an engine is there.
const TOO_SOON: &str = "
    const { terminate } = Worker.prototype;
    const ended = new Set();
    Worker.prototype.terminate = function () { ended.add(this); terminate.call(this); };
    const [others, first] = [new Workers(), self.workers.length];
    const review = others.request('review', { game: {}, limit: {} });
    others.request('cancel', { request: review.id });
    const said = await review.catch((error) => error.message);
    await Promise.all(['start', 'end', 'start'].map((verb) => others.request(verb, { name: 'two' })));
    return `${said}, ${self.workers.slice(first).filter((worker) => !ended.has(worker)).length} left`;";

#[test]
fn what_is_taken_back_while_the_engine_loads_leaves_no_worker() {
    let Some(mut play) = start() else { return };
    assert_eq!(play.with_engine(TOO_SOON), "stopped, 1 left");
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

#[test]
fn a_board_stands_in_a_page_elsewhere() {
    let Some(host) = site::host() else { return };
    let Some(mut browser) = Browser::start() else { return };
    let folder = TempDir::new().unwrap();
    let text = format!(
        "<!doctype html><title>A blog</title><body data-ready=true>\
         <script type=module src='http://{host}/embed.js'></script>\
         <kalah-board id=game moves='C F' at=1></kalah-board>\
         <kalah-board id=ending board='<3,10,10,0,0,1,1,1,1> S' capture=empty values></kalah-board>\
         <kalah-board id=wrong moves=CC></kalah-board>\
         <kalah-board id=before moves=C at=-1></kalah-board>"
    );
    fs::write(folder.path().join("index.html"), text).unwrap();
    browser.open(&format!("http://{}/", site::serve(folder.path())));
    let inside = |id: &str, selector: &str| {
        format!("document.getElementById('{id}').shadowRoot.querySelector(\"{selector}\")")
    };
    let text = |id: &str, selector: &str| format!("{}.textContent", inside(id, selector));
    // After the first move it is South's turn again, who sows another house than in the game.
    browser.wait(&format!("{}.dataset.seeds === '1'", inside("game", "[data-pit='+']")));
    let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.wait(&inside("game", ".house.open[data-pit=A]"));
    browser.run(&format!("{}.{click}", inside("game", "[data-pit=A]")));
    browser.wait(&format!("{}.startsWith('North to move')", text("game", "output")));
    // Both moves of the ending keep or lose what a search proves.
    browser.wait(&format!("{}.includes('✓')", text("ending", "output")));
    let proven = "[...document.getElementById('ending').shadowRoot.querySelectorAll('.value')].filter((e) => e.textContent.endsWith('✓')).length";
    browser.wait(&format!("{proven} === 1"));
    browser.wait(&format!("{}.includes('C')", text("wrong", "output")));
    browser.wait(&format!("{}.startsWith('South to move')", text("before", "output")));
    assert_eq!(browser.complaints, Vec::<String>::new());
    // The link leads to the page with the game.
    let link = browser.run(&format!("{}.href", inside("game", "a")));
    browser.open(link.as_str().unwrap());
    browser
        .wait("document.getElementById('moves').innerText.replace(/\\s/g, '').includes('CF1.A')");
}

/// Chooses files for an input.
fn choose(play: &mut Play, id: &str, files: &[&PathBuf]) {
    let input = json!({"expression": format!("document.getElementById('{id}')")});
    let input = play.browser.call("Runtime.evaluate", input);
    let id = &input["result"]["objectId"];
    play.browser.call("DOM.setFileInputFiles", json!({"files": files, "objectId": id}));
}

/// What an engine says first of a position at this `go`.
fn first_look(play: &mut Play, position: &str, go: &str) -> String {
    let fen = format!("await send('position fen {position}'); await send('go {go}');");
    play.with_engine(&format!("{fen} return wait('info depth');"))
}

/// Opens the settings, where the files are listed.
fn open_files(play: &mut Play) {
    play.browser.wait("document.getElementById('files')");
    play.browser.click("#open-settings");
}

fn has_text(id: &str, text: &str) -> String {
    format!("document.querySelector('{id}').textContent.includes({})", json!(text))
}

/// A start of a board of which the program has no book.
const SMALL: &str = "<4,0,0,3,3,3,3,3,3,3,3> S";

#[test]
fn a_book_of_the_visitor_is_used_and_stays() {
    let Some(mut play) = start() else { return };
    let contest = &play.gui.contest;
    contest.played("book build small.kbk --houses 4 --seeds 3 --plies 3");
    let mut bytes = fs::read(contest.path("small.kbk")).unwrap();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    contest.write("wrong.kbk", bytes);
    let [small, wrong] = ["small.kbk", "wrong.kbk"].map(|name| contest.path(name));
    let is_from_book =
        |play: &mut Play| first_look(play, SMALL, "movetime 20000").contains(" proven nodes 0 ");
    assert!(!is_from_book(&mut play));
    open_files(&mut play);
    choose(&mut play, "files-input", &[&wrong, &small]);
    play.browser.wait(&has_text("#files .error", "'wrong.kbk': block 0 is damaged"));
    play.browser.wait(&has_text("#files-list", "Book, 4 houses a side"));
    assert!(is_from_book(&mut play));
    for _ in 0..2 {
        play.visit_again();
        assert!(is_from_book(&mut play));
    }
    play.set_up(SMALL);
    play.browser.click("#analyse");
    play.browser.wait("document.querySelectorAll('#lines .score').length === 3");
    assert_eq!(play.browser.run("[...document.querySelectorAll('#lines .score')].every((score) => score.textContent.endsWith('✓'))"), true);
    open_files(&mut play);
    assert_eq!(play.browser.run("document.querySelectorAll('#files-list li').length"), 1);
    play.browser.click("#files-list button");
    play.browser.wait("!document.querySelector('#files-list li')");
    assert!(!is_from_book(&mut play));
    play.check();
}

#[test]
fn a_file_without_room_is_there_for_the_visit() {
    let Some(mut play) = start() else { return };
    let contest = &play.gui.contest;
    contest.played("book build small.kbk --houses 4 --seeds 3 --plies 3");
    let small = contest.path("small.kbk");
    let origin = play.browser.run("location.origin");
    play.browser
        .call("Storage.overrideQuotaForOrigin", json!({"origin": origin, "quotaSize": 1000}));
    open_files(&mut play);
    choose(&mut play, "files-input", &[&small]);
    play.browser.wait(&has_text("#files-list", "for this visit only"));
    play.browser.wait(&has_text("#files-status", "There is no room for small.kbk"));
    assert!(first_look(&mut play, SMALL, "movetime 20000").contains(" proven nodes 0 "));
    play.browser.reload();
    play.browser.wait("document.getElementById('files')");
    assert_eq!(play.browser.run("document.querySelectorAll('#files-list li').length"), 0);
    play.check();
}

#[test]
fn a_tablebase_is_read_from_an_address_by_ranges() {
    let Some(mut play) = start() else { return };
    let contest = &play.gui.contest;
    contest.played("tablebase build tables --seeds 12");
    contest.played("tablebase build whole --seeds 2");
    let host = format!("http://{}", site::serve(&contest.path("")));
    // The tables in memory have up to 11 seeds, this board has 12.
    let board = "<6,30,30,2,1,1,1,1,0,2,1,0,1,1,1> S";
    assert!(!first_look(&mut play, board, "depth 1").contains(" proven "));
    open_files(&mut play);
    let mut add = |address: &str, id: &str, said: &str| {
        play.browser.fill("#files-address", &format!("{host}/{address}"));
        play.browser.click("#files-add");
        play.browser.wait(&has_text(id, said));
    };
    add("whole/kalah-6-standard-2.ktb", "#files .error", "the host sends no parts");
    add("tables/", "#files .error", "not the address of a file");
    add("tables/kalah-6-standard-12.ktb", "#files-list", "up to 12 seeds · 13 files · from 127.");
    for _ in 0..2 {
        assert!(first_look(&mut play, board, "depth 1").contains(" proven "));
        play.visit_again();
    }
    assert_eq!(play.browser.complaints, Vec::<String>::new());
}

#[test]
fn a_proof_is_verified_and_a_wrong_one_refused() {
    let Some(mut play) = start() else { return };
    let contest = &play.gui.contest;
    contest.played("solve --houses 4 --seeds 2 --proof small.proof");
    let mut bytes = fs::read(contest.path("small.proof")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    contest.write("wrong.proof", bytes);
    let files = ["small.proof", "wrong.proof"].map(|name| contest.path(name));
    let page = play.browser.run("new URL('proof.html', location.href).href");
    play.browser.call("Page.navigate", json!({"url": page}));
    play.browser.wait("document.querySelector('[data-proof]')?.onclick");
    for (file, said) in files.iter().zip(["Proven, in ", "wrong.proof: is damaged"]) {
        choose(&mut play, "file", &[file]);
        play.browser
            .wait(&format!("document.getElementById('result').textContent.includes('{said}')"));
    }
    // The large ones are begun and stopped.
    for (capture, margin) in [("standard", 4), ("empty", 2)] {
        play.browser.click(&format!("[data-proof*={capture}]"));
        let claim = format!("{capture} capture: the margin is {margin} for");
        play.browser
            .wait(&format!("document.getElementById('claim').textContent.includes('{claim}')"));
        play.browser.wait("document.getElementById('far').textContent.includes('tablebase')");
        play.browser.click("#stop");
        assert_eq!(play.browser.text("#result"), "Stopped.");
    }
    play.check();
}
