//! The files of the page, which are part of the program.

use std::borrow::Cow;

/// What somebody sees who does not know the token.
pub(super) const REFUSED: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Kalah</title><h1>This address lacks its token</h1>\
    <p>Open the whole address that <code>kalah gui</code> has printed. It changes with each start, \
    unless the environment variable <code>KALAH_GUI_TOKEN</code> is set.</p>\
    <script src=enter.js></script></html>";

/// What somebody sees who enters a code that no room has.
pub(super) const NO_ROOM: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <meta name=viewport content='width=device-width'><title>Kalah</title>\
    <h1>There is no game with this code</h1>\
    <p>Look at the code again, and wait a minute after several wrong ones.</p></html>";

/// Files of the folder `page`.
macro_rules! files {
    ($($name:literal,)*) => {
        const FILES: &[(&str, &str)] =
            &[$((concat!("/", $name), include_str!(concat!("page/", $name))),)*];
    };
}

files! {
    "index.html", "style.css", "icon.svg", "puzzles.json",
    "advice.js", "analysis.js", "app.js", "board.js", "dialogs.js", "editor.js", "ending.js",
    "engine.js", "enter.js", "faces.js", "game.js", "home.js", "keys.js", "layout.js", "learn.js",
    "library.js", "notices.js", "openings.js", "page.js", "play.js", "review.js",
    "present.js", "room.js", "rules.js", "seats.js", "shelf.js", "socket.js", "store.js", "tour.js", "tree.js", "words.js",
    "words/de.js", "words/en.js",
    "arrows.js", "coach.js", "marks.js", "pointing.js", "puzzles.js", "seeds.js", "sounds.js", "sowing.js",
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
    let is_script = kind.starts_with("text/javascript");
    Some((kind, if is_script { without_comments(content).into() } else { content.into() }))
}

/// A script without comments and indentation: a quarter of it is for those who read the source. Comments
/// that are left out begin a line or with `/**`; no string has lines or `/**` in it, as a test checks.
fn without_comments(script: &str) -> String {
    let mut short = String::with_capacity(script.len());
    let mut is_comment = false;
    for line in script.lines().map(str::trim_start) {
        if is_comment || line.starts_with("//") {
            is_comment &= !line.contains("*/");
            continue;
        }
        let mut rest = line;
        let start = short.len();
        while let Some((before, comment)) = rest.split_once("/**") {
            short.push_str(before);
            let end = comment.split_once("*/");
            is_comment = end.is_none();
            rest = end.map_or("", |(_, after)| after.strip_prefix(' ').unwrap_or(after));
        }
        short.push_str(rest);
        if short.len() > start {
            short.push('\n');
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use kalah::printable::is_printable;

    #[test]
    fn scripts_are_served_without_comments_and_nothing_else_is_left_out() {
        for (name, content) in super::FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
            for line in content.lines() {
                assert!(line.matches('`').count() % 2 == 0, "a template of several lines: {line}");
                let (before, _) = line.split_once("/**").unwrap_or((line, ""));
                assert!(before.matches('"').count() % 2 == 0, "'/**' in a string: {line}");
            }
            let short = super::without_comments(content);
            assert!(!short.contains("/**") && short.len() < content.len(), "{name}");
        }
        let script =
            "// a\n/** b\n * c */\nlet d = /** @type {e} */ (1); // f\n\n  /** g */\n  h();\n";
        assert_eq!(super::without_comments(script), "let d = (1); // f\nh();\n");
    }

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
