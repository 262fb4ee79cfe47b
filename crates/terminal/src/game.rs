//! A game in progress: its moves, clocks and end.

use std::time::Duration;

use kalah::board::{Board, IllegalMove, Move, MoveTrace, Side};
use kalah_games::AnnotatedGame;

use super::settings::{PlayClock, PlaySettings, SidePlayer};

/// A move that was played, and what a takeback needs.
struct PlayedPly {
    before: Board,
    mv: Move,
    clocks_before: [Duration; 2],
    /// Whether the players swapped sides before this move.
    swapped: bool,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A side has no seeds left; the margin is South's.
    Played(i32),
    Resigned(Side),
    TimeUp(Side),
}

impl Ending {
    /// The winner; `None` for a draw.
    pub(super) fn winner(self) -> Option<Side> {
        match self {
            Ending::Played(0) => None,
            Ending::Played(margin) if margin > 0 => Some(Side::South),
            Ending::Played(_) => Some(Side::North),
            Ending::Resigned(side) | Ending::TimeUp(side) => Some(!side),
        }
    }
}

/// The time of a side at the start of a game.
fn initial_time(clock: PlayClock) -> Duration {
    match clock {
        PlayClock::Untimed => Duration::ZERO,
        PlayClock::Move(time) | PlayClock::Game { time, .. } => time,
    }
}

/// A game between two people or engines.
pub(super) struct TerminalGame {
    /// The game that is continued, with its tags and comments.
    pub(super) continued: Option<AnnotatedGame>,
    pub(super) start: Board,
    pub(super) board: Board,
    /// Who plays South and North.
    pub(super) seats: [SidePlayer; 2],
    plies: Vec<PlayedPly>,
    clock: PlayClock,
    /// Time left of each side.
    clocks: [Duration; 2],
    /// Since when the clock of the side to move runs.
    running_since: Option<Duration>,
    forced_end: Option<Ending>,
    /// Whether North may still be offered South's side.
    has_swap: bool,
    /// Whether the sides were swapped after the last move.
    just_swapped: bool,
}

impl TerminalGame {
    pub(super) fn new(start: Board, settings: &PlaySettings) -> TerminalGame {
        let time = initial_time(settings.clock);
        TerminalGame {
            continued: None,
            start,
            board: start,
            seats: settings.seats,
            plies: Vec::new(),
            clock: settings.clock,
            clocks: [time; 2],
            running_since: None,
            forced_end: None,
            has_swap: settings.swap,
            just_swapped: false,
        }
    }

    /// A game that goes on after its last move.
    pub(super) fn continuing(game: AnnotatedGame, settings: &PlaySettings) -> TerminalGame {
        let mut continued = TerminalGame::new(game.start, settings);
        let clocks_before = continued.clocks;
        // It has no illegal moves, since it was read from a text.
        for (before, ply) in game.boards().zip(&game.moves) {
            let mv = ply.mv;
            continued.plies.push(PlayedPly { before, mv, clocks_before, swapped: false });
        }
        continued.board = game.end();
        continued.continued = Some(game);
        continued
    }

    pub(super) fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.plies.iter().map(|ply| ply.mv)
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.plies.last().map(|ply| ply.mv)
    }

    /// The moves before which the sides were swapped, counted from 0.
    pub(super) fn swap(&self) -> Option<usize> {
        let swapped = self.plies.iter().position(|ply| ply.swapped);
        swapped.or(self.just_swapped.then_some(self.plies.len()))
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

    /// Plays a move, and returns what it does.
    pub(super) fn play(&mut self, mv: Move, now: Duration) -> Result<MoveTrace, IllegalMove> {
        let before = self.board;
        let trace = before.trace(mv)?;
        let clocks_before = self.clocks;
        self.stop_clock(now);
        let side = before.side().index();
        match self.clock {
            PlayClock::Untimed => {}
            PlayClock::Move(time) => self.clocks[side] = time,
            PlayClock::Game { increment, .. } => self.clocks[side] += increment,
        }
        let swapped = std::mem::take(&mut self.just_swapped);
        self.plies.push(PlayedPly { before, mv, clocks_before, swapped });
        self.board = trace.board;
        Ok(trace)
    }

    /// Takes back the last move, or all moves to the last one of a human. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        self.running_since = None;
        match self.forced_end.take() {
            Some(Ending::Resigned(_)) => return true,
            // Where no earlier time is known, the clock begins again.
            Some(Ending::TimeUp(side)) if self.plies.is_empty() => {
                self.clocks[side.index()] = initial_time(self.clock);
                return true;
            }
            _ => {}
        }
        let mut has_changed = false;
        let has_human = self.humans() > 0;
        while let Some(ply) = self.plies.pop() {
            has_changed = true;
            if self.just_swapped {
                self.exchange();
                // It was offered once, and may be again.
                self.has_swap = true;
            }
            self.just_swapped = ply.swapped;
            self.board = ply.before;
            self.clocks = ply.clocks_before;
            if !has_human || self.seats[self.board.side().index()] == SidePlayer::Human {
                break;
            }
        }
        has_changed
    }

    fn exchange(&mut self) {
        self.seats.swap(0, 1);
        self.clocks.swap(0, 1);
        self.just_swapped = !self.just_swapped;
    }

    /// Whether North may take over South's side now: South's first turn is over, and North has not moved.
    pub(super) fn may_swap(&self) -> bool {
        let first = self.start.side();
        let is_first_turn_over = self.board.side() != first
            && !self.plies.is_empty()
            && self.plies.iter().all(|ply| ply.mv.side == first);
        self.has_swap && is_first_turn_over && !self.is_over()
    }

    /// The players swap sides. What was South's is North's, who is to move.
    pub(super) fn swap_sides(&mut self, now: Duration) {
        self.stop_clock(now);
        self.has_swap = false;
        self.exchange();
    }

    pub(super) fn resign(&mut self, side: Side) {
        self.running_since = None;
        self.forced_end = Some(Ending::Resigned(side));
    }

    pub(super) fn has_clock(&self) -> bool {
        self.clock != PlayClock::Untimed
    }

    /// What the clock is, with its increment.
    pub(super) fn clock(&self) -> PlayClock {
        self.clock
    }

    /// Time left of a side.
    pub(super) fn time_left(&self, side: Side, now: Duration) -> Duration {
        let left = self.clocks[side.index()];
        match self.running_since {
            Some(since) if side == self.board.side() => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
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

    pub(super) fn is_clock_running(&self) -> bool {
        self.running_since.is_some()
    }

    /// Ends the game if the time of the side to move is up.
    pub(super) fn check_time(&mut self, now: Duration) {
        let side = self.board.side();
        if self.is_clock_running() && self.time_left(side, now).is_zero() {
            self.stop_clock(now);
            self.forced_end = Some(Ending::TimeUp(side));
        }
    }
}
