//! Plays a tournament with a progress bar.

use std::sync::Arc;

use super::progress::ArenaProgress;
use crate::{
    ArenaError, GamesInProgress, Tournament, TournamentEnd, TournamentEvent, TournamentOutcome,
};
use kalah::StopToken;
use kalah::printable::counted;
use kalah_command::say;
use kalah_command::table::plain_zero;
use kalah_records::commands::{estimate, percent};
use kalah_records::{GameRecord, OpeningError, Standings};

use kalah_command::exit::{Interrupted, wrong_usage};

/// Plays a tournament, passes on each game, those of the record first, and presents its outcome. When it
/// was stopped, the outcome has the games so far and the result is [`Interrupted`].
pub fn play(
    stop: &StopToken,
    subcommand: &[&str],
    tournament: &Tournament,
    mut on_game: impl FnMut(&GameRecord),
    present: impl FnOnce(&TournamentOutcome) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let live = Arc::<GamesInProgress>::default();
    let mut progress = ArenaProgress::new("game", tournament.shard_games(), Arc::clone(&live));
    let outcome = tournament.run_live(stop, live, &mut |event, standings| {
        if let TournamentEvent::Recorded(game) | TournamentEvent::Game(game) = event {
            on_game(game);
        }
        match event {
            TournamentEvent::Started { recorded, was_torn } => progress.begin(*recorded, *was_torn),
            TournamentEvent::Crowded(crowding) => progress.say(crowding),
            TournamentEvent::Recorded(_) => progress.read += 1,
            TournamentEvent::OpeningsRepeat { distinct, needed } => progress.say(&format!(
                "{needed} rounds need more than {}: openings repeat, and deterministic players repeat \
                 their games",
                counted(*distinct, "opening")
            )),
            TournamentEvent::Game(game) => {
                progress.say_fault(game);
                progress.advance(&state(standings));
            }
        }
    });
    progress.end();
    let outcome = outcome.map_err(|error| explained(subcommand, error))?;
    present(&outcome)?;
    if outcome.end != TournamentEnd::Stopped {
        return Ok(());
    }
    Err(Interrupted::with_record("all finished games", tournament.record.as_deref()).into())
}

/// Turns the errors that come from wrong arguments into usage errors.
pub(super) fn explained(subcommand: &[&str], error: ArenaError) -> anyhow::Error {
    match error {
        ArenaError::Settings(_) | ArenaError::Opening(OpeningError::TooMany { .. }) => {
            wrong_usage(subcommand, error).into()
        }
        ArenaError::Stopped => {
            say!("interrupted before play began");
            Interrupted.into()
        }
        _ => error.into(),
    }
}

/// The Elo difference of a match, or the leader of a tournament.
fn state(standings: &Standings) -> String {
    if standings.players.len() > 2 {
        let leader = standings.ranking()[0];
        let score = percent(standings.total(leader).score());
        return format!("{} leads with {score}", standings.players[leader]);
    }
    let elo = format!("Elo {}", estimate(&standings.pairs(0, 1).elo()));
    match standings.test() {
        Some(test) => {
            let (low, high) = test.sprt.bounds();
            format!("{elo}  LLR {:.2} of [{low:.2}, {high:.2}]", plain_zero(test.llr(), 2))
        }
        None => elo,
    }
}
