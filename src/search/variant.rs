//! The searches there are, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::limits::Limits;

/// A search of the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Iterative deepening with one of the depth-first searches.
    DepthFirst(DepthFirst),
    /// Proof-number search.
    ProofNumber,
    /// Random games from each move, the same number for all.
    FlatMonteCarlo,
    /// Random games from each move, more for those that look good.
    FlatUcb,
    /// Monte Carlo tree search.
    MonteCarloTree,
}

/// A search that goes through the tree depth first, to a fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthFirst {
    /// Every move of every position.
    Minimax,
    /// Alpha-beta, fail-soft, with the whole window at the root.
    AlphaBeta,
    /// Pearl's SCOUT.
    Scout,
    /// Reinefeld's NegaScout as the negamax procedure F4.
    NegaScout,
    /// NegaScout as the procedures F4' and G4' of the two players.
    NegaScoutMinimax,
    /// Principal variation search.
    Pvs,
    /// Null-window searches only.
    Mtd(MtdDriver),
    /// Principal variation search that leaves out what is hardly worth a look.
    Selective,
}

/// From where the bounds of a memory-enhanced test driver come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MtdDriver {
    /// From a guess, the value of the iteration before: MTD(f).
    Guess,
    /// From the middle of what is left: bisection.
    Bisection,
    /// From the greatest value down: SSS*.
    Above,
    /// From the least value up: DUAL*.
    Below,
}

impl Variant {
    /// The search that the engine plays with.
    pub const SELECTIVE: Variant = Variant::DepthFirst(DepthFirst::Selective);

    /// The search for those who want the value to a depth.
    pub const NEGASCOUT: Variant = Variant::DepthFirst(DepthFirst::NegaScout);

    /// All of them with their names.
    pub const ALL: [(&'static str, Variant); 15] = [
        ("selective", Variant::DepthFirst(DepthFirst::Selective)),
        ("minimax", Variant::DepthFirst(DepthFirst::Minimax)),
        ("alphabeta", Variant::DepthFirst(DepthFirst::AlphaBeta)),
        ("scout", Variant::DepthFirst(DepthFirst::Scout)),
        ("negascout", Variant::DepthFirst(DepthFirst::NegaScout)),
        ("negascout-minimax", Variant::DepthFirst(DepthFirst::NegaScoutMinimax)),
        ("pvs", Variant::DepthFirst(DepthFirst::Pvs)),
        ("mtdf", Variant::DepthFirst(DepthFirst::Mtd(MtdDriver::Guess))),
        ("mtd-bi", Variant::DepthFirst(DepthFirst::Mtd(MtdDriver::Bisection))),
        ("sss", Variant::DepthFirst(DepthFirst::Mtd(MtdDriver::Above))),
        ("dual", Variant::DepthFirst(DepthFirst::Mtd(MtdDriver::Below))),
        ("pns", Variant::ProofNumber),
        ("flat-mc", Variant::FlatMonteCarlo),
        ("flat-ucb", Variant::FlatUcb),
        ("mcts", Variant::MonteCarloTree),
    ];

    /// The names in the order of [`Variant::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::ALL[i].0;
            i += 1;
        }
        names
    };

    /// A limit that means nothing to this search, with those that do.
    pub fn unsupported_limit(self, limits: &Limits) -> Option<(&'static str, &'static str)> {
        let Limits { depth, iterations, .. } = limits;
        match self {
            Variant::DepthFirst(_) => iterations.map(|_| ("iterations", "depth, nodes or time")),
            Variant::ProofNumber if iterations.is_some() => Some(("iterations", "nodes or time")),
            Variant::ProofNumber => depth.map(|_| ("depth", "nodes or time")),
            _ => depth.map(|_| ("depth", "iterations, nodes or time")),
        }
    }

    /// The name of a variant.
    pub fn name(self) -> &'static str {
        Variant::ALL.iter().find(|(_, variant)| *variant == self).map_or("", |(name, _)| name)
    }
}

impl DepthFirst {
    /// Whether the search can begin with part of the window and find out by how it fails that
    /// the value lies elsewhere.
    pub(super) fn has_window(self) -> bool {
        matches!(self, DepthFirst::NegaScout | DepthFirst::NegaScoutMinimax | DepthFirst::Selective)
    }
}

impl Default for Variant {
    fn default() -> Self {
        Variant::SELECTIVE
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no search.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown search '{name}': there are {}", Variant::NAMES.join(", "))]
pub struct UnknownVariant {
    name: String,
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        let known = Variant::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let unknown = || UnknownVariant { name: crate::board::shortened(name) };
        known.map(|&(_, variant)| variant).ok_or_else(unknown)
    }
}
