//! The rating list and its table.

use kalah_arena::Standings;
use serde::Serialize;

use super::super::screen::ScreenTable;
use super::players::{ANCHOR, Group, ListedPlayer};
use kalah_arena::commands::{margin, percent};

/// A player of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RatedPlayer {
    /// The place in the list, from 1.
    pub rank: usize,
    /// The player's settings.
    pub player: String,
    /// What the player is.
    pub group: Group,
    /// The rating and its 95 % interval.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub elo: f64,
    /// The lower end of its 95 % interval; null if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub low: f64,
    /// The upper end of its 95 % interval; null if it is infinite.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub high: f64,
    /// Games of every two players, an even number
    pub games: u64,
    /// The mean points of a game.
    pub score: f64,
    /// The mean margin in seeds.
    pub margin: Option<f64>,
}

/// The players by rating, the highest first.
pub(super) fn rated_players(listed: &[ListedPlayer], standings: &Standings) -> Vec<RatedPlayer> {
    let ratings = standings.ratings().players;
    let anchor = listed.iter().position(|listed| listed.settings.name == ANCHOR);
    let zero = anchor.map_or(0.0, |anchor| ratings[anchor].value);
    let mut ranking: Vec<usize> = (0..listed.len()).collect();
    ranking.sort_by(|&a, &b| ratings[b].value.total_cmp(&ratings[a].value));
    let rated = ranking.into_iter().zip(1..).map(|(player, rank)| {
        let (ListedPlayer { group, settings }, rating) = (&listed[player], &ratings[player]);
        RatedPlayer {
            rank,
            player: settings.name.clone(),
            group: *group,
            elo: rating.value - zero,
            low: rating.low - zero,
            high: rating.high - zero,
            games: standings.total(player).games(),
            score: standings.total(player).score(),
            margin: standings.mean_margin(player),
        }
    });
    rated.collect()
}

/// The list in the terminal.
pub(super) fn list_table(rated: &[RatedPlayer]) -> ScreenTable {
    let rows = rated.iter().map(|player| {
        [
            player.rank.to_string(),
            player.player.clone(),
            elo(player.elo),
            format!("[{}, {}]", elo(player.low), elo(player.high)),
            player.games.to_string(),
            percent(player.score),
            margin(player.margin),
        ]
    });
    let header = ["", "player", "Elo", "95 %", "games", "score", "margin"];
    ScreenTable::new(header, 2, rows, 1)
}

/// A rating without a fraction: intervals are far wider than 1.
fn elo(value: f64) -> String {
    // Not "-0".
    format!("{:.0}", value.round() + 0.0)
}
