//! How far work on tables has come, for those who wait at a terminal.

use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kalah::StopToken;

/// A bar on stderr, if that is a terminal: positions, how many a second, and the time left.
pub(super) fn progress_bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template(
        "{bar:30} {percent}% of {human_len} positions, {speed}, {eta} left  {msg}",
    );
    if let Ok(style) = style {
        bar.set_style(style.with_key(
            "speed",
            |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                let _ = write!(text, "{:.1} M/s", state.per_sec() / 1e6);
            },
        ));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows how far the work has come, and whether it is to go on.
pub(super) fn shown(bar: &ProgressBar, done: u64, layer: u32, stop: &StopToken) -> ControlFlow<()> {
    bar.set_position(done);
    bar.set_message(format!("layer {layer}"));
    if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
