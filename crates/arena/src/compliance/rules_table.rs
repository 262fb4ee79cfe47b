//! The table of boards in `protocol.md`.

use super::check::Check;
use super::session::{CheckOutcome, EngineSession, board_after, ensure};
use kalah::board::Capture;
use kalah::protocol::SPECIFICATION;

const HEADING: &str = "| board | `Capture` | move | board after it | what it shows |";

/// A row of the table: a move and the board after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RuleRow {
    board: &'static str,
    capture: &'static str,
    letter: &'static str,
    after: &'static str,
    /// The identifier of the requirement, which follows in brackets what the row shows.
    id: &'static str,
}

fn rows() -> impl Iterator<Item = RuleRow> {
    let table = SPECIFICATION.lines().skip_while(|&line| line != HEADING).skip(2);
    table.map_while(|line| {
        let cells: Vec<&str> = line
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let [board, capture, letter, after, shows] = cells[..] else { return None };
        let (_, id) = shows.strip_suffix(']')?.rsplit_once('[')?;
        Some(RuleRow { board, capture, letter, after, id })
    })
}

pub(super) fn checks() -> Vec<Check> {
    let rows = rows().map(|row| Check::with_display(row.id, move |engine| check_row(engine, row)));
    let every = Check::with_display("rules.all-moves", every_move);
    rows.chain([every]).collect()
}

fn check_row(engine: &mut EngineSession, row: RuleRow) -> CheckOutcome {
    engine.expect_ok(&format!("setoption name Capture value {}", row.capture))?;
    engine.send(&format!("position fen {} moves {}", row.board, row.letter));
    engine.expect_fen(row.after)
}

/// Plays all moves on the boards of the table under both capture rules.
fn every_move(engine: &mut EngineSession) -> CheckOutcome {
    for capture in Capture::ALL {
        engine.expect_ok(&format!("setoption name Capture value {capture}"))?;
        for row in rows() {
            let before = board_after(row.board, "", capture)?;
            for mv in before.moves() {
                let after = board_after(row.board, &mv.to_string(), capture)?.fen();
                engine.send(&format!("position fen {} moves {mv}", row.board));
                let actual = engine.fen()?;
                let expected = format!("{after} after {mv} on {} ({capture})", row.board);
                ensure(actual == after, expected, actual)?;
            }
        }
    }
    Ok(())
}
