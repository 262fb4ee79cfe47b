//! The client: an engine that is started, set up and asked for moves.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use log::warn;

use kalah::StopToken;
use kalah::board::{Board, Capture, Move, RuleSet, Sowing, shortened};
use kalah::protocol::{
    Command, EngineInfo, EngineMessage, EngineScore, Go, InputLine, PositionBase, PositionCommand,
};
use kalah::search::Bound;

use crate::declared_option::{DeclaredOption, OptionType};
use crate::engine_command::{EngineCommand, UciError};
use crate::process::{EngineProcess, ReadError};

/// Time for the answer to `stop`.
const STOP_TIME: Duration = Duration::from_secs(5);

/// Time enough for the answers to `uci` and `isready` of an engine that need not be fast.
pub const REPLY_TIME: Duration = Duration::from_mins(1);

/// Options that are stored: more than any program has, far fewer than a flood.
const MAX_OPTIONS: usize = 256;

/// Characters of `id name`, and of an error message, that are stored.
const MAX_TEXT_LENGTH: usize = 200;

/// An engine that is asked for moves. Lines that mean nothing, that are too long or not UTF-8 are skipped.
///
/// A program that ends or breaks the protocol is killed, and the call returns the error. The next
/// [`start`](Self::start) starts it again with the same options. Dropping the client ends the program.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use std::time::Duration;
///
/// use kalah::{Board, Rules, StopToken};
/// use kalah::protocol::Go;
/// use kalah_client::UciClient;
///
/// let mut engine = UciClient::new("./my-engine".parse()?, Duration::from_secs(10));
/// let stop = StopToken::new();
/// engine.set_option("Hash", "64")?;
/// engine.start(&stop)?;
/// let mut go = Go::default();
/// go.limits.movetime = Some(Duration::from_millis(100));
/// engine.go(&Board::start(Rules::default(), 4)?, "C A d", &go, &stop)?;
/// let answer = engine.answer(None, &stop, |_| ControlFlow::Continue(()))?;
/// println!("{:?}", answer.map(|answer| answer.best));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct UciClient {
    command: EngineCommand,
    reply_time: Duration,
    /// The options that are set at each start.
    options: Vec<EngineOption>,
    process: Option<EngineProcess>,
    id_name: String,
    /// The options that the engine has.
    declared: Vec<DeclaredOption>,
    search: Option<CurrentSearch>,
    /// Replies `readyok` to come, for which nobody waits any more.
    unawaited: usize,
    /// The first error message since the last question: the start, a new game, or a position.
    complaint: Option<String>,
    /// Whether the user was warned of a `bestmove` without `go`.
    has_warned: bool,
}

/// The answer to a search.
#[derive(Clone, Debug)]
pub struct SearchAnswer {
    /// The move, which is legal.
    pub best: Move,
    /// The expected reply to it, as written.
    pub ponder: Option<String>,
    /// The last values that the engine has reported of its best line.
    pub line: EngineInfo,
    /// The last score of its best line that is not a bound. Later bounds say nothing against it: such a
    /// search was still going on.
    pub exact: Option<EngineScore>,
    /// Time from `go` to the answer.
    pub time: Duration,
}

/// An option that is set.
struct EngineOption {
    name: String,
    value: String,
    /// Whether an engine that lacks or refuses it cannot be used.
    is_required: bool,
}

struct CurrentSearch {
    board: Board,
    begun: Instant,
    line: EngineInfo,
    exact: Option<EngineScore>,
    is_stopping: bool,
}

impl UciClient {
    /// A client of a program that is not started yet, which has `reply_time` for `uciok` and `readyok`.
    pub fn new(command: EngineCommand, reply_time: Duration) -> UciClient {
        UciClient {
            command,
            reply_time,
            options: Vec::new(),
            process: None,
            id_name: String::new(),
            declared: Vec::new(),
            search: None,
            unawaited: 0,
            complaint: None,
            has_warned: false,
        }
    }

    /// Starts the program unless it runs, and sets the options. Returns whether it was started. The
    /// thread that starts a program must outlive it.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, does not reply, or lacks or refuses an option.
    pub fn start(&mut self, stop: &StopToken) -> Result<bool, UciError> {
        if self.process.as_mut().is_some_and(EngineProcess::is_running) {
            return Ok(false);
        }
        let process = EngineProcess::spawn(&self.command)
            .map_err(|source| UciError::CannotStart { command: self.command.clone(), source })?;
        (self.process, self.search, self.has_warned) = (Some(process), None, false);
        (self.complaint, self.unawaited) = (None, 0);
        self.set_up(stop).inspect_err(|_| self.process = None)?;
        Ok(true)
    }

    /// The first words with an engine.
    fn set_up(&mut self, stop: &StopToken) -> Result<(), UciError> {
        (self.id_name, self.declared) = (String::new(), Vec::new());
        self.request((&Command::Uci, "uciok"), stop, |client, message| match message {
            EngineMessage::Id { key, value } if key == "name" => {
                client.id_name = value.chars().take(MAX_TEXT_LENGTH).collect();
            }
            EngineMessage::Option { name, kind } if client.declared.len() < MAX_OPTIONS => {
                client.declared.push(DeclaredOption { name, kind: OptionType::guess(&kind) });
            }
            _ => {}
        })?;
        self.complaint = None;
        self.send_options(true)?;
        self.wait_until_ready(stop)?;
        match self.complaint.take() {
            Some(error) => Err(UciError::Refused(error)),
            None => self.send_options(false),
        }
    }

    fn send_options(&self, is_required: bool) -> Result<(), UciError> {
        let mut options = self.options.iter().filter(|option| option.is_required == is_required);
        options.try_for_each(|option| self.send_option(option))
    }

    /// The `id name` of the engine; empty if it gives none.
    pub fn id_name(&self) -> &str {
        &self.id_name
    }

    /// Whether the engine that was started has an option of this name, in any case.
    pub fn has_option(&self, name: &str) -> bool {
        self.declared_option(name).is_some()
    }

    fn declared_option(&self, name: &str) -> Option<&DeclaredOption> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The number of threads with which the engine that was started searches: the option `Threads`.
    pub fn threads(&self) -> usize {
        let is_threads = |option: &&EngineOption| option.name.eq_ignore_ascii_case("Threads");
        let set = self.options.iter().find(is_threads).map(|option| option.value.parse().ok());
        let default = || match self.declared_option("Threads")?.kind {
            Some(OptionType::Spin { default, .. }) => usize::try_from(default).ok(),
            _ => None,
        };
        set.unwrap_or_else(default).unwrap_or(1)
    }

    /// Sets an option, now if the engine runs, and at each start. The value of a button is empty.
    ///
    /// # Errors
    /// Returns an error if the running engine lacks the option, or does not take the value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), UciError> {
        self.store_option(name, value, true)
    }

    /// Sets an option, now and at each start, of an engine that has it and takes the value.
    pub fn offer_option(&mut self, name: &str, value: &str) {
        let _ = self.store_option(name, value, false);
    }

    /// Sets capture rule and way of sowing. An engine without the options plays the default rules.
    ///
    /// # Errors
    /// Those of [`set_option`](Self::set_option).
    pub fn set_rules(&mut self, rules: impl Into<RuleSet>) -> Result<(), UciError> {
        let rules = rules.into();
        let (capture, sowing) = (rules.capture(), rules.sowing());
        self.store_option("Capture", capture.name(), capture != Capture::default())?;
        self.store_option("Sowing", sowing.name(), sowing != Sowing::default())
    }

    fn store_option(&mut self, name: &str, value: &str, is_required: bool) -> Result<(), UciError> {
        let is_same = |option: &EngineOption| option.name.eq_ignore_ascii_case(name);
        if self.options.iter().any(|option| is_same(option) && option.value == value) {
            return Ok(());
        }
        let option = EngineOption { name: name.to_owned(), value: value.to_owned(), is_required };
        self.send_option(&option)?;
        self.options.retain(|option| !is_same(option));
        self.options.push(option);
        Ok(())
    }

    /// Has the engine forget earlier games and waits until it is ready.
    ///
    /// # Errors
    /// Returns an error if the engine does not reply.
    pub fn new_game(&mut self, stop: &StopToken) -> Result<(), UciError> {
        self.complaint = None;
        self.send(&Command::UciNewGame);
        self.wait_until_ready(stop)
    }

    /// Sets a position, `moves` after `start`, waits until the engine is ready, and begins a search. A
    /// search that still runs is stopped before.
    ///
    /// # Errors
    /// Returns an error if the moves are illegal, or if the engine does not run or reply.
    pub fn go(
        &mut self,
        start: &Board,
        moves: &str,
        go: &Go,
        stop: &StopToken,
    ) -> Result<(), UciError> {
        let mut board = *start;
        board.play_moves(moves)?;
        self.stop_search()?;
        self.complaint = None;
        let (base, moves) = (PositionBase::Fen(start.fen()), moves.to_owned());
        self.send(&Command::Position(PositionCommand { base, moves }));
        // What it says before its reply belongs to the last search, such as a second 'bestmove'.
        self.wait_until_ready(stop)?;
        let (begun, line) = (Instant::now(), EngineInfo::default());
        self.search = Some(CurrentSearch { board, begun, line, exact: None, is_stopping: false });
        self.send(&Command::Go(Box::new(go.clone())));
        Ok(())
    }

    /// Tells a pondering engine that the expected move was played. The time of its answer counts from now.
    pub fn ponder_hit(&mut self) {
        if let Some(search) = &mut self.search {
            search.begun = Instant::now();
        }
        self.send(&Command::PonderHit);
    }

    /// Waits for the answer of the running search. `on_line` sees the values of the best line whenever
    /// the engine reports some; on `Break` the search is stopped, and its answer is waited for.
    ///
    /// Returns `None` if no search runs, or if it goes on because the token was stopped or the time
    /// `within` since `go` is over.
    ///
    /// # Errors
    /// Returns an error if the engine has ended, or answers with an illegal move.
    pub fn answer(
        &mut self,
        within: Option<Duration>,
        stop: &StopToken,
        mut on_line: impl FnMut(&EngineInfo) -> ControlFlow<()>,
    ) -> Result<Option<SearchAnswer>, UciError> {
        let Some(mut search) = self.search.take() else { return Ok(None) };
        let deadline = within.and_then(|time| search.begun.checked_add(time));
        loop {
            let Some((at, message)) = self.next_message(deadline, stop)? else {
                self.search = Some(search);
                return Ok(None);
            };
            match message {
                EngineMessage::Info(info) => {
                    let is_best = search.update(info);
                    if is_best && on_line(&search.line).is_break() && !search.is_stopping {
                        search.is_stopping = true;
                        self.send(&Command::Stop);
                    }
                }
                EngineMessage::BestMove { best, ponder } => {
                    let time = at.saturating_duration_since(search.begun);
                    let best = legal_move(&search.board, best.as_deref()).map_err(|detail| {
                        self.process = None;
                        UciError::IllegalMove(self.explained(detail))
                    })?;
                    let CurrentSearch { line, exact, .. } = search;
                    return Ok(Some(SearchAnswer { best, ponder, line, exact, time }));
                }
                _ => {}
            }
        }
    }

    /// Stops the search, if one runs, and waits five seconds at most for its answer.
    ///
    /// # Errors
    /// Returns an error if the engine does not answer, or with an illegal move.
    pub fn stop_search(&mut self) -> Result<Option<SearchAnswer>, UciError> {
        let Some(search) = &mut self.search else { return Ok(None) };
        let within = search.begun.elapsed() + STOP_TIME;
        if !std::mem::replace(&mut search.is_stopping, true) {
            self.send(&Command::Stop);
        }
        match self.answer(Some(within), &StopToken::new(), |_| ControlFlow::Continue(()))? {
            None => Err(self.no_reply("bestmove", STOP_TIME)),
            answer => Ok(answer),
        }
    }

    /// Adds the first error message that the engine has sent since it was asked, if any, to a text.
    pub fn explained(&self, text: String) -> String {
        match &self.complaint {
            Some(complaint) => format!("{text}; it said: {complaint}"),
            None => text,
        }
    }

    /// The error of an engine that has not replied in time. It cannot be used any longer.
    fn no_reply(&mut self, reply: &str, limit: Duration) -> UciError {
        self.process = None;
        UciError::NoReply(self.explained(format!("no '{reply}' within {} s", limit.as_secs_f64())))
    }

    /// Sends `quit` and waits half a second at most for the end of the program, which is then killed.
    pub fn quit(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.quit();
        }
    }

    fn send(&self, command: &Command) {
        if let Some(process) = &self.process {
            process.send(command);
        }
    }

    /// Sends an option to the engine, if it runs.
    fn send_option(&self, option: &EngineOption) -> Result<(), UciError> {
        let EngineOption { name, value, is_required } = option;
        if self.process.is_none() {
            return Ok(());
        }
        let checked = match self.declared_option(name) {
            None => Err(UciError::NoOption(name.clone())),
            Some(option) => option.checked(value).map_err(UciError::Refused).map(|value| {
                self.send(&Command::SetOption { name: option.name.clone(), value });
            }),
        };
        if *is_required { checked } else { Ok(()) }
    }

    /// Waits until all commands have taken effect.
    fn wait_until_ready(&mut self, stop: &StopToken) -> Result<(), UciError> {
        self.request((&Command::IsReady, "readyok"), stop, |client, message| {
            if matches!(message, EngineMessage::BestMove { .. }) && !client.has_warned {
                client.has_warned = true;
                warn!("{}: a 'bestmove' without 'go' is ignored", client.command.name);
            }
        })
    }

    /// Sends a command and takes the messages up to its reply.
    fn request(
        &mut self,
        (command, reply): (&Command, &'static str),
        stop: &StopToken,
        mut on_message: impl FnMut(&mut UciClient, EngineMessage),
    ) -> Result<(), UciError> {
        self.send(command);
        let limit = self.reply_time;
        let deadline = Instant::now().checked_add(limit);
        loop {
            match self.next_message(deadline, stop)? {
                Some((_, EngineMessage::UciOk)) if reply == "uciok" => return Ok(()),
                Some((_, EngineMessage::ReadyOk)) if reply == "readyok" => {
                    let Some(others) = self.unawaited.checked_sub(1) else { return Ok(()) };
                    self.unawaited = others;
                }
                Some((_, message)) => on_message(self, message),
                None if stop.is_stopped() => {
                    self.unawaited += 1;
                    return Err(UciError::Stopped);
                }
                None => return Err(self.no_reply(reply, limit)),
            }
        }
    }

    /// The next message, with the time of its arrival; `None` at the deadline or the stop.
    fn next_message(
        &mut self,
        deadline: Option<Instant>,
        stop: &StopToken,
    ) -> Result<Option<(Instant, EngineMessage)>, UciError> {
        let Some(process) = &mut self.process else {
            return Err(UciError::Ended("it does not run".to_owned()));
        };
        loop {
            match process.next_line(deadline, stop) {
                Ok((at, InputLine::Text(line))) => {
                    let message = line.as_str().into();
                    if let EngineMessage::Error(error) = &message {
                        let words = || error.chars().take(MAX_TEXT_LENGTH).collect();
                        self.complaint.get_or_insert_with(words);
                    }
                    return Ok(Some((at, message)));
                }
                Ok(_) => {}
                Err(ReadError::TimedOut | ReadError::Stopped) => return Ok(None),
                Err(ReadError::Closed) => {
                    let end = process.post_mortem();
                    self.process = None;
                    return Err(UciError::Ended(self.explained(end)));
                }
            }
        }
    }
}

impl Drop for UciClient {
    fn drop(&mut self) {
        self.quit();
    }
}

impl CurrentSearch {
    /// Takes over what an `info` line reports; returns whether it is about the best line.
    fn update(&mut self, info: EngineInfo) -> bool {
        let line = &mut self.line;
        line.nodes = info.nodes.or(line.nodes);
        let is_best = info.multipv.is_none_or(|rank| rank == 1);
        if is_best {
            line.score = info.score.or(line.score);
            self.exact = info.score.filter(|score| score.bound == Bound::Exact).or(self.exact);
            // A depth alone is that of an iteration which has just begun.
            if info.score.is_some() || !info.pv.is_empty() {
                line.depth = info.depth.or(line.depth);
            }
            if !info.pv.is_empty() {
                line.pv = info.pv;
            }
        }
        is_best
    }
}

/// The move of a `bestmove`; the error says what is wrong with it.
fn legal_move(board: &Board, best: Option<&str>) -> Result<Move, String> {
    let best = best.ok_or("no move, though there are legal moves")?;
    board.legal_move(best).ok_or_else(|| format!("'{}'", shortened(best)))
}
