//! Endgame tablebases in files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kalah::lock::lock;
use kalah::tablebase::{BuildProgress, MAX_TABLE_HOUSES, TablebaseFiles, survey};
use kalah::{Rules, StopToken};
use pyo3::prelude::*;

use crate::arguments::{self, Callback, Houses, Positive, Short, Whole, tell};
use crate::board::{Board, parse_rules};
use crate::errors::{self, TablebaseError};
use crate::interruptible;

/// A directory of tablebases: exact values of all positions with few seeds in the houses.
///
/// Examples:
///     >>> import tempfile
///     >>> with tempfile.TemporaryDirectory() as directory:
///     ...     table = Tablebase.build(directory, 6, houses=4)
///     ...     table.probe(Board.from_text("<4,5,6,0,1,0,2,1,0,0,1>"))
///     -4
#[pyclass(module = "kalah", frozen)]
pub(crate) struct Tablebase {
    /// The directory.
    #[pyo3(get)]
    directory: PathBuf,
    /// The files that were opened, by their rules; `None` if there are none.
    files: Mutex<HashMap<Rules, Option<TablebaseFiles>>>,
}

/// The files for these rules, if there are any and tables can be that large.
pub(crate) fn open_files(directory: &Path, rules: Rules) -> PyResult<Option<TablebaseFiles>> {
    if rules.houses() > MAX_TABLE_HOUSES {
        return Ok(None);
    }
    TablebaseFiles::open(directory, rules).map_err(errors::tablebase)
}

impl Tablebase {
    /// Does something with the files for these rules, without the GIL.
    fn with_files<T: Send>(
        &self,
        py: Python<'_>,
        rules: Rules,
        work: impl FnOnce(&TablebaseFiles) -> PyResult<Option<T>> + Send,
    ) -> PyResult<Option<T>> {
        py.detach(|| {
            let mut files = lock(&self.files);
            let files = match files.entry(rules) {
                Entry::Occupied(opened) => opened.into_mut(),
                Entry::Vacant(place) => place.insert(open_files(&self.directory, rules)?),
            };
            files.as_ref().map_or(Ok(None), work)
        })
    }
}

#[pymethods]
impl Tablebase {
    /// Opens a directory. Its files are opened when they are first needed.
    ///
    /// Raises:
    ///     TablebaseError: The directory cannot be read, or has no tables.
    #[staticmethod]
    fn open(py: Python<'_>, directory: PathBuf) -> PyResult<Tablebase> {
        if py.detach(|| survey(&directory)).map_err(errors::tablebase)?.is_empty() {
            let directory = directory.display();
            return Err(TablebaseError::new_err(format!("there are no tables in '{directory}'")));
        }
        Ok(Tablebase { directory, files: Mutex::default() })
    }

    /// Computes all positions with at most ``seeds`` seeds in the houses, and writes them to files. Layers
    /// that have a file are checked and stay as they are.
    ///
    /// Args:
    ///     directory: The directory, which is made if it does not exist.
    ///     seeds: Seeds in the houses at most.
    ///     houses, capture, sowing: The rules, as of `kalah.Board`; 8 houses at most.
    ///     threads: Threads; by default one a core.
    ///     progress: Called now and then with positions done and positions in total. An exception that it
    ///         raises ends the build.
    ///
    /// Raises:
    ///     TablebaseError: The table would be too large, or a file cannot be read or written.
    ///     ValueError: There are no such rules, or a number is out of its range.
    #[staticmethod]
    #[pyo3(
        signature = (directory, seeds, *, houses=Whole(6), capture="standard", sowing="single",
                     threads=None,
                     progress: "Callable[[int, int], object] | None"=None),
        text_signature = "(directory, seeds, *, houses=6, capture='standard', sowing='single', \
                          threads=None, progress=None)"
    )]
    fn build(
        py: Python<'_>,
        directory: PathBuf,
        seeds: Short,
        houses: Houses,
        capture: &str,
        sowing: &str,
        threads: Option<Positive>,
        progress: Option<Callback>,
    ) -> PyResult<Tablebase> {
        let rules = parse_rules(houses, capture, sowing)?;
        let (seeds, threads) = (seeds.0, arguments::threads(threads));
        let stop = StopToken::new();
        let latest: Mutex<Option<BuildProgress>> = Mutex::default();
        let seen = |progress| *lock(&latest) = Some(progress);
        let report = |py: Python<'_>| {
            let latest = *lock(&latest);
            tell(py, progress.as_ref(), latest.map(|done| (done.loaded + done.built, done.total)))
        };
        let build = || TablebaseFiles::build(&directory, rules, seeds, threads, &stop, &seen);
        let files = interruptible::run(py, &stop, build, report)?.map_err(errors::tablebase)?;
        report(py)?;
        let files = Mutex::new(HashMap::from([(rules, Some(files))]));
        Ok(Tablebase { directory, files })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        Ok((slf.get_type().getattr("open")?, (slf.get().directory.clone(),)))
    }

    /// The most seeds in the houses for which there are files; None without files for these rules.
    ///
    /// Raises:
    ///     TablebaseError: A file cannot be read.
    #[pyo3(
        signature = (houses=Whole(6), capture="standard", sowing="single"),
        text_signature = "($self, houses=6, capture='standard', sowing='single')"
    )]
    fn seeds(
        &self,
        py: Python<'_>,
        houses: Houses,
        capture: &str,
        sowing: &str,
    ) -> PyResult<Option<u32>> {
        self.with_files(py, parse_rules(houses, capture, sowing)?, |files| Ok(Some(files.seeds())))
    }

    /// The final margin with best play of both sides, in seeds, from the view of the player to move; None
    /// if the board is not in the files.
    ///
    /// Raises:
    ///     TablebaseError: A file cannot be read, or is damaged.
    fn probe(&self, py: Python<'_>, board: PyRef<'_, Board>) -> PyResult<Option<i32>> {
        let board = &board.board;
        if let Some(margin) = board.result_for(board.side()) {
            return Ok(Some(margin));
        }
        let gain = |files: &TablebaseFiles| files.gain(board).map_err(errors::tablebase);
        Ok(self.with_files(py, board.rules(), gain)?.map(|gain| board.store_difference() + gain))
    }
}
