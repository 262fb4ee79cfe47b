//! Work that Ctrl-C breaks off.

use std::fmt;
use std::process;

use anyhow::Context;
use kalah::arena::{Interrupt, end_all_programs};

/// Somebody pressed Ctrl-C: all is said, and the status tells it.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// The status of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// An interrupt that Ctrl-C raises.
pub(super) fn interrupt_by_signal() -> anyhow::Result<Interrupt> {
    let interrupt = Interrupt::new();
    let by_signal = interrupt.clone();
    // Others raise it, too: a test that is decided.
    let mut was_pressed = false;
    ctrlc::set_handler(move || {
        // Whoever insists need not wait.
        if was_pressed {
            end_all_programs();
            process::exit(INTERRUPTED);
        }
        was_pressed = true;
        by_signal.raise();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(interrupt)
}
