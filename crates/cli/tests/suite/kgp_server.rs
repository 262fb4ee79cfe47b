//! The server of the Kalah Game Protocol against scripted clients: games, tournaments, and what clients do
//! wrong.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kalah::board::Capture;
use kalah_games::{AnnotatedGame, GameOutcome};
use kalah_kgp::Line;
use kalah_records::games_from_text;
use rustix::process::Signal;
use tempfile::TempDir;
use tungstenite::Message;

use crate::session::{Ended, Session};

/// Far more than anything takes.
const DEADLINE: Duration = Duration::from_mins(2);

/// A server that runs.
struct Server {
    session: Session,
    address: String,
    /// Of the page, if there is one.
    web: Option<String>,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut session = Session::program(|command| {
            command.args(["kgp", "serve", "--listen", "127.0.0.1", "--port", "0"]).args(arguments);
        });
        let line = session.line();
        let address = line.strip_prefix("clients: ").expect(&line).to_owned();
        let web = arguments.contains(&"--web").then(|| {
            let line = session.line();
            let url = line.strip_prefix("page: http://").expect(&line);
            url.trim_end_matches('/').to_owned()
        });
        Server { session, address, web }
    }

    fn client(&self) -> Client {
        let output = TcpStream::connect(&self.address).unwrap();
        output.set_read_timeout(Some(DEADLINE)).unwrap();
        let input = BufReader::new(output.try_clone().unwrap());
        Client { input, output }
    }

    /// A client that has chosen the mode `freeplay`.
    fn joined(&self, token: &str, name: &str) -> Client {
        let mut client = self.client();
        assert_eq!(client.line().to_string(), "2 kgp 1 0 1");
        client.send(&format!("1 set auth:token \"{token}\"\r\n3 set info:name \"{name}\""));
        client.send("5 mode freeplay");
        let ok = client.line();
        assert_eq!((ok.command.as_str(), ok.reference), ("ok", Some(5)), "{ok}");
        client
    }

    /// A client that plays until the server says goodbye.
    fn player(&self, token: &str, name: &str) -> JoinHandle<Vec<Line>> {
        self.joined(token, name).play_on()
    }

    fn page(&self) -> String {
        let mut stream = TcpStream::connect(self.web.as_ref().unwrap()).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
        reply
    }

    fn interrupt(&self) {
        self.session.signal(Signal::INT);
    }

    /// The end of a server that has nothing left to do.
    fn complete(mut self) -> Ended {
        let ended = self.session.wait();
        assert!(ended.status.success(), "{}\n{}", ended.status, ended.errors);
        ended
    }
}

struct Client {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Client {
    fn send(&mut self, line: &str) {
        // Who has been sent away finds out by reading.
        let _ = self.output.write_all(format!("{line}\r\n").as_bytes());
    }

    fn next(&mut self) -> Option<Line> {
        let mut text = String::new();
        match self.input.read_line(&mut text) {
            Ok(0) => None,
            Ok(_) => Some(text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("the server says nothing: {error}"),
        }
    }

    fn line(&mut self) -> Line {
        self.next().expect("a line of the server")
    }

    /// The next request for a move; pings are answered.
    fn request(&mut self) -> Line {
        loop {
            let line = self.line();
            match line.command.as_str() {
                "ping" => self.send(&format!("@{} pong", line.id.unwrap())),
                "state" => return line,
                "ok" | "stop" => {}
                _ => panic!("{line}"),
            }
        }
    }

    /// Plays until the server says goodbye or the connection ends; returns all lines.
    fn play(&mut self) -> Vec<Line> {
        let mut heard = Vec::new();
        while let Some(line) = self.next() {
            let reply = answer(&line);
            heard.push(line);
            if let Some(reply) = reply {
                self.send(&reply);
            }
        }
        heard
    }

    fn play_on(mut self) -> JoinHandle<Vec<Line>> {
        thread::spawn(move || self.play())
    }

    /// Reads to the end of the connection.
    fn until_end(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).map(|line| line.to_string()).collect()
    }
}

/// What a client that plays well enough replies.
fn answer(line: &Line) -> Option<String> {
    let id = line.id?;
    match (line.command.as_str(), line.board(0)) {
        ("ping", _) => Some(format!("@{id} pong")),
        ("state", Some(board)) => {
            // A single move is not asked for, and neither is one of a finished game.
            assert!(board.moves().count() > 1, "{line}");
            let house = board.greedy_move().unwrap() + 1;
            Some(format!("@{id} move 99\r\n@{id} move {house}\r\n@{id} yield"))
        }
        _ => None,
    }
}

fn games(record: &Path) -> Vec<AnnotatedGame> {
    games_from_text(&fs::read_to_string(record).unwrap(), Capture::Standard).unwrap()
}

fn record_in(folder: &TempDir) -> String {
    folder.path().join("cup.jsonl").to_str().unwrap().to_owned()
}

#[test]
fn two_clients_play_with_the_sides_exchanged() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let server = Server::start(&["--games", "4", "--record", &record, "--time", "60"]);
    let players = [server.player("a", "Ann"), server.player("b", "Ben")];
    for player in players {
        let heard = player.join().unwrap();
        assert_eq!(heard.last().unwrap().to_string(), "goodbye");
        let count = |command| heard.iter().filter(|line| line.command == command).count();
        assert_eq!(count("state"), count("stop"));
        assert!(count("state") > 4 && count("ping") == 4 && count("error") == 0, "{heard:?}");
    }
    let ended = server.complete();
    assert!(ended.output.join("\n").contains("4 games"), "{:?}", ended.output);
    let games = games(Path::new(&record));
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].tag("South"), pair[1].tag("North"));
        assert_eq!(pair[0].tag("Round"), pair[1].tag("Round"));
    }
    for game in &games {
        let margin: i32 = game.tag("Margin").unwrap().parse().unwrap();
        assert_eq!(GameOutcome::from_margin(margin), game.result);
        assert_eq!(game.tag("Reason"), Some("played out"));
    }
    let list = Command::new(env!("CARGO_BIN_EXE_kalah")).args(["games", &record]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(list.contains("Ann") && list.contains("played out"), "{list}");
}

#[test]
fn a_round_robin_ends_with_its_standing_and_shows_no_token_and_no_markup() {
    let folder = TempDir::new().unwrap();
    let (record, report) = (record_in(&folder), folder.path().join("cup.html"));
    let mut arguments = vec!["--round-robin", "--players", "3", "--rounds", "2", "--web", "0"];
    arguments.extend(["--record", &record, "--report", report.to_str().unwrap()]);
    let server = Server::start(&arguments);
    let mut players = vec![server.player("secret 1", "<b>Ann</b>\u{202e}")];
    let page = server.page();
    assert!(page.contains("&lt;b&gt;Ann") && !page.contains("<b>Ann"), "{page}");
    assert!(page.contains("begins when all players are there"), "{page}");
    players.extend([server.player("secret 2", "Ben"), server.player("secret 3", "Ben")]);
    for player in players {
        assert_eq!(player.join().unwrap().last().unwrap().command, "goodbye");
    }
    let ended = server.complete();
    let standing = ended.output.join("\n");
    assert!(standing.contains("Ben (2)") && standing.contains('8'), "{standing}");
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("Ben (2)") && !report.contains("<b>Ann"), "{report}");
    let record = fs::read_to_string(record).unwrap();
    assert_eq!(record.lines().count(), 12);
    for text in [&page, &report, &record, &standing, &ended.errors] {
        assert!(!text.contains("secret") && !text.contains('\u{202e}'), "{text}");
    }
}

#[test]
fn faults_of_clients_harm_no_others() {
    let server = Server::start(&["--games", "2", "--ping-time", "60"]);
    let mut garbage = server.client();
    garbage.send(&"<garbage \"\r\n".repeat(2000));
    // It ends at once; what was not read on the other side may cost the greeting.
    assert!(garbage.until_end().len() <= 1);
    // A line without end, and bytes that are no text.
    let mut endless = server.client();
    let mut bytes = vec![0xff; 1 << 22];
    bytes.push(b'\n');
    endless.output.write_all(&bytes).unwrap();
    endless.send("1 mode nonsense");
    endless.send("3 ping");
    endless.send("goodbye");
    let heard = endless.until_end();
    assert!(heard[1].contains("@1 error") && heard[2].contains("@3 pong"), "{heard:?}");
    // Replies that nobody reads.
    let deaf = server.client();
    let (mut output, line) = (deaf.output.try_clone().unwrap(), "7 nonsense\r\n".repeat(1000));
    output.set_write_timeout(Some(DEADLINE)).unwrap();
    // The server closes the connection in the end.
    while output.write_all(line.as_bytes()).is_ok() {}
    // Everything at the wrong time.
    let mut wrong = server.client();
    for line in ["@2 move 1", "move 1", "@99 pong", "pong", "yield", "set", "set a", "solution 1"] {
        wrong.send(line);
    }
    wrong.send(&format!("set info:name \"{}\"", "x".repeat(10_000)));
    wrong.send("9 mode freeplay");
    wrong.send("11 mode freeplay");
    while wrong.line().reference != Some(9) {}
    let again = wrong.line();
    assert_eq!((again.command.as_str(), again.reference), ("error", Some(11)));
    wrong.send("goodbye");
    wrong.until_end();
    let players = [server.player("a", "Ann"), server.player("b", "Ben")];
    for player in players {
        player.join().unwrap();
    }
    server.complete();
}

#[test]
fn who_closes_one_side_reads_the_replies() {
    let server = Server::start(&[]);
    for _ in 0..30 {
        let mut client = server.client();
        client.send("1 ping\r\n3 nonsense");
        client.output.shutdown(std::net::Shutdown::Write).unwrap();
        let replies = ["2 kgp 1 0 1", "4@1 pong", "6@3 error \"unknown command\""];
        assert_eq!(client.until_end(), replies);
    }
}

#[test]
fn the_same_token_plays_no_game_against_itself() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let server = Server::start(&["--games", "4", "--record", &record]);
    let players = [("a", "Ann"), ("a", "Amy"), ("b", "Ben")];
    let players = players.map(|(token, name)| server.player(token, name));
    for player in players {
        drop(player.join());
    }
    server.complete();
    for game in games(Path::new(&record)) {
        assert_ne!(game.tag("SouthAgent"), game.tag("NorthAgent"));
    }
}

#[test]
fn without_yield_the_last_move_counts_at_the_end_of_the_time() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let server = Server::start(&["--games", "1", "--record", &record, "--time", "1"]);
    let (mut first, second) = (server.joined("a", "Ann"), server.player("b", "Ben"));
    let request = first.request();
    let id = request.id.unwrap();
    let (last, earlier) = (request.board(0).unwrap().moves().last().unwrap() + 1, 1);
    first.send(&format!("@{id} move {earlier}\r\n@{id} move {last}"));
    let ping = first.line();
    assert_eq!(ping.command, "ping");
    // Too late.
    first.send(&format!("@{id} move {earlier}"));
    first.send(&format!("@{} pong", ping.id.unwrap()));
    let stop = first.line();
    assert_eq!((stop.command.as_str(), stop.reference), ("stop", Some(id)));
    // The other moves are random ones, until an illegal one loses the game.
    let id = first.request().id.unwrap();
    first.send(&format!("@{id} move 7\r\n@{id} yield"));
    first.play();
    second.join().unwrap();
    server.complete();
    let game = &games(Path::new(&record))[0];
    assert_eq!(game.tag("Reason"), Some("illegal move"));
    let own =
        if game.tag("South") == Some("Ann") { GameOutcome::North } else { GameOutcome::South };
    assert_eq!(game.result, own);
    let letter = char::from(b'a' + last as u8 - 1);
    let moves: Vec<String> =
        game.moves.iter().map(|ply| ply.mv.to_string().to_lowercase()).collect();
    assert!(moves.contains(&letter.to_string()), "{moves:?}");
}

#[test]
fn who_does_not_answer_a_ping_loses_and_who_is_silent_is_sent_away() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let server = Server::start(&["--games", "1", "--record", &record, "--ping-time", "0.5"]);
    let mut silent = server.client();
    let heard = silent.until_end();
    assert!(heard[1].contains("error") && heard[2] == "goodbye", "{heard:?}");
    let (mut dead, alive) = (server.joined("a", "Ann"), server.player("b", "Ben"));
    let heard = dead.until_end();
    assert!(heard.iter().any(|line| line.contains("error")), "{heard:?}");
    assert_eq!(heard.last().unwrap(), "goodbye");
    alive.join().unwrap();
    server.complete();
    let game = &games(Path::new(&record))[0];
    assert_eq!(game.tag("Reason"), Some("stalled"));
}

#[test]
fn who_comes_back_takes_its_place_in_the_tournament() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let arguments = ["--round-robin", "--rounds", "2", "--record", &record, "--grace", "3600"];
    let server = Server::start(&arguments);
    let (mut first, second) = (server.joined("a", "Ann"), server.player("b", "Ben"));
    first.request();
    drop(first);
    let mut stranger = server.client();
    stranger.send("set info:name \"Cid\"\r\nmode freeplay");
    assert_eq!(stranger.until_end().last().unwrap(), "goodbye");
    let again = server.player("a", "another name");
    for player in [second, again] {
        player.join().unwrap();
    }
    server.complete();
    let games = games(Path::new(&record));
    assert_eq!(games.len(), 4);
    let lost: Vec<_> = games.iter().filter(|game| game.tag("Reason") == Some("crashed")).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].result, GameOutcome::North);
    assert!(games.iter().all(|game| game.tag("North") != Some("another name")));
}

#[test]
fn a_tournament_goes_on_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let record = record_in(&folder);
    let arguments = ["--round-robin", "--players", "3", "--record", &record];
    let mut server = Server::start(&arguments);
    let tokens = [("a", "Ann"), ("b", "Ben"), ("c", "Cid")];
    let [mute, others @ ..] = tokens.map(|(token, name)| server.joined(token, name));
    // The first pair is that of the others; then the first is asked for a move and makes none.
    let others = others.map(Client::play_on);
    let mut mute = mute;
    mute.request();
    server.interrupt();
    for player in others {
        assert_eq!(player.join().unwrap().last().unwrap().command, "goodbye");
    }
    assert_eq!(server.session.wait().status.code(), Some(130));
    // As a power failure leaves it.
    let mut text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.lines().count(), 2);
    text.push_str("{\"tags\":{\"South\":\"An");
    fs::write(&record, &text).unwrap();
    let server = Server::start(&arguments);
    // In another order.
    let players = [tokens[2], tokens[1], tokens[0]].map(|(token, name)| server.player(token, name));
    for player in players {
        drop(player.join());
    }
    let ended = server.complete();
    assert!(ended.errors.contains("continuing after"), "{}", ended.errors);
    assert!(ended.errors.contains("cut off"), "{}", ended.errors);
    let games = games(Path::new(&record));
    let numbers: BTreeSet<_> = games.iter().filter_map(|game| game.tag("Game")).collect();
    assert_eq!((games.len(), numbers.len()), (6, 6));
    let pairings: BTreeSet<_> =
        games.iter().map(|game| (game.tag("South"), game.tag("North"))).collect();
    assert_eq!(pairings.len(), 6);
    // Another tournament is not mixed with it.
    let other = Session::program(|command| {
        command.args(["kgp", "serve", "--listen", "127.0.0.1", "--port", "0", "--houses", "5"]);
        command.args(arguments);
    })
    .wait();
    assert!(other.errors.contains("another tournament"), "{}", other.errors);
}

#[test]
fn a_websocket_is_as_good_as_a_stream() {
    let server = Server::start(&["--games", "2", "--web", "0"]);
    let url = format!("ws://{}/socket", server.web.as_ref().unwrap());
    let stream = TcpStream::connect(server.web.as_ref().unwrap()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let (mut socket, _) = tungstenite::client(url, stream).unwrap();
    socket.send(Message::text("set info:name \"Web\"\r\n\r\nmode freeplay")).unwrap();
    let web = thread::spawn(move || {
        let mut commands = Vec::new();
        while let Ok(message) = socket.read() {
            let Message::Text(text) = message else { continue };
            let line: Line = text.parse().unwrap();
            let reply = answer(&line);
            commands.push(line.command);
            if let Some(reply) = reply {
                drop(socket.send(Message::text(reply)));
            }
        }
        commands
    });
    let other = server.player("b", "Ben");
    assert_eq!(web.join().unwrap().last().unwrap(), "goodbye");
    other.join().unwrap();
    server.complete();
}

#[test]
fn problems_about_the_rules_are_posed_one_after_the_other() {
    let mut server = Server::start(&[]);
    let mut client = server.client();
    client.send("1 mode verify");
    client.line();
    assert_eq!(client.line().reference, Some(1));
    for number in 0..200 {
        let problem = client.line();
        let (id, board) = (problem.id.unwrap(), problem.board(0).unwrap());
        let played = board.sow(problem.number(1).unwrap() as usize).unwrap();
        let is_wrong = number % 10 == 9;
        let turn = played.is_extra_turn != is_wrong;
        client.send(&format!("@{id} solution {} {turn}", played.board));
        if is_wrong {
            assert_eq!(client.line().command, "error");
        }
    }
    server.interrupt();
    assert!(client.until_end().contains(&"goodbye".to_owned()));
    assert_eq!(server.session.wait().status.code(), Some(130));
}

#[test]
fn the_client_of_this_program_plays_here() {
    let server = Server::start(&["--games", "2", "--time", "60"]);
    let client = |name: &str| {
        let (address, name) = (server.address.clone(), name.to_owned());
        Session::program(|command| {
            command.args(["kgp", &address, "--name", &name, "--once", "--time", "0.01"]);
        })
    };
    for mut client in [client("Ann"), client("Ben")] {
        let ended = client.wait();
        assert!(ended.status.success(), "{}", ended.errors);
    }
    let errors = server.complete().errors;
    assert_eq!(errors.matches("played out").count(), 2, "{errors}");
}

#[test]
fn wrong_usage_is_told_at_once() {
    let serve = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        let output = command.args(["kgp", "serve"]).args(arguments.split(' ')).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains("panicked"), "{errors}");
        (output.status.code(), errors)
    };
    for wrong in [
        "--houses 13",
        "--houses 0",
        "--seeds 0",
        "--time 0",
        "--time nan",
        "--players 3",
        "--round-robin --players 1",
        "--round-robin --games 3",
        "--games 0",
        "--port 70000",
        "--listen nowhere",
    ] {
        let (status, errors) = serve(wrong);
        assert_eq!(status, Some(2), "{wrong}: {errors}");
        assert!(errors.starts_with("error: "), "{wrong}: {errors}");
    }
    assert_eq!(serve("--round-robin --names-file /no/such/file").0, Some(1));
}
