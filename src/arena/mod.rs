//! Games between players: referee, schedule, records and statistics.

mod key_values;

pub use key_values::SettingsError;
