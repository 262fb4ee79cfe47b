//! Proof and disproof numbers of trees drawn by hand of which some leaves are not known yet.

use std::fmt;
use std::str::FromStr;

use super::explicit_tree::{ExplicitNode, ExplicitTree};
use crate::search::{LeafSelection, ProofNumbers, ProofTree};

/// A leaf that is known or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It has been evaluated.
    Known(i32),
    /// It can be, at a cost of 1.
    Unknown,
}

/// A value, or `?`.
impl FromStr for Evidence {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Evidence, Self::Err> {
        if text == "?" { Ok(Evidence::Unknown) } else { text.parse().map(Evidence::Known) }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Known(value) => value.fmt(f),
            Evidence::Unknown => f.write_str("?"),
        }
    }
}

/// What a partly known tree says about the claim that its root is worth so much or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedTree {
    /// Of all positions, in the order of [`ExplicitTree::nodes`].
    pub numbers: Vec<ProofNumbers>,
    /// The leaf to evaluate next, as the lecture chooses it; `None` when the claim is settled.
    pub next: Option<ExplicitNode>,
}

impl ExplicitTree<Evidence> {
    /// The numbers for the claim that the root is worth `v` or more.
    pub fn proof_numbers(&self, v: i32) -> NumberedTree {
        // What stands at unknown leaves does not matter: they are not looked at.
        let game = self.with_leaves(|evidence| match evidence {
            Evidence::Known(value) => *value,
            Evidence::Unknown => 0,
        });
        let mut tree = ProofTree::new(&game, game.root(), v);
        let mut open = vec![tree.root()];
        let mut numbers = vec![ProofNumbers::UNKNOWN; self.nodes().count()];
        while let Some(node) = open.pop() {
            if self.leaf(*tree.position(node)) != Some(&Evidence::Unknown) {
                tree.develop(node);
                open.extend(tree.children(node));
            }
        }
        let mut seen = vec![tree.root()];
        while let Some(node) = seen.pop() {
            numbers[tree.position(node).index()] = tree.numbers(node);
            seen.extend(tree.children(node));
        }
        let next = tree.most_proving(LeafSelection::NearerGoal);
        NumberedTree { numbers, next: next.map(|node| *tree.position(node)) }
    }
}
