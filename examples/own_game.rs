//! A game of one's own for the searches of this crate: players take one, two or three stones from a
//! heap, and whoever takes the last one wins. All that a search needs is the trait `Game`.
//!
//! `cargo run --release --example own_game -- 21` (stones)

use std::{env, error::Error};

use kalah::board::Next;
use kalah::search::{DepthFirst, DepthFirstOptions, Game, ScoredMove, Transition};
use kalah::search::{TreeSearch, UnboundedTable};

struct TakeAway;

impl Game for TakeAway {
    type Position = u32;
    type Move = u32;
    type MoveList = Vec<ScoredMove<u32, u32>>;
    const VALUE_STEP: i32 = 2;
    const ALTERNATES: bool = true;

    fn key(&self, stones: &u32) -> u64 {
        u64::from(*stones)
    }

    fn is_leaf(&self, stones: &u32) -> bool {
        *stones == 0
    }

    /// At the end the player to move has lost: the other one took the last stone.
    fn evaluate(&self, stones: &u32) -> i32 {
        if *stones == 0 { -1 } else { 1 }
    }

    fn for_each_move(&self, stones: &u32, mut visit: impl FnMut(u32, Transition<u32>)) {
        for take in 1..=3.min(*stones) {
            visit(take, Transition { position: stones - take, gain: 0, next: Next::Other });
        }
    }

    fn value_range(&self, _: &u32) -> (i32, i32) {
        (-1, 1)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let stones = env::args().nth(1).map_or(Ok(21), |text| text.parse())?;
    let search = TreeSearch::new(DepthFirst::NegaScout, DepthFirstOptions::default());
    let result = search.run(&TakeAway, &UnboundedTable::default(), &stones, stones);
    match result.best.filter(|_| result.score.gain > 0) {
        Some(take) => println!("take {take} of {stones} and win"),
        None => println!("every move from {stones} loses"),
    }
    Ok(())
}
