//! Progress bars and lines on stderr, if that is a terminal, that show the time that passes.

use std::fmt::Write;
use std::thread::{self, Builder};
use std::time::Duration;

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::verbosity::is_quiet;

const INTERVAL: Duration = Duration::from_millis(200);

/// A line with the time and a text.
pub fn progress_line(text: impl Fn() -> String + Clone + Send + Sync + 'static) -> ProgressBar {
    let text = move |_: &ProgressState, output: &mut dyn Write| {
        let _ = output.write_str(&text());
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {text}");
    styled_bar(ProgressBar::new_spinner(), style.map(|style| style.with_key("text", text)))
}

/// A bar of this length.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    styled_bar(ProgressBar::new(length), ProgressStyle::with_template(template))
}

/// A bar for a count of what is named.
pub fn counting_bar(count: usize, of: &'static str) -> ProgressBar {
    let template = "{elapsed_precise} {bar:30} {pos} of {len} {prefix}, {eta} left";
    progress_bar(count as u64, template).with_prefix(of)
}

/// A bar in this style.
pub fn styled_bar(bar: ProgressBar, style: Result<ProgressStyle, TemplateError>) -> ProgressBar {
    if is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = style {
        bar.set_style(style);
    }
    redraw(&bar);
    bar
}

/// Redraws a bar at fixed intervals until it is finished or dropped. `indicatif` has a ticker too, but
/// panics if the system starts no thread for it; this bar is then redrawn only when its state changes.
fn redraw(bar: &ProgressBar) {
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
