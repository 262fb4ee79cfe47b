//! Asks an engine for a move: `cargo run -p kalah-client --example ask -- ./my-engine --its-option`.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use kalah::protocol::Go;
use kalah::search::Limits;
use kalah::{Board, Rules, StopToken};
use kalah_client::{EngineCommand, UciClient};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let program = words.next().ok_or("expected the command line of an engine")?;
    let command =
        EngineCommand { arguments: words.collect(), ..EngineCommand::new(&program, &program) };
    let mut engine = UciClient::new(command, Duration::from_secs(10));
    let stop = StopToken::new();
    engine.start(&stop)?;
    println!("{} is to move after C A d", engine.id_name());
    let limits = Limits { movetime: Some(Duration::from_millis(500)), ..Limits::default() };
    let go = Go { limits, ..Go::default() };
    engine.go(&Board::start(Rules::default(), 4)?, "C A d", &go, &stop)?;
    let answer = engine.answer(Some(Duration::from_secs(5)), &stop, |line| {
        if let (Some(depth), Some(score)) = (line.depth, line.score) {
            println!(
                "depth {depth}: {:+.2} seeds, {}",
                f64::from(score.centiseeds) / 100.0,
                line.pv.join(" ")
            );
        }
        ControlFlow::Continue(())
    })?;
    let answer = answer.ok_or("no move within five seconds")?;
    println!("{} after {} ms", answer.best, answer.time.as_millis());
    Ok(())
}
