//! `quit`, the end of input, and the exit of the engine.

use std::time::{Duration, Instant};

use super::check::Check;
use super::session::{CheckError, CheckOutcome, EngineSession, bestmoves, ensure};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("quit.status", |engine| {
            engine.send("quit");
            engine.expect_exit().map(drop)
        }),
        Check::new("quit.searching", |engine| {
            engine.send("go infinite");
            engine.sync()?;
            engine.send("quit");
            expect_one_bestmove(&engine.expect_exit()?)
        }),
        Check::new("quit.later", |engine| {
            engine.send("quit");
            engine.send("isready");
            let lines = engine.expect_exit()?;
            let is_answered = lines.iter().any(|line| line.trim_ascii_end() == "readyok");
            ensure(!is_answered, "nothing after 'quit'", "readyok")
        }),
        Check::new("end.idle", |engine| {
            engine.sync()?;
            engine.close_input();
            engine.expect_exit().map(drop)
        }),
        Check::new("end.limited", |engine| {
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
        Check::new("end.infinite", |engine| {
            engine.send("go infinite");
            expect_exit_at_end_of_input(engine)
        }),
        Check::new("end.ponder", |engine| {
            engine.send("go ponder nodes 100");
            expect_exit_at_end_of_input(engine)
        }),
        Check::new("end.output-closed", |engine| {
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
