//! Searches that wait for `stop` or `ponderhit`.

use super::check::{Check, FINISHED, SMALL, START};
use super::session::{AT_ONCE, CheckOutcome, EngineSession, with_retries};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go.infinite", |engine| {
            expect_wait_for_stop(engine, &[(START, "infinite"), (SMALL, "infinite")])
        }),
        Check::new("go.infinite-limits", |engine| {
            expect_wait_for_stop(
                engine,
                &[(START, "infinite nodes 10"), (START, "movetime 1 infinite")],
            )
        }),
        Check::new("go.infinite-over", |engine| {
            expect_wait_for_stop(engine, &[(FINISHED, "infinite")])
        }),
        Check::new("go.ponder", |engine| {
            expect_wait_for_stop(engine, &[(START, "ponder"), (SMALL, "ponder movetime 1")])?;
            expect_wait_for_stop(
                engine,
                &[(START, "ponder stime 20 ntime 20"), (START, "nodes 10 ponder")],
            )
        }),
        Check::new("ponderhit.limits", |engine| {
            for words in ["movetime 50", "nodes 10", "stime 400 ntime 400"] {
                with_retries(|| {
                    engine.set_board(START, "")?;
                    engine.send(&format!("go ponder {words}"));
                    engine.sync()?;
                    engine.send("ponderhit");
                    engine.bestmove_within(AT_ONCE).map(drop)
                })?;
            }
            Ok(())
        }),
        Check::new("ponderhit.stop", |engine| {
            engine.send("go ponder movetime 3600000");
            engine.send("ponderhit");
            engine.stop().map(drop)
        }),
        Check::new("errors.ponderhit", |engine| {
            engine.expect_refused("ponderhit")?;
            engine.send("go infinite");
            engine.expect_refused("ponderhit")?;
            engine.stop().map(drop)
        }),
        Check::new("stop.at-once", |engine| {
            for words in ["infinite", "", "movetime 3600000"] {
                engine.expect_in_time(START, "", &[&format!("go {words}"), "stop"], AT_ONCE)?;
            }
            Ok(())
        }),
    ]
}

/// Requires that each search ends only after `stop`.
fn expect_wait_for_stop(engine: &mut EngineSession, searches: &[(&str, &str)]) -> CheckOutcome {
    for (fen, words) in searches {
        engine.set_board(fen, "")?;
        engine.send(&format!("go {words}"));
        engine.expect_no_bestmove()?;
        engine.stop()?;
    }
    Ok(())
}
