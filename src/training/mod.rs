//! Learned evaluations are made here, from nothing but the rules.
//!
//! A [`Course`] goes through generations. In each, games of self-play give [`Sample`]s: positions with
//! the gain that a search found, and the one that the game came to. A [`Learner`] fits a network to
//! them, which is rounded to the small numbers of a [`Network`](crate::search::Network), and the next
//! generation plays with it. All of it follows from the settings of the course: the same course makes
//! the same network.

mod course;
mod error;
mod learner;
mod quantisation;
mod samples;
mod self_play;

pub use course::{Course, CourseProgress, CourseWatch};
pub use error::TrainingError;
pub use learner::{Errors, Fit, Learner};
pub use samples::{Sample, read_samples, write_samples};
pub use self_play::SelfPlay;
