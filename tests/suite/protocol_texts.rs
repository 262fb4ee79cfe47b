//! The protocol as a client writes and reads it: commands come back as they were meant, replies
//! are heard as they were said.

use std::io::BufReader;
use std::time::Duration;

use kalah::board::{House, Move, Side};
use kalah::protocol::{
    Command, EngineInfo, EngineMessage, EngineScore, Go, InputLine, LineReader, MAX_LINE,
    PositionBase, PositionCommand, Reply,
};
use kalah::search::{Bound, CENTISEEDS, Limits, MAX_DEPTH, PvLine, SearchStats};
use proptest::option::of;
use proptest::prelude::*;

fn milliseconds() -> impl Strategy<Value = Duration> {
    (0..=10_000_000_000_000_u64).prop_map(Duration::from_millis)
}

fn counts() -> impl Strategy<Value = u64> {
    1..=i64::MAX.unsigned_abs()
}

fn limits() -> impl Strategy<Value = Limits> {
    let numbers = (of(1..=MAX_DEPTH), of(counts()), of(counts()), of(milliseconds()));
    let searchmoves = prop::collection::vec(moves(), 0..4);
    (numbers, any::<bool>(), searchmoves).prop_map(|(numbers, infinite, searchmoves)| {
        let (depth, nodes, iterations, movetime) = numbers;
        Limits { depth, nodes, iterations, movetime, infinite, searchmoves, ..Limits::default() }
    })
}

fn go() -> impl Strategy<Value = Go> {
    let time = || [of(milliseconds()), of(milliseconds())];
    let search = (limits(), time(), time(), of(1..=u32::MAX), any::<bool>()).prop_map(
        |(limits, time, increment, moves_to_go, ponder)| Go {
            limits,
            time,
            increment,
            moves_to_go,
            ponder,
            perft: None,
        },
    );
    let perft = (0..=MAX_DEPTH).prop_map(|depth| Go { perft: Some(depth), ..Go::default() });
    prop_oneof![9 => search, 1 => perft]
}

fn commands() -> impl Strategy<Value = Command> {
    let simple = prop::sample::select(vec![
        Command::Uci,
        Command::IsReady,
        Command::UciNewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Debug(true),
        Command::Debug(false),
        Command::Display,
        Command::Eval,
        Command::Quit,
    ]);
    let name = "[!-~é]{1,9}( [!-~é]{1,9}){0,2}"
        .prop_filter("ends the name", |name| name.split(' ').all(|word| word != "value"));
    let value = of("|[!-~é]|[!-~é][ -~é]{0,20}[!-~é]");
    let option = (name, value).prop_map(|(name, value)| Command::SetOption { name, value });
    let fen = "<[0-9]{1,3}(,[0-9]{1,4}){4,24}>( [SN])?".prop_map(PositionBase::Fen);
    let base = prop_oneof![Just(PositionBase::Start), fen];
    let moves = "|[A-La-l]|[A-La-l][A-La-l ]{0,20}[A-La-l]";
    let position =
        (base, moves).prop_map(|(base, moves)| Command::Position(PositionCommand { base, moves }));
    prop_oneof![simple, option, position, go().prop_map(|go| Command::Go(Box::new(go)))]
}

fn moves() -> impl Strategy<Value = Move> {
    (0..12_usize, prop::sample::select(&Side::ALL[..]))
        .prop_map(|(house, side)| Move { side, house: House::new(house).unwrap() })
}

fn lines() -> impl Strategy<Value = (PvLine, SearchStats)> {
    let bounds = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let line = (1..=MAX_DEPTH, 1..=6_u32, -1023..=1023_i32, bounds, any::<bool>());
    let pv = prop::collection::vec(moves(), 0..20);
    (line, pv, any::<u32>(), 0..10_000_000_u64).prop_map(|(line, pv, nodes, time)| {
        let (depth, multipv, margin, bound, proven) = line;
        let (multipv, nodes) = (multipv.try_into().unwrap(), nodes.into());
        let effort =
            SearchStats { nodes, tbhits: 3, time: Duration::from_millis(time), hashfull: 17 };
        (PvLine { depth, seldepth: depth, multipv, margin, bound, proven, pv }, effort)
    })
}

fn heard(reply: &Reply) -> EngineMessage {
    EngineMessage::from(reply.to_string().as_str())
}

proptest! {
    #[test]
    fn commands_are_read_back_as_they_were_meant(command in commands()) {
        let text = command.to_string();
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(text.parse::<Command>(), Ok(command), "{}", text);
    }

    #[test]
    fn lines_of_play_are_heard_as_they_were_said((line, effort) in lines()) {
        let expected = EngineInfo {
            depth: Some(line.depth),
            seldepth: Some(line.seldepth),
            multipv: Some(line.multipv.try_into().unwrap()),
            score: Some(EngineScore {
                centiseeds: line.margin * CENTISEEDS,
                bound: line.bound,
                proven: line.proven,
            }),
            nodes: Some(effort.nodes),
            nps: Some(effort.nps()),
            hashfull: Some(effort.hashfull),
            tbhits: Some(effort.tbhits),
            time: Some(effort.time),
            pv: line.pv.iter().map(ToString::to_string).collect(),
        };
        prop_assert_eq!(heard(&Reply::Line(line, effort)), EngineMessage::Info(expected));
    }

    #[test]
    fn answers_are_heard_as_they_were_said(best in of(moves()), ponder in of(moves())) {
        let ponder = ponder.filter(|_| best.is_some());
        let text = |ply: Option<Move>| ply.map(|ply| ply.to_string());
        let expected = EngineMessage::BestMove { best: text(best), ponder: text(ponder) };
        prop_assert_eq!(heard(&Reply::BestMove { best, ponder }), expected);
    }

    #[test]
    fn errors_are_heard_and_other_text_is_not(text in "[!-~]([ -~]{0,40}[!-~])?") {
        let error = heard(&Reply::Error(text.clone()));
        prop_assert_eq!(error, EngineMessage::Error(text.clone()));
        let said = format!("so it is: {text}");
        prop_assert_eq!(heard(&Reply::Info(said)), EngineMessage::Other);
    }

    #[test]
    fn any_text_is_heard(
        text in any::<String>(),
        words in prop::collection::vec(prop_oneof![
            Just("info"), Just("bestmove"), Just("score"), Just("cp"), Just("pv"), Just("depth"),
            Just("string"), Just("error:"), Just("id"), Just("name"), Just("option"),
            Just("type"), Just("ponder"), Just("0000"), Just("-1"), Just("99999999999999999999"),
            Just("multipv"), Just("nodes"), Just("time"), Just("é"), Just("\0"),
        ], 0..8),
    ) {
        let _ = EngineMessage::from(text.as_str());
        let _ = EngineMessage::from(words.join(" ").as_str());
        let _ = EngineMessage::from(format!("{} {text}", words.join(" ")).as_str());
    }
}

#[test]
fn the_rest_of_the_protocol_is_heard() {
    assert_eq!(heard(&Reply::UciOk), EngineMessage::UciOk);
    assert_eq!(heard(&Reply::ReadyOk), EngineMessage::ReadyOk);
    assert_eq!(
        heard(&Reply::Id("name", "Kalah 1".to_owned())),
        EngineMessage::Id { key: "name".to_owned(), value: "Kalah 1".to_owned() }
    );
    let author = EngineMessage::Id { key: "author".to_owned(), value: "us".to_owned() };
    assert_eq!(heard(&Reply::Id("author", "us".to_owned())), author);
    let option = "name Move Overhead type spin default 10 min 0 max 5000";
    let expected = EngineMessage::Option {
        name: "Move Overhead".to_owned(),
        kind: "spin default 10 min 0 max 5000".to_owned(),
    };
    assert_eq!(heard(&Reply::Option(option.to_owned())), expected);
    for nothing in ["", " ", "bestmove", "bestmovea", "uciokay", "id", "option", "option name"] {
        assert_eq!(EngineMessage::from(nothing), EngineMessage::Other, "{nothing}");
    }
    for word_only in ["info string no error: all is well", "info string 0 errors"] {
        assert_eq!(EngineMessage::from(word_only), EngineMessage::Other, "{word_only}");
    }
}

fn input_lines(input: &[u8]) -> Vec<InputLine> {
    // A tiny buffer, so that lines are put together from parts.
    let mut input = LineReader::new(BufReader::with_capacity(7, input));
    std::iter::from_fn(|| input.next_line().ok().flatten()).collect()
}

fn text(text: &str) -> InputLine {
    InputLine::Text(text.to_owned())
}

#[test]
fn lines_come_whole_and_in_order() {
    assert_eq!(input_lines(b""), []);
    assert_eq!(input_lines(b"uci\n\nisready\r\n"), [text("uci"), text(""), text("isready")]);
    assert_eq!(input_lines(b"a line with no end"), [text("a line with no end")]);
    assert_eq!(input_lines(b"nul \0\nok"), [text("nul \0"), text("ok")]);
    // Line ends of other systems, in one part and in two.
    for cr in ["uci\risready\r", "uci\r\nisready", "123456\r\nisready\r\n"] {
        let first = cr.split('\r').next().unwrap();
        assert_eq!(input_lines(cr.as_bytes()), [text(first), text("isready")], "{cr:?}");
    }
    assert_eq!(input_lines(b"uci\r\r\n\rquit"), [text("uci"), text(""), text(""), text("quit")]);
    // A byte order mark is no part of the first line, and text of a later one.
    let marked = "\u{feff}uci\n\u{feff}d";
    assert_eq!(input_lines(marked.as_bytes()), [text("uci"), text("\u{feff}d")]);
    let utf16 = b"\xff\xfeu\0c\0i\0\n\0d\0\n\0";
    assert!(input_lines(utf16).iter().all(|line| *line == InputLine::Utf16));
}

#[test]
fn bad_lines_are_reported_and_the_next_is_read() {
    let mut input = vec![b'x'; 2 * MAX_LINE];
    input.extend_from_slice(b"\n\xff\xfe\nok\n");
    assert_eq!(input_lines(&input), [InputLine::TooLong, InputLine::NotUtf8, text("ok")]);
    let longest = "y".repeat(MAX_LINE);
    assert_eq!(input_lines(longest.as_bytes()), [text(&longest)]);
}
