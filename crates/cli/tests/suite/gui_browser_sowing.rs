//! Sowing, arrows and marks on the page of `kalah gui` in a real browser. Without one on the machine these tests are left
//! out, unless `KALAH_BROWSER=required` is set.

use kalah::board::{Board, Capture};
use serde_json::{Value, json};

use crate::page::Play;

/// The seeds of each pit, in order: place and shade.
const SEEDS: &str = "Object.fromEntries([...document.querySelectorAll('#board [data-pit]')].map((pit) => [pit.dataset.pit,
    [...pit.querySelectorAll('.seed')].map((seed) => [seed.getAttribute('cx'), seed.getAttribute('cy'), seed.getAttribute('fill')].join(' '))]))";

/// The numbers at the pits, as somebody reads them.
const NUMBERS: &str =
    "[...document.querySelectorAll('#board .count')].map((e) => e.textContent).join(' ')";

fn shades(seeds: &[Value]) -> Vec<&str> {
    let mut shades: Vec<&str> =
        seeds.iter().filter_map(|seed| seed.as_str()?.rsplit(' ').next()).collect();
    shades.sort_unstable();
    shades
}

#[test]
fn seeds_keep_their_places_and_shades_and_stay_where_they_land() {
    let Some(mut play) = Play::start() else { return };
    let before = play.browser.run(SEEDS);
    play.sow("C");
    let after = play.browser.run(SEEDS);
    let of = |seeds: &Value, pit: &str| seeds[pit].as_array().unwrap().clone();
    for pit in ["A", "B", "a", "f"] {
        assert_eq!(before[pit], after[pit]);
    }
    let mut landed = Vec::new();
    for pit in ["D", "E", "F", "+"] {
        let (old, new) = (of(&before, pit), of(&after, pit));
        assert_eq!(new[..old.len()], old, "{pit}");
        landed.extend(new[old.len()..].iter().cloned());
    }
    // The same seeds, not others.
    assert_eq!(shades(&landed), shades(&of(&before, "C")));
    assert_eq!(after["C"], json!([]));
    // A reload changes no place.
    play.browser.reload();
    let again = play.browser.run(SEEDS);
    for pit in ["A", "D", "+", "a"] {
        let place = |seed: &Value| seed.as_str().unwrap().split(" url").next().unwrap().to_owned();
        let places = |seeds| of(seeds, pit).iter().map(place).collect::<Vec<_>>();
        assert_eq!(places(&again), places(&after), "{pit}");
    }
    // Of many seeds a heap is drawn, and the number tells; after a long way all numbers are right.
    let fen = format!("<3,0,0,{0},{0}> S", ["90"; 3].join(","));
    play.browser.run("localStorage.setItem('kalah-settings', JSON.stringify({ speed: 20 }))");
    play.browser.reload();
    play.set_up(&fen);
    let drawn = play.browser.run("document.querySelectorAll('[data-pit=A] .seed').length");
    assert!(drawn.as_u64().is_some_and(|drawn| (30..90).contains(&drawn)), "{drawn}");
    let mut board = Board::from_fen(&fen, Capture::Standard).unwrap();
    board.play_moves("A").unwrap();
    play.sow("A");
    assert_eq!(play.board(), board.fen());
    play.check();
}

fn touch(play: &mut Play, kind: &str, points: &Value) {
    play.browser
        .call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points.clone()}));
}

fn place(play: &mut Play, pit: &str) -> Value {
    play.browser.run(&format!(
        "(() => {{ const b = document.querySelector('[data-pit=\"{pit}\"]').getBoundingClientRect(); \
         return {{ x: b.x + b.width / 2, y: b.y + b.height / 2 }} }})()"
    ))
}

#[test]
fn pointing_focusing_and_holding_show_where_the_seeds_would_go() {
    let Some(mut play) = Play::start_at_once() else { return };
    let numbers = play.browser.run(NUMBERS);
    let is_shown = "document.querySelector('.arrow.path') && document.querySelector('.word.will')?.textContent === 'again'
        && [...document.querySelectorAll('.count.will')].map((e) => e.textContent).sort().join(' ') === '0 1 5 5 5'";
    let at = place(&mut play, "C");
    let moved = |at: &Value| json!({"type": "mouseMoved", "x": at["x"], "y": at["y"]});
    play.browser.call("Input.dispatchMouseEvent", moved(&at));
    play.browser.wait(is_shown);
    play.browser.call("Input.dispatchMouseEvent", moved(&json!({"x": 3, "y": 3})));
    play.browser.wait(&format!(
        "!document.querySelector('.arrow, .word, .will') && {NUMBERS} === {numbers}"
    ));
    // By keyboard, and what a screen reader says.
    play.browser.run("document.querySelector('[data-pit=B]').focus()");
    play.browser.key("Tab");
    play.browser.wait(is_shown);
    let label = play.browser.run("document.querySelector('[data-pit=C]').ariaLabel");
    assert_eq!(label, "South's house C, 4 seeds, moves again");
    play.browser.run("document.activeElement.blur()");
    // A finger that stays looks, and sows nothing when it goes.
    play.browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    touch(&mut play, "touchStart", &json!([at]));
    play.browser.wait(is_shown);
    touch(&mut play, "touchEnd", &json!([]));
    play.browser.wait("!document.querySelector('.word')");
    assert_eq!(play.moves(), "");
    touch(&mut play, "touchStart", &json!([at]));
    touch(&mut play, "touchEnd", &json!([]));
    play.browser.wait("document.querySelectorAll('#moves button.move').length === 1");
    // By choice.
    play.browser.key(",");
    play.browser.click("#paths");
    play.browser.key("Escape");
    play.browser.run("document.querySelector('[data-pit=B]').focus()");
    play.browser.key("Tab");
    play.browser.wait("document.activeElement.dataset.pit === 'D'");
    assert_eq!(play.browser.run("document.querySelectorAll('.arrow, .will').length"), 0);
    play.check();
}

#[test]
fn captures_and_extra_turns_are_seen_and_by_choice_heard() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run(
        "window.tones = 0; window.shakes = [];
         window.OscillatorNode = class extends OscillatorNode { constructor(...all) { super(...all); tones++ } };
         navigator.vibrate = (time) => shakes.push(JSON.stringify(time))",
    );
    play.sow("C");
    play.browser.wait("document.querySelector('.word')?.textContent === 'again'");
    assert_eq!(play.browser.run("tones + shakes.length"), 0);
    // The button is for everybody, vibration is in the settings.
    play.browser.click("#mute");
    play.browser.run(
        "(() => { const e = document.getElementById('shakes'); document.getElementById('open-settings').click(); e.click() })()",
    );
    play.browser.key("Escape");
    play.browser.wait("document.getElementById('mute').ariaPressed === 'true'");
    play.set_up("<4,0,0,2,1,0,1,2,4,2,1> S");
    play.browser.click("[data-pit=A]");
    play.browser.wait("document.querySelector('.word')?.textContent === 'captures 5'");
    play.browser.wait("document.querySelector('.taken[data-pit=b]') && tones > 0");
    assert_eq!(play.browser.run("shakes.includes('8') && shakes.includes('[25,30,25]')"), true);
    // What is muted stays so.
    play.browser.click("#mute");
    play.browser.reload();
    let muted = play.browser.run("document.getElementById('mute').ariaPressed");
    assert_eq!(muted, "false");
    play.check();
}

fn right_drag(play: &mut Play, from: &str, to: &str, modifiers: u32) {
    let (from, to) = (place(play, from), place(play, to));
    for (kind, at) in [("mousePressed", &from), ("mouseMoved", &to), ("mouseReleased", &to)] {
        let event = json!({"type": kind, "x": at["x"], "y": at["y"], "button": "right", "buttons": 2,
            "clickCount": 1, "modifiers": modifiers});
        play.browser.call("Input.dispatchMouseEvent", event);
    }
}

#[test]
fn ones_own_marks_are_kept_in_comments() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.sow("C");
    right_drag(&mut play, "D", "b", 0);
    right_drag(&mut play, "e", "e", 8);
    play.browser.wait("document.querySelector('.arrow.G') && document.querySelector('.ring.R')");
    play.browser.run("document.getElementById('edit').open = true");
    play.browser.click("#comment");
    play.browser.call("Input.insertText", json!({"text": "look"}));
    play.browser.click("#open-share");
    play.browser.wait("document.getElementById('share-text').value");
    let text = play.browser.run("document.getElementById('share-text').value");
    let text = text.as_str().unwrap().to_owned();
    assert!(text.contains("1. C {look [%csl Re] [%cal GDb]}"), "{text}");
    play.browser.key("Escape");
    // Marks belong to their position, and survive export and import.
    play.sow("A");
    play.browser.wait("!document.querySelector('.arrow, .ring')");
    play.open_text(&text);
    play.browser.key("End");
    play.browser.wait("document.querySelector('.arrow.G') && document.querySelector('.ring.R')");
    assert_eq!(play.browser.text("#moves .comment").trim(), "look");
    assert_eq!(play.browser.run("document.getElementById('comment').value"), "look");
    // The same mark again is none; a click clears.
    right_drag(&mut play, "D", "b", 0);
    play.browser.wait("!document.querySelector('.arrow') && document.querySelector('.ring.R')");
    play.browser.click("[data-pit=\"-\"]");
    play.browser.wait("!document.querySelector('.ring')");
    // What is no mark stays text.
    play.open_text("C {a [%csl Xe] b [%eval 3]} A");
    play.browser.key("Home");
    play.browser.key("ArrowRight");
    play.browser.wait("document.getElementById('comment').value === 'a [%csl Xe] b [%eval 3]'");
    play.check();
}

#[test]
fn analysis_draws_the_best_move_and_the_threat() {
    let Some(mut play) = Play::start_at_once() else { return };
    // South captures with A, and North would with a.
    play.set_up("<3,0,0,1,0,5,1,0,9> S");
    play.browser.key("v");
    play.browser.wait("document.querySelector('.arrow.best')");
    assert_eq!(play.browser.run("document.querySelectorAll('.arrow.threat').length"), 0);
    play.browser.click("#threat");
    play.browser.wait("document.querySelector('.arrow.threat')");
    let threat = play.browser.text("#threat-text");
    assert!(threat.starts_with("Threat: "), "{threat}");
    play.browser.key("v");
    play.browser.wait(
        "!document.querySelector('.arrow') && !document.getElementById('threat').checkVisibility()",
    );
    play.check();
}

#[test]
fn a_review_has_a_legend_arrows_and_a_graph_for_all() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.set_up("<4,10,9,2,1,2,0,5,1,4,3> S");
    for house in ["A", "d"] {
        play.sow(house);
    }
    play.browser.click("#review");
    play.browser.wait("document.querySelector('.moment .arrow.best') && document.querySelector('.moment .arrow.played')");
    // A gave 8 seeds away.
    let legend = play.browser.run("[...document.querySelectorAll('#report tr[data-kind]')].map((row) => `${row.dataset.kind} ${row.querySelector('td').textContent}`)");
    assert_eq!(legend, json!(["best 0", "inaccuracy 0", "mistake 1", "blunder 0"]));
    let card = play.browser.text(".moment");
    assert!(card.contains("mistake") && card.contains("8 seeds (exact)"), "{card}");
    assert!(play.browser.text("#moves").contains("−8?"));
    assert!(play.browser.text("#report-body").contains("All values are exact"));
    // The graph by keys, and what a screen reader hears.
    play.browser.run("document.getElementById('graph').focus()");
    play.browser.key("Home");
    play.browser.key("ArrowUp");
    play.browser.wait("document.getElementById('graph').ariaValueText === 'move 1: South wins by 3, proven, mistake'");
    play.browser.key("ArrowDown");
    play.browser.wait("document.getElementById('graph').ariaValueNow === '0'");
    play.check();
}

#[test]
fn a_hint_comes_in_steps_and_a_mistake_can_be_taken_back() {
    let Some(mut play) = Play::start_at_once() else { return };
    // C moves again, everything else gives much away.
    play.set_up("<4,10,9,2,1,2,0,5,1,4,3> S");
    play.browser.click("#play-on");
    play.browser.fill("#north-level", "3");
    play.browser.click("#start");
    play.browser.wait("document.body.dataset.live === 'true'");
    let notice = "document.querySelector('#notices [data-kind=hint] span')";
    let told = |play: &mut Play| play.browser.text("#notices [data-kind=hint] span");
    play.browser.click("#hint");
    play.browser.wait(notice);
    assert_eq!(told(&mut play), "Look for an extra turn.");
    assert_eq!(play.browser.run("document.querySelectorAll('.house.hint').length"), 0);
    play.browser.click("#notices [data-kind=hint] button");
    play.browser.wait("document.querySelector('.house.hint')");
    assert_eq!(told(&mut play), "Sow this house: C.");
    play.browser.key("x");
    play.browser.wait(&format!("{notice}.textContent.startsWith('Hint: C, ')"));
    // The reason is that of the server.
    let why = told(&mut play);
    assert!(why.contains("proven. ") && why.len() > 60, "{why}");
    play.sow("A");
    play.browser.wait("document.querySelector('#notices [data-kind=coach] button')");
    let mistake = play.browser.text("#notices [data-kind=coach] span");
    assert!(mistake.starts_with("A gives away "), "{mistake}");
    play.browser.click("#notices [data-kind=coach] button");
    play.browser.wait("document.querySelectorAll('#moves .move').length === 0 && document.querySelector('.house.open[data-pit=C]')");
    let sow_with_coach = |play: &mut Play, choice: &str| {
        play.browser.key(",");
        play.browser.fill("#coach", choice);
        play.browser.key("Escape");
        play.sow("A");
    };
    // Never, by choice.
    sow_with_coach(&mut play, "0");
    play.browser.wait("document.querySelectorAll('#moves .move').length > 1 && document.querySelector('.house.open')");
    assert_eq!(play.browser.run("document.querySelector('[data-kind=coach]')"), Value::Null);
    // At the end there is nothing to take back.
    play.browser.click("#take-back");
    sow_with_coach(&mut play, "2");
    play.browser.wait("document.querySelector('#notices [data-kind=coach] button')");
    play.browser.click("#resign");
    play.browser.wait("document.body.dataset.live === 'false'");
    assert_eq!(play.browser.run("document.querySelector('[data-kind=coach]')"), Value::Null);
    play.check();
}

#[test]
fn a_puzzle_is_played_to_its_end_and_progress_is_kept() {
    let Some(mut play) = Play::start_at_once() else { return };
    let puzzles = r#"window.fetch = async () => new Response(JSON.stringify({ puzzles: [
        { board: "<3,6,5,2,1,0,0,1,3> S", capture: "standard", best: "B", value: 4, second: 0, level: 1, line: "B c C A C B C", steps: 3 },
        { board: "<3,6,6,2,1,0,0,1,3> S", capture: "standard", best: "B", value: 4, second: 0, level: 2, line: "B", steps: 1 }] }))"#;
    let open = |play: &mut Play, button: &str| {
        play.browser.run(puzzles);
        play.browser.click("#open-learn");
        play.browser.wait("document.querySelectorAll('#puzzle-levels button').length === 3");
        play.browser.click(button);
        play.browser.wait("document.body.hasAttribute('data-lesson')");
    };
    open(&mut play, "#puzzle-levels button");
    assert!(play.browser.text("#task-text").contains("2 moves in all"));
    play.sow_task("B");
    // North answers, and the chain goes on.
    play.browser.wait("document.getElementById('task-answer').textContent === 'B is right. The answer is c. Go on.'");
    play.browser.wait("document.querySelector('.house.open[data-pit=C], .house.open[data-pit=A]')");
    play.sow_task("C");
    play.browser.wait("/^C is right. /.test(document.getElementById('task-answer').textContent)");
    // What is analysed is the question, with the answer as moves.
    play.browser.click("#task-analyse");
    play.browser.wait("document.getElementById('analyse').ariaChecked === 'true'");
    assert_eq!((play.board().as_str(), play.moves().as_str()), ("<3,6,5,2,1,0,0,1,3> S", "BcC"));
    // The answer is a move of one's own, also while North's is still to come.
    play.browser.run("(() => { const wait = setTimeout; window.setTimeout = (act, time) => (time === 450 ? (window.reply = act) : wait(act, time)) })()");
    open(&mut play, "#puzzle-levels button");
    play.sow_task("B");
    play.browser.wait("window.reply");
    play.browser.click("#task-show");
    play.browser.wait("document.querySelector('.hint[data-pit=B]')");
    play.browser.run("reply()");
    assert!(play.browser.text("#task-answer").starts_with("B. "));
    assert_eq!(play.browser.run("Boolean(document.querySelector('.hint[data-pit=B]'))"), true);
    play.browser.click("#task-end");
    open(&mut play, "#puzzle-levels button.primary");
    play.browser.wait(
        "document.getElementById('task-title').textContent.startsWith('Puzzle of the day, ')",
    );
    play.sow_task("A");
    play.browser.wait("document.getElementById('task-answer').className === 'bad'");
    // The position can be analysed, with the way back.
    play.browser.click("#task-analyse");
    play.browser.wait("document.getElementById('analyse').ariaChecked === 'true' && !document.body.hasAttribute('data-lesson')");
    assert!(play.board().starts_with("<3,6,"));
    play.browser.reload();
    play.browser.run(puzzles);
    play.browser.click("#open-learn");
    play.browser
        .wait("document.querySelector('#puzzle-levels button')?.textContent === 'easy (1 of 1)'");
    assert_eq!(play.browser.text("#puzzle-row"), "Current streak: 0, best: 1.");
    // The other game has puzzles of its own.
    play.browser.reload();
    play.browser.click("#open-learn");
    play.browser.wait("document.querySelector('#puzzle-levels button')");
    play.browser.run(
        "{
            const rules = document.getElementById('puzzle-rules');
            document.querySelector('#puzzle-levels button').id = 'puzzle-of-kalah';
            rules.value = 'relay';
            rules.dispatchEvent(new Event('change'));
        }",
    );
    play.browser.wait("!document.getElementById('puzzle-of-kalah')");
    play.browser.click("#puzzle-levels button");
    play.browser.wait("document.body.hasAttribute('data-lesson')");
    assert!(play.browser.text("#task-text").starts_with("South to move in Avalanche. "));
    play.check();
}
