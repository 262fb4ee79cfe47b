//! The files of the page, which are part of the program.

use std::borrow::Cow;

/// What somebody sees who does not know the token.
pub(super) const REFUSED: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Kalah</title><h1>This address lacks its token</h1>\
    <p>Open the whole address that <code>kalah gui</code> has printed. It changes with each start, \
    unless the environment variable <code>KALAH_GUI_TOKEN</code> is set.</p></html>";

/// Files of the folder `page`.
macro_rules! files {
    ($($name:literal,)*) => {
        const FILES: &[(&str, &str)] =
            &[$((concat!("/", $name), include_str!(concat!("page/", $name))),)*];
    };
}

files! {
    "index.html", "style.css", "icon.svg", "puzzles.json",
    "analysis.js", "app.js", "board.js", "dialogs.js", "editor.js", "engine.js", "game.js", "keys.js",
    "learn.js", "page.js", "play.js", "review.js", "rules.js", "socket.js", "store.js", "tree.js",
}

/// The kind and the content of a file.
pub(super) fn file(path: &str) -> Option<(&'static str, Cow<'static, str>)> {
    let path = if path == "/" { "/index.html" } else { path };
    let &(_, content) = FILES.iter().find(|(name, _)| *name == path)?;
    let kind = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/json",
    };
    // While the page is worked on, it is read anew each time.
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os("KALAH_GUI_PAGE") {
        let file = std::path::Path::new(&folder).join(path.trim_start_matches('/'));
        return Some((kind, std::fs::read_to_string(file).ok()?.into()));
    }
    Some((kind, content.into()))
}

#[cfg(test)]
mod tests {
    use kalah::printable::is_printable;

    /// The class of characters in `page.js` that are not printable, without its line breaks.
    fn is_in_class(class: &str, c: char) -> bool {
        let code = |text: &str| u32::from_str_radix(text, 16).ok().and_then(char::from_u32);
        let codes = class.split("\\u{").skip(1).map(|part| {
            let (text, after) = part.split_once('}').expect("a code ends");
            (code(text).expect("a code is a character"), after == "-")
        });
        let mut from = None;
        let is_listed = codes.into_iter().any(|(last, is_start)| {
            let first = from.take().unwrap_or(last);
            from = is_start.then_some(last);
            !is_start && (first..=last).contains(&c)
        });
        is_listed || (class.starts_with(r"\p{Cc}") && c.is_control())
    }

    #[test]
    fn the_page_escapes_what_is_not_printable() {
        let (_, page) = super::file("/page.js").expect("a file of the page");
        let class = page.split_once(r"(?![\n\r\t])[").and_then(|(_, class)| class.split_once(']'));
        let (class, _) = class.expect("a class of characters");
        for c in '\0'..=char::MAX {
            assert_eq!(is_in_class(class, c), !is_printable(c), "{c:?}");
        }
    }
}
