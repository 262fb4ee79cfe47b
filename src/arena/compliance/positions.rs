//! `position` and `d`.

use fastrand::Rng;

use super::Check;
use super::conversation::Conversation;
use super::outcome::{Outcome, ensure, failed};
use crate::board::{Board, Capture, MAX_HOUSES, MAX_SEEDS, Rules};

pub(super) const DISPLAY: &str = "'d' shows the board after 'Fen:'";

/// The start of the default game.
pub(super) const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/// What a position has to be proof against.
const STANDING: &str = "position startpos moves C";
const STANDING_FEN: &str = "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("d", DISPLAY, |engine| {
            engine.say("position startpos");
            engine.expect_fen(START)
        }),
        Check::on_boards("d", "'d' is answered while searching", |engine| {
            engine.say("go infinite");
            engine.expect_fen(START)?;
            engine.stop().map(drop)
        }),
        Check::on_boards("position", "the position is 'startpos' to begin with", |engine| {
            engine.expect_fen(START)
        }),
        Check::on_boards(
            "Boards and moves as text",
            "South moves when nothing says who",
            |engine| {
                engine.obeyed("position fen <3,5,2,0,1,4,2,2,2>")?;
                engine.expect_fen("<3,5,2,0,1,4,2,2,2> S")?;
                engine.obeyed("position fen <3,5,2,0,1,4,2,2,2> moves B")?;
                engine.expect_fen("<3,5,2,0,0,5,2,2,2> N")
            },
        ),
        Check::on_boards("Boards and moves as text", "boards of all sizes are read", sizes),
        Check::on_boards(
            "Boards and moves as text",
            "moves may be separated or run together",
            |engine| {
                engine.obeyed("position startpos moves C F b a A")?;
                let separated = engine.fen()?;
                for moves in ["CFbaA", "CF baA", "C Fba A"] {
                    engine.obeyed("position startpos")?;
                    engine.obeyed(&format!("position startpos moves {moves}"))?;
                    engine.expect_fen(&separated)?;
                }
                Ok(())
            },
        ),
        Check::on_boards("Boards and moves as text", "moves are read in either case", |engine| {
            for moves in ["CF", "cf", "C f", "c F"] {
                engine.obeyed("position startpos")?;
                engine.obeyed(&format!("position startpos moves {moves}"))?;
                engine.expect_fen("<6,2,0,4,4,0,5,5,0,5,5,5,5,4,4> N")?;
            }
            Ok(())
        }),
        Check::on_boards("position", "games of all sizes are played by the rules", games),
        Check::on_boards(
            "position",
            "boards that are none are refused and change nothing",
            |engine| refuse(engine, &BOARDS),
        ),
        Check::on_boards(
            "position",
            "moves that cannot be played are refused and change nothing",
            |engine| refuse(engine, &MOVES),
        ),
        Check::on_boards(
            "position",
            "one set while a search goes on is for the next",
            for_the_next,
        ),
    ]
}

const BOARDS: [&str; 14] = [
    "fen <6,1,0,4,4,0,5,5,5,4,4,4,4,4> moves A",
    "fen 1,0,0,1,1",
    "fen <1,0,0,1,1",
    "fen <>",
    "fen <0,0,0>",
    "fen <13,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1>",
    "fen <1,0,0,1>",
    "fen <1,0,0,1,1,1>",
    "fen <1,0,0,1,-1>",
    "fen <1,0,0,1,x>",
    "fen <1,0,0,1000,24>",
    "fen <1,0,0,1,99999999999999999999>",
    "fen <1,0,0,1,1> X",
    "fen <1,0,0,1,1> S N",
];

const MOVES: [&str; 8] = [
    "startpos moves G",
    "startpos moves X",
    "startpos moves CFbg",
    "startpos moves CC",
    "startpos moves C-F",
    "startpos moves C 1",
    "fen <1,0,0,0,1> S moves A",
    "fen <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> moves A",
];

fn refuse(engine: &mut Conversation<'_>, positions: &[&str]) -> Outcome {
    engine.obeyed(STANDING)?;
    for position in positions {
        engine.refused(&format!("position {position}"))?;
        engine.expect_fen(STANDING_FEN)?;
    }
    Ok(())
}

/// A board of this program's, which all of these can be.
fn start(houses: usize, seeds: u16, capture: Capture) -> Outcome<Board> {
    let wrong = |error: String| failed("a board of this program's", error);
    let rules = Rules::new(houses, capture).map_err(|error| wrong(error.to_string()))?;
    Board::start(rules, seeds).map_err(|error| wrong(error.to_string()))
}

fn sizes(engine: &mut Conversation<'_>) -> Outcome {
    for houses in 1..=MAX_HOUSES {
        let most = MAX_SEEDS as u16 / (2 * houses as u16);
        for seeds in [1, most] {
            let fen = start(houses, seeds, Capture::Standard)?.fen();
            engine.obeyed(&format!("position fen {fen}"))?;
            engine.expect_fen(&fen)?;
        }
    }
    for fen in ["<1,1000,21,1,1> N", "<3,0,0,1023,0,0,0,0,0> N"] {
        engine.obeyed(&format!("position fen {fen}"))?;
        engine.expect_fen(fen)?;
    }
    Ok(())
}

/// Games of moves by chance, a few of them on the way and to the end.
fn games(engine: &mut Conversation<'_>) -> Outcome {
    const PLIES_BETWEEN: usize = 7;
    let mut random = Rng::with_seed(1);
    for capture in Capture::ALL {
        engine.obeyed(&format!("setoption name Capture value {capture}"))?;
        for houses in [1, 2, 4, 6, 9, 12] {
            let mut board = start(houses, 1 + houses as u16 / 2, capture)?;
            let fen = board.fen();
            let mut moves = String::new();
            loop {
                let legal: Vec<_> = board.moves().collect();
                if moves.len() % PLIES_BETWEEN == 1 || legal.is_empty() {
                    engine.say(&format!("position fen {fen} moves {moves}"));
                    let heard = engine.fen()?;
                    let expected = format!("{} after {fen} {moves}", board.fen());
                    ensure(heard == board.fen(), expected, heard)?;
                }
                let Some(&house) = random.choice(&legal) else { break };
                moves.push(house.letter(board.side()));
                // Moves of a board can be played on it.
                let _ = board.play(house);
            }
        }
    }
    Ok(())
}

fn for_the_next(engine: &mut Conversation<'_>) -> Outcome {
    // Whoever answers for the wrong one of these names a house that is empty.
    let (now, next) = ("<3,0,0,0,0,9,3,3,3> S", "<3,0,0,9,0,0,3,3,3> S");
    engine.set_board(now, "")?;
    engine.say("go infinite");
    engine.set_board(next, "")?;
    engine.expect_fen(next)?;
    let answers = [engine.stop()?, engine.go("nodes 100")?];
    for (answer, expected) in answers.into_iter().zip(["C", "A"]) {
        let heard = answer.best.unwrap_or_default();
        let is_right = heard.eq_ignore_ascii_case(expected);
        ensure(is_right, format!("bestmove {expected}"), format!("bestmove {heard}"))?;
    }
    Ok(())
}
