//! `quit`, the end of input, and the exit of the engine.

use std::time::{Duration, Instant};

use super::check::Check;
use super::parsing::bestmoves;
use super::session::{CheckError, CheckOutcome, EngineSession, ensure};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("quit", "the engine exits with status 0", |engine| {
            engine.send("quit");
            engine.expect_exit().map(drop)
        }),
        Check::new("quit", "a running search sends its bestmove first", |engine| {
            engine.send("go infinite");
            engine.sync()?;
            engine.send("quit");
            expect_one_bestmove(&engine.expect_exit()?)
        }),
        Check::new("quit", "later commands are ignored", |engine| {
            engine.send("quit");
            engine.send("isready");
            let lines = engine.expect_exit()?;
            let is_answered = lines.iter().any(|line| line.trim_ascii_end() == "readyok");
            ensure(!is_answered, "nothing after 'quit'", "readyok")
        }),
        Check::new("The end", "at the end of input an idle engine exits with status 0", |engine| {
            engine.sync()?;
            engine.close_input();
            engine.expect_exit().map(drop)
        }),
        Check::new("The end", "at the end of input a limited search is finished", |engine| {
            engine.sync()?;
            let start = Instant::now();
            engine.send("go movetime 100");
            engine.close_input();
            let lines = engine.expect_exit()?;
            expect_one_bestmove(&lines)?;
            let taken = start.elapsed().as_millis();
            let proven = lines.iter().any(|line| line.contains(" proven "));
            ensure(taken >= 95 || proven, "a search of 100 ms", format!("{taken} ms"))
        }),
        Check::new("The end", "at the end of input an infinite search is stopped", |engine| {
            engine.send("go infinite");
            expect_exit_at_end_of_input(engine)
        }),
        Check::new("The end", "at the end of input a pondering search is stopped", |engine| {
            engine.send("go ponder nodes 100");
            expect_exit_at_end_of_input(engine)
        }),
        Check::new("The end", "the engine exits when its output is closed", |engine| {
            engine.sync()?;
            engine.close_output();
            // An engine notices this when it writes.
            let deadline = Instant::now() + engine.deadline;
            loop {
                engine.send("isready");
                let moment = Instant::now() + Duration::from_millis(5);
                match engine.wait_for_exit(moment) {
                    Err(CheckError::Failed { .. }) if moment < deadline => {}
                    outcome => return outcome.map(drop),
                }
            }
        }),
    ]
}

fn expect_exit_at_end_of_input(engine: &mut EngineSession) -> CheckOutcome {
    engine.sync()?;
    engine.close_input();
    expect_one_bestmove(&engine.expect_exit()?)
}

fn expect_one_bestmove(lines: &[String]) -> CheckOutcome {
    let count = bestmoves(lines);
    ensure(count == 1, "one bestmove before the exit", format!("{count}"))
}
