//! How a search goes about its work, whatever the position.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::depth_first::DepthFirstOptions;
use super::evaluation::{Evaluation, EvaluationChoice, EvaluationNoise, Network};
use super::exact_tables::ExactTables;
use super::variant::Variant;
use crate::board::Rules;

/// What can be set once for many searches.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Threads that search together, as far as there are processors for them. One is
    /// deterministic: the same nodes every time.
    pub threads: NonZeroUsize,
    /// Lines of play to find.
    pub multipv: NonZeroUsize,
    /// Time to keep in hand at every move for the way of the answer to the clock.
    pub move_overhead: Duration,
    /// The evaluation at the leaves.
    pub evaluation: EvaluationChoice,
    /// A learned evaluation to be used on boards of its rules instead of the one that comes with the
    /// program.
    pub network: Option<Arc<Network>>,
    /// Errors of the evaluation, for weaker play.
    pub noise: Option<EvaluationNoise>,
    /// The search.
    pub variant: Variant,
    /// What the depth-first searches make of table and order of moves.
    pub depth_first: DepthFirstOptions,
    /// Whether NegaScout begins each iteration with a window around the value of the last.
    pub aspiration: bool,
    /// Where the searches to a depth look positions with few seeds up, when it is of the rules of
    /// the board.
    pub tables: Option<Arc<ExactTables>>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            threads: NonZeroUsize::MIN,
            multipv: NonZeroUsize::MIN,
            move_overhead: Duration::from_millis(10),
            evaluation: EvaluationChoice::default(),
            network: None,
            noise: None,
            variant: Variant::default(),
            depth_first: DepthFirstOptions::default(),
            aspiration: true,
            tables: None,
        }
    }
}

impl SearchOptions {
    /// NegaScout with the plain evaluation: for those who want the value to a depth, or a value that
    /// does not change when the engine learns to play better.
    pub fn negascout() -> SearchOptions {
        SearchOptions { variant: Variant::NEGASCOUT, ..SearchOptions::default() }
    }

    /// The evaluation on boards of these rules.
    pub fn evaluation(&self, rules: Rules) -> Evaluation {
        let evaluation = self.evaluation.evaluation(self.variant, rules, self.network.as_ref());
        match self.noise {
            Some(noise) => Evaluation::Noisy(Box::new(evaluation), noise),
            None => evaluation,
        }
    }
}
