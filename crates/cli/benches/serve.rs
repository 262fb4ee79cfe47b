//! Requests to `kalah serve`, and how long their answers take: `cargo bench --bench serve`.
//!
//! Without `--time` it asks about positions of the book, after each was asked once; with it about middle games that have to
//! be searched. Times count from the moment when a request was due, also if the one before it was late. With `--servers N`
//! the connections go to N servers by turns, as a balancer would send them.
#![allow(missing_docs)] // a program, not a library

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use kalah::board::{Board, Rules};
use kalah::book::Book;

#[allow(dead_code)] // each measurement needs a part of it
mod support;

use support::{Result, play_randomly, quantile};

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
    /// Seeds in each house of the start of the middle games
    #[arg(long, default_value_t = 6)]
    seeds: u16,
    /// Servers
    #[arg(long, default_value_t = 1)]
    servers: usize,
    /// More arguments of the servers
    #[arg(long, default_value = "")]
    server: String,
    /// A server that runs already
    #[arg(long)]
    host: Option<String>,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// A running server, which ends with this value.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(arguments: &str) -> Result<Server> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        command.args("serve --listen 127.0.0.1:0 --rate 0 --client-searches 1000".split(' '));
        command.args(arguments.split_whitespace()).stdout(Stdio::piped());
        let mut server = Server { child: command.spawn()?, host: String::new() };
        let output = server.child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        line.trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .clone_into(&mut server.host);
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time that a process has taken, where the system tells it in /proc. The field before these numbers is
/// the name of the program, in brackets.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks =
        fields.split(' ').skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>().ok()?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_: u32) -> Option<Duration> {
    None
}

/// A connection that is kept for many requests.
struct Connection {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Connection {
    fn new(host: &str) -> Result<Connection> {
        let output = TcpStream::connect(host)?;
        output.set_nodelay(true)?;
        Ok(Connection { input: BufReader::new(output.try_clone()?), output })
    }

    /// The status of the reply to a request.
    fn ask(&mut self, path: &str) -> Result<u16> {
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

/// Middle games by random moves.
fn middle_games(number: usize, seeds: u16) -> Result<Vec<Board>> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut boards = Vec::new();
    while boards.len() < number {
        let mut board = Board::start(Rules::default(), seeds)?;
        play_randomly(&mut board, random.usize(4..20), &mut random)?;
        if !board.is_over() {
            boards.push(board);
        }
    }
    Ok(boards)
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { requests, connections, rate, time, .. } = arguments;
    let boards = if time == 0 {
        let book = Book::embedded().ok_or("no book")?;
        let step = (book.positions() as usize / POSITIONS).max(1);
        let boards = book.iter().step_by(step).map(|entry| entry.map(|(board, _)| board));
        boards.collect::<Result<Vec<_>, _>>()?
    } else {
        middle_games(requests, arguments.seeds)?
    };
    let paths: Vec<String> = boards.iter().map(|board| path(board, time)).collect();
    let servers = if arguments.host.is_some() { 0 } else { arguments.servers.max(1) };
    let servers = (0..servers).map(|_| Server::start(&arguments.server));
    let servers = servers.collect::<Result<Vec<Server>, _>>()?;
    let hosts: Vec<&str> = arguments
        .host
        .iter()
        .chain(servers.iter().map(|server| &server.host))
        .map(|it| &**it)
        .collect();
    if time == 0 {
        for host in &hosts {
            let mut connection = Connection::new(host)?;
            for path in &paths {
                connection.ask(path)?;
            }
        }
    }
    let time_of_servers =
        || servers.iter().map(|server| processor_time(server.child.id())).sum::<Option<Duration>>();
    let time_of_clients = || processor_time(std::process::id());
    let before = (time_of_servers(), time_of_clients());
    let start = Instant::now();
    let ask_all = |number: usize| -> Result<Vec<_>> {
        let mut connection = Connection::new(hosts[number % hosts.len()])?;
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
        Ok(replies)
    };
    let replies = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..connections).map(|number| scope.spawn(move || ask_all(number))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| "a panic")?);
        joined.collect::<Result<Vec<_>>>()
    });
    let all = start.elapsed().as_secs_f64();
    let times = (time_of_servers().zip(before.0)).zip(time_of_clients().zip(before.1));
    drop(servers);
    let mut statuses = BTreeMap::<u16, usize>::new();
    let mut waits: Vec<Duration> = Vec::new();
    for (wait, status) in replies?.into_iter().flatten() {
        *statuses.entry(status).or_default() += 1;
        waits.push(wait);
    }
    println!("{:.0} requests a second, by status {statuses:?}", requests as f64 / all);
    let millis = |part| quantile(&mut waits, part).as_secs_f64() * 1e3;
    let [median, most, last, max] = [0.5, 0.99, 0.999, 1.0].map(millis);
    if let Some((of_servers, of_clients)) = times {
        let each = |(after, before): (Duration, Duration)| {
            after.saturating_sub(before).as_secs_f64() * 1e3 / requests as f64
        };
        println!(
            "processor time a request: servers {:.3} ms, clients {:.3}",
            each(of_servers),
            each(of_clients)
        );
    }
    println!("median {median:.2} ms, 99 % in {most:.2}, 99.9 % in {last:.2}, at most {max:.2}");
    if time > 0 {
        let limit = Duration::from_millis(time) + LATE;
        let late = waits.iter().filter(|&&wait| wait > limit).count();
        println!("{late} of {requests} later than {time} ms and {} ms", LATE.as_millis());
    }
    Ok(())
}
