//! The players of the rating list.

use kalah::search::{DepthFirst, MtdDriver, Variant};
use kalah_arena::{PartialPlayerSettings, PlayerSettings, SettingsError};
use serde::Serialize;

/// The player whose rating is 0.
pub(super) const ANCHOR: &str = "level 0";

/// The time of the searches of the literature, in milliseconds a move.
const SEARCH_TIME: u64 = 10;

/// Limits the levels, so that their strength is the same on every machine.
const LEVEL_LIMIT: &str = "nodes=100000";

/// A group of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// The engine, by its time.
    Engine,
    /// Weaker levels of the engine.
    Levels,
    /// Searches of the literature that need an evaluation or proofs.
    Literature,
    /// Searches of the literature that play random games.
    MonteCarlo,
}

impl Group {
    /// All groups with their names.
    pub(super) const ALL: [(Group, &'static str); 4] = [
        (Group::Engine, "engine"),
        (Group::Levels, "levels"),
        (Group::Literature, "literature"),
        (Group::MonteCarlo, "Monte Carlo"),
    ];
}

/// A player and its group.
pub(super) struct ListedPlayer {
    pub group: Group,
    pub settings: PlayerSettings,
}

/// All players. `longest` is the longest time of the engine in milliseconds; `each` replaces the limits.
///
/// # Errors
/// When `each` has no limit, or sets what players cannot share.
pub(super) fn listed_players(
    longest: u64,
    each: Option<&PartialPlayerSettings>,
) -> Result<Vec<ListedPlayer>, SettingsError> {
    let times = std::iter::successors(Some(1_u64), |time| time.checked_mul(10));
    let engines = times.take_while(|&time| time <= longest).map(|time| {
        let name = format!("engine, {}", time_text(time));
        (Group::Engine, name, "builtin=selective option.OwnBook=false".to_owned(), st(time))
    });
    let levels = (0..=16).step_by(4).map(|level| {
        let words = format!("builtin=selective 'option.Skill Level={level}'");
        (Group::Levels, format!("level {level}"), words, LEVEL_LIMIT.to_owned())
    });
    let searches = Variant::ALL.into_iter().filter_map(|(variant_name, variant)| {
        let (group, name) = listed_search(variant)?;
        let name = format!("{name}, {}", time_text(SEARCH_TIME));
        let words = format!("builtin={variant_name} option.Exact=false");
        Some((group, name, words, st(SEARCH_TIME)))
    });
    let players = engines.chain(levels).chain(searches).map(|(group, name, words, limit)| {
        let limit = if each.is_some() { "" } else { &limit };
        // Generous, so that other work on the machine does not decide a game.
        let words = format!("{words} {limit} timemargin=1000 'name={name}'");
        let none = PartialPlayerSettings::default();
        let settings = PlayerSettings::new(words.parse()?, each.unwrap_or(&none))?;
        Ok(ListedPlayer { group, settings })
    });
    players.collect()
}

/// The group and the name of a search of the literature.
fn listed_search(variant: Variant) -> Option<(Group, &'static str)> {
    let name = match variant {
        Variant::DepthFirst(search) => match search {
            DepthFirst::Minimax => "minimax",
            DepthFirst::AlphaBeta => "alpha-beta",
            DepthFirst::Scout => "SCOUT",
            DepthFirst::NegaScout => "NegaScout",
            DepthFirst::Pvs => "PVS",
            DepthFirst::Mtd(MtdDriver::Guess) => "MTD(f)",
            DepthFirst::Mtd(MtdDriver::Above) => "SSS*",
            DepthFirst::Mtd(MtdDriver::Below) => "DUAL*",
            // NegaScout and MTD(f) again, and the engine.
            DepthFirst::NegaScoutMinimax
            | DepthFirst::Mtd(MtdDriver::Bisection)
            | DepthFirst::Selective => return None,
        },
        Variant::ProofNumber => "proof-number",
        Variant::FlatMonteCarlo => return Some((Group::MonteCarlo, "flat Monte Carlo")),
        Variant::FlatUcb => return Some((Group::MonteCarlo, "flat UCB1")),
        Variant::MonteCarloTree => return Some((Group::MonteCarlo, "MCTS")),
    };
    Some((Group::Literature, name))
}

/// The limit of a time in milliseconds.
fn st(time: u64) -> String {
    format!("st={}", time as f64 / 1e3)
}

fn time_text(time: u64) -> String {
    if time.is_multiple_of(1000) { format!("{} s", time / 1000) } else { format!("{time} ms") }
}
