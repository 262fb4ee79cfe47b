//! A session with the engine under test: commands, replies, and requirements on them.

use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::process::ExitStatus;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, Move, shortened};
use kalah::protocol::{EngineInfo, EngineMessage, InputLine};
use kalah_client::{EngineProcess, ReadError};

/// The limit for "at once" on a machine that does other work as well.
pub(super) const AT_ONCE: Duration = Duration::from_millis(500);

/// Long enough to catch an engine that does not wait.
const NO_REPLY_TIME: Duration = Duration::from_millis(60);

/// Lines of a session that are shown when a check fails.
const MAX_LINES_SHOWN: usize = 16;

/// Characters of each line that are shown.
const MAX_LENGTH_SHOWN: usize = 200;

/// Bytes of replies to one command, far more than any needs.
const MAX_REPLY_BYTES: usize = 1 << 22;

/// Attempts at a check that depends on time: a busy machine may delay a reply.
const ATTEMPTS: usize = 3;

#[derive(Debug)]
pub(super) enum CheckError {
    Failed {
        expected: String,
        actual: String,
    },
    /// The engine lacks an optional feature.
    Unsupported(String),
    Stopped,
}

pub(super) type CheckOutcome<T = ()> = Result<T, CheckError>;

pub(super) fn failed(expected: impl Into<String>, actual: impl Into<String>) -> CheckError {
    CheckError::Failed { expected: expected.into(), actual: actual.into() }
}

pub(super) fn ensure(
    holds: bool,
    expected: impl Into<String>,
    actual: impl Into<String>,
) -> CheckOutcome {
    if holds { Ok(()) } else { Err(failed(expected, actual)) }
}

pub(super) fn with_retries(mut attempt: impl FnMut() -> CheckOutcome) -> CheckOutcome {
    for _ in 1..ATTEMPTS {
        let outcome = attempt();
        if !matches!(outcome, Err(CheckError::Failed { .. })) {
            return outcome;
        }
    }
    attempt()
}

/// The first of the lines that break a requirement for the lines of all sessions, with its context.
pub(super) type LineFaults = HashMap<&'static str, String>;

#[derive(Debug)]
pub(super) struct SearchReply {
    /// All lines before `bestmove`.
    pub lines: Vec<String>,
    pub best: Option<String>,
    pub ponder: Option<String>,
    /// When `bestmove` arrived.
    pub at: Instant,
}

impl SearchReply {
    /// The `info` lines without text.
    pub(super) fn infos(&self) -> impl Iterator<Item = EngineInfo> {
        self.lines.iter().filter_map(|line| match line.as_str().into() {
            EngineMessage::Info(info) => Some(info),
            _ => None,
        })
    }

    /// The `info` lines with a principal variation.
    pub(super) fn pv_infos(&self) -> impl Iterator<Item = EngineInfo> {
        self.infos().filter(|info| !info.pv.is_empty())
    }
}

pub(super) struct EngineSession<'a> {
    process: EngineProcess,
    pub(super) deadline: Duration,
    stop: &'a StopToken,
    pub(super) faults: &'a mut LineFaults,
    /// The last ones: input of the engine after `>`, its output after `<`.
    pub(super) lines: VecDeque<String>,
}

impl<'a> EngineSession<'a> {
    pub(super) fn new(
        process: EngineProcess,
        deadline: Duration,
        stop: &'a StopToken,
        faults: &'a mut LineFaults,
    ) -> EngineSession<'a> {
        EngineSession { process, deadline, stop, faults, lines: VecDeque::new() }
    }

    fn record(&mut self, direction: char, text: &str) {
        let text: String = text.trim_end().escape_debug().take(MAX_LENGTH_SHOWN).collect();
        self.lines.push_back(format!("{direction} {text}"));
        if self.lines.len() > MAX_LINES_SHOWN {
            self.lines.pop_front();
        }
    }

    pub(super) fn send(&mut self, line: &str) {
        self.record('>', line);
        self.process.send(&line);
    }

    /// Sends bytes that are not one proper line; `shown` describes them.
    pub(super) fn send_bytes(&mut self, bytes: impl Into<Vec<u8>>, shown: &str) {
        self.record('>', &format!("({shown})"));
        self.process.send_bytes(bytes.into());
    }

    /// The next non-empty line of text.
    fn read_line(&mut self, deadline: Instant) -> Result<(Instant, String), ReadError> {
        loop {
            let (at, line) = self.process.next_line(Some(deadline), self.stop)?;
            let text = match line {
                InputLine::Text(text) => text,
                InputLine::TooLong => {
                    self.record('<', "(too long)");
                    continue;
                }
                InputLine::NotUtf8 | InputLine::Utf16 => {
                    self.record('<', "(not UTF-8)");
                    self.faults.entry("lines.utf8").or_insert_with(|| context(&self.lines));
                    continue;
                }
            };
            self.record('<', &text);
            if text.trim_ascii().is_empty() {
                self.faults.entry("lines.none-empty").or_insert_with(|| context(&self.lines));
                continue;
            }
            if let Some(fault) = info_fault(&text) {
                let line = shortened(&text);
                self.faults.entry("info.form").or_insert_with(|| format!("{fault}: {line}"));
            }
            return Ok((at, text));
        }
    }

    /// The lines up to the first that begins with `word`, inclusive, and when that one arrived.
    pub(super) fn read_until(
        &mut self,
        word: &str,
        within: Duration,
    ) -> CheckOutcome<(Vec<String>, Instant)> {
        let expected = || format!("'{word}' within {} ms", within.as_millis());
        let is_last = |line: &str| line.split_ascii_whitespace().next() == Some(word);
        let (lines, end) = self.read_lines(Instant::now() + within, is_last);
        match end {
            Ok(Some(at)) => Ok((lines, at)),
            Ok(None) => Err(failed(expected(), "a flood of other lines")),
            Err(ReadError::Stopped) => Err(CheckError::Stopped),
            Err(ReadError::TimedOut) => Err(failed(expected(), "no such line")),
            Err(ReadError::Closed) => {
                let end = format!("the program ended: {}", self.process.post_mortem());
                Err(failed(expected(), end))
            }
        }
    }

    /// The lines up to the last, and when that one arrived; `None` in a flood of lines.
    fn read_lines(
        &mut self,
        deadline: Instant,
        is_last: impl Fn(&str) -> bool,
    ) -> (Vec<String>, Result<Option<Instant>, ReadError>) {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while bytes <= MAX_REPLY_BYTES {
            let (at, line) = match self.read_line(deadline) {
                Ok(line) => line,
                Err(error) => return (lines, Err(error)),
            };
            bytes += line.len();
            let is_last = is_last(&line);
            lines.push(line);
            if is_last {
                return (lines, Ok(Some(at)));
            }
        }
        (lines, Ok(None))
    }

    /// Sends `isready`; returns the lines before `readyok`.
    pub(super) fn sync(&mut self) -> CheckOutcome<Vec<String>> {
        self.send("isready");
        let (mut lines, _) = self.read_until("readyok", self.deadline)?;
        lines.pop();
        Ok(lines)
    }

    /// Requires that a command causes no error; returns the replies.
    pub(super) fn expect_ok(&mut self, command: &str) -> CheckOutcome<Vec<String>> {
        self.send(command);
        let lines = self.sync()?;
        if let Some(error) = errors(&lines).next() {
            return Err(failed(format!("no error for '{}'", shortened(command)), error));
        }
        Ok(lines)
    }

    /// Requires exactly one error in reply to the last line sent, which `what` describes.
    pub(super) fn expect_error(&mut self, what: &str) -> CheckOutcome {
        let lines = self.sync()?;
        let expected = || format!("one line 'info string error: …' in reply to {what}");
        ensure(bestmoves(&lines) == 0, expected(), "bestmove")?;
        let count = errors(&lines).count();
        ensure(count == 1, expected(), format!("{count} such lines"))
    }

    /// Requires exactly one error in reply to a command.
    pub(super) fn expect_refused(&mut self, command: &str) -> CheckOutcome {
        self.send(command);
        self.expect_error(&format!("'{}'", shortened(command)))
    }

    /// Requires exactly one error in reply to each command, and that the board stays the same.
    pub(super) fn expect_all_refused(&mut self, commands: &[&str]) -> CheckOutcome {
        self.expect_ok("position startpos moves C")?;
        let fen = self.fen()?;
        for command in commands {
            self.expect_refused(command)?;
            self.expect_fen(&fen)?;
        }
        Ok(())
    }

    /// The board that `d` shows.
    pub(super) fn fen(&mut self) -> CheckOutcome<String> {
        self.send("d");
        let lines = self.sync()?;
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen:"));
        let fen = fen.ok_or_else(|| failed("a line 'Fen: …' in reply to 'd'", "none"))?;
        Ok(fen.trim_ascii().to_owned())
    }

    pub(super) fn expect_fen(&mut self, expected: &str) -> CheckOutcome {
        let fen = self.fen()?;
        ensure(fen == expected, format!("the board {expected}"), fen)
    }

    /// Sets a position under the standard capture rule, and waits for that; returns its board.
    pub(super) fn set_board(&mut self, fen: &str, moves: &str) -> CheckOutcome<Board> {
        let board = board_after(fen, moves, Capture::Standard)?;
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.expect_ok(&format!("position fen {fen}{moves}"))?;
        Ok(board)
    }

    pub(super) fn go(&mut self, words: &str) -> CheckOutcome<SearchReply> {
        self.send(&format!("go {words}"));
        self.bestmove(self.deadline)
    }

    pub(super) fn stop(&mut self) -> CheckOutcome<SearchReply> {
        self.send("stop");
        self.bestmove(self.deadline)
    }

    fn bestmove(&mut self, within: Duration) -> CheckOutcome<SearchReply> {
        let (mut lines, at) = self.read_until("bestmove", within)?;
        let last = lines.pop().unwrap_or_default();
        let EngineMessage::BestMove { best, ponder } = last.as_str().into() else {
            return Err(failed("a move after 'bestmove'", last));
        };
        Ok(SearchReply { lines, best, ponder, at })
    }

    /// Requires `bestmove` within a time from now on; stops the search if it is late.
    pub(super) fn bestmove_within(&mut self, limit: Duration) -> CheckOutcome<SearchReply> {
        let expected = || format!("bestmove within {} ms", limit.as_millis());
        let start = Instant::now();
        match self.bestmove(limit) {
            Err(CheckError::Failed { actual, .. }) => {
                self.stop()?;
                self.sync()?;
                let late = format!("{actual} within {} ms", start.elapsed().as_millis());
                Err(failed(expected(), late))
            }
            reply => reply,
        }
    }

    /// Requires `bestmove` within a time after these commands, in one of several attempts.
    pub(super) fn expect_in_time(
        &mut self,
        fen: &str,
        moves: &str,
        commands: &[&str],
        limit: Duration,
    ) -> CheckOutcome {
        with_retries(|| {
            self.set_board(fen, moves)?;
            for command in commands {
                self.send(command);
            }
            self.bestmove_within(limit).map(drop)
        })
    }

    /// Requires that the running search sends no `bestmove` for a while.
    pub(super) fn expect_no_bestmove(&mut self) -> CheckOutcome {
        // The time counts from the beginning of the search.
        let mut count = bestmoves(&self.sync()?);
        match self.read_until("bestmove", NO_REPLY_TIME) {
            Ok(_) => count += 1,
            // The engine must still reply to `isready`, and send no `bestmove` before.
            Err(CheckError::Failed { .. }) => count += bestmoves(&self.sync()?),
            Err(error) => return Err(error),
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

    /// Requires that the program exits with status 0; returns its last lines.
    pub(super) fn expect_exit(&mut self) -> CheckOutcome<Vec<String>> {
        let deadline = Instant::now() + self.deadline;
        let expected = "exit with status 0";
        let (lines, end) = self.read_lines(deadline, |_| false);
        match end {
            Ok(_) => return Err(failed(expected, "a flood of lines")),
            Err(ReadError::Stopped) => return Err(CheckError::Stopped),
            Err(ReadError::TimedOut | ReadError::Closed) => {}
        }
        let status = self.wait_for_exit(deadline)?;
        ensure(status.success(), expected, status.to_string())?;
        Ok(lines)
    }

    pub(super) fn wait_for_exit(&mut self, deadline: Instant) -> CheckOutcome<ExitStatus> {
        let status = self.process.wait_for_exit(deadline);
        status.ok_or_else(|| failed("the exit of the program", "it is still running"))
    }
}

/// The line before the last.
fn context(lines: &VecDeque<String>) -> String {
    match lines.iter().rev().nth(1) {
        Some(line) => format!("after '{}'", shortened(line)),
        None => "as the first line".to_owned(),
    }
}

/// The board after moves, by the rules of `kalah`.
pub(super) fn board_after(fen: &str, moves: &str, capture: Capture) -> CheckOutcome<Board> {
    let mut board = valid(Board::from_fen(fen, capture))?;
    valid(board.play_moves(moves))?;
    Ok(board)
}

/// Part of a board in a check, by the rules of `kalah`.
pub(super) fn valid<T>(part: Result<T, impl Display>) -> CheckOutcome<T> {
    part.map_err(|error| failed("a valid board in the check", error.to_string()))
}

/// How a line violates `protocol.md`, if it is an `info` line. Unknown words are skipped.
pub fn info_fault(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    while let Some(word) = words.next() {
        let (is_valid, what) = match word {
            "string" => return None,
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "tbhits" | "time" => {
                (number::<u64>(&mut words).is_some(), "a number")
            }
            "hashfull" => {
                let permille: Option<u32> = number(&mut words);
                (permille.is_some_and(|permille| permille <= 1000), "a number up to 1000")
            }
            "score" => {
                let is_cp = words.next() == Some("cp");
                (is_cp && number::<i32>(&mut words).is_some(), "'cp' and a number")
            }
            "pv" => {
                let moves: Vec<&str> = words.by_ref().collect();
                (
                    !moves.is_empty() && moves.into_iter().all(|word| word.parse::<Move>().is_ok()),
                    "moves",
                )
            }
            _ => continue,
        };
        if !is_valid {
            return Some(format!("'{word}' without {what}"));
        }
    }
    None
}

pub(super) fn errors(lines: &[String]) -> impl Iterator<Item = &str> {
    let is_error = |line: &&str| line.starts_with("info string error:");
    lines.iter().map(String::as_str).filter(is_error)
}

pub(super) fn bestmoves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.split_ascii_whitespace().next() == Some("bestmove")).count()
}

fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}
