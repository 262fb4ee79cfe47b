//! The table of boards in `protocol.md`.

use super::Check;
use super::conversation::{Conversation, board};
use super::outcome::{Outcome, ensure};
use crate::board::Capture;

/// The page itself: what is checked is what is written there.
const PAGE: &str = include_str!("../../../protocol.md");

const HEADING: &str = "| board | `Capture` | move | board after it | what it shows |";

/// A move and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    board: &'static str,
    capture: &'static str,
    letter: &'static str,
    after: &'static str,
    shows: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    let table = PAGE.lines().skip_while(|&line| line != HEADING).skip(2);
    table.map_while(|line| {
        let cells: Vec<&str> = line
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let [board, capture, letter, after, shows] = cells[..] else { return None };
        Some(Row { board, capture, letter, after, shows })
    })
}

pub(super) fn checks() -> Vec<Check> {
    let rows = rows().map(|row| {
        Check::on_boards("The game", row.shows, move |engine| row_is_played(engine, row))
    });
    let every = Check::on_boards("The game", "all other moves on these boards", every_move);
    rows.chain([every]).collect()
}

fn row_is_played(engine: &mut Conversation<'_>, row: Row) -> Outcome {
    engine.obeyed(&format!("setoption name Capture value {}", row.capture))?;
    engine.say(&format!("position fen {} moves {}", row.board, row.letter));
    engine.expect_fen(row.after)
}

/// By both rules.
fn every_move(engine: &mut Conversation<'_>) -> Outcome {
    for capture in Capture::ALL {
        engine.obeyed(&format!("setoption name Capture value {capture}"))?;
        for row in rows() {
            let before = board(row.board, "", capture)?;
            for house in before.moves() {
                let letter = house.letter(before.side());
                let after = board(row.board, &letter.to_string(), capture)?.fen();
                engine.say(&format!("position fen {} moves {letter}", row.board));
                let heard = engine.fen()?;
                let expected = format!("{after} after {letter} on {} ({capture})", row.board);
                ensure(heard == after, expected, heard)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_found() {
        let rows: Vec<Row> = rows().collect();
        let between = PAGE.split_once(HEADING).map(|(_, rest)| rest);
        let table = between.and_then(|rest| rest.split_once("\n\n")).map(|(table, _)| table);
        assert_eq!(table.map(|table| table.lines().count()), Some(rows.len() + 2));
        assert_eq!(rows.last().map(|row| row.letter), Some("c"));
    }
}
