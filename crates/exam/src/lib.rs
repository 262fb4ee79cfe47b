//! An exam for Kalah programs.
//!
//! A [`PositionSet`] has positions with the exact margin of every move. [`ask`] puts them to a player, and the
//! [`PositionResults`] say what its answers gave away, by phase, theme and board. [`play_levels`] rates the player by
//! games against levels of the engine, whose ratings are known. `kalah exam` does both.
//!
//! ```
//! use kalah_exam::PositionSet;
//!
//! let set = PositionSet::built_in()?;
//! let first = &set.positions[0];
//! assert_eq!(first.loss(first.best_moves()[0]), Some(0));
//! assert!(first.random_loss() > 0.0);
//! # Ok::<(), kalah_exam::PositionSetError>(())
//! ```

mod anchors;
mod answers;
mod command;
mod exam_json;
mod games;
mod html;
mod make;
mod positions;
mod results;
mod text;
mod themes;

pub use answers::{Answer, ask};
pub use command::ExamCommand;
pub use games::{GameResults, LevelGames, play_levels};
pub use make::{Boards, make};
pub use positions::{ExamPosition, Origin, PositionSet, PositionSetError};
pub use results::{FaultCounts, Group, LeftOut, PositionResults};
pub use themes::{Phase, Theme};

/// Schemas of types of `kalah-records`.
#[cfg(test)]
mod schemas {
    use kalah_command::schemas::written;
    use schemars::{Schema, SchemaGenerator};

    pub(crate) fn estimate(generator: &mut SchemaGenerator) -> Schema {
        written(generator, "standing", Some("Estimate"))
    }

    pub(crate) fn fault(generator: &mut SchemaGenerator) -> Schema {
        written(generator, "record", Some("FaultKind"))
    }
}
