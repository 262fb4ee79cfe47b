//! The review of a game: what each move was worth and what it gave away, proven where the solver can
//! prove it (`docs/manual/review.md`).
//!
//! [`Reviewer::review`] goes through a game from its last move to its first, so that the solver finds
//! most of what it needs in its table. [`Review`] is what `kalah review --json` prints.

#[cfg(not(target_family = "wasm"))]
mod commands;
mod explanation;
mod report;
mod reviewer;
mod sentences;
mod turns;

#[cfg(not(target_family = "wasm"))]
pub use commands::{Puzzle, Puzzles, ReviewCommands, puzzles};
pub use explanation::{Explanation, TurnPair};
pub use report::{REVIEW_VERSION, Review, ReviewedMove, ReviewedSide};
pub use reviewer::{ReviewError, ReviewLimit, Reviewer};
pub use turns::{SweptSeeds, Turn, TurnCapture};

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schema_is_that_of_the_type() -> anyhow::Result<()> {
        check::<super::Review>("review", "kalah review --json")
    }
}
