//! Ctrl-C and SIGTERM stop the running command.

use std::fmt;
use std::process;

use anyhow::Context;
use kalah::StopToken;

/// The exit status after Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// The command was stopped by Ctrl-C and has already said so: only the exit status is left to set.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A token that the first Ctrl-C stops. The second ends the process at once.
pub(super) fn stop_on_ctrl_c() -> anyhow::Result<StopToken> {
    let stop = StopToken::new();
    let by_signal = stop.clone();
    let mut is_second = false;
    ctrlc::set_handler(move || {
        if is_second {
            #[cfg(feature = "arena")]
            kalah::arena::end_all_programs();
            process::exit(INTERRUPTED.into());
        }
        is_second = true;
        by_signal.stop();
    })
    .context("cannot install the handler of Ctrl-C")?;
    Ok(stop)
}
