//! The state of a server without its sockets: lines and times in, lines out.

mod page;
mod stages;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Context;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use tokio::sync::mpsc::Sender;

use super::agent::{Activity, Agent, identity_of_started};
use super::live_game::{EXAMINER, LiveGame, Request, Stage};
use super::matchmaker::{Matchmaker, WaitingAgent};
use super::openings::Openings;
use super::problems::Problem;
use super::referee::{DISCONNECTED, NO_PONG, RefereedGame, reason_word};
use super::results::{Results, ScheduledGame};
use super::settings::HostSettings;
use crate::line::Line;
use crate::wide_board::WideBoard;
use kalah::board::Side;
use kalah::printable::counted;
use kalah_records::{RecordError, Standings};

pub use stages::Ranked;

type Recorded = Result<(), RecordError>;

/// The time for a solution in the mode `verify`.
const SOLVING_TIME: Duration = Duration::from_mins(5);

/// What is said of an agent that the server has given up.
const GIVEN_UP: &str = "cannot run, and counts as a player that has left";

/// The state of a server without its sockets: lines and times go in, lines come out.
pub struct Host {
    settings: HostSettings,
    /// The time of the input that is being handled.
    now: Instant,
    /// By connection.
    agents: BTreeMap<u64, Agent>,
    /// By number.
    games: BTreeMap<u64, LiveGame>,
    results: Results,
    matchmaker: Matchmaker,
    /// The names of the agents that the server starts itself, by their tokens.
    started: FxHashMap<String, String>,
    /// The names of those of them that the server does not start again, by their identities.
    given_up: BTreeMap<String, String>,
    /// Players of a round robin that have lost their connection, and when their games are lost.
    away: FxHashMap<usize, Instant>,
    random: Rng,
    /// What has happened, for those who watch the server. Names are those that clients have given themselves.
    events: Vec<String>,
}

impl Host {
    /// A server to which nobody is connected; it goes on with the games of its record.
    ///
    /// # Errors
    /// Returns an error if the settings do not fit each other, or if a file cannot be used.
    pub fn new(settings: HostSettings) -> anyhow::Result<Host> {
        let (stages, format) = (settings.all_stages(), settings.format()?);
        let openings = (1..).zip(&stages).map(|(number, stage)| {
            let openings = settings.openings_of(stage);
            if stages.len() > 1 {
                openings.with_context(|| format!("stage {number}"))
            } else {
                openings
            }
        });
        let openings: Vec<Openings> = openings.collect::<anyhow::Result<_>>()?;
        let record = settings.record.as_deref();
        let (results, is_torn) = Results::open(record, openings, settings.event(&format))?;
        let mut events = Vec::new();
        if let Some(path) = record.filter(|_| is_torn) {
            let path = path.display();
            events.push(format!("'{path}' ended with an incomplete game, which was cut off"));
        }
        if results.finished_games() > 0 {
            let games = counted(results.finished_games(), "game");
            events.push(format!("continuing after {games} of the record"));
        }
        Ok(Host {
            agents: BTreeMap::new(),
            games: BTreeMap::new(),
            matchmaker: Matchmaker::new(format, stages, &results),
            started: FxHashMap::default(),
            given_up: BTreeMap::new(),
            away: FxHashMap::default(),
            random: Rng::with_seed(settings.seed),
            now: Instant::now(),
            results,
            settings,
            events,
        })
    }

    /// What has happened since the last call.
    pub fn take_events(&mut self) -> Vec<String> {
        std::mem::take(&mut self.events)
    }

    /// Whether all games are over.
    pub fn is_complete(&self) -> bool {
        self.matchmaker.is_complete(&self.results, self.games.len())
    }

    /// The standings after all games between players.
    pub fn standings(&self) -> Standings {
        self.results.standings_of(&self.matchmaker.players(&self.results), None)
    }

    /// An agent that the server starts itself will have this token. It is known by this name, whatever it says.
    pub fn expect(&mut self, token: String, name: String) {
        self.started.insert(token, name);
    }

    /// Whether the agent that the server has started with this name has joined.
    pub(super) fn has_joined(&self, name: &str) -> bool {
        self.is_there(&identity_of_started(name))
    }

    /// The server does not start the agent with this name again. Players of a round robin do not wait for it.
    ///
    /// # Errors
    /// Returns an error if a game cannot be recorded.
    pub fn give_up(&mut self, name: &str, now: Instant) -> Recorded {
        self.now = now;
        let identity = identity_of_started(name);
        let refusal = self.matchmaker.refusal(&identity, name, &self.results);
        if refusal.is_some() || !self.matchmaker.is_round_robin() {
            return Ok(());
        }
        self.events.push(format!("{name} {GIVEN_UP}"));
        self.begin_grace(&identity);
        self.given_up.insert(identity, name.to_owned());
        self.pair_up()
    }

    /// A client has connected. Lines for it go to `outbox`; the connection ends when that is dropped.
    pub fn connected(&mut self, connection: u64, outbox: Sender<String>, now: Instant) {
        self.now = now;
        self.agents.insert(connection, Agent::new(connection, outbox, now));
    }

    /// A client has sent a line.
    ///
    /// # Errors
    /// Returns an error if a game cannot be recorded.
    pub fn line(&mut self, connection: u64, line: &Line, now: Instant) -> Recorded {
        self.now = now;
        let Some(agent) = self.agents.get_mut(&connection) else { return Ok(()) };
        match line.command.as_str() {
            "set" => {
                if let (Some(option), Some(value)) = (line.text(0), line.text(1)) {
                    agent.set(option, value);
                }
            }
            "mode" => return self.set_mode(connection, line),
            "ping" => agent.reply(line.id, Line::command("pong")),
            "pong" | "move" | "yield" => return self.game_line(connection, line),
            "solution" => self.solved(connection, line),
            "goodbye" => return self.disconnect(connection, "said goodbye", now),
            "ok" | "error" => {}
            _ => agent.error(line.id, "unknown command"),
        }
        Ok(())
    }

    /// A connection has ended, or is to end.
    ///
    /// # Errors
    /// Returns an error if a game cannot be recorded.
    pub fn disconnect(&mut self, connection: u64, reason: &str, now: Instant) -> Recorded {
        self.now = now;
        self.remove(connection, reason)?;
        self.pair_up()
    }

    /// What is due at this time.
    ///
    /// # Errors
    /// Returns an error if a game cannot be recorded.
    pub fn tick(&mut self, now: Instant) -> Recorded {
        self.now = now;
        let late: Vec<u64> =
            self.games.iter().filter(|(_, game)| game.deadline <= now).map(|(&n, _)| n).collect();
        for &number in &late {
            self.time_over(number)?;
        }
        let leaving = self.agents.iter().filter_map(|(&connection, agent)| {
            let (deadline, reason) = self.deadline(agent)?;
            (deadline <= now).then_some((connection, reason))
        });
        let leaving: Vec<(u64, &str)> = leaving.collect();
        let mut is_any_late = !late.is_empty() || !leaving.is_empty();
        for (connection, reason) in leaving {
            self.send_away(connection, reason)?;
        }
        let lost: Vec<(usize, Instant)> = self.away.extract_if(|_, until| *until <= now).collect();
        for (player, _) in lost {
            is_any_late = true;
            for scheduled in self.matchmaker.remaining_of(player, &self.results) {
                let mut game = self.new_game(&scheduled);
                let loser = if scheduled.players[0] == player { Side::South } else { Side::North };
                game.forfeit(Some(loser), DISCONNECTED);
                self.record(scheduled, &game)?;
            }
        }
        if is_any_late { self.pair_up() } else { Ok(()) }
    }

    /// The time of the next tick, if there is anything to wait for.
    pub(super) fn next_deadline(&self) -> Option<Instant> {
        let agents = self.agents.values().filter_map(|agent| Some(self.deadline(agent)?.0));
        let games = self.games.values().map(|game| game.deadline);
        agents.chain(games).chain(self.away.values().copied()).min()
    }

    /// When a client that goes on so is sent away, and why.
    fn deadline(&self, agent: &Agent) -> Option<(Instant, &'static str)> {
        let (limit, reason) = match agent.activity {
            _ if agent.is_lost => (Duration::ZERO, "it does not read"),
            Activity::Introducing => (self.settings.ping_time, "no mode in time"),
            Activity::Solving(..) => (SOLVING_TIME, "no solution in time"),
            Activity::Waiting | Activity::Playing(_) => return None,
        };
        Some((agent.since + limit, reason))
    }

    /// Says goodbye to all clients and ends their connections.
    pub(super) fn end(&mut self) {
        for mut agent in std::mem::take(&mut self.agents).into_values() {
            agent.goodbye();
        }
    }

    fn set_mode(&mut self, connection: u64, line: &Line) -> Recorded {
        let Some(agent) = self.agents.get_mut(&connection) else { return Ok(()) };
        match line.text(0) {
            _ if !agent.is_introducing() => agent.error(line.id, "the mode is set already"),
            Some("freeplay") => return self.join(connection, line),
            Some("verify") => {
                agent.reply(line.id, Line::command("ok"));
                self.pose_problem(connection);
            }
            _ => agent.error(line.id, "unknown mode: expected freeplay or verify"),
        }
        Ok(())
    }

    fn join(&mut self, connection: u64, line: &Line) -> Recorded {
        let Some(agent) = self.agents.get_mut(&connection) else { return Ok(()) };
        agent.recognize(&self.started);
        let (identity, name) = (agent.identity(), agent.name());
        if let Some(refusal) = self.matchmaker.refusal(&identity, &name, &self.results) {
            return self.send_away(connection, refusal);
        }
        agent.reply(line.id, Line::command("ok"));
        agent.begin(Activity::Waiting, self.now);
        if let Some(player) = self.results.index_of(&identity) {
            self.away.remove(&player);
        }
        self.given_up.remove(&identity);
        self.events.push(format!("{name} joined"));
        self.pair_up()
    }

    fn pose_problem(&mut self, connection: u64) {
        let problem = Problem::random(&mut self.random);
        if let Some(agent) = self.agents.get_mut(&connection) {
            let id = agent.command(problem.line());
            agent.begin(Activity::Solving(id, problem), self.now);
        }
    }

    fn solved(&mut self, connection: u64, line: &Line) {
        let Some(agent) = self.agents.get_mut(&connection) else { return };
        let Activity::Solving(id, problem) = &agent.activity else { return };
        if line.reference != Some(*id) {
            return agent.error(line.id, "No problem associated with id");
        }
        if let Some(mistake) = problem.mistake(line) {
            agent.error(line.id, mistake);
        }
        self.pose_problem(connection);
    }

    fn game_line(&mut self, connection: u64, line: &Line) -> Recorded {
        let Some(agent) = self.agents.get_mut(&connection) else { return Ok(()) };
        if let Activity::Playing(number) = agent.activity
            && let Some(game) = self.games.get_mut(&number)
            && let Some(side) = game.side_of(connection)
        {
            match game.handle_line(side, line, &mut agent.comment) {
                Ok(true) => return self.settle(number),
                Ok(false) => {}
                Err(text) => agent.error(line.id, text),
            }
        } else if line.command != "pong" && line.reference.is_none() {
            agent.error(line.id, "No state associated with id");
        }
        Ok(())
    }

    fn time_over(&mut self, number: u64) -> Recorded {
        let Some(game) = self.games.get_mut(&number) else { return Ok(()) };
        let silent: Vec<Side> = match &game.stage {
            Stage::Pinging(pings) => {
                Side::ALL.into_iter().filter(|&side| pings[side.index()].is_some()).collect()
            }
            Stage::LatePing { .. } => game.asked().into_iter().collect(),
            Stage::Asked(_) => {
                if let Some((asked, request)) = game.take_request()
                    && let Some(agent) = self.agents.get_mut(&asked)
                {
                    let ping = agent.command(Line::command("ping"));
                    game.stage = Stage::LatePing { ping, request };
                    game.deadline = self.now + self.settings.ping_time;
                }
                return Ok(());
            }
            Stage::Due => Vec::new(),
        };
        let connections: Vec<u64> = silent.iter().map(|&side| game.connection(side)).collect();
        let loser = if let [side] = silent[..] { Some(side) } else { None };
        game.referee.forfeit(loser, NO_PONG);
        self.finish(number)?;
        // Before anybody is paired again.
        connections
            .into_iter()
            .try_for_each(|connection| self.send_away(connection, "no pong in time"))
    }

    /// Ends a request, and plays its move.
    fn settle(&mut self, number: u64) -> Recorded {
        let Some(game) = self.games.get_mut(&number) else { return Ok(()) };
        if let Some((mover, Request { id, chosen, comment })) = game.take_request() {
            if let Some(agent) = self.agents.get_mut(&mover) {
                agent.reply(Some(id), Line::command("stop"));
            }
            game.referee.answer(chosen, comment, &mut self.random);
        }
        self.proceed(number)
    }

    /// Asks for the next move, or ends the game.
    fn proceed(&mut self, number: u64) -> Recorded {
        let Some(game) = self.games.get_mut(&number) else { return Ok(()) };
        if let Some(examiner) = self.matchmaker.examiner() {
            while game.referee.end.is_none()
                && game.connection(game.referee.board.side()) == EXAMINER
            {
                game.referee.play_examiner(examiner, &mut self.random);
            }
        }
        if game.referee.end.is_some() {
            self.finish(number)?;
            return self.pair_up();
        }
        let board = &game.referee.board;
        if let Some(agent) = self.agents.get_mut(&game.connection(board.side())) {
            let id = agent.command(Line::command("state").with(WideBoard::from(board)));
            game.stage = Stage::Asked(Request { id, chosen: None, comment: None });
            game.deadline = self.now + self.matchmaker.stages[game.scheduled.stage].time;
        }
        Ok(())
    }

    /// Records a game that has ended; its agents wait for the next one.
    fn finish(&mut self, number: u64) -> Recorded {
        let Some(mut game) = self.games.remove(&number) else { return Ok(()) };
        if let Some((asked, Request { id, .. })) = game.take_request()
            && let Some(agent) = self.agents.get_mut(&asked)
        {
            agent.reply(Some(id), Line::command("stop"));
        }
        for connection in game.connections {
            let Some(agent) = self.agents.get_mut(&connection) else { continue };
            agent.comment = None;
            agent.begin(Activity::Waiting, self.now);
        }
        self.record(game.scheduled, &game.referee)
    }

    fn record(&mut self, scheduled: ScheduledGame, game: &RefereedGame) -> Recorded {
        let Some(end) = game.end else { return Ok(()) };
        self.results.add(scheduled, game, end, self.matchmaker.has_schedule())?;
        let ScheduledGame { number, players, .. } = scheduled;
        let [south, north] = players.map(|player| self.results.name(player));
        let margin = end.margin.map_or_else(String::new, |margin| format!(" ({margin:+})"));
        let (outcome, reason) = (end.outcome, reason_word(end.reason));
        self.events.push(format!("game {number}: {south} - {north} {outcome}{margin}, {reason}"));
        self.matchmaker.game_over(scheduled);
        Ok(())
    }

    /// Ends the connection to a client, and tells it why.
    fn send_away(&mut self, connection: u64, reason: &str) -> Recorded {
        if let Some(agent) = self.agents.get_mut(&connection) {
            agent.error(None, reason);
            agent.goodbye();
        }
        self.remove(connection, reason)
    }

    /// Forgets a client, which loses its game.
    fn remove(&mut self, connection: u64, reason: &str) -> Recorded {
        let Some(agent) = self.agents.remove(&connection) else { return Ok(()) };
        let identity = agent.identity();
        if !agent.is_introducing() {
            self.events.push(format!("{} has left: {reason}", agent.name()));
        }
        if let Activity::Playing(number) = agent.activity
            && let Some(game) = self.games.get_mut(&number)
        {
            let loser = game.side_of(connection);
            game.referee.forfeit(loser, DISCONNECTED);
            self.finish(number)?;
        }
        self.begin_grace(&identity);
        Ok(())
    }

    fn is_there(&self, identity: &str) -> bool {
        let mut joined = self.agents.values().filter(|agent| !agent.is_introducing());
        joined.any(|agent| agent.identity() == identity)
    }

    /// A player of a round robin that is not there has some time to come back.
    fn begin_grace(&mut self, identity: &str) {
        // Perhaps it is there on another connection.
        if let Some(player) = self.results.index_of(identity)
            && self.matchmaker.has_schedule()
            && !self.is_there(identity)
        {
            self.away.entry(player).or_insert(self.now + self.settings.grace);
        }
    }

    /// Those who wait, the longest first.
    fn waiting(&self) -> Vec<WaitingAgent> {
        let is_waiting = |agent: &Agent| matches!(agent.activity, Activity::Waiting);
        let agents = self.agents.iter().filter(|(_, agent)| is_waiting(agent));
        let mut agents: Vec<_> = agents.collect();
        agents.sort_by_key(|(_, agent)| agent.since);
        let waiting = agents.into_iter().map(|(&connection, agent)| WaitingAgent {
            connection,
            identity: agent.identity(),
            name: agent.name(),
        });
        waiting.collect()
    }

    fn pair_up(&mut self) -> Recorded {
        let waiting = self.waiting();
        let all = waiting.iter().map(|agent| (&agent.identity, &agent.name)).chain(&self.given_up);
        if self.matchmaker.try_to_begin(all, &mut self.results) {
            self.events.push("all players are there: the tournament begins".to_owned());
            let given_up: Vec<String> = self.given_up.keys().cloned().collect();
            for identity in given_up {
                self.begin_grace(&identity);
            }
            for WaitingAgent { connection, identity, .. } in waiting {
                if self.results.index_of(&identity).is_none() {
                    self.send_away(connection, "the tournament has begun without you")?;
                }
            }
        }
        while self.matchmaker.advance(&self.results) {
            self.begin_stage()?;
        }
        let mut waiting = self.waiting();
        loop {
            let games = &self.games;
            let is_live = |number| games.contains_key(&number);
            let live = games.len();
            let next = self.matchmaker.next(&waiting, &mut self.results, live, is_live);
            let Some((scheduled, connections)) = next else { return Ok(()) };
            waiting.retain(|agent| !connections.contains(&agent.connection));
            self.begin(scheduled, connections);
        }
    }

    fn new_game(&mut self, scheduled: &ScheduledGame) -> RefereedGame {
        let (board, moves) = self.results.opening(scheduled.stage, scheduled.round);
        RefereedGame::new(board, &moves)
    }

    fn begin(&mut self, scheduled: ScheduledGame, connections: [u64; 2]) {
        let mut pings = [None; 2];
        for (connection, ping) in connections.into_iter().zip(&mut pings) {
            if let Some(agent) = self.agents.get_mut(&connection) {
                *ping = Some(agent.command(Line::command("ping")));
                agent.begin(Activity::Playing(scheduled.number), self.now);
            }
        }
        let referee = self.new_game(&scheduled);
        let deadline = self.now + self.settings.ping_time;
        let stage = Stage::Pinging(pings);
        let game = LiveGame { scheduled, referee, connections, stage, deadline };
        self.games.insert(scheduled.number, game);
    }
}
