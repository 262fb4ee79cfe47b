//! Whole games and faults without sockets and without waiting.

use std::time::{Duration, Instant};

use clap::{Args, Command, FromArgMatches};
use tokio::sync::mpsc::{Receiver, channel};

use kalah_arena::RecordError;
use kalah_kgp::{Host, HostSettings, Line, WideBoard};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A host and its clients, in a time of their own.
struct Hall {
    host: Host,
    clients: Vec<Receiver<String>>,
    now: Instant,
}

impl Hall {
    /// With the arguments of `kalah kgp serve`.
    fn new(arguments: &str) -> Result<Hall, Box<dyn std::error::Error>> {
        let command = HostSettings::augment_args(Command::new("serve").no_binary_name(true));
        let matches = command.try_get_matches_from(shell_words::split(arguments)?)?;
        let host = Host::new(HostSettings::from_arg_matches(&matches)?)?;
        Ok(Hall { host, clients: Vec::new(), now: Instant::now() })
    }

    /// What is wrong with these arguments.
    fn refusal(arguments: &str) -> String {
        let refused = Hall::new(arguments).err().map(|error| error.to_string());
        refused.unwrap_or_default()
    }

    /// Lets clients answer until nothing is said. The clients in `mute` play no moves, those in `dead`
    /// answer nothing at all.
    fn play(&mut self, mute: &[usize], dead: &[usize]) -> Result<(), RecordError> {
        self.play_as(mute, dead, &[])
    }

    /// A client that can be sent so many lines before it reads; its number.
    fn connect(&mut self, room: usize) -> usize {
        let (outbox, lines) = channel(room);
        self.clients.push(lines);
        let client = self.clients.len() - 1;
        self.host.connected(client as u64, outbox, self.now);
        client
    }

    /// A client that wants to play; its number.
    fn join(&mut self, token: &str) -> Result<usize, RecordError> {
        self.join_as(token, token)
    }

    fn join_as(&mut self, token: &str, name: &str) -> Result<usize, RecordError> {
        let client = self.connect(64);
        self.say(client, &format!("set auth:token \"{token}\""))?;
        self.say(client, &format!("set info:name \"{name}\""))?;
        self.say(client, "mode freeplay")?;
        Ok(client)
    }

    /// A game of two, South first, in which South was asked; the number of the request.
    fn begin(arguments: &str) -> Result<(Hall, u64), Box<dyn std::error::Error>> {
        let mut hall = Hall::new(arguments)?;
        for client in [hall.join("a")?, hall.join("b")?] {
            let ping = hall.last(client)?.id.ok_or("no ping")?;
            hall.say(client, &format!("@{ping} pong"))?;
        }
        let id = hall.last(0)?.id.ok_or("no request")?;
        Ok((hall, id))
    }

    /// The last of the lines that a client has received.
    fn last(&mut self, client: usize) -> Result<Line, &'static str> {
        self.heard(client).pop().ok_or("nothing was heard")
    }

    fn say(&mut self, client: usize, line: &str) -> Result<(), RecordError> {
        let Ok(line) = line.parse::<Line>() else { return Ok(()) };
        self.host.line(client as u64, &line, self.now)
    }

    /// The lines that a client has received.
    fn heard(&mut self, client: usize) -> Vec<Line> {
        let lines = &mut self.clients[client];
        std::iter::from_fn(|| lines.try_recv().ok()).filter_map(|line| line.parse().ok()).collect()
    }

    /// The same; the clients in `wrong` play illegal moves.
    fn play_as(
        &mut self,
        mute: &[usize],
        dead: &[usize],
        wrong: &[usize],
    ) -> Result<(), RecordError> {
        loop {
            let mut is_quiet = true;
            self.now += Duration::from_millis(1);
            for client in 0..self.clients.len() {
                for line in self.heard(client) {
                    let Some(id) = line.id.filter(|_| !dead.contains(&client)) else { continue };
                    match (line.command.as_str(), line.board(0)) {
                        ("ping", _) => self.say(client, &format!("@{id} pong"))?,
                        ("state", Some(board)) if !mute.contains(&client) => {
                            assert!(board.moves().count() > 1, "a single move was sent");
                            let house = board.greedy_move().map_or(0, |house| house + 1);
                            let house = if wrong.contains(&client) { 99 } else { house };
                            self.say(client, &format!("@{id} move {house}"))?;
                            self.say(client, &format!("@{id} yield"))?;
                        }
                        _ => continue,
                    }
                    is_quiet = false;
                }
            }
            if is_quiet {
                return Ok(());
            }
        }
    }

    fn pass(&mut self, seconds: u64) -> Result<(), RecordError> {
        self.now += Duration::from_secs(seconds);
        self.host.tick(self.now)
    }

    fn finished(&mut self) -> Vec<String> {
        let events = self.host.take_events().into_iter();
        events.filter(|event| event.starts_with("game ")).collect()
    }
}

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

#[test]
fn each_pair_begins_with_a_fair_start_of_its_own() -> Tested {
    let folder = tempfile::tempdir()?;
    let record = folder.path().join("fair.jsonl");
    let arguments = format!("--openings fair --games 20 --record {}", record.display());
    let mut hall = Hall::new(&arguments)?;
    hall.join("a")?;
    hall.join("b")?;
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let fair = kalah_fair::fair_starts(kalah::Rules::default(), 4);
    let text = std::fs::read_to_string(&record)?;
    let games = kalah_arena::games_from_text(&text, kalah::Capture::Standard)?;
    let starts: Vec<kalah::Board> = games.iter().map(|game| game.start).collect();
    assert!(starts.len() == 20 && starts.iter().all(|start| fair.contains(start)));
    let pairs: std::collections::HashSet<_> = starts.iter().step_by(2).collect();
    assert_eq!(pairs.len(), 10, "an opening was used twice");
    drop(hall);
    // The record is continued under the same openings alone.
    let more = arguments.replace("20", "22");
    assert!(Hall::new(&more).is_ok());
    assert!(Hall::refusal(&more.replace("fair ", "plies=2 ")).contains("another tournament"));
    let large = Hall::refusal("--openings fair --houses 8 --seeds 8");
    assert!(large.contains("no fair starts of Kalah(8,8) are known"), "{large}");
    Ok(())
}

/// `a` plays well enough, `b` plays no moves of its own, `c` illegal ones, `d` goes away, and `e` plays as `a`.
const COURSE: &str = "--round-robin --players 5 --exam 'games=3' \
    --stage 'houses=6 seeds=6 keep=2' --stage 'houses=12 seeds=2 rounds=2'";

#[test]
fn an_exam_is_passed_by_wins_with_own_moves_and_without_illegal_ones() -> Tested {
    let mut hall = Hall::new(COURSE)?;
    let clients = ["a", "b", "c", "d", "e"].map(|token| hall.join(token));
    let [_, late, illegal, gone, _] = clients;
    let (late, illegal, gone) = (late?, illegal?, gone?);
    hall.play_as(&[late, gone], &[], &[illegal])?;
    hall.host.disconnect(gone as u64, "gone", hall.now)?;
    // Its time is over at each move.
    for _ in 0..400 {
        hall.play_as(&[late], &[], &[illegal])?;
        hall.pass(5)?;
    }
    assert!(hall.host.is_complete());
    let ranking = hall.host.ranking();
    let of = |name: &str| ranking.iter().find(|player| player.name == name);
    assert_eq!(ranking.len(), 5);
    assert_eq!(of("a").map(|player| player.stage), Some(3));
    assert_eq!(of("e").map(|player| player.stage), Some(3));
    for failed in ["b", "d"] {
        let player = of(failed).ok_or("not ranked")?;
        assert_eq!((player.stage, player.points, player.fault), (1, 0.0, None), "{failed}");
    }
    assert_eq!(of("c").map(|player| (player.stage, player.fault)), Some((1, Some("illegal move"))));
    // Who is out cannot come back.
    let again = hall.join("b")?;
    let heard = hall.heard(again);
    let told = heard.iter().find(|line| line.command == "error").and_then(|line| line.text(0));
    assert_eq!(told, Some("you are out of the tournament"));
    assert_eq!(heard.last().map(|line| line.command.as_str()), Some("goodbye"));
    let page = hall.host.page(false);
    for text in ["Ranking", "Stage 3", "Kalah(12,2)", "exam: illegal move", "not passed"] {
        assert!(page.contains(text), "{text}");
    }
    // The two who have passed have played one round of the second stage and two of the third.
    let standings = hall.host.standings();
    assert_eq!(standings.games().len(), 2 + 4);
    Ok(())
}

#[test]
fn the_best_of_each_stage_go_on_and_a_restart_goes_on_there() -> Tested {
    let folder = tempfile::tempdir()?;
    let record = folder.path().join("cup.jsonl");
    let arguments = format!(
        "--round-robin --players 4 --stage houses=3 --stage 'houses=4 keep=50%' --stage 'houses=8 seeds=8' \
         --record {}",
        record.display()
    );
    let tokens = ["a", "b", "c", "d"];
    let mut hall = Hall::new(&arguments)?;
    for token in tokens {
        hall.join(token)?;
    }
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    // All play 2 * 6 games in stages 1 and 2, two players play 2 in stage 3.
    let text = std::fs::read_to_string(&record)?;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12 + 12 + 2);
    let stages = |stage: usize| {
        lines.iter().filter(|line| line.contains(&format!("\"Stage\":\"{stage}\""))).count()
    };
    assert_eq!([stages(1), stages(2), stages(3)], [12, 12, 2]);
    let ranking = hall.host.ranking();
    drop(hall);
    assert_eq!(ranking.iter().map(|player| player.stage).collect::<Vec<_>>(), [3, 3, 2, 2]);
    for kept in [5, 12, 20, 24, 25] {
        std::fs::write(&record, lines[..kept].join("\n") + "\n")?;
        let mut hall = Hall::new(&arguments)?;
        assert!(!hall.host.is_complete());
        for token in tokens {
            hall.join(token)?;
        }
        hall.play(&[], &[])?;
        assert!(hall.host.is_complete(), "after {kept} games");
        let numbers =
            hall.host.standings().games().iter().map(|game| game.game).collect::<Vec<_>>();
        let different: std::collections::HashSet<_> = numbers.iter().collect();
        assert_eq!((numbers.len(), different.len()), (26, 26));
        assert_eq!(hall.host.ranking().len(), 4);
    }
    let other = Hall::refusal(&arguments.replace("keep=50%", "keep=3"));
    assert!(other.contains("another tournament"), "{other}");
    Ok(())
}

#[test]
fn a_player_who_does_not_come_back_loses_its_games_in_each_stage() -> Tested {
    let mut hall = Hall::new("--round-robin --players 3 --stage houses=3 --stage houses=4")?;
    let (gone, _, _) = (hall.join("a")?, hall.join("b")?, hall.join("c")?);
    hall.host.disconnect(gone as u64, "gone", hall.now)?;
    for _ in 0..2 {
        hall.play(&[], &[])?;
        assert!(!hall.host.is_complete());
        hall.pass(60)?;
    }
    hall.play(&[], &[])?;
    assert!(hall.host.is_complete());
    let standings = hall.host.standings();
    assert_eq!((standings.games().len(), standings.total(0).losses), (12, 8));
    Ok(())
}

#[test]
fn wrong_stages_are_refused_in_their_words() {
    for (arguments, expected) in [
        ("--round-robin --stage houses=13", "'houses' takes 1 to 12"),
        ("--round-robin --stage seeds=0", "'seeds' takes"),
        ("--round-robin --stage keep=1", "'keep' takes"),
        ("--round-robin --stage keep=101%", "'keep' takes"),
        ("--round-robin --stage time=x", "'time' takes seconds"),
        ("--round-robin --stage board=6", "unknown key 'board'"),
        ("--round-robin --exam 'games=3 wins=4'", "'wins' takes"),
        ("--round-robin --exam against=level", "'against' takes random or greedy"),
        ("--round-robin --stage 'houses=8 seeds=8 openings=fair'", "no fair starts of Kalah(8,8)"),
        ("--openings fair --opening-plies 2", "cannot be used with"),
        ("--stage houses=6", "--round-robin"),
        ("--exam games=3", "--round-robin"),
        ("--agent name=Ann", "an agent needs cmd=PROGRAM"),
        ("--agents /no/such/folder --round-robin", "cannot read the agents in '/no/such/folder'"),
    ] {
        let refusal = Hall::refusal(arguments);
        assert!(refusal.contains(expected), "{arguments}: {refusal}");
    }
}
