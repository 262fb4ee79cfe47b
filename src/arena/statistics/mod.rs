//! What results of games say about the strength of players.
//!
//! Two games with the same opening and the sides exchanged are a *pair*. A lopsided opening gives
//! one game to each player, so the two results depend on each other; pairs do not. Hence the pair
//! is the observation of all that is estimated here, as [`Pentanomial`] counts.

mod counts;
mod elo;
mod histogram;
mod likelihood;
mod ratings;
mod sprt;

pub use counts::{Pentanomial, Wdl};
pub use elo::Estimate;
pub use histogram::Histogram;
pub use ratings::{Encounter, Ratings};
pub use sprt::{Hypothesis, Sprt, SprtModel};
