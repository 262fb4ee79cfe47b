//! Draws positions from games between players of all strengths.

use std::collections::{HashSet, VecDeque};
use std::num::NonZeroUsize;

use fastrand::Rng;
use kalah::board::{Board, splitmix64};
use kalah::search::{Limits, SearchOptions, Searcher, TableTooLarge};
use kalah::{StopToken, parallel};

/// The positions of a dataset: each is another one, whatever the stores and whoever is to move. A larger dataset
/// begins with those of a smaller one.
pub(crate) struct Draw {
    start: Board,
    seed: u64,
    /// The number of the next game.
    game: u64,
    /// The keys of all positions drawn.
    drawn: HashSet<u64>,
    /// Drawn and not taken yet.
    ready: VecDeque<DrawnBoard>,
    /// The last game that had a new position.
    last: u64,
}

/// A position and the number of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawnBoard {
    pub board: Board,
    pub game: u64,
}

/// Positions that are taken of a game, or fewer.
const BOARDS_OF_GAME: usize = 4;

/// Positions that are searched for a move that is not random, and the memory of that search, in MiB.
const NODES: u64 = 300;
const HASH_MEBIBYTES: usize = 1;

/// Games in a row without a new position, after which all are taken to be drawn.
const BARREN_GAMES: u64 = 5_000;

/// Games that are played at a time.
const BATCH: u64 = 512;

impl Draw {
    /// Draws positions of games that begin with a board.
    pub(crate) fn new(start: Board, seed: u64) -> Draw {
        let (drawn, ready) = (HashSet::new(), VecDeque::new());
        Draw { start, seed, game: 0, drawn, ready, last: 0 }
    }

    /// Goes on after positions that were drawn before, which may come in parts. Returns the first one that was drawn
    /// twice.
    pub(crate) fn skip(&mut self, boards: &[DrawnBoard]) -> Option<DrawnBoard> {
        for drawn in boards {
            // A part before them may have been drawn anew, and with it some of them.
            if self.ready.front() == Some(drawn) {
                self.ready.pop_front();
            } else if !self.drawn.insert(drawn.board.key()) {
                return Some(*drawn);
            }
            self.last = self.last.max(drawn.game);
        }
        if self.ready.is_empty() {
            self.game = boards.last().map_or(self.game, |last| last.game);
        }
        None
    }

    /// The next positions: so many, or fewer if there are no more or it was stopped.
    pub(crate) fn take(
        &mut self,
        count: usize,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<Vec<DrawnBoard>, TableTooLarge> {
        while self.ready.len() < count && !stop.is_stopped() {
            // Not to the end of a batch: batches begin elsewhere if this goes on after others.
            let end = self.last.saturating_add(1 + BARREN_GAMES);
            let games = self.game..self.game.saturating_add(BATCH).min(end);
            if games.is_empty() {
                break;
            }
            self.game = games.end;
            let play = |searcher: &mut Result<Searcher, TableTooLarge>, game| {
                let searcher = searcher.as_mut().map_err(|error| error.clone())?;
                Ok((game, boards_of_game(&self.start, self.seed, game, searcher, stop)))
            };
            let searcher = || Searcher::new(HASH_MEBIBYTES);
            let played = parallel::try_map_with(threads, games, searcher, play)?;
            for (game, boards) in played {
                let boards = boards.into_iter().filter(|board| self.drawn.insert(board.key()));
                let ready = self.ready.len();
                self.ready.extend(boards.map(|board| DrawnBoard { board, game }));
                if self.ready.len() > ready {
                    self.last = game;
                }
            }
        }
        Ok(self.ready.drain(..count.min(self.ready.len())).collect())
    }
}

/// Some positions of a game. Each side plays some share of its moves at random, from none to all, and the others
/// after a short search.
fn boards_of_game(
    start: &Board,
    seed: u64,
    game: u64,
    searcher: &mut Searcher,
    stop: &StopToken,
) -> Vec<Board> {
    let mut random = Rng::with_seed(splitmix64(seed ^ splitmix64(game)));
    let share_of_random = [random.f64(), random.f64()];
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    searcher.clear();
    let (mut board, mut boards) = (*start, Vec::new());
    while !board.is_over() && !stop.is_stopped() {
        boards.push(board);
        let moves: Vec<_> = board.moves().collect();
        let mut mv = moves[random.u64(..moves.len() as u64) as usize];
        if random.f64() >= share_of_random[board.side().index()] {
            let options = SearchOptions::default();
            mv = searcher.search(&board, &limits, &options, stop, &mut |_| {}).best.unwrap_or(mv);
        }
        if board.play(mv).is_err() {
            break;
        }
    }
    // By the seeds left in the houses: games have many more plies with few of them.
    let seeds = u64::from(start.seeds_in_play());
    let at_most = |seeds| boards.iter().find(|board| u64::from(board.seeds_in_play()) <= seeds);
    (0..BOARDS_OF_GAME).filter_map(|_| at_most(random.u64(1..=seeds)).copied()).collect()
}

#[cfg(test)]
mod tests {
    use kalah::board::{Capture, Rules};

    use super::*;

    #[test]
    fn a_draw_that_goes_on_ends_at_the_same_game() -> Result<(), Box<dyn std::error::Error>> {
        let start = Board::start(Rules::new(2, Capture::Empty)?, 1)?;
        let stop = StopToken::new();
        let [mut whole, mut resumed] = [Draw::new(start, 1), Draw::new(start, 1)];
        let all = whole.take(100, NonZeroUsize::MIN, &stop)?;
        assert!(all.last().is_some_and(|last| last.game > 0));
        assert_eq!(resumed.skip(&all), None);
        assert!(resumed.take(100, NonZeroUsize::MIN, &stop)?.is_empty());
        assert_eq!(resumed.game, whole.game);
        Ok(())
    }
}
