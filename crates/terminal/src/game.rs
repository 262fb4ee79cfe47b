//! A game in progress: its moves, clocks and end.

use std::time::Duration;

use kalah::board::{Board, IllegalMove, Move, MoveTrace, Side};
use kalah_games::{AnnotatedGame, GameOutcome};
use kalah_records::GameResult;

use super::settings::{PlayClock, PlaySettings, SidePlayer};

/// A move, or the swap of sides, with what a takeback restores.
struct GameStep {
    board_before: Board,
    clocks_before: [Duration; 2],
    /// `None` when the players swapped sides.
    mv: Option<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A side has no seeds left; the margin is South's.
    Played(i32),
    Resigned(Side),
    TimeUp(Side),
}

impl Ending {
    pub(super) fn outcome(self) -> GameOutcome {
        match self {
            Ending::Played(margin) => GameOutcome::from_margin(margin),
            Ending::Resigned(side) | Ending::TimeUp(side) => GameResult::lost_by(side).into(),
        }
    }
}

/// A game between two people or engines.
pub(super) struct TerminalGame {
    /// The game that is continued, with its tags and comments.
    pub(super) continued: Option<AnnotatedGame>,
    pub(super) start: Board,
    pub(super) board: Board,
    pub(super) seats: [SidePlayer; 2],
    pub(super) clock: PlayClock,
    steps: Vec<GameStep>,
    clocks: [Duration; 2],
    /// Since when the clock of the side to move runs.
    running_since: Option<Duration>,
    forced_end: Option<Ending>,
    has_swap: bool,
}

impl TerminalGame {
    pub(super) fn new(start: Board, settings: &PlaySettings) -> TerminalGame {
        TerminalGame {
            continued: None,
            start,
            board: start,
            seats: settings.seats,
            clock: settings.clock,
            steps: Vec::new(),
            clocks: [settings.clock.initial_time(); 2],
            running_since: None,
            forced_end: None,
            has_swap: settings.swap,
        }
    }

    /// A game that goes on after its last move.
    pub(super) fn continuing(game: AnnotatedGame, settings: &PlaySettings) -> TerminalGame {
        let mut continued = TerminalGame::new(game.start, settings);
        // It has no illegal moves, since it was read from a text.
        for (board_before, ply) in game.boards().zip(&game.moves) {
            let clocks_before = continued.clocks;
            continued.steps.push(GameStep { board_before, clocks_before, mv: Some(ply.mv) });
        }
        continued.board = game.end();
        continued.continued = Some(game);
        continued
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.steps.iter().filter_map(|step| step.mv)
    }

    pub(super) fn has_moves(&self) -> bool {
        self.moves().next().is_some()
    }

    /// The last move and the board before it; `None` after a swap, too.
    pub(super) fn last_move(&self) -> Option<(Board, Move)> {
        self.steps.last().and_then(|step| Some((step.board_before, step.mv?)))
    }

    /// The number of moves before the sides were swapped.
    pub(super) fn moves_before_swap(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.mv.is_none())
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.forced_end.or(self.board.result().map(Ending::Played))
    }

    pub(super) fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// Who is to move; `None` at the end.
    pub(super) fn seat_to_move(&self) -> Option<SidePlayer> {
        (!self.is_over()).then(|| self.seats[self.board.side().index()])
    }

    pub(super) fn humans(&self) -> usize {
        self.seats.iter().filter(|&&seat| seat == SidePlayer::Human).count()
    }

    fn push_step(&mut self, mv: Option<Move>, now: Duration) {
        let clocks_before = self.clocks;
        self.stop_clock(now);
        self.steps.push(GameStep { board_before: self.board, clocks_before, mv });
    }

    /// Plays a move, and returns what it does.
    pub(super) fn play(&mut self, mv: Move, now: Duration) -> Result<MoveTrace, IllegalMove> {
        let trace = self.board.trace(mv)?;
        self.push_step(Some(mv), now);
        let left = &mut self.clocks[mv.side.index()];
        match self.clock {
            PlayClock::Untimed => {}
            PlayClock::Move(time) => *left = time,
            PlayClock::Game { increment, .. } => *left += increment,
        }
        self.board = trace.board;
        Ok(trace)
    }

    /// Takes back the last move, or all moves to the last one of a human. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        self.running_since = None;
        match self.forced_end.take() {
            Some(Ending::Resigned(_)) => return true,
            // Where no earlier time is known, the clock begins again.
            Some(Ending::TimeUp(side)) if self.steps.is_empty() => {
                self.clocks[side.index()] = self.clock.initial_time();
                return true;
            }
            _ => {}
        }
        let steps = self.steps.len();
        while let Some(step) = self.steps.pop() {
            self.board = step.board_before;
            self.clocks = step.clocks_before;
            if step.mv.is_none() {
                self.seats.swap(0, 1);
            } else if self.humans() == 0 || self.seat_to_move() == Some(SidePlayer::Human) {
                break;
            }
        }
        self.steps.len() < steps
    }

    /// Whether North may take over South's side now: South's first turn is over, and North has not moved.
    pub(super) fn may_swap(&self) -> bool {
        let first = self.start.side();
        let is_first_turn_over = self.board.side() != first
            && self.has_moves()
            && self.steps.iter().all(|step| step.mv.is_some_and(|mv| mv.side == first));
        self.has_swap && is_first_turn_over && !self.is_over()
    }

    /// The players swap sides. What was South's is North's, who is to move.
    pub(super) fn swap_sides(&mut self, now: Duration) {
        self.push_step(None, now);
        self.seats.swap(0, 1);
        self.clocks.swap(0, 1);
    }

    pub(super) fn resign(&mut self, side: Side) {
        self.running_since = None;
        self.forced_end = Some(Ending::Resigned(side));
    }

    pub(super) fn has_clock(&self) -> bool {
        self.clock != PlayClock::Untimed
    }

    pub(super) fn time_left(&self, side: Side, now: Duration) -> Duration {
        let since = self.running_since.filter(|_| side == self.board.side()).unwrap_or(now);
        self.clocks[side.index()].saturating_sub(now.saturating_sub(since))
    }

    /// Starts the clock of the side to move, if it stands.
    pub(super) fn start_clock(&mut self, now: Duration) {
        if self.has_clock() && !self.is_over() {
            self.running_since.get_or_insert(now);
        }
    }

    /// Stops the clock: while seeds are sown and in a pause.
    pub(super) fn stop_clock(&mut self, now: Duration) {
        let side = self.board.side();
        self.clocks[side.index()] = self.time_left(side, now);
        self.running_since = None;
    }

    pub(super) fn running_time(&self, now: Duration) -> Option<Duration> {
        self.running_since.map(|_| self.time_left(self.board.side(), now))
    }

    /// Ends the game if the time of the side to move is up. Returns whether it did.
    pub(super) fn check_time(&mut self, now: Duration) -> bool {
        let is_up = self.running_time(now).is_some_and(|left| left.is_zero());
        if is_up {
            self.stop_clock(now);
            self.forced_end = Some(Ending::TimeUp(self.board.side()));
        }
        is_up
    }
}
