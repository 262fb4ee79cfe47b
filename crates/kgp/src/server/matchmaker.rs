//! Which game is next: of those who wait, or of the schedule of a round robin.

use rustc_hash::FxHashMap;

use super::pairing::{RoundRobin, WaitingAgent, next_opponents};
use super::results::{Results, Table};
use super::settings::HostedFormat;

/// Players of a server whose list is not fixed, at most.
const MAX_PLAYERS: usize = 10_000;

pub(super) struct Matchmaker {
    format: HostedFormat,
    /// Of a round robin that has begun.
    schedule: Option<RoundRobin>,
    /// The first game of the schedule that is not over.
    first_open: u64,
    /// Without schedule: the second games of pairs whose first is over.
    return_games: Vec<Table>,
    /// The number of the first game of the next pair.
    next_number: u64,
}

impl Matchmaker {
    /// Goes on after the games there are.
    pub(super) fn new(format: HostedFormat, results: &Results) -> Matchmaker {
        let last_number = results.games.iter().map(|game| game.table.number).max();
        let schedule = match format {
            HostedFormat::RoundRobin { players, rounds, .. } => {
                (results.players.len() == players).then(|| RoundRobin::new(players, rounds))
            }
            HostedFormat::Freeplay { .. } => None,
        };
        let mut matchmaker = Matchmaker {
            format,
            schedule,
            first_open: 1,
            return_games: Vec::new(),
            next_number: (last_number.unwrap_or(0) + 1) | 1,
        };
        if let HostedFormat::Freeplay { .. } = matchmaker.format {
            let tables = results.games.iter().map(|game| game.table);
            let halves = tables.filter(|table| !results.is_finished(table.number + 1));
            halves.for_each(|table| matchmaker.game_over(table));
        }
        matchmaker
    }

    /// Whether the players are fixed, and games can be played.
    pub(super) fn has_begun(&self) -> bool {
        self.schedule.is_some() || matches!(self.format, HostedFormat::Freeplay { .. })
    }

    /// Whether the list of players is part of the conditions.
    pub(super) fn has_schedule(&self) -> bool {
        self.schedule.is_some()
    }

    /// The number of games that will be played, if it is known.
    pub(super) fn games(&self) -> Option<u64> {
        match &self.format {
            HostedFormat::Freeplay { games } => *games,
            HostedFormat::RoundRobin { players, rounds, .. } => {
                Some(RoundRobin::new(*players, *rounds).games())
            }
        }
    }

    pub(super) fn is_complete(&self, results: &Results, live: usize) -> bool {
        live == 0
            && self.has_begun()
            && self.games().is_some_and(|games| results.finished_games() >= games)
    }

    /// Why an agent cannot take part.
    pub(super) fn refusal(
        &self,
        identity: &str,
        name: &str,
        results: &Results,
    ) -> Option<&'static str> {
        let is_known = results.index_of(identity).is_some();
        match &self.format {
            _ if is_known => None,
            HostedFormat::Freeplay { .. } if results.players.len() >= MAX_PLAYERS => {
                Some("too many players")
            }
            HostedFormat::Freeplay { .. } => None,
            HostedFormat::RoundRobin { .. } if self.has_begun() => {
                Some("the tournament has begun without you")
            }
            HostedFormat::RoundRobin { names, .. } => {
                let is_listed = names.is_empty() || names.iter().any(|listed| listed == name);
                (!is_listed).then_some("this name is not on the list of players")
            }
        }
    }

    /// Begins a round robin once all players wait, the first of them first. Returns whether it did.
    pub(super) fn try_to_begin(&mut self, waiting: &[WaitingAgent], results: &mut Results) -> bool {
        let HostedFormat::RoundRobin { players, rounds, names } = &self.format else {
            return false;
        };
        if self.schedule.is_some() {
            return false;
        }
        let mut present: Vec<&WaitingAgent> = Vec::new();
        for agent in waiting {
            // Each name of a list is one player.
            let is_there = |other: &&WaitingAgent| {
                other.identity == agent.identity || (!names.is_empty() && other.name == agent.name)
            };
            if !present.iter().any(is_there) {
                present.push(agent);
            }
        }
        if present.len() < *players {
            return false;
        }
        for agent in &present[..*players] {
            results.player(&agent.identity, &agent.name);
        }
        self.schedule = Some(RoundRobin::new(*players, *rounds));
        true
    }

    /// The next game that two of those who wait can begin, and their connections, South first. `is_live`
    /// tells which numbers are being played.
    pub(super) fn next(
        &mut self,
        waiting: &[WaitingAgent],
        results: &mut Results,
        live: usize,
        is_live: impl Fn(u64) -> bool,
    ) -> Option<(Table, [u64; 2])> {
        if let Some(schedule) = &self.schedule {
            while self.first_open <= schedule.games() && results.is_finished(self.first_open) {
                self.first_open += 1;
            }
            // Of several connections of a player the first counts.
            let places = waiting.iter().rev();
            let places = places
                .filter_map(|agent| Some((results.index_of(&agent.identity)?, agent.connection)));
            let waits: FxHashMap<usize, u64> = places.collect();
            if waits.len() < 2 {
                return None;
            }
            let open = (self.first_open..=schedule.games())
                .filter(|&number| !results.is_finished(number) && !is_live(number));
            return open.filter_map(|number| schedule.game(number)).find_map(|game| {
                let [south, north] = game.players.map(|player| waits.get(&player).copied());
                Some((game, [south?, north?]))
            });
        }
        let HostedFormat::Freeplay { games } = self.format else { return None };
        if games.is_some_and(|games| results.finished_games() + live as u64 >= games) {
            return None;
        }
        let pair = |a: &WaitingAgent, b: &WaitingAgent| {
            let players = [results.index_of(&a.identity)?, results.index_of(&b.identity)?];
            Some(ascending(players))
        };
        let due =
            |pair| self.return_games.iter().position(|table| ascending(table.players) == pair);
        let [first, second] = next_opponents(waiting, |agent, other| {
            let pair = pair(agent, other);
            (pair.and_then(due).is_none(), pair.map_or(0, |pair| results.meetings(pair)))
        })?;
        let due = pair(first, second).and_then(due);
        let players = [first, second].map(|agent| results.player(&agent.identity, &agent.name));
        if let Some(due) = due {
            let table = self.return_games.swap_remove(due);
            let is_turned = table.players != players;
            let [south, north] = if is_turned { [second, first] } else { [first, second] };
            return Some((table, [south.connection, north.connection]));
        }
        let number = self.next_number;
        self.next_number += 2;
        let round = results.meetings(ascending(players)) / 2 + 1;
        let table = Table { number, round, players };
        Some((table, [first.connection, second.connection]))
    }

    /// A game is over: if it is the first of a pair without schedule, the second becomes due.
    pub(super) fn game_over(&mut self, table: Table) {
        let Table { number, round, players: [south, north] } = table;
        if self.schedule.is_none() && number % 2 == 1 {
            self.return_games.push(Table { number: number + 1, round, players: [north, south] });
        }
    }

    /// The games of a player that are left in the schedule.
    pub(super) fn remaining_of(&self, player: usize, results: &Results) -> Vec<Table> {
        let Some(schedule) = &self.schedule else { return Vec::new() };
        let games = (self.first_open..=schedule.games()).filter_map(|number| schedule.game(number));
        games
            .filter(|game| game.players.contains(&player) && !results.is_finished(game.number))
            .collect()
    }
}

/// Two players, whoever is South.
pub(super) fn ascending([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
