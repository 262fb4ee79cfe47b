//! Requests to `kalah serve`, and how long their answers take: `cargo bench --bench serve`.
//!
//! Without `--time` it asks about positions of the book, after each was asked once; with it about middle games that have to
//! be searched. Times count from the moment when a request was due, also if the one before it was late.
#![allow(missing_docs)] // a program, not a library

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use kalah::board::{Board, Rules};
use kalah::book::Book;

/// Positions of the book that are asked about.
const POSITIONS: usize = 1000;

/// A request with a time is late this long after it.
const LATE: Duration = Duration::from_millis(20);

#[derive(Parser)]
struct Arguments {
    /// Requests
    #[arg(long, default_value_t = 20_000)]
    requests: usize,
    /// Connections at the same time
    #[arg(long, default_value_t = 8)]
    connections: usize,
    /// Requests a second; 0 for as many as are answered
    #[arg(long, default_value_t = 1000)]
    rate: u32,
    /// Milliseconds for a position that has to be searched; 0 for positions of the book
    #[arg(long, default_value_t = 0)]
    time: u64,
    /// More arguments of the server
    #[arg(long, default_value = "")]
    server: String,
    /// A server that runs already
    #[arg(long)]
    host: Option<String>,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// A connection that is kept for many requests.
struct Connection {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Connection {
    fn new(host: &str) -> Result<Connection, Box<dyn Error + Send + Sync>> {
        let output = TcpStream::connect(host)?;
        output.set_nodelay(true)?;
        Ok(Connection { input: BufReader::new(output.try_clone()?), output })
    }

    /// The status of the reply to a request.
    fn ask(&mut self, path: &str) -> Result<u16, Box<dyn Error + Send + Sync>> {
        self.output.write_all(format!("GET {path} HTTP/1.1\r\nHost: kalah\r\n\r\n").as_bytes())?;
        let (mut line, mut status, mut length) = (String::new(), 0, 0);
        loop {
            line.clear();
            self.input.read_line(&mut line)?;
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse()?;
            }
            if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = rest.trim().parse()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.input.read_exact(&mut body)?;
        Ok(status)
    }
}

/// The path of a request.
fn path(board: &Board, time: u64) -> String {
    let mut path = "/v1/position?board=".to_owned();
    for byte in board.fen().bytes() {
        // Writing to a string cannot fail.
        let _ = write!(path, "%{byte:02x}");
    }
    if time > 0 {
        let _ = write!(path, "&time={time}");
    }
    path
}

/// Middle games of Kalah(6,6) by random moves.
fn middle_games(number: usize) -> Result<Vec<Board>, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut boards = Vec::new();
    while boards.len() < number {
        let mut board = Board::start(Rules::default(), 6)?;
        for _ in 0..random.usize(4..20) {
            let moves: Vec<_> = board.moves().collect();
            if let Some(&mv) = random.choice(&moves) {
                board.play(mv)?;
            }
        }
        if !board.is_over() {
            boards.push(board);
        }
    }
    Ok(boards)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Arguments { requests, connections, rate, time, .. } = arguments;
    let boards = if time == 0 {
        let book = Book::embedded().ok_or("no book")?;
        let step = (book.positions() as usize / POSITIONS).max(1);
        let boards = book.iter().step_by(step).map(|entry| entry.map(|(board, _)| board));
        boards.collect::<Result<Vec<_>, _>>()?
    } else {
        middle_games(requests)?
    };
    let paths: Vec<String> = boards.iter().map(|board| path(board, time)).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.args("serve --listen 127.0.0.1:0 --rate 0 --client-searches 1000".split(' '));
    command.args(arguments.server.split_whitespace()).stdout(Stdio::piped());
    let mut server = None;
    let host = if let Some(host) = &arguments.host {
        host.clone()
    } else {
        let running = server.insert(command.spawn()?);
        let mut line = String::new();
        BufReader::new(running.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned()
    };
    if time == 0 {
        let mut connection = Connection::new(&host).map_err(|error| error.to_string())?;
        for path in &paths {
            connection.ask(path).map_err(|error| error.to_string())?;
        }
    }
    let start = Instant::now();
    let ask_all = |number: usize| {
        let mut connection = Connection::new(&host)?;
        let mut replies = Vec::new();
        for request in (number..requests).step_by(connections) {
            let mut due = Instant::now();
            if rate > 0 {
                due = start + Duration::from_secs_f64(request as f64 / f64::from(rate));
                thread::sleep(due.saturating_duration_since(Instant::now()));
            }
            let status = connection.ask(&paths[request % paths.len()])?;
            replies.push((due.elapsed(), status));
        }
        Ok::<_, Box<dyn Error + Send + Sync>>(replies)
    };
    let replies = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..connections).map(|number| scope.spawn(move || ask_all(number))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| "a panic")?);
        joined.collect::<Result<Vec<_>, Box<dyn Error + Send + Sync>>>()
    });
    let all = start.elapsed().as_secs_f64();
    if let Some(mut server) = server {
        server.kill()?;
        server.wait()?;
    }
    let replies = replies.map_err(|error| error.to_string())?;
    let mut statuses = BTreeMap::<u16, usize>::new();
    let mut times: Vec<Duration> = Vec::new();
    for (time, status) in replies.into_iter().flatten() {
        *statuses.entry(status).or_default() += 1;
        times.push(time);
    }
    times.sort_unstable();
    let millis = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!("{:.0} requests a second, by status {statuses:?}", requests as f64 / all);
    let [median, most, last, max] = [0.5, 0.99, 0.999, 1.0].map(millis);
    println!("median {median:.2} ms, 99 % in {most:.2}, 99.9 % in {last:.2}, at most {max:.2}");
    if time > 0 {
        let limit = Duration::from_millis(time) + LATE;
        let late = times.iter().filter(|&&time| time > limit).count();
        println!("{late} of {requests} later than {time} ms and {} ms", LATE.as_millis());
    }
    Ok(())
}
