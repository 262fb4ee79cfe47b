//! Iterative deepening with aspiration windows, for one line of play or several.

use std::time::Duration;

use super::negascout::Worker;
use super::report::{Effort, Line, Observer, Outcome};
use super::root::Root;
use super::table::Table;
use super::threads::Stopped;
use super::value::{Bound, Score, Window};
use crate::board::{Board, House, Move, RowTables};

/// Seeds on either side of the last iteration's value that the first window takes in.
const ASPIRATION: i32 = 4;

/// How many times wider the window gets each time the value lies outside.
const WIDENING: i32 = 4;

/// Lower and upper bounds are worth telling only in a search that takes long.
const TELL_BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// How far to go, and for how many lines.
pub(super) struct Plan {
    pub last_depth: u32,
    pub multipv: usize,
    /// No more than one move can be made and time is worth saving.
    pub forced: bool,
}

/// What a search has found.
#[derive(Default)]
pub(super) struct Findings {
    /// The lines of the last finished iteration.
    lines: Vec<Line>,
    /// The best move of an iteration that was cut short, when it had found one.
    unfinished: Option<House>,
}

impl Findings {
    /// The answer they make.
    pub(super) fn outcome<R: RowTables>(self, root: &Root<'_, R>, effort: Effort) -> Outcome {
        let pv = self.lines.first().map_or(&[][..], |line| &line.pv);
        let ply = |house| Move { side: root.board.side(), house };
        // Stopped before a single iteration was through, any move is better than none.
        let any = || root.moves.last().copied().map(ply);
        let best = self.unfinished.map(ply).or(pv.first().copied()).or_else(any);
        let ponder = pv.get(1).copied().filter(|_| best == pv.first().copied());
        Outcome { best, ponder, lines: self.lines, effort }
    }
}

impl<R: RowTables> Worker<'_, R> {
    /// Searches deeper and deeper until the plan is fulfilled, everything is proven, or time is
    /// up.
    pub(super) fn deepen(&mut self, plan: &Plan, observer: &mut dyn Observer) -> Findings {
        let mut findings = Findings::default();
        for depth in 1..=plan.last_depth {
            let Ok(lines) = self.iteration(depth, plan.multipv, &findings.lines, observer) else {
                // Only for the first line is a better move better than all that was known.
                findings.unfinished =
                    self.root_best.filter(|_| self.excluded == self.root.excluded);
                break;
            };
            findings.lines = lines;
            let proven = findings.lines.iter().all(|line| line.proven);
            if proven || plan.forced || self.shared.deadline().is_near() {
                break;
            }
        }
        // What is not yet published; that the search is over is known.
        let _ = self.poll();
        findings
    }

    fn iteration(
        &mut self,
        depth: u32,
        multipv: usize,
        previous: &[Line],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Line>, Stopped> {
        self.excluded = self.root.excluded;
        self.seldepth = 0;
        let mut lines = Vec::with_capacity(multipv);
        for rank in 0..multipv {
            let difference = self.root.board.store_difference();
            let guess = previous.get(rank).map(|line| line.margin - difference);
            let (house, score) = self.aspire(depth, rank + 1, guess, observer)?;
            self.excluded.insert(house);
            lines.push(self.line(depth, rank + 1, house, score, Bound::Exact));
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
        depth: u32,
        multipv: usize,
        guess: Option<i32>,
        observer: &mut dyn Observer,
    ) -> Result<(House, Score), Stopped> {
        let full = Window::full(self.root.seeds);
        let mut margin = ASPIRATION;
        let mut window = guess.map_or(full, |guess| Window {
            alpha: (guess - margin).max(full.alpha),
            beta: (guess + margin).min(full.beta),
        });
        self.root_best = None;
        loop {
            let Root { position, seeds, .. } = self.root;
            let score = self.negascout(position, *seeds, depth, window, 0)?;
            let bound = window.bound_of(score.gain);
            margin = margin.saturating_mul(WIDENING);
            match (bound, self.root_best) {
                (Bound::Exact, Some(house)) => return Ok((house, score)),
                (Bound::Lower, Some(house)) => {
                    window.beta = (score.gain + margin).min(full.beta);
                    if self.shared.deadline().elapsed() >= TELL_BOUNDS_AFTER {
                        let line = self.line(depth, multipv, house, score, bound);
                        observer.line(&line, &self.effort());
                    }
                }
                // An upper bound: no other gain comes without a move.
                _ => {
                    // What looked best does not hold.
                    self.root_best = None;
                    window.alpha = (score.gain - margin).max(full.alpha);
                }
            }
        }
    }

    fn line(&self, depth: u32, multipv: usize, house: House, score: Score, bound: Bound) -> Line {
        Line {
            depth,
            seldepth: self.seldepth as u32,
            multipv,
            margin: self.root.board.store_difference() + score.gain,
            bound,
            proven: score.proven && bound == Bound::Exact,
            pv: principal_variation(self.shared.table, self.root.board, house, depth),
        }
    }

    fn effort(&self) -> Effort {
        self.shared.effort(self.unpublished())
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
        let in_depth = pv.len() < depth as usize;
        next = table.probe(board.key()).filter(|_| in_depth).map(|entry| entry.house);
    }
    pv
}
