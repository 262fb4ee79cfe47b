//! Iterative deepening with aspiration windows, for one line of play or several.

use super::negascout::{Stopped, Worker};
use super::report::{Effort, Line, Observer};
use super::table::{MAX_DEPTH, Table};
use super::value::{Bound, Score, Window};
use crate::board::{Board, House, Move, Position, RowTables};

/// Seeds on either side of the last iteration's value that the first window takes in.
const ASPIRATION: i32 = 4;

/// Lower and upper bounds are worth telling only in a search that takes long.
const TELL_BOUNDS_AFTER: std::time::Duration = std::time::Duration::from_secs(1);

/// The position to search, in the forms that it is needed in.
pub(super) struct Root<'a, R> {
    pub board: &'a Board,
    pub position: &'a Position<R>,
    pub seeds: i32,
    /// Moves that are not to be searched, a bit a house.
    pub excluded: u16,
    /// Moves that are.
    pub moves: usize,
}

/// How far to go, and for how many lines.
pub(super) struct Plan {
    pub last_depth: u32,
    pub multipv: usize,
    /// No more than one move can be made and time is worth saving.
    pub forced: bool,
}

/// The state of a search: the lines of the last finished iteration and a move found since.
#[derive(Default)]
pub(super) struct Findings {
    pub lines: Vec<Line>,
    /// The best move of an iteration that was cut short, when it had found one.
    pub unfinished: Option<House>,
}

impl<R: RowTables> Worker<'_, R> {
    /// Searches deeper and deeper until the plan is fulfilled, everything is proven, or time is
    /// up.
    pub(super) fn deepen(
        &mut self,
        root: &Root<'_, R>,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Findings {
        let mut findings = Findings::default();
        for depth in 1..=plan.last_depth {
            let Ok(lines) = self.iteration(root, depth, plan.multipv, &findings.lines, observer)
            else {
                // Only for the first line is a better move better than all that was known.
                findings.unfinished = self
                    .root_best
                    .map(|(house, _)| house)
                    .filter(|_| self.excluded == root.excluded);
                break;
            };
            findings.lines = lines;
            let proven = findings.lines.iter().all(|line| line.proven);
            if proven || plan.forced || self.shared.deadline().is_near() {
                break;
            }
        }
        findings
    }

    fn iteration(
        &mut self,
        root: &Root<'_, R>,
        depth: u32,
        multipv: usize,
        previous: &[Line],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Line>, Stopped> {
        self.excluded = root.excluded;
        let mut lines = Vec::with_capacity(multipv);
        for rank in 0..multipv.min(root.moves) {
            let guess = previous.get(rank).map(|line| line.margin - root.board.store_difference());
            let (house, score) = self.aspire(root, depth, rank + 1, guess, observer)?;
            self.excluded |= 1 << house.index();
            lines.push(self.line(root, depth, rank + 1, house, score, Bound::Exact));
        }
        // A later line can turn out better than an earlier one; the sort is stable.
        lines.sort_by_key(|line| -line.margin);
        let effort = self.effort();
        for (line, multipv) in lines.iter_mut().zip(1..) {
            line.multipv = multipv;
            observer.line(line, &effort);
        }
        Ok(lines)
    }

    /// Searches with a window around the guess, wider and wider until the value lies inside.
    fn aspire(
        &mut self,
        root: &Root<'_, R>,
        depth: u32,
        multipv: usize,
        guess: Option<i32>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let full = Window::full(root.seeds);
        let mut margin = ASPIRATION;
        let mut window = guess.map_or(full, |guess| Window {
            alpha: (guess - margin).max(full.alpha),
            beta: (guess + margin).min(full.beta),
        });
        loop {
            self.root_best = None;
            let score = self.negascout(root.position, root.seeds, depth, window, 0)?;
            let bound = window.bound_of(score.gain);
            margin *= 4;
            match (bound, self.root_best) {
                (Bound::Exact, Some((house, _))) => return Ok((house, score)),
                (Bound::Upper, _) => window.alpha = (score.gain - margin).max(full.alpha),
                (_, Some((house, _))) => {
                    window.beta = (score.gain + margin).min(full.beta);
                    if self.shared.deadline().elapsed() >= TELL_BOUNDS_AFTER {
                        let line = self.line(root, depth, multipv, house, score, bound);
                        observer.line(&line, &self.effort());
                    }
                }
                (_, None) => return Err(Stopped),
            }
        }
    }

    fn line(
        &self,
        root: &Root<'_, R>,
        depth: u32,
        multipv: usize,
        house: House,
        score: Score,
        bound: Bound,
    ) -> Line {
        Line {
            depth,
            seldepth: self.seldepth as u32,
            multipv,
            margin: root.board.store_difference() + score.gain,
            bound,
            proven: score.proven && bound == Bound::Exact,
            pv: principal_variation(self.table, root.board, house, depth),
        }
    }

    fn effort(&self) -> Effort {
        Effort {
            nodes: self.shared.nodes() + self.nodes - self.published,
            time: self.shared.deadline().elapsed(),
            hashfull: self.table.permille_full(),
        }
    }
}

/// The line of play after `first`, as the table remembers it.
fn principal_variation(table: &Table, board: &Board, first: House, depth: u32) -> Vec<Move> {
    let mut board = *board;
    let mut pv = Vec::new();
    let mut next = Some(first);
    while let Some(house) = next {
        let side = board.side();
        // A wrong match in the table can name an empty house; the line ends there.
        if board.play(house).is_err() {
            break;
        }
        pv.push(Move { side, house });
        let in_depth = pv.len() < depth.min(MAX_DEPTH) as usize;
        next = table.probe(board.key()).filter(|_| in_depth).and_then(|entry| entry.house);
    }
    pv
}
