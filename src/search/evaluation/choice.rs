//! Which evaluation a search plays with.

use std::sync::Arc;

use super::Evaluation;
use super::network::Network;
use crate::board::Rules;
use crate::search::variant::{DepthFirst, Variant};

/// Which evaluation a search is to play with, whatever the board.
#[derive(Clone, Debug, Default)]
pub enum EvaluationChoice {
    /// The learned one for the selective search. The searches of the literature keep the plain one, so
    /// that comparisons with them stay what they were.
    #[default]
    Automatic,
    /// The learned one, or the plain one where none has been learned.
    Learned,
    /// The plain one.
    Plain,
    /// Counting stores and nothing else.
    Material,
    /// This one.
    Given(Evaluation),
}

impl EvaluationChoice {
    /// The evaluation of a search on boards of these rules. A network that is given goes before the one
    /// that comes with the program.
    pub fn evaluation(
        &self,
        variant: Variant,
        rules: Rules,
        given: Option<&Arc<Network>>,
    ) -> Evaluation {
        let is_learned = match self {
            EvaluationChoice::Automatic => {
                matches!(variant, Variant::DepthFirst(DepthFirst::Selective))
            }
            EvaluationChoice::Learned => true,
            EvaluationChoice::Plain => false,
            EvaluationChoice::Material => return Evaluation::material(),
            EvaluationChoice::Given(evaluation) => return evaluation.clone(),
        };
        let given = given.filter(|network| network.rules() == rules).cloned();
        let network = given.or_else(|| Network::built_in(rules)).filter(|_| is_learned);
        network.map_or_else(Evaluation::default, Evaluation::Learned)
    }
}
