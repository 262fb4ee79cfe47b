//! Shards that are played one after the other by the same players.

use std::num::NonZeroUsize;

use crate::runs::runs;
use kalah::{Board, Rules, StopToken};
use kalah_arena::{ArenaError, Shard, ShardRunner, Tournament, TournamentEnd, TournamentEvent};
use kalah_records::{GameRecord, OpeningSettings, PlayerSettings};

fn tournament(players: &[&str], concurrency: usize) -> Tournament {
    let each = "nodes=300".parse().unwrap();
    let player = |words: &&str| PlayerSettings::new(words.parse().unwrap(), &each).unwrap();
    Tournament {
        openings: "plies=3 margin=6 depth=4".parse::<OpeningSettings>().unwrap(),
        seed: 5,
        games: 8,
        concurrency: NonZeroUsize::new(concurrency).unwrap(),
        ..Tournament::new(
            players.iter().map(player).collect(),
            Board::start(Rules::default(), 4).unwrap(),
        )
    }
}

/// The games of a run, in the order of their numbers, without their times.
fn games(
    run: impl FnOnce(&mut dyn FnMut(&TournamentEvent)) -> Result<TournamentEnd, ArenaError>,
) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let end = run(&mut |event| {
        if let TournamentEvent::Game(game) = event {
            let mut game: GameRecord = (*game).clone();
            game.time = None;
            game.moves.iter_mut().for_each(|played| played.time = 0.0);
            games.push(game);
        }
    });
    assert_eq!(end.unwrap(), TournamentEnd::Complete);
    games.sort_by_key(|game| game.game);
    games
}

#[test]
fn kept_players_play_the_games_of_new_ones() {
    let program = format!("cmd={} name=program", env!("CARGO_BIN_EXE_kalah"));
    let players = ["builtin=selective", "builtin=mcts nodes=100 name=chance", &program];
    for concurrency in [2, 1].into_iter().take(runs(1, 2)) {
        let mut whole = tournament(&players, concurrency);
        let mut runner = ShardRunner::new(whole.clone(), StopToken::new());
        // The order does not matter, and a shard can be played again.
        for part in ["3/4", "1/4", "1/4", "4/4", "1/1"].into_iter().take(runs(3, 5)) {
            let shard: Shard = part.parse().unwrap();
            let kept = games(|on_game| {
                runner.play(shard, &mut |event, _| on_game(event)).map(|outcome| outcome.end)
            });
            whole.shard = shard;
            let new = games(|on_game| {
                let stop = StopToken::new();
                whole.run(&stop, &mut |event, _| on_game(event)).map(|outcome| outcome.end)
            });
            assert!(!kept.is_empty());
            assert_eq!(kept, new, "{part}, {concurrency} games at a time");
        }
    }
}

#[test]
fn a_stop_ends_the_runner_for_good() {
    let stop = StopToken::new();
    let mut runner =
        ShardRunner::new(tournament(&["builtin=pvs", "builtin=mtdf"], 1), stop.clone());
    let outcome = runner.play(Shard::WHOLE, &mut |event, _| {
        if let TournamentEvent::Game(_) = event {
            stop.stop();
        }
    });
    assert_eq!(outcome.unwrap().end, TournamentEnd::Stopped);
    match runner.play(Shard::WHOLE, &mut |_, _| {}) {
        Ok(outcome) => assert_eq!(outcome.end, TournamentEnd::Stopped),
        Err(error) => assert!(matches!(error, ArenaError::Stopped), "{error}"),
    }
}
