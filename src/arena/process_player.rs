//! Players that are programs.

use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use super::player::{Answer, Fault, FaultKind, GameSetup, Player, Task, Thought, Trouble, overdue};
use super::player_settings::{PlayerSettings, RANDOM_SEED};
use super::process::{Process, Silence};
use super::tournament::ArenaError;
use crate::board::{Capture, House, Move};
use crate::protocol::{Command, Heard, HeardInfo, PositionBase, PositionCommand};

/// Beyond the moment at which an answer comes too late: for it to arrive and be told how late.
const GRACE: Duration = Duration::from_millis(1);

/// A program that speaks the protocol.
pub(super) struct ProcessPlayer {
    process: Option<Process>,
    /// What it calls itself.
    introduction: String,
    options: Vec<String>,
    /// Whether chance is drawn from a seed that was asked for.
    has_seed: bool,
    /// How long it may take to get ready.
    deadline: Duration,
    interrupt: Interrupt,
}

impl ProcessPlayer {
    /// Starts the program and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not introduce itself, cannot play by the capture rule, or
    /// does not know an option.
    pub(super) fn start(
        player: &PlayerSettings,
        (cmd, args, dir): (&str, &[String], Option<&str>),
        capture: Capture,
        interrupt: &Interrupt,
    ) -> Result<ProcessPlayer, ArenaError> {
        let wrong = |reason: String| ArenaError::Player { name: player.name.clone(), reason };
        let process = Process::spawn(&player.name, cmd, args, dir).map_err(|error| {
            let place = dir.map_or(String::new(), |dir| format!(" in '{dir}'"));
            wrong(format!("cannot start '{cmd}'{place}: {error}"))
        })?;
        let mut started = ProcessPlayer {
            process: Some(process),
            introduction: String::new(),
            options: Vec::new(),
            has_seed: player.has_option(RANDOM_SEED),
            deadline: player.time_control.deadline(),
            interrupt: interrupt.clone(),
        };
        let troubled = |trouble| match trouble {
            Trouble::Fault(fault) => wrong(fault.to_string()),
            Trouble::Interrupted => ArenaError::Interrupted,
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
            Some(complaint) => Err(wrong(complaint)),
            None => Ok(started),
        }
    }

    /// What the program calls itself.
    pub(super) fn introduction(&self) -> &str {
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
            match self.hear(deadline, "uciok")?.1 {
                Heard::Name(name) => self.introduction = name,
                Heard::Option { name, .. } => self.options.push(name),
                Heard::UciOk => return Ok(()),
                _ => {}
            }
        }
    }

    fn say(&self, command: &Command) {
        if let Some(process) = &self.process {
            process.say(command);
        }
    }

    /// The next line, while waiting for `expected`.
    fn hear(&mut self, deadline: Instant, expected: &str) -> Result<(Instant, Heard), Trouble> {
        let Some(process) = &mut self.process else {
            return Err(Fault::new(FaultKind::Crashed, "it is gone").into());
        };
        match process.hear(deadline, &self.interrupt) {
            Ok((at, line)) => Ok((at, Heard::from(line.as_str()))),
            Err(Silence::Interrupted) => Err(Trouble::Interrupted),
            Err(Silence::Ended) => {
                Err(Fault::new(FaultKind::Crashed, process.post_mortem()).into())
            }
            Err(Silence::Late) => {
                Err(Fault::new(FaultKind::Stalled, format!("no '{expected}' in time")).into())
            }
        }
    }

    /// Waits until all commands have taken effect; returns the first complaint.
    fn ready(&mut self) -> Result<Option<String>, Trouble> {
        self.say(&Command::IsReady);
        let deadline = Instant::now() + self.deadline;
        let mut complaint = None;
        loop {
            match self.hear(deadline, "readyok")?.1 {
                Heard::Error(error) => complaint = complaint.or(Some(error)),
                Heard::ReadyOk => return Ok(complaint),
                _ => {}
            }
        }
    }

    /// Waits for the answer to `go`.
    fn answer(&mut self, task: &Task, start: Instant) -> Result<Answer, Trouble> {
        let limit = task.forfeit_after.unwrap_or(task.deadline).saturating_add(GRACE);
        let deadline = start + limit.min(Duration::from_secs(u64::from(u32::MAX)));
        let mut thought = Thought::default();
        loop {
            let (at, heard) = match self.hear(deadline, "bestmove") {
                Err(Trouble::Fault(Fault { kind: FaultKind::Stalled, .. })) => {
                    let fault = overdue(task, start.elapsed().max(limit));
                    return Err(fault.map_or(Trouble::Interrupted, Trouble::Fault));
                }
                heard => heard?,
            };
            match heard {
                Heard::Info(info) => note(&mut thought, &info),
                Heard::BestMove { best, .. } => {
                    let time = at.saturating_duration_since(start);
                    if let Some(fault) = overdue(task, time) {
                        return Err(fault.into());
                    }
                    return Ok(Answer { house: legal(task, best.as_deref())?, thought, time });
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

/// Letters of moves, run together.
fn letters(moves: &[Move]) -> String {
    moves.iter().map(|ply| ply.house.letter(ply.side)).collect()
}

impl Player for ProcessPlayer {
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
        if let Some(process) = &self.process {
            process.forget();
        }
        self.say(&Command::Position(PositionCommand {
            base: PositionBase::Fen(task.opening.fen()),
            moves: letters(task.moves),
        }));
        let start = Instant::now();
        self.say(&Command::Go(Box::new(task.go.clone())));
        self.answer(task, start)
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }
}
