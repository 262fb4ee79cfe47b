//! The extension module of the Python package `kalah`: boards, games, the engine, the solver and
//! tablebases of the library as Python classes. What needs no speed is written in Python, in `kalah`.

// The documentation of classes and functions is that of Python.
#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes, rustdoc::all)]
// So are the signatures.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments, clippy::type_complexity)]

mod arena;
mod arguments;
mod board;
mod boards;
mod engine;
mod errors;
mod exam;
mod game;
mod interruptible;
mod job;
mod job_tree;
mod protocol;
mod row_game;
mod solver;
mod tablebase;
mod training;

/// Everything that Python sees.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        arena::{Score, Tournament},
        board::{Board, evaluate, fair_starts},
        boards::Boards,
        engine::{Engine, StopToken},
        exam::{exam_positions, exam_results},
        game::{Game, decode_text},
        job::Job,
        job_tree::JobTree,
        protocol::{check_limit, check_request, go_command, option_command, read_message},
        solver::{Solution, Solver},
        tablebase::Tablebase,
        training::{SelfPlayer, TrainingRun},
    };
}
