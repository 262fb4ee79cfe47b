//! What the measurements have in common.

use std::cmp::Ordering;
use std::error::Error;
use std::time::Duration;

use kalah::board::Board;

pub(crate) type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Says whether a bar is reached, and fails when it is not.
pub(crate) fn bar(text: &str, reached: bool) -> Result<()> {
    println!("bar: {text}: {}", if reached { "reached" } else { "missed" });
    if reached { Ok(()) } else { Err("a bar was missed".into()) }
}

/// The value below which `part` of the values lie.
pub(crate) fn quantile<T: Copy + PartialOrd>(values: &mut [T], part: f64) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    values[((values.len() - 1) as f64 * part).round() as usize]
}

pub(crate) fn print_times(what: &str, times: &mut [Duration]) {
    let count = times.len();
    if count == 0 {
        return println!("{what}: no times");
    }
    let [median, p99, max] = [0.5, 0.99, 1.0].map(|part| quantile(times, part).as_secs_f64() * 1e3);
    println!("{what}: {count} times, median {median:.2} ms, 99 % {p99:.2} ms, max {max:.2} ms");
}

/// Plays so many random moves, or fewer if the game ends.
pub(crate) fn play_randomly(
    board: &mut Board,
    plies: usize,
    random: &mut fastrand::Rng,
) -> Result<()> {
    for _ in 0..plies {
        let moves: Vec<_> = board.moves().collect();
        let Some(&mv) = random.choice(&moves) else { break };
        board.play(mv)?;
    }
    Ok(())
}
