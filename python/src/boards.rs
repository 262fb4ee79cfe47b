//! Many games at once, for training.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use indexmap::IndexMap;
use kalah::board::{AnyPosition, Position, RowTables, Sowings, splitmix64};
use kalah::{House, Side, parallel};
use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::{self, Actions, Count, Houses, Index, Mask, Positive, Seeds, Short, Whole};
use crate::arguments::{Array, Array1, Array2};
use crate::board::{Board, parse_start};
use crate::errors;
use crate::row_game::{Game, Options, seen_board};

/// Fewer games than this are not worth a thread.
const GAMES_PER_THREAD: usize = 32_768;

/// The action that leaves a game as it is.
const PASS: i64 = -1;

/// Many games of the same start, played side by side in Rust on all cores.
///
/// A game that ends starts again at once. Arrays have one row a game; methods that return an array fill
/// ``out`` instead, and return it, if it is given. A copy, or what is read from a pickle, goes on with the
/// same games and the same random numbers.
///
/// Args:
///     n: The number of games.
///     houses, seeds, capture, sowing: The start, as of `kalah.Board`.
///     random_plies: Plies played at random at the start of each game.
///     seed: Seed of all random numbers.
///     threads: Threads at most; by default one a core.
///
/// Raises:
///     ValueError: The rules do not allow such a board, a number is out of its range, or random plies
///         always end the game.
///
/// Examples:
///     >>> boards = Boards(1000)
///     >>> rewards, done = boards.step(boards.random_actions())
///     >>> boards.observations().shape, boards.legal_mask().shape
///     ((1000, 14), (1000, 6))
#[pyclass(module = "kalah.vector")]
pub(crate) struct Boards {
    games: Games,
    options: Options,
}

struct Rows<R: RowTables> {
    sowings: &'static Sowings<R>,
    start: Game<R>,
    games: Vec<Game<R>>,
}

enum Games {
    Narrow(Rows<u64>),
    Wide(Rows<u128>),
}

/// Calls a generic function or method on the games, whatever their rows.
macro_rules! in_rows {
    ($games:expr, $rows:pat_param => $body:expr) => {
        match $games {
            Games::Narrow($rows) => $body,
            Games::Wide($rows) => $body,
        }
    };
}

/// What a pickle of many games has besides their rules.
type State<'py> = (u64, Array2<'py, u16>, Array1<'py, u8>, Array1<'py, u32>);

impl<R: RowTables> Rows<R> {
    /// This many games that begin with a position, if there is memory.
    fn new(sowings: &'static Sowings<R>, position: Position<R>, n: usize) -> PyResult<Rows<R>> {
        let start = Game { position, stores: [0; 2], side: Side::South, finished: 0 };
        let mut games = Vec::new();
        let memory = |_| PyMemoryError::new_err(format!("no memory for {n} games"));
        games.try_reserve_exact(n).map_err(memory)?;
        games.resize(n, start);
        Ok(Rows { sowings, start, games })
    }
}

/// The array that is filled: `out`, or a new one.
fn array<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    out: Option<Array<'py, T, D>>,
    shape: impl IntoDimension<Dim = D>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let shape = shape.into_dimension();
    match out {
        None => Ok(PyArray::zeros(py, shape, false)),
        Some(Array(out)) if out.shape() == shape.slice() && out.is_c_contiguous() => Ok(out),
        Some(_) => {
            let problem = format!("out must be a C-contiguous array of shape {:?}", shape.slice());
            Err(PyValueError::new_err(problem))
        }
    }
}

/// Fills `out`, or a new array, on all threads: `$body` fills the cells of one game.
macro_rules! fill {
    ($py:ident, $out:ident, $shape:expr, $boards:expr,
     |$index:pat_param, $game:ident, $cells:ident| $body:expr) => {{
        let (boards, part): (&Boards, _) = ($boards, $boards.part());
        let array = array($py, $out, $shape)?;
        let mut filled = array.try_readwrite()?;
        let all = filled.as_slice_mut()?;
        let width = all.len() / boards.len();
        $py.detach(|| {
            in_rows!(&boards.games, Rows { games, .. } => {
                let parts = games.chunks(part).zip(all.chunks_mut(part * width)).enumerate();
                parallel::for_each(boards.options.threads, parts, |(number, (games, cells))| {
                    let rows = games.iter().zip(cells.chunks_exact_mut(width));
                    for ($index, ($game, $cells)) in (number * part..).zip(rows) {
                        $body
                    }
                });
            });
        });
        drop(filled);
        Array(array)
    }};
}

impl Boards {
    /// Games in each part, one part a thread.
    fn part(&self) -> usize {
        let games = self.len();
        games.div_ceil(self.options.threads.get().min(games / GAMES_PER_THREAD).max(1))
    }

    fn len(&self) -> usize {
        in_rows!(&self.games, Rows { games, .. } => games.len())
    }

    fn index(&self, index: Index) -> PyResult<usize> {
        let length = self.len();
        let no_game =
            || PyIndexError::new_err(format!("there are {length} games, no game {}", index.0));
        index.of(length).ok_or_else(no_game)
    }

    /// Begins games anew: those of the mask, or all.
    fn restart(&mut self, py: Python<'_>, mask: Option<&[bool]>) {
        let (options, part) = (self.options, self.part());
        py.detach(|| {
            in_rows!(&mut self.games, Rows { sowings, start, games } => {
                let parts = games.chunks_mut(part).enumerate();
                parallel::for_each(options.threads, parts, |(number, games)| {
                    for (index, game) in (number * part..).zip(games) {
                        if mask.is_none_or(|mask| mask[index]) {
                            game.restart(sowings, start, options, index);
                        }
                    }
                });
            });
        });
    }
}

#[pymethods]
impl Boards {
    #[new]
    #[pyo3(
        signature = (n, houses=Whole(6), seeds=Whole(4), capture="standard", sowing="single", *,
                     random_plies=Whole(0), seed=Whole(0), threads=None),
        text_signature = "(n, houses=6, seeds=4, capture='standard', sowing='single', *, random_plies=0, \
                          seed=0, threads=None)"
    )]
    fn new(
        py: Python<'_>,
        n: Positive,
        houses: Houses,
        seeds: Seeds,
        capture: &str,
        sowing: &str,
        random_plies: Short,
        seed: Count,
        threads: Option<Positive>,
    ) -> PyResult<Boards> {
        let start = parse_start(houses, seeds, capture, sowing)?;
        let (n, threads) = (n.0 as usize, arguments::threads(threads));
        if start.is_over() {
            return Err(PyValueError::new_err("a game without seeds has no moves"));
        }
        let (rules, seeds, random_plies, seed) = (start.rules(), seeds.0, random_plies.0, seed.0);
        let options = Options { rules, seeds, random_plies, seed, threads, draws: 0 };
        let games = match start.position() {
            AnyPosition::Narrow(sowings, position) => {
                Games::Narrow(Rows::new(sowings, position, n)?)
            }
            AnyPosition::Wide(sowings, position) => Games::Wide(Rows::new(sowings, position, n)?),
        };
        let mut boards = Boards { games, options };
        let is_possible = in_rows!(&boards.games, Rows { sowings, start, .. } => {
            start.after_random_plies(sowings, random_plies, splitmix64(seed)).is_some()
        });
        if !is_possible {
            let problem = format!("{random_plies} random plies always end the game");
            return Err(PyValueError::new_err(problem));
        }
        boards.restart(py, None);
        Ok(boards)
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __getnewargs_ex__(&self) -> ((usize, usize, u16, &str, &str), IndexMap<&str, u64>) {
        let Options { rules, seeds, random_plies, seed, threads, .. } = self.options;
        let threads = threads.get() as u64;
        let keywords =
            [("random_plies", random_plies.into()), ("seed", seed), ("threads", threads)];
        let (capture, sowing) = (rules.capture().name(), rules.sowing().name());
        let arguments = (self.len(), rules.houses(), seeds, capture, sowing);
        (arguments, keywords.into_iter().collect())
    }

    /// The draws so far, and of each game what its player sees, the side and the games that ended.
    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        let finished = in_rows!(&self.games, Rows { games, .. } => {
            games.iter().map(|game| game.finished).collect()
        });
        let finished = Array(PyArray1::from_vec(py, finished));
        Ok((self.options.draws, self.observations(py, None)?, self.turns(py, None)?, finished))
    }

    fn __setstate__(&mut self, py: Python<'_>, state: State<'_>) -> PyResult<()> {
        let (draws, Array(seen), Array(turns), Array(finished)) = state;
        let damaged = || PyValueError::new_err("these games are damaged");
        let (length, houses, rules) = (self.len(), self.houses(), self.options.rules);
        let (seen, turns, finished) =
            (seen.try_readonly()?, turns.try_readonly()?, finished.try_readonly()?);
        let (turns, finished) = (turns.as_slice()?, finished.as_slice()?);
        let rows = seen.as_slice()?.chunks_exact(2 * houses + 2);
        if [rows.len(), turns.len(), finished.len()] != [length; 3] {
            return Err(damaged());
        }
        py.detach(|| {
            in_rows!(&mut self.games, Rows { sowings, games, .. } => {
                let states = rows.zip(turns).zip(finished);
                for (game, ((seen, &turn), &finished)) in games.iter_mut().zip(states) {
                    let side = *Side::ALL.get(usize::from(turn)).ok_or_else(damaged)?;
                    let board = seen_board(rules, seen, side).map_err(errors::value)?;
                    *game = Game::new(sowings, &board).ok_or_else(damaged)?;
                    game.finished = finished;
                }
            });
            Ok::<_, PyErr>(())
        })?;
        self.options.draws = draws;
        Ok(())
    }

    /// The board of a game, without its moves.
    fn __getitem__(&self, index: Index) -> PyResult<Board> {
        let index = self.index(index)?;
        let rules = self.options.rules;
        let board = in_rows!(&self.games, Rows { games, .. } => games[index].board(rules));
        Ok(board.map_err(errors::value)?.into())
    }

    /// Puts a board in the place of a game. It must have the rules of the others, fit their rows and not
    /// be over.
    fn __setitem__(&mut self, index: Index, board: PyRef<'_, Board>) -> PyResult<()> {
        let index = self.index(index)?;
        let other = || PyValueError::new_err("the board does not suit these games");
        let board = &board.board;
        if board.rules() != self.options.rules || board.is_over() {
            return Err(other());
        }
        in_rows!(&mut self.games, Rows { sowings, games, .. } => {
            let finished = games[index].finished;
            games[index] = Game { finished, ..Game::new(sowings, board).ok_or_else(other)? };
        });
        Ok(())
    }

    /// Houses a side: the number of actions.
    #[getter]
    fn houses(&self) -> usize {
        self.options.rules.houses()
    }

    /// Begins games anew. New random plies are drawn.
    ///
    /// Args:
    ///     mask: ``bool[n]``: which games; all by default.
    #[pyo3(signature = (mask=None))]
    fn reset(&mut self, py: Python<'_>, mask: Option<Mask<'_>>) -> PyResult<()> {
        let mask = mask.as_ref().map(|Mask(mask)| mask.as_slice()).transpose()?;
        let (length, games) = (mask.map_or(self.len(), <[bool]>::len), self.len());
        if length != games {
            return Err(PyValueError::new_err(format!("a mask of {length} for {games} games")));
        }
        self.restart(py, mask);
        Ok(())
    }

    /// Which houses the players to move can sow, from their left.
    ///
    /// Returns:
    ///     ``bool[n, houses]``
    #[pyo3(signature = (out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Array2<'py, bool>>,
    ) -> PyResult<Array2<'py, bool>> {
        Ok(fill!(py, out, [self.len(), self.houses()], self, |_, game, cells| {
            cells.fill(false);
            game.position.moves().for_each(|house| cells[house.index()] = true);
        }))
    }

    /// What the players to move see: their own houses from the left, their store, the opponent's houses
    /// from the opponent's left, the opponent's store.
    ///
    /// Returns:
    ///     ``uint16[n, 2 * houses + 2]``
    #[pyo3(signature = (out=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<Array2<'py, u16>>,
    ) -> PyResult<Array2<'py, u16>> {
        let houses = self.houses();
        let each: Vec<House> = (0..houses).filter_map(House::new).collect();
        Ok(fill!(py, out, [self.len(), 2 * houses + 2], self, |_, game, cells| {
            let (own, opponent) = cells.split_at_mut(houses + 1);
            for (&house, cells) in each.iter().zip(own.iter_mut().zip(&mut *opponent)) {
                *cells.0 = game.position.own(house) as u16;
                *cells.1 = game.position.opponent(house) as u16;
            }
            (own[houses], opponent[houses]) = (game.stores[0], game.stores[1]);
        }))
    }

    /// The players to move: 0 for South, 1 for North.
    ///
    /// Returns:
    ///     ``uint8[n]``
    #[pyo3(signature = (out=None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        out: Option<Array1<'py, u8>>,
    ) -> PyResult<Array1<'py, u8>> {
        Ok(fill!(py, out, self.len(), self, |_, game, cells| cells[0] = game.side.index() as u8))
    }

    /// A legal move of each game, drawn at random.
    ///
    /// Returns:
    ///     ``int64[n]``: houses of the players to move, from 0.
    #[pyo3(signature = (out=None))]
    fn random_actions<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<Array1<'py, i64>>,
    ) -> PyResult<Array1<'py, i64>> {
        let draws = self.options.draws + 1;
        let draw = splitmix64(self.options.seed ^ splitmix64(draws));
        let array = fill!(py, out, self.len(), self, |index, game, cells| {
            let house = game.draw(splitmix64(draw ^ index as u64));
            cells[0] = house.map_or(0, |house| house.index() as i64);
        });
        self.options.draws = draws;
        Ok(array)
    }

    /// Plays a move in each game. Games that end start again: the next observation is that of a start.
    ///
    /// Args:
    ///     actions: ``int64[n]``: the houses to sow, from 0, seen from the players to move; -1 leaves a
    ///         game as it is.
    ///
    /// Returns:
    ///     ``rewards``, ``int16[n]``: the final margin in seeds, from the view of the player who moved,
    ///     of each game that has ended; 0 for the others. ``done``, ``bool[n]``: which games have ended.
    ///
    /// Raises:
    ///     IllegalMoveError: A move is illegal. No game has changed.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: Actions<'py>,
    ) -> PyResult<(Array1<'py, i16>, Array1<'py, bool>)> {
        let actions = actions.0.as_slice()?;
        let length = self.len();
        if actions.len() != length {
            let problem = format!("{} actions for {length} games", actions.len());
            return Err(PyValueError::new_err(problem));
        }
        let (houses, part, options) = (self.houses(), self.part(), self.options);
        let illegal = AtomicUsize::new(usize::MAX);
        py.detach(|| {
            in_rows!(&self.games, Rows { games, .. } => {
                let parts = games.chunks(part).zip(actions.chunks(part)).enumerate();
                parallel::for_each(options.threads, parts, |(number, (games, actions))| {
                    let is_illegal = |(game, &action): (&Game<_>, &i64)| {
                        let house = usize::try_from(action).ok().filter(|&house| house < houses);
                        let house = house.and_then(House::new);
                        action != PASS && house.is_none_or(|house| game.position.own(house) == 0)
                    };
                    if let Some(index) = games.iter().zip(actions).position(is_illegal) {
                        illegal.fetch_min(number * part + index, Relaxed);
                    }
                });
            });
        });
        let illegal = illegal.into_inner();
        if illegal < length {
            let problem = format!("game {illegal}: house {} cannot be sown", actions[illegal]);
            return Err(errors::IllegalMoveError::new_err(problem));
        }
        let (mut rewards, mut done) = (vec![0; length], vec![false; length]);
        py.detach(|| {
            in_rows!(&mut self.games, Rows { sowings, start, games } => {
                let cells = rewards.chunks_mut(part).zip(done.chunks_mut(part));
                let parts = games.chunks_mut(part).zip(actions.chunks(part)).zip(cells).enumerate();
                parallel::for_each(options.threads, parts, |(number, (played, (rewards, done)))| {
                    let (games, actions) = played;
                    let rows = games.iter_mut().zip(actions).zip(rewards.iter_mut().zip(done));
                    for (index, ((game, &action), (reward, done))) in (number * part..).zip(rows) {
                        let Some(house) = House::new(action as usize) else { continue };
                        if let Some(margin) = game.play(sowings, house) {
                            (*reward, *done) = (margin as i16, true);
                            game.restart(sowings, start, options, index);
                        }
                    }
                });
            });
        });
        Ok((Array(PyArray1::from_vec(py, rewards)), Array(PyArray1::from_vec(py, done))))
    }
}
