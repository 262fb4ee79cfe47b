//! The languages of the page.

use kalah::board::{Board, Capture, Rules};
use serde_json::{Value, json};

use crate::page::{Play, has_server};

/// Lets the browser ask for a language from the next page on.
fn prefer_language(play: &mut Play, languages: &str) {
    let agent = play.browser.run("navigator.userAgent");
    let agent = json!({"userAgent": agent, "acceptLanguage": languages});
    play.browser.call("Emulation.setUserAgentOverride", agent);
    play.browser.reload();
}

#[test]
fn every_word_is_in_the_files_of_the_languages() {
    let Some(mut play) = has_server().then(Play::start).flatten() else { return };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../gui/src/page");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let modules: Vec<String> = names
        .filter_map(|name| {
            name.into_string().ok()?.strip_suffix(".js").map(|it| format!("/{it}.js"))
        })
        .collect();
    assert!(modules.len() > 10, "{modules:?}");
    let check = format!("{}({})", include_str!("../support/words.js"), json!(modules));
    let complaints = play.browser.run(&check);
    assert_eq!(complaints, Value::Array(Vec::new()));
    play.check();
}

/// What a screen reader is told in a whole game by keys, with looks back and a move taken back.
#[test]
fn a_game_can_be_heard() {
    let Some(mut play) = Play::start_at_once() else { return };
    let told = [include_str!("../data/heard-en.txt"), include_str!("../data/heard-de.txt")];
    for (language, told) in ["en", "de"].into_iter().zip(told) {
        prefer_language(&mut play, language);
        play.browser.run(
            "window.heard = []; new MutationObserver(() => heard.push(document.getElementById('live').textContent))
                .observe(document.getElementById('live'), { childList: true, characterData: true, subtree: true })",
        );
        play.new_game(&[
            ("south-seat", "person"),
            ("north-seat", "person"),
            ("houses", "3"),
            ("seeds", "2"),
        ]);
        let mut board = Board::start(Rules::new(3, Capture::Standard).unwrap(), 2).unwrap();
        // A house that is empty, or the other player's, and moves until the end.
        play.browser.key("ArrowRight");
        let mut moves = 0;
        while let Some(mv) = board.moves().last() {
            play.browser.key(&mv.to_string().to_lowercase());
            board.play(mv).unwrap();
            moves += 1;
            play.browser.wait(&format!(
                "document.querySelectorAll('#moves button.move').length === {moves}"
            ));
            if moves == 3 {
                let empty = (0..3).find(|&house| board.houses(board.side())[house] == 0);
                play.browser.key(&(empty.unwrap() + 1).to_string());
                for key in ["Home", "ArrowRight", "End", "t", "t", "z"] {
                    play.browser.key(key);
                }
                play.browser.wait("document.querySelectorAll('#moves button.move').length === 2");
                play.browser.key(&mv.to_string().to_lowercase());
                play.browser.wait("document.querySelectorAll('#moves button.move').length === 3");
            }
        }
        play.browser.wait("!document.getElementById('ending').hidden");
        let heard = play.browser.run("heard.join('\\n') + '\\n'");
        assert_eq!(heard.as_str().unwrap(), told, "{}", heard.as_str().unwrap());
    }
    play.check();
}

#[test]
fn the_page_speaks_the_language_of_the_browser_or_of_the_settings() {
    let Some(mut play) = Play::start_at_once() else { return };
    let german = "(() => { const text = document.body.innerText;
        return document.documentElement.lang === 'de' && text.includes('Süd ist am Zug') && !text.includes('South') })()";
    let english = "(() => { const text = document.body.innerText;
        return document.documentElement.lang === 'en' && text.includes('South to move') && !text.includes('Süd') })()";
    assert_eq!(play.browser.run(english), true);
    prefer_language(&mut play, "fr-FR,de-AT;q=0.9,en;q=0.8");
    assert_eq!(play.browser.run(german), true);
    let label = "document.querySelector('[data-pit=A]').getAttribute('aria-label')";
    assert_eq!(play.browser.run(label), "Süd, Mulde A, 4 Samen");
    assert_eq!(
        play.browser.run("document.getElementById('take-back').title"),
        "Zug zurücknehmen (z)"
    );
    // A setting counts more, takes effect at once and stays.
    play.browser.click("#open-settings");
    play.browser.fill("#language", "en");
    play.browser.wait(english);
    assert_eq!(play.browser.run(label), "South's house A, 4 seeds");
    play.browser.reload();
    assert_eq!(play.browser.run(english), true);
    play.browser.click("#open-settings");
    play.browser.fill("#language", "");
    play.browser.wait(german);
    play.browser.key("Escape");
    play.browser.wait("!document.querySelector('dialog[open]')");
    // Games say who plays in English, whatever the page speaks.
    play.new_game(&[("north-seat", "0"), ("north-level", "5")]);
    play.browser.wait("document.querySelector('#seat-below .name').textContent === 'Du'");
    play.browser
        .wait("document.querySelector('#seat-above .name').textContent.endsWith(', Stufe 5')");
    play.browser.wait("document.getElementById('status').textContent.startsWith('Du bist am Zug')");
    play.browser.click("#open-share");
    play.browser.wait("/South \"You\"/.test(document.getElementById('share-text').value)");
    play.browser.key("Escape");
    // Numbers and the sentences of a review follow.
    play.set_up("<6,0,9,0,0,5,0,4,2,0,0,0,5,0,7> S");
    for house in ["C", "d"] {
        play.sow(house);
    }
    play.browser.click("#review");
    play.browser.wait("document.querySelector('.moment')?.textContent.includes('verschenkt')");
    let why = play.browser.text(".moment");
    assert!(why.contains("Zug 1") && why.contains(" Samen"), "{why}");
    assert!(!why.contains(" seeds") && !why.contains("South"), "{why}");
    play.browser.click("#open-settings");
    play.browser.fill("#language", "en");
    play.browser.wait("document.querySelector('.moment').textContent.includes(' seeds')");
    play.browser.key("Escape");
    // An open lesson, too.
    play.browser.click("#learn-mistakes");
    play.browser.click("#task-show");
    let task = "document.getElementById('task').innerText.replace(/\\s+/g, ' ')";
    play.browser.wait(&format!("/seeds/.test({task}) && !/Samen/.test({task})"));
    play.browser.click("#open-settings");
    play.browser.fill("#language", "de");
    play.browser.wait(&format!("/Samen/.test({task}) && !/seeds|South|North/.test({task})"));
    play.check();
}
