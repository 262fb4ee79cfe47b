//! Plays the games of a tournament one after the other, with players of its own.

use std::time::Instant;

use jiff::Timestamp;

use super::players::{RANDOM_SEED, start};
use crate::{
    Adjudicator, ArenaError, Contestant, Fault, PlayedGame, Player, PlayerError, Referee,
    Tournament, TournamentContext,
};
use kalah::board::{Board, Side};
use kalah::lock::lock;
use kalah_records::{FaultKind, GameRecord, GameTime, Pairing};

pub(super) struct GameRunner<'a> {
    context: &'a TournamentContext,
    /// By the number of the player; `None` when the player has to be started.
    players: Vec<Option<Box<dyn Player>>>,
    referee: Referee,
}

impl<'a> GameRunner<'a> {
    pub(super) fn new(context: &'a TournamentContext) -> Result<GameRunner<'a>, ArenaError> {
        let Tournament { players, resign, adjudicate, .. } = &context.tournament;
        let idle = context.idle.as_ref().and_then(|idle| lock(idle).pop());
        let idle = idle.unwrap_or_else(|| players.iter().map(|_| None).collect());
        let players = idle.into_iter().map(|player| Some(player? as Box<dyn Player>)).collect();
        let adjudicator = adjudicate.map(Adjudicator::new).transpose()?;
        let referee = Referee { resign: *resign, adjudicator, stop: context.stop.clone() };
        Ok(GameRunner { context, players, referee })
    }

    /// Leaves the players to others.
    pub(super) fn end(self) {
        if let Some(idle) = &self.context.idle {
            let players = self.players.into_iter().map(|player| player?.for_other_thread());
            lock(idle).push(players.collect());
        }
    }

    /// Plays game `number`, from 0. Returns `None` when it was stopped.
    pub(super) fn play(&mut self, number: u64) -> Result<Option<GameRecord>, ArenaError> {
        let Some(opening) = self.context.opening(number)? else { return Ok(None) };
        // The time of the game does not include the search for its opening.
        let (begun, start) = (Timestamp::now(), Instant::now());
        let [south, north] = self.context.seats(number);
        let names = [&south, &north].map(|seat| seat.player.name.clone());
        self.context.live.begin(number + 1, &opening, names);
        let played = self.play_from(number, &opening);
        self.context.live.end(number + 1);
        let Some(played) = played? else { return Ok(None) };
        Ok(Some(GameRecord {
            game: number + 1,
            round: self.context.schedule.pairing(number).round + 1,
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

    fn play_from(
        &mut self,
        number: u64,
        opening: &Board,
    ) -> Result<Option<PlayedGame>, ArenaError> {
        let Pairing { players: paired, random_seeds, .. } = self.context.schedule.pairing(number);
        let settings = &self.context.tournament.players;
        // Ends the programs that do not play in this game, or that are started again for it.
        for (number, player) in self.players.iter_mut().enumerate() {
            if !paired.contains(&number) || settings[number].restart {
                *player = None;
            }
        }
        for (side, number) in Side::ALL.into_iter().zip(paired) {
            if self.players[number].is_some() {
                continue;
            }
            let player = &settings[number];
            let fault = match start(player, opening.rules().rule_set(), &self.context.stop) {
                Ok((started, _)) => {
                    self.players[number] = Some(started);
                    continue;
                }
                Err(PlayerError::Stopped) => return Ok(None),
                Err(PlayerError::Fault(fault)) => fault,
                // The player is not at fault: a lost game would falsify the statistics.
                Err(error @ PlayerError::OutOfResources(_)) => {
                    return Err(ArenaError::start(player, error));
                }
                // It did start before the first game, so the failure is the player's fault.
                Err(error) => {
                    let error = ArenaError::start(player, error);
                    Fault::new(FaultKind::Crashed, error.to_string())
                }
            };
            return Ok(Some(PlayedGame::lost_by(side, fault)));
        }
        let Ok([south, north]) = self.players.get_disjoint_mut(paired) else { return Ok(None) };
        let (Some(south), Some(north)) = (south, north) else { return Ok(None) };
        let contestant = |player, side: usize| {
            let settings = &settings[paired[side]];
            let random_seed =
                Some(random_seeds[side]).filter(|_| !settings.has_option(RANDOM_SEED));
            Contestant { player, time_control: &settings.time_control, random_seed }
        };
        let contestants = [contestant(&mut **south, 0), contestant(&mut **north, 1)];
        let live = &self.context.live;
        let on_move = |side, board: &_, evaluation: &_| {
            live.moved(number + 1, side, board, evaluation);
        };
        let played =
            self.referee.play(opening, contestants, on_move).map_err(|(side, reason)| {
                let name = settings[paired[side.index()]].name.clone();
                ArenaError::Abandoned { game: number + 1, name, reason }
            })?;
        if let Some((side, _)) = played.as_ref().and_then(|played| played.fault.as_ref()) {
            self.players[paired[side.index()]] = None;
        }
        Ok(played)
    }
}
