//! How a thinker goes about its work.

use std::path::PathBuf;

use super::skill::Skill;
use crate::search::SearchOptions;

pub(in crate::engine) const DEFAULT_SOLVER_HASH: usize = 256;

/// What can be set once for many moves.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// How the search goes about its work. Its tables are chosen by the thinker.
    pub search: SearchOptions,
    /// How well to play.
    pub skill: Skill,
    /// Whether tables and the solver are asked.
    pub exact: bool,
    /// Whether moves of the same exact value are told apart by how much the replies can give away;
    /// otherwise it is the first found that is played.
    pub traps: bool,
    /// Where there are tables in files.
    pub tablebase: Option<PathBuf>,
    /// Memory for what the solver finds out, in MiB. It is taken when first needed, and not more than
    /// a quarter of what the machine has to spare.
    pub solver_mebibytes: usize,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            search: SearchOptions::default(),
            skill: Skill::default(),
            exact: true,
            traps: true,
            tablebase: None,
            solver_mebibytes: DEFAULT_SOLVER_HASH,
        }
    }
}
