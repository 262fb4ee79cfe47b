//! The table of *Solving Kalah* (G. Irving, J. Donkers and J. Uiterwijk, ICGA Journal 23(3),
//! 2000): the values of the starts of small boards, beside the published ones.

use std::io::Write;

use kalah::board::{Board, Capture, RuleSet, Rules, Sowing};
use kalah::printable::counted;
use kalah::solve::SolveRequest;
use serde::Serialize;

use super::session::SolveSession;
use kalah_command::output::{OutputOption, RuleMembers};

/// The published results of the first player, by houses, then seeds, both from 1, under `empty`
/// capture. That of 6 houses with 6 seeds was found by others later.
const PUBLISHED: [&str; 6] = ["DLWLWD", "WLLLWW", "DWWWWL", "WWWWWD", "DDWWWW", "WWWWWW"];

/// The exact margin of a start, beside the published result.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TableCell {
    /// Houses a side.
    houses: u16,
    /// Seeds in each house.
    seeds: u16,
    #[serde(flatten)]
    rules: RuleMembers,
    /// The margin of the first player, in seeds.
    margin: i32,
    /// The result of the first player in Solving Kalah: win, draw or loss; null if it was not
    /// published.
    published: Option<char>,
    /// Positions searched.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
}

pub(super) fn published(houses: u16, seeds: u16, rule_set: RuleSet) -> Option<char> {
    let row = PUBLISHED.get(usize::from(houses) - 1)?;
    let row = Some(row).filter(|_| rule_set == Capture::Empty.into())?;
    row.chars().nth(usize::from(seeds) - 1)
}

impl TableCell {
    /// Result and margin, and in brackets the published result, marked if it differs.
    fn text(&self) -> String {
        let result = match self.margin {
            0 => 'D',
            1.. => 'W',
            _ => 'L',
        };
        let published = self.published.map_or(String::new(), |published| {
            let mark = if published == result { "" } else { "!" };
            format!(" ({mark}{published})")
        });
        format!("{result} {:+}{published}", self.margin)
    }
}

const WIDTH: usize = "W +10 (!D)".len();

/// A line of the table. It is printed before the next one is solved, so all cells have one width.
fn table_line(houses: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells.into_iter().map(|cell| format!(" {cell:>WIDTH$} |"));
    format!("| {houses:<6} |{}", cells.collect::<String>())
}

/// Solves the starts of all boards with up to `max_houses` houses a side and `max_seeds` seeds in
/// each house, under both capture rules or under relay sowing.
pub(super) fn run(
    session: &mut SolveSession,
    (max_houses, max_seeds): (u16, u16),
    sowing: Sowing,
    format: OutputOption,
) -> anyhow::Result<()> {
    let mut output = format.text();
    for rule_set in RuleSet::ALL.into_iter().filter(|rule_set| rule_set.sowing() == sowing) {
        let seeds = (1..=max_seeds).map(|seeds| counted(seeds, "seed"));
        let rule = match sowing {
            Sowing::Single => "Capture",
            Sowing::Relay => "Sowing",
        };
        writeln!(output, "{rule}: {}\n\n{}", rule_set.name(), table_line("houses", seeds))?;
        let dashes = (1..=max_seeds).map(|_| "-".repeat(WIDTH));
        writeln!(output, "{}", table_line("------", dashes).replace(' ', "-"))?;
        output.flush()?;
        for houses in 1..=max_houses {
            let rules = Rules::new(usize::from(houses), rule_set)?;
            let mut row = Vec::new();
            for seeds in 1..=max_seeds {
                let board = Board::start(rules, seeds)?;
                let solved = session.solve(&board, SolveRequest::default())?;
                let cell = TableCell {
                    houses,
                    seeds,
                    rules: rule_set.into(),
                    margin: solved.margin,
                    published: published(houses, seeds, rule_set),
                    nodes: solved.nodes,
                    seconds: solved.seconds,
                };
                format.print("kalah-solve-table", &cell)?;
                row.push(cell.text());
            }
            writeln!(output, "{}", table_line(&houses.to_string(), row))?;
            output.flush()?;
        }
        writeln!(output)?;
    }
    Ok(())
}
