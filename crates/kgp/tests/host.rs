//! Whole games and faults without sockets and without waiting.

use kalah_kgp::{Line, WideBoard};

use hall::{Hall, Tested};

#[allow(dead_code, reason = "shared with other tests")]
mod hall;

#[test]
fn a_round_robin_is_played_to_its_end() -> Tested {
    for players in 2..=9 {
        let mut hall = Hall::new(&format!("--round-robin --players {players} --rounds 2"))?;
        for player in 1..players {
            hall.join(&player.to_string())?;
        }
        hall.play(&[], &[])?;
        assert_eq!(hall.finished(), [""; 0]);
        hall.join("last")?;
        hall.play(&[], &[])?;
        assert!(hall.host.is_complete());
        assert_eq!(hall.finished().len(), 2 * players * (players - 1));
        let standings = hall.host.standings();
        for south in 0..players {
            for north in (0..players).filter(|&north| north != south) {
                let games = standings.games().iter();
                assert_eq!(games.filter(|game| game.players == [south, north]).count(), 2);
                assert_eq!(standings.pairs(south, north).pairs(), 2);
            }
        }
    }
    Ok(())
}

#[test]
fn freeplay_exchanges_the_sides_and_pairs_no_token_with_itself() -> Tested {
    let mut hall = Hall::new("--games 20")?;
    hall.join("a")?;
    hall.join("a")?;
    hall.play(&[], &[])?;
    assert_eq!(hall.finished(), [""; 0]);
    hall.join("b")?;
    hall.join("c")?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let standings = hall.host.standings();
    assert_eq!(standings.games().len(), 20);
    for game in standings.games() {
        assert_ne!(game.players[0], game.players[1]);
        let other = if game.game % 2 == 1 { game.game + 1 } else { game.game - 1 };
        let other =
            standings.games().iter().find(|found| found.game == other).ok_or("no return game")?;
        assert_eq!([other.players[1], other.players[0]], game.players);
    }
    Ok(())
}

/// Who waits longest plays, first a game that is due, else whom it has met least.
#[test]
fn of_three_players_all_meet_each_other() -> Tested {
    let mut hall = Hall::new("--games 12")?;
    for token in ["a", "b", "c"] {
        hall.join(token)?;
    }
    hall.play(&[], &[])?;
    let standings = hall.host.standings();
    let mut games: Vec<_> = standings.games().iter().map(|game| game.game).collect();
    games.sort_unstable();
    assert_eq!(games, (1..=12).collect::<Vec<_>>());
    for [one, other] in [[0, 1], [0, 2], [1, 2]] {
        assert_eq!(standings.pairs(one, other).pairs(), 2);
    }
    Ok(())
}

#[test]
fn who_sends_no_move_plays_random_ones_and_who_is_silent_loses() -> Tested {
    let mut hall = Hall::new("--games 2")?;
    let (mute, _) = (hall.join("a")?, hall.join("b")?);
    while !hall.host.is_complete() {
        hall.play(&[mute], &[])?;
        hall.pass(5)?;
    }
    assert!(hall.finished().iter().all(|game| game.ends_with("played out")));

    let mut hall = Hall::new("--games 1")?;
    let (dead, alive) = (hall.join("a")?, hall.join("b")?);
    hall.play(&[], &[dead])?;
    hall.pass(20)?;
    assert_eq!(hall.finished(), ["game 1: a - b 0-1, no pong"]);
    assert!(hall.clients[dead].is_closed(), "the connection has ended");
    hall.play(&[], &[])?;
    assert!(!hall.clients[alive].is_closed());
    Ok(())
}

#[test]
fn a_lost_connection_loses_the_game_and_after_the_grace_time_all_others() -> Tested {
    let mut hall = Hall::new("--round-robin --rounds 2")?;
    let (first, second) = (hall.join("a")?, hall.join("b")?);
    hall.play(&[first, second], &[])?;
    hall.host.disconnect(second as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    // Who was asked for a move is told that it is not wanted any more.
    assert_eq!(hall.heard(first).last().map(|line| line.command.clone()), Some("stop".into()));
    let second = hall.join("b")?;
    hall.play(&[first, second], &[])?;
    hall.host.disconnect(first as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    let again = hall.join("a")?;
    hall.play(&[again, second], &[])?;
    // A third client takes no place.
    let stranger = hall.join("c")?;
    assert_eq!(
        hall.heard(stranger).last().map(|line| line.command.clone()),
        Some("goodbye".into())
    );
    hall.host.disconnect(again as u64, "gone", hall.now)?;
    assert_eq!(hall.finished().len(), 1);
    hall.pass(59)?;
    assert!(!hall.host.is_complete());
    hall.pass(1)?;
    assert!(hall.host.is_complete());
    assert_eq!(hall.host.standings().total(1).wins, 3);
    Ok(())
}

#[test]
fn late_and_wrong_introductions_are_refused() -> Tested {
    let mut hall = Hall::new("")?;
    let client = hall.join("a")?;
    hall.heard(client);
    hall.say(client, "7 mode freeplay")?;
    hall.say(client, "9 move 3")?;
    hall.say(client, "11 nonsense 3")?;
    let heard: Vec<String> = hall.heard(client).iter().map(Line::to_string).collect();
    assert!(heard.len() == 3 && heard.iter().all(|line| line.contains("error")), "{heard:?}");
    let late = hall.connect(64);
    hall.pass(20)?;
    assert_eq!(hall.last(late)?.command, "goodbye");
    assert!(hall.clients[late].is_closed() && !hall.clients[client].is_closed());
    Ok(())
}

#[test]
fn only_the_pong_to_the_own_ping_counts() -> Tested {
    let mut hall = Hall::new("")?;
    let (south, north) = (hall.join("a")?, hall.join("b")?);
    let [first, second] = [hall.last(south)?, hall.last(north)?].map(|line| line.id.unwrap_or(0));
    for line in [format!("@{} pong", second + 2), "pong".to_owned(), format!("@{first} pong")] {
        hall.say(south, &line)?;
        hall.say(south, &line)?;
    }
    assert!(hall.heard(south).is_empty());
    hall.say(north, &format!("@{second} pong"))?;
    assert_eq!(hall.last(south)?.command, "state");
    Ok(())
}

#[test]
fn the_last_move_before_the_yield_counts_and_each_player_is_south() -> Tested {
    let (mut hall, id) = Hall::begin("")?;
    for wrong in ["move 1".to_owned(), format!("@{id} move")] {
        hall.say(0, &wrong)?;
        assert_eq!(hall.last(0)?.command, "error");
    }
    hall.say(1, &format!("@{id} move 4"))?;
    hall.say(1, &format!("@{id} yield"))?;
    for line in [format!("@{id} move 9"), format!("@{id} move 3"), "@6 move 4".to_owned()] {
        hall.say(0, &line)?;
    }
    assert!(hall.heard(0).is_empty());
    hall.say(0, &format!("@{id} yield"))?;
    let state = hall.last(0)?;
    let board = state.board(0).map(WideBoard::to_string);
    assert_eq!(board.as_deref(), Some("<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>"));
    let id = state.id.ok_or("no request")?;
    hall.say(0, &format!("@{id} move 1"))?;
    hall.say(0, &format!("@{id} yield"))?;
    let board = hall.last(1)?.board(0).map(WideBoard::to_string);
    assert_eq!(board.as_deref(), Some("<6,0,1,4,4,4,4,4,4,0,5,1,6,6,5>"));
    Ok(())
}

#[test]
fn nothing_counts_once_the_time_is_over() -> Tested {
    let (mut hall, id) = Hall::begin("")?;
    hall.say(0, &format!("@{id} move 2"))?;
    hall.pass(5)?;
    let ping = hall.last(0)?;
    assert_eq!(ping.command, "ping");
    hall.say(0, &format!("@{id} move 3"))?;
    hall.say(0, &format!("@{id} yield"))?;
    assert!(hall.heard(1).iter().all(|line| line.command != "state"));
    hall.say(0, &format!("@{} pong", ping.id.ok_or("no number")?))?;
    let board = hall.last(1)?.board(0).map(WideBoard::to_string);
    assert_eq!(board.as_deref(), Some("<6,0,0,4,4,4,4,4,4,4,0,5,5,5,5>"));
    Ok(())
}

#[test]
fn an_illegal_move_loses() -> Tested {
    for wrong in [0, 7, u64::MAX] {
        let (mut hall, id) = Hall::begin("--games 1")?;
        hall.say(0, &format!("@{id} move {wrong}"))?;
        hall.say(0, &format!("@{id} yield"))?;
        assert_eq!(hall.finished(), ["game 1: a - b 0-1, illegal move"]);
    }
    Ok(())
}

#[test]
fn only_the_right_board_and_turn_solve_a_problem() -> Tested {
    let mut hall = Hall::new("")?;
    let client = hall.connect(64);
    hall.say(client, "mode verify")?;
    let mut problem = hall.last(client)?;
    let mut turns = [0, 0];
    for kind in (0..4).cycle().take(1000) {
        let (Some(id), Some(board)) = (problem.id, problem.board(0)) else {
            return Err("no problem".into());
        };
        let house = problem.number(1).ok_or("no house")? as usize;
        let played = board.sow(house).ok_or("an empty house")?;
        let (after, is_extra_turn) = (played.board, played.is_extra_turn);
        turns[usize::from(is_extra_turn)] += 1;
        let solution = match kind {
            0 => format!("{after} {is_extra_turn}"),
            1 => format!("{after} {}", !is_extra_turn),
            2 => format!("{board} {is_extra_turn}"),
            _ => String::new(),
        };
        hall.say(client, &format!("@{id} solution {solution}"))?;
        let mut heard = hall.heard(client);
        problem = heard.pop().ok_or("no further problem")?;
        let has_error = heard.iter().any(|line| line.command == "error");
        assert_eq!(has_error, kind > 0, "{solution}");
    }
    assert!(turns.iter().all(|&number| number > 10), "{turns:?}");
    Ok(())
}

#[test]
fn a_token_is_the_identity_and_texts_are_cut() -> Tested {
    let mut hall = Hall::new("--games 2")?;
    let long = "x\u{1b}y ".repeat(1000);
    // The same name, with a token and without one, is that of two players.
    let first = hall.join_as("Ann", "Ann")?;
    hall.say(first, "set info:name \"renamed\"")?;
    let second = hall.connect(64);
    for line in [&format!("set info:authors \"{long}\""), "set info:name \"Ann\"", "mode freeplay"]
    {
        hall.say(second, line)?;
    }
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    assert_eq!(hall.host.standings().players, ["Ann", "Ann (2)"]);
    hall.join_as("secret", &long)?;
    let page = hall.host.page(true);
    assert!(page.contains("x y x y") && !page.contains(&"x y ".repeat(80)));
    assert!(["\u{1b}", "secret", "renamed"].iter().all(|text| !page.contains(text)));
    Ok(())
}

#[test]
fn a_client_that_does_not_read_is_lost() -> Tested {
    let mut hall = Hall::new("")?;
    let client = hall.connect(2);
    hall.say(client, "1 ping")?;
    hall.pass(0)?;
    assert!(!hall.clients[client].is_closed());
    hall.say(client, "3 ping")?;
    hall.pass(0)?;
    assert!(hall.clients[client].is_closed());
    Ok(())
}
