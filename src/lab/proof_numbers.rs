//! Proof and disproof numbers of a tree of which some leaves are not known yet: L. V. Allis,
//! M. van der Meulen and H. J. van den Herik, *Proof-Number Search* (Artificial Intelligence 66,
//! 1994), with a threshold as in T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number Search*.

use std::fmt;
use std::str::FromStr;

use super::explicit_tree::{ExplicitNode, ExplicitTree};
use crate::search::Player;

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

/// The leaves it takes at least to prove that a value is at least v, and to prove that it is
/// less; `None` when that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// For at least v.
    pub proof: Option<u32>,
    /// For less than v.
    pub disproof: Option<u32>,
}

/// The least of some numbers, of which those that are none are infinite.
fn least(numbers: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    numbers.flatten().min()
}

impl ExplicitTree<Evidence> {
    /// The numbers of a position for a value of at least `v`.
    pub fn numbers(&self, node: ExplicitNode, v: i32) -> Numbers {
        if let Some(leaf) = self.leaf(node) {
            return match *leaf {
                Evidence::Unknown => Numbers { proof: Some(1), disproof: Some(1) },
                Evidence::Known(value) if value >= v => Numbers { proof: Some(0), disproof: None },
                Evidence::Known(_) => Numbers { proof: None, disproof: Some(0) },
            };
        }
        let proofs = || self.children(node).iter().map(|&child| self.numbers(child, v).proof);
        let disproofs = || self.children(node).iter().map(|&child| self.numbers(child, v).disproof);
        match self.player(node) {
            Player::Max => Numbers { proof: least(proofs()), disproof: disproofs().sum() },
            Player::Min => Numbers { proof: proofs().sum(), disproof: least(disproofs()) },
        }
    }

    /// The leaf to evaluate next, as the lecture chooses it: one that helps most with whichever
    /// looks easier, proof or disproof. `None` when either is complete.
    pub fn most_proving(&self, v: i32) -> Option<ExplicitNode> {
        let Numbers { proof, disproof } = self.numbers(self.root(), v);
        if proof == Some(0) || disproof == Some(0) {
            return None;
        }
        let by_proof = disproof.is_none_or(|disproof| proof.is_some_and(|proof| proof <= disproof));
        let number = |node| {
            let Numbers { proof, disproof } = self.numbers(node, v);
            if by_proof { proof } else { disproof }
        };
        let mut node = self.root();
        while self.leaf(node).is_none() {
            let mut open = self
                .children(node)
                .iter()
                .copied()
                .filter(|&child| number(child).is_some_and(|number| number > 0));
            // Where one child is enough it is the cheapest, where all are needed the first.
            let one_is_enough = (self.player(node) == Player::Max) == by_proof;
            node =
                if one_is_enough { open.min_by_key(|&child| number(child)) } else { open.next() }?;
        }
        Some(node)
    }
}
