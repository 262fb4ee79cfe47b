//! The games that are over: their record on disk, and the standings.

use std::path::Path;

use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::referee::{EndReason, GameEnd, RefereedGame};
use kalah::board::Board;
use kalah_arena::{GameSummary, LinesFile, RecordError, Standings, Termination};
use kalah_games::{AnnotatedGame, GameOutcome};

/// Games that the page lists.
const LAST_GAMES: usize = 20;

/// The highest number of a game that a record can have.
const MAX_NUMBER: u64 = 1 << 53;

/// A player: an identity that has a place in the standings.
#[derive(Clone, Debug)]
pub(super) struct HostedPlayer {
    /// See `Agent::identity`.
    pub identity: String,
    /// Unique among the players.
    pub name: String,
}

/// The number of a game, who plays and for which round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// From 1; both games of a pair have consecutive numbers.
    pub number: u64,
    /// From 1.
    pub round: u64,
    /// Indices of players, South first.
    pub players: [usize; 2],
}

/// The result of a game, in the words of the page.
#[derive(Clone, Debug)]
pub(super) struct FinishedGame {
    pub table: Table,
    pub outcome: GameOutcome,
    pub margin: Option<i32>,
    pub reason: String,
    pub plies: usize,
}

/// All games that are over.
pub(super) struct Results {
    file: Option<LinesFile>,
    start: Board,
    /// Of a round robin: `Event` in the record, which has to be the same in all games.
    event: String,
    pub players: Vec<HostedPlayer>,
    by_identity: FxHashMap<String, usize>,
    games: Vec<GameSummary>,
    /// Of all games, those without a winner and loser among them, by number.
    finished: FxHashMap<u64, Table>,
    last: Vec<FinishedGame>,
    meetings: FxHashMap<[usize; 2], u64>,
    /// The last number.
    last_number: u64,
}

impl Results {
    /// No results, or those of a record that exists. Returns also whether the end of the record was torn.
    pub(super) fn open(
        record: Option<&Path>,
        start: Board,
        event: &str,
    ) -> Result<(Results, bool), RecordError> {
        let mut results = Results {
            file: None,
            start,
            event: event.to_owned(),
            players: Vec::new(),
            by_identity: FxHashMap::default(),
            games: Vec::new(),
            finished: FxHashMap::default(),
            last: Vec::new(),
            meetings: FxHashMap::default(),
            last_number: 0,
        };
        let Some(path) = record else { return Ok((results, false)) };
        let (file, is_torn) = LinesFile::open(path, |game: AnnotatedGame, lines| {
            results.recover(&game).map_err(|reason| {
                RecordError::other_tournament(path, &format!("line {}: {reason}", lines.line()))
            })
        })?;
        results.file = Some(file);
        Ok((results, is_torn))
    }

    /// Counts a game of the record.
    fn recover(&mut self, game: &AnnotatedGame) -> Result<(), String> {
        let tag = |name: &str| game.tag(name).ok_or(format!("the tag {name} is missing"));
        let number = |name: &str| {
            tag(name)?.parse::<u64>().map_err(|_| format!("the tag {name} is not a number"))
        };
        if tag("Event")? != self.event {
            return Err(format!("{}, not {}", tag("Event")?, self.event));
        }
        if game.start != self.start {
            return Err(format!("it begins with {}", game.start.fen()));
        }
        // All players of a round robin, in their order.
        let players: Vec<(String, String)> = match game.tag("Players") {
            Some(players) => serde_json::from_str(players).map_err(|error| error.to_string())?,
            None => Vec::new(),
        };
        for (identity, name) in players {
            self.player(&identity, &name);
        }
        let south = self.player(tag("SouthAgent")?, tag("South")?);
        let north = self.player(tag("NorthAgent")?, tag("North")?);
        let table =
            Table { number: number("Game")?, round: number("Round")?, players: [south, north] };
        if !(1..=MAX_NUMBER).contains(&table.number)
            || south == north
            || self.finished.contains_key(&table.number)
        {
            return Err(format!("game {} is wrong or there twice", table.number));
        }
        let reasons = [EndReason::PlayedOut, EndReason::IllegalMove, EndReason::NoPong];
        let reason = tag("Reason")?;
        let found = reasons.into_iter().find(|known| known.termination().to_string() == reason);
        let margin = game.tag("Margin").and_then(|margin| margin.parse().ok());
        let reason = found.unwrap_or(EndReason::Disconnected);
        let end = GameEnd { outcome: game.result, margin, reason };
        self.count(table, end, game.moves.len());
        Ok(())
    }

    /// The index of a player, which is new if its identity is. The name is made unique.
    pub(super) fn player(&mut self, identity: &str, name: &str) -> usize {
        if let Some(&index) = self.by_identity.get(identity) {
            return index;
        }
        let is_taken = |name: &str| self.players.iter().any(|player| player.name == name);
        let mut unique = name.to_owned();
        let mut number = 2;
        while is_taken(&unique) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        self.players.push(HostedPlayer { identity: identity.to_owned(), name: unique });
        self.by_identity.insert(identity.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    /// The index of a player that is known.
    pub(super) fn index_of(&self, identity: &str) -> Option<usize> {
        self.by_identity.get(identity).copied()
    }

    /// How often two players have met.
    pub(super) fn meetings(&self, players: [usize; 2]) -> u64 {
        let key = [players[0].min(players[1]), players[0].max(players[1])];
        self.meetings.get(&key).copied().unwrap_or(0)
    }

    /// Whether the game of this number is over.
    pub(super) fn is_finished(&self, number: u64) -> bool {
        self.finished.contains_key(&number)
    }

    /// The number of games that are over.
    pub(super) fn finished_games(&self) -> u64 {
        self.finished.len() as u64
    }

    /// The highest number of a game.
    pub(super) fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Games that are over, whose counterpart with the sides exchanged is not.
    pub(super) fn half_pairs(&self) -> impl Iterator<Item = Table> {
        let halves = self
            .finished
            .iter()
            .filter(|&(&number, _)| number % 2 == 1 && !self.finished.contains_key(&(number + 1)));
        halves.map(|(_, &table)| table)
    }

    /// Writes a game that is over to the record, and counts it. `has_schedule` says whether the list of
    /// players is fixed.
    pub(super) fn add(
        &mut self,
        table: Table,
        game: &RefereedGame,
        has_schedule: bool,
    ) -> Result<Option<FinishedGame>, RecordError> {
        let Some(end) = game.end() else { return Ok(None) };
        if let Some(file) = &mut self.file {
            let mut annotated = game.to_annotated();
            let now = Timestamp::now().strftime("%Y.%m.%d %H:%M:%S").to_string();
            let (date, time) = now.split_once(' ').unwrap_or((&now, ""));
            let [south, north] = table.players.map(|player| &self.players[player]);
            let tags = [
                ("South", south.name.clone()),
                ("North", north.name.clone()),
                ("Event", self.event.clone()),
                ("Date", date.to_owned()),
                ("Time", time.to_owned()),
                ("Game", table.number.to_string()),
                ("Round", table.round.to_string()),
                ("Reason", end.reason.termination().to_string()),
                ("SouthAgent", south.identity.clone()),
                ("NorthAgent", north.identity.clone()),
            ];
            for (name, value) in tags {
                annotated.set_tag(name, value);
            }
            if let Some(margin) = end.margin {
                annotated.set_tag("Margin", format!("{margin:+}"));
            }
            if has_schedule {
                let players = self.players.iter();
                let players: Vec<_> =
                    players.map(|player| (&player.identity, &player.name)).collect();
                if let Ok(players) = serde_json::to_string(&players) {
                    annotated.set_tag("Players", players);
                }
            }
            file.append(&[annotated])?;
        }
        Ok(Some(self.count(table, end, game.plies())))
    }

    fn count(&mut self, table: Table, end: GameEnd, plies: usize) -> FinishedGame {
        let Table { number, players, .. } = table;
        let half_points = match end.outcome {
            GameOutcome::South => Some(2),
            GameOutcome::North => Some(0),
            GameOutcome::Draw => Some(1),
            GameOutcome::Unknown => None,
        };
        if let Some(half_points) = half_points {
            let reason = end.reason.termination();
            let margin = end.margin;
            self.games.push(GameSummary {
                game: number,
                players,
                half_points,
                margin,
                plies,
                reason,
            });
        }
        self.finished.insert(number, table);
        *self
            .meetings
            .entry([players[0].min(players[1]), players[0].max(players[1])])
            .or_default() += 1;
        self.last_number = self.last_number.max(number);
        let reason = match end.reason.termination() {
            Termination::Fault(_) if end.reason == EndReason::Disconnected => {
                "disconnected".to_owned()
            }
            Termination::Fault(_) if end.reason == EndReason::NoPong => "no pong".to_owned(),
            reason => reason.to_string(),
        };
        let game = FinishedGame { table, outcome: end.outcome, margin: end.margin, reason, plies };
        self.last.insert(0, game.clone());
        self.last.truncate(LAST_GAMES);
        game
    }

    /// The last games, the latest first.
    pub(super) fn last(&self) -> &[FinishedGame] {
        &self.last
    }

    /// The standings after all games.
    pub(super) fn standings(&self) -> Standings {
        let names = self.players.iter().map(|player| player.name.clone()).collect();
        let mut standings = Standings::new(names);
        for &game in &self.games {
            standings.add(game);
        }
        standings
    }
}
