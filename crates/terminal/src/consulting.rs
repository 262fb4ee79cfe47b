//! When the engines are asked, and what their answers do.

use std::time::Duration;

use kalah::board::Move;
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::printable::printable;
use kalah::protocol::{EngineScore, Go};
use kalah::search::Bound;

use super::advice::{
    EngineQuestion, EngineRole, MoveValue, MoveValues, PendingSearch, ProcessReport, go_for,
};
use super::app::{App, Effect, Prompt};
use super::engines::EngineOrder;
use super::settings::{PlayClock, SidePlayer};
use super::words;

const HINT_TIME: Duration = Duration::from_secs(1);

/// How late an answer may be.
const MAX_DELAY: Duration = Duration::from_secs(20);

/// Failures in a row after which an engine is left alone.
const MAX_FAILURES: u32 = 3;

const MAX_KEPT_VALUES: usize = 1000;

impl App {
    /// Forgets a search: its answer will be ignored.
    pub(super) fn cancel(&mut self, role: EngineRole) {
        if self.engines[role as usize].search.take().is_some() {
            self.effects.push(Effect::Engine(role, EngineOrder::Stop));
        }
    }

    /// Engines that were left alone are tried again.
    pub(super) fn forgive_engines(&mut self) {
        self.engines.iter_mut().for_each(|engine| engine.failures = 0);
    }

    /// Asks the engines for a move, a hint or a value, if one is missing.
    pub(super) fn ask_engines(&mut self, now: Duration) {
        let is_idle = |app: &App, role: EngineRole| app.engines[role as usize].search.is_none();
        if let Some(SidePlayer::Engine(level)) = self.game.seat_to_move()
            && !self.is_paused
            && is_idle(self, EngineRole::Opponent)
        {
            self.ask(EngineRole::Opponent, None, level, self.go_by_clock(now), now);
        }
        if !is_idle(self, EngineRole::Adviser) {
            return;
        }
        if self.wants_hint {
            self.ask(EngineRole::Adviser, None, MAX_SKILL_LEVEL, go_for(HINT_TIME), now);
        } else if self.has_values {
            let board = self.game.board;
            if self.values.len() > MAX_KEPT_VALUES {
                self.values.clear();
            }
            let values = self.values.entry(board).or_insert_with(|| MoveValues::new(&board));
            if let Some((mv, time)) = values.next() {
                self.ask(EngineRole::Adviser, Some(mv), MAX_SKILL_LEVEL, go_for(time), now);
            }
        }
    }

    fn go_by_clock(&self, now: Duration) -> Go {
        match self.game.clock {
            PlayClock::Untimed => go_for(self.settings.movetime),
            // The move has to arrive before the time is up.
            PlayClock::Move(time) => go_for(time.mul_f64(0.9)),
            PlayClock::Game { increment, .. } => {
                let left = kalah::Side::ALL.map(|side| Some(self.game.time_left(side, now)));
                Go { time: left, increment: [Some(increment); 2], ..Go::default() }
            }
        }
    }

    fn ask(&mut self, role: EngineRole, value_of: Option<Move>, level: u8, go: Go, now: Duration) {
        self.questions += 1;
        let id = self.questions;
        let moves = self.game.moves().chain(value_of).map(Move::letter).collect();
        let clock = go.time[self.game.board.side().index()];
        let time = go.limits.movetime.or(clock).unwrap_or_default();
        let deadline = now + time + MAX_DELAY;
        let search = PendingSearch { id, value_of, deadline };
        self.engines[role as usize].search = Some(search);
        let question = EngineQuestion { id, start: self.game.start, moves, level, go };
        self.effects.push(Effect::Engine(role, EngineOrder::Think(Box::new(question))));
    }

    /// An engine that is too late is started again.
    pub(super) fn check_searches(&mut self, now: Duration) {
        for role in EngineRole::ALL {
            let search = &mut self.engines[role as usize].search;
            if search.take_if(|search| now >= search.deadline).is_some() {
                self.effects.push(Effect::Engine(role, EngineOrder::Restart));
                self.failed(role, "it does not answer");
            }
        }
    }

    pub(super) fn engine_said(&mut self, role: EngineRole, report: ProcessReport, now: Duration) {
        let engine = &mut self.engines[role as usize];
        match report {
            ProcessReport::Ready { name, has_levels } => {
                engine.name = Some(name);
                if role == EngineRole::Opponent {
                    self.has_levels = has_levels;
                }
            }
            ProcessReport::Answer { id, best, score } => {
                if let Some(search) = engine.search.take_if(|search| search.id == id) {
                    engine.failures = 0;
                    self.answered(role, search.value_of, (best, score), now);
                }
            }
            ProcessReport::Failed { reason } => {
                engine.search = None;
                self.failed(role, &reason);
            }
        }
        self.update(now);
    }

    fn failed(&mut self, role: EngineRole, reason: &str) {
        let failures = &mut self.engines[role as usize].failures;
        *failures += 1;
        let is_left_alone = *failures >= MAX_FAILURES;
        let reason = printable(reason);
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
            EngineRole::Adviser => format!("The engine for values was started again: {reason}."),
        };
    }

    fn answered(
        &mut self,
        role: EngineRole,
        value_of: Option<Move>,
        (mv, score): (Move, Option<EngineScore>),
        now: Duration,
    ) {
        let board = self.game.board;
        if let Some(mv) = value_of {
            let values = self.values.entry(board).or_insert_with(|| MoveValues::new(&board));
            return values.set(mv, score);
        }
        if role == EngineRole::Adviser {
            self.wants_hint = false;
            self.cursor = Some(mv.house.index()).filter(|_| self.is_human_to_move());
            self.notice = words::hint(mv, score.map(MoveValue::from));
        } else if self.game.may_swap()
            && score.is_some_and(|score| score.centiseeds < 0 && score.bound != Bound::Lower)
        {
            self.game.swap_sides(now);
            self.swapped(board.side());
        } else {
            // Only the player to move can resign, who is another one now.
            self.prompt.take_if(|prompt| *prompt == Prompt::Resign);
            self.play(mv, now);
        }
    }
}
