//! Depth-first proof-number search of any game, without clocks: for experiments, and to see how
//! it works.

use super::conduct::ProofOptions;
use super::df_pn::DfPn;
use super::table::NumberTable;
use super::values::Bisection;
use crate::search::counters::Counters;
use crate::search::game::Game;
use crate::search::threads::Shared;
use crate::search::time_manager::TimeManager;

/// Proof-number search with a table of a given size.
///
/// What the table holds from before counts, so a new game wants a new one.
pub struct ProofSearch {
    table: NumberTable,
    /// How to go about it.
    pub options: ProofOptions,
    /// Positions visited at most, in all claims of one search together.
    pub node_limit: Option<u64>,
}

/// What proof-number searches of a tree have found.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// The least and the greatest value that the root can still have. They are the same when no
    /// limit ended the search.
    pub range: (i32, i32),
    /// The claims made, each of them "the value is this or more", and whether they hold.
    pub claims: Vec<(i32, bool)>,
    /// The work done.
    pub counters: Counters,
}

impl ProofSearch {
    /// A search without a limit, with a table of a number of mebibytes, or as many as can be had.
    pub fn new(mebibytes: usize, options: ProofOptions) -> ProofSearch {
        ProofSearch { table: NumberTable::new(mebibytes), options, node_limit: None }
    }

    /// Whether the value of a position is `value` or more; `None` when a limit came first.
    pub fn prove<G: Game>(
        &mut self,
        game: &G,
        root: &G::Position,
        value: i32,
    ) -> (Option<bool>, Counters) {
        self.with_search(game, |search| search.search(root, value).ok())
    }

    /// The value of a position.
    pub fn value<G: Game>(&mut self, game: &G, root: &G::Position) -> ProofResult {
        let (least, most) = game.value_range(root);
        let value = |number: u32| least + number as i32 * G::VALUE_STEP;
        let mut bisection = Bisection::up_to(((most - least) / G::VALUE_STEP) as u32);
        let mut claims = Vec::new();
        let ((), counters) = self.with_search(game, |search| {
            while let Some(v) = bisection.next_claim() {
                let Ok(holds) = search.search(root, value(v)) else { return };
                bisection.learn(v, holds);
                claims.push((value(v), holds));
            }
        });
        let (low, high) = bisection.range();
        ProofResult { range: (value(low), value(high)), claims, counters }
    }

    fn with_search<G: Game, T>(
        &mut self,
        game: &G,
        work: impl FnOnce(&mut DfPn<'_, G>) -> T,
    ) -> (T, Counters) {
        let shared = Shared::new(TimeManager::unlimited(), self.node_limit, 1);
        self.table.new_age();
        let mut search = DfPn::new(game, &mut self.table, &shared, self.options, &[]);
        let result = work(&mut search);
        (result, search.counters)
    }
}
