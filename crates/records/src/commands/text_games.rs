//! Files of games as text.

use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::{GameRecord, RecordedGames, game_of_record};
use anyhow::{Context, bail};
use kalah::board::RuleSet;
use kalah::text_file;
use kalah_command::say;
use kalah_games::{AnnotatedGame, MAX_GAMES_TEXT, each_game};
use serde::de::IgnoredAny;

/// Bytes that tell a text from a record.
const BEGINNING: u64 = 4096;

/// The games of a text, read all at once, or of a record of matches, to be read one by one.
pub(super) enum OpenedGames {
    Text(TextGames),
    /// A record, which may be larger than memory, and its first game.
    Record(RecordedGames, Option<Box<GameRecord>>),
}

/// The games of a file, a pipe or standard input.
pub(super) fn open_games(path: &Path) -> anyhow::Result<OpenedGames> {
    let cannot = || format!("cannot read {}", text_file::name(path));
    let mut input = text_file::open(path).with_context(cannot)?;
    let mut beginning = Vec::new();
    input.by_ref().take(BEGINNING).read_to_end(&mut beginning).with_context(cannot)?;
    if !is_text(&String::from_utf8_lossy(&beginning)) {
        let input: Box<dyn Read + Send> = Box::new(io::Cursor::new(beginning).chain(input));
        let mut games = RecordedGames::new(BufReader::new(input), path);
        let first = games.next().transpose()?;
        return Ok(OpenedGames::Record(games, first.map(Box::new)));
    }
    let mut text = beginning;
    input.take(MAX_GAMES_TEXT as u64 + 1).read_to_end(&mut text).with_context(cannot)?;
    if text.len() > MAX_GAMES_TEXT {
        bail!("{}: more than {MAX_GAMES_TEXT} bytes", cannot());
    }
    games_of(path, text_file::decode(text)).map(OpenedGames::Text)
}

/// All games of a file, a pipe or standard input, in whatever form.
///
/// # Errors
/// Also if there are none, or the result of one contradicts its moves.
pub fn read_games_file(path: &Path) -> anyhow::Result<Vec<AnnotatedGame>> {
    let TextGames { games, left_out } = read_whole_games(path)?;
    if let Some(reason) = left_out.first() {
        bail!("{reason}");
    }
    if games.is_empty() {
        bail!("'{}' has no game", path.display());
    }
    Ok(games)
}

/// The games of a file.
#[derive(Default)]
pub struct TextGames {
    pub games: Vec<AnnotatedGame>,
    /// Why games are left out: their results contradict their moves.
    pub left_out: Vec<String>,
}

/// The games of a file, in whatever form, whose results do not contradict their moves; `-` is standard input.
pub fn read_whole_games(path: &Path) -> anyhow::Result<TextGames> {
    games_of(path, text_file::read(path, MAX_GAMES_TEXT as u64))
}

fn games_of(path: &Path, text: io::Result<String>) -> anyhow::Result<TextGames> {
    let name = text_file::name(path);
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let whole = without_torn_record(&text);
    if whole.len() < text.len() {
        say!("{}", super::torn_warning(path));
    }
    let mut read = TextGames::default();
    for game in each_game(whole, RuleSet::default(), Some(game_of_record)) {
        match game {
            Ok(game) => read.games.push(game),
            Err(error) if error.is_contradiction => read.left_out.push(format!("{name}, {error}")),
            Err(error) => bail!("{name}, {error}"),
        }
    }
    Ok(read)
}

/// A text without its last line, if that is a record of a game that was not written to its end.
fn without_torn_record(text: &str) -> &str {
    let last = text.rfind('\n').map_or(0, |line_break| line_break + 1);
    let is_torn = |line: &str| {
        let value: Result<IgnoredAny, _> = serde_json::from_str(line);
        line.starts_with("{\"game\":") && value.is_err_and(|error| error.is_eof())
    };
    if last > 0 && is_torn(&text[last..]) { &text[..last] } else { text }
}

/// Whether a file that begins so is no record of matches. One that a power failure has cut off can be a
/// brace alone, or zeros.
fn is_text(beginning: &str) -> bool {
    let text = beginning.trim_start_matches('\u{feff}').trim_ascii_start();
    !text.starts_with("{\"gam") && !text.is_empty() && text != "{" && !text.starts_with('\0')
}
