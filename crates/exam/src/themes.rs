//! Phases and themes of positions, computed from their boards, moves and margins.

use kalah::board::{Board, Move, Next, Side};
use kalah_fair::fair_starts;
use serde::Serialize;
use strum::{Display, EnumString};

use crate::ExamPosition;

/// A greedy move that gives at least so many seeds away is a trap.
const TRAP: i32 = 4;

/// A capture of at least so many seeds is a threat.
const THREAT: u16 = 3;

/// Seeds in the houses, for each house of a side, with which an ending can be counted out.
const COUNTABLE: u32 = 2;

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Phase {
    /// One of the known starts that are a draw.
    FairStart,
    /// More than three quarters of the seeds are in the houses.
    Opening,
    /// Between the others.
    MiddleGame,
    /// At most two fifths of the seeds are in the houses.
    Ending,
}

/// What a position asks for. It can have several themes, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumString, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Theme {
    /// All best moves earn an extra turn, others do not.
    ExtraTurn,
    /// All best moves capture seeds of the opponent, others do not.
    Capture,
    /// The move that brings most seeds at once gives at least four away.
    Trap,
    /// The opponent threatens to capture three seeds or more; all best moves make the largest threat
    /// smaller, and neither capture nor earn an extra turn.
    Defence,
    /// With at most two seeds in the houses for each house of a side, a single move is best.
    Counting,
    /// A single move keeps the win, or the draw.
    OnlyMove,
}

/// What a move does at once.
struct Effect {
    mv: Move,
    /// The change of the store difference from the mover's view, in seeds.
    gain: i32,
    earns_turn: bool,
    /// Whether it captures seeds of the opponent.
    captures: bool,
    after: Board,
}

impl Phase {
    /// The phase of a board.
    pub fn of_board(board: &Board) -> Phase {
        let (seeds, all) = (board.seeds_in_play(), board.seeds());
        let places = 2 * board.rules().houses() as u32;
        let each = (all / places) as u16;
        if all.is_multiple_of(places) && fair_starts(board.rules(), each).contains(board) {
            Phase::FairStart
        } else if 4 * seeds > 3 * all {
            Phase::Opening
        } else if 5 * seeds > 2 * all {
            Phase::MiddleGame
        } else {
            Phase::Ending
        }
    }
}

impl Effect {
    fn of(board: &Board, mv: Move) -> Option<Effect> {
        let trace = board.trace(mv).ok()?;
        let difference =
            |board: &Board| i32::from(board.store(mv.side)) - i32::from(board.store(!mv.side));
        Some(Effect {
            mv,
            gain: difference(&trace.board) - difference(board),
            earns_turn: trace.next == Next::Again,
            captures: trace.capture.is_some_and(|(_, seeds)| seeds > 1),
            after: trace.board,
        })
    }
}

fn effects(board: &Board) -> Vec<Effect> {
    board.moves().filter_map(|mv| Effect::of(board, mv)).collect()
}

/// The most seeds that a side could capture if it were to move.
fn largest_capture(board: &Board, side: Side) -> u16 {
    let houses = Side::ALL.map(|side| board.houses(side));
    let stores = Side::ALL.map(|side| board.store(side));
    let Ok(board) = Board::new(board.rules(), houses, stores, side) else { return 0 };
    let captures = board.moves().filter_map(|mv| board.trace(mv).ok()?.capture);
    captures.map(|(_, seeds)| seeds).max().unwrap_or(0)
}

impl ExamPosition {
    /// The phase of the game.
    pub fn phase(&self) -> Phase {
        Phase::of_board(&self.board)
    }

    /// The moves that bring most seeds at once; of these, those that earn an extra turn, if any do.
    pub fn greedy_moves(&self) -> Vec<Move> {
        let effects = effects(&self.board);
        let key = |effect: &Effect| (effect.gain, effect.earns_turn);
        let most = effects.iter().map(key).max();
        effects.iter().filter(|effect| Some(key(effect)) == most).map(|effect| effect.mv).collect()
    }

    /// The seeds that a greedy move gives away on average.
    pub fn greedy_loss(&self) -> f64 {
        let losses: Vec<i32> = self.greedy_moves().iter().filter_map(|&mv| self.loss(mv)).collect();
        f64::from(losses.iter().sum::<i32>()) / losses.len().max(1) as f64
    }

    /// The themes of the position.
    pub fn themes(&self) -> Vec<Theme> {
        let effects = effects(&self.board);
        let best = self.best_moves();
        let (good, bad): (Vec<&Effect>, Vec<&Effect>) =
            effects.iter().partition(|effect| best.contains(&effect.mv));
        let tells = |property: fn(&Effect) -> bool| {
            good.iter().all(|effect| property(effect)) && !bad.iter().all(|effect| property(effect))
        };
        let opponent = !self.board.side();
        let threat = largest_capture(&self.board, opponent);
        let defends = |effect: &&Effect| {
            let is_quiet = !effect.captures && !effect.earns_turn;
            is_quiet && largest_capture(&effect.after, opponent) < threat
        };
        let is_trap = |mv: &Move| self.loss(*mv).is_some_and(|loss| loss >= TRAP);
        let keeps = |&&(_, margin): &&(Move, i32)| margin.signum() == self.margin().signum();
        let keeping = self.margins().iter().filter(keeps).count();
        let countable = COUNTABLE * self.board.rules().houses() as u32;
        let found = [
            (Theme::ExtraTurn, tells(|effect| effect.earns_turn)),
            (Theme::Capture, tells(|effect| effect.captures)),
            (Theme::Trap, self.greedy_moves().iter().all(is_trap)),
            (Theme::Defence, threat >= THREAT && good.iter().all(defends)),
            (Theme::Counting, self.board.seeds_in_play() <= countable && best.len() == 1),
            (Theme::OnlyMove, self.margin() >= 0 && keeping == 1),
        ];
        found.into_iter().filter(|(_, is_found)| *is_found).map(|(theme, _)| theme).collect()
    }
}
