//! What a player's answers gave away.

use std::collections::BTreeMap;

use kalah_records::FaultKind;
use kalah_records::statistics::{Estimate, mean_estimate, share_estimate};
use serde::Serialize;

use crate::{Answer, ExamPosition, PositionSet};

/// The results of a player in all positions that it was asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionResults {
    /// All positions.
    pub total: Group,
    /// By phase, in the order of a game.
    pub phases: Vec<Group>,
    /// By theme; a position can count for several, or for none.
    pub themes: Vec<Group>,
    /// By the board, such as `6 houses, 48 seeds, standard`.
    pub boards: Vec<Group>,
    /// Answers that were no legal move in time. Each counts as the worst move.
    pub faults: FaultCounts,
    /// Positions that were not asked, since the player does not know their rules.
    pub left_out: Vec<LeftOut>,
    /// The mean time of an answer, in milliseconds; 0 without answers.
    pub mean_milliseconds: f64,
    /// The longest time of an answer, in milliseconds.
    pub longest_milliseconds: f64,
}

/// The results in some of the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// Positions asked.
    pub positions: usize,
    /// The seeds given away a move.
    #[cfg_attr(test, schemars(schema_with = "crate::schemas::estimate"))]
    pub regret: Estimate,
    /// The share of best moves, 0 to 1.
    #[cfg_attr(test, schemars(schema_with = "crate::schemas::estimate"))]
    pub best: Estimate,
    /// The share of moves that change who wins, or give a draw away, 0 to 1.
    #[cfg_attr(test, schemars(schema_with = "crate::schemas::estimate"))]
    pub results_lost: Estimate,
    /// The seeds that random moves give away in these positions, a move: computed, not measured.
    pub random_regret: f64,
    /// The seeds that the move gives away which brings most seeds at once.
    pub greedy_regret: f64,
}

/// Positions by rules that a player does not know.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The rules.
    pub rules: &'static str,
    /// How many positions.
    pub positions: usize,
    /// What the player said.
    pub reason: String,
}

/// Answers that were no legal move in time, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FaultCounts {
    /// Illegal moves, or none.
    pub illegal: usize,
    /// The program ended.
    pub crashed: usize,
    /// Answers after the time of a move, or none until then.
    pub late: usize,
    /// No answer from a program without a time for its moves.
    pub stalled: usize,
}

impl FaultCounts {
    /// All faults.
    pub fn total(&self) -> usize {
        let FaultCounts { illegal, crashed, late, stalled } = self;
        illegal + crashed + late + stalled
    }

    pub(crate) fn add(&mut self, fault: FaultKind, times: usize) {
        *match fault {
            FaultKind::IllegalMove => &mut self.illegal,
            FaultKind::Crashed => &mut self.crashed,
            FaultKind::TimeForfeit => &mut self.late,
            FaultKind::Stalled => &mut self.stalled,
        } += times;
    }
}

impl Group {
    fn new(name: &str, answered: &[(&Answer, &ExamPosition)]) -> Group {
        let positions = answered.len();
        let mean = |sum: f64| if positions == 0 { 0.0 } else { sum / positions as f64 };
        let losses: Vec<f64> = answered.iter().map(|(answer, _)| answer.loss.into()).collect();
        let random_regret = mean(answered.iter().map(|(_, asked)| asked.random_loss()).sum());
        let greedy_regret = mean(answered.iter().map(|(_, asked)| asked.greedy_loss()).sum());
        let regret = mean_estimate(&losses, random_regret);
        let share = |is_counted: &dyn Fn(&Answer, &ExamPosition) -> bool| {
            let count = answered.iter().filter(|(answer, asked)| is_counted(answer, asked)).count();
            share_estimate(mean(count as f64), positions as f64)
        };
        Group {
            name: name.to_owned(),
            positions,
            // No move gives away less than nothing.
            regret: Estimate { low: regret.low.max(0.0), ..regret },
            best: share(&|answer, _| answer.loss == 0),
            results_lost: share(&|answer, asked| asked.changes_result(answer.loss)),
            random_regret,
            greedy_regret,
        }
    }
}

/// The groups of the positions that have a key in common, in the order of the keys.
fn groups<K: Ord + ToString>(
    answered: &[(&Answer, &ExamPosition)],
    keys: impl Fn(&ExamPosition) -> Vec<K>,
) -> Vec<Group> {
    let mut groups: BTreeMap<K, Vec<_>> = BTreeMap::new();
    for &(answer, position) in answered {
        for key in keys(position) {
            groups.entry(key).or_default().push((answer, position));
        }
    }
    groups.iter().map(|(name, of)| Group::new(&name.to_string(), of)).collect()
}

impl PositionResults {
    /// The results of a player that gave these answers to positions of a set.
    pub fn new(set: &PositionSet, answers: &[Answer], left_out: Vec<LeftOut>) -> PositionResults {
        let asked = |answer: &Answer| set.positions.get(answer.position.checked_sub(1)?);
        let answered: Vec<(&Answer, &ExamPosition)> =
            answers.iter().filter_map(|answer| Some((answer, asked(answer)?))).collect();
        let mut faults = FaultCounts::default();
        answers.iter().filter_map(|answer| answer.fault).for_each(|fault| faults.add(fault, 1));
        let times: Vec<f64> = answers.iter().filter_map(|answer| answer.milliseconds).collect();
        PositionResults {
            total: Group::new("all positions", &answered),
            phases: groups(&answered, |position| vec![position.phase()]),
            themes: groups(&answered, ExamPosition::themes),
            boards: groups(&answered, |position| vec![position.game()]),
            faults,
            left_out,
            mean_milliseconds: times.iter().fold(0.0, |sum, time| sum + time)
                / times.len().max(1) as f64,
            longest_milliseconds: times.into_iter().fold(0.0, f64::max),
        }
    }
}
