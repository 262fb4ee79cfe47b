//! Games as a table. It is not laid out as a whole: there may be more games than memory holds.

use kalah::arena::GameRecord;

/// A table with a line a game.
pub(super) struct GameList {
    /// The width of the columns of players.
    names: usize,
}

impl GameList {
    /// A table for tournaments of which one game each is shown.
    pub(super) fn new<'a>(games: impl Iterator<Item = &'a GameRecord>) -> GameList {
        let names = games.flat_map(|game| &game.conditions.players);
        GameList { names: names.map(|name| name.chars().count()).max().unwrap_or(0).max(5) }
    }

    pub(super) fn header(&self) -> String {
        self.columns(
            ["game", "round", "South", "North", "result", "margin", "reason", "plies", "opening"]
                .map(str::to_owned),
        )
    }

    pub(super) fn line(&self, game: &GameRecord) -> String {
        self.columns([
            game.game.to_string(),
            game.round.to_string(),
            game.south.player.name.clone(),
            game.north.player.name.clone(),
            game.result.to_string(),
            margin(game),
            game.reason.to_string(),
            game.moves.len().to_string(),
            game.opening.clone(),
        ])
    }

    fn columns(&self, columns: [String; 9]) -> String {
        let [game, round, south, north, result, margin, reason, plies, opening] = columns;
        let names = self.names;
        format!(
            "{game:>7} {round:>7}  {south:<names$}  {north:<names$}  {result:<7}  {margin:>6}  \
             {reason:<12}  {plies:>5}  {opening}"
        )
    }
}

/// The margin from the view of South, `-` when there is none.
pub(super) fn margin(game: &GameRecord) -> String {
    game.margin.map_or("-".to_owned(), |margin| format!("{margin:+}"))
}
