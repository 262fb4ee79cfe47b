//! A tournament as its records tell of it.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use super::players::PlayerSettings;
use super::records::RecordError;
use super::records::differ;
use super::records::read_games;
use super::records::{Conditions, GameRecord, Seat};
use super::schedule::Schedule;
use super::standing::{GameSummary, Standings};
use crate::board::Side;

/// Who takes part.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// As was asked for.
    pub player: PlayerSettings,
    /// How the engine introduced itself.
    pub id: String,
}

/// What records say of a tournament.
#[derive(Clone, Debug)]
pub struct RecordedTournament {
    /// What holds for all games.
    pub conditions: Conditions,
    /// Those who have played, in any order.
    pub entrants: Vec<Entrant>,
    /// How it stands.
    pub standing: Standings,
}

impl RecordedTournament {
    /// Reads the games of one tournament from one file or several.
    ///
    /// # Errors
    /// When a file cannot be read, when its games are of different tournaments, when a game is
    /// there twice, and when there are none.
    pub fn read(records: &[PathBuf]) -> Result<RecordedTournament, RecordError> {
        let mut reader: Option<Reader> = None;
        let mut files = FxHashMap::default();
        for path in records {
            for (line, game) in (1_u64..).zip(read_games(path)?) {
                let game = game?;
                let reader = reader.get_or_insert_with(|| Reader::new(&game.conditions));
                reader.add(&game).map_err(|reason| RecordError::OtherTournament {
                    path: path.clone(),
                    reason: format!("line {line}, game {}: {reason}", game.game),
                })?;
                if let Some(file) = files.insert(game.game, path) {
                    let reason = format!("game {} is in '{}' already", game.game, file.display());
                    return Err(RecordError::InvalidLine { path: path.clone(), line, reason });
                }
            }
        }
        reader.map(|reader| reader.tournament).ok_or(RecordError::NoGames)
    }
}

/// A tournament of which some games are read.
struct Reader {
    tournament: RecordedTournament,
    schedule: Schedule,
}

impl Reader {
    fn new(conditions: &Conditions) -> Reader {
        let Conditions { format, players, seed, .. } = conditions;
        Reader {
            tournament: RecordedTournament {
                conditions: conditions.clone(),
                entrants: Vec::new(),
                standing: Standings::new(players.clone()),
            },
            schedule: Schedule::new(*format, players.len(), *seed),
        }
    }

    /// Counts a game, or says what is wrong with it.
    fn add(&mut self, game: &GameRecord) -> Result<(), String> {
        let RecordedTournament { conditions, entrants, standing } = &mut self.tournament;
        differ(conditions, &game.conditions)?;
        let number = game.game.checked_sub(1).ok_or("games begin with 1")?;
        if conditions.players.len() < 2 {
            return Err("there are no two players".to_owned());
        }
        let scheduled = self.schedule.pairing(number).players;
        let summary = GameSummary::of(game, &conditions.players)
            .filter(|summary| summary.players == scheduled)
            .ok_or("its players are not those of the schedule")?;
        for side in Side::ALL {
            let Seat { player, id, .. } = game.seat(side);
            let Some(known) = entrants.iter().find(|known| known.player.name == player.name) else {
                entrants.push(Entrant { player: player.clone(), id: id.clone() });
                continue;
            };
            differ(&known.player, player).map_err(|difference| format!("{side}: {difference}"))?;
            differ(&known.id, id)
                .map_err(|difference| format!("{side}: the introduction {difference}"))?;
        }
        standing.add(summary);
        Ok(())
    }
}
