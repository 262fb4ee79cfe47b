//! Which game is next: of those who wait, or of the schedule of a round robin.

use rustc_hash::FxHashMap;

use super::live_game::EXAMINER;
use super::referee::Examiner;
use super::results::{Results, ScheduledGame, ascending};
use super::settings::HostedFormat;
use super::stages::{BegunStage, StageSettings};

/// Players of a server whose list is not fixed, at most.
const MAX_PLAYERS: usize = 10_000;

#[derive(Clone, Debug)]
pub(super) struct WaitingAgent {
    pub connection: u64,
    /// Agents of one identity do not play each other.
    pub identity: String,
    pub name: String,
}

pub(super) struct Matchmaker {
    format: HostedFormat,
    pub stages: Vec<StageSettings>,
    /// The stages of a round robin that have begun.
    pub begun: Vec<BegunStage>,
    /// The first game of the last of them that is not over.
    first_open: u64,
    /// Without schedule: the second games of pairs whose first is over.
    return_games: Vec<ScheduledGame>,
    /// The number of the first game of the next pair.
    next_number: u64,
}

impl Matchmaker {
    /// Goes on after the games there are.
    pub(super) fn new(
        format: HostedFormat,
        stages: Vec<StageSettings>,
        results: &Results,
    ) -> Matchmaker {
        let last_number = results.games.iter().map(|game| game.scheduled.number).max();
        let mut matchmaker = Matchmaker {
            format,
            stages,
            begun: Vec::new(),
            first_open: 1,
            return_games: Vec::new(),
            next_number: (last_number.unwrap_or(0) + 1) | 1,
        };
        if let HostedFormat::RoundRobin { players, .. } = matchmaker.format {
            let examiner = usize::from(matchmaker.examiner().is_some());
            if results.players.len() == players + examiner {
                matchmaker.begun.push(matchmaker.first_stage(players));
                while matchmaker.advance(results) {}
            }
        } else {
            let scheduled = results.games.iter().map(|game| game.scheduled);
            let halves = scheduled.filter(|scheduled| !results.is_finished(scheduled.number + 1));
            halves.for_each(|scheduled| matchmaker.game_over(scheduled));
        }
        matchmaker
    }

    /// The first stage of a round robin of this number of players.
    fn first_stage(&self, players: usize) -> BegunStage {
        BegunStage::new(0, self.stages[0].clone(), (0..players).collect(), players, 0)
    }

    /// Begins the next stage if the last one is over. Returns whether it did.
    pub(super) fn advance(&mut self, results: &Results) -> bool {
        let Some(stage) = self.begun.last() else { return false };
        while self.first_open <= stage.last() && results.is_finished(self.first_open) {
            self.first_open += 1;
        }
        let Some(next) = self.next_stage(results) else { return false };
        self.first_open = next.first();
        self.begun.push(next);
        true
    }

    /// The stage after the last one that has begun, if that is over and two players or more go on.
    fn next_stage(&self, results: &Results) -> Option<BegunStage> {
        let stage = self.begun.last().filter(|stage| self.first_open > stage.last())?;
        let next = self.stages.get(stage.index + 1)?;
        let players = stage.survivors(results);
        let (index, examiner) = (stage.index + 1, results.players.len().saturating_sub(1));
        (players.len() >= 2)
            .then(|| BegunStage::new(index, next.clone(), players, examiner, stage.last()))
    }

    /// All players who play others: of a tournament with an exam, those who have passed.
    pub(super) fn players(&self, results: &Results) -> Vec<usize> {
        let mut begun = self.begun.iter();
        match begun.find(|stage| stage.settings.examiner().is_none()) {
            Some(first) => first.players.clone(),
            None if self.begun.is_empty() => (0..results.players.len()).collect(),
            None => Vec::new(),
        }
    }

    /// How the server plays, if there is an exam.
    pub(super) fn examiner(&self) -> Option<Examiner> {
        self.stages[0].examiner()
    }

    /// Whether the players are fixed, and games can be played.
    pub(super) fn has_begun(&self) -> bool {
        !self.begun.is_empty() || matches!(self.format, HostedFormat::Freeplay { .. })
    }

    pub(super) fn is_round_robin(&self) -> bool {
        matches!(self.format, HostedFormat::RoundRobin { .. })
    }

    /// Whether the list of players is part of the conditions.
    pub(super) fn has_schedule(&self) -> bool {
        !self.begun.is_empty()
    }

    /// The number of games that will be played, if it is known; of a round robin in the stages that have begun.
    pub(super) fn games(&self) -> Option<u64> {
        match &self.format {
            HostedFormat::Freeplay { games } => *games,
            HostedFormat::RoundRobin { .. } if self.has_begun() => {
                Some(self.begun.iter().map(BegunStage::games).sum())
            }
            HostedFormat::RoundRobin { players, .. } => Some(self.first_stage(*players).games()),
        }
    }

    pub(super) fn is_complete(&self, results: &Results, live: usize) -> bool {
        live == 0
            && self.has_begun()
            && self.games().is_some_and(|games| results.finished_games() >= games)
            && self.next_stage(results).is_none()
    }

    /// Why an agent cannot take part.
    pub(super) fn refusal(
        &self,
        identity: &str,
        name: &str,
        results: &Results,
    ) -> Option<&'static str> {
        let known = results.index_of(identity);
        let is_out =
            |player| self.begun.last().is_some_and(|stage| !stage.players.contains(&player));
        match &self.format {
            _ if known.is_some_and(is_out) => Some("you are out of the tournament"),
            _ if known.is_some() => None,
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

    /// Begins a round robin once all players are there, by their identities and names, the first of them
    /// first. Returns whether it did.
    pub(super) fn try_to_begin<'a>(
        &mut self,
        all: impl Iterator<Item = (&'a String, &'a String)>,
        results: &mut Results,
    ) -> bool {
        let HostedFormat::RoundRobin { players, names } = &self.format else {
            return false;
        };
        if self.has_begun() {
            return false;
        }
        let mut present: Vec<(&String, &String)> = Vec::new();
        for (identity, name) in all {
            // Each name of a list is one player.
            let is_there = |&(other, its_name): &(&String, &String)| {
                other == identity || (!names.is_empty() && its_name == name)
            };
            if !present.iter().any(is_there) {
                present.push((identity, name));
            }
        }
        if present.len() < *players {
            return false;
        }
        for (identity, name) in &present[..*players] {
            results.player(identity, name);
        }
        if let Some(examiner) = self.examiner() {
            results.player("examiner", &examiner.to_string());
        }
        let first = self.first_stage(*players);
        self.begun.push(first);
        true
    }

    /// The next game that two of those who wait can begin, if it is not live, and their connections, South first.
    pub(super) fn next(
        &mut self,
        waiting: &[WaitingAgent],
        results: &mut Results,
        live: usize,
        is_live: impl Fn(u64) -> bool,
    ) -> Option<(ScheduledGame, [u64; 2])> {
        if let Some(stage) = self.begun.last() {
            // Of several connections of a player the first counts.
            let places = waiting.iter().rev();
            let places = places
                .filter_map(|agent| Some((results.index_of(&agent.identity)?, agent.connection)));
            let mut waits: FxHashMap<usize, u64> = places.collect();
            if stage.settings.examiner().is_some() {
                waits.insert(results.players.len() - 1, EXAMINER);
            }
            if waits.len() < 2 {
                return None;
            }
            let open = (self.first_open..=stage.last())
                .filter(|&number| !results.is_finished(number) && !is_live(number));
            return open.filter_map(|number| stage.game(number)).find_map(|game| {
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
        let due = |pair| {
            self.return_games.iter().position(|scheduled| ascending(scheduled.players) == pair)
        };
        let [first, second] = next_opponents(waiting, |agent, other| {
            let pair = pair(agent, other);
            (pair.and_then(due).is_none(), pair.map_or(0, |pair| results.meetings(pair)))
        })?;
        let due = pair(first, second).and_then(due);
        let players = [first, second].map(|agent| results.player(&agent.identity, &agent.name));
        if let Some(due) = due {
            let scheduled = self.return_games.swap_remove(due);
            let is_turned = scheduled.players != players;
            let [south, north] = if is_turned { [second, first] } else { [first, second] };
            return Some((scheduled, [south.connection, north.connection]));
        }
        let number = self.next_number;
        self.next_number += 2;
        let round = results.meetings(ascending(players)) / 2 + 1;
        let scheduled = ScheduledGame { stage: 0, number, round, players };
        Some((scheduled, [first.connection, second.connection]))
    }

    /// A game is over: if it is the first of a pair without schedule, the second becomes due.
    pub(super) fn game_over(&mut self, scheduled: ScheduledGame) {
        let ScheduledGame { players: [south, north], .. } = scheduled;
        if !self.has_schedule() && scheduled.number % 2 == 1 {
            let (number, players) = (scheduled.number + 1, [north, south]);
            self.return_games.push(ScheduledGame { number, players, ..scheduled });
        }
    }

    /// The games of a player that are left in the stage.
    pub(super) fn remaining_of(&self, player: usize, results: &Results) -> Vec<ScheduledGame> {
        let Some(stage) = self.begun.last() else { return Vec::new() };
        let games = (self.first_open..=stage.last()).filter_map(|number| stage.game(number));
        games
            .filter(|game| game.players.contains(&player) && !results.is_finished(game.number))
            .collect()
    }
}

/// Two agents for the next game: the one that waits longest, which comes first, and the opponent with the
/// lowest rank for it; `None` if no two of them can play.
pub(super) fn next_opponents<R: Ord>(
    waiting: &[WaitingAgent],
    rank: impl Fn(&WaitingAgent, &WaitingAgent) -> R,
) -> Option<[&WaitingAgent; 2]> {
    waiting.iter().find_map(|agent| {
        let others = waiting.iter().filter(|other| other.identity != agent.identity);
        Some([agent, others.min_by_key(|other| rank(agent, other))?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waiting_meets_whom_it_ranks_first_but_never_itself() {
        let chosen = |identities: &[&str], rank: fn(&str) -> u64| {
            let agent = |(connection, &identity): (u64, &&str)| WaitingAgent {
                connection,
                identity: identity.to_owned(),
                name: String::new(),
            };
            let waiting: Vec<WaitingAgent> = (1..).zip(identities).map(agent).collect();
            let chosen = next_opponents(&waiting, |_, other| rank(&other.identity));
            chosen.map(|agents| agents.map(|agent| agent.connection))
        };
        assert_eq!(chosen(&["a", "a"], |_| 0), None);
        assert_eq!(chosen(&["a", "a", "b", "c"], |_| 0), Some([1, 3]));
        assert_eq!(chosen(&["a", "b", "c"], |other| u64::from(other == "b")), Some([1, 3]));
        assert_eq!(chosen(&["a", "c", "b"], |other| u64::from(other != "b")), Some([1, 3]));
    }
}
