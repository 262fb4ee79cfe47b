//! Progress bars that show the time that passes.

use std::thread::{self, Builder};
use std::time::Duration;

use indicatif::ProgressBar;

const INTERVAL: Duration = Duration::from_millis(200);

/// Redraws a bar at fixed intervals until it is finished or dropped. `indicatif` has a ticker too, but
/// panics if the system starts no thread for it; this bar is then redrawn only when its state changes.
pub(super) fn start(bar: &ProgressBar) {
    if bar.is_hidden() {
        return;
    }
    let bar = bar.downgrade();
    let tick = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(INTERVAL);
        }
    };
    let _ = Builder::new().name("ticker".to_owned()).spawn(tick);
}
