//! A game on two devices, and the view for a projector.

use crate::browser::Browser;
use crate::page::{AT_ONCE, BOARD, Play, has_server};

/// A page of the host with a shared game, and that of a guest in a browser of its own.
fn share(side: &str) -> Option<(Play, Browser)> {
    if !has_server() {
        return None;
    }
    let mut host = Play::start_at_once()?;
    let guest = invite(&mut host, side)?;
    Some((host, guest))
}

/// Shares the game on the board; the page of a guest in a browser of its own.
pub(crate) fn invite(host: &mut Play, side: &str) -> Option<Browser> {
    host.browser.click("#open-share");
    host.browser.click("#open-room");
    host.browser.fill("#room-side", side);
    host.browser.click("#room-open");
    host.browser.wait("document.querySelector('#room-qr path').getAttribute('d').length > 1000");
    let code = host.browser.text("#room-letters");
    assert_eq!(code.len(), 4, "{code}");
    assert!(host.browser.text("#room-address").ends_with(&format!("/{code}")));
    host.browser.key("Escape");
    let mut guest = Browser::start()?;
    guest.open(&format!("http://{}/{code}", host.gui.host));
    guest.run(AT_ONCE);
    guest.reload();
    guest.wait("!document.getElementById('room').hidden");
    Some(guest)
}

/// Clicks a house, and waits until both pages show the board after it.
#[track_caller]
pub(crate) fn sow(mover: &mut Browser, other: &mut Browser, house: &str) {
    mover.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
    let before = mover.run(BOARD);
    mover.click(&format!("[data-pit={house}]"));
    mover.wait(&format!("{BOARD} !== {before}"));
    let after = mover.run(BOARD);
    other.wait(&format!("{BOARD} === {after}"));
}

const STATUS: &str = "document.getElementById('status').textContent";
const OPEN: &str = "document.querySelectorAll('.house.open').length";

#[test]
fn two_devices_play_one_game() {
    let Some((mut host, mut guest)) = share("S") else { return };
    assert_eq!(guest.text("#room-code"), host.browser.text("#room-code"));
    guest.wait(&format!("{STATUS}.includes('to move') && {OPEN} === 0"));
    // The guest's own houses are below, and it begins nothing of its own.
    assert_eq!(
        guest.run("document.querySelector('#seat-below').classList.contains('north')"),
        true
    );
    assert_eq!(guest.run("document.getElementById('open-new').checkVisibility()"), false);
    // It says its player's name.
    guest.click("#seat-below .name");
    guest.wait("document.getElementById('name-dialog').open");
    guest.fill("#name", "Ada");
    guest.key("Enter");
    host.browser.wait("document.querySelector('#seat-above .name').textContent === 'Ada'");
    guest.wait("document.querySelector('#seat-below .name').textContent === 'Ada'");
    // What cannot be done is said: a copy, and a game that the server does not hear of.
    host.browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    host.browser.click("#room-invite");
    host.browser.click("#room-copy");
    host.browser.wait(
        "document.getElementById('notices').textContent.includes('does not let this page copy')",
    );
    host.browser.key("Escape");
    host.browser.click("#open-setup");
    host.browser.run("(() => { const { send } = WebSocket.prototype; WebSocket.prototype.send = () => { WebSocket.prototype.send = send; throw new Error('not sent') } })()");
    host.browser.click("#setup-ok");
    host.browser
        .wait("document.querySelector('#setup-dialog[open] .error').textContent === 'not sent'");
    host.browser.key("Escape");
    sow(&mut host.browser, &mut guest, "C");
    sow(&mut host.browser, &mut guest, "F");
    sow(&mut guest, &mut host.browser, "b");
    // A move back is asked for, and refused; asked for again, and granted.
    for (button, effect) in [
        (2, "document.getElementById('notices').textContent.includes('Takeback refused.')"),
        (1, "document.querySelectorAll('#moves button.move').length === 2"),
    ] {
        guest.wait("!document.getElementById('take-back').disabled");
        guest.click("#take-back");
        let answer = format!("#notices [data-kind=asks] button:nth-of-type({button})");
        host.browser.wait(&format!("document.querySelector('{answer}')"));
        host.browser.click(&answer);
        guest.wait(effect);
    }
    sow(&mut guest, &mut host.browser, "a");
    // A page that is opened again comes back to its seat, and so does one whose connection was lost.
    guest.reload();
    guest.wait("document.querySelectorAll('#moves button.move').length === 3");
    host.browser.reload();
    sow(&mut host.browser, &mut guest, "A");
    sow(&mut guest, &mut host.browser, "b");
    // The next one watches.
    let Some(mut third) = Browser::start() else { return };
    let code = host.browser.text("#room-code");
    third.open(&format!("http://{}/{code}", host.gui.host));
    third.wait("document.querySelectorAll('#moves button.move').length === 5");
    assert_eq!(third.run(OPEN), 0);
    host.browser.wait("document.getElementById('room-people').textContent.includes('1 watches')");
    // The host locks the game: nobody else moves or analyses.
    guest.run("document.getElementById('analyse').click()");
    host.browser.click("#room-lock");
    guest.wait("document.body.hasAttribute('data-locked')");
    assert_eq!(guest.run("document.getElementById('analysis').checkVisibility()"), false);
    sow(&mut host.browser, &mut guest, "D");
    assert_eq!(guest.run(OPEN), 0);
    assert_eq!(guest.run(STATUS), "The host has locked the game");
    host.browser.click("#room-lock");
    guest.wait(&format!("{OPEN} > 0"));
    guest.wait("document.getElementById('resign').checkVisibility()");
    guest.click("#resign");
    guest.wait("document.querySelector('#notices [data-kind=resign] button')");
    guest.click("#notices [data-kind=resign] button");
    host.browser.wait("document.querySelector('#ending-title').textContent.startsWith('You win')");
    guest.wait("document.querySelector('#ending-title').textContent.startsWith('You lose')");
    // Again, with sides changed.
    host.browser.wait("document.getElementById('rematch-swap').checkVisibility()");
    host.browser.click("#rematch-swap");
    guest.wait("document.querySelector('#seat-below').classList.contains('south')");
    sow(&mut guest, &mut host.browser, "E");
    host.browser.wait("document.getElementById('room-close').checkVisibility()");
    host.browser.click("#room-close");
    guest.wait("document.querySelector('#notices').textContent.includes('has ended')");
    third.run("1");
    for browser in [&guest, &third] {
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
    host.check();
}

#[test]
fn a_projector_shows_the_board_alone() {
    let Some(mut play) = Play::start_at_once() else { return };
    let share = "(() => { const b = document.getElementById('frame').getBoundingClientRect(); return b.width / innerWidth })()";
    let before = play.browser.run(share).as_f64().unwrap();
    play.browser.key("F");
    // Without Shift it is the key of a house.
    assert_eq!(play.browser.run("document.body.hasAttribute('data-present')"), false);
    play.browser.shift_key("F");
    play.browser.wait("document.body.hasAttribute('data-present')");
    play.browser.wait("!document.getElementById('side').checkVisibility()");
    play.browser.wait(&format!("{share} > {before} + 0.1"));
    assert_eq!(play.browser.run("document.querySelector('nav').checkVisibility()"), false);
    play.browser
        .wait("document.querySelector('#status').getBoundingClientRect().bottom <= innerHeight");
    play.browser.key("Escape");
    play.browser.wait("!document.body.hasAttribute('data-present')");
    play.check();
}
