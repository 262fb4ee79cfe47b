//! The table of *Solving Kalah* (G. Irving, J. Donkers and J. Uiterwijk, ICGA Journal 23(3),
//! 2000), with what is published of it beside what is found.

use std::io::{self, Write};
use std::path::Path;

use kalah::board::{Board, Capture, Rules};
use kalah::solve::SolveRequest;
use serde::Serialize;

use super::use_files;
use super::work::Work;

/// What the first player can reach: by houses, then seeds, both from 1. Under the rule that a lone
/// last seed is captured, too. The value of 6 houses with 6 seeds is that of others.
const PUBLISHED: [&str; 6] = ["DLWLWD", "WLLLWW", "DWWWWL", "WWWWWD", "DDWWWW", "WWWWWW"];

#[derive(Serialize)]
struct Entry {
    houses: u16,
    seeds: u16,
    capture: String,
    /// From the first player's view.
    margin: i32,
    published: Option<char>,
    nodes: u64,
    seconds: f64,
}

fn published(houses: u16, seeds: u16, capture: Capture) -> Option<char> {
    let row = PUBLISHED.get(usize::from(houses) - 1).filter(|_| capture == Capture::Empty)?;
    row.chars().nth(usize::from(seeds) - 1)
}

fn outcome(margin: i32) -> char {
    match margin {
        0 => 'D',
        1.. => 'W',
        _ => 'L',
    }
}

impl Entry {
    /// What is found, and what is published when there is something.
    fn text(&self) -> String {
        let outcome = outcome(self.margin);
        match self.published {
            None => format!("{outcome} {:+}", self.margin),
            Some(published) if published == outcome => {
                format!("{outcome} {:+} ({published})", self.margin)
            }
            Some(published) => format!("{outcome} {:+} (!{published})", self.margin),
        }
    }
}

/// Of what is found for a start, and what is published.
const WIDTH: usize = "W +10 (!D)".len();

/// A line of the table. It is told before the next is known, so that its cells are all of a width.
fn line_of(houses: &str, starts: impl IntoIterator<Item = String>) -> String {
    let starts = starts.into_iter().map(|start| format!(" {start:>WIDTH$} |"));
    format!("| {houses:<6} |{}", starts.collect::<String>())
}

/// Solves the starts of all boards up to a size.
pub(super) fn run(
    work: &mut Work,
    size: &[u16],
    directory: Option<&Path>,
    json: bool,
) -> anyhow::Result<()> {
    let &[most_houses, most_seeds] = size else { return Ok(()) };
    let mut output = io::stdout().lock();
    for capture in Capture::ALL {
        if !json {
            let plural = |seeds| if seeds == 1 { "seed" } else { "seeds" };
            let seeds = (1..=most_seeds).map(|seeds| format!("{seeds} {}", plural(seeds)));
            writeln!(output, "Capture: {capture}\n\n{}", line_of("houses", seeds))?;
            let dashes = (1..=most_seeds).map(|_| "-".repeat(WIDTH));
            writeln!(output, "{}", line_of("------", dashes).replace(' ', "-"))?;
            output.flush()?;
        }
        for houses in 1..=most_houses {
            let rules = Rules::new(usize::from(houses), capture)?;
            use_files(work, directory, rules)?;
            let mut row = Vec::new();
            for seeds in 1..=most_seeds {
                let board = Board::start(rules, seeds)?;
                let answer = work.solve(&board, SolveRequest::default())?;
                let entry = Entry {
                    houses,
                    seeds,
                    capture: capture.to_string(),
                    margin: answer.solution.margin,
                    published: published(houses, seeds, capture),
                    nodes: answer.nodes,
                    seconds: answer.time.as_secs_f64(),
                };
                if json {
                    writeln!(output, "{}", serde_json::to_string(&entry)?)?;
                    output.flush()?;
                }
                row.push(entry.text());
            }
            if !json {
                writeln!(output, "{}", line_of(&houses.to_string(), row))?;
                output.flush()?;
            }
        }
        if !json {
            writeln!(output)?;
        }
    }
    Ok(())
}
