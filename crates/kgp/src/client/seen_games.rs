//! Games as far as the protocol shows them: it need not say to which a board belongs, nor how it ends.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use log::warn;

use crate::line::Line;
use crate::wide_board::{WideBoard, final_margin, is_asked, only_move};
use kalah::board::{Board, Move, Next, Rules, Side};
use kalah::file_lock::FileLock;
use kalah::regular_file;
use kalah_games::{AnnotatedGame, GameOutcome, Ply, is_json};
use kalah_records::{Termination, append_text, ends_within_a_line};

/// Moves that are tried to find out how one board has become another.
const MAX_TRIED: usize = 5000;

/// Games that are followed at once.
const MAX_GAMES: usize = 64;

/// A game without a new board for so long is over, or given up.
const MAX_SILENCE: Duration = Duration::from_mins(2);

/// Bytes that show what a file is.
const BEGINNING: u64 = 64;

/// A file of games as text, locked against other writers.
pub(super) struct GamesFile(FileLock);

impl GamesFile {
    /// Opens or creates a file, which stays as it is until the first game.
    pub(super) fn open(path: &Path) -> anyhow::Result<GamesFile> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = regular_file::open_with(path, &mut options)?;
        let file = FileLock::new(file).context("is being written to by another process")?;
        let mut beginning = Vec::new();
        let reader: &File = &file;
        reader.take(BEGINNING).read_to_end(&mut beginning)?;
        if is_json(&String::from_utf8_lossy(&beginning)) {
            bail!("begins like JSON, but games are appended as text");
        }
        Ok(GamesFile(file))
    }

    /// Appends a game, which begins a line, and waits until it is on the disk.
    pub(super) fn append(&self, game: &AnnotatedGame) -> io::Result<()> {
        let end = self.0.metadata()?.len();
        let line_break = if ends_within_a_line(&self.0, end)? { "\n" } else { "" };
        append_text(&self.0, end, &format!("{line_break}{game}\n"))
    }
}

/// Puts boards together to games, and appends these to a file as text.
pub(super) struct SeenGames {
    file: Option<GamesFile>,
    name: String,
    /// What the server has said about the game of the next board.
    announced: AnnouncedGame,
    games: VecDeque<SeenGame>,
}

/// The options of the group `game`, which are empty until a server sets them.
#[derive(Clone, Default)]
struct AnnouncedGame {
    id: String,
    uri: String,
    opponent: String,
}

impl AnnouncedGame {
    fn is_same(&self, other: &AnnouncedGame) -> bool {
        (&self.id, &self.opponent) == (&other.id, &other.opponent)
    }
}

struct SeenGame {
    game: AnnotatedGame,
    announced: AnnouncedGame,
    /// The board after the last move that is known.
    board: Board,
    /// The request about that board, until it is answered.
    request: Option<u64>,
    /// The move that the server has for it.
    chosen: Option<Move>,
    last_activity: Instant,
}

impl SeenGames {
    /// Appends to a file, if there is one. We are called by this name in the games.
    pub(super) fn new(file: Option<GamesFile>, name: &str) -> SeenGames {
        let (name, announced) = (name.to_owned(), AnnouncedGame::default());
        SeenGames { file, name, announced, games: VecDeque::new() }
    }

    /// The server sets an option, which may be about the games of the boards that follow.
    pub(super) fn announce(&mut self, option: &str, value: &str) {
        let AnnouncedGame { id, uri, opponent } = &mut self.announced;
        let field = match option {
            "game:id" => id,
            "game:uri" => uri,
            "game:opponent" => opponent,
            _ => return,
        };
        value.clone_into(field);
    }

    pub(super) fn state(&mut self, request: u64, board: &WideBoard) {
        if self.file.is_none() {
            return;
        }
        let Some(board) = board.to_board() else { return };
        self.end_games(|game| game.last_activity.elapsed() > MAX_SILENCE);
        let announced = &self.announced;
        let of_game = self.games.iter_mut().filter(|game| game.announced.is_same(announced));
        let continued = of_game.into_iter().find_map(|game| {
            let from = game.board;
            // If the server names the game, it has played a move of ours, though perhaps not the last one.
            let others = from.moves().filter(|_| !announced.id.is_empty());
            let mut first = game.chosen.into_iter().chain(others);
            let moves = first.find_map(|mv| moves_between(from, mv, board))?;
            Some((game, moves))
        });
        if let Some((game, moves)) = continued {
            game.game.moves.extend(moves.into_iter().map(Ply::from));
            (game.board, game.request, game.chosen) = (board, Some(request), None);
            game.last_activity = Instant::now();
            return;
        }
        if self.games.len() >= MAX_GAMES
            && let Some(oldest) = self.games.pop_front()
        {
            self.write(oldest);
        }
        let (start, moves) = opening_of(board);
        let mut game = AnnotatedGame::new(start);
        let announced = self.announced.clone();
        let AnnouncedGame { id, uri, opponent } = &announced;
        game.set_tag("South", self.name.clone());
        for (tag, value) in [("North", opponent), ("Site", uri), ("GameId", id)] {
            if !value.is_empty() {
                game.set_tag(tag, value.clone());
            }
        }
        game.moves = moves.into_iter().map(Ply::from).collect();
        let (request, chosen, last_activity) = (Some(request), None, Instant::now());
        self.games.push_back(SeenGame { game, announced, board, request, chosen, last_activity });
    }

    /// A line for the server: it may be a move.
    pub(super) fn sent(&mut self, line: &Line) {
        let (Some(reference), Some(number)) = (line.reference, line.number(0)) else { return };
        let game = self.games.iter_mut().find(|game| game.request == Some(reference));
        if let Some(game) = game.filter(|_| line.command == "move") {
            let house = (number as usize).checked_sub(1);
            let legal = game.board.moves().find(|mv| Some(mv.house.index()) == house);
            game.chosen = legal;
            game.last_activity = Instant::now();
        }
    }

    /// The connection has ended, and all games with it.
    pub(super) fn end(&mut self) {
        self.announced = AnnouncedGame::default();
        self.end_games(|_| true);
    }

    fn end_games(&mut self, is_over: impl Fn(&SeenGame) -> bool) {
        let (over, others) = self.games.drain(..).partition::<VecDeque<_>, _>(is_over);
        self.games = others;
        for game in over {
            self.write(game);
        }
    }

    /// Writes a game with the move chosen last. The result is known if that move has ended it, also by
    /// moves without a choice after it, which the server plays itself.
    fn write(&mut self, seen: SeenGame) {
        let SeenGame { mut game, board, chosen, .. } = seen;
        let mut end = board;
        if let Some(mv) = chosen
            && end.play(mv).is_ok()
        {
            game.moves.push(mv.into());
            let mut forced = Vec::new();
            let mut after = end;
            while final_margin(&after).is_none()
                && let Some(mv) = only_move(&after)
                && after.play(mv).is_ok()
            {
                forced.push(Ply::from(mv));
            }
            if final_margin(&after).is_some() {
                game.moves.extend(forced);
                end = after;
            }
        }
        if let Some(margin) = final_margin(&end) {
            game.result = GameOutcome::from_margin(margin);
            game.set_tag("Margin", format!("{margin:+}"));
            game.set_tag("Reason", Termination::PlayedOut.to_string());
        }
        let Some(file) = &self.file else { return };
        if let Err(error) = file.append(&game) {
            warn!("cannot write a game: {error}");
        }
    }
}

/// The usual start of a game and the moves of North to this board, if there are such; or the board.
fn opening_of(board: Board) -> (Board, Vec<Move>) {
    let found = || {
        let houses = board.rules().houses();
        let seeds = board.seeds() / (2 * houses as u32);
        let side = vec![u16::try_from(seeds).ok()?; houses];
        let rules = Rules::new(houses, board.rules()).ok()?;
        let start = Board::new(rules, [&side, &side], [0, 0], Side::North).ok()?;
        let moves = path(start, &board, &mut 0)?;
        Some((start, moves))
    };
    found().unwrap_or((board, Vec::new()))
}

/// The moves from one board to another: first South's, then North's and those of South that the server
/// plays itself, since there is no other.
fn moves_between(mut board: Board, first: Move, target: Board) -> Option<Vec<Move>> {
    board.play(first).ok()?;
    let mut moves = path(board, &target, &mut 0)?;
    moves.insert(0, first);
    Some(moves)
}

/// The moves from one board to another, of which none is one that South chooses.
fn path(board: Board, target: &Board, tried: &mut usize) -> Option<Vec<Move>> {
    if board == *target {
        return Some(Vec::new());
    }
    let is_beyond = Side::ALL.into_iter().any(|side| board.store(side) > target.store(side));
    if is_beyond || is_asked(&board) || board.rules() != target.rules() {
        return None;
    }
    for mv in board.moves() {
        *tried += 1;
        if *tried > MAX_TRIED {
            return None;
        }
        let mut next = board;
        let Ok(Next::Again | Next::Other) = next.play(mv) else { continue };
        if let Some(mut moves) = path(next, target, tried) {
            moves.insert(0, mv);
            return Some(moves);
        }
    }
    None
}
