//! The files of the page, which are part of the program.

use std::borrow::Cow;

/// What somebody sees who does not know the token; as what follows, in all
/// languages of the page, since nothing there chooses one.
pub(super) const REFUSED: &str = include_str!("refused.html");

/// What somebody sees who enters a code that no room has.
pub(super) const NO_ROOM: &str = include_str!("no_room.html");

/// Files of the folder `page`.
macro_rules! files {
    ($($name:literal,)*) => {
        const FILES: &[(&str, &str)] =
            &[$((concat!("/", $name), include_str!(concat!("page/", $name))),)*];
    };
}

files! {
    "index.html", "style.css", "board.css", "cards.css", "screens.css", "icon.svg",
    "puzzles.json", "puzzles-relay.json", "advice.js", "analysis.js", "app.js", "arrows.js",
    "board.js", "coach.js", "dialogs.js", "editor.js", "ending.js", "engine.js", "enter.js",
    "faces.js", "game.js", "home.js", "keys.js", "layout.js", "learn.js", "library.js",
    "notices.js", "openings.js", "page.js", "play.js", "pointing.js", "puzzles.js", "review.js",
    "room.js", "rules.js", "seats.js", "seeds.js", "shelf.js", "socket.js", "sounds.js",
    "sowing.js", "status.js", "store.js", "texts.js", "tour.js", "tree.js", "words.js",
    "words/de.js", "words/en.js", "workers.js",
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

    /// The characters of a class such as `\u{ad}\u{200b}-\u{200f}`.
    fn ranges(class: &str) -> Option<Vec<(char, char)>> {
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut is_end = false;
        for part in class.split("\\u{").skip(1) {
            let (code, after) = part.split_once('}')?;
            let c = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            match ranges.last_mut() {
                Some((_, last)) if is_end => *last = c,
                _ => ranges.push((c, c)),
            }
            is_end = after == "-";
        }
        Some(ranges)
    }

    #[test]
    fn the_page_escapes_what_is_not_printable() -> Result<(), &'static str> {
        let (_, page) = super::file("/page.js").ok_or("no such file")?;
        let class =
            page.split_once(r"(?![\n\r\t])[\p{Cc}").and_then(|(_, class)| class.split_once(']'));
        let ranges = class.and_then(|(class, _)| ranges(class)).ok_or("no class of characters")?;
        for c in '\0'..=char::MAX {
            let is_escaped = c.is_control() || ranges.iter().any(|&(a, b)| (a..=b).contains(&c));
            assert_eq!(is_escaped, !is_printable(c), "{c:?}");
        }
        Ok(())
    }
}
