//! Asks the engine for the best move of a position, and prints what it finds while it thinks.
//!
//! `cargo run --release --example best_move -- '<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1> S' 500` (milliseconds)

use std::env;
use std::error::Error;
use std::time::Duration;

use kalah::search::SearchReport;
use kalah::{Board, Capture, Engine, Limits, StopToken};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let fen = arguments.next().unwrap_or("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S".to_owned());
    let milliseconds = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let board = Board::from_fen(&fen, Capture::Standard)?;
    println!("{board}");

    let mut engine = Engine::new()?;
    engine.set_option("Threads", "2")?;
    let limits =
        Limits { movetime: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
    let result = engine.go(&board, &limits, &StopToken::new(), |report| match report {
        SearchReport::Line(line, stats) => {
            let (depth, margin, nodes) = (line.depth, line.margin, stats.nodes);
            let proven = if line.proven { ", proven" } else { "" };
            println!("depth {depth:>2}: margin {margin:+}{proven} after {nodes} nodes");
        }
        SearchReport::Note(text) => println!("{text}"),
    })?;
    match result.best {
        Some(best) => println!("best move {best}"),
        None => println!("the game is over"),
    }
    Ok(())
}
