//! How far an experiment has come, for those who wait at a terminal.

use indicatif::ProgressBar;
use kalah::StopToken;
use kalah::lab::{LabError, LabProgressFn};

/// Runs an experiment under a progress bar on stderr, if that is a terminal.
pub(super) fn watched<T>(
    work: impl FnOnce(&StopToken, LabProgressFn) -> Result<T, LabError>,
) -> Result<T, LabError> {
    let bar = ProgressBar::new(0);
    // Ctrl-C ends the process, which leaves nothing behind.
    let result = work(&StopToken::new(), &|progress| {
        bar.set_length(progress.total as u64);
        bar.inc(1);
    });
    bar.finish_and_clear();
    result
}
