//! The files of the page, which are part of the program.

use std::borrow::Cow;

/// What somebody sees who does not know the token.
pub(super) const REFUSED: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Kalah</title><h1>This address lacks its token</h1>\
    <p>Open the whole address that <code>kalah gui</code> has printed. It changes with each start, \
    unless the environment variable <code>KALAH_GUI_TOKEN</code> is set.</p></html>";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JSON: &str = "application/json";

/// Files of the folder `page` with their kinds.
macro_rules! files {
    ($($name:literal: $kind:ident,)*) => {
        const FILES: &[(&str, &str, &str)] =
            &[$((concat!("/", $name), $kind, include_str!(concat!("page/", $name))),)*];
    };
}

files! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": SVG,
    "analysis.js": JAVASCRIPT,
    "app.js": JAVASCRIPT,
    "board.js": JAVASCRIPT,
    "dialogs.js": JAVASCRIPT,
    "editor.js": JAVASCRIPT,
    "engine.js": JAVASCRIPT,
    "game.js": JAVASCRIPT,
    "keys.js": JAVASCRIPT,
    "learn.js": JAVASCRIPT,
    "page.js": JAVASCRIPT,
    "play.js": JAVASCRIPT,
    "puzzles.json": JSON,
    "review.js": JAVASCRIPT,
    "rules.js": JAVASCRIPT,
    "socket.js": JAVASCRIPT,
    "store.js": JAVASCRIPT,
    "tree.js": JAVASCRIPT,
}

/// The kind and the content of a file.
pub(super) fn file(path: &str) -> Option<(&'static str, Cow<'static, str>)> {
    let path = if path == "/" { "/index.html" } else { path };
    let &(_, kind, content) = FILES.iter().find(|(name, ..)| *name == path)?;
    // While the page is worked on, it is read anew each time.
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os("KALAH_GUI_PAGE") {
        let file = std::path::Path::new(&folder).join(path.trim_start_matches('/'));
        return Some((kind, std::fs::read_to_string(file).ok()?.into()));
    }
    Some((kind, content.into()))
}
