//! What a dataset has: for people, for programs, and for its card.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kalah::board::RuleSet;
use kalah::printable::counted;
use kalah_command::output::RuleMembers;
use kalah_command::table::{grouped, grouped_count};
use serde::Serialize;
use strum::{EnumMessage, IntoEnumIterator};

use crate::row::{Column, Row, Source, Split};
use crate::settings::Settings;

/// Seeds in the houses are counted in steps of so many.
const STEP: u32 = 4;

pub(crate) struct Counts {
    pub positions: u64,
    pub shards: usize,
    /// By the name of the split, also where there are none.
    pub splits: BTreeMap<String, u64>,
    /// By the way in which the values were found, also where there are none.
    pub sources: BTreeMap<String, u64>,
    /// By the seeds in the houses: the positions, and the seeds that a random move gives away in all of them.
    by_seeds: BTreeMap<u32, (u64, f64)>,
}

/// A dataset that was made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BuiltJson {
    /// Houses a side.
    pub houses: usize,
    /// Seeds in each house at the start of a game.
    pub seeds: u16,
    #[serde(flatten)]
    pub rules: RuleMembers,
    /// The random seed.
    pub seed: u64,
    /// Positions, which are fewer than asked for if games have no more.
    pub positions: u64,
    /// Positions of each split.
    pub splits: BTreeMap<String, u64>,
    /// Positions by the way in which their values were found.
    pub sources: BTreeMap<String, u64>,
    /// Files.
    pub shards: usize,
    /// Positions solved by this run.
    pub solved: u64,
    /// Positions searched by this run.
    pub nodes: u64,
    /// The time that this run took, in seconds.
    pub seconds: f64,
}

impl Counts {
    pub(crate) fn new() -> Counts {
        Counts {
            positions: 0,
            shards: 0,
            splits: Split::iter().map(|split| (split.to_string(), 0)).collect(),
            sources: Source::iter().map(|source| (source.to_string(), 0)).collect(),
            by_seeds: BTreeMap::new(),
        }
    }

    /// Counts the rows of one more shard.
    pub(crate) fn add(&mut self, rows: &[Row]) {
        self.shards += 1;
        self.positions += rows.len() as u64;
        for row in rows {
            let board = &row.drawn.board;
            *self.splits.entry(Split::of_board(board).to_string()).or_default() += 1;
            *self.sources.entry(row.source.to_string()).or_default() += 1;
            let of_seeds = self.by_seeds.entry(board.seeds_in_play() / STEP).or_default();
            let margins = row.moves.iter().flatten();
            let lost: i32 = margins.clone().map(|margin| row.margin - margin).sum();
            of_seeds.0 += 1;
            of_seeds.1 += f64::from(lost) / margins.count().max(1) as f64;
        }
    }

    /// The card of the dataset: what it is, for those who find it.
    pub(crate) fn card(&self, settings: &Settings, rules: RuleSet) -> String {
        let Settings { kalah, houses, seeds, capture, sowing, seed, shard, table_seeds } = settings;
        let positions = grouped_count(self.positions, "position");
        let (of_side, in_each) = (counted(*houses, "house"), counted(*seeds, "seed"));
        let mut card = format!(
            "---\nlicense: cc0-1.0\nconfigs:\n- config_name: default\n  data_files: data/positions-*.parquet\n---\n\n\
             # Positions of Kalah({houses},{seeds}), {rules}, with exact values\n\n\
             {positions} with the exact margin of every move: the final difference of the stores when both sides \
             play best, in seeds, from the view of the side to move. {of_side} a side, {in_each} in each at \
             the start. Made by kalah {kalah}:\n\n\
             ```sh\nkalah dataset build DIR --positions {} --houses {houses} --seeds {seeds} --capture {capture} \
             --sowing {sowing} --seed {seed} --shard {shard} --table-seeds {table_seeds}\n```\n\n",
            self.positions,
        );
        card += "## Which positions\n\n\
             Games are played from the start of the game. In each game each side has a share of random moves, drawn from 0 to 1, \
             and searches 300 positions for each of its other moves: so there is bad play, good play, and one against the other. Of \
             each game up to four positions are taken: a number of seeds is drawn, from 1 to all, and the first position with at \
             most so many seeds left in the houses is taken. Each position is there once: two with the same \
             houses, seen from the side to move, are the same one, whatever the stores.\n\n\
             ## Splits\n\n\
             A hash of the houses, seen from the side to move, decides the split: eight tenths `train`, one tenth each \
             `validation` and `test`. So a position is in the same split of every dataset of this kind, and a larger dataset \
             keeps the splits of a smaller one. Positions of one game (column `game`) can be in different \
             splits.\n\n| split | positions |\n|---|--:|\n";
        for (name, count) in &self.splits {
            let _ = writeln!(card, "| {name} | {} |", grouped(*count));
        }
        let _ = write!(
            card,
            "\n## How the values were found\n\nPositions with at most {table_seeds} seeds in the houses were read in a \
             tablebase, which has all of them (`source` is `tablebase`); all others were solved by a search that ends in it \
             (`solver`). `kalah dataset verify DIR` solves rows again, each with new tables.\n\n\
             | source | positions |\n|---|--:|\n"
        );
        for (name, count) in &self.sources {
            let _ = writeln!(card, "| {name} | {} |", grouped(*count));
        }
        card += "\n| seeds in the houses | positions | given away by a random move, in seeds |\n|--:|--:|--:|\n";
        for (step, (count, lost)) in &self.by_seeds {
            let (from, to) = (step * STEP, step * STEP + STEP - 1);
            let _ = writeln!(
                card,
                "| {from} to {to} | {} | {:.2} |",
                grouped(*count),
                lost / *count as f64
            );
        }
        let _ = write!(
            card,
            "\n## Columns\n\n{}\n## Files\n\n`data/positions-*.parquet` have {} rows each, the last one the rest. \
             `SHA256SUMS` has their sums (`sha256sum -c SHA256SUMS`), `dataset.json` the settings.\n\n\
             ## Licence\n\n[CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/): values of positions are facts. \
             No rights are reserved.\n",
            columns_table(*houses),
            grouped(*shard as u64),
        );
        card
    }
}

/// The columns as a table in Markdown.
fn columns_table(houses: usize) -> String {
    let mut table = String::from("| column | meaning |\n|---|---|\n");
    // Of columns for each house the first one stands for all.
    for column in Column::all(1) {
        let (name, meaning) = (column.to_string(), column.get_message().unwrap_or_default());
        let last = name.strip_suffix('1').map(|name| format!(" … `{name}{houses}`"));
        let _ = writeln!(table, "| `{name}`{} | {meaning} |", last.unwrap_or_default());
    }
    table
}
