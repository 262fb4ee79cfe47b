//! The form of the lines that an engine sends.

use std::str::{FromStr, SplitAsciiWhitespace};

use kalah::board::Move;

/// What is wrong with a line if it is an `info` line that violates `protocol.md`. Unknown words are
/// skipped.
pub fn info_fault(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    while let Some(word) = words.next() {
        let (is_valid, what) = match word {
            "string" => return None,
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "tbhits" | "time" => {
                (number::<u64>(&mut words).is_some(), "a number")
            }
            "hashfull" => {
                let permille: Option<u32> = number(&mut words);
                (permille.is_some_and(|permille| permille <= 1000), "a number up to 1000")
            }
            "score" => {
                let is_cp = words.next() == Some("cp");
                (is_cp && number::<i32>(&mut words).is_some(), "'cp' and a number")
            }
            "pv" => {
                let moves: Vec<&str> = words.by_ref().collect();
                (
                    !moves.is_empty() && moves.into_iter().all(|word| word.parse::<Move>().is_ok()),
                    "moves",
                )
            }
            _ => continue,
        };
        if !is_valid {
            return Some(format!("'{word}' without {what}"));
        }
    }
    None
}

pub(super) fn errors(lines: &[String]) -> impl Iterator<Item = &str> {
    let is_error = |line: &&str| line.starts_with("info string error:");
    lines.iter().map(String::as_str).filter(is_error)
}

pub(super) fn bestmoves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.split_ascii_whitespace().next() == Some("bestmove")).count()
}

fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}
