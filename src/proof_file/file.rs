//! Proof files, byte by byte; `docs/formats/proofs.md` specifies them.

use std::io::{self, Write};
use std::path::Path;

use crc32fast::Hasher;

use super::claim::{Claim, EndgameGains};
use super::error::{ProofFault, ProofFileError};
use super::plain_position::{PlainPosition, PlainRanks};
use super::walk::{ProofStep, ProofWalk, StepReader, StepWriter};
use crate::board::{Board, MAX_HOUSES, Side};
use crate::file_header::{CHECKSUM, FileFormat, FileHeaderError, START, little_endian};
use crate::regular_file;
use crate::tablebase::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, positions};

const FORMAT: FileFormat = FileFormat { name: "proof", magic: *b"\x89KPR\r\n\x1a\n", version: 1 };
const HEADER: usize = 72;

/// No larger file is read.
const MAX_BYTES: u64 = 1 << 30;

/// The most positions of the search of a leaf: some seconds.
pub const MAX_LEAF_NODES: u32 = 1 << 24;

/// Most seeds in the houses: bounds of gains have to fit in a byte.
const MAX_PROOF_SEEDS: u32 = 127;

/// Positions of the game for each gain of the tablebase, by default.
const POSITIONS_PER_GAIN: u64 = 40_000;

/// The most gains of the tablebase, by default: those of 24 seeds on 6 houses a side.
const MAX_GAINS: u64 = 1_300_000_000;

/// Positions of the search of a leaf, by default.
const LEAF_NODES: u32 = 10_000;

/// Where the claims of a proof end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// Positions with at most this many seeds in the houses are looked up in a tablebase.
    pub table_seeds: u32,
    /// Positions of the search that decides a leaf, at most [`MAX_LEAF_NODES`].
    pub leaf_nodes: u32,
}

impl ProofLimits {
    /// Limits with which a proof can be verified in less time than it takes to solve the board.
    pub fn from_board(board: &Board) -> ProofLimits {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        let count = |seeds| positions(rules.houses(), seeds).unwrap_or(u64::MAX);
        let max_gains = (count(seeds) / POSITIONS_PER_GAIN).min(MAX_GAINS);
        let fits = |&fewer: &u32| rules.houses() <= MAX_TABLE_HOUSES && count(fewer) <= max_gains;
        let table_seeds = (0..=seeds).take_while(fits).last().unwrap_or(0);
        ProofLimits { table_seeds, leaf_nodes: LEAF_NODES }
    }
}

/// A proof of the value of a board.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use kalah::proof_file::{ProofFile, ProofLimits, ProofProgress};
/// use kalah::solve::{SolveProgress, SolverResources};
/// use kalah::{Board, Rules, Solver, StopToken};
///
/// let board = Board::start(Rules::default(), 2)?;
/// let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
/// let limits = ProofLimits { table_seeds: 6, leaf_nodes: 100 };
/// let stop = StopToken::new();
/// let proof = solver.proof(&board, limits, &stop, &SolveProgress::default())?;
///
/// let mut bytes = Vec::new();
/// proof.write(&mut bytes)?;
/// let proof = ProofFile::from_bytes(&bytes)?;
/// assert_eq!((proof.board(), proof.margin()), (&board, 6));
/// let report = proof.verify(NonZeroUsize::MIN, &stop, &ProofProgress::default())?;
/// assert_eq!(report.claims, proof.claims());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFile {
    board: Board,
    margin: i32,
    limits: ProofLimits,
    claims: u64,
    leaves: u64,
    steps: Vec<u8>,
}

impl ProofFile {
    /// The board whose value is proven.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The final difference of the stores, in seeds, from the view of the player to move.
    pub fn margin(&self) -> i32 {
        self.margin
    }

    /// Where the claims end.
    pub fn limits(&self) -> ProofLimits {
        self.limits
    }

    /// The number of claims that the gain of a position reaches a target, or that it does not.
    pub fn claims(&self) -> u64 {
        self.claims
    }

    /// The claims that are decided by a search.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    pub(super) fn steps(&self) -> StepReader<'_> {
        StepReader::new(&self.steps)
    }

    /// Reads a file and checks its form; [`verify`](Self::verify) checks the proof.
    ///
    /// # Errors
    /// Returns an error if it is not a regular file, has more than 1 GiB, or is not a whole proof file.
    pub fn read(path: &Path) -> Result<ProofFile, ProofFileError> {
        let bytes = regular_file::read(path, MAX_BYTES).map_err(ProofFileError::Read)?;
        ProofFile::from_bytes(&bytes)
    }

    /// The proof in the contents of a file.
    ///
    /// # Errors
    /// Returns an error if they are not a whole proof file.
    pub fn from_bytes(bytes: &[u8]) -> Result<ProofFile, ProofFileError> {
        let (rules, fields) = FORMAT.check(bytes)?;
        let steps = fields.get(HEADER - START..).ok_or(FileHeaderError::Damaged)?;
        let header = &bytes[..HEADER];
        let number = |start: usize, length: usize| little_endian(&header[start..start + length]);
        let side = Side::ALL.get(number(12, 1) as usize);
        let side = *side.ok_or(ProofFileError::Header("side to move"))?;
        let row = |start: usize| header[start..].iter().map(|&seeds| u16::from(seeds));
        let rows = [48, 60].map(|start| row(start).take(rules.houses()).collect::<Vec<_>>());
        let stores = [number(36, 2) as u16, number(38, 2) as u16];
        let board = Board::new(rules, [&rows[0], &rows[1]], stores, side)?;
        let limits =
            ProofLimits { table_seeds: number(13, 1) as u32, leaf_nodes: number(16, 4) as u32 };
        if limits.table_seeds > MAX_TABLE_SEEDS.min(board.seeds_in_play()) {
            return Err(ProofFileError::Header("number of seeds in the tablebase"));
        }
        if limits.leaf_nodes > MAX_LEAF_NODES {
            return Err(ProofFileError::Header("size of a leaf"));
        }
        let (margin, claims, leaves) = (number(40, 2) as i16, number(20, 8), number(28, 8));
        let mut proof =
            ProofFile { claims, leaves, ..ProofFile::without_steps(&board, margin.into(), limits) };
        // These numbers determine every byte.
        if proof.header() != header {
            return Err(ProofFileError::Header("zeros"));
        }
        proof.steps.try_reserve_exact(steps.len()).map_err(|_| ProofFileError::OutOfMemory)?;
        proof.steps.extend_from_slice(steps);
        ProofFile::root_claims(&board, proof.margin)?;
        Ok(proof)
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        HEADER + self.steps.len() + CHECKSUM
    }

    /// Writes the contents of a file.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let header = self.header();
        let mut hasher = Hasher::new();
        for part in [&header, &self.steps] {
            hasher.update(part);
            output.write_all(part)?;
        }
        output.write_all(&hasher.finalize().to_le_bytes())
    }

    fn header(&self) -> Vec<u8> {
        let ProofFile { board, margin, limits, claims, leaves, .. } = self;
        let mut bytes = FORMAT.start(board.rules()).to_vec();
        bytes.extend([board.side().index() as u8, limits.table_seeds as u8, 0, 0]);
        bytes.extend(limits.leaf_nodes.to_le_bytes());
        bytes.extend([*claims, *leaves].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(Side::ALL.iter().flat_map(|&side| board.store(side).to_le_bytes()));
        bytes.extend((*margin as i16).to_le_bytes());
        bytes.extend([0; 6]);
        for side in Side::ALL {
            let mut row = [0; MAX_HOUSES];
            for (byte, &seeds) in row.iter_mut().zip(board.houses(side)) {
                *byte = seeds as u8;
            }
            bytes.extend(row);
        }
        bytes
    }

    fn without_steps(board: &Board, margin: i32, limits: ProofLimits) -> ProofFile {
        ProofFile { board: *board, margin, limits, claims: 0, leaves: 0, steps: Vec::new() }
    }

    /// The claims that together are the value of a board, and ranks of all positions of the proof.
    pub(crate) fn root_claims(
        board: &Board,
        margin: i32,
    ) -> Result<(PlainRanks, Vec<Claim>), ProofFileError> {
        let (rules, seeds) = (board.rules(), board.seeds_in_play());
        let too_many = ProofFileError::TooManySeeds { houses: rules.houses(), seeds };
        if seeds > MAX_PROOF_SEEDS {
            return Err(too_many);
        }
        let ranks = PlainRanks::new(rules, seeds);
        let (Some(ranks), Some(position)) = (ranks, PlainPosition::from_board(board)) else {
            return Err(too_many);
        };
        let gain = margin.saturating_sub(board.store_difference());
        if gain.unsigned_abs() > seeds || (gain - seeds as i32) % 2 != 0 {
            return Err(ProofFileError::Header("value"));
        }
        let at_least = Claim { position, seeds, target: gain, is_reached: true };
        let no_more = Claim { position, seeds, target: gain + 2, is_reached: false };
        Ok((ranks, vec![no_more, at_least]))
    }

    /// The proof of a value by these steps.
    pub(crate) fn from_steps(
        board: &Board,
        margin: i32,
        limits: ProofLimits,
        endgames: EndgameGains<'_>,
        mut step: impl FnMut(&Claim) -> Option<ProofStep>,
    ) -> Result<ProofFile, ProofFileError> {
        let (ranks, roots) = ProofFile::root_claims(board, margin)?;
        let mut walk = ProofWalk::new(board.rules(), &ranks, endgames, roots);
        let mut steps = StepWriter::default();
        let mut leaves = 0;
        loop {
            let leaf = walk.next_leaf(|claim| {
                let step = step(claim).ok_or(ProofFault::Unproven(claim.text(board.rules())))?;
                steps.push(claim, step)?;
                Ok(step)
            });
            match leaf {
                Ok(Some(_)) => leaves += 1,
                Ok(None) => break,
                Err(fault) => return Err(ProofFileError::at(walk.claims(), fault)),
            }
        }
        let (claims, steps) = (walk.claims(), steps.bytes);
        Ok(ProofFile { claims, leaves, steps, ..ProofFile::without_steps(board, margin, limits) })
    }
}
