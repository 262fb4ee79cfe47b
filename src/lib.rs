//! A Kalah engine as a library: boards and rules, searches, exact values, endgame tablebases, and
//! the engine that the program `kalah` is made of.
//!
//! | item | what it does |
//! |---|---|
//! | [`Board`], [`Move`], [`Rules`] | the game: start or read a position, list and play moves, count the result |
//! | [`Engine`] | finds a good move within [`Limits`], and proves its value when it can |
//! | [`Solver`] | finds the exact margin of a position and of every move |
//! | [`Tablebase`] | has the exact value of every position with few seeds |
//! | [`StopToken`] | stops any of this from another thread, or at a deadline |
//!
//! Matches, games as text, the laboratory and everything else around the engine are other crates, `kalah-arena`,
//! `kalah-games`, `kalah-lab` …. The folder `examples` has short programs to start from.
//!
//! # The game
//!
//! A *house* is one of the pits a player owns, a *store* the pit that scores. *Sowing* a house is one
//! *ply*; a player whose last seed falls into their own store moves again, so that one turn may take
//! several plies. South's houses are written `A`, `B`, …, North's `a`, `b`, …, each from the owner's
//! left.
//!
//! ```
//! use kalah::{Board, Rules, Side};
//!
//! let mut board = Board::start(Rules::default(), 4)?; // 6 houses a side, 4 seeds in each
//! board.play("C".parse()?)?; // ends in the store: South moves again
//! board.play("F".parse()?)?;
//! let moves: Vec<String> = board.moves().map(|mv| mv.to_string()).collect();
//! assert_eq!(moves, ["a", "b", "c", "d", "e", "f"]);
//! assert_eq!((board.side(), board.store(Side::South), board.result()), (Side::North, 2, None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A good move
//!
//! [`Engine::go`] returns the best move with its principal variation, and reports what it finds
//! while it thinks. Scores are *margins*: the final difference of the stores in seeds, from the view
//! of the player to move.
//!
//! ```
//! use std::time::Duration;
//!
//! use kalah::{Board, Capture, Engine, Limits, StopToken};
//!
//! let board = Board::from_fen("<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>", Capture::Standard)?;
//! let limits = Limits { movetime: Some(Duration::from_secs(10)), ..Limits::default() };
//! let result = Engine::new()?.go(&board, &limits, &StopToken::new(), |_| {})?;
//! assert_eq!(result.best, Some("E".parse()?));
//! assert!(result.lines[0].proven); // long before the ten seconds are over
//! assert_eq!(result.lines[0].margin, -8); // South loses by 8 seeds
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The exact value
//!
//! ```
//! use kalah::solve::SolverResources;
//! use kalah::{Board, Rules, Solver};
//!
//! let board = Board::start(Rules::default(), 2)?;
//! let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
//! assert_eq!(solver.solve(&board)?.margin, 6); // Kalah(6,2): South wins by 6 seeds
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Tablebase`] answers at once. Its unit is the *gain*, the part of the margin that is still to
//! be decided: the margin less the present difference of the stores. The gain of a position depends on
//! its houses alone, so searches and tables work on gains.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use kalah::{Board, Capture, Tablebase};
//!
//! let board = Board::from_fen("<4,5,6,0,1,0,2,1,0,0,1>", Capture::Standard)?;
//! let table = Tablebase::build(board.rules(), 8, NonZeroUsize::MIN)?;
//! assert_eq!(table.gain(&board), Some(-3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searches
//!
//! The searches of the literature, from minimax to Monte Carlo tree search, are written over the
//! trait [`search::Game`] and run on every game that implements it, on boards through
//! [`search::Searcher`] and [`Engine`].

pub mod board;
pub mod book;
pub mod engine;
mod file_header;
pub mod host_files;
pub mod proof_file;
pub mod protocol;
pub mod search;
pub mod solve;
mod stop;
pub mod tablebase;

// Helpers that the products share with the library, without a promise of stability.
#[doc(hidden)]
pub mod atomic_file;
#[doc(hidden)]
pub mod file_lock;
#[doc(hidden)]
pub mod lock;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod printable;
#[doc(hidden)]
pub mod regular_file;
#[doc(hidden)]
pub mod sys;
#[doc(hidden)]
pub mod text_file;

#[doc(inline)]
pub use board::{Board, Capture, House, Move, Rules, Side, Sowing};
#[doc(inline)]
pub use engine::Engine;
pub use file_header::FileHeaderError;
#[doc(inline)]
pub use search::Limits;
#[doc(inline)]
pub use solve::Solver;
pub use stop::StopToken;
#[doc(inline)]
pub use tablebase::Tablebase;
