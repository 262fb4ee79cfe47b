//! `bestmove`: how often, and what it names.

use super::Check;
use super::conversation::{Answer, Conversation};
use super::form::{answers, house};
use super::outcome::{Outcome, ensure, failed};
use super::positions::START;
use super::waiting::FINISHED;
use crate::board::{Board, Side};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go", "one that ends by itself has exactly one bestmove", |engine| {
            for words in ["nodes 50", "movetime 10", "stime 50 ntime 50", "perft 2"] {
                engine.go(words)?;
                expect_no_more(engine)?;
            }
            Ok(())
        }),
        Check::new("go", "one that is stopped has exactly one bestmove", |engine| {
            for words in ["infinite", "", "ponder", "perft 200"] {
                engine.say(&format!("go {words}"));
                engine.sync()?;
                engine.stop()?;
                expect_no_more(engine)?;
            }
            Ok(())
        }),
        Check::new("go", "dozens in a row are answered one by one", |engine| {
            const SEARCHES: usize = 30;
            for _ in 0..SEARCHES {
                engine.say("go infinite");
                engine.say("stop");
            }
            let count = answers(&engine.sync()?);
            ensure(count == SEARCHES, format!("{SEARCHES} bestmoves"), format!("{count}"))
        }),
        Check::new("stop", "the bestmove comes before later commands are obeyed", |engine| {
            engine.say("go infinite");
            engine.say("stop");
            engine.say("hello");
            let (lines, _) = engine.until("bestmove", engine.deadline)?;
            let expected = "bestmove before the reply to the command after 'stop'";
            let is_error = |line: &String| line.starts_with("info string error:");
            ensure(!lines.iter().any(is_error), expected, "the reply first")
        }),
        Check::new("Errors", "'stop' is an error when nothing is searched", |engine| {
            engine.refused("stop")?;
            engine.go("nodes 50")?;
            engine.refused("stop")?;
            engine.say("go infinite");
            engine.stop()?;
            engine.refused("stop")
        }),
        Check::new("bestmove", "it can be played", |engine| {
            for moves in MOVES {
                let board = engine.set_board(START, moves)?;
                let Answer { best, .. } = engine.go("nodes 100")?;
                playable(&board, best.as_deref())?;
            }
            Ok(())
        }),
        Check::new("bestmove", "it is a capital letter for South", |engine| {
            expect_case(engine, Side::South)
        }),
        Check::new("bestmove", "it is a small letter for North", |engine| {
            expect_case(engine, Side::North)
        }),
        Check::new("bestmove", "what it ponders on can be played after it", |engine| {
            for moves in MOVES {
                let mut board = engine.set_board(START, moves)?;
                let Answer { best, ponder, .. } = engine.go("nodes 1000")?;
                if let Some(ponder) = ponder {
                    play(&mut board, best.as_slice())?;
                    play(&mut board, &[ponder])?;
                }
            }
            Ok(())
        }),
        Check::new("bestmove", "after an extra turn the same player moves", |engine| {
            // Whoever forgets the turn names a house of the other side.
            for (fen, best) in
                [("<3,0,0,0,1,1,3,3,3> S moves C", "B"), ("<3,0,0,3,3,3,0,1,1> N moves c", "b")]
            {
                engine.say(&format!("position fen {fen}"));
                let heard = engine.go("nodes 100")?.best.unwrap_or_default();
                let expected = format!("bestmove {best} after 'position fen {fen}'");
                ensure(heard.eq_ignore_ascii_case(best), expected, format!("bestmove {heard}"))?;
            }
            Ok(())
        }),
        Check::new("bestmove", "it is 0000 when the game is over", |engine| {
            for words in ["nodes 100", "movetime 1000", "stime 100 ntime 100", "perft 3"] {
                for fen in [FINISHED, "<3,5,2,0,0,0,2,2,2> S", "<3,5,2,2,2,2,0,0,0> S"] {
                    engine.set_board(fen, "")?;
                    let best = engine.go(words)?.best;
                    let heard = || format!("bestmove {}", best.as_deref().unwrap_or_default());
                    ensure(best.is_none(), "bestmove 0000", heard())?;
                }
            }
            Ok(())
        }),
    ]
}

/// Moves that lead to positions of both sides, some by extra turns.
const MOVES: [&str; 6] = ["", "A", "C", "Ca", "CF", "Acd"];

/// Requires that all is said.
fn expect_no_more(engine: &mut Conversation<'_>) -> Outcome {
    let more = answers(&engine.sync()?);
    ensure(more == 0, "exactly one bestmove", format!("{more} more"))
}

/// Requires a move that can be played.
fn playable(board: &Board, text: Option<&str>) -> Outcome {
    let expected = || format!("a move that can be played on {}", board.fen());
    let text = text.ok_or_else(|| failed(expected(), "none"))?;
    let legal = house(text).is_some_and(|house| board.moves().any(|legal| legal == house));
    ensure(legal, expected(), format!("'{text}'"))
}

/// Plays moves, written in whatever case.
pub(super) fn play(board: &mut Board, moves: &[String]) -> Outcome {
    for text in moves {
        playable(board, Some(text))?;
        if let Some(house) = house(text) {
            // It was just found that it can be played.
            let _ = board.play(house);
        }
    }
    Ok(())
}

fn expect_case(engine: &mut Conversation<'_>, side: Side) -> Outcome {
    for moves in MOVES {
        let board = engine.set_board(START, moves)?;
        if board.side() != side {
            continue;
        }
        let best = engine.go("nodes 100")?.best.unwrap_or_default();
        let written = house(&best).map(|house| house.letter(side).to_string());
        let heard = format!("bestmove {best}");
        ensure(written.is_none_or(|written| written == best), "the case of the mover", heard)?;
    }
    Ok(())
}
