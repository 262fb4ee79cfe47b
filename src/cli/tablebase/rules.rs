//! The rules that a table is for, as options.

use clap::{Args, value_parser};
use kalah::board::{Capture, Rules};
use kalah::tablebase::MAX_TABLE_HOUSES;

#[derive(Args)]
pub(super) struct RulesOptions {
    /// Houses a side, 1 to 8
    #[arg(long, value_name = "H", default_value_t = 6,
          value_parser = value_parser!(u64).range(1..=MAX_TABLE_HOUSES as u64))]
    houses: u64,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,
}

impl RulesOptions {
    pub(super) fn rules(&self) -> anyhow::Result<Rules> {
        Ok(Rules::new(self.houses as usize, self.capture)?)
    }
}
