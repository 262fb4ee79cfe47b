//! How a tournament stood on the way.

use super::standing::{GameSummary, Standing};

impl Standing {
    /// A figure of the standing as it was after so many pairs of games, at `most` times at most,
    /// evenly spread; the last time is the end. Pairs count in the order of their numbers, as soon
    /// as they are complete.
    pub fn history<T>(&self, most: u64, figure: impl Fn(&Standing) -> T) -> Vec<(u64, T)> {
        let mut games: Vec<GameSummary> = self.games().to_vec();
        games.sort_by_key(|game| game.game);
        let pairs: Vec<&[GameSummary]> =
            games.chunk_by(|a, b| a.pair() == b.pair()).filter(|games| games.len() == 2).collect();
        let total = pairs.len() as u64;
        let between = total.div_ceil(most.max(1));
        let mut standing = Standing::new(self.players.clone());
        let mut history = Vec::new();
        for (number, games) in (1..).zip(pairs) {
            for &game in games {
                standing.add(game);
            }
            if number % between == 0 || number == total {
                history.push((number, figure(&standing)));
            }
        }
        history
    }
}
