//! The laboratory: what the literature says of searches, tried on those of this engine.
//!
//! An experiment is a struct of its sizes and its seed. It runs searches as black boxes, on
//! Kalah or on trees made up for the purpose, and returns rows of measurements; to print, write
//! and draw them is the business of others.

mod bounds;
mod error;
mod pearl;
mod picture;
mod progress;
mod recorded;
mod uniform_tree;

pub use bounds::{Bounds, BoundsRow};
pub use error::LabError;
pub use pearl::{Pearl, PearlRow, Successors};
pub use picture::{Drawn, Picture};
pub use progress::{Progress, Watch};
pub use recorded::{Event, Recorded};
pub use uniform_tree::{INFINITY, Leaves, MAX_WIDTH, UniformNode, UniformTree};
