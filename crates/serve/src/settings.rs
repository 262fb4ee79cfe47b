//! How a service answers: its workers, and what clients may ask of it.

use std::num::NonZeroUsize;

use axum::http::HeaderValue;
use clap::Args;
use kalah_command::options::number;

/// The options of `kalah serve`, but for the files and the address.
#[derive(Args)]
pub(crate) struct ServiceSettings {
    /// Threads that search [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    pub workers: Option<NonZeroUsize>,

    /// Memory of each of them for what it has searched, in MiB; endgame tables take up to 400 MiB besides
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = number::<usize>(2..=1_048_576))]
    pub hash: usize,

    /// The greatest time of a request, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = number::<u64>(1..=86_400_000))]
    pub max_time: u64,

    /// The most positions of a request
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = number::<u32>(1..=65_536))]
    pub max_positions: u32,

    /// Requests that may wait for a free worker
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = number::<usize>(1..=65_536))]
    pub queue: usize,

    /// Requests of a client that may wait or be searched at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<usize>(1..=65_536))]
    pub client_searches: usize,

    /// Positions a second that a client may ask about; 0 for any number
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number::<u32>(..))]
    pub rate: u32,

    /// Let pages of this origin ask, such as `https://example.org`; '*' for all; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    pub cors: Vec<HeaderValue>,

    /// Tell clients apart by the last address of X-Forwarded-For: only behind a proxy that sets it
    #[arg(long)]
    pub forwarded: bool,
}
