//! What is said to the engine that is checked, and heard from it.

use std::collections::VecDeque;
use std::fmt::Display;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::super::players::{EngineProcess, ReadError};
use super::form::{answers, errors, info_fault};
use super::outcome::{Outcome, Trouble, ensure, failed};
use crate::board::{Board, Capture, shortened};
use crate::engine::InputLine;
use crate::protocol::EngineMessage;
use crate::stop::StopToken;

/// What "at once" may take: the machine has other things to do as well.
pub(super) const AT_ONCE: Duration = Duration::from_millis(500);

/// Long enough for an engine that does not wait to be caught.
const A_WHILE: Duration = Duration::from_millis(60);

/// Lines of a conversation that are shown when something fails.
const LINES_SHOWN: usize = 16;

/// Characters of each that are shown.
const LENGTH_SHOWN: usize = 200;

/// Bytes of replies to one command, far above what any needs.
const MOST_BYTES: usize = 1 << 22;

/// What lines were heard that should never be, in whatever conversation: the first of each kind,
/// with what was said before it.
#[derive(Debug, Default)]
pub(super) struct Noted {
    pub empty_line: Option<String>,
    pub no_text: Option<String>,
    pub bad_info: Option<String>,
}

/// The answer to a `go`.
#[derive(Debug)]
pub(super) struct Answer {
    /// All lines before it.
    pub lines: Vec<String>,
    pub best: Option<String>,
    pub ponder: Option<String>,
    pub at: Instant,
}

/// A conversation with an engine that was just started.
pub(super) struct Conversation<'a> {
    process: EngineProcess,
    pub(super) deadline: Duration,
    stop: &'a StopToken,
    pub(super) noted: &'a mut Noted,
    lines: VecDeque<String>,
}

impl<'a> Conversation<'a> {
    pub(super) fn new(
        process: EngineProcess,
        deadline: Duration,
        stop: &'a StopToken,
        noted: &'a mut Noted,
    ) -> Conversation<'a> {
        Conversation { process, deadline, stop, noted, lines: VecDeque::new() }
    }

    /// The last lines of the conversation, what the engine heard after `>`, what it said after `<`.
    pub(super) fn into_lines(self) -> Vec<String> {
        self.lines.into()
    }

    fn record(&mut self, direction: char, text: &str) {
        let text: String = text.trim_end().escape_debug().take(LENGTH_SHOWN).collect();
        self.lines.push_back(format!("{direction} {text}"));
        if self.lines.len() > LINES_SHOWN {
            self.lines.pop_front();
        }
    }

    pub(super) fn say(&mut self, line: &str) {
        self.record('>', line);
        self.process.send(&line);
    }

    /// Says what is no proper line; `shown` describes it.
    pub(super) fn say_bytes(&mut self, bytes: impl Into<Vec<u8>>, shown: &str) {
        self.record('>', &format!("({shown})"));
        self.process.send_bytes(bytes.into());
    }

    /// The next line of text that is not empty.
    fn hear(&mut self, deadline: Instant) -> Result<(Instant, String), ReadError> {
        loop {
            let (at, line) = self.process.next_line(deadline, self.stop)?;
            let InputLine::Text(text) = line else {
                self.record('<', "(no text)");
                self.noted.no_text.get_or_insert_with(|| before(&self.lines));
                continue;
            };
            self.record('<', &text);
            if text.trim_ascii().is_empty() {
                self.noted.empty_line.get_or_insert_with(|| before(&self.lines));
                continue;
            }
            if let Some(fault) = info_fault(&text) {
                let line = shortened(&text);
                self.noted.bad_info.get_or_insert_with(|| format!("{fault}: {line}"));
            }
            return Ok((at, text));
        }
    }

    /// The lines up to the first that begins with a word, that one last, and when it came.
    pub(super) fn until(
        &mut self,
        word: &str,
        within: Duration,
    ) -> Outcome<(Vec<String>, Instant)> {
        let deadline = Instant::now() + within;
        let expected = || format!("'{word}' within {} ms", within.as_millis());
        let mut lines: Vec<String> = Vec::new();
        let mut bytes = 0;
        loop {
            let (at, line) = match self.hear(deadline) {
                Ok(heard) => heard,
                Err(ReadError::Stopped) => return Err(Trouble::Interrupted),
                Err(ReadError::TimedOut) => return Err(failed(expected(), "nothing of the kind")),
                Err(ReadError::Closed) => {
                    let end = format!("the program ended: {}", self.process.post_mortem());
                    return Err(failed(expected(), end));
                }
            };
            bytes += line.len();
            if bytes > MOST_BYTES {
                return Err(failed(expected(), "a flood of other lines"));
            }
            let found = line.split_ascii_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return Ok((lines, at));
            }
        }
    }

    /// What is said before the answer to an `isready`.
    pub(super) fn sync(&mut self) -> Outcome<Vec<String>> {
        self.say("isready");
        let (mut lines, _) = self.until("readyok", self.deadline)?;
        lines.pop();
        Ok(lines)
    }

    /// Requires that a command is obeyed without an error; returns what is said.
    pub(super) fn obeyed(&mut self, command: &str) -> Outcome<Vec<String>> {
        self.say(command);
        let lines = self.sync()?;
        if let Some(error) = errors(&lines).next() {
            return Err(failed(format!("'{}' obeyed", shortened(command)), error));
        }
        Ok(lines)
    }

    /// Requires that what was just said is answered by one error.
    pub(super) fn expect_error(&mut self, what: &str) -> Outcome {
        let lines = self.sync()?;
        let expected = || format!("one line 'info string error: …' to {what}");
        ensure(answers(&lines) == 0, expected(), "bestmove")?;
        let count = errors(&lines).count();
        ensure(count == 1, expected(), format!("{count} such lines"))
    }

    /// Requires that a command is answered by one error.
    pub(super) fn refused(&mut self, command: &str) -> Outcome {
        self.say(command);
        self.expect_error(&format!("'{}'", shortened(command)))
    }

    /// The board as `d` shows it.
    pub(super) fn fen(&mut self) -> Outcome<String> {
        self.say("d");
        let lines = self.sync()?;
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen:"));
        let fen = fen.ok_or_else(|| failed("a line 'Fen: …' in the reply to 'd'", "none"))?;
        Ok(fen.trim_ascii().to_owned())
    }

    /// Requires that `d` shows this board.
    pub(super) fn expect_fen(&mut self, expected: &str) -> Outcome {
        let heard = self.fen()?;
        ensure(heard == expected, format!("the board {expected}"), heard)
    }

    /// Sets a position, by the standard rule of capture, and returns it. What takes time before
    /// the first search is over then.
    pub(super) fn set_board(&mut self, fen: &str, moves: &str) -> Outcome<Board> {
        let board = board(fen, moves, Capture::Standard)?;
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.obeyed(&format!("position fen {fen}{moves}"))?;
        Ok(board)
    }

    /// Sends a `go` and waits for its answer.
    pub(super) fn go(&mut self, words: &str) -> Outcome<Answer> {
        self.say(&format!("go {words}"));
        self.answer(self.deadline)
    }

    /// Stops the search under way and waits for its answer.
    pub(super) fn stop(&mut self) -> Outcome<Answer> {
        self.say("stop");
        self.answer(self.deadline)
    }

    /// Waits for the answer to a `go`.
    pub(super) fn answer(&mut self, within: Duration) -> Outcome<Answer> {
        let (mut lines, at) = self.until("bestmove", within)?;
        let last = lines.pop().unwrap_or_default();
        let EngineMessage::BestMove { best, ponder } = last.as_str().into() else {
            return Err(failed("a move after 'bestmove'", last));
        };
        Ok(Answer { lines, best, ponder, at })
    }

    /// Requires an answer within so long from now on; when it does not come, ends the search.
    pub(super) fn answer_within(&mut self, limit: Duration) -> Outcome<Answer> {
        let expected = || format!("bestmove within {} ms", limit.as_millis());
        let start = Instant::now();
        match self.answer(limit) {
            Err(Trouble::Failed { heard, .. }) => {
                self.stop()?;
                self.sync()?;
                let late = format!("{heard} within {} ms", start.elapsed().as_millis());
                Err(failed(expected(), late))
            }
            answer => answer,
        }
    }

    /// Requires that the search under way is not answered for a while.
    pub(super) fn expect_no_answer(&mut self) -> Outcome {
        // The while begins when the search has.
        let mut count = answers(&self.sync()?);
        match self.until("bestmove", A_WHILE) {
            Ok(_) => count += 1,
            // If it is there at all, it has said nothing of the kind.
            Err(Trouble::Failed { .. }) => count += answers(&self.sync()?),
            Err(interrupted) => return Err(interrupted),
        }
        ensure(count == 0, "no bestmove yet", "bestmove")
    }

    pub(super) fn close_input(&mut self) {
        self.record('>', "(end of input)");
        self.process.close_input();
    }

    pub(super) fn close_output(&mut self) {
        self.process.close_output();
    }

    /// Requires that the program ends with status 0; returns what it still says.
    pub(super) fn end(&mut self) -> Outcome<Vec<String>> {
        let deadline = Instant::now() + self.deadline;
        let expected = "the end of the program, with status 0";
        let mut lines = Vec::new();
        let mut bytes = 0;
        while bytes < MOST_BYTES {
            match self.hear(deadline) {
                Ok((_, line)) => {
                    bytes += line.len();
                    lines.push(line);
                }
                Err(ReadError::Stopped) => return Err(Trouble::Interrupted),
                Err(_) => break,
            }
        }
        ensure(bytes < MOST_BYTES, expected, "a flood of lines")?;
        let status = self.wait_for_exit(deadline)?;
        ensure(status.success(), expected, status.to_string())?;
        Ok(lines)
    }

    /// Requires that the program ends.
    pub(super) fn wait_for_exit(&mut self, deadline: Instant) -> Outcome<ExitStatus> {
        let status = self.process.wait_for_exit(deadline);
        status.ok_or_else(|| failed("the end of the program", "it goes on"))
    }
}

/// What was said before the last line.
fn before(lines: &VecDeque<String>) -> String {
    match lines.iter().rev().nth(1) {
        Some(line) => format!("after '{}'", shortened(line)),
        None => "before anything else".to_owned(),
    }
}

/// A board after moves.
pub(super) fn board(fen: &str, moves: &str, capture: Capture) -> Outcome<Board> {
    let wrong = |error: &dyn Display| failed("a board of this program's", error.to_string());
    let mut board = Board::from_fen(fen, capture).map_err(|error| wrong(&error))?;
    board.play_moves(moves).map_err(|error| wrong(&error))?;
    Ok(board)
}
