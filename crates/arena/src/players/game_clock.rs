//! Game clocks.

use std::time::Duration;

use kalah::board::Side;
use kalah::protocol::Go;
use kalah::search::Limits;
use kalah_records::TimeControl;

/// The clock of a player in a game.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    pub control: TimeControl,
    /// Time left; unused without a clock.
    left: Duration,
    moves_to_go: Option<u32>,
}

impl GameClock {
    pub(crate) fn new(control: &TimeControl) -> GameClock {
        let left = control.tc.map_or(Duration::ZERO, |clock| clock.time);
        let moves_to_go = control.tc.and_then(|clock| clock.moves);
        GameClock { control: control.clone(), left, moves_to_go }
    }

    /// The time after which the move loses on time; `None` without a time limit.
    pub(crate) fn forfeit_after(&self) -> Option<Duration> {
        let time = self.control.tc.map(|_| self.left).or(self.control.move_time());
        time.map(|time| time.saturating_add(self.control.time_margin()))
    }

    /// Subtracts the time of a move and adds the increment.
    pub(crate) fn stop(&mut self, used: Duration) {
        let Some(clock) = self.control.tc else { return };
        self.left = self.left.saturating_sub(used).saturating_add(clock.increment);
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.left = self.left.saturating_add(clock.time);
                self.moves_to_go = clock.moves;
            }
        }
        self.left = self.left.min(TimeControl::MAX_TIME);
    }

    /// The `go` command for the player on `side`, whose clock this is.
    pub(crate) fn go(&self, side: Side, opponent: &GameClock) -> Go {
        let TimeControl { depth, nodes, iterations, .. } = self.control;
        let movetime = self.control.move_time();
        let limits = Limits { depth, nodes, iterations, movetime, ..Limits::default() };
        let mut go = Go { limits, ..Go::default() };
        // A player without a clock does not get the opponent's either.
        if self.control.tc.is_some() {
            for (side, clock) in [(side, self), (!side, opponent)] {
                let Some(settings) = clock.control.tc else { continue };
                go.time[side.index()] = Some(clock.left);
                if !settings.increment.is_zero() {
                    go.increment[side.index()] = Some(settings.increment);
                }
            }
            go.moves_to_go = self.moves_to_go;
        }
        go
    }
}
