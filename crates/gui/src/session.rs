//! A page that is open: its requests, its engines, what it is told.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::access::Shared;
use super::engines::RunningEngine;
use super::replies::PositionReply;
use super::reviews::{self, Limit};
use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};
use kalah_arena::games_from_text;
use kalah_games::AnnotatedGame;

/// Messages that wait for a page which is slow to read them.
const MAX_UNSENT: usize = 256;

/// Engines of a page.
const MAX_ENGINES: usize = 4;

/// Plies of a line.
const MAX_PLIES: usize = 10_000;

/// What a page can ask for.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    Replay {
        start: Option<String>,
        houses: Option<usize>,
        seeds: Option<u16>,
        capture: String,
        moves: String,
    },
    Start {
        engine: usize,
        name: String,
    },
    Send {
        name: String,
        line: String,
    },
    End {
        name: String,
    },
    Read {
        text: String,
        capture: String,
    },
    Write {
        game: AnnotatedGame,
    },
    Review {
        game: AnnotatedGame,
        limit: Limit,
    },
    Cancel {
        request: u64,
    },
    Quit {},
}

struct Session {
    shared: Arc<Shared>,
    stop: StopToken,
    events: mpsc::Sender<String>,
    engines: HashMap<String, RunningEngine>,
    /// Reviews by the requests that asked for them.
    reviews: HashMap<u64, StopToken>,
}

/// Serves a page until it is closed.
pub(super) async fn run(socket: WebSocket, shared: Arc<Shared>, stop: &StopToken) {
    let (mut to_page, mut from_page) = socket.split();
    let (events, mut unsent) = mpsc::channel::<String>(MAX_UNSENT);
    let writer = tokio::spawn(async move {
        while let Some(text) = unsent.recv().await {
            if to_page.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
        let _ = to_page.close().await;
    });
    let mut session = Session {
        shared,
        stop: stop.child(),
        events,
        engines: HashMap::new(),
        reviews: HashMap::new(),
    };
    session.tell(session.hello()).await;
    while let Some(Ok(message)) = from_page.next().await {
        match message {
            Message::Text(text) => {
                if let Some(reply) = session.answer(&text).await {
                    session.tell(reply).await;
                }
            }
            Message::Binary(_) => {
                session.tell(json!({"id": null, "error": "messages are text"})).await;
            }
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) => {}
        }
        if writer.is_finished() {
            break;
        }
    }
    session.stop.stop();
    drop(session);
    writer.abort();
}

impl Session {
    async fn tell(&self, message: Value) {
        let _ = self.events.send(message.to_string()).await;
    }

    fn hello(&self) -> Value {
        let engines: Vec<String> = self.shared.engines.iter().map(ToString::to_string).collect();
        let levels: Vec<&str> = (0..=MAX_SKILL_LEVEL).map(skill_word).collect();
        let memory = kalah::sys::available_memory().map_or(1024, |bytes| bytes >> 20);
        json!({
            "event": "hello",
            "version": env!("CARGO_PKG_VERSION"),
            "engines": engines,
            "levels": levels,
            "threads": std::thread::available_parallelism().map_or(1, usize::from),
            "memory": memory,
            "game": self.shared.game,
        })
    }

    /// The reply to a message; `None` if it comes later.
    async fn answer(&mut self, text: &str) -> Option<Value> {
        let message: Value = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => {
                return Some(json!({"id": null, "error": format!("not JSON: {error}")}));
            }
        };
        let id = message.get("id").cloned().unwrap_or(Value::Null);
        let reply = match serde_json::from_value(message) {
            Ok(Request::Review { game, limit }) => match self.review(&id, game, limit) {
                Ok(()) => return None,
                Err(error) => Err(error),
            },
            Ok(request) => self.carry_out(request).await,
            Err(error) => Err(format!("not a request: {error}")),
        };
        Some(match reply {
            Ok(ok) => json!({"id": id, "ok": ok}),
            Err(error) => json!({"id": id, "error": error}),
        })
    }

    async fn carry_out(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Replay { start, houses, seeds, capture, moves } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let board = if let Some(start) = start {
                    Board::from_fen(&start, capture).map_err(text)?
                } else {
                    let rules = Rules::new(houses.unwrap_or(6), capture).map_err(text)?;
                    Board::start(rules, seeds.unwrap_or(4)).map_err(text)?
                };
                replay(board, &moves)
            }
            Request::Start { engine, name } => self.start(engine, name).await,
            Request::Send { name, line } => {
                let engine = self.engines.get(&name).ok_or("no engine has this name")?;
                engine.send(&line)?;
                Ok(json!({}))
            }
            Request::End { name } => {
                self.engines.remove(&name);
                Ok(json!({}))
            }
            Request::Read { text: games, capture } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let games = games_from_text(&games, capture).map_err(text)?;
                Ok(json!({"games": games}))
            }
            Request::Write { game } => Ok(json!({"text": game.to_string()})),
            Request::Cancel { request } => {
                if let Some(review) = self.reviews.remove(&request) {
                    review.stop();
                }
                Ok(json!({}))
            }
            Request::Review { .. } => Err("a review is answered later".to_owned()),
            Request::Quit {} => {
                self.shared.quit.notify_one();
                Ok(json!({}))
            }
        }
    }

    /// Begins a review, which takes the place of the last one.
    fn review(&mut self, id: &Value, game: AnnotatedGame, limit: Limit) -> Result<(), String> {
        let number = id.as_u64().ok_or("a review needs a number as its id")?;
        self.reviews.drain().for_each(|(_, review)| review.stop());
        let permit = self.shared.review().ok_or("too many reviews are running: try again later")?;
        let stop = self.stop.child();
        reviews::start(id.clone(), game, limit, permit, self.events.clone(), stop.clone())?;
        self.reviews.insert(number, stop);
        Ok(())
    }

    async fn start(&mut self, number: usize, name: String) -> Result<Value, String> {
        self.engines.remove(&name);
        let command = self.shared.engines.get(number).ok_or("there is no engine of this number")?;
        if self.engines.len() >= MAX_ENGINES {
            return Err(format!("a page has at most {MAX_ENGINES} engines"));
        }
        let permit = self.shared.engine().ok_or("too many engines are running")?;
        let started =
            RunningEngine::start(command, &name, permit, self.events.clone(), &self.stop).await;
        let engine = started.map_err(|error| format!("cannot start {command}: {error}"))?;
        self.engines.insert(name, engine);
        Ok(json!({}))
    }
}

fn replay(mut board: Board, moves: &str) -> Result<Value, String> {
    if moves.len() > MAX_PLIES {
        return Err(format!("a line has at most {MAX_PLIES} moves"));
    }
    let mut positions = vec![PositionReply::from(&board)];
    for (i, letter) in moves.chars().filter(|c| !c.is_whitespace()).enumerate() {
        let mv = board.parse_move(letter.encode_utf8(&mut [0; 4])).map_err(text)?;
        board.play(mv).map_err(|error| format!("move {}: {error}", i + 1))?;
        positions.push(PositionReply::from(&board));
    }
    serde_json::to_value(json!({"positions": positions})).map_err(text)
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
