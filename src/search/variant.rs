//! The searches and their names.

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
    /// Flat Monte Carlo search: the same number of random games for each move.
    FlatMonteCarlo,
    /// Flat Monte Carlo search with UCB1: more random games for promising moves.
    FlatUcb,
    /// Monte Carlo tree search.
    MonteCarloTree,
}

/// A depth-first search to a fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthFirst {
    /// Minimax: every move of every position.
    Minimax,
    /// Alpha-beta, fail-soft, with the full window at the root.
    AlphaBeta,
    /// Pearl's SCOUT.
    Scout,
    /// Reinefeld's NegaScout as the negamax procedure F4.
    NegaScout,
    /// NegaScout as the procedures F4' and G4', one for each player.
    NegaScoutMinimax,
    /// Principal variation search.
    Pvs,
    /// A memory-enhanced test driver: null-window searches only.
    Mtd(MtdDriver),
    /// Principal variation search with pruning and reductions.
    Selective,
}

/// The sequence of bounds that a memory-enhanced test driver tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MtdDriver {
    /// From a guess, the value of the last iteration: MTD(f).
    Guess,
    /// The middle of the remaining range: bisection.
    Bisection,
    /// From the greatest value downwards: SSS*.
    Above,
    /// From the least value upwards: DUAL*.
    Below,
}

impl Variant {
    /// The search that the engine plays with.
    pub const SELECTIVE: Variant = Variant::DepthFirst(DepthFirst::Selective);

    /// The search that returns the value to a depth.
    pub const NEGASCOUT: Variant = Variant::DepthFirst(DepthFirst::NegaScout);

    /// All variants with their names.
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

    /// A limit that is set but not supported by this search, with the limits that are supported.
    pub fn unsupported_limit(self, limits: &Limits) -> Option<(&'static str, &'static str)> {
        let Limits { depth, iterations, .. } = limits;
        match self {
            Variant::DepthFirst(_) => iterations.map(|_| ("iterations", "depth, nodes or time")),
            Variant::ProofNumber if iterations.is_some() => Some(("iterations", "nodes or time")),
            Variant::ProofNumber => depth.map(|_| ("depth", "nodes or time")),
            _ => depth.map(|_| ("depth", "iterations, nodes or time")),
        }
    }

    /// The name of the variant.
    pub fn name(self) -> &'static str {
        Variant::ALL.iter().find(|(_, variant)| *variant == self).map_or("", |(name, _)| name)
    }
}

impl DepthFirst {
    /// The name of the search.
    pub fn name(self) -> &'static str {
        Variant::DepthFirst(self).name()
    }

    /// Whether the search can begin with an aspiration window.
    pub(super) fn supports_aspiration(self) -> bool {
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

/// The error for an unknown name of a search.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown search '{name}', expected one of {}", Variant::NAMES.join(", "))]
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
