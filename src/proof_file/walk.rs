//! The order of a proof: depth first from the root, each claim once. And its steps as bits, the lowest of a
//! byte first: 1 for a leaf, else 0. After that follows, if the claim is that the target is reached, the
//! number of the move in as many bits as the moves need.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::claim::{Claim, EndgameGains};
use super::error::ProofFault;
use super::plain_position::PlainRanks;
use crate::board::{MAX_HOUSES, Rules};

/// How a proof proves a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofStep {
    /// By a search.
    Leaf,
    /// By the claim after the move that sows this house.
    Move(u8),
    /// By the claims after all moves.
    AllMoves,
}

/// A claim whose moves are being proven.
struct OpenClaim {
    claim: Claim,
    rank: u64,
    /// The moves that are left, a bit for each house.
    moves: u16,
}

/// The bounds of a gain that the claims so far imply.
#[derive(Clone, Copy)]
struct ClaimedBounds {
    lower: i8,
    upper: i8,
}

/// A walk through all claims of a proof, the same for reader and writer: a file needs only its steps.
pub(crate) struct ProofWalk<'a> {
    rules: Rules,
    ranks: &'a PlainRanks,
    endgames: EndgameGains<'a>,
    roots: Vec<Claim>,
    open: Vec<OpenClaim>,
    /// By rank. A claim enters when all that it follows from has been walked through.
    proven: FxHashMap<u64, ClaimedBounds>,
    claims: u64,
}

impl<'a> ProofWalk<'a> {
    /// A walk through the proofs of some claims, the last one first.
    pub(crate) fn new(
        rules: Rules,
        ranks: &'a PlainRanks,
        endgames: EndgameGains<'a>,
        roots: Vec<Claim>,
    ) -> ProofWalk<'a> {
        let (open, proven) = (Vec::new(), FxHashMap::default());
        ProofWalk { rules, ranks, endgames, roots, open, proven, claims: 0 }
    }

    /// Claims with a step so far.
    pub(crate) fn claims(&self) -> u64 {
        self.claims
    }

    /// Walks on to the next leaf; `None` at the end. `step` says how a claim is proven, if that is known.
    pub(crate) fn next_leaf(
        &mut self,
        mut step: impl FnMut(&Claim) -> Result<ProofStep, ProofFault>,
    ) -> Result<Option<Claim>, ProofFault> {
        loop {
            let claim = if let Some(open) = self.open.last_mut() {
                if open.moves == 0 {
                    let OpenClaim { claim, rank, .. } = *open;
                    self.open.pop();
                    self.keep(&claim, rank)?;
                    continue;
                }
                let house = open.moves.trailing_zeros();
                open.moves &= open.moves - 1;
                let played = open.claim.position.play(self.rules, house as usize);
                open.claim.after(&played)
            } else if let Some(root) = self.roots.pop() {
                root
            } else {
                return Ok(None);
            };
            let rank = self.ranks.rank(&claim.position);
            if let Some(is_reached) = self.known(&claim, rank) {
                if is_reached != claim.is_reached {
                    return Err(ProofFault::Contradiction(claim.text(self.rules)));
                }
                continue;
            }
            self.claims += 1;
            let moves = claim.position.moves();
            let moves = match step(&claim)? {
                ProofStep::Leaf => {
                    self.keep(&claim, rank)?;
                    return Ok(Some(claim));
                }
                ProofStep::Move(house) if claim.is_reached => {
                    moves & 1_u16.checked_shl(house.into()).unwrap_or(0)
                }
                // One move refutes nothing.
                ProofStep::Move(_) | ProofStep::AllMoves => moves,
            };
            if moves == 0 {
                return Err(ProofFault::NoSuchMove(claim.text(self.rules)));
            }
            self.open.push(OpenClaim { claim, rank, moves });
        }
    }

    /// Whether the target of a claim is reached, if that needs no step.
    fn known(&self, claim: &Claim, rank: u64) -> Option<bool> {
        let Claim { position, seeds, target, .. } = claim;
        self.endgames.decide(position, *seeds, *target).or_else(|| {
            let ClaimedBounds { lower, upper } = self.proven.get(&rank)?;
            let (lower, upper) = (i32::from(*lower), i32::from(*upper));
            (*target <= lower || *target > upper).then_some(*target <= lower)
        })
    }

    fn keep(&mut self, claim: &Claim, rank: u64) -> Result<(), ProofFault> {
        self.proven.try_reserve(1).map_err(|_| ProofFault::OutOfMemory)?;
        let max_gain = claim.seeds as i8;
        let bounds = match self.proven.entry(rank) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(ClaimedBounds { lower: -max_gain, upper: max_gain })
            }
        };
        if claim.is_reached {
            bounds.lower = bounds.lower.max(claim.target as i8);
        } else {
            bounds.upper = bounds.upper.min((claim.target - 2) as i8);
        }
        Ok(())
    }
}

/// The number of bits of a move in a position with some moves.
fn bits_of_move(moves: u16) -> u32 {
    u16::BITS - (moves.count_ones() as u16).saturating_sub(1).leading_zeros()
}

pub(super) struct StepReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    place: usize,
}

impl<'a> StepReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> StepReader<'a> {
        StepReader { bytes, place: 0 }
    }

    pub(super) fn next(&mut self, claim: &Claim) -> Result<ProofStep, ProofFault> {
        if self.bit()? {
            return Ok(ProofStep::Leaf);
        }
        if !claim.is_reached {
            return Ok(ProofStep::AllMoves);
        }
        let moves = claim.position.moves();
        let mut number = 0;
        for bit in 0..bits_of_move(moves) {
            number |= u32::from(self.bit()?) << bit;
        }
        // From the right; without such a move, none.
        let house = (0..MAX_HOUSES as u8).rev().filter(|house| moves >> house & 1 == 1);
        let house = house.clone().nth(number as usize);
        Ok(ProofStep::Move(house.unwrap_or(u8::MAX)))
    }

    fn bit(&mut self) -> Result<bool, ProofFault> {
        let byte = self.bytes.get(self.place / 8).ok_or(ProofFault::End)?;
        let bit = byte >> (self.place % 8) & 1;
        self.place += 1;
        Ok(bit == 1)
    }

    /// Whether only the zeros that fill the last byte are left.
    pub(super) fn is_at_end(&self) -> bool {
        let last = self.bytes.get(self.place / 8);
        self.bytes.len() == self.place.div_ceil(8)
            && last.is_none_or(|byte| byte >> (self.place % 8) == 0)
    }
}

#[derive(Default)]
pub(super) struct StepWriter {
    pub(super) bytes: Vec<u8>,
    place: usize,
}

impl StepWriter {
    /// Adds the step of a claim; fails if there is no memory.
    pub(super) fn push(&mut self, claim: &Claim, step: ProofStep) -> Result<(), ProofFault> {
        // More than the bits of a step take.
        self.bytes.try_reserve(size_of::<u16>()).map_err(|_| ProofFault::OutOfMemory)?;
        self.push_bit(step == ProofStep::Leaf);
        if let ProofStep::Move(house) = step {
            let moves = claim.position.moves();
            let number = (moves >> house >> 1).count_ones();
            for bit in 0..bits_of_move(moves) {
                self.push_bit(number >> bit & 1 == 1);
            }
        }
        Ok(())
    }

    fn push_bit(&mut self, bit: bool) {
        if self.place.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(byte) = self.bytes.last_mut() {
            *byte |= u8::from(bit) << (self.place % 8);
        }
        self.place += 1;
    }
}
