//! Games as text and as JSON.

use indexmap::IndexMap;
use kalah::text_file;
use kalah_games::{AnnotatedGame, Ply};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::Index;
use crate::board::{Board, parse_move};
use crate::errors;

/// The text of a file, as all commands read it: without a byte order mark, with line feeds as line ends.
///
/// Raises:
///     ValueError: It is not text in UTF-8; UTF-16 is named.
#[pyfunction]
pub(crate) fn decode_text(bytes: Vec<u8>) -> PyResult<String> {
    text_file::decode(bytes).map_err(errors::value)
}

/// A game: tags, moves with comments and variations, and a result.
///
/// Args:
///     board: The board before the first move, or one with moves, which become those of the game; by
///         default the start of Kalah(6,4).
///
/// Examples:
///     >>> game = Game.parse('[South "Ann"] 1. CF a {a quiet move} (1... e) 2. A *')[0]
///     >>> game.tags, game.moves
///     ({'South': 'Ann'}, ['C', 'F', 'a', 'A'])
///     >>> game.comment(3)
///     'a quiet move'
#[pyclass(module = "kalah", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Game(AnnotatedGame);

impl Game {
    /// A number of plies that the game has.
    fn count(&self, Index(plies): Index) -> PyResult<usize> {
        let length = self.0.moves.len();
        let no_ply = || format!("the game has {length} plies, no ply {plies}");
        let found = usize::try_from(plies).ok().filter(|&plies| plies <= length);
        found.ok_or_else(|| PyIndexError::new_err(no_ply()))
    }

    /// Replaces the game, unless the result or margin of the other contradicts its moves: it could not be read again.
    fn replace(&mut self, mut game: AnnotatedGame) -> PyResult<()> {
        game.result = game.checked_result().map_err(PyValueError::new_err)?;
        self.0 = game;
        Ok(())
    }

    /// The comment on a ply; 0 is the start.
    fn comment_mut(&mut self, ply: Index) -> PyResult<&mut Option<String>> {
        Ok(match self.count(ply)? {
            0 => &mut self.0.comment,
            ply => &mut self.0.moves[ply - 1].comment,
        })
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (board=None))]
    fn new(board: Option<PyRef<'_, Board>>) -> PyResult<Game> {
        let Some(board) = board else {
            let start = kalah::Board::start(kalah::Rules::default(), 4).map_err(errors::value)?;
            return Ok(Game(AnnotatedGame::new(start)));
        };
        let mut game = AnnotatedGame::new(board.start());
        for mv in board.moves() {
            game.play(mv).map_err(errors::illegal_move)?;
        }
        Ok(Game(game))
    }

    /// Reads all games of a text in the manner of PGN.
    ///
    /// Raises:
    ///     NotationError: The text is wrong; the message has the place.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Vec<Game>> {
        let games = py.detach(|| AnnotatedGame::parse(text)).map_err(errors::notation)?;
        Ok(games.into_iter().map(Game).collect())
    }

    /// Reads a game in JSON.
    ///
    /// Raises:
    ///     NotationError: The text is not a game.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Game> {
        serde_json::from_str(text).map(Game).map_err(errors::notation)
    }

    /// The game as text, ready to be written to a file.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The game in JSON, on one line.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(errors::notation)
    }

    /// Names and values of the tags, without those that the moves and the board determine. Changing the
    /// dict does not change the game: see `set_tag`.
    #[getter]
    fn tags(&self) -> IndexMap<String, String> {
        self.0.tags.iter().cloned().collect()
    }

    /// Sets a tag, or adds it as the last.
    ///
    /// Raises:
    ///     ValueError: No tag can have this name, the game determines it, or it is a ``Margin`` that
    ///         contradicts the moves or the result.
    fn set_tag(&mut self, name: &str, value: &str) -> PyResult<()> {
        if !AnnotatedGame::can_set_tag(name) {
            let names = "a letter, then letters, digits and _, but not Board, Capture, Sowing, Start or Result";
            return Err(PyValueError::new_err(format!(
                "the name of a tag is {names}: not {name:?}"
            )));
        }
        let mut game = self.0.clone();
        game.set_tag(name, value);
        self.replace(game)
    }

    /// The moves that were played.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves.iter().map(|ply| ply.mv.to_string()).collect()
    }

    /// The lines that begin in place of a move, counted from 1.
    ///
    /// Raises:
    ///     IndexError: There is no such ply.
    fn variations(&self, ply: Index) -> PyResult<Vec<Vec<String>>> {
        let letters = |line: &Vec<Ply>| line.iter().map(|ply| ply.mv.to_string()).collect();
        let no_ply = || PyIndexError::new_err("plies are counted from 1");
        let index = self.count(ply)?.checked_sub(1).ok_or_else(no_ply)?;
        Ok(self.0.moves[index].variations.iter().map(letters).collect())
    }

    /// The comment on a ply, counted from 1; 0 is the start.
    ///
    /// Raises:
    ///     IndexError: There is no such ply.
    #[pyo3(signature = (ply=Index(0)), text_signature = "($self, ply=0)")]
    fn comment(&mut self, ply: Index) -> PyResult<Option<String>> {
        Ok(self.comment_mut(ply)?.clone())
    }

    /// Replaces the comment on a ply, counted from 1; 0 is the start. An empty one is none.
    ///
    /// Raises:
    ///     IndexError: There is no such ply.
    fn set_comment(&mut self, ply: Index, comment: Option<String>) -> PyResult<()> {
        *self.comment_mut(ply)? = comment.filter(|comment| !comment.is_empty());
        Ok(())
    }

    /// Appends a move.
    ///
    /// Raises:
    ///     IllegalMoveError: The move is illegal; the game has not changed.
    ///     NotationError: The text is not a move.
    ///     ValueError: The tag ``Margin`` contradicts the moves then; the game has not changed.
    #[pyo3(signature = (r#move: "str | SupportsIndex"))]
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = parse_move(&self.0.end(), r#move)?;
        let mut game = self.0.clone();
        game.play(mv).map_err(errors::illegal_move)?;
        self.replace(game)
    }

    /// The board after a number of plies, with its moves; by default after the last.
    ///
    /// Raises:
    ///     IndexError: There is no such ply.
    #[pyo3(signature = (ply=None))]
    fn board(&self, ply: Option<Index>) -> PyResult<Board> {
        let plies = ply.map_or(Ok(self.0.moves.len()), |ply| self.count(ply))?;
        let mut board = Board::from(self.0.start);
        for ply in &self.0.moves[..plies] {
            board.play(ply.mv)?;
        }
        Ok(board)
    }

    /// The result: ``"1-0"`` (South won), ``"0-1"``, ``"1/2-1/2"``, or ``"*"`` if there is none. One that
    /// contradicts the moves, or the tag ``Margin``, is a ValueError.
    #[getter]
    fn result(&self) -> String {
        self.0.result.to_string()
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        let result = result.parse().map_err(errors::value)?;
        self.replace(AnnotatedGame { result, ..self.0.clone() })
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.borrow().to_json()?,)))
    }

    fn __str__(&self) -> String {
        self.to_text()
    }

    fn __repr__(&self) -> String {
        format!("<Game of {} plies, {}>", self.0.moves.len(), self.0.result)
    }
}
