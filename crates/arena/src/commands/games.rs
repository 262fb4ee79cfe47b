//! `kalah games`.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::{
    GameFilter, GameRange, GameRecord, PlayerOutcome, RecordedGames, Termination, read_games,
};
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use kalah::board::{Board, Capture};
use kalah::printable::printable_json;
use kalah_command::say;
use kalah_games::AnnotatedGame;

use super::game_formats::{CSV_HEADER, GameList, csv_row, game_boards};
use super::text_games::{self, text_games};
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
    #[arg(long, value_name = "RESULT")]
    result: Option<PlayerOutcome>,

    /// Only games that ended for this reason: 'played out', resigned, adjudicated, 'time forfeit',
    /// 'illegal move', crashed or stalled
    #[arg(long, value_name = "REASON")]
    reason: Option<Termination>,

    /// Only the game of this number, or a range such as 3-7; given several times: all of them
    #[arg(long = "game", value_name = "N")]
    numbers: Vec<GameRange>,

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

/// The games of a file.
enum Source {
    /// A record, which may be larger than memory, and its first game.
    Record(RecordedGames, Option<Box<GameRecord>>),
    Text(Vec<AnnotatedGame>),
}

impl GamesCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        let mut sources = Vec::new();
        for path in &self.files {
            sources.push(if let Some(games) = text_games(path)? {
                Source::Text(games)
            } else {
                let mut games = read_games(path)?;
                let first = games.next().transpose()?;
                Source::Record(games, first.map(Box::new))
            });
        }
        let filter = self.filter(&sources)?;
        let mut out = BufWriter::new(io::stdout().lock());
        let format = if self.json { Format::Json } else { self.format };
        let list = GameList::new(players(&sources));
        match format {
            Format::List => writeln!(out, "{}", list.header())?,
            Format::Csv => writeln!(out, "{CSV_HEADER}")?,
            _ => {}
        }
        let mut writer = GameWriter { format, list, out: &mut out, is_first: true };
        for (source, path) in sources.into_iter().zip(&self.files) {
            let (mut games, mut next) = match source {
                Source::Record(games, first) => (games, first.map(|first| *first)),
                Source::Text(games) => {
                    for (game, number) in games.iter().zip(1..) {
                        if filter.matches_game(number, game) {
                            writer.text(number, game)?;
                        }
                    }
                    continue;
                }
            };
            while let Some(game) = next {
                if filter.matches(&game) {
                    writer.record(&game, games.text(), path)?;
                }
                next = games.next().transpose()?;
            }
            if games.was_torn() {
                say!("{}", super::torn_warning(path));
            }
        }
        Ok(out.flush()?)
    }

    /// The filter of the arguments. A player must occur in one of the records, which come with
    /// their first games.
    fn filter(&self, sources: &[Source]) -> Result<GameFilter, UsageError> {
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
        // The FEN does not depend on the capture rule.
        let opening = |fen| Board::from_fen(fen, Capture::Standard).map(|board| board.fen());
        let opening = self.opening.as_deref().map(opening).transpose();
        Ok(GameFilter {
            players: self.players.clone(),
            outcome: self.result,
            reason: self.reason,
            games: self.numbers.clone(),
            opening: opening.map_err(|error| wrong_usage(&["games"], error))?,
        })
    }
}

/// The names of all players. Each game of a record has those of its tournament.
fn players(sources: &[Source]) -> impl Iterator<Item = &str> {
    sources.iter().flat_map(|source| {
        let (record, texts) = match source {
            Source::Record(_, first) => (first.as_deref(), &[][..]),
            Source::Text(games) => (None, games.as_slice()),
        };
        let of_record = record.into_iter().flat_map(|game| &game.conditions.players);
        let of_texts = texts.iter().flat_map(|game| [game.tag("South"), game.tag("North")]);
        of_record.map(String::as_str).chain(of_texts.flatten())
    })
}

struct GameWriter<'a, W> {
    format: Format,
    list: GameList,
    out: &'a mut W,
    is_first: bool,
}

impl<W: Write> GameWriter<'_, W> {
    /// A game of a record, whose line is `text`.
    fn record(&mut self, game: &GameRecord, text: &[u8], path: &Path) -> anyhow::Result<()> {
        let with_game = |reason| anyhow!("'{}', game {}: {reason}", path.display(), game.game);
        match self.format {
            Format::List => writeln!(self.out, "{}", self.list.line(game))?,
            Format::Board => writeln!(self.out, "{}", game_boards(game).map_err(with_game)?)?,
            Format::Pgn => self.pgn(&game.to_game().map_err(with_game)?)?,
            Format::Csv => self.out.write_all(&csv_row(game)?)?,
            Format::Json => {
                let line = String::from_utf8_lossy(text);
                self.out.write_all(printable_json(&line).as_bytes())?;
            }
        }
        Ok(())
    }

    fn text(&mut self, number: u64, game: &AnnotatedGame) -> anyhow::Result<()> {
        match self.format {
            Format::List => {
                writeln!(self.out, "{}", text_games::list_line(&self.list, number, game))?;
            }
            Format::Board => writeln!(self.out, "{}", text_games::boards(number, game))?,
            Format::Pgn => self.pgn(game)?,
            Format::Csv => self.out.write_all(&text_games::csv_row(number, game)?)?,
            Format::Json => self.out.write_all(text_games::json_line(game)?.as_bytes())?,
        }
        Ok(())
    }

    /// Games are separated by empty lines.
    fn pgn(&mut self, game: &AnnotatedGame) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            writeln!(self.out)?;
        }
        write!(self.out, "{game}")
    }
}
