//! The commands for exact values: `kalah solve`, `fair`, `verify-proof`, `tablebase` and `book`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod book;
mod fair;
mod probed_board;
mod solve;
mod tablebase;
mod verify_proof;

use clap::Subcommand;

use book::BookCommand;
use fair::FairCommand;
use solve::SolveCommand;
use tablebase::TablebaseCommand;
use verify_proof::VerifyProof;

pub use solve::survey;

/// The commands of this crate.
#[derive(Subcommand)]
pub enum ExactCommand {
    Solve(SolveCommand),
    Fair(FairCommand),
    VerifyProof(VerifyProof),
    #[command(subcommand)]
    Tablebase(TablebaseCommand),
    #[command(subcommand)]
    Book(BookCommand),
}

kalah_command::run_subcommands!(ExactCommand { Solve, Fair, VerifyProof, Tablebase, Book });

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    use super::{book, fair, probed_board, solve, tablebase, verify_proof};

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        let probe = "kalah tablebase probe --json, kalah book probe --json";
        check::<probed_board::ProbedBoard>("probe", probe)?;
        check::<book::contents::BookJson>("book-info", "kalah book info --json")?;
        check::<book::verify::VerifiedBookJson>("book-verify", "kalah book verify --json")?;
        check::<tablebase::info::TablesJson>("tablebase-info", "kalah tablebase info --json")?;
        let verify = "kalah tablebase verify --json";
        check::<tablebase::verify::VerifiedTablesJson>("tablebase-verify", verify)?;
        check::<verify_proof::VerifiedJson>("verify-proof", "kalah verify-proof --json")?;
        check::<solve::solved_board::SolvedBoard>("solve", "A line of kalah solve --json")?;
        check::<fair::fair_start::FairStart>("fair", "A line of kalah fair --json")?;
        check::<fair::FairCounts>("fair-counts", "The last line of kalah fair --json")?;
        check::<solve::proof::ProofJson>("solve-proof", "kalah solve --proof FILE --json")?;
        check::<solve::solving_kalah::TableCell>("solve-table", "kalah solve --table M N --json")
    }
}
