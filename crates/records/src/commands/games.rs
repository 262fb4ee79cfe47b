//! `kalah games`.

use std::io::{self, BufWriter, Write};
use std::mem;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::fail_if_left_out;
use super::game_view::{CSV_HEADER, Game, GameView, list_header};
use super::text_games::{OpenedGames, open_games};
use crate::{RecordError, SettingsError, Termination};
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use kalah::board::{Board, Capture, shortened};
use kalah::printable::printable;
use kalah_command::say;
use kalah_games::GameOutcome;

use kalah_command::exit::{UsageError, wrong_usage};

/// Show recorded games
///
/// Shows all games, or those that match all filters, in file order. Files are records of matches, or games
/// as text or JSON (docs/formats/games.md).
///
///   kalah games match.jsonl --player mtdf --result loss --format board
///   kalah games match.jsonl --game 1-10 --format pgn > games.txt
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct GamesCommand {
    /// Records written by `kalah match --record`, or games as text or JSON
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// list (one line per game), board (every position), pgn (text with tags and moves),
    /// csv (one line per game after a header), json (the lines of the records)
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Format::List)]
    format: Format,

    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Only games of this player; given several times: games in which all of them play
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,

    /// Only games with this result for the first --player, or for South without one: win, draw or loss
    #[arg(long, value_enum, hide_possible_values = true, value_name = "RESULT")]
    result: Option<PlayerOutcome>,

    /// Only games that ended for this reason: 'played out', resigned, adjudicated, 'time forfeit',
    /// 'illegal move', crashed or stalled
    #[arg(long, value_name = "REASON")]
    reason: Option<Termination>,

    /// Only the game of this number, or a range such as 3-7; given several times: all of them. A game as
    /// text or JSON has the number of its tag Game, or of its place in the file
    #[arg(long = "game", value_name = "N", value_parser = game_range)]
    numbers: Vec<RangeInclusive<u64>>,

    /// Only games that began with this board
    #[arg(long, value_name = "FEN")]
    opening: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    List,
    Board,
    Pgn,
    Csv,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum PlayerOutcome {
    Win,
    Draw,
    Loss,
}

impl PlayerOutcome {
    /// The result of a game with this outcome for one of its players.
    fn result(self, is_north: bool) -> GameOutcome {
        match (self, is_north) {
            (PlayerOutcome::Draw, _) => GameOutcome::Draw,
            (PlayerOutcome::Win, false) | (PlayerOutcome::Loss, true) => GameOutcome::South,
            (PlayerOutcome::Win, true) | (PlayerOutcome::Loss, false) => GameOutcome::North,
        }
    }
}

/// Game numbers: as text `3-7`, or `3` for one game.
fn game_range(text: &str) -> Result<RangeInclusive<u64>, SettingsError> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err(SettingsError::new(format!(
            "'{}' is not a game number from 1 or a range such as 3-7",
            shortened(text)
        ))),
    }
}

impl GamesCommand {
    pub fn run(mut self) -> anyhow::Result<()> {
        let (mut sources, mut left_out) = (Vec::new(), Vec::new());
        for path in &self.files {
            let mut source = open_games(path)?;
            if let OpenedGames::Text(text) = &mut source {
                left_out.append(&mut text.left_out);
            }
            sources.push(source);
        }
        self.check_filters(&sources)?;
        let widths = players(&sources).map(|name| printable(name).chars().count());
        let name_width = widths.max().unwrap_or(0).max(5);
        let format = if self.json { Format::Json } else { self.format };
        let mut out = BufWriter::new(io::stdout().lock());
        match format {
            Format::List => writeln!(out, "{}", list_header(name_width))?,
            Format::Csv => writeln!(out, "{CSV_HEADER}")?,
            _ => {}
        }
        let mut is_first = true;
        for (source, path) in sources.into_iter().zip(&self.files) {
            let mut write = |game: &Game| {
                let view = game.view();
                if !self.matches(&view) {
                    return Ok(());
                }
                let with_game =
                    |reason| anyhow!("'{}', game {}: {reason}", path.display(), view.number);
                match format {
                    Format::List => writeln!(out, "{}", view.line(name_width))?,
                    Format::Board => writeln!(out, "{}", game.boards().map_err(with_game)?)?,
                    Format::Pgn => {
                        // Games are separated by empty lines.
                        let separator = if mem::take(&mut is_first) { "" } else { "\n" };
                        let game = game.annotated().map_err(with_game)?;
                        write!(out, "{separator}{game}")?;
                    }
                    Format::Csv => out.write_all(&game.csv_row()?)?,
                    Format::Json => out.write_all(game.json_line()?.as_bytes())?,
                }
                anyhow::Ok(())
            };
            match source {
                OpenedGames::Record(mut games, first) => {
                    let mut next = first.map(|first| *first);
                    while let Some(game) = next {
                        if let Err(reason) = game.check_result() {
                            let reason = format!("game {}: {reason}", game.game);
                            let error = RecordError::line(path, games.line(), &reason);
                            left_out.push(error.to_string());
                        } else {
                            write(&Game::Record(&game, games.text()))?;
                        }
                        next = games.next().transpose()?;
                    }
                    if games.was_torn() {
                        say!("{}", super::torn_warning(path));
                    }
                }
                OpenedGames::Text(text) => {
                    let mut games = (1..).zip(&text.games);
                    games.try_for_each(|(number, game)| write(&Game::Text(number, game)))?;
                }
            }
        }
        out.flush()?;
        fail_if_left_out(left_out)
    }

    /// Requires that the players occur in the records. Writes the opening as games have it.
    fn check_filters(&mut self, sources: &[OpenedGames]) -> Result<(), UsageError> {
        let mut names: Vec<&str> = players(sources).collect();
        names.sort_unstable();
        names.dedup();
        if let Some(name) = self.players.iter().find(|name| !names.contains(&name.as_str())) {
            let names = names.join(", ");
            let error = match names.as_str() {
                "" => format!("no player '{name}': there are no games"),
                _ => format!("no player '{name}': the players are {names}"),
            };
            return Err(wrong_usage(&["games"], error));
        }
        if let Some(fen) = &mut self.opening {
            // The FEN does not depend on the capture rule.
            let board = Board::from_fen(fen, Capture::Standard);
            *fen = board.map_err(|error| wrong_usage(&["games"], error))?.fen();
        }
        Ok(())
    }

    fn matches(&self, game: &GameView) -> bool {
        let plays = |name: &String| game.names.iter().flatten().any(|player| player == name);
        // The result is that of the first player.
        let sides = self
            .players
            .first()
            .map(|name| game.names.each_ref().map(|player| player.as_ref() == Some(name)));
        let is_north = sides == Some([false, true]);
        self.players.iter().all(plays)
            && self.result.is_none_or(|outcome| outcome.result(is_north) == game.result)
            && self.reason.is_none_or(|reason| game.reason == Some(reason.to_string()))
            && (self.numbers.is_empty()
                || self.numbers.iter().any(|range| range.contains(&game.number)))
            && self.opening.as_ref().is_none_or(|opening| *opening == game.opening)
    }
}

/// The names of all players. Each game of a record has those of its tournament.
fn players(sources: &[OpenedGames]) -> impl Iterator<Item = &str> {
    sources.iter().flat_map(|source| {
        let (record, texts) = match source {
            OpenedGames::Record(_, first) => (first.as_deref(), &[][..]),
            OpenedGames::Text(text) => (None, text.games.as_slice()),
        };
        let of_record = record.into_iter().flat_map(|game| &game.conditions.players);
        let of_texts = texts.iter().flat_map(|game| [game.tag("South"), game.tag("North")]);
        of_record.map(String::as_str).chain(of_texts.flatten())
    })
}
