//! The games that are over: their record on disk, and the standings.

use std::path::Path;

use jiff::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};

use super::openings::Openings;
use super::referee::{GameEnd, RefereedGame};
use kalah::board::{Board, Move};
use kalah_games::{AnnotatedGame, GameOutcome};
use kalah_records::{
    FaultKind, GameSummary, LinesFile, RecordError, Standings, Termination, date_tags,
};

/// Games that the page lists.
pub(super) const LAST_GAMES: usize = 20;

/// The highest number of a game that a record can have.
const MAX_NUMBER: u64 = 1 << 53;

/// The number of a game, who plays, and for which stage and round.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledGame {
    /// From 0.
    pub stage: usize,
    /// From 1; both games of a pair have consecutive numbers.
    pub number: u64,
    /// From 1.
    pub round: u64,
    /// Indices of players, South first.
    pub players: [usize; 2],
}

/// Two players, whoever is South.
pub(super) fn ascending([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

#[derive(Clone, Debug)]
pub(super) struct FinishedGame {
    pub scheduled: ScheduledGame,
    pub end: GameEnd,
    pub plies: usize,
    /// Moves of South and North that the server has played, because none came in time.
    pub late: [u32; 2],
}

#[derive(Default)]
pub(super) struct Results {
    file: Option<LinesFile>,
    /// Of each stage.
    openings: Vec<Openings>,
    /// The settings of the games, which stay the same when a record is continued.
    pub event: String,
    /// Identities, see `Agent::identity`, and names, which are unique.
    pub players: Vec<(String, String)>,
    by_identity: FxHashMap<String, usize>,
    /// The names, with the number that the next player who wants the same one gets.
    names: FxHashMap<String, u64>,
    /// In the order of their ends.
    pub games: Vec<FinishedGame>,
    numbers: FxHashSet<u64>,
    meetings: FxHashMap<[usize; 2], u64>,
}

impl Results {
    /// No results, or those of a record that exists. Returns also whether the end of the record was torn.
    pub(super) fn open(
        record: Option<&Path>,
        openings: Vec<Openings>,
        event: String,
    ) -> Result<(Results, bool), RecordError> {
        let mut results = Results { openings, event, ..Results::default() };
        let Some(path) = record else { return Ok((results, false)) };
        let (file, is_torn) = LinesFile::open(path, |game: AnnotatedGame, lines| {
            results.recover(&game).map_err(|reason| {
                RecordError::other_tournament(path, &format!("line {}: {reason}", lines.line()))
            })
        })?;
        results.file = Some(file);
        Ok((results, is_torn))
    }

    fn recover(&mut self, game: &AnnotatedGame) -> Result<(), String> {
        let tag = |name: &str| game.tag(name).ok_or(format!("the tag {name} is missing"));
        let number = |name: &str| {
            tag(name)?.parse::<u64>().map_err(|_| format!("the tag {name} is not a number"))
        };
        if tag("Event")? != self.event {
            return Err(format!("{}, not {}", tag("Event")?, self.event));
        }
        let stage = game.tag("Stage").map_or(Ok(1), |_| number("Stage"))?;
        let stage = stage.checked_sub(1).map(|stage| stage as usize);
        let stage =
            stage.filter(|&stage| stage < self.openings.len()).ok_or("there is no such stage")?;
        let round = number("Round")?;
        if game.start != self.opening(stage, round).0 {
            return Err(format!("it begins with {}", game.start.fen()));
        }
        // All players of a round robin, in their order.
        let players = game.tag("Players").unwrap_or("[]");
        let players: Vec<(String, String)> =
            serde_json::from_str(players).map_err(|error| error.to_string())?;
        for (identity, name) in players {
            self.player(&identity, &name);
        }
        let south = self.player(tag("SouthAgent")?, tag("South")?);
        let north = self.player(tag("NorthAgent")?, tag("North")?);
        let scheduled =
            ScheduledGame { stage, number: number("Game")?, round, players: [south, north] };
        if !(1..=MAX_NUMBER).contains(&scheduled.number)
            || south == north
            || self.is_finished(scheduled.number)
        {
            return Err(format!("game {} is wrong or there twice", scheduled.number));
        }
        let reason = tag("Reason")?.parse().unwrap_or(Termination::Fault(FaultKind::Crashed));
        let margin = game.tag("Margin").and_then(|margin| margin.parse().ok());
        let end = GameEnd { outcome: game.result, margin, reason };
        let late = game.tag("Late").unwrap_or("0 0").split_once(' ');
        let late = late.and_then(|(south, north)| Some([south.parse().ok()?, north.parse().ok()?]));
        let late = late.ok_or("the tag Late has no two numbers")?;
        self.count(FinishedGame { scheduled, end, plies: game.moves.len(), late });
        Ok(())
    }

    /// The board of the games of a round, and the moves before they begin.
    pub(super) fn opening(&mut self, stage: usize, round: u64) -> (Board, Vec<Move>) {
        self.openings[stage].of_round(round)
    }

    /// The index of a player, which is new if its identity is. The name is made unique.
    pub(super) fn player(&mut self, identity: &str, name: &str) -> usize {
        if let Some(index) = self.index_of(identity) {
            return index;
        }
        let mut number = self.names.get(name).copied().unwrap_or(2);
        let mut unique = name.to_owned();
        while self.names.contains_key(&unique) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        self.names.insert(unique.clone(), 2);
        self.names.insert(name.to_owned(), number);
        self.players.push((identity.to_owned(), unique));
        self.by_identity.insert(identity.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    pub(super) fn index_of(&self, identity: &str) -> Option<usize> {
        self.by_identity.get(identity).copied()
    }

    pub(super) fn name(&self, player: usize) -> &str {
        &self.players[player].1
    }

    pub(super) fn meetings(&self, pair: [usize; 2]) -> u64 {
        self.meetings.get(&pair).copied().unwrap_or(0)
    }

    pub(super) fn is_finished(&self, number: u64) -> bool {
        self.numbers.contains(&number)
    }

    pub(super) fn finished_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Records and counts a game that is over. `has_schedule`: whether the list of players is fixed.
    pub(super) fn add(
        &mut self,
        scheduled: ScheduledGame,
        game: &RefereedGame,
        end: GameEnd,
        has_schedule: bool,
    ) -> Result<(), RecordError> {
        if let Some(file) = &mut self.file {
            let mut annotated = AnnotatedGame { result: end.outcome, ..game.game.clone() };
            let [south, north] = scheduled.players.map(|player| &self.players[player]);
            let tags = [
                ("South", south.1.clone()),
                ("North", north.1.clone()),
                ("Event", self.event.clone()),
                ("Game", scheduled.number.to_string()),
                ("Round", scheduled.round.to_string()),
                ("Reason", end.reason.to_string()),
                ("SouthAgent", south.0.clone()),
                ("NorthAgent", north.0.clone()),
            ];
            for (name, value) in tags.into_iter().chain(date_tags(Timestamp::now())) {
                annotated.set_tag(name, value);
            }
            if let Some(margin) = end.margin {
                annotated.set_tag("Margin", format!("{margin:+}"));
            }
            if self.openings.len() > 1 {
                annotated.set_tag("Stage", (scheduled.stage + 1).to_string());
            }
            if let [south, north] = game.late
                && south + north > 0
            {
                annotated.set_tag("Late", format!("{south} {north}"));
            }
            if has_schedule && let Ok(players) = serde_json::to_string(&self.players) {
                annotated.set_tag("Players", players);
            }
            file.append(&[annotated])?;
        }
        self.count(FinishedGame { scheduled, end, plies: game.game.moves.len(), late: game.late });
        Ok(())
    }

    fn count(&mut self, game: FinishedGame) {
        self.numbers.insert(game.scheduled.number);
        *self.meetings.entry(ascending(game.scheduled.players)).or_default() += 1;
        self.games.push(game);
    }

    /// The standings of some players after all games between them that have a result, of a stage or of all.
    pub(super) fn standings_of(&self, players: &[usize], stage: Option<usize>) -> Standings {
        let mut standings =
            Standings::new(players.iter().map(|&player| self.name(player).to_owned()).collect());
        let places: FxHashMap<usize, usize> = players.iter().copied().zip(0..).collect();
        for &FinishedGame { scheduled, end, plies, .. } in &self.games {
            let places = scheduled.players.map(|player| places.get(&player).copied());
            let ([Some(south), Some(north)], true) =
                (places, stage.is_none_or(|stage| stage == scheduled.stage))
            else {
                continue;
            };
            let half_points = match end.outcome {
                GameOutcome::South => 2,
                GameOutcome::North => 0,
                GameOutcome::Draw => 1,
                GameOutcome::Unknown => continue,
            };
            let (game, players) = (scheduled.number, [south, north]);
            let GameEnd { margin, reason, .. } = end;
            standings.add(GameSummary { game, players, half_points, margin, plies, reason });
        }
        standings
    }
}
