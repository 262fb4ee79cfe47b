//! What `kalah serve` answers: values, where they come from, what may be cached, and what is refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::contest::Contest;
use crate::exact_values::exact_values;
use crate::serve::{Serve, position};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";

/// A middle game that no book has.
const MIDDLE: &str = "<6,6,9,0,3,0,1,4,0,1,0,0,0,0,1> S";

/// The margins of the moves of an answer.
#[track_caller]
fn margins(value: &Value) -> BTreeMap<String, i64> {
    let moves = value["moves"].as_array().unwrap().iter();
    moves
        .map(|of| (of["move"].as_str().unwrap().to_owned(), of["margin"].as_i64().unwrap()))
        .collect()
}

/// The letters of a line.
fn pv(of_move: &Value) -> Vec<&str> {
    of_move["pv"].as_array().unwrap().iter().map(|letter| letter.as_str().unwrap()).collect()
}

#[test]
fn the_book_is_asked_first_and_values_are_the_movers() {
    let serve = Serve::start("");
    let value = serve.get(&position(START, "")).value();
    let of_start = [("A", -14), ("B", -10), ("C", 8), ("D", -2), ("E", -8), ("F", 4)];
    let expected = of_start.map(|(letter, margin)| (letter.to_owned(), margin)).into();
    assert_eq!(margins(&value), expected);
    assert_eq!(value["fen"], format!("{START} S"));
    assert_eq!((&value["capture"], &value["sowing"]), (&json!("standard"), &json!("single")));
    let of_position = ["margin", "lower", "upper", "proven", "source"].map(|name| &value[name]);
    assert_eq!(of_position, [&json!(8), &json!(8), &json!(8), &json!(true), &json!("book")]);
    let best = &value["moves"][0];
    assert_eq!((&best["move"], &pv(best)[..3]), (&json!("C"), &["C", "F", "b"][..]));
    assert!(best.get("depth").is_none(), "{best}");
    // The same houses for North, who is ahead by 3.
    let north = serve.get(&position("<6,1,4,4,4,4,4,4,4,4,4,4,4,4,4> N", "")).value();
    assert_eq!((&north["margin"], &north["moves"][0]["move"]), (&json!(11), &json!("c")));
}

#[test]
fn values_are_those_of_the_solver() {
    let serve = Serve::start("--max-time 600000 --hash 16");
    for (fen, rules) in [
        (MIDDLE, ""),
        (MIDDLE, " --capture empty"),
        ("<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> N", ""),
        ("<4,0,0,2,2,2,2,2,2,2,2> S", " --sowing relay"),
    ] {
        let query = rules.replace(" --", "&").replace(' ', "=");
        let value = serve.get(&position(fen, &format!("{query}&time=600000"))).value();
        let solved = serve.contest.played(&format!("solve --fen '{fen}' --moves --json{rules}")).0;
        let solved: Value = serde_json::from_str(&solved).unwrap();
        assert_eq!(value["proven"], true, "{fen}{rules}");
        assert_eq!(json!(margins(&value)), solved["moves"], "{fen}{rules}");
        for name in ["fen", "capture", "sowing", "margin"] {
            assert_eq!(value[name], solved[name], "{fen}{rules}");
        }
        assert_eq!(value["source"], "search");
    }
}

#[test]
fn what_is_said_to_be_proven_is_exact() {
    let serve = Serve::start("--hash 8");
    let boards: Vec<_> = exact_values().into_iter().step_by(41).collect();
    let positions: Vec<Value> = boards
        .iter()
        .map(|exact| json!({"board": exact.fen, "capture": exact.capture.to_string()}))
        .collect();
    let body = json!({"positions": positions, "time": 1500}).to_string();
    let answer = serve.ask("POST /v1/positions", &body).value();
    let values = answer["positions"].as_array().unwrap();
    assert_eq!(values.len(), boards.len());
    for (exact, value) in boards.iter().zip(values) {
        let fen = &exact.fen;
        let check = |of: &Value, margin: i32| {
            let [lower, upper, found] =
                ["lower", "upper", "margin"].map(|it| of[it].as_i64().unwrap());
            assert!((lower..=upper).contains(&i64::from(margin)), "{fen}: {margin}, {of}");
            assert!((lower..=upper).contains(&found), "{fen}: {of}");
            assert_eq!(of["proven"], lower == upper, "{fen}: {of}");
        };
        check(value, exact.value);
        assert_eq!(value["moves"].as_array().unwrap().len(), exact.moves.len(), "{fen}");
        for of in value["moves"].as_array().unwrap() {
            let letter = of["move"].as_str().unwrap().to_ascii_lowercase();
            check(of, exact.moves[&letter.chars().next().unwrap()]);
        }
    }
}

#[test]
fn each_source_has_its_name() {
    let contest = Contest::new();
    contest.played("tablebase build tables --houses 3 --seeds 8 -q");
    let (solved, _) = contest.played("solve --houses 4 --seeds 3 --moves --json");
    let lines = r#""lines":{"A":"","B":"CA","C":"C","D":"!"}}"#;
    contest.write("store", format!("{},{lines}\n", solved.trim_end().strip_suffix('}').unwrap()));
    let serve = Serve::start_in(contest, "--tablebase tables --store store");
    let over = serve.get(&position("<3,7,4,0,0,0,2,1,0> N", "")).value();
    assert_eq!(
        (&over["source"], &over["margin"], &over["moves"]),
        (&json!("over"), &json!(0), &json!([]))
    );
    let table = serve.get(&position("<3,5,5,0,1,4,2,0,1>", "")).value();
    assert_eq!((&table["source"], &table["proven"]), (&json!("tablebase"), &json!(true)));
    // A line from tables is played to the end.
    let line = pv(&table["moves"][0]).join("");
    let solve = "solve --fen '<3,5,5,0,1,4,2,0,1>' --moves --json";
    let solved: Value = serde_json::from_str(&serve.contest.played(solve).0).unwrap();
    assert_eq!(json!(margins(&table)), solved["moves"]);
    let mut board =
        kalah::Board::from_fen("<3,5,5,0,1,4,2,0,1>", kalah::Capture::Standard).unwrap();
    board.play_moves(&line).unwrap();
    assert_eq!(board.result().map(i64::from), table["margin"].as_i64(), "{line}");
    // A line of `kalah solve` serves the other side, too, with other stores.
    let stored = serve.get(&position("<4,9,2,3,3,3,3,3,3,3,3> N", "")).value();
    let solve = "solve --fen '<4,9,2,3,3,3,3,3,3,3,3> N' --moves --json";
    let solved: Value = serde_json::from_str(&serve.contest.played(solve).0).unwrap();
    assert_eq!(
        (&stored["source"], json!(margins(&stored))),
        (&json!("store"), solved["moves"].clone())
    );
    // A line that does not begin with its move is none of it.
    let same = serve.get(&position("<4,0,0,3,3,3,3,3,3,3,3>", "")).value();
    for of in same["moves"].as_array().unwrap() {
        assert_eq!(of["pv"], json!([of["move"]]), "{same}");
    }
    let empty = serve.get(&position("<4,9,2,3,3,3,3,3,3,3,3> N", "&capture=empty")).value();
    assert_eq!(empty["source"], "search", "other rules");
    for (source, count) in [("over", 1.0), ("tablebase", 1.0), ("store", 2.0), ("search", 1.0)] {
        let name = format!("kalah_positions_total{{source=\"{source}\"}}");
        assert!((serve.metric(&name) - count).abs() < 0.5, "{source}");
    }
}

#[test]
fn proven_answers_may_be_kept_and_are_the_same_of_all_servers() {
    let [one, two] = [Serve::start(""), Serve::start("")];
    let path = position(START, "");
    let [first, second] = [one.get(&path), two.get(&path)];
    assert_eq!((&first.body, first.header("etag")), (&second.body, second.header("etag")));
    assert_eq!(first.header("cache-control"), Some("public, max-age=86400"));
    let etag = first.header("etag").unwrap();
    assert_eq!(one.get(&path).body, first.body);
    assert!((one.metric("kalah_positions_total{source=\"cache\"}") - 1.0).abs() < 0.5);
    for tags in [etag.to_owned(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let kept = one.ask(&format!("GET {path}\nIf-None-Match: {tags}"), "");
        assert_eq!((kept.status, kept.body.as_str()), (304, ""), "{tags}");
        assert_eq!(kept.header("etag"), Some(etag));
    }
    assert_eq!(one.ask(&format!("GET {path}\nIf-None-Match: \"x\""), "").status, 200);
    // An estimate may become better.
    let estimate = one.get(&position("<6,0,0,9,9,9,9,9,9,9,9,9,9,9,9>", "&time=500"));
    assert_eq!(estimate.value()["proven"], false);
    assert_eq!(
        (estimate.header("etag"), estimate.header("cache-control")),
        (None, Some("no-store"))
    );
    assert!(estimate.json()["moves"][0]["depth"].as_u64() > Some(0), "{estimate:?}");
}

#[test]
fn wrong_requests_have_one_clear_answer() {
    let serve = Serve::start("--max-positions 2");
    let many = json!({"positions": vec![json!({"board": START}); 3]}).to_string();
    let long = " ".repeat(1 << 16);
    let cases: &[(&str, &str, u16, &str)] = &[
        ("GET /v1/position", "", 400, "missing field `board`"),
        ("GET /v1/position?board=", "", 400, "board: "),
        ("GET /v1/position?board=%3C6,0,0,4%3E", "", 400, "board: "),
        ("GET /v1/position?board=%ff", "", 400, "board: "),
        ("GET /v1/position?bord=x", "", 400, "unknown field `bord`"),
        ("GET /v1/position?board=x&time=soon", "", 400, "time: expected a whole number from 1 on"),
        ("GET /v1/position?board=x&time=0", "", 400, "time: expected a whole number from 1 on"),
        ("GET /v1/position?board=x&time=-5", "", 400, "time: expected a whole number from 1 on"),
        ("GET /v1/position?board=x&capture=all", "", 400, "capture: unknown capture rule 'all'"),
        ("GET /v1/position?board=x&capture=Empty", "", 400, "capture: 'Empty' is written 'empty'"),
        ("GET /v1/position?board=x&sowing=x", "", 400, "sowing: "),
        ("GET /v1/position?board=x&sowing=RELAY", "", 400, "sowing: 'RELAY' is written 'relay'"),
        ("POST /v1/position", "", 405, "another method"),
        ("GET /v1/positions", "", 405, "another method"),
        ("DELETE /health", "", 405, "another method"),
        ("GET /", "", 404, "/v1/position"),
        ("GET /v1/../etc/passwd", "", 404, "/v1/position"),
        ("POST /v1/positions", "", 400, "the body: it ends too early"),
        ("POST /v1/positions", "[", 400, "the body: "),
        ("POST /v1/positions", "\u{0}", 400, "the body: "),
        ("POST /v1/positions", "{}", 400, "missing field `positions`"),
        ("POST /v1/positions", r#"{"positions": []}"#, 400, "1 to 2"),
        ("POST /v1/positions", &many, 400, "1 to 2"),
        (
            "POST /v1/positions",
            r#"{"positions": [{}]}"#,
            400,
            "positions[0]: missing field `board`",
        ),
        (
            "POST /v1/positions",
            r#"{"positions": [["x"]]}"#,
            400,
            "positions[0]: expected an object",
        ),
        ("POST /v1/positions", "[[]]", 400, "the body: expected an object"),
        (
            "POST /v1/positions",
            r#"{"positions": [{"board": "x", "x": 1}]}"#,
            400,
            "positions[0].x: ",
        ),
        (
            "POST /v1/positions",
            r#"{"positions": [{"board": 5}]}"#,
            400,
            "positions[0].board: invalid type: integer `5`, expected a string",
        ),
        ("POST /v1/positions", r#"{"positions": [{"board": "x"}]}"#, 400, "positions[0].board: "),
        ("POST /v1/positions", r#"{"positions": [], "time": 1e99}"#, 400, "time: "),
        ("POST /v1/positions", r#"{"positions": [], "tim": 1}"#, 400, "unknown field `tim`"),
        ("POST /v1/positions", &long, 413, "length limit"),
    ];
    for (request, body, status, named) in cases {
        let reply = serve.ask(request, body);
        assert_eq!(reply.status, *status, "{request} {body:.80}: {reply:?}");
        let json = reply.json();
        assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
        let error = json["error"].as_str().unwrap();
        assert!(error.contains(named), "{request} {body:.80}: '{named}' is not in '{error}'");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    // What is no request of HTTP comes to none of the paths.
    let (long, many) = (format!("GET /{}", "x".repeat(1 << 16)), "\nx: y".repeat(200));
    for (request, status) in [(long, 414), (format!("GET /{many}"), 431), ("GET".to_owned(), 400)] {
        let reply = serve.ask(&request, "");
        assert_eq!((reply.status, reply.body.as_str()), (status, ""), "{request:.80}");
    }
    assert_eq!(serve.get("/health").value(), json!({"status": "ok"}));
    let contest = Contest::new();
    contest.write("store", "{\"fen\": 5}\n");
    contest.refused("serve --listen 127.0.0.1:0 --store store", 1, "line 1");
    contest.write("store", "{\"fen\":\"<1,0,0,1,1>\",\"capture\":\"empty\",\"sowing\":\"single\",\"moves\":{\"B\":0}}\n");
    contest.refused("serve --listen 127.0.0.1:0 --store store", 1, "not the moves of the board");
    contest.write("store", "{\"fen\":\"<1,0,0,1,1>\",\"capture\":\"empty\",\"sowing\":\"single\",\"moves\":{\"A\":2147483647}}\n");
    contest.refused("serve --listen 127.0.0.1:0 --store store", 1, "the margin 2147483647");
    contest.refused("serve --listen 127.0.0.1:0 --tablebase nowhere", 1, "nowhere");
    contest.refused("serve --listen nowhere", 2, "--listen");
    let taken = format!("kalah: cannot listen on {}: ", serve.host);
    contest.refused(&format!("serve --listen {}", serve.host), 1, &taken);
}

#[test]
fn answers_are_valid_by_the_document_of_the_interface() {
    let serve = Serve::start("");
    let document = serve.get("/openapi.json").value();
    assert_eq!(document["openapi"], "3.1.0");
    let check = |method: &str, path: &str, status: u16, answer: &Value| {
        let responses = &document["paths"][path][method]["responses"];
        let schema = &responses[status.to_string()]["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{method} {path} {status}");
        let schema = json!({"allOf": [schema], "components": document["components"]});
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(answer).map(|it| it.to_string()).collect();
        assert_eq!(errors, [""; 0], "{answer}");
    };
    for path in [position(START, ""), position(MIDDLE, "&time=50"), position("<1,1,1,0,0>", "")] {
        check("get", "/v1/position", 200, &serve.get(&path).value());
    }
    let body = json!({"positions": [{"board": START}, {"board": MIDDLE}], "time": 50}).to_string();
    check("post", "/v1/positions", 200, &serve.ask("POST /v1/positions", &body).value());
    check("get", "/v1/position", 400, &serve.get("/v1/position").json());
    check("post", "/v1/positions", 400, &serve.ask("POST /v1/positions", "{").json());
    check("get", "/health", 200, &serve.get("/health").value());
}

#[test]
fn pages_of_other_origins_may_ask_if_they_are_named() {
    let serve = Serve::start("--cors https://kalah.example");
    let allowed = |origin: &str| {
        let reply = serve.ask(&format!("GET {}\nOrigin: {origin}", position(START, "")), "");
        reply.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(allowed("https://kalah.example").as_deref(), Some("https://kalah.example"));
    assert_eq!(allowed("https://other.example"), None);
    let asks = "Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type";
    let preflight = format!("OPTIONS /v1/positions\nOrigin: https://kalah.example\n{asks}");
    let reply = serve.ask(&preflight, "");
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.header("access-control-allow-methods").is_some_and(|it| it.contains("POST")));
    let nobody = Serve::start("");
    let reply = nobody.ask("GET /health\nOrigin: https://kalah.example", "");
    assert_eq!(reply.header("access-control-allow-origin"), None);
}

#[test]
fn the_clients_of_the_manual_work() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/serve.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let serve = Serve::start("");
    let block = |language: &str| {
        let (_, rest) = manual.split_once(&format!("```{language}\n")).expect(language);
        let code = rest.split_once("```").unwrap().0;
        assert!(code.lines().count() <= 10, "ten lines: {code}");
        code.replace("127.0.0.1:5253", &serve.host)
    };
    for (language, program, arguments) in [
        ("sh", "sh", vec!["-ec"]),
        ("python", "python3", vec!["-c"]),
        ("js", "node", vec!["--input-type=module", "-e"]),
    ] {
        let code = block(language);
        let ran = Command::new(program).args(&arguments).arg(&code).output();
        let Ok(ran) = ran else {
            eprintln!("no {program}: its client was not tested");
            continue;
        };
        let (output, errors) =
            [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it)).into();
        if language == "sh" && errors.contains("curl: ") && errors.contains("not found") {
            eprintln!("no curl: its client was not tested");
            continue;
        }
        assert!(ran.status.success(), "{language}: {errors}");
        assert!(output.contains('C') && output.contains('8'), "{language}: {output}");
    }
}
