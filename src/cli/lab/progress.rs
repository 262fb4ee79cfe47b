//! How far an experiment has come, for those who wait at a terminal.

use std::ops::ControlFlow;

use indicatif::ProgressBar;
use kalah::lab::{LabError, Watch};

/// Runs an experiment under a progress bar on stderr, if that is a terminal.
pub(super) fn watched<T>(work: impl FnOnce(Watch) -> Result<T, LabError>) -> Result<T, LabError> {
    let bar = ProgressBar::new(0);
    let result = work(&|progress| {
        bar.set_length(progress.total as u64);
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    result
}
