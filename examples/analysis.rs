//! Analyses a position without a limit, with three lines of play, until Enter is pressed: a thread
//! searches, and another one stops it.
//!
//! `cargo run --release --example analysis -- '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'`

use std::error::Error;
use std::{env, io, thread};

use kalah::search::SearchReport;
use kalah::{Board, Capture, Engine, Limits, StopToken};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = env::args().nth(1).unwrap_or("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S".to_owned());
    let board = Board::from_fen(&fen, Capture::Standard)?;
    println!("{board}\n\nEnter stops the analysis.");

    let stop = StopToken::new();
    let enter = stop.clone();
    thread::spawn(move || {
        // The end of the input stops as well.
        let _ = io::stdin().read_line(&mut String::new());
        enter.stop();
    });

    let mut engine = Engine::new()?;
    engine.set_option("MultiPV", "3")?;
    let limits = Limits { infinite: true, ..Limits::default() };
    let result = engine.go(&board, &limits, &stop, |report| {
        if let SearchReport::Line(line, _) = report {
            let pv: String = line.pv.iter().map(|mv| mv.letter()).collect();
            println!("{:>3} plies  line {}  {:+}  {pv}", line.depth, line.multipv, line.margin);
        }
    })?;
    println!("{}", result.best.map_or("the game is over".to_owned(), |best| best.to_string()));
    Ok(())
}
