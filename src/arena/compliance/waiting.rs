//! Searches that wait to be told: `infinite`, `ponder`, and no limit at all.

use super::Check;
use super::conversation::{AT_ONCE, Conversation};
use super::outcome::{Outcome, in_time};
use super::positions::START;

/// Known to the last ply within a moment.
const SMALL: &str = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S";
/// A game that has ended.
pub(super) const FINISHED: &str = "<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S";

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("go", "'infinite' is answered only after 'stop'", |engine| {
            wait_for_stop(engine, &[(START, "infinite"), (SMALL, "infinite")])
        }),
        Check::new("go", "'infinite' waits whatever the limits", |engine| {
            wait_for_stop(engine, &[(START, "infinite nodes 10"), (START, "movetime 1 infinite")])
        }),
        Check::new("go", "'infinite' waits when the game is over", |engine| {
            wait_for_stop(engine, &[(FINISHED, "infinite")])
        }),
        Check::new("go", "'ponder' is answered only after 'ponderhit' or 'stop'", |engine| {
            wait_for_stop(engine, &[(START, "ponder"), (SMALL, "ponder movetime 1")])?;
            wait_for_stop(
                engine,
                &[(START, "ponder stime 20 ntime 20"), (START, "nodes 10 ponder")],
            )
        }),
        Check::new("ponderhit", "from then on limits count", |engine| {
            for words in ["movetime 50", "nodes 10", "stime 400 ntime 400"] {
                in_time(|| {
                    engine.set_board(START, "")?;
                    engine.say(&format!("go ponder {words}"));
                    engine.sync()?;
                    engine.say("ponderhit");
                    engine.answer_within(AT_ONCE).map(drop)
                })?;
            }
            Ok(())
        }),
        Check::new("ponderhit", "a search can be stopped after it", |engine| {
            engine.say("go ponder movetime 3600000");
            engine.say("ponderhit");
            engine.stop().map(drop)
        }),
        Check::new("Errors", "'ponderhit' is an error when nothing ponders", |engine| {
            engine.refused("ponderhit")?;
            engine.say("go infinite");
            engine.refused("ponderhit")?;
            engine.stop().map(drop)
        }),
        Check::new("stop", "it ends every search at once", |engine| {
            for words in ["infinite", "", "ponder", "movetime 3600000", "perft 200"] {
                in_time(|| {
                    engine.set_board(START, "")?;
                    engine.say(&format!("go {words}"));
                    engine.say("stop");
                    engine.answer_within(AT_ONCE).map(drop)
                })?;
            }
            Ok(())
        }),
    ]
}

fn wait_for_stop(engine: &mut Conversation<'_>, searches: &[(&str, &str)]) -> Outcome {
    for (fen, words) in searches {
        engine.set_board(fen, "")?;
        engine.say(&format!("go {words}"));
        engine.expect_no_answer()?;
        engine.stop()?;
    }
    Ok(())
}
