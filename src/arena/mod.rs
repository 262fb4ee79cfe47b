//! Games between players: referee, schedule, records and statistics.

mod key_values;
mod openings;

pub use key_values::SettingsError;
pub use openings::{
    MarginFilter, OpeningBook, OpeningError, OpeningLineError, OpeningOrder, OpeningSettings,
    OpeningSource,
};
