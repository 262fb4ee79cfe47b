//! The steps of a proof as bits, the lowest of a byte first: 1 for a leaf, else 0. After that follows, if the
//! claim is that the target is reached, the number of the move in as many bits as the moves need.

use super::claim::Claim;
use super::error::ProofFault;
use super::walk::ProofStep;
use crate::board::MAX_HOUSES;

/// The number of bits of a move in a position with some moves.
fn bits_of_move(moves: u16) -> u32 {
    u16::BITS - (moves.count_ones() as u16).saturating_sub(1).leading_zeros()
}

/// Reads steps.
pub(super) struct StepReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    place: usize,
}

impl<'a> StepReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> StepReader<'a> {
        StepReader { bytes, place: 0 }
    }

    /// The step of a claim.
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

/// Writes steps.
#[derive(Default)]
pub(super) struct StepWriter {
    bytes: Vec<u8>,
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

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
