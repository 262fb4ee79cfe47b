//! A tournament that is read back from its records.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::{
    Conditions, GameRecord, GameSummary, PlayerSettings, RecordError, Schedule, Seat, Standings,
    read_lines, require_equal,
};
use kalah::board::Side;

/// A player that has played in a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// The settings of the player.
    pub player: PlayerSettings,
    /// The `id name` of its engine.
    pub id: String,
}

/// A tournament that was read from records.
#[derive(Clone, Debug)]
pub struct RecordedTournament {
    /// The conditions of all games.
    pub conditions: Conditions,
    /// The players that have played, in any order.
    pub entrants: Vec<Entrant>,
    /// The standings after the recorded games.
    pub standings: Standings,
    /// The files that have its games.
    pub files: Vec<PathBuf>,
    /// Why games are left out: their results contradict their moves.
    pub contradictions: Vec<String>,
    /// The files whose last game is incomplete, and left out.
    pub torn: Vec<PathBuf>,
    schedule: Schedule,
}

impl RecordedTournament {
    /// Reads the games of one tournament from one or more files, and passes on each game.
    ///
    /// # Errors
    /// When a file cannot be read, when games belong to different tournaments, when a game is
    /// recorded twice, or when there are no games.
    pub fn read(
        records: &[PathBuf],
        on_game: impl FnMut(&GameRecord),
    ) -> Result<RecordedTournament, RecordError> {
        let tournaments = RecordedTournament::read_all(records, on_game)?;
        RecordedTournament::require_one(&tournaments)?;
        tournaments.into_iter().next().ok_or(RecordError::NoGames)
    }

    /// Says in what the first two of several tournaments differ.
    pub(crate) fn require_one(tournaments: &[RecordedTournament]) -> Result<(), RecordError> {
        let [first, other, ..] = tournaments else { return Ok(()) };
        require_equal(&first.conditions, &other.conditions)
            .map_err(|difference| RecordError::other_tournament(&other.files[0], &difference))
    }

    /// Reads the games of several tournaments, each from one or more files, and passes on each game.
    /// Files with the same conditions are parts of one tournament.
    ///
    /// # Errors
    /// When a file cannot be read or has games of different tournaments, when a game is recorded twice, or
    /// when there are no games.
    pub fn read_all(
        records: &[PathBuf],
        mut on_game: impl FnMut(&GameRecord),
    ) -> Result<Vec<RecordedTournament>, RecordError> {
        let mut tournaments: Vec<RecordedTournament> = Vec::new();
        let mut without_games = RecordError::NoGames;
        let mut files = FxHashMap::default();
        for path in records {
            let mut games = read_lines::<GameRecord>(path)?;
            let mut number = None;
            while let Some(game) = games.next() {
                let (game, line) = (game?, games.line());
                let number = *number.get_or_insert_with(|| {
                    let conditions = &game.conditions;
                    let known = tournaments.iter().position(|read| read.conditions == *conditions);
                    known.unwrap_or_else(|| {
                        tournaments.push(RecordedTournament::from_conditions(conditions));
                        tournaments.len() - 1
                    })
                });
                let tournament = &mut tournaments[number];
                if let Err(reason) = game.check_result() {
                    let reason = format!("game {} is left out: {reason}", game.game);
                    let error = RecordError::line(path, line, &reason);
                    tournament.contradictions.push(error.to_string());
                    without_games = error;
                    continue;
                }
                tournament.add(&game).map_err(|reason| {
                    let difference = format!("line {line}, game {}: {reason}", game.game);
                    RecordError::other_tournament(path, &difference)
                })?;
                on_game(&game);
                if let Some(file) = files.insert((number, game.game), path) {
                    let reason = format!("game {} is in '{}' already", game.game, file.display());
                    return Err(RecordError::line(path, line, &reason));
                }
            }
            if let Some(number) = number {
                let tournament = &mut tournaments[number];
                tournament.files.push(path.clone());
                tournament.torn.extend(games.was_torn().then(|| path.clone()));
            }
        }
        if tournaments.iter().all(|read| read.standings.games().is_empty()) {
            return Err(without_games);
        }
        Ok(tournaments)
    }

    /// The standings of all games of several tournaments, whose players are told apart by their names.
    pub fn combined(tournaments: &[RecordedTournament]) -> Standings {
        let mut names: Vec<String> = Vec::new();
        for name in tournaments.iter().flat_map(|read| &read.standings.players) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut combined = Standings::new(names);
        for read in tournaments {
            combined.add_all(&read.standings);
        }
        combined
    }

    /// A tournament without games.
    pub fn from_conditions(conditions: &Conditions) -> RecordedTournament {
        let Conditions { format, players, seed, .. } = conditions;
        let schedule = Schedule::new(*format, players.len(), *seed);
        let standings = Standings::new(players.clone());
        RecordedTournament {
            conditions: conditions.clone(),
            entrants: Vec::new(),
            standings,
            files: Vec::new(),
            contradictions: Vec::new(),
            torn: Vec::new(),
            schedule,
        }
    }

    /// The games of the whole tournament, if every two opponents play this number.
    pub fn total_games(&self, games: u64) -> u64 {
        (games / 2).saturating_mul(self.schedule.games_per_round())
    }

    /// Counts a game.
    ///
    /// # Errors
    /// Says why the game does not belong to the tournament.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), String> {
        let RecordedTournament { conditions, entrants, standings, schedule, .. } = self;
        require_equal(conditions, &game.conditions)?;
        let number = game.game.checked_sub(1).ok_or("game numbers begin with 1")?;
        if conditions.players.len() < 2 {
            return Err("the tournament has fewer than two players".to_owned());
        }
        let scheduled = schedule.pairing(number);
        require_equal(&(scheduled.round + 1), &game.round)
            .map_err(|difference| format!("the round {difference}"))?;
        let summary = GameSummary::from_record(game, &conditions.players)
            .filter(|summary| summary.players == scheduled.players)
            .ok_or("the players differ from those of the schedule")?;
        for side in Side::ALL {
            let Seat { player, id, .. } = game.seat(side);
            let Some(entrant) = entrants.iter().find(|entrant| entrant.player.name == player.name)
            else {
                entrants.push(Entrant { player: player.clone(), id: id.clone() });
                continue;
            };
            require_equal(&entrant.player, player)
                .map_err(|difference| format!("{side}: {difference}"))?;
            require_equal(&entrant.id, id)
                .map_err(|difference| format!("{side}: the engine name {difference}"))?;
        }
        standings.add(summary);
        Ok(())
    }
}
