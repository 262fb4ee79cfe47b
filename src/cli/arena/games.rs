//! `kalah games`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use kalah::arena::{
    GameFilter, GameRange, GameRecord, PlayerOutcome, RecordedGames, Termination, read_games,
};
use kalah::board::{Board, Capture};

use super::super::exit::{UsageError, wrong_usage};
use super::game_boards::game_boards;
use super::game_list::GameList;
use super::game_rows::{header, row};
use super::game_text::game_text;

/// Show the games of records
///
/// All games, or those that fit all filters, in the order of the files.
///
///   kalah games match.jsonl --player mtdf --result loss --format board
///   kalah games match.jsonl --game 1-10 --format pgn > games.txt
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct GamesCommand {
    /// Records, as `kalah match --record` keeps them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// list (a line a game), board (every position, for people), pgn (as chess games are kept), csv
    /// (a line a game, with a header), json (the lines of the records)
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Format::List)]
    format: Format,

    /// Games of this player; more than once: games in which all of these play
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,

    /// Games that the first --player, or South if there is none, ended with a win, draw or loss
    #[arg(long, value_name = "RESULT")]
    result: Option<PlayerOutcome>,

    /// Games that ended for this reason: 'played out', resigned, adjudicated, 'time forfeit',
    /// 'illegal move', crashed or stalled
    #[arg(long, value_name = "REASON")]
    reason: Option<Termination>,

    /// The game of this number, or games, as 3-7; more than once: all of these
    #[arg(long = "game", value_name = "N")]
    numbers: Vec<GameRange>,

    /// Games that began with this board
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

/// A file, and its first game, which was read already.
struct Opened {
    games: RecordedGames,
    first: Option<GameRecord>,
}

impl GamesCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for path in &self.files {
            let mut games = read_games(path)?;
            let first = games.next().transpose()?;
            files.push(Opened { games, first });
        }
        let filter = self.filter(&files)?;
        let mut out = BufWriter::new(io::stdout().lock());
        let list = GameList::new(files.iter().filter_map(|file| file.first.as_ref()));
        match self.format {
            Format::List => writeln!(out, "{}", list.header())?,
            Format::Csv => writeln!(out, "{}", header())?,
            _ => {}
        }
        for (Opened { mut games, first }, path) in files.into_iter().zip(&self.files) {
            let mut next = first;
            while let Some(game) = next {
                if filter.matches(&game) {
                    let explained =
                        |reason| anyhow!("'{}', game {}: {reason}", path.display(), game.game);
                    match self.format {
                        Format::List => writeln!(out, "{}", list.line(&game))?,
                        Format::Board => {
                            writeln!(out, "{}", game_boards(&game).map_err(explained)?)?;
                        }
                        Format::Pgn => writeln!(out, "{}", game_text(&game).map_err(explained)?)?,
                        Format::Csv => out.write_all(&row(&game)?)?,
                        Format::Json => out.write_all(games.text())?,
                    }
                }
                next = games.next().transpose()?;
            }
            if games.was_torn() {
                say!("{}", super::torn(path));
            }
        }
        Ok(out.flush()?)
    }

    /// What is asked for, in the words of the records.
    fn filter(&self, files: &[Opened]) -> Result<GameFilter, UsageError> {
        let first_games = files.iter().filter_map(|file| file.first.as_ref());
        let mut known: Vec<&String> =
            first_games.flat_map(|game| &game.conditions.players).collect();
        known.sort_unstable();
        known.dedup();
        if let Some(name) = self.players.iter().find(|name| !known.contains(name)) {
            let known = known.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
            let error = match known.as_str() {
                "" => format!("no player '{name}': there are no games"),
                _ => format!("no player '{name}': there are {known}"),
            };
            return Err(wrong_usage(&["games"], error));
        }
        // The capture rule is no part of the text.
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
