//! How the engine leaves.

use std::time::{Duration, Instant};

use super::Check;
use super::conversation::Conversation;
use super::form::answers;
use super::outcome::{Outcome, Trouble, ensure};

pub(super) fn checks() -> Vec<Check> {
    vec![
        Check::new("quit", "the engine leaves, with status 0", |engine| {
            engine.say("quit");
            engine.end().map(drop)
        }),
        Check::new("quit", "a search under way is answered first", |engine| {
            engine.say("go infinite");
            engine.sync()?;
            engine.say("quit");
            let lines = engine.end()?;
            expect_answer(&lines)
        }),
        Check::new("quit", "what comes after it is not heard", |engine| {
            engine.say("quit");
            engine.say("isready");
            let lines = engine.end()?;
            let is_heard = lines.iter().any(|line| line.trim_ascii_end() == "readyok");
            ensure(!is_heard, "nothing after 'quit'", "readyok")
        }),
        Check::new(
            "The end",
            "at the end of input an idle engine leaves, with status 0",
            |engine| {
                engine.sync()?;
                engine.close_input();
                engine.end().map(drop)
            },
        ),
        Check::new("The end", "at the end of input a limited search is finished", |engine| {
            engine.sync()?;
            let start = Instant::now();
            engine.say("go movetime 100");
            engine.close_input();
            let lines = engine.end()?;
            expect_answer(&lines)?;
            let taken = start.elapsed().as_millis();
            let proven = lines.iter().any(|line| line.contains(" proven "));
            ensure(taken >= 95 || proven, "a search of 100 ms", format!("{taken} ms"))
        }),
        Check::new("The end", "at the end of input an endless search is stopped", |engine| {
            engine.say("go infinite");
            end_of_input(engine)
        }),
        Check::new("The end", "at the end of input a search that ponders is stopped", |engine| {
            engine.say("go ponder nodes 100");
            end_of_input(engine)
        }),
        Check::new("The end", "the engine leaves when its output is closed", |engine| {
            engine.sync()?;
            engine.close_output();
            // It finds out when it says something.
            let deadline = Instant::now() + engine.deadline;
            loop {
                engine.say("isready");
                let moment = Instant::now() + Duration::from_millis(5);
                match engine.wait_for_exit(moment) {
                    Err(Trouble::Failed { .. }) if moment < deadline => {}
                    outcome => return outcome.map(drop),
                }
            }
        }),
    ]
}

fn end_of_input(engine: &mut Conversation<'_>) -> Outcome {
    engine.sync()?;
    engine.close_input();
    expect_answer(&engine.end()?)
}

fn expect_answer(lines: &[String]) -> Outcome {
    let count = answers(lines);
    ensure(count == 1, "one bestmove before the end", format!("{count}"))
}
