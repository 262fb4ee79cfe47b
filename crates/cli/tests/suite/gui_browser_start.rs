//! The start, the end, the upright board and the kept games of the page of `kalah gui` in a real browser. Without a
//! browser on the machine these tests are left out, unless `KALAH_BROWSER=required` is set.

use std::io::Write;
use std::process::{Command, Stdio};

use kalah::Rules;
use kalah_fair::fair_starts;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::{BOARD, Play, start_page, url};

/// One seed from its end: 26 to 22 after F.
const LAST_MOVE: &str = "<6,25,14,0,0,0,0,0,1,1,2,2,1,1,1> S";

#[test]
fn a_first_visit_is_a_game_after_one_tap() {
    let Some(browser) = Browser::start() else { return };
    let mut play = Play { gui: start_page(""), browser };
    play.browser.open(&url(&play.gui));
    assert_eq!(play.browser.run("document.querySelectorAll('#faces button svg').length"), 5);
    assert_eq!(
        play.browser.run("document.getElementById('home-continue').checkVisibility()"),
        false
    );
    let skin = play.browser.run("getComputedStyle(document.querySelector('#faces circle')).fill");
    assert!(skin.as_str().unwrap().contains("#tone"), "{skin}");
    // Keys of the board do nothing yet; a page that is loaded again is where it was.
    play.browser.key("c");
    play.browser.reload();
    assert_eq!(play.moves(), "");
    play.browser.click("#faces button");
    play.browser.wait("document.querySelectorAll('.house.open').length === 6");
    assert_eq!(play.browser.text("#live"), "A new game. You move first.");
    assert_eq!(play.browser.text("#status"), "Your move: pick a bright house");
    assert_eq!(play.browser.text("#seat-above .name"), "Pip");
    assert_eq!(play.browser.text("#seat-below .name"), "You");
    play.browser.wait("document.querySelector('#seat-above .face')");
    let label = "document.querySelector('[data-pit=A]').ariaLabel";
    assert_eq!(play.browser.run(label), "Your house A, 4 seeds");
    play.sow("C");
    assert_eq!(play.browser.text("#live"), "You sow C, and move again. 1 seed in the store.");
    play.sow("A");
    play.browser.wait("document.getElementById('live').textContent.startsWith('Pip sows')");
    play.browser.wait("document.querySelector('.house.open')");
    let spoken = play.browser.run("document.querySelector('main').innerText");
    let spoken = spoken.as_str().unwrap();
    assert!(!spoken.contains("South") && !spoken.contains("North"), "{spoken}");
    // The game waits behind the start.
    let moves = play.moves();
    play.browser.click("#home-open");
    let kept = format!("You – Pip · move {}", moves.len());
    play.browser.wait(&format!("document.getElementById('home-players').textContent === '{kept}'"));
    play.browser.run("setTimeout(() => sessionStorage.clear(), 100)");
    play.browser.wait("sessionStorage.length === 0");
    play.browser.run("window.addEventListener('pagehide', () => sessionStorage.clear())");
    play.browser.reload();
    play.browser.click("#home-continue");
    play.browser.wait("document.querySelector('.house.open')");
    assert_eq!(play.moves(), moves);
    play.check();
}

#[test]
fn the_rules_play_by_themselves() {
    let Some(mut play) = Play::start() else { return };
    play.browser.run("(() => { const wait = setTimeout; window.setTimeout = (act, time) => wait(act, time / 20) })()");
    play.browser.click("#home-open");
    play.browser.click("#home-rules");
    for step in [1, 2] {
        play.browser.wait(&format!(
            "document.querySelector('#rules-steps li:nth-child({step}) button').ariaCurrent === 'step'"
        ));
    }
    play.browser.wait("document.getElementById('live').textContent.includes('you move again')");
    play.browser.click("#rules-try");
    play.browser
        .wait("document.body.dataset.live === 'true' && document.querySelector('.house.open')");
    assert_eq!(play.browser.text("#seat-above .name"), "Pip");
    play.check();
}

/// Lets a person play the last move of a game with a face.
fn play_last_move(play: &mut Play, level: &str) {
    play.set_up(LAST_MOVE);
    play.browser.click("#play-on");
    play.browser.fill("#south-seat", "person");
    play.browser.fill("#north-seat", "0");
    play.browser.fill("#north-level", level);
    play.browser.click("#start");
    play.browser.wait("document.body.dataset.live === 'true'");
    play.sow("F");
    play.browser.wait("!document.getElementById('ending').hidden");
}

#[test]
fn an_end_says_who_has_won_and_what_comes_next() {
    let Some(mut play) = Play::start_at_once() else { return };
    play_last_move(&mut play, "8");
    assert_eq!(play.browser.text("#ending-title"), "You win by 4");
    assert_eq!(play.browser.text("#live").trim(), "You win by 4. You 26, Hazel 22.");
    assert_eq!(play.browser.run("document.activeElement.id"), "ending-title");
    let stores = "[document.getElementById('ending-S'), document.getElementById('ending-N')].map((e) => e.dataset.seeds + e.textContent).join()";
    assert_eq!(play.browser.run(stores), "26You,22Hazel");
    // It covers nothing of the board, whose seeds all lie where they ended.
    let covers = "(() => { const [a, b] = ['board', 'ending'].map((id) => document.getElementById(id).getBoundingClientRect());
        return b.width > 0 && b.bottom <= innerHeight && !(a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top) })()";
    for (width, height) in [(390, 844), (320, 568), (768, 1024), (844, 390), (1440, 900)] {
        play.browser.resize(width, height);
        play.browser.wait(&format!("!{covers}"));
    }
    assert_eq!(play.board(), "<6,26,22,0,0,0,0,0,0,0,0,0,0,0,0> S");
    play.browser.reload();
    play.browser.wait("!document.getElementById('ending').hidden");
    // The same again; the score is that of the day.
    play.browser.click("#rematch");
    play.sow("F");
    play.browser
        .wait("document.getElementById('ending-today').textContent === 'Today: You 2, Hazel 0'");
    play.browser.click("#harder");
    play.browser.wait("document.querySelector('#seat-above .name').textContent === 'Rowan' && document.querySelector('.house.open')");
    play.sow("F");
    play.browser.wait("!document.getElementById('ending').hidden");
    assert_eq!(play.browser.text("#ending-today"), "");
    // The other side: the engine moves, and the person loses.
    play.browser.click("#rematch-swap");
    play.browser.wait("document.getElementById('ending-title').textContent === 'You lose by 4' && !document.getElementById('ending').hidden");
    assert_eq!(play.browser.text("#seat-below .name"), "You");
    assert_eq!(play.browser.text("#ending-today"), "Today: Rowan 1, You 1");
    play.browser.click("#ending-review");
    play.browser.wait("document.querySelector('#report table')");
    play.check();
}

#[test]
fn names_are_entered_at_the_seats_and_stay() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#home-open");
    play.browser.click("#home-two");
    for (seat, name) in [("below", "Ada"), ("above", "Bo")] {
        play.browser.wait(&format!("document.querySelector('#seat-{seat} .name:enabled')"));
        play.browser.click(&format!("#seat-{seat} .name"));
        play.browser.wait("document.getElementById('name-dialog').open");
        play.browser.fill("#name", name);
        play.browser.key("Enter");
        play.browser.wait("!document.getElementById('name-dialog').open");
    }
    assert_eq!(play.browser.text("#status"), "Ada to move");
    play.sow("A");
    assert_eq!(play.browser.text("#status"), "Bo to move");
    play.browser.reload();
    play.new_game(&[("south-seat", "person"), ("north-seat", "person")]);
    assert_eq!(play.browser.text("#seat-above .name"), "Bo");
    play.browser.click("#resign");
    play.browser
        .wait("document.getElementById('ending-title').textContent === 'Bo wins (resigned)'");
    play.check();
}

#[test]
fn a_phone_has_an_upright_board_and_a_bar_below_it() {
    let Some(mut play) = Play::start_at_once() else { return };
    let boxes = "const box = (pit) => document.querySelector(`#board [data-pit='${pit}'] .hole`).getBoundingClientRect()";
    // The own store is below, the own houses run down to it on the left, so that seeds go round as on a wide board; nothing is cut.
    let is_upright = format!("(() => {{ {boxes};
        const frame = document.getElementById('frame').getBoundingClientRect();
        const own = 'ABCDEFGHIJKL'.slice(0, document.querySelectorAll('.house').length / 2).split('').map(box);
        const others = own.map((_, i) => box('abcdefghijkl'[own.length - 1 - i]));
        const all = [box('-'), ...own, ...others, box('+')];
        return all.every((b) => b.left >= frame.left && b.right <= frame.right && b.top >= frame.top && b.bottom <= frame.bottom)
            && own.every((b, i) => Math.abs(b.top - others[i].top) < 1 && b.right < others[i].left && b.bottom < box('+').top && b.top > box('-').bottom && (!i || b.top > own[i - 1].bottom))
    }})()");
    // Fingers hit houses and buttons, which lie at the bottom.
    let bar = "[...document.querySelectorAll('#bar button')].filter((e) => e.checkVisibility()).every((e) => {
        const b = e.getBoundingClientRect(); return b.height >= 44 && b.width >= 44 && b.bottom <= innerHeight && b.top > innerHeight - 80 })";
    for (width, height) in [(390, 844), (320, 568)] {
        play.browser.resize(width, height);
        for (houses, seeds) in [(1, "3"), (6, "4"), (12, "42")] {
            let row = vec![seeds; houses].join(",");
            play.set_up(&format!("<{houses},0,0,{row},{row}> S"));
            play.browser.wait(&is_upright);
            assert_eq!(play.browser.run(bar), true, "{width} {houses}");
        }
    }
    play.browser.resize(390, 844);
    play.browser.click("#home-open");
    play.browser.click("#home-two");
    play.browser
        .wait(&format!("{is_upright} && document.querySelectorAll('.house.open').length === 6"));
    let small = format!(
        "(() => {{ {boxes}; return [...'ABCDEF'].filter((pit) => box(pit).height < 44 || box(pit).width < 44).length }})()"
    );
    assert_eq!(play.browser.run(&small), 0);
    // The bar does what it says; "More" brings the cards, and the board stays in view and upright.
    play.sow("C");
    play.browser.click("#back");
    play.browser.wait("document.getElementById('back').disabled");
    play.browser.click("#forward");
    play.browser.wait("document.getElementById('forward').disabled");
    play.sow("A");
    play.browser.click("#take-back");
    play.browser.wait("document.querySelectorAll('#moves .move').length === 1");
    assert_eq!(play.browser.run("document.getElementById('moves').checkVisibility()"), false);
    play.browser.click("#more");
    play.browser.wait("document.getElementById('moves').checkVisibility() && document.getElementById('resign').checkVisibility() && document.getElementById('more').ariaExpanded === 'true'");
    play.browser.wait("document.getElementById('board').getBoundingClientRect().height > 150");
    play.browser.wait(&is_upright);
    play.browser.click("#more");
    play.browser.wait(&is_upright);
    // Turned and turned back, all is there.
    let board = play.board();
    play.browser.resize(844, 390);
    play.browser.wait(&format!("(() => {{ {boxes}; return box('+').left > box('F').right && Math.abs(box('A').top - box('F').top) < 1 }})()"));
    assert_eq!(play.board(), board);
    play.browser.resize(390, 844);
    play.browser.wait(&is_upright);
    // Those who want them on the right.
    play.browser.key(",");
    play.browser.click("#houses-right");
    play.browser.key("Escape");
    play.browser.wait(&format!("(() => {{ {boxes}; return box('A').left > box('f').right && box('F').bottom < box('+').top }})()"));
    play.check();
}

#[test]
fn games_are_kept_found_named_deleted_and_saved_together() {
    let Some(mut play) = Play::start_at_once() else { return };
    for moves in ["CFb", "CA", "AbC"] {
        play.new_game(&[("north-seat", "person")]);
        for house in moves.chars() {
            play.sow(&house.to_string());
        }
    }
    let count = "document.querySelectorAll('#games-list .game').length";
    play.browser.click("#home-open");
    play.browser.click("#home-games");
    play.browser.wait(&format!("{count} === 3"));
    // A name, by which it is found.
    play.browser.click("#games-list li:nth-child(3) button:nth-child(2)");
    play.browser.wait("document.querySelector('#games-list input') === document.activeElement");
    play.browser.call("Input.insertText", json!({"text": "With Grandpa"}));
    play.browser.key("Enter");
    play.browser.wait(
        "document.querySelector('#games-list li:nth-child(3) b')?.textContent === 'With Grandpa'",
    );
    play.browser.fill("#games-search", "grandpa");
    play.browser.wait(&format!("{count} === 1"));
    play.browser.fill("#games-search", "A b C");
    play.browser.wait(&format!("{count} === 1"));
    play.browser.fill("#games-search", "");
    // Deleted, and not.
    play.browser.click("#games-list li:first-child button:last-child");
    play.browser.wait("document.querySelector('#games-list li:first-child .game + button') === document.activeElement && JSON.parse(localStorage['kalah-shelf']).length === 2");
    play.browser.key("Enter");
    play.browser
        .wait(&format!("{count} === 3 && JSON.parse(localStorage['kalah-shelf']).length === 3"));
    // One file that can be reviewed.
    play.browser.run("URL.createObjectURL = (blob) => (blob.text().then((text) => { window.saved = text }), 'blob:x'); HTMLAnchorElement.prototype.click = () => {}");
    play.browser.run("URL.revokeObjectURL = () => {}");
    play.browser.click("#games-export");
    play.browser.wait("window.saved");
    let saved = play.browser.run("saved");
    let mut review = Command::new(env!("CARGO_BIN_EXE_kalah"))
        .args(["review", "--json", "--depth", "2", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    review.stdin.take().unwrap().write_all(saved.as_str().unwrap().as_bytes()).unwrap();
    let output = review.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3, "{saved}");
    // The opening tree: two of three games began with C.
    play.browser.run("document.getElementById('openings').open = true");
    let rows = "[...document.querySelectorAll('#openings-moves button')].map((e) => e.title.split(',')[0]).join()";
    assert_eq!(play.browser.run(rows), "C: 2 games,A: 1 game");
    play.browser.click("#openings-moves button");
    play.browser
        .wait(&format!("{rows} === 'A: 1 game,F: 1 game' || {rows} === 'F: 1 game,A: 1 game'"));
    play.browser.click("#openings-open");
    play.browser.wait(&format!("{BOARD} === '<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S'"));
    // A game that was not finished goes on.
    play.browser.click("#open-share");
    play.browser.click("#open-games");
    play.browser.click("#games-list li:nth-child(3) .game");
    play.browser
        .wait("document.body.dataset.live === 'true' && !document.querySelector('dialog[open]')");
    assert_eq!(play.moves(), "CFb");
    // What is deleted stays so, while it is on the board and when the page is loaded again.
    play.browser.click("#open-share");
    play.browser.click("#open-games");
    play.browser.click("#games-list li:nth-child(3) button:last-child");
    play.browser.wait("JSON.parse(localStorage['kalah-shelf']).length === 2");
    play.browser.key("Escape");
    // It may have been left while its last seeds were still on their way.
    play.browser.key("End");
    for plies in [4, 5] {
        play.browser.wait("document.querySelector('.house.open')");
        let house = play.browser.run("document.querySelector('.house.open').dataset.pit");
        play.sow(house.as_str().unwrap());
        play.browser.wait(&format!(
            "JSON.parse(sessionStorage['kalah-state']).game.moves.length === {plies}"
        ));
        assert_eq!(play.browser.run("JSON.parse(localStorage['kalah-shelf']).length"), 2);
        play.browser.reload();
    }
    play.check();
}

#[test]
fn the_shelf_has_fifty_places_and_survives_a_full_storage() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.new_game(&[("north-seat", "person")]);
    play.sow("C");
    play.sow("A");
    let count = |play: &mut Play| {
        play.browser.run("JSON.parse(localStorage['kalah-shelf'] ?? '[]').length")
    };
    play.browser.wait("JSON.parse(localStorage['kalah-shelf']).length === 1");
    play.browser.run("(() => { const [game] = JSON.parse(localStorage['kalah-shelf']);
        localStorage['kalah-shelf'] = JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ ...game, id: `old${i}`, time: i }))) })()");
    play.new_game(&[]);
    play.sow("C");
    play.sow("A");
    play.browser.wait("JSON.parse(localStorage['kalah-shelf'])[0].id.slice(0, 3) !== 'old'");
    assert_eq!(count(&mut play), 50);
    // A storage with room for ten games has the last ones.
    play.browser.run("(() => { const set = Storage.prototype.setItem; const most = localStorage['kalah-shelf'].length / 5;
        Storage.prototype.setItem = function (key, value) { if (key === 'kalah-shelf' && value.length > most) throw new DOMException('full', 'QuotaExceededError'); set.call(this, key, value) } })()");
    play.new_game(&[]);
    play.sow("C");
    play.sow("B");
    play.browser.wait("JSON.parse(localStorage['kalah-shelf']).length < 11");
    assert_ne!(count(&mut play), Value::from(0));
    play.check();
}

#[test]
fn what_another_tab_has_played_since_stays_on_the_shelf() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.new_game(&[("north-seat", "person")]);
    play.sow("C");
    play.sow("A");
    let shelf = "JSON.parse(localStorage['kalah-shelf'] ?? '[]')";
    let lengths = format!("{shelf}.map(({{ state }}) => state.game.moves.length).join()");
    play.browser.wait(&format!("{lengths} === '2'"));
    play.browser.run(&format!(
        "(() => {{ const [game] = {shelf}; game.state.game.moves.push({{ move: 'a' }});
        localStorage['kalah-shelf'] = JSON.stringify([game]) }})()"
    ));
    play.browser.reload();
    assert_eq!(play.browser.run(&lengths), "3");
    // What is played here is another game.
    play.sow("b");
    play.browser.wait(&format!("{lengths} === '3,3'"));
    play.check();
}

#[test]
fn a_fair_start_is_one_click() {
    let Some(mut play) = Play::start_at_once() else { return };
    play.browser.click("#open-new");
    play.browser.wait("document.getElementById('new-dialog').open");
    // No fair start of this board is known: the dialog says so, and stays.
    play.browser.fill("#houses", "12");
    play.browser.fill("#seeds", "42");
    play.browser.click("#start-fair");
    let error = "document.querySelector('#new-dialog .error').textContent";
    play.browser.wait(&format!("{error} === 'No fair start is known for this board.'"));
    play.browser.fill("#houses", "6");
    play.browser.fill("#seeds", "4");
    play.browser.click("#start-fair");
    play.browser.wait(
        "!document.getElementById('new-dialog').open && document.body.dataset.live === 'true'",
    );
    let board = play.browser.run(BOARD);
    let known = fair_starts(Rules::default(), 4);
    assert!(known.iter().any(|start| board == start.fen()), "{board}");
    play.check();
}
