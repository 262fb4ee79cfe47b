//! Random actions on the page of `kalah gui` in a real browser: no error, no illegal game, nothing lost. Without a
//! browser on the machine this is left out, unless `KALAH_BROWSER=required` is set.

use kalah_games::AnnotatedGame;
use serde_json::{Value, json};

use crate::page::Play;
use crate::runs::runs;

/// What can be pressed now: what is visible and on top. Files are for people, and the server has to stay.
const TARGETS: &str = "(() => {
    const all = document.querySelectorAll('button, select, summary, input, textarea, .house, #board .store, [contenteditable]');
    const spared = ['quit', 'share-file', 'share-save', 'games-export', 'room-open'];
    return [...all].flatMap((e) => {
        if (e.disabled || e.type === 'file' || spared.includes(e.id) || !e.checkVisibility()) return [];
        const b = e.getBoundingClientRect();
        const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
        const top = document.elementFromPoint(x, y);
        return top && e.contains(top) ? [[x, y, e.tagName]] : [];
    });
})()";

const KEYS: [&str; 24] = [
    "a",
    "b",
    "f",
    "A",
    "C",
    "F",
    "z",
    "y",
    "h",
    "v",
    "s",
    "t",
    "p",
    "?",
    ",",
    "Escape",
    "Escape",
    "Enter",
    "Tab",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    " ",
];

const TEXTS: [&str; 8] = [
    "",
    "CFb",
    "<3,0,0,4,4,4,4,4,4> N",
    "<2,0,0,999,999,999,999> S",
    "12",
    "-1",
    "1e300",
    "[South \"<b>\"]\n\n1. CF {x} (A b) b *",
];

const SIZES: [(u32, u32); 6] =
    [(320, 568), (390, 844), (844, 390), (768, 1024), (1440, 900), (1920, 1080)];

#[test]
fn random_actions_lose_nothing() {
    for seed in 1..=runs(1, 3) {
        let Some(mut play) = Play::start_at_once() else { return };
        let mut random = fastrand::Rng::with_seed(seed as u64);
        let mut done = Vec::new();
        for _ in 0..runs(60, 10_000) {
            let action = act(&mut play, &mut random);
            done.push(action);
            let last = &done[done.len().saturating_sub(12)..];
            assert_eq!(play.browser.complaints, Vec::<String>::new(), "seed {seed}: {last:?}");
        }
        play.check();
    }
}

/// Does one thing, and says what.
fn act(play: &mut Play, random: &mut fastrand::Rng) -> String {
    let browser = &mut play.browser;
    match random.u32(..100) {
        0..55 => {
            let targets = browser.run(TARGETS);
            let targets = targets.as_array().unwrap();
            let Some(target) = random.choice(targets) else { return String::new() };
            for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
                let event = json!({"type": kind, "x": target[0], "y": target[1], "button": "left",
                    "buttons": buttons, "clickCount": 1});
                browser.call("Input.dispatchMouseEvent", event);
            }
            format!("click {target}")
        }
        55..85 => {
            let key = *random.choice(&KEYS).unwrap();
            browser.key(key);
            format!("key {key:?}")
        }
        85..92 => {
            let text = json!(random.choice(TEXTS));
            browser.run(&format!(
                "(() => {{ const e = document.activeElement; if (!('value' in e)) return; e.value = {text}; \
                 for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {{bubbles: true}})) }})()"
            ));
            format!("text {text}")
        }
        92..96 => {
            let (width, height) = *random.choice(&SIZES).unwrap();
            browser.resize(width, height);
            format!("size {width}x{height}")
        }
        _ => {
            // What is kept is a game by the rules, and a page that is loaded again has it.
            browser.run("window.onpagehide = () => sessionStorage.setItem('before', sessionStorage.getItem('kalah-state'))");
            browser.reload();
            let before = browser.run(&kept("before"));
            let game: AnnotatedGame = serde_json::from_value(before.clone())
                .unwrap_or_else(|error| panic!("{error}: {before}"));
            browser.run("window.dispatchEvent(new Event('pagehide'))");
            let after = browser.run(&kept("kalah-state"));
            if before["result"] == "*" {
                // An engine may have moved meanwhile.
                assert!(starts_with(&after, &before), "{before} became {after}");
            } else {
                assert_eq!(after, before);
            }
            format!("reload after {} plies", game.moves.len())
        }
    }
}

fn kept(name: &str) -> String {
    format!("JSON.parse(sessionStorage.getItem('{name}')).game")
}

fn starts_with(game: &Value, start: &Value) -> bool {
    let moves = |game: &Value| -> Vec<Value> {
        game["moves"].as_array().unwrap().iter().map(|ply| ply["move"].clone()).collect()
    };
    game["start"] == start["start"] && moves(game).starts_with(&moves(start))
}
