//! Boards as Python objects.

use std::hash::{DefaultHasher, Hash, Hasher};

use kalah::board::RuleSet;
use kalah::search::{Evaluation, Network};
use kalah::{Capture, Move, Rules, Side, Sowing};
use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::{Array, Array1, Houses, Index, List, PySide, Seeds, Short, Whole};
use crate::errors;

/// A board with the moves that led to it.
///
/// Moves are the letters of houses: ``"A"``, ``"B"``, … for South and ``"a"``, ``"b"``, … for North, each
/// from the owner's left. Boards are equal if rules, seeds and the side to move are; their moves do not
/// count. A board that is a key of a dict must not change.
///
/// Args:
///     houses: Houses a side, 1 to 12.
///     seeds: Seeds in each house at the start.
///     capture: ``"standard"`` or ``"empty"``, see `capture`.
///     sowing: ``"single"`` or ``"relay"``, see `sowing`.
///
/// Raises:
///     ValueError: The rules do not allow such a board.
///
/// Examples:
///     >>> board = Board()
///     >>> board.push("C")  # ends in the store: South moves again
///     >>> board.push("F")
///     >>> board.turn.name, board.legal_moves
///     ('NORTH', ['a', 'b', 'c', 'd', 'e', 'f'])
///     >>> board.pop()
///     'F'
#[pyclass(module = "kalah", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) board: kalah::Board,
    /// The moves that were played, each with the board before it.
    history: Vec<(kalah::Board, Move)>,
}

impl From<kalah::Board> for Board {
    fn from(board: kalah::Board) -> Board {
        Board { board, history: Vec::new() }
    }
}

impl Board {
    /// The board before the first move.
    pub(crate) fn start(&self) -> kalah::Board {
        self.history.first().map_or(self.board, |&(board, _)| board)
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.history.iter().map(|&(_, mv)| mv)
    }

    pub(crate) fn play(&mut self, mv: Move) -> PyResult<()> {
        let before = self.board;
        self.board.play(mv).map_err(errors::illegal_move)?;
        self.history.push((before, mv));
        Ok(())
    }
}

pub(crate) fn parse_rule_set(capture: &str, sowing: &str) -> PyResult<RuleSet> {
    let capture: Capture = capture.parse().map_err(errors::value)?;
    let sowing: Sowing = sowing.parse().map_err(errors::value)?;
    Ok(RuleSet::new(capture, sowing))
}

pub(crate) fn parse_rules(houses: Houses, capture: &str, sowing: &str) -> PyResult<Rules> {
    let rule_set = parse_rule_set(capture, sowing)?;
    Rules::new(houses.0, rule_set).map_err(errors::value)
}

/// A move given as a letter, or as the index of a house of the player to move.
pub(crate) fn parse_move(board: &kalah::Board, mv: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(letter) = mv.extract::<&str>() {
        return letter.parse().map_err(errors::notation);
    }
    let index: Index = mv.extract().map_err(|_| {
        PyTypeError::new_err("a move is the letter of a house, or its index from 0")
    })?;
    let no_house = || errors::IllegalMoveError::new_err(format!("the board has no house {mv}"));
    index.house().map(|house| board.move_from(house)).ok_or_else(no_house)
}

/// The start of games with these rules.
pub(crate) fn parse_start(
    houses: Houses,
    seeds: Seeds,
    capture: &str,
    sowing: &str,
) -> PyResult<kalah::Board> {
    let rules = parse_rules(houses, capture, sowing)?;
    kalah::Board::start(rules, seeds.0).map_err(errors::value)
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(
        signature = (houses=Whole(6), seeds=Whole(4), capture="standard", sowing="single"),
        text_signature = "(houses=6, seeds=4, capture='standard', sowing='single')"
    )]
    fn new(houses: Houses, seeds: Seeds, capture: &str, sowing: &str) -> PyResult<Board> {
        Ok(parse_start(houses, seeds, capture, sowing)?.into())
    }

    /// Reads a board in the notation of the Kalah Game Protocol: houses a side, South's store, North's
    /// store, South's houses, North's houses; then ``S`` or ``N`` for the side to move.
    ///
    /// Raises:
    ///     NotationError: The text is not a board.
    ///     ValueError: There is no such capture rule or way of sowing.
    ///
    /// Examples:
    ///     >>> Board.from_text("<3,5,2,0,1,4,2,2,2> N").legal_moves
    ///     ['a', 'b', 'c']
    #[staticmethod]
    #[pyo3(signature = (text, capture="standard", sowing="single"))]
    fn from_text(text: &str, capture: &str, sowing: &str) -> PyResult<Board> {
        let rule_set = parse_rule_set(capture, sowing)?;
        Ok(kalah::Board::from_fen(text, rule_set).map_err(errors::notation)?.into())
    }

    /// Makes a board of the seeds in its houses and stores.
    ///
    /// Args:
    ///     south: Seeds in South's houses, from South's left.
    ///     north: Seeds in North's houses, from North's left.
    ///     stores: Seeds in the stores of South and North.
    ///     turn: The side to move.
    ///     capture: ``"standard"`` or ``"empty"``.
    ///     sowing: ``"single"`` or ``"relay"``.
    ///
    /// Raises:
    ///     ValueError: The rules do not allow such a board.
    ///
    /// Examples:
    ///     >>> Board.from_seeds([0, 1, 4], [2, 2, 2], stores=(5, 2))
    ///     Board.from_text('<3,5,2,0,1,4,2,2,2> S')
    #[staticmethod]
    #[pyo3(
        signature = (south, north, stores=List(vec![Whole(0); 2]), turn=PySide(Side::South), capture="standard",
                     sowing="single"),
        text_signature = "(south, north, stores=(0, 0), turn=0, capture='standard', sowing='single')"
    )]
    fn from_seeds(
        south: List<Seeds>,
        north: List<Seeds>,
        stores: List<Seeds>,
        turn: PySide,
        capture: &str,
        sowing: &str,
    ) -> PyResult<Board> {
        let rule_set = parse_rule_set(capture, sowing)?;
        let [south, north, stores] = [south, north, stores]
            .map(|places| places.0.iter().map(|seeds| seeds.0).collect::<Vec<_>>());
        let rules = Rules::new(south.len(), rule_set).map_err(errors::value)?;
        let stores = stores.try_into().map_err(|stores: Vec<_>| {
            PyValueError::new_err(format!("there are two stores, not {}", stores.len()))
        })?;
        let board = kalah::Board::new(rules, [&south, &north], stores, turn.0);
        Ok(board.map_err(errors::value)?.into())
    }

    /// The board in the notation of `from_text`.
    fn to_text(&self) -> String {
        self.board.fen()
    }

    /// Houses a side.
    #[getter]
    fn houses(&self) -> usize {
        self.board.rules().houses()
    }

    /// What the last seed captures in an empty house of one's own: ``"standard"``, that seed and those
    /// opposite if there are any; ``"empty"``, the same even if there are none.
    #[getter]
    fn capture(&self) -> String {
        self.board.rules().capture().to_string()
    }

    /// What happens when the last seed falls into a house that holds seeds: ``"single"``, the turn passes;
    /// ``"relay"``, all seeds of that house are sown on from there, and nothing is ever captured.
    #[getter]
    fn sowing(&self) -> String {
        self.board.rules().sowing().to_string()
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> PySide {
        PySide(self.board.side())
    }

    /// The legal moves, from the left of the player to move; none if the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.board.moves().map(|mv| mv.to_string()).collect()
    }

    /// The moves that led to this board, the last one last.
    #[getter]
    fn move_stack(&self) -> Vec<String> {
        self.moves().map(|mv| mv.to_string()).collect()
    }

    /// The seeds in the houses of a side, from its left.
    fn seeds(&self, side: PySide) -> Vec<u16> {
        self.board.houses(side.0).to_vec()
    }

    /// The seeds in the store of a side.
    fn store(&self, side: PySide) -> u16 {
        self.board.store(side.0)
    }

    /// Plays a move: the letter of a house, or its index from 0 seen from the player to move.
    ///
    /// Raises:
    ///     IllegalMoveError: The move is illegal; the board has not changed.
    ///     NotationError: The text is not a move.
    #[pyo3(signature = (r#move: "str | SupportsIndex"))]
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = parse_move(&self.board, r#move)?;
        self.play(mv)
    }

    /// Takes the last move back and returns it.
    ///
    /// Raises:
    ///     IndexError: No move was played.
    fn pop(&mut self) -> PyResult<String> {
        let last = self.history.pop();
        let (before, mv) = last.ok_or_else(|| PyIndexError::new_err("no move was played"))?;
        self.board = before;
        Ok(mv.to_string())
    }

    /// Whether a move can be played.
    ///
    /// Raises:
    ///     NotationError: The text is not a move.
    #[pyo3(signature = (r#move: "str | SupportsIndex"))]
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        match parse_move(&self.board, r#move) {
            Err(error) if error.is_instance_of::<errors::IllegalMoveError>(r#move.py()) => {
                Ok(false)
            }
            mv => mv.map(|mv| self.board.is_legal(mv)),
        }
    }

    /// Whether the game is over: a side has no seeds in its houses.
    fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// South's seeds less North's at the end of the game; ``None`` before.
    ///
    /// Examples:
    ///     >>> board = Board(houses=1, seeds=2)
    ///     >>> board.push("A")
    ///     >>> board.is_over(), board.margin()
    ///     (True, -2)
    fn margin(&self) -> Option<i32> {
        self.board.result()
    }

    /// The result: ``"1-0"`` (South won), ``"0-1"``, ``"1/2-1/2"``, or ``"*"`` before the end of the game.
    fn result(&self) -> String {
        kalah_games::GameOutcome::from_board(&self.board).to_string()
    }

    /// The Zobrist key of the rules and the houses seen from the player to move, the same in all
    /// versions. Stores do not count.
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// The board as numbers, for learning: the own houses from the left, the own store, the opponent's
    /// houses from the opponent's left, the opponent's store.
    ///
    /// Args:
    ///     side: Whose view it is; by default that of the player to move.
    ///
    /// Returns:
    ///     ``uint16[2 * houses + 2]``
    #[pyo3(signature = (side=None))]
    fn observation<'py>(&self, py: Python<'py>, side: Option<PySide>) -> Array1<'py, u16> {
        let side = side.map_or(self.board.side(), |side| side.0);
        let view =
            [side, !side].map(|side| [self.board.houses(side), &[self.board.store(side)]].concat());
        Array(PyArray1::from_vec(py, view.concat()))
    }

    /// Which houses the player to move can sow, from the left.
    ///
    /// Returns:
    ///     ``bool[houses]``
    fn legal_mask<'py>(&self, py: Python<'py>) -> Array1<'py, bool> {
        let mut mask = vec![false; self.houses()];
        self.board.moves().for_each(|mv| mask[mv.house.index()] = true);
        Array(PyArray1::from_vec(py, mask))
    }

    /// A board of its own, with the moves.
    fn copy(&self) -> Board {
        self.clone()
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, String, String))> {
        let board = slf.borrow();
        let moves = board.moves().map(|mv| mv.to_string()).collect();
        let arguments = (board.start().fen(), board.capture(), moves, board.sowing());
        Ok((slf.get_type().getattr("_replay")?, arguments))
    }

    #[staticmethod]
    #[pyo3(signature = (text, capture, moves, sowing="single"))] // pickles from before there was a choice
    fn _replay(text: &str, capture: &str, moves: &str, sowing: &str) -> PyResult<Board> {
        let mut board = Board::from_text(text, capture, sowing)?;
        for letter in moves.chars() {
            board.play(letter.to_string().parse().map_err(errors::notation)?)?;
        }
        Ok(board)
    }

    fn __eq__(&self, other: PyRef<'_, Board>) -> bool {
        self.board == other.board
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.board.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let rules = self.board.rules();
        let rule = match (rules.sowing(), rules.capture()) {
            (Sowing::Relay, _) => ", sowing='relay'",
            (Sowing::Single, Capture::Standard) => "",
            (Sowing::Single, Capture::Empty) => ", 'empty'",
        };
        format!("Board.from_text('{}'{rule})", self.board.fen())
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }

    /// The board as a picture.
    ///
    /// Args:
    ///     last_move: A move to mark; by default the one that led to this board.
    ///     width: Width in pixels.
    ///
    /// Returns:
    ///     A text in SVG, which notebooks show for a board.
    #[pyo3(
        signature = (*, last_move=None, width=Whole(640)),
        text_signature = "($self, *, last_move=None, width=640)"
    )]
    fn svg(slf: &Bound<'_, Self>, last_move: Option<String>, width: Short) -> PyResult<String> {
        let py = slf.py();
        py.import("kalah.svg")?.call_method1("board_svg", (slf, last_move, width.0))?.extract()
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        Board::svg(slf, None, Whole(640))
    }
}

/// The expected final margin in seeds, from the view of the player to move, by the built-in network: an
/// estimate without search. Exact if the game is over.
///
/// Boards of 4 to 12 houses a side have a network if seeds are sown singly; the others are judged by a plain
/// sum over the houses.
///
/// Examples:
///     >>> -24 < evaluate(Board()) < 24
///     True
#[pyfunction]
pub(crate) fn evaluate(board: PyRef<'_, Board>) -> f64 {
    let network = Network::built_in(board.board.rules());
    let evaluation = network.map_or_else(Evaluation::default, Evaluation::Learned);
    evaluation.margin(&board.board)
}

/// The known fair starts of a game: boards on which one or two seeds of the usual start are moved, so that the
/// game is a draw when both sides play best.
///
/// Args:
///     houses: Houses a side.
///     seeds: Seeds in each house of the usual start.
///     capture: ``"standard"`` or ``"empty"``.
///     sowing: ``"single"`` or ``"relay"``.
///
/// Returns:
///     The boards, those first that most first moves hold; none if this game was not searched.
///
/// Raises:
///     ValueError: There are no such rules.
///
/// Examples:
///     >>> starts = fair_starts(6, 4, "empty")
///     >>> len(starts), Solver(hash=64).solve(starts[0]).margin
///     (254, 0)
#[pyfunction]
#[pyo3(
    signature = (houses=Whole(6), seeds=Whole(4), capture="standard", *, sowing="single"),
    text_signature = "(houses=6, seeds=4, capture='standard', *, sowing='single')"
)]
pub(crate) fn fair_starts(
    houses: Houses,
    seeds: Seeds,
    capture: &str,
    sowing: &str,
) -> PyResult<Vec<Board>> {
    let rules = parse_rules(houses, capture, sowing)?;
    let starts = kalah_fair::fair_starts(rules, seeds.0);
    Ok(starts.into_iter().map(Board::from).collect())
}
