//! Sowing, arrows and marks on the page of `kalah gui` in a real browser. Without one on the machine these tests are left
//! out, unless `KALAH_BROWSER=required` is set.

use serde_json::{Value, json};

use crate::page::{BOARD, Play};

/// The seeds of each pit, in order: place and shade.
const SEEDS: &str = "Object.fromEntries([...document.querySelectorAll('#board [data-pit]')].map((pit) => [pit.dataset.pit,
    [...pit.querySelectorAll('.seed')].map((seed) => [seed.getAttribute('cx'), seed.getAttribute('cy'), seed.getAttribute('class')].join(' '))]))";

/// The numbers at the pits, as somebody reads them.
const NUMBERS: &str =
    "[...document.querySelectorAll('#board .count')].map((e) => e.textContent).join(' ')";

fn shades(seeds: &[Value]) -> Vec<&str> {
    let mut shades: Vec<&str> =
        seeds.iter().filter_map(|seed| seed.as_str()?.split_once("seed ").map(|it| it.1)).collect();
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
        let place = |seed: &Value| seed.as_str().unwrap().split(" seed").next().unwrap().to_owned();
        let places = |seeds| of(seeds, pit).iter().map(place).collect::<Vec<_>>();
        assert_eq!(places(&again), places(&after), "{pit}");
    }
    // Of many seeds a heap is drawn, and the number tells; after a long way all numbers are right.
    let row = ["60"; 12].join(",");
    play.browser.run("localStorage.setItem('kalah-settings', JSON.stringify({ speed: 20 }))");
    play.browser.reload();
    play.set_up(&format!("<12,0,0,{row},{row}> S"));
    let drawn = play.browser.run("document.querySelectorAll('[data-pit=A] .seed').length");
    assert!(drawn.as_u64().is_some_and(|drawn| (30..60).contains(&drawn)), "{drawn}");
    play.sow("A");
    let sown = play.browser.run(BOARD);
    assert!(sown.as_str().unwrap().starts_with("<12,3,0,2,63,63,63,62,"), "{sown}");
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
        && ['D', 'E', 'F'].every((pit) => [...document.querySelectorAll('.count.will')].filter((e) => e.textContent === '5').length === 3)";
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
    assert_eq!(label, "South house C, 4 seeds, moves again");
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
