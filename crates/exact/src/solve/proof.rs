//! `kalah solve --proof`: writes the proof of a margin.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use kalah::board::Board;
use kalah::proof_file::{MAX_LEAF_NODES, ProofLimits};
use kalah::solve::{SolveError, SolveProgress};
use kalah::tablebase::MAX_TABLE_SEEDS;
use serde::Serialize;

use super::session::SolveSession;
use kalah_command::exit::interrupted;
use kalah_command::new_file::NewFile;
use kalah_command::options::number;
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::progress_line;
use kalah_command::table::{grouped, grouped_count};

#[derive(Args)]
pub(super) struct ProofArguments {
    /// Write a proof of the margin to this file, for `kalah verify-proof`. The margins of --moves are
    /// not part of it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "table"])]
    proof: Option<PathBuf>,

    /// Let the proof rest on the tablebase of positions with at most N seeds [default: by the size of
    /// the board]
    #[arg(long, value_name = "N", requires = "proof",
          value_parser = number::<u32>(0..=u64::from(MAX_TABLE_SEEDS)))]
    proof_seeds: Option<u32>,

    /// Leave to the verifier what its own search decides within N positions [default: by the size of
    /// the board]
    #[arg(long, value_name = "N", requires = "proof",
          value_parser = number::<u32>(0..=u64::from(MAX_LEAF_NODES)))]
    proof_nodes: Option<u32>,
}

/// The proof that was written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProofJson {
    /// The path of the file.
    proof: String,
    /// The most seeds in the houses of positions that the proof leaves to the tablebase.
    table_seeds: u32,
    /// The most positions of a search of the verifier for one leaf.
    leaf_nodes: u32,
    /// The number of claims.
    claims: u64,
    /// The number of claims that the verifier searches.
    leaves: u64,
    /// The size of the file.
    bytes: usize,
    /// The time that it took, in seconds.
    seconds: f64,
}

impl ProofArguments {
    /// The file, if there is to be one; an error if it cannot be written.
    pub(super) fn file(&self) -> anyhow::Result<Option<NewFile>> {
        self.proof.as_deref().map(NewFile::create).transpose()
    }

    /// Finds the proof of a board that has been solved, writes it, and prints a line about it.
    pub(super) fn write(
        &self,
        file: NewFile,
        session: &mut SolveSession,
        board: &Board,
        output: OutputOption,
    ) -> anyhow::Result<()> {
        let default = ProofLimits::from_board(board);
        let limits = ProofLimits {
            table_seeds: self.proof_seeds.unwrap_or(default.table_seeds),
            leaf_nodes: self.proof_nodes.unwrap_or(default.leaf_nodes),
        };
        let progress = Arc::new(SolveProgress::default());
        let shown = Arc::clone(&progress);
        let bar = progress_line(move || {
            let (claims, nodes) = (grouped(shown.claims()), grouped(shown.nodes()));
            format!("proof: {claims} claims, {nodes} nodes")
        });
        let start = Instant::now();
        let proof = session.solver.proof(board, limits, &session.stop, &progress);
        bar.finish_and_clear();
        let proof = match proof {
            Err(SolveError::Stopped) => return Err(interrupted(": no proof was written")),
            proof => proof?,
        };
        let name = file.path().display().to_string();
        file.write(|file| Ok(proof.write(file)?))?;
        let seconds = start.elapsed().as_secs_f64();
        let (claims, leaves, bytes) = (proof.claims(), proof.leaves(), proof.size());
        let ProofLimits { table_seeds, leaf_nodes } = proof.limits();
        writeln!(
            output.text(),
            "proof   '{name}': {}, {} of them leaves, {} bytes, in {seconds:.2} s",
            grouped_count(claims, "claim"),
            grouped(leaves),
            grouped(bytes as u64),
        )?;
        let json =
            ProofJson { proof: name, table_seeds, leaf_nodes, claims, leaves, bytes, seconds };
        output.print("kalah-solve-proof", &json)
    }
}
