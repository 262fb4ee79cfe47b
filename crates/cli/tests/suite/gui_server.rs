//! The server of `kalah gui`: who may speak to it, and what becomes of engines.

use std::io::{Read, Write};
use std::net::{TcpStream, UdpSocket};

use rustix::process::Signal;
use serde_json::json;

use crate::contest::Contest;
use crate::gui::Gui;

#[test]
fn the_page_is_for_those_who_know_the_token() {
    let gui = Gui::start("");
    let host = [("Host", gui.host.as_str())];
    let (status, page) = gui.get(&format!("/?token={}", gui.token), &host);
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("<title>Kalah</title>"));
    let policy = page.to_lowercase();
    assert!(policy.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    for header in ["x-content-type-options: nosniff", "referrer-policy: no-referrer"] {
        assert!(policy.contains(header), "{header}");
    }
    let wrong = format!("/?token={}x", gui.token);
    let other = format!("/?token={}", "0".repeat(gui.token.len()));
    let shorter = format!("/?token={}", &gui.token[1..]);
    for path in ["/", "/?token=", "/?tokens=1", &wrong, &other, &shorter] {
        let (status, page) = gui.get(path, &host);
        assert_eq!(status, 403, "{path}: {page}");
        assert!(!page.contains(&gui.token), "{page}");
        assert!(page.contains("KALAH_GUI_TOKEN"), "{page}");
    }
}

#[test]
fn all_parts_of_the_page_are_there_and_nothing_comes_from_elsewhere() {
    let gui = Gui::start("");
    let host = [("Host", gui.host.as_str())];
    let compressed = [host[0], ("Accept-Encoding", "gzip, br")];
    let size = |path: &str| {
        let reply = gui.get_bytes(path, &compressed);
        assert!(
            reply.windows(23).any(|it| it.eq_ignore_ascii_case(b"content-encoding: gzip\r")),
            "{path}"
        );
        reply.len()
    };
    let later = ["puzzles.json", "puzzles-relay.json"];
    let mut files = ["app.js", "enter.js", "icon.svg"].map(str::to_owned).to_vec();
    files.extend(later.map(str::to_owned));
    let index = gui.get(&format!("/?token={}", gui.token), &host).1;
    let styles = index.split("rel=\"stylesheet\" href=\"").skip(1);
    files.extend(styles.map(|rest| rest.split_once('"').unwrap().0.to_owned()));
    let (mut seen, mut bytes) = (Vec::new(), size(&format!("/?token={}", gui.token)));
    while let Some(file) = files.pop() {
        if seen.contains(&file) {
            continue;
        }
        let (status, content) = gui.get(&format!("/{file}"), &host);
        assert_eq!(status, 200, "{file}");
        bytes += if later.contains(&file.as_str()) { 0 } else { size(&format!("/{file}")) };
        for import in content.lines().filter(|line| line.starts_with("import")) {
            let (_, path) = import.trim_end_matches(';').rsplit_once(' ').unwrap();
            files.push(path.trim_matches('"').strip_prefix("./").unwrap().to_owned());
        }
        let names = ["http://www.w3.org/", "http://127.0.0.1"];
        for (_, rest) in content.match_indices("http").map(|(at, _)| content.split_at(at)) {
            let is_address = rest.starts_with("http://") || rest.starts_with("https://");
            assert!(
                !is_address || names.iter().any(|name| rest.starts_with(name)),
                "{file}: {rest:.60}"
            );
        }
        seen.push(file);
    }
    assert!(seen.len() > 10, "{seen:?}");
    // A page loads the words of one language.
    bytes += ["en", "de"].map(|name| size(&format!("/words/{name}.js"))).into_iter().max().unwrap();
    assert!(bytes < 150_000, "{bytes} bytes");
}

#[test]
fn foreign_names_and_pages_are_refused() {
    let gui = Gui::start("");
    let (_, port) = gui.host.rsplit_once(':').unwrap();
    let path = format!("/?token={}", gui.token);
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(gui.get(&path, &[("Host", &format!("{host}:{port}"))]).0, 200, "{host}");
    }
    let foreign = ["kalah.example", "127.0.0.1.kalah.example", "192.0.2.1", "0.0.0.0", "[::2]"];
    for host in foreign {
        assert_eq!(gui.get(&path, &[("Host", &format!("{host}:{port}"))]).0, 421, "{host}");
    }
    // Without a port the host is that of port 80.
    for headers in [vec![], vec![("Host", "127.0.0.1")], vec![("Host", "127.0.0.1:1")]] {
        assert!([400, 421].contains(&gui.get(&path, &headers).0), "{headers:?}");
    }

    let own = format!("http://{}", gui.host);
    assert!(gui.try_page(&gui.token, Some(&own)).is_ok());
    let elsewhere = ["http://kalah.example", "null", "https://127.0.0.1", &own[..own.len() - 1]];
    for origin in elsewhere.into_iter().map(Some).chain([None]) {
        let status = gui.try_page(&gui.token, origin).err().expect("a page from elsewhere");
        assert_eq!(status, 403, "{origin:?}");
    }
    for token in ["", "0123456789abcdef", &gui.token[..31]] {
        assert_eq!(gui.try_page(token, Some(&own)).err().expect("a wrong token"), 403, "{token}");
    }
}

#[test]
fn paths_lead_nowhere_else() {
    let gui = Gui::start("");
    let host = [("Host", gui.host.as_str())];
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/page/../app.js",
        "/app.js/",
        "/app.js%00",
        "/types.d.ts",
        "/index.html/../../x",
        "/socket",
        "http://kalah.example/app.js",
    ] {
        let (status, reply) = gui.get(path, &host);
        assert!([400, 403, 404, 421, 426].contains(&status), "{path}: {reply}");
        assert!(!reply.contains("[package]") && !reply.contains("root:"), "{path}: {reply}");
    }
    let long = format!("/{}", "a".repeat(1 << 20));
    let mut stream = gui.connect();
    let _ = stream.write_all(format!("GET {long} HTTP/1.1\r\n").as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
    assert_eq!(gui.get("/app.js", &host).0, 200);
}

#[test]
fn many_connections_exhaust_nothing() {
    let gui = Gui::start("");
    let mut page = gui.page();
    let connections: Vec<TcpStream> =
        (0..1000).filter_map(|_| TcpStream::connect(&gui.host).ok()).collect();
    assert!(page.ask("replay", json!({"capture": "standard", "moves": "C"})).is_ok());
    drop(connections);
    // The server notices a closed connection a little later.
    let host = [("Host", gui.host.as_str())];
    let answers = || {
        let mut stream = TcpStream::connect(&gui.host).ok()?;
        let request =
            format!("GET /app.js HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", gui.host);
        stream.write_all(request.as_bytes()).ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok()?;
        reply.starts_with("HTTP/1.1 200").then_some(())
    };
    while answers().is_none() {
        std::thread::yield_now();
    }
    assert_eq!(gui.get("/app.js", &host).0, 200);

    let own = format!("http://{}", gui.host);
    let pages: Vec<_> = std::iter::from_fn(|| gui.try_page(&gui.token, Some(&own)).ok()).collect();
    assert_eq!(pages.len(), 15, "and the first one");
    assert_eq!(gui.try_page(&gui.token, Some(&own)).err().expect("too many pages"), 503);
}

#[test]
fn engines_are_driven_and_end_with_their_page() {
    let gui = Gui::start("");
    let (mut page, mut other) = (gui.page(), gui.page());
    for page in [&mut page, &mut other] {
        page.ask("start", json!({"engine": 0, "name": "south"})).unwrap();
        page.ask("send", json!({"name": "south", "line": "uci"})).unwrap();
        page.line("south", "uciok");
    }
    for line in [
        "setoption name Log File value x",
        "  setoption  name  TABLEBASE value /",
        "a\nb",
        "setoption name EvalFile value net",
        "setoption name log  file value x",
        "setoption name Book value /etc/passwd",
        "\u{feff}setoption name Log File value x",
        "please setoption name Log\u{a0}File value x",
    ] {
        assert!(page.ask("send", json!({"name": "south", "line": line})).is_err(), "{line}");
    }
    page.ask("send", json!({"name": "south", "line": "go infinite"})).unwrap();
    page.line("south", "info depth");
    for name in ["a", "b", "c"] {
        page.ask("start", json!({"engine": 0, "name": name})).unwrap();
    }
    let error = page.ask("start", json!({"engine": 0, "name": "d"})).unwrap_err();
    assert_eq!(error, "a page has at most 4 engines");
    drop(page);
    // The other page's engine does not notice.
    other.ask("send", json!({"name": "south", "line": "go nodes 1000"})).unwrap();
    other.line("south", "bestmove");
    drop(other);
    gui.contest.wait_for_process("gui --no-open --port 0");
    gui.session.signal(Signal::INT);
    let Gui { contest, mut session, .. } = gui;
    assert_eq!(session.wait().status.code(), Some(0));
    contest.assert_nobody_left();
}

#[test]
fn an_engine_that_dies_is_reported_and_can_be_started_again() {
    let contest = Contest::new();
    let kalah = env!("CARGO_BIN_EXE_kalah");
    contest.write(
        "engine.sh",
        format!("echo $$ >pid; while read -r line; do case $line in die) echo 'no \x1b[31mmore' >&2; exit 3;; esac; done | {kalah}\n"),
    );
    let gui = Gui::start_in(contest, "--port 0 --engine 'sh engine.sh' --engine /no/such/engine");
    let mut page = gui.page();
    assert_eq!(page.hello["engines"], json!(["Kalah", "sh", "engine"]));
    page.ask("start", json!({"engine": 1, "name": "a"})).unwrap();
    page.ask("send", json!({"name": "a", "line": "die"})).unwrap();
    let reason = page.ended("a");
    assert!(reason.contains("no \\u{1b}[31mmore"), "{reason}");
    assert!(page.ask("send", json!({"name": "a", "line": "uci"})).is_err());
    page.ask("start", json!({"engine": 0, "name": "a"})).unwrap();
    page.ask("send", json!({"name": "a", "line": "isready"})).unwrap();
    page.line("a", "readyok");
    let error = page.ask("start", json!({"engine": 2, "name": "b"})).unwrap_err();
    assert!(error.starts_with("cannot start engine: "), "{error}");
}

#[test]
fn a_killed_server_leaves_no_engine_behind() {
    let gui = Gui::start("");
    let mut page = gui.page();
    page.ask("start", json!({"engine": 0, "name": "a"})).unwrap();
    page.ask("send", json!({"name": "a", "line": "go infinite"})).unwrap();
    page.line("a", "info depth");
    gui.session.signal(Signal::KILL);
    let Gui { contest, mut session, .. } = gui;
    session.wait();
    contest.assert_nobody_left();
}

#[test]
fn the_page_ends_the_server() {
    let gui = Gui::start("");
    let mut page = gui.page();
    page.ask("start", json!({"engine": 0, "name": "a"})).unwrap();
    page.ask("quit", json!({})).unwrap();
    let Gui { contest, mut session, .. } = gui;
    assert_eq!(session.wait().status.code(), Some(0));
    contest.assert_nobody_left();
}

#[test]
fn guests_do_not_end_the_server() {
    let mut gui = Gui::start("--listen 0.0.0.0");
    assert_eq!(gui.page().hello["own"], true);
    // The address of this machine in its network, if it is in one.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let address = socket.connect("192.0.2.1:9").and_then(|()| socket.local_addr());
    let Some(ip) = address.ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback()) else {
        eprintln!("not tested: this machine is in no network");
        return;
    };
    let (_, port) = gui.host.rsplit_once(':').unwrap();
    gui.host = format!("{ip}:{port}");
    let mut page = gui.page();
    assert_eq!(page.hello["own"], false);
    let error = page.ask("quit", json!({})).unwrap_err();
    assert!(error.contains("on the machine of the server"), "{error}");
    assert!(page.ask("replay", json!({"capture": "standard", "moves": "C"})).is_ok());
}

#[test]
fn slow_clients_do_not_keep_others_out() {
    let gui = Gui::start("");
    let mut page = gui.page();
    // More than there are places: some say nothing, some half a request, some no more after one.
    let beginnings =
        ["", "GET /app.js HTTP/1.1\r\nHost: ", "GET /icon.svg HTTP/1.1\r\nHost: x\r\n\r\n"];
    let mut slow = Vec::new();
    for beginning in beginnings.iter().cycle().take(300) {
        let mut stream = gui.connect();
        let _ = stream.write_all(beginning.as_bytes());
        slow.push(stream);
    }
    // The server ends each of them, though no client does.
    for mut stream in slow {
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert_eq!(gui.get("/app.js", &[("Host", gui.host.as_str())]).0, 200);
    assert!(page.ask("replay", json!({"capture": "standard", "moves": "C"})).is_ok());
}

#[test]
fn all_pages_together_have_sixteen_engines() {
    let gui = Gui::start("");
    let mut pages: Vec<_> = (0..4).map(|_| gui.page()).collect();
    for page in &mut pages {
        for name in ["a", "b", "c", "d"] {
            page.ask("start", json!({"engine": 0, "name": name})).unwrap();
        }
    }
    let mut late = gui.page();
    let start = json!({"engine": 0, "name": "a"});
    assert_eq!(late.ask("start", start.clone()).unwrap_err(), "too many engines are running");
    // An engine that begins again takes its own place, and one that ends makes place.
    pages[0].ask("end", json!({"name": "d"})).unwrap();
    while late.ask("start", start.clone()).is_err() {
        std::thread::yield_now();
    }
    drop(pages);
    late.ask("send", json!({"name": "a", "line": "isready"})).unwrap();
    late.line("a", "readyok");
}

#[test]
fn ctrl_c_ends_engines_of_open_pages() {
    for end in [Signal::INT, Signal::TERM] {
        let gui = Gui::start("");
        let mut pages = [gui.page(), gui.page()];
        for page in &mut pages {
            page.ask("start", json!({"engine": 0, "name": "a"})).unwrap();
            page.ask("send", json!({"name": "a", "line": "go infinite"})).unwrap();
            page.line("a", "info depth");
        }
        gui.session.signal(end);
        let Gui { contest, mut session, .. } = gui;
        assert_eq!(session.wait().status.code(), Some(0));
        contest.assert_nobody_left();
    }
}

#[test]
fn a_server_for_a_network_needs_the_token_and_says_so() {
    let gui = Gui::start("--listen 0.0.0.0");
    let (_, port) = gui.host.rsplit_once(':').unwrap();
    let path = format!("/?token={}", gui.token);
    for (host, status) in [("192.0.2.7", 200), ("localhost", 200), ("kalah.example", 421)] {
        let host = format!("{host}:{port}");
        assert_eq!(gui.get(&path, &[("Host", &host)]).0, status, "{host}");
        assert_ne!(gui.get("/", &[("Host", &host)]).0, 200, "{host}");
    }
    let own = format!("http://{}", gui.host);
    assert_eq!(gui.try_page("", Some(&own)).err().expect("no token"), 403);
    gui.session.signal(Signal::TERM);
    let Gui { mut session, .. } = gui;
    let errors = session.wait().errors;
    assert!(errors.contains("Everybody who knows this address"), "{errors}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_answers_to_the_address_that_it_listens_on() {
    let gui = Gui::start("--listen 127.0.0.2");
    assert!(gui.host.starts_with("127.0.0.2:"), "{}", gui.host);
    assert_eq!(gui.get(&format!("/?token={}", gui.token), &[("Host", &gui.host)]).0, 200);
}

#[test]
fn the_log_does_not_have_the_token() {
    let token = "a-token-that-nobody-logs";
    let variables = [("KALAH_GUI_TOKEN", token), ("RUST_LOG", "trace")];
    let gui = Gui::start_with_environment(Contest::new(), "gui --no-open --port 0", &variables);
    assert_eq!(gui.token, token);
    let mut page = gui.page();
    assert_eq!(gui.get(&format!("/?token={token}"), &[("Host", &gui.host)]).0, 200);
    page.ask("start", json!({"engine": 0, "name": "a"})).unwrap();
    page.ask("quit", json!({})).unwrap();
    let Gui { contest, mut session, .. } = gui;
    let errors = session.wait().errors;
    assert!(!errors.contains(token), "{errors}");
    for token in ["short", "with spaces in it", "a&token=of-another", &"x".repeat(200)] {
        let mut session =
            contest.start_with("gui --no-open --port 0", &[("KALAH_GUI_TOKEN", token)]);
        let ended = session.wait();
        assert_eq!(ended.status.code(), Some(1), "{token}");
        assert!(ended.errors.contains("a token has 8 to 128"), "{}", ended.errors);
    }
}

#[test]
fn two_servers_find_two_ports() {
    let [one, other] = [0; 2].map(|_| Gui::start_in(Contest::new(), ""));
    assert_ne!(one.host, other.host);
    assert_ne!(one.token, other.token);
    for gui in [&one, &other] {
        gui.page();
    }
    // Neither knows the other's token.
    let origin = format!("http://{}", other.host);
    assert_eq!(other.try_page(&one.token, Some(&origin)).err().expect("a foreign token"), 403);
}

#[test]
fn wrong_arguments_are_refused() {
    let contest = Contest::new();
    contest.refused("gui --no-open --engine ''", 2, "an engine needs a command");
    contest.refused("gui --no-open --engine \"'\"", 2, "quotation mark");
    let foreign = "kalah: cannot listen on 192.0.2.1:5252: ";
    contest.refused("gui --no-open --listen 192.0.2.1", 1, foreign);
    let gui = Gui::start("");
    let (_, port) = gui.host.rsplit_once(':').unwrap();
    let taken = format!("kalah: cannot listen on 127.0.0.1:{port}: ");
    contest.refused(&format!("gui --no-open --port {port}"), 1, &taken);
    let kgp = "kgp serve --listen 127.0.0.1";
    contest.refused(&format!("{kgp} --port {port}"), 1, &taken);
    contest.refused(&format!("{kgp} --port 0 --web {port}"), 1, &taken);
}
