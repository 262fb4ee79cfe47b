//! The files of the page, which are part of the program.

use std::borrow::Cow;
use std::sync::LazyLock;

/// What somebody sees who does not know the token.
pub(super) const REFUSED: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Kalah</title><h1>This address lacks its token</h1>\
    <p>Open the whole address that <code>kalah gui</code> has printed. It changes with each start, \
    unless the environment variable <code>KALAH_GUI_TOKEN</code> is set.</p>\
    <script src=enter.js></script></html>";

/// Files of the folder `page`.
macro_rules! files {
    ($($name:literal,)*) => {
        const FILES: &[(&str, &str)] =
            &[$((concat!("/", $name), include_str!(concat!("page/", $name))),)*];
    };
}

files! {
    "index.html", "style.css", "icon.svg", "puzzles.json",
    "advice.js", "analysis.js", "app.js", "arrows.js", "board.js", "coach.js", "dialogs.js",
    "editor.js", "ending.js", "engine.js", "enter.js", "faces.js", "game.js", "home.js", "keys.js",
    "layout.js", "learn.js", "library.js", "marks.js", "notices.js", "openings.js", "page.js",
    "play.js", "pointing.js", "puzzles.js", "review.js", "rules.js", "seats.js", "seeds.js",
    "shelf.js", "socket.js", "sounds.js", "sowing.js", "status.js", "store.js", "tour.js",
    "tree.js", "words.js", "words/de.js", "words/en.js",
}

/// The kind and the content of a file.
pub(super) fn file(path: &str) -> Option<(&'static str, Cow<'static, str>)> {
    let path = if path == "/" { "/index.html" } else { path };
    let (_, content) = SERVED.iter().find(|(name, _)| *name == path)?;
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
    Some((kind, content.as_str().into()))
}

/// The files as they are sent: comments and types are for those who read the source.
static SERVED: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let sent = |name: &str, content: &str| match name.rsplit_once('.') {
        Some((_, "js" | "css")) => without_comments(content),
        _ => content.to_owned(),
    };
    FILES.iter().map(|&(name, content)| (name, sent(name, content))).collect()
});

/// Code without empty lines, indents, lines of comments, and types within lines. No text spans lines.
fn without_comments(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut is_comment = false;
    for line in code.lines() {
        let text = line.trim();
        let starts = text.starts_with("/*");
        if is_comment || starts {
            let inside = if starts { &text[2..] } else { text };
            is_comment = !inside.contains("*/");
            if is_comment || text.ends_with("*/") {
                continue;
            }
        }
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        let mut rest = text;
        while let Some((before, (_, after))) = rest
            .split_once("/** @")
            .and_then(|(before, type_)| Some((before, type_.split_once("*/")?)))
        {
            kept.push_str(before);
            rest = after.trim_start();
        }
        kept.push_str(rest);
        kept.push('\n');
    }
    kept
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
    fn comments_are_not_sent() {
        let code = "// a\n/** @type {A}\n * b */\n\n  f(/** @type {A} */ (x), /** @type {B} */ y); // c\n/* d */\n  /** @returns {C} */ g() {\n\"//\"\n";
        let sent = "f((x), y); // c\ng() {\n\"//\"\n";
        assert_eq!(super::without_comments(code), sent);
        let is_code = |name: &str| name.rsplit_once('.').is_some_and(|(_, kind)| kind == "js");
        for (name, code) in super::FILES.iter().filter(|(name, _)| is_code(name)) {
            let spans = code.lines().find(|line| line.matches('`').count() % 2 == 1);
            assert_eq!(spans, None, "{name}");
        }
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
