//! Seats, puzzles, engines that fail, words, keys, focus and files on the page of `kalah gui`, in a real browser. Without
//! a browser on the machine these tests are left out, unless `KALAH_BROWSER=required` is set.

use serde_json::json;

use crate::contest::Contest;
use crate::gui::Gui;
use crate::page::{Play, has_server, open_board};

/// One puzzle, in which North moves.
const PUZZLE: &str = r#"window.fetch = async () => new Response(JSON.stringify({ puzzles: [
    { board: "<3,6,5,1,1,3,2,1,0> N", capture: "standard", best: "b", value: 4, second: 0, level: 1, line: "b" }] }))"#;

fn begin_puzzle(play: &mut Play) {
    play.browser.run(PUZZLE);
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('#puzzle-levels button')");
    play.browser.click("#puzzle-levels button");
    play.browser.wait("document.body.hasAttribute('data-lesson') && document.querySelector('.house.open[data-pit=a]')");
}

#[test]
fn lines_are_updated_in_place() {
    let Some(mut play) = Play::start_at_once() else { return };
    // Nothing of this board is proven soon.
    let row = ["42"; 12].join(",");
    play.set_up(&format!("<12,0,0,{row},{row}> S"));
    play.browser.key("v");
    play.browser.wait("document.querySelector('#lines button')");
    play.browser.run("window.first = document.querySelector('#lines button'); first.focus()");
    // They are drawn at most ten times a second; timers may be a little early.
    play.browser.run(
        "window.drawn = []; new MutationObserver(() => drawn.push(performance.now())) \
        .observe(document.getElementById('analysis-stats'), { childList: true })",
    );
    play.browser.wait("drawn.length > 5");
    assert_eq!(play.browser.run("drawn.slice(1).every((time, i) => time - drawn[i] > 90)"), true);
    assert_eq!(play.browser.run("first.isConnected && document.activeElement === first"), true);
    // Whole numbers are proven, estimates have a decimal.
    let digits = "[...document.querySelectorAll('#lines .score')].every((e) => /^[≥≤]?[+−]?[0-9]+([.][0-9]| ✓)$/.test(e.textContent))";
    assert_eq!(play.browser.run(digits), true, "{}", play.browser.text("#lines"));
    // What is pressed is what is played.
    play.browser.run("document.getElementById('lines').addEventListener('pointerdown', (event) => { window.pressed = event.target.textContent })");
    play.browser.click("#lines button");
    play.browser.wait("document.querySelector('#moves .now')?.textContent === window.pressed");
    play.browser.wait("/estimated$/.test(document.getElementById('graph').ariaValueText)");
    play.check();
}

#[test]
fn ones_own_seat_is_below_after_a_swap_and_after_a_puzzle() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#open-new");
    play.browser.click("#may-swap");
    play.browser.key("Escape");
    play.new_game(&[("south-seat", "0"), ("south-level", "0"), ("north-seat", "person")]);
    let own = "document.querySelector('#seat-below .name').textContent.startsWith('You')";
    play.browser.wait(own);
    play.browser
        .wait("document.querySelector('.house.open') && !document.getElementById('swap').hidden");
    play.browser.click("#swap");
    play.browser.wait(&format!("document.getElementById('swap').hidden && {own}"));
    play.browser.wait("document.querySelector('.house.open')");
    assert_eq!(play.browser.text("#seat-below .name"), "You");
    begin_puzzle(&mut play);
    assert_eq!(play.browser.text("#seat-below .name"), "North");
    play.browser.click("#task-end");
    play.browser.wait("document.querySelector('#seat-below .name').textContent === 'You'");
    play.check();
}

#[test]
fn the_server_is_stopped_by_two_presses() {
    let Some(mut play) = has_server().then(Play::start).flatten() else { return };
    play.browser.key(",");
    play.browser.click("#quit");
    play.browser.wait("document.getElementById('quit').textContent === 'Stop it now'");
    // A dialog that is opened anew has forgotten the first.
    play.browser.key("Escape");
    play.browser.key(",");
    play.browser.wait("document.getElementById('quit').textContent === 'Stop the server'");
    play.browser.click("#quit");
    let host = play.gui.host.clone();
    assert_eq!(play.gui.get("/", &[("Host", &host)]).0, 403, "it still answers");
    play.browser.click("#quit");
    play.browser.wait("/server has ended/.test(document.getElementById('notices').textContent)");
    assert_eq!(play.gui.session.wait().status.code(), Some(0));
}

#[test]
fn an_engine_swaps_whatever_the_person_looks_at() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#open-new");
    play.browser.click("#may-swap");
    play.browser.key("Escape");
    play.new_game(&[("north-level", "20")]);
    // South wins from here, and the engine thinks for a second.
    play.sow("C");
    play.sow("F");
    play.browser.key("Home");
    play.browser.wait("document.querySelector('#seat-below .name').textContent === 'You'");
    assert_eq!(play.moves().get(..2), Some("CF"));
    play.check();
}

#[test]
fn a_puzzle_hides_the_game_behind_it() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.new_game(&[("north-seat", "person"), ("clock", "game")]);
    for house in ["C", "A"] {
        play.sow(house);
    }
    begin_puzzle(&mut play);
    // Neither keys nor buttons reach the game; its clock and its names are gone.
    for key in ["z", "z", "v", "Home"] {
        play.browser.key(key);
    }
    let shown = "[...document.querySelectorAll('#bar, #analysis, #moves-card, .clock:not(:empty)')].filter((e) => e.checkVisibility()).length";
    assert_eq!(play.browser.run(shown), 0);
    assert!(play.browser.text("#live").starts_with("Puzzle. North to move"));
    // After a wrong try no house answers until the position is back.
    play.sow_task("a");
    play.browser.wait("document.getElementById('task-answer').className === 'bad' && !document.querySelector('.house.open')");
    play.browser.wait("document.querySelector('.house.open[data-pit=b]')");
    play.browser.click("#task-end");
    play.browser.wait("!document.body.hasAttribute('data-lesson')");
    assert_eq!(play.moves(), "CA");
    assert_eq!(play.browser.run("document.getElementById('analyse').ariaChecked"), "false");
    play.check();
}

#[test]
fn the_rules_are_shown_without_motion_and_say_which_capture_holds() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('#puzzle-levels button')");
    play.browser.click("#open-rules");
    // The first step is shown with its marks; the others on demand.
    for step in 1..=4 {
        let button = format!("#rules-steps li:nth-child({step} of :not([hidden])) button");
        if step > 1 {
            play.browser.click(&button);
        }
        play.browser.wait(&format!("document.querySelector('{button}').ariaCurrent === 'step' && document.querySelector('#rules-board .seed') && document.querySelector('#rules-board .from')"));
    }
    assert!(play.browser.text("#rules-dialog").contains("If the house opposite is empty"));
    play.browser.key("Escape");
    assert_eq!(play.browser.text("#terms"), "captures only seeds opposite");
    play.browser.click("#open-share");
    play.browser.wait("document.getElementById('share-text').value");
    play.browser.fill("#share-capture", "empty");
    play.browser.fill("#share-text", "C A");
    play.browser.click("#share-open");
    play.browser.wait(
        "document.getElementById('terms').textContent === 'captures also opposite an empty house'",
    );
    play.check();
}

#[test]
fn an_engine_that_does_not_answer_is_restarted_and_one_that_fails_ends_no_game() {
    let contest = Contest::new();
    let kalah = env!("CARGO_BIN_EXE_kalah");
    contest.write(
        "hangs.sh",
        format!("[ -e hung ] && exec {kalah}; touch hung; exec cat >/dev/null\n"),
    );
    let gui = Gui::start_in(
        contest,
        "--port 0 --engine 'sh hangs.sh' --engine 'sh hangs.sh more' --engine /no/such/engine --engine 'sh hangs.sh'",
    );
    let Some(browser) = crate::browser::Browser::start() else { return };
    let mut play = Play { gui, browser };
    open_board(&mut play.browser, &play.gui);
    play.browser.run(crate::page::AT_ONCE);
    play.browser.reload();
    let names =
        "[...document.getElementById('north-seat').options].map((option) => option.text).join('|')";
    assert_eq!(
        play.browser.run(names),
        "a person|Kalah|sh hangs.sh|sh hangs.sh more|engine|sh hangs.sh (2)"
    );
    // Patience is shorter here.
    play.browser.run("(() => { const wait = setTimeout; window.setTimeout = (act, time) => wait(act, time > 9000 ? time / 20 : time) })()");
    play.new_game(&[("north-seat", "1")]);
    play.sow("A");
    play.browser
        .wait("document.querySelector('#seat-above .thinking').textContent === 'does not answer'");
    play.browser.click("#notices [data-kind^=silent] button");
    play.browser.wait("document.querySelector('.house.open') && !document.querySelector('#notices [data-kind^=silent]')");
    // It said its name.
    play.browser.wait("!document.querySelector('#seat-above .name').textContent.startsWith('sh ')");
    play.new_game(&[("north-seat", "3")]);
    play.sow("A");
    play.browser.wait(
        "document.querySelector('#notices [data-kind=failed] button')?.textContent === 'Try again'",
    );
    assert_eq!(play.browser.run("document.body.dataset.live"), "true");
    assert!(!play.browser.text("#live").contains("The game is over"));
    play.check();
}

#[test]
fn the_status_keeps_pace_with_the_seeds_and_the_loser_reads_it() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run("window.seen = []; new MutationObserver(() => seen.push(document.getElementById('status').textContent + '|' + !!document.body.dataset.busy)).observe(document.getElementById('status'), { childList: true, characterData: true, subtree: true })");
    play.sow("C");
    play.browser.wait("seen.includes('South sows C|true')");
    assert_eq!(play.browser.run("seen.some((text) => text === 'South to move again|true')"), false);
    play.browser.run(crate::page::AT_ONCE);
    play.browser.reload();
    // The hint goes with the move.
    for step in ["", "Sow this house", "Hint: "] {
        play.browser.click("#hint");
        play.browser.wait(&format!("document.querySelector('#notices [data-kind=hint] span')?.textContent.startsWith('{step}')"));
    }
    play.browser.wait("document.querySelector('#board .hint')");
    let heard = "[...document.querySelectorAll('[role=status], [role=alert], [aria-live]')].filter((e) => e.textContent.includes('Hint')).length";
    assert_eq!(play.browser.run(heard), 1);
    play.sow("A");
    play.browser.wait("!document.querySelector('#notices [data-kind=hint]')");
    play.set_up("<1,9,0,1,1> S");
    play.browser.click("#play-on");
    play.browser.fill("#south-seat", "0");
    play.browser.fill("#north-seat", "person");
    play.browser.click("#start");
    play.browser
        .wait("document.getElementById('status').textContent === 'Game over: you lose by 9'");
    play.check();
}

#[test]
fn keys_are_kind() {
    let Some(mut play) = Play::start_at_once() else { return };
    let press = |play: &mut Play, key: &str, repeat: bool| {
        let down = json!({"type": "keyDown", "key": key, "text": key, "autoRepeat": repeat});
        play.browser.call("Input.dispatchKeyEvent", down);
    };
    // A held key sows once; Caps Lock changes nothing.
    press(&mut play, "A", false);
    play.browser.wait("document.querySelectorAll('#moves .move').length === 1");
    for _ in 0..3 {
        press(&mut play, "A", true);
    }
    play.browser.key("V");
    play.browser.wait("document.getElementById('analyse').ariaChecked === 'true'");
    assert_eq!(play.moves(), "A");
    play.browser.key("v");
    // What a key cannot do is said, and so is where a step leads.
    play.browser.key("ArrowLeft");
    play.browser.wait(
        "document.getElementById('live').textContent === 'The first position. South to move.'",
    );
    play.browser.key("t");
    play.browser.wait("document.getElementById('live').textContent.includes('North is below')");
    play.browser.key("ArrowRight");
    play.browser.wait("document.getElementById('live').textContent.startsWith('Move 1, South A.')");
    // A button that can do no more hands on the focus.
    play.browser.run("document.getElementById('first').focus()");
    play.browser.key("Enter");
    play.browser.wait(
        "document.getElementById('first').disabled && document.activeElement.closest('#bar')",
    );
    // Letters can be switched off.
    play.browser.key(",");
    play.browser.click("#keys-on");
    play.browser.wait("!document.getElementById('keys-on').checked");
    play.browser.key("Escape");
    play.browser.wait("!document.querySelector('dialog[open]')");
    play.browser.key("n");
    play.browser.key("ArrowRight");
    play.browser.wait("document.getElementById('live').textContent.startsWith('Move 1')");
    assert_eq!(play.browser.run("!!document.querySelector('dialog[open]')"), false);
    let small = "[...document.querySelectorAll('#moves button')].filter((e) => e.offsetWidth < 24 || e.offsetHeight < 24).length";
    assert_eq!(play.browser.run(small), 0);
    play.check();
}

#[test]
fn forced_colours_and_fingers_see_whose_turn_it_is() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.prefer(&[("forced-colors", "active")]);
    let colours = "new Set([...document.querySelectorAll('.disc')].map((e) => getComputedStyle(e).backgroundColor)).size";
    assert_eq!(play.browser.run(colours), 2);
    let style = |play: &mut Play, selector: &str, property: &str| {
        play.browser
            .run(&format!("getComputedStyle(document.querySelector('{selector}')).{property}"))
    };
    assert_eq!(style(&mut play, ".seat.turn .disc", "outlineStyle"), "solid");
    assert_eq!(style(&mut play, ".house", "webkitTapHighlightColor"), "rgba(0, 0, 0, 0)");
    play.check();
}

#[test]
fn a_browser_that_keeps_nothing_has_a_page() {
    let Some(mut play) = Play::start() else { return };
    let blocked = "for (const name of ['localStorage', 'sessionStorage']) \
        Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })";
    play.browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": blocked}));
    play.browser.reload();
    play.browser.key("Escape");
    play.sow("C");
    play.browser.key(",");
    play.browser.fill("#speed", "0");
    play.browser.key("Escape");
    play.sow("A");
    if has_server() {
        play.browser.click("#open-share");
        play.browser.click("#open-room");
        play.browser.click("#room-open");
        play.browser.wait("document.getElementById('room-letters').textContent.length === 4");
        play.browser.key("Escape");
        play.browser.click("#room-close");
        play.browser.wait("!document.getElementById('room').checkVisibility()");
    }
    play.check();
}

#[test]
fn a_phone_that_is_turned_while_seeds_are_sown_shows_right_counts() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run("localStorage.setItem('kalah-settings', JSON.stringify({ speed: 300 }))");
    play.browser.reload();
    play.browser.resize(390, 844);
    play.browser.wait("document.querySelector('.house.open[data-pit=C]')");
    play.browser.run(
        "new MutationObserver((_, observer) => document.body.dataset.busy && (observer.disconnect(), requestAnimationFrame(() => document.getElementById('frame').style.cssText += '; flex: none; height: 99px')))
             .observe(document.body, { attributeFilter: ['data-busy'] })",
    );
    play.browser.click("[data-pit=C]");
    play.browser.wait("document.getElementById('frame').clientHeight === 99");
    // The picture of the sowing ended with the old board.
    play.browser.wait("!document.body.dataset.busy");
    assert_eq!(play.board(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
    play.check();
}

#[test]
fn files_in_other_encodings_are_read_or_refused_by_name() {
    let Some(mut play) = Play::start_at_once() else { return };
    let text = "[South \"José\"]\n\n1. C A *\n";
    let wide: Vec<u8> =
        [0xfeff_u16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let contest = &play.gui.contest;
    let files = [("latin", latin), ("wide", wide), ("other", vec![0, 1, 2, 0xff])];
    let paths = files.map(|(name, bytes)| {
        contest.write(name, bytes);
        contest.path(name)
    });
    for (i, path) in paths.iter().enumerate() {
        play.browser.click("#open-share");
        play.browser.wait("document.getElementById('share-text').value");
        let root = play.browser.call("DOM.getDocument", json!({}));
        let of = json!({"nodeId": root["root"]["nodeId"], "selector": "#share-file"});
        let node = play.browser.call("DOM.querySelector", of);
        let set = json!({"files": [path], "nodeId": node["nodeId"]});
        play.browser.call("DOM.setFileInputFiles", set);
        if i == 2 {
            play.browser.wait("/^Cannot read 'other' as text/.test(document.querySelector('#share-dialog .error').textContent)");
            continue;
        }
        play.browser
            .wait("document.querySelector('.seat.south .name').textContent === 'José (South)'");
        play.browser.key("n");
        play.browser.fill("#north-seat", "person");
        play.browser.click("#start");
        play.browser.wait("document.querySelector('.seat.south .name').textContent === 'South'");
    }
    play.check();
}
