//! When the engines are asked, and what their answers do.

use std::time::Duration;

use kalah::board::Move;
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::protocol::Go;

use super::advice::{EngineQuestion, EngineRole, MoveValue, MoveValues, ProcessReport, go_for};
use super::app::{App, Effect, PendingSearch, Prompt, Purpose};
use super::settings::{PlayClock, SidePlayer};
use super::words;

/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// How late an answer may be.
const MAX_DELAY: Duration = Duration::from_secs(20);

/// Failures in a row after which an engine is left alone.
const MAX_FAILURES: u32 = 3;

impl App {
    /// Asks the engines for a move, a hint or a value, if one is missing.
    pub(super) fn ask_engines(&mut self, now: Duration) {
        let board = self.game.board;
        if let Some(SidePlayer::Engine(level)) = self.game.seat_to_move()
            && !self.is_paused
            && self.searches[EngineRole::Opponent.index()].is_none()
        {
            let purpose = if self.game.may_swap() { Purpose::SwapOrMove } else { Purpose::Move };
            let go = self.go_by_clock(now);
            self.ask(EngineRole::Opponent, purpose, level, go, now);
        }
        if self.searches[EngineRole::Adviser.index()].is_some() {
            return;
        }
        if self.wants_hint {
            let go = go_for(HINT_TIME);
            self.ask(EngineRole::Adviser, Purpose::Hint, MAX_SKILL_LEVEL, go, now);
        } else if self.has_values {
            let values = self.values.entry(board).or_insert_with(|| MoveValues::of(&board));
            if let Some((mv, time)) = values.next(&board) {
                let purpose = Purpose::Value(board, mv);
                self.ask(EngineRole::Adviser, purpose, MAX_SKILL_LEVEL, go_for(time), now);
            }
        }
    }

    fn go_by_clock(&self, now: Duration) -> Go {
        match self.game.clock() {
            PlayClock::Untimed => go_for(self.settings.movetime),
            // The move has to arrive before the time is up.
            PlayClock::Move(time) => go_for(time.mul_f64(0.9)),
            PlayClock::Game { increment, .. } => {
                let left = kalah::Side::ALL.map(|side| Some(self.game.time_left(side, now)));
                Go { time: left, increment: [Some(increment); 2], ..Go::default() }
            }
        }
    }

    fn ask(&mut self, role: EngineRole, purpose: Purpose, level: u8, go: Go, now: Duration) {
        self.next_id += 1;
        let id = self.next_id;
        let mut moves: String = self.game.moves().map(Move::letter).collect();
        if let Purpose::Value(_, mv) = purpose {
            moves.push(mv.letter());
        }
        let clock = go.time[self.game.board.side().index()];
        let time = go.limits.movetime.or(clock).unwrap_or_default();
        let deadline = now + time + MAX_DELAY;
        self.searches[role.index()] = Some(PendingSearch { id, purpose, score: None, deadline });
        let question = EngineQuestion { id, start: self.game.start, moves, level, go };
        self.effects.push(Effect::Ask(role, Box::new(question)));
    }

    /// An engine that is too late is started again.
    pub(super) fn check_searches(&mut self, now: Duration) {
        for role in EngineRole::ALL {
            let search = &mut self.searches[role.index()];
            if search.take_if(|search| now >= search.deadline).is_some() {
                self.effects.push(Effect::Restart(role));
                self.failed(role, "it does not answer");
            }
        }
    }

    /// What an engine has said.
    pub(super) fn engine_said(&mut self, role: EngineRole, report: ProcessReport, now: Duration) {
        let place = role.index();
        match report {
            ProcessReport::Ready { name, has_levels } => {
                self.engine_names[place] = Some(name);
                if role == EngineRole::Opponent {
                    self.has_levels = has_levels;
                }
            }
            ProcessReport::Score { id, score } => {
                if let Some(search) = self.searches[place].as_mut().filter(|s| s.id == id) {
                    search.score = Some(score);
                }
            }
            ProcessReport::Answer { id, best } => {
                if let Some(search) = self.searches[place].take_if(|search| search.id == id) {
                    self.answered(role, &search, best.as_deref(), now);
                }
            }
            ProcessReport::Failed { reason } => {
                self.searches[place] = None;
                self.failed(role, &reason);
            }
        }
        self.update(now);
    }

    fn failed(&mut self, role: EngineRole, reason: &str) {
        let failures = &mut self.failures[role.index()];
        *failures += 1;
        let is_left_alone = *failures >= MAX_FAILURES;
        let reason = kalah::printable::printable(reason).into_owned();
        self.notice = match role {
            EngineRole::Opponent if is_left_alone => {
                self.is_paused = true;
                format!("The engine failed {MAX_FAILURES} times: {reason}. Space tries again.")
            }
            EngineRole::Adviser if is_left_alone => {
                self.has_values = false;
                self.wants_hint = false;
                format!("No values and hints: the engine failed {MAX_FAILURES} times: {reason}.")
            }
            EngineRole::Opponent => format!("The engine was started again: {reason}."),
            EngineRole::Adviser => {
                format!("The engine for values was started again: {reason}.")
            }
        };
    }

    fn answered(
        &mut self,
        role: EngineRole,
        search: &PendingSearch,
        best: Option<&str>,
        now: Duration,
    ) {
        let board = self.game.board;
        if let Purpose::Value(board, mv) = search.purpose {
            self.failures[role.index()] = 0;
            let values = self.values.entry(board).or_insert_with(|| MoveValues::of(&board));
            values.set(&board, mv, search.score);
            return;
        }
        let mv = best.and_then(|text| board.parse_move(text).ok());
        let Some(mv) = mv.filter(|mv| board.moves().any(|open| open == *mv)) else {
            self.effects.push(Effect::Restart(role));
            let what = best.unwrap_or("no move");
            self.failed(role, &format!("it answered '{what}', which is illegal"));
            return;
        };
        self.failures[role.index()] = 0;
        match search.purpose {
            Purpose::Hint => {
                self.wants_hint = false;
                self.cursor = Some(mv.house.index()).filter(|_| self.is_human_to_move());
                self.notice = match search.score {
                    Some(score) => words::hint(mv, MoveValue::of(score)),
                    None => format!("Hint: {mv}."),
                };
            }
            Purpose::SwapOrMove if search.score.is_some_and(|score| score.centiseeds < 0) => {
                self.game.swap_sides(now);
                self.swapped(board.side());
            }
            _ => {
                // A game that begins to end is not asked about.
                if self.prompt == Some(Prompt::Resign) {
                    self.prompt = None;
                }
                self.play(mv, now);
            }
        }
    }
}
