//! `kalah games`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use kalah::arena::{
    GameFilter, GameRange, GameRecord, PlayerOutcome, RecordedGames, Termination, read_games,
};
use kalah::board::{Board, Capture};
use kalah::printable::printable_json;

use super::super::exit::{UsageError, wrong_usage};
use super::game_formats::{CSV_HEADER, GameList, csv_row, game_boards};
use super::pgn::pgn;

/// Show recorded games
///
/// Shows all games, or those that match all filters, in file order.
///
///   kalah games match.jsonl --player mtdf --result loss --format board
///   kalah games match.jsonl --game 1-10 --format pgn > games.txt
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct GamesCommand {
    /// Records written by `kalah match --record`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// list (one line per game), board (every position), pgn (tags and moves, as for chess games),
    /// csv (one line per game after a header), json (the lines of the records)
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Format::List)]
    format: Format,

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

impl GamesCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for path in &self.files {
            let mut games = read_games(path)?;
            let first = games.next().transpose()?;
            files.push((games, first));
        }
        let filter = self.filter(&files)?;
        let mut out = BufWriter::new(io::stdout().lock());
        let list = GameList::new(files.iter().filter_map(|(_, first)| first.as_ref()));
        match self.format {
            Format::List => writeln!(out, "{}", list.header())?,
            Format::Csv => writeln!(out, "{CSV_HEADER}")?,
            _ => {}
        }
        for ((mut games, mut next), path) in files.into_iter().zip(&self.files) {
            while let Some(game) = next {
                if filter.matches(&game) {
                    let with_game =
                        |reason| anyhow!("'{}', game {}: {reason}", path.display(), game.game);
                    match self.format {
                        Format::List => writeln!(out, "{}", list.line(&game))?,
                        Format::Board => {
                            writeln!(out, "{}", game_boards(&game).map_err(with_game)?)?;
                        }
                        Format::Pgn => writeln!(out, "{}", pgn(&game).map_err(with_game)?)?,
                        Format::Csv => out.write_all(&csv_row(&game)?)?,
                        Format::Json => {
                            let line = String::from_utf8_lossy(games.text());
                            out.write_all(printable_json(&line).as_bytes())?;
                        }
                    }
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
    fn filter(
        &self,
        files: &[(RecordedGames, Option<GameRecord>)],
    ) -> Result<GameFilter, UsageError> {
        let first_games = files.iter().filter_map(|(_, first)| first.as_ref());
        let mut names: Vec<&String> =
            first_games.flat_map(|game| &game.conditions.players).collect();
        names.sort_unstable();
        names.dedup();
        if let Some(name) = self.players.iter().find(|name| !names.contains(name)) {
            let names = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
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
