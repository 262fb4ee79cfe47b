//! What each ingredient of a search is worth: nodes for the same depth as they are added one by
//! one.

use serde::Serialize;

use super::error::{LabError, check_tables};
use super::kalah_search::{check_search, searched};
use super::midgame::Midgame;
use super::progress::{Watch, in_parallel};
use super::statistics::{geometric_mean, median};
use crate::search::{
    DepthFirst, DepthFirstOptions, MoveOrdering, SearchOptions, TableUse, Variant,
};

/// Which positions to search, and how deep.
#[derive(Clone, Debug, Serialize)]
pub struct Ingredients {
    /// The positions.
    pub midgame: Midgame,
    /// Plies.
    pub depth: u32,
    /// Size of the table in MiB.
    pub hash: usize,
}

/// One search of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IngredientRow {
    /// What was added last.
    pub ingredient: &'static str,
    /// The board.
    pub board: String,
    /// Visits to positions, of all iterations up to the depth.
    pub nodes: u64,
    /// Those at which moves were made.
    pub interior: u64,
    /// Positions evaluated.
    pub leaves: u64,
    /// Searches repeated.
    pub researches: u64,
    /// Visits settled by the table.
    pub table_hits: u64,
    /// Nodes cut off.
    pub cutoffs: u64,
    /// Those cut off by the first move tried.
    pub first_move_cutoffs: u64,
}

/// What the positions say together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IngredientSummary {
    /// What was added last.
    pub ingredient: &'static str,
    /// Nodes of all positions.
    pub nodes: u64,
    /// The geometric mean of the nodes of a position.
    pub geometric_mean: f64,
    /// Their median.
    pub median: f64,
    /// The part of the cut-offs that the first move made; `None` where there are no cut-offs.
    pub first_move_cutoffs: Option<f64>,
}

/// The nodes that minimax may take on one position; beyond, it is left out.
const MOST_OF_MINIMAX: f64 = 1e7;

impl Ingredients {
    /// The searches, each with one ingredient more than the one before.
    fn searches(&self) -> Vec<(&'static str, SearchOptions)> {
        let with = |search, table, ordering, aspiration| SearchOptions {
            variant: Variant::DepthFirst(search),
            depth_first: DepthFirstOptions {
                table,
                ordering,
                random_seed: self.midgame.random_seed,
            },
            aspiration,
            ..SearchOptions::default()
        };
        let (off, on) = (TableUse::Off, TableUse::On);
        let (minimax, alpha_beta) = (DepthFirst::Minimax, DepthFirst::AlphaBeta);
        let negascout = DepthFirst::NegaScout;
        let mut searches = vec![
            ("minimax", with(minimax, off, MoveOrdering::Static, false)),
            ("alpha-beta, random order", with(alpha_beta, off, MoveOrdering::Random, false)),
            ("+ static order", with(alpha_beta, off, MoveOrdering::Static, false)),
            ("+ table", with(alpha_beta, on, MoveOrdering::Static, false)),
            ("+ dynamic order", with(alpha_beta, on, MoveOrdering::Dynamic, false)),
            ("+ null windows (NegaScout)", with(negascout, on, MoveOrdering::Dynamic, false)),
            ("+ aspiration", with(negascout, on, MoveOrdering::Dynamic, true)),
        ];
        if (self.midgame.houses as f64).powf(f64::from(self.depth)) > MOST_OF_MINIMAX {
            searches.remove(0);
        }
        searches
    }

    /// Searches all positions in all ways. The rows of one way stand together.
    ///
    /// # Errors
    /// When the positions cannot be had, the depth is none or too great, a table does not fit in
    /// memory, and when whoever watches has seen enough.
    pub fn run(&self, watch: Watch) -> Result<Vec<IngredientRow>, LabError> {
        check_search(self.midgame.houses, self.depth, 0.8)?;
        check_tables(self.hash)?;
        let boards = self.midgame.draw()?;
        let searches = self.searches();
        let work: Vec<_> = searches
            .iter()
            .flat_map(|search| boards.iter().map(move |board| (search, board)))
            .collect();
        in_parallel(&work, watch, |&((ingredient, settings), board)| {
            let counters = searched(board, self.depth, settings, self.hash)?.outcome.counters;
            Ok(IngredientRow {
                ingredient,
                board: board.fen(),
                nodes: counters.nodes,
                interior: counters.interior,
                leaves: counters.leaves,
                researches: counters.researches,
                table_hits: counters.table_hits,
                cutoffs: counters.cutoffs.iter().sum(),
                first_move_cutoffs: counters.cutoffs[0],
            })
        })
    }
}

/// Takes the rows of each way to search together.
pub fn summarize_ingredients(rows: &[IngredientRow]) -> Vec<IngredientSummary> {
    let ways = rows.chunk_by(|a, b| a.ingredient == b.ingredient);
    ways.map(|rows| {
        let nodes = || rows.iter().map(|row| row.nodes as f64);
        let cutoffs: u64 = rows.iter().map(|row| row.cutoffs).sum();
        let by_first: u64 = rows.iter().map(|row| row.first_move_cutoffs).sum();
        IngredientSummary {
            ingredient: rows[0].ingredient,
            nodes: rows.iter().map(|row| row.nodes).sum(),
            geometric_mean: geometric_mean(nodes()).unwrap_or(0.0),
            median: median(nodes()).unwrap_or(0.0),
            first_move_cutoffs: (cutoffs > 0).then(|| by_first as f64 / cutoffs as f64),
        }
    })
    .collect()
}
