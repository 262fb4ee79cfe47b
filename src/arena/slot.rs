//! A place where games are played, one after the other, with players of its own.

use std::time::Instant;

use jiff::Timestamp;

use super::adjudication::Prover;
use super::context::TournamentContext;
use super::error::ArenaError;
use super::players::{Fault, FaultKind, Player, StartError, start};
use super::records::{GameRecord, GameTime};
use super::referee::{Contestant, Played, Referee};
use super::schedule::Pairing;
use super::tournament::Tournament;
use crate::board::{Board, Capture, Side};

/// Plays games one after the other.
pub(super) struct Slot<'a> {
    context: &'a TournamentContext<'a>,
    /// By number; those that are not here have not been started, or are to be started anew.
    players: Vec<Option<Box<dyn Player>>>,
    referee: Referee,
}

impl<'a> Slot<'a> {
    pub(super) fn new(context: &'a TournamentContext<'a>) -> Result<Slot<'a>, ArenaError> {
        let Tournament { players, resign, adjudicate, .. } = context.tournament;
        let players = players.iter().map(|_| None).collect();
        let prover = adjudicate.map(Prover::new).transpose()?;
        Ok(Slot { context, players, referee: Referee { resign: *resign, prover } })
    }

    /// Plays game `number`, from 0. `None` when it was interrupted.
    pub(super) fn play(&mut self, number: u64) -> Result<Option<GameRecord>, ArenaError> {
        let Some(opening) = self.context.opening(number)? else { return Ok(None) };
        // To look for an opening is no part of the game.
        let (begun, start) = (Timestamp::now(), Instant::now());
        let Some(played) = self.play_from(number, &opening)? else { return Ok(None) };
        let [south, north] = self.context.seats(number);
        Ok(Some(GameRecord {
            game: number + 1,
            round: self.context.schedule.game(number).round + 1,
            conditions: self.context.conditions.clone(),
            south,
            north,
            opening: opening.fen(),
            moves: played.moves,
            result: played.result,
            margin: played.margin,
            reason: played.reason,
            detail: played.fault.map(|(_, fault)| fault.detail),
            time: Some(GameTime {
                begun: format!("{begun:.0}"),
                seconds: (start.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            }),
        }))
    }

    fn play_from(&mut self, number: u64, opening: &Board) -> Result<Option<Played>, StartError> {
        let Pairing { players: seated, random_seeds, .. } = self.context.schedule.game(number);
        // Programs that are not needed now make room.
        for (number, player) in self.players.iter_mut().enumerate() {
            if !seated.contains(&number) {
                *player = None;
            }
        }
        for (side, number) in Side::ALL.into_iter().zip(seated) {
            match self.seat(number, opening.rules().capture()) {
                Ok(()) => {}
                Err(StartError::Interrupted) => return Ok(None),
                Err(StartError::Unready { fault, .. }) => {
                    return Ok(Some(Played::lost_by(side, fault, Vec::new())));
                }
                // Games that are lost for want of means would say nothing of the players.
                Err(error @ StartError::NoMeans { .. }) => return Err(error),
                // It could be started before: that it cannot be now is its own fault.
                Err(error @ StartError::CannotPlay { .. }) => {
                    let fault = Fault::new(FaultKind::Crashed, error.to_string());
                    return Ok(Some(Played::lost_by(side, fault, Vec::new())));
                }
            }
        }
        let Ok([south, north]) = self.players.get_disjoint_mut(seated) else { return Ok(None) };
        let (Some(south), Some(north)) = (south, north) else { return Ok(None) };
        let settings = &self.context.tournament.players;
        let contestant = |player, side: usize| Contestant {
            player,
            time_control: &settings[seated[side]].time_control,
            random_seed: random_seeds[side],
        };
        let contestants = [contestant(&mut **south, 0), contestant(&mut **north, 1)];
        let played = self.referee.play(opening, contestants);
        if let Some((side, _)) = played.as_ref().and_then(|played| played.fault.as_ref()) {
            self.players[seated[side.index()]] = None;
        }
        Ok(played)
    }

    /// Makes sure that a player is there.
    fn seat(&mut self, number: usize, capture: Capture) -> Result<(), StartError> {
        if self.players[number].is_none() {
            let settings = &self.context.tournament.players[number];
            self.players[number] = Some(start(settings, capture, &self.context.stop)?.0);
        }
        Ok(())
    }
}
