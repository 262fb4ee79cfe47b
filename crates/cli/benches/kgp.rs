//! The client of the Kalah Game Protocol against a scripted server: `cargo bench --bench kgp`.
//!
//! Prints how many requests were late, unanswered or answered by an illegal move, how many pings were not
//! answered, and what time the client adds to that of the engine.
#![allow(missing_docs)] // a program, not a library

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Parser;
use kalah_kgp::{Line, WideBoard};

#[allow(dead_code)] // each measurement needs a part of it
mod support;

use support::{Result, print_times};

#[derive(Parser)]
struct Arguments {
    /// Requests
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
    /// Requests that are open at the same time
    #[arg(long, default_value_t = 1)]
    open: usize,
    /// Milliseconds for a move
    #[arg(long, default_value_t = 5)]
    time: u32,
    /// Milliseconds after which an answer is late
    #[arg(long, default_value_t = 105)]
    limit: u32,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

struct Request {
    board: WideBoard,
    sent: Instant,
    mv: Option<u64>,
}

/// The server's side of the connection.
struct Server {
    input: BufReader<TcpStream>,
    output: TcpStream,
    next_id: u64,
}

impl Server {
    /// Sends a command and returns its number.
    fn send(&mut self, command: &str) -> std::io::Result<u64> {
        let id = self.next_id;
        self.next_id += 2;
        self.output.write_all(format!("{id} {command}\r\n").as_bytes())?;
        Ok(id)
    }

    fn line(&mut self) -> Result<Line> {
        let mut text = String::new();
        self.input.read_line(&mut text)?;
        Ok(text.parse()?)
    }
}

/// A board with a choice of moves, of the sizes that are played most.
fn random_board(random: &mut fastrand::Rng) -> Result<WideBoard> {
    loop {
        let houses = random.usize(4..=8);
        let seeds: Vec<String> =
            (0..2 * houses + 2).map(|_| random.u32(0..8).to_string()).collect();
        let board: WideBoard = format!("<{houses},{}>", seeds.join(",")).parse()?;
        if board.moves().nth(1).is_some() {
            return Ok(board);
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let seconds = f64::from(arguments.time) / 1000.0;
    // With an exact solver most answers would come before their time.
    let mut client = Command::new(env!("CARGO_BIN_EXE_kalah"))
        .args(["kgp", &listener.local_addr()?.to_string(), "--name", "bench", "--once"])
        .args(["--time", &seconds.to_string(), "--no-ponder", "--option", "Exact=false"])
        .spawn()?;
    let (output, _) = listener.accept()?;
    output.set_nodelay(true)?;
    let mut server = Server { input: BufReader::new(output.try_clone()?), output, next_id: 2 };
    server.send("kgp 1 0 1")?;
    while server.line()?.command != "mode" {}

    let mut random = fastrand::Rng::with_seed(1);
    let mut open: BTreeMap<u64, Request> = BTreeMap::new();
    let mut pings: BTreeMap<u64, Instant> = BTreeMap::new();
    let (mut asked, mut illegal, mut without_move) = (0, 0, 0);
    let (mut times, mut answers) = (Vec::new(), Vec::new());
    while asked < arguments.requests || !open.is_empty() {
        if asked < arguments.requests && open.len() < arguments.open {
            let board = random_board(&mut random)?;
            let sent = Instant::now();
            let id = server.send(&format!("state {board}"))?;
            open.insert(id, Request { board, sent, mv: None });
            asked += 1;
            if asked % 10 == 0 {
                let sent = Instant::now();
                let id = server.send("ping")?;
                pings.insert(id, sent);
            }
            continue;
        }
        let line = server.line()?;
        let Some(id) = line.reference else { continue };
        match line.command.as_str() {
            "pong" => answers.extend(pings.remove(&id).map(|sent| sent.elapsed())),
            "move" => {
                let request = open.get_mut(&id).ok_or("a move for no request")?;
                request.mv = line.number(0);
                let is_legal =
                    request.board.moves().any(|house| Some(house as u64 + 1) == request.mv);
                illegal += usize::from(!is_legal);
            }
            "yield" => {
                let request = open.remove(&id).ok_or("an answer to no request")?;
                times.push(request.sent.elapsed());
                without_move += usize::from(request.mv.is_none());
                server.output.write_all(format!("@{id} stop\r\n").as_bytes())?;
            }
            _ => {}
        }
    }
    let unanswered = pings.len();
    server.output.write_all(b"goodbye\r\n")?;
    client.wait()?;
    let limit = Duration::from_millis(arguments.limit.into());
    let late = times.iter().filter(|&&time| time > limit).count();
    let engine = Duration::from_millis(arguments.time.into());
    let mut added: Vec<Duration> = times.iter().map(|time| time.saturating_sub(engine)).collect();
    println!(
        "{} requests, {} at once: {late} late, {illegal} illegal, {without_move} without a move; \
         {} pings, {unanswered} unanswered",
        times.len(),
        arguments.open,
        answers.len() + unanswered,
    );
    print_times("added to the engine's time", &mut added);
    print_times("from ping to pong", &mut answers);
    Ok(())
}
