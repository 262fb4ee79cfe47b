//! The options of a search, which stay the same from position to position.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::evaluation::{Evaluation, EvaluationChoice, EvaluationNoise, Network};
use super::move_ordering::{MoveOrdering, Oversights};
use super::selective_parameters::SelectiveParameters;
use super::variant::{DepthFirst, Variant};
use crate::board::Rules;

/// The options of a search, which stay the same from position to position.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Number of search threads, at most the number of processors. With one thread the search is
    /// deterministic: it visits the same nodes every time.
    pub threads: NonZeroUsize,
    /// Number of lines of play to find.
    pub multipv: NonZeroUsize,
    /// Time reserved at every move for the transmission of the answer.
    pub move_overhead: Duration,
    /// The evaluation at the leaves.
    pub evaluation: EvaluationChoice,
    /// A network that replaces the built-in one on boards of its rules.
    pub network: Option<Arc<Network>>,
    /// Random evaluation errors, for weaker play.
    pub noise: Option<EvaluationNoise>,
    /// Moves that the depth-first searches overlook, for weaker play.
    pub oversights: Option<Oversights>,
    /// The search.
    pub variant: Variant,
    /// Options of the depth-first searches.
    pub depth_first: DepthFirstOptions,
    /// Whether NegaScout begins each iteration with an aspiration window around the last value.
    pub aspiration: bool,
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
            oversights: None,
            variant: Variant::default(),
            depth_first: DepthFirstOptions::default(),
            aspiration: true,
        }
    }
}

impl SearchOptions {
    /// NegaScout with the plain evaluation: its values do not change with the strength of the engine.
    pub fn negascout() -> SearchOptions {
        SearchOptions { variant: Variant::NEGASCOUT, ..SearchOptions::default() }
    }

    /// The evaluation on boards of these rules.
    pub fn evaluation(&self, rules: Rules) -> Evaluation {
        let learned = || {
            let given = self.network.as_ref().filter(|network| network.rules() == rules).cloned();
            let network = given.or_else(|| Network::built_in(rules));
            network.map_or_else(Evaluation::default, Evaluation::Learned)
        };
        let is_selective = self.variant == Variant::DepthFirst(DepthFirst::Selective);
        let evaluation = match &self.evaluation {
            EvaluationChoice::Automatic if is_selective => learned(),
            EvaluationChoice::Learned => learned(),
            EvaluationChoice::Automatic | EvaluationChoice::Plain => Evaluation::default(),
            EvaluationChoice::Material => Evaluation::material(),
            EvaluationChoice::Given(evaluation) => evaluation.clone(),
        };
        match self.noise {
            Some(noise) => Evaluation::Noisy(Box::new(evaluation), noise),
            None => evaluation,
        }
    }
}

/// Options of the depth-first searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthFirstOptions {
    /// Which entries of the transposition table are used.
    pub table: TableUse,
    /// How moves are ordered.
    pub ordering: MoveOrdering,
    /// The random seed of [`MoveOrdering::Random`] and of the Monte Carlo searches.
    pub random_seed: u64,
    /// The parameters of the selective search.
    pub selective: SelectiveParameters,
}

/// Which entries of the transposition table a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableUse {
    /// Entries of at least the required depth, and proven ones.
    #[default]
    On,
    /// Entries of exactly the required depth: the value is then the same as with [`TableUse::Off`].
    EqualDepth,
    /// None; nothing is stored.
    Off,
}

impl TableUse {
    /// All settings.
    pub const ALL: [TableUse; 3] = [TableUse::On, TableUse::EqualDepth, TableUse::Off];
}
