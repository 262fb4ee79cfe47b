//! Players that are programs.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use super::error::StartError;
use super::player::{
    Answer, Fault, FaultKind, GameSetup, Player, Task, Thought, Trouble, is_overdue, overdue,
};
use super::process::{Process, Silence};
use super::settings::{PlayerSettings, RANDOM_SEED};
use crate::board::{Capture, House, Move};
use crate::protocol::{Command, Heard, HeardInfo, PositionBase, PositionCommand};
use crate::stop::StopToken;

/// Waited beyond the moment at which an answer comes too late, so that what was said in time is
/// heard in time.
const GRACE: Duration = Duration::from_millis(1);

/// No answer is waited for longer: a century, and far from overflow.
const LONGEST: Duration = Duration::from_hours(24 * 365 * 100);

/// Options that are remembered: more than any program has, and less than a flood of them.
const MOST_OPTIONS: usize = 256;

/// Letters of what a program calls itself that are kept: every record has them.
const MOST_OF_NAME: usize = 200;

/// Letters of a complaint that are told.
const MOST_OF_COMPLAINT: usize = 200;

/// A program that speaks the protocol.
pub(crate) struct Program {
    process: Process,
    /// What it calls itself.
    introduction: String,
    options: Vec<String>,
    /// Whether chance is drawn from a seed that was asked for.
    has_seed: bool,
    /// How long it may take to get ready.
    deadline: Duration,
    stop: StopToken,
}

impl Program {
    /// Starts the program and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not introduce itself, cannot play by the capture rule, or
    /// does not know an option.
    pub(crate) fn start(
        player: &PlayerSettings,
        (cmd, args, dir): (&str, &[String], Option<&str>),
        capture: Capture,
        stop: &StopToken,
    ) -> Result<Program, StartError> {
        let wrong = |reason: String| StartError::CannotPlay { name: player.name.clone(), reason };
        let process = Process::spawn(&player.name, cmd, args, dir).map_err(|error| {
            let place = dir.map_or(String::new(), |dir| format!(" in '{dir}'"));
            let reason = format!("cannot start '{cmd}'{place}: {error}");
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::PermissionDenied => wrong(reason),
                _ => StartError::NoMeans { name: player.name.clone(), reason },
            }
        })?;
        let mut started = Program {
            process,
            introduction: String::new(),
            options: Vec::new(),
            has_seed: player.has_option(RANDOM_SEED),
            deadline: player.time_control.deadline(),
            stop: stop.clone(),
        };
        let troubled = |trouble| match trouble {
            Trouble::Fault(fault) => StartError::Unready { name: player.name.clone(), fault },
            Trouble::Interrupted => StartError::Interrupted,
        };
        started.introduce().map_err(troubled)?;
        if capture != Capture::default() {
            // Asked for here, too, so that one that does not know the rule is found out.
            let name = started
                .option("Capture")
                .map(str::to_owned)
                .ok_or_else(|| wrong(format!("it has no option 'Capture' to play '{capture}'")))?;
            started.say(&Command::SetOption { name, value: Some(capture.to_string()) });
        }
        for (name, value) in &player.options {
            let known = started.option(name).map(str::to_owned);
            let name = known.ok_or_else(|| wrong(format!("it has no option '{name}'")))?;
            let value = Some(value.clone()).filter(|value| !value.is_empty());
            started.say(&Command::SetOption { name, value });
        }
        match started.ready().map_err(troubled)? {
            // A terminal would obey what else there may be in it.
            Some(complaint) => Err(wrong(complaint.replace(char::is_control, " "))),
            None => Ok(started),
        }
    }

    /// What the program calls itself.
    pub(crate) fn introduction(&self) -> &str {
        &self.introduction
    }

    /// The option of this name, as the program writes it.
    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
    }

    fn introduce(&mut self) -> Result<(), Trouble> {
        self.say(&Command::Uci);
        let deadline = Instant::now() + self.deadline;
        loop {
            match self.hear(deadline).map_err(|silence| self.unready(silence, "uciok"))?.1 {
                Heard::Name(name) => {
                    self.introduction = name.chars().take(MOST_OF_NAME).collect();
                }
                Heard::Option { name, .. } if self.options.len() < MOST_OPTIONS => {
                    self.options.push(name);
                }
                Heard::UciOk => return Ok(()),
                _ => {}
            }
        }
    }

    fn say(&self, command: &Command) {
        self.process.say(command);
    }

    /// The next line.
    fn hear(&self, deadline: Instant) -> Result<(Instant, Heard), Silence> {
        let (at, line) = self.process.hear(deadline, &self.stop)?;
        Ok((at, Heard::from(line.as_str())))
    }

    /// What silence means while the program is to get ready.
    fn unready(&mut self, silence: Silence, expected: &str) -> Trouble {
        match silence {
            Silence::Interrupted => Trouble::Interrupted,
            Silence::Ended => Fault::new(FaultKind::Crashed, self.process.post_mortem()).into(),
            Silence::Late => {
                let detail = format!("no '{expected}' within {} s", self.deadline.as_secs_f64());
                Fault::new(FaultKind::Stalled, detail).into()
            }
        }
    }

    /// Waits until all commands have taken effect; returns the first complaint.
    fn ready(&mut self) -> Result<Option<String>, Trouble> {
        self.say(&Command::IsReady);
        let deadline = Instant::now() + self.deadline;
        let mut complaint = None;
        loop {
            match self.hear(deadline).map_err(|silence| self.unready(silence, "readyok"))?.1 {
                Heard::Error(error) => complaint = complaint.or(Some(error)),
                Heard::ReadyOk => return Ok(complaint),
                _ => {}
            }
        }
    }

    /// Waits for the answer to `go`.
    fn answer(&mut self, task: &Task, start: Instant) -> Result<Answer, Trouble> {
        let limit = task.forfeit_after.unwrap_or(task.deadline).min(LONGEST) + GRACE;
        let mut thought = Thought::default();
        // What it did not understand explains its answer, or that there is none.
        let mut complaint = None;
        loop {
            let (at, heard) = match self.hear(start + limit) {
                Ok(heard) => heard,
                Err(Silence::Late) => return Err(after(complaint, overdue(task, limit)).into()),
                Err(silence) => return Err(self.unready(silence, "bestmove")),
            };
            match heard {
                Heard::Info(info) => note(&mut thought, &info),
                Heard::Error(error) => complaint = complaint.or(Some(error)),
                Heard::BestMove { best, .. } => {
                    let time = at.saturating_duration_since(start);
                    if is_overdue(task, time) {
                        return Err(after(complaint, overdue(task, time)).into());
                    }
                    let house = legal(task, best.as_deref());
                    let house = house.map_err(|fault| after(complaint, fault))?;
                    return Ok(Answer { house, thought, time });
                }
                _ => {}
            }
        }
    }
}

/// Takes from an `info` line what it says of the best line of play.
fn note(thought: &mut Thought, info: &HeardInfo) {
    if info.multipv.is_none_or(|rank| rank == 1) {
        thought.score = info.score.or(thought.score);
        thought.depth = info.depth.or(thought.depth);
    }
    thought.nodes = info.nodes.or(thought.nodes);
}

/// The house that an answer names, if it can be sown.
fn legal(task: &Task, best: Option<&str>) -> Result<House, Fault> {
    let illegal = |detail: String| Fault::new(FaultKind::IllegalMove, detail);
    let Some(best) = best else { return Err(illegal("no move, though there are".to_owned())) };
    let mut letters = best.chars();
    let house = letters.next().and_then(House::from_letter).filter(|_| letters.next().is_none());
    house.filter(|house| task.board.moves().any(|legal| legal == *house)).ok_or_else(|| {
        illegal(format!("'{}'", crate::board::shortened(&best.escape_debug().to_string())))
    })
}

/// A fault, and what the program complained of before, if it did.
fn after(complaint: Option<String>, fault: Fault) -> Fault {
    let Some(complaint) = complaint else { return fault };
    let complaint: String = complaint.chars().take(MOST_OF_COMPLAINT).collect();
    let detail = format!("{}; it said: {}", fault.detail, complaint.escape_debug());
    Fault::new(fault.kind, detail)
}

/// Letters of moves, run together.
fn letters(moves: &[Move]) -> String {
    moves.iter().map(|ply| ply.house.letter(ply.side)).collect()
}

impl Player for Program {
    fn prepare(&mut self, game: &GameSetup) -> Result<(), Trouble> {
        // A program without the option plays by the rule that is everybody's default.
        if let Some(name) = self.option("Capture").map(str::to_owned) {
            let value = Some(game.capture.to_string());
            self.say(&Command::SetOption { name, value });
        }
        if let Some(name) = self.option(RANDOM_SEED).filter(|_| !self.has_seed) {
            let value = Some(game.random_seed.to_string());
            self.say(&Command::SetOption { name: name.to_owned(), value });
        }
        self.say(&Command::UciNewGame);
        self.ready()?;
        Ok(())
    }

    fn think(&mut self, task: &Task) -> Result<Answer, Trouble> {
        self.process.forget();
        self.say(&Command::Position(PositionCommand {
            base: PositionBase::Fen(task.opening.fen()),
            moves: letters(task.moves),
        }));
        let start = Instant::now();
        self.say(&Command::Go(Box::new(task.go.clone())));
        self.answer(task, start)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.process.quit();
    }
}
