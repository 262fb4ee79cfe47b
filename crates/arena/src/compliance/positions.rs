//! `position` and `d`, and the table of boards in `protocol.md`.

use fastrand::Rng;
use kalah::board::{Board, Capture, MAX_HOUSES, MAX_SEEDS, Rules};
use kalah::protocol::SPECIFICATION;

use super::check::{Check, DISPLAY, START};
use super::session::{CheckOutcome, EngineSession, board_after, ensure, valid};

pub(super) fn checks() -> Vec<Check> {
    let mut checks = vec![
        Check::new(DISPLAY, |engine| {
            engine.send("position startpos");
            engine.expect_fen(START)
        }),
        Check::with_display("d.searching", |engine| {
            engine.send("go infinite");
            engine.expect_fen(START)?;
            engine.stop().map(drop)
        }),
        Check::with_display("position.initial", |engine| engine.expect_fen(START)),
        Check::with_display("boards.side-default", |engine| {
            engine.expect_ok("position fen <3,5,2,0,1,4,2,2,2>")?;
            engine.expect_fen("<3,5,2,0,1,4,2,2,2> S")?;
            engine.expect_ok("position fen <3,5,2,0,1,4,2,2,2> moves B")?;
            engine.expect_fen("<3,5,2,0,0,5,2,2,2> N")
        }),
        Check::with_display("boards.sizes", sizes),
        Check::with_display("moves.spacing", |engine| {
            engine.expect_ok("position startpos moves C F b a A")?;
            let separated = engine.fen()?;
            for moves in ["CFbaA", "CF baA", "C Fba A"] {
                engine.expect_ok("position startpos")?;
                engine.expect_ok(&format!("position startpos moves {moves}"))?;
                engine.expect_fen(&separated)?;
            }
            Ok(())
        }),
        Check::with_display("moves.case", |engine| {
            for moves in ["CF", "cf", "C f", "c F"] {
                engine.expect_ok("position startpos")?;
                engine.expect_ok(&format!("position startpos moves {moves}"))?;
                engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")?;
            }
            Ok(())
        }),
        Check::with_display("position.games", games),
        Check::refused("position.bad-board", &INVALID_BOARDS),
        Check::refused("position.bad-move", &ILLEGAL_MOVES),
        Check::with_display("position.searching", for_next_search),
    ];
    let row = |row: RuleRow| Check::with_display(row.id, move |engine| check_row(engine, row));
    checks.extend(rows().map(row));
    checks.push(Check::with_display("rules.all-moves", every_move));
    checks
}

const INVALID_BOARDS: [&str; 14] = [
    "position fen <6,1,0,4,4,0,5,5,5,4,4,4,4,4> moves A",
    "position fen 1,0,0,1,1",
    "position fen <1,0,0,1,1",
    "position fen <>",
    "position fen <0,0,0>",
    "position fen <13,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>",
    "position fen <1,0,0,1>",
    "position fen <1,0,0,1,1,1>",
    "position fen <1,0,0,1,-1>",
    "position fen <1,0,0,1,x>",
    "position fen <1,0,0,1000,24>",
    "position fen <1,0,0,1,99999999999999999999>",
    "position fen <1,0,0,1,1> X",
    "position fen <1,0,0,1,1> S N",
];

const ILLEGAL_MOVES: [&str; 8] = [
    "position startpos moves G",
    "position startpos moves X",
    "position startpos moves CFbg",
    "position startpos moves CC",
    "position startpos moves C-F",
    "position startpos moves C 1",
    "position fen <1,0,0,0,1> S moves A",
    "position fen <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> moves A",
];

/// A start position, by the rules of `kalah`.
fn start(houses: usize, seeds: u16, capture: Capture) -> CheckOutcome<Board> {
    valid(Board::start(valid(Rules::new(houses, capture))?, seeds))
}

fn sizes(engine: &mut EngineSession) -> CheckOutcome {
    for houses in 1..=MAX_HOUSES {
        let max_seeds = MAX_SEEDS as u16 / (2 * houses as u16);
        for seeds in [1, max_seeds] {
            let fen = start(houses, seeds, Capture::Standard)?.fen();
            engine.expect_ok(&format!("position fen {fen}"))?;
            engine.expect_fen(&fen)?;
        }
    }
    for fen in ["<1,1000,21,1,1> N", "<3,0,0,1023,0,0,0,0,0> N"] {
        engine.expect_ok(&format!("position fen {fen}"))?;
        engine.expect_fen(fen)?;
    }
    Ok(())
}

/// Plays random games; compares some positions on the way and the last one.
fn games(engine: &mut EngineSession) -> CheckOutcome {
    const INTERVAL: usize = 7;
    let mut random = Rng::with_seed(1);
    for capture in Capture::ALL {
        engine.expect_ok(&format!("setoption name Capture value {capture}"))?;
        for houses in [1, 2, 4, 6, 9, 12] {
            let mut board = start(houses, 1 + houses as u16 / 2, capture)?;
            let fen = board.fen();
            let mut moves = String::new();
            loop {
                let legal: Vec<_> = board.moves().collect();
                if moves.len() % INTERVAL == 1 || legal.is_empty() {
                    engine.send(&format!("position fen {fen} moves {moves}"));
                    let actual = engine.fen()?;
                    let expected = format!("{} after {fen} {moves}", board.fen());
                    ensure(actual == board.fen(), expected, actual)?;
                }
                let Some(&mv) = random.choice(&legal) else { break };
                moves.push(mv.letter());
                // A legal move cannot fail.
                let _ = board.play(mv);
            }
        }
    }
    Ok(())
}

fn for_next_search(engine: &mut EngineSession) -> CheckOutcome {
    // The legal move of each position is illegal in the other.
    let (now, next) = ("<3,0,0,0,0,9,3,3,3> S", "<3,0,0,9,0,0,3,3,3> S");
    engine.set_board(now, "")?;
    engine.send("go infinite");
    engine.set_board(next, "")?;
    engine.expect_fen(next)?;
    let replies = [engine.stop()?, engine.go("nodes 100")?];
    for (reply, expected) in replies.into_iter().zip(["C", "A"]) {
        let actual = reply.best.unwrap_or_default();
        let is_correct = actual.eq_ignore_ascii_case(expected);
        ensure(is_correct, format!("bestmove {expected}"), format!("bestmove {actual}"))?;
    }
    Ok(())
}

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
