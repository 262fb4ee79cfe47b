//! Games between players: referee, schedule, records and statistics.

mod key_values;
pub mod statistics;

pub use key_values::SettingsError;
