//! `kalah verify-proof`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use kalah::proof_file::{ProofFile, ProofFileError, ProofLimits, ProofProgress};
use kalah::text_file;
use serde::Serialize;

use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::{number, thread_count};
use kalah_command::output::{OutputOption, RuleMembers};
use kalah_command::progress_bar::progress_line;
use kalah_command::table::grouped;

/// Verify the proof of a margin
///
/// `kalah solve --proof` writes such files. The verifier plays moves seed by seed and uses no code of the
/// solver. The last line but one names the tablebase on which the proof rests. The exit status is 1 if the
/// file is damaged or proves nothing.
///
///   kalah solve --seeds 4 --proof kalah-6-4.proof
///   kalah verify-proof kalah-6-4.proof
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct VerifyProof {
    /// The proof; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    output: OutputOption,
}

/// Bytes of the largest proof.
const MAX_BYTES: u64 = 1 << 30;

/// The verification of a proof.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifiedJson {
    /// The board as FEN, with the side to move.
    fen: String,
    #[serde(flatten)]
    rules: RuleMembers,
    /// The final difference of the stores with best play, in seeds, from the view of the side
    /// to move.
    margin: i32,
    /// The most seeds in the houses of positions that the proof leaves to the tablebase.
    table_seeds: u32,
    /// The most positions of a search of the verifier for one leaf.
    leaf_nodes: u32,
    /// The number of claims.
    claims: u64,
    /// The number of claims that the verifier searches.
    leaves: u64,
    /// Positions searched for leaves.
    nodes: u64,
    /// Gains of the tablebase that were verified.
    gains: u64,
    /// The time that it took, in seconds.
    seconds: f64,
    /// What is wrong; null if the margin is proven.
    fault: Option<String>,
}

impl VerifiedJson {
    fn text(&self) -> String {
        if self.fault.is_some() {
            return "not proven".to_owned();
        }
        let VerifiedJson { table_seeds, claims, leaves, nodes, gains, seconds, .. } = self;
        let [claims, leaves, nodes] = [claims, leaves, nodes].map(|&number| grouped(number));
        let table = match gains {
            0 => "the ends of games".to_owned(),
            _ => format!(
                "the tablebase of {table_seeds} seeds, whose {} gains were all verified by their moves",
                grouped(*gains)
            ),
        };
        format!(
            "claims  {claims}, {leaves} of them leaves\nnodes   {nodes} in {seconds:.2} s\n\
             rests on {table}\nproven"
        )
    }
}

impl VerifyProof {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let place = || text_file::name(&self.file);
        let proof = if self.file == Path::new("-") {
            let bytes = text_file::read_pipe(&self.file, MAX_BYTES).with_context(place)?;
            ProofFile::from_bytes(&bytes)
        } else {
            ProofFile::read(&self.file)
        };
        let proof = proof.with_context(place)?;
        let stop = stop_on_ctrl_c()?;
        let mut out = self.output.text();
        let (fen, margin) = (proof.board().fen(), proof.margin());
        let rule_set = proof.board().rules().rule_set();
        writeln!(out, "board   {fen}, {rule_set}\nmargin  {margin}")?;
        let progress = Arc::new(ProofProgress::default());
        let (shown, all) = (Arc::clone(&progress), grouped(proof.leaves()));
        let bar = progress_line(move || {
            let [gains, leaves] = [shown.gains(), shown.leaves()].map(grouped);
            format!("{gains} gains verified, {leaves} of {all} leaves searched")
        });
        let start = Instant::now();
        let result = proof.verify(thread_count(self.threads), &stop, &progress);
        bar.finish_and_clear();
        if let Err(ProofFileError::Stopped) = result {
            return Err(interrupted(""));
        }
        let ProofLimits { table_seeds, leaf_nodes } = proof.limits();
        let verified = VerifiedJson {
            fen,
            rules: rule_set.into(),
            margin,
            table_seeds,
            leaf_nodes,
            claims: proof.claims(),
            leaves: proof.leaves(),
            nodes: progress.leaf_nodes(),
            gains: progress.gains(),
            seconds: start.elapsed().as_secs_f64(),
            fault: result.as_ref().err().map(ToString::to_string),
        };
        writeln!(out, "{}", verified.text())?;
        out.flush()?;
        self.output.print("kalah-verify-proof", &verified)?;
        result.map(drop).with_context(place)
    }
}
