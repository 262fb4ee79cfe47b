//! The client of the Kalah Game Protocol against a scripted server: what it says, what it survives, and
//! what it learns.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use kalah::board::{Board, Capture, Side};
use kalah_games::{AnnotatedGame, GameOutcome};
use kalah_kgp::{Line, WideBoard};
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tempfile::TempDir;
use tungstenite::handshake::server::{Request, Response};
use tungstenite::{Message, WebSocket};

use crate::kgp::{KgpServer, START, assert_legal, board, end};
use crate::session::Session;

/// Thinks until it is stopped: no position is proven.
const ENDLESS: [&str; 6] =
    ["--time", "3600", "--option", "Exact=false", "--option", "Search=negascout"];

/// A random board with at least two moves for South.
fn random_board(random: &mut fastrand::Rng, houses: usize) -> WideBoard {
    loop {
        let seeds: Vec<String> =
            (0..2 * houses + 2).map(|_| random.u32(0..7).to_string()).collect();
        let board = board(&format!("<{houses},{}>", seeds.join(",")));
        if board.moves().nth(1).is_some() {
            return board;
        }
    }
}

#[test]
fn a_client_introduces_itself_and_sets_the_mode_once() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--authors", "A \"B\" C", "--description", "d\\e"]);
    let (mut peer, set) = server.greeted();
    let lines: Vec<String> = set.iter().map(Line::to_string).collect();
    assert_eq!(
        lines,
        [
            "1 set auth:token \"token of the environment\"",
            "3 set info:name \"Ann\"",
            "5 set info:authors \"A \\\"B\\\" C\"",
            "7 set info:description \"d\\\\e\"",
            "9 mode freeplay",
        ]
    );
    peer.command("kgp 1 0 1");
    peer.ping();
    end(peer, client);
}

#[test]
fn a_token_is_shown_to_nobody() {
    let folder = TempDir::new().unwrap();
    let (token, environment) = (folder.path().join("token"), folder.path().join("environment"));
    fs::write(&token, "  secret of the file \nmore\n").unwrap();
    let program = env!("CARGO_BIN_EXE_kalah");
    let script = format!("env > '{}'; exec '{program}'", environment.display());
    let engine = shell_words::join(["sh", "-c", &script]);
    let server = KgpServer::new();
    let address = server.address();
    let client = Session::program(|command| {
        command.args(["kgp", &address, "--once", "--name", "Ann", "--engine", &engine]);
        command.arg("--token-file").arg(&token);
        command.env("KALAH_KGP_TOKEN", "token of the environment").env("RUST_LOG", "debug");
    });
    let (peer, set) = server.greeted();
    assert_eq!(set[0].text(1), Some("secret of the file"));
    let arguments = fs::read_to_string(format!("/proc/{}/cmdline", client.id()));
    let errors = end(peer, client);
    let environment = fs::read_to_string(environment).unwrap();
    for text in [arguments.unwrap_or_default(), errors.clone(), environment] {
        assert!(!text.contains("secret") && !text.contains("token of"), "{text}");
    }
    assert!(errors.contains("mode freeplay"), "{errors}");
}

#[test]
fn boards_of_any_size_are_played() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.02"]);
    let (mut peer, _) = server.greeted();
    let mut random = fastrand::Rng::with_seed(1);
    for houses in (1..=15).chain([40]) {
        let board = random_board(&mut random, houses.max(2));
        let mv = peer.ask(&board.to_string());
        assert_legal(&board, mv);
    }
    // More seeds than the engine can count, and a single move, which a server would not ask about.
    for text in [
        "<2,0,0,1000,1000,1000,1>",
        "<2,4000000000000000,4000000000000000,1,1,1,0>",
        "<3,0,0,0,1,0,1,1,1>",
    ] {
        let mv = peer.ask(text);
        assert_legal(&board(text), mv);
    }
    // A game that is over has no move.
    let id = peer.command("state <2,0,0,0,0,1,1>");
    assert_eq!(peer.line().to_string(), format!("@{id} yield"));
    end(peer, client);
}

#[test]
fn pings_are_answered_while_it_searches() {
    let server = KgpServer::new();
    let client = server.client(&[&["--once"][..], &ENDLESS].concat());
    let (mut peer, _) = server.greeted();
    let id = peer.command(&format!("state {START}"));
    let first = peer.line();
    assert_eq!((first.command.as_str(), first.reference), ("move", Some(id)));
    let pings: Vec<u64> = (0..20).map(|_| peer.command("ping")).collect();
    let mut answered = Vec::new();
    while answered.len() < pings.len() {
        let line = peer.line();
        match line.command.as_str() {
            "pong" => answered.extend(line.reference),
            "move" => assert_eq!(line.reference, Some(id)),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(answered, pings);
    peer.send(&format!("@{id} stop"));
    // Nothing more is said about what was stopped.
    let mut pong = peer.command("ping");
    while let line = peer.line()
        && line.reference != Some(pong)
    {
        assert_eq!(line.reference, Some(id), "{line}");
    }
    pong = peer.command("ping");
    assert_eq!(peer.line().reference, Some(pong));
    end(peer, client);
}

#[test]
fn eight_states_at_once_get_their_own_moves() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.05"]);
    let (mut peer, _) = server.greeted();
    let mut random = fastrand::Rng::with_seed(2);
    let mut open = BTreeMap::new();
    let mut asked = 0;
    loop {
        while open.len() < 8 && asked < 100 {
            // Each has one empty house fewer, so that few moves are legal for all.
            let board = random_board(&mut random, 3 + asked % 8);
            let id = peer.command(&format!("state {board}"));
            open.insert(id, (board, None));
            asked += 1;
        }
        if open.is_empty() {
            break;
        }
        let line = peer.line();
        let id = line.reference.unwrap();
        let (board, mv) = open.get_mut(&id).unwrap_or_else(|| panic!("{line} has no request"));
        match line.command.as_str() {
            "move" => {
                *mv = line.number(0);
                assert_legal(board, mv.unwrap());
            }
            "yield" => {
                assert!(mv.is_some(), "no move on {board}");
                open.remove(&id);
                peer.send(&format!("@{id} stop"));
            }
            _ => panic!("{line}"),
        }
    }
    end(peer, client);
}

#[test]
fn an_early_stop_after_a_ping_is_the_time_limit() {
    let server = KgpServer::new();
    let client = server.client(&[&["--once"][..], &ENDLESS].concat());
    let (mut peer, _) = server.greeted();
    let id = peer.command(&format!("state {START}"));
    assert_eq!(peer.line().reference, Some(id));
    peer.command("ping");
    peer.send(&format!("@{id} stop"));
    // After this reply comes none of the search that was stopped.
    let ping = peer.command("ping");
    while peer.line().reference != Some(ping) {}
    // Now it yields before it is stopped.
    peer.ask(START);
    let errors = end(peer, client);
    assert!(errors.contains("the server stops early: a move now takes at most"), "{errors}");
    assert!(errors.contains("1 stopped by the server"), "{errors}");
}

#[test]
fn problems_are_solved() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--mode", "verify"]);
    let (mut peer, set) = server.greeted();
    assert_eq!(set.last().unwrap().text(0), Some("verify"));
    for (problem, solution) in [
        // An extra turn, a plain move, a capture, and an extra turn at the end of the game.
        ("<3,0,0,3,3,3,3,3,3> 0", "<3,1,0,0,4,4,3,3,3> true"),
        ("<3,0,0,3,3,3,3,3,3> 2", "<3,1,0,3,3,0,4,4,3> false"),
        ("<3,0,0,1,0,2,2,3,1> 0", "<3,4,0,0,0,2,2,0,1> false"),
        ("<2,0,0,0,1,2,2> 1", "<2,1,4,0,0,0,0> true"),
        // More than half of all seeds are in a store.
        ("<2,5,0,1,1,1,1> 0", "<2,7,2,0,0,0,0> false"),
    ] {
        let id = peer.command(&format!("problem {problem}"));
        assert_eq!(peer.line().to_string(), format!("@{id} solution {solution}"), "{problem}");
    }
    end(peer, client);
}

#[test]
fn comments_come_with_the_last_move() {
    let server = KgpServer::new();
    let client = server.client(&["--once", "--comments"]);
    let (mut peer, _) = server.greeted();
    let id = peer.command("state <6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>");
    let mut lines = Vec::new();
    while lines.last() != Some(&format!("@{id} yield")) {
        lines.push(peer.line().to_string());
    }
    let comment = &lines[lines.len() - 3];
    assert!(comment.starts_with("set info:comment \"-8.00 proven depth "), "{lines:#?}");
    assert!(comment.contains(": E b"), "{lines:#?}");
    assert_eq!(lines[lines.len() - 2], format!("@{id} move 5"));
    end(peer, client);
}

#[test]
fn an_engine_that_says_nothing_has_no_comment() {
    let silent = r"while read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;;
                   go*) echo bestmove C ;; esac; done";
    let engine = shell_words::join(["sh", "-c", silent]);
    let server = KgpServer::new();
    let client = server.client(&["--once", "--comments", "--engine", &engine]);
    let (mut peer, _) = server.greeted();
    // The server that is public refuses an empty text.
    assert_eq!(peer.ask(START), 3);
    end(peer, client);
}

#[test]
fn a_sure_win_is_played_at_once_if_only_that_counts() {
    let server = KgpServer::new();
    let client = server.client(&[&["--once", "--goal", "win"][..], &ENDLESS].concat());
    let (mut peer, _) = server.greeted();
    // The first house captures more than half of all seeds.
    assert_eq!(peer.ask("<3,6,0,1,0,4,1,3,2>"), 1);
    // Here the engine has to prove the win; without the goal it would search for more.
    peer.ask("<6,13,2,1,1,0,1,1,1,1,0,5,2,1,1>");
    end(peer, client);
}

#[test]
fn games_are_put_together_from_boards() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.txt");
    fs::write(&file, "").unwrap();
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.005", "--record", file.to_str().unwrap()]);
    let (mut peer, _) = server.greeted();
    let mut random = fastrand::Rng::with_seed(3);
    let mut expected = Vec::new();
    for first in [Side::South, Side::North] {
        let houses = [4; 6];
        let rules = kalah::Rules::new(6, Capture::Standard).unwrap();
        let mut board = Board::new(rules, [&houses, &houses], [0, 0], first).unwrap();
        let mut game = AnnotatedGame::new(board);
        let has_majority = |board: &Board| Side::ALL.iter().any(|&side| board.store(side) > 24);
        while !board.is_over() && !has_majority(&board) {
            let moves: Vec<_> = board.moves().collect();
            let mv = if board.side() == Side::South && moves.len() > 1 {
                let fen = board.fen();
                let house = peer.ask(fen.strip_suffix(" S").unwrap());
                *moves.iter().find(|mv| mv.house.index() as u64 + 1 == house).unwrap()
            } else {
                moves[random.usize(..moves.len())]
            };
            board.play(mv).unwrap();
            game.play(mv).unwrap();
        }
        expected.push(game);
    }
    end(peer, client);
    let games = AnnotatedGame::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(games.len(), expected.len());
    for (game, expected) in games.iter().zip(&expected) {
        assert_eq!(game.tag("South"), Some("Ann"));
        assert_eq!(game.start, expected.start);
        // The moves after the client's last are not shown.
        assert!(game.moves.len() > 5, "{game}");
        assert!(expected.moves.starts_with(&game.moves), "{game}\n{expected}");
        // Nor is the end, unless the client's move or moves without a choice lead to it.
        let is_known = game.moves.len() == expected.moves.len();
        let margin = game.tag("Margin").and_then(|margin| margin.parse::<i32>().ok());
        assert_eq!(is_known, game.result != GameOutcome::Unknown, "{game}\n{expected}");
        assert_eq!(margin.map(GameOutcome::from_margin), Some(game.result).filter(|_| is_known));
    }
}

#[test]
fn a_server_can_name_the_game_of_a_board() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.txt");
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "0.005", "--record", file.to_str().unwrap()]);
    let (mut peer, _) = server.greeted();
    let mut board = Board::from_fen(&format!("{START} S"), Capture::Standard).unwrap();
    peer.send("set game:id \"one\"");
    peer.send("set game:uri \"https://example.org/one\"");
    peer.send("set game:opponent \"Ben\"");
    let house = peer.ask(START);
    peer.send("set game:id \"two\"");
    peer.send("set game:uri \"\"");
    peer.send("set game:opponent \"Cid\"");
    peer.ask(START);
    // The server took an earlier move of the first game.
    let other = if house == 1 { 'B' } else { 'A' };
    board.play_moves(&format!("{other}a")).unwrap();
    peer.send("set game:id \"one\"");
    peer.send("set game:opponent \"Ben\"");
    peer.ask(board.fen().strip_suffix(" S").unwrap());
    end(peer, client);
    let games = AnnotatedGame::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    let tags = |game: &AnnotatedGame| {
        ["North", "Site", "GameId"].map(|name| game.tag(name).map(str::to_owned))
    };
    let expected = |values: [Option<&str>; 3]| values.map(|value| value.map(str::to_owned));
    assert_eq!(games.len(), 2);
    let site = Some("https://example.org/one");
    assert_eq!(tags(&games[0]), expected([Some("Ben"), site, Some("one")]));
    assert_eq!(tags(&games[1]), expected([Some("Cid"), None, Some("two")]));
    let moves: String = games[0].moves.iter().map(|ply| ply.mv.letter()).collect();
    assert!(moves.starts_with(&format!("{other}a")) && moves.len() == 3, "{moves}");
}

#[test]
fn it_ponders_on_the_next_state() {
    let folder = TempDir::new().unwrap();
    let heard = folder.path().join("heard");
    let script = format!("tee '{}' | '{}'", heard.display(), env!("CARGO_BIN_EXE_kalah"));
    let engine = shell_words::join(["sh", "-c", &script]);
    let server = KgpServer::new();
    let client = server.client(&["--once", "--time", "1", "--engine", &engine]);
    let (mut peer, _) = server.greeted();
    let wait_for = |end: &str| {
        let has = || {
            fs::read_to_string(&heard)
                .is_ok_and(|text| text.lines().any(|line| line.ends_with(end)))
        };
        for _ in 0..60_000 {
            if has() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("the engine was not told '{end}'");
    };
    // The third house gives an extra turn, and is best.
    assert_eq!(peer.ask(START), 3);
    wait_for(" ponder");
    let next = board(START).play(2).unwrap().board;
    assert_legal(&next, peer.ask(&next.to_string()));
    wait_for("ponderhit");
    end(peer, client);
}

/// Plays a move over a WebSocket.
#[expect(clippy::result_large_err, reason = "the type of the library")]
fn play_over_web_socket(stream: impl Read + Write, mut client: Session) {
    let mut path = String::new();
    let see = |request: &Request, response: Response| {
        request.uri().path().clone_into(&mut path);
        Ok(response)
    };
    let mut socket =
        tungstenite::accept_hdr(stream, see).map_err(|error| error.to_string()).unwrap();
    assert_eq!(path, "/socket");
    socket.send(Message::text("2 kgp 1 0 1\r\n")).unwrap();
    let next = |socket: &mut WebSocket<_>| loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return text.parse::<Line>().unwrap();
        }
    };
    let mut line = next(&mut socket);
    while line.command != "mode" {
        line = next(&mut socket);
    }
    // Two lines in one message.
    let both = format!("4@{} ok\n6 state {START}\n", line.id.unwrap());
    socket.send(Message::text(both)).unwrap();
    while line.command != "yield" {
        line = next(&mut socket);
        assert_eq!(line.reference, Some(6), "{line}");
    }
    socket.send(Message::text("goodbye")).unwrap();
    let ended = client.wait();
    assert!(ended.status.success(), "{}", ended.errors);
}

#[test]
fn lines_come_over_a_web_socket() {
    let server = KgpServer::new();
    let url = format!("ws://{}", server.address());
    let client = Session::program(|command| {
        command.args(["kgp", &url, "--name", "Ann", "--once", "--time", "0.01"]);
    });
    play_over_web_socket(server.accept(), client);
}

#[test]
fn a_web_socket_can_be_encrypted() {
    let folder = TempDir::new().unwrap();
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let trusted = folder.path().join("trusted.pem");
    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let config = rustls::ServerConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key.into())
        .unwrap();
    let config = Arc::new(config);
    for is_trusted in [true, false] {
        let server = KgpServer::new();
        let url = format!("wss://localhost:{}", server.address().rsplit(':').next().unwrap());
        fs::write(&trusted, if is_trusted { own.cert.pem() } else { String::new() }).unwrap();
        let mut client = Session::program(|command| {
            command.args(["kgp", &url, "--name", "Ann", "--once", "--time", "0.01"]);
            command.env("SSL_CERT_FILE", &trusted).env_remove("SSL_CERT_DIR");
        });
        let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut stream = rustls::StreamOwned::new(connection, server.accept());
        if is_trusted {
            play_over_web_socket(stream, client);
        } else {
            assert!(stream.read(&mut [0]).is_err(), "a server that is not trusted");
            let ended = client.wait();
            assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
            assert!(ended.errors.contains("certificate"), "{}", ended.errors);
        }
    }
}
