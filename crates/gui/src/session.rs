//! A page that is open: its requests, its engines, what it is told.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use super::access::{Shared, Visitor, enter, is_token};
use super::engines::{RunningEngine, names_option};
use super::room::{Act, GameSetup};
use super::rooms::{SharedRoom, invitation};
use kalah::StopToken;
use kalah::lock::lock;
use kalah::printable::printable;
use kalah::sys::{available_memory, processors};
use kalah_client::EngineCommand;
use kalah_fair::fair_starts;
use kalah_page::{Library, ReviewRequest, answer, invalid_request, parse_message, reply};

const LIBRARY: Library = Library { read_record: Some(kalah_records::game_of_record), fair_starts };

/// MiB of memory for the tables of a review.
const REVIEW_MEBIBYTES: usize = 512;

/// Messages that wait for a page which is slow to read them.
const MAX_UNSENT: usize = 256;

/// Engines of a page.
const MAX_ENGINES: usize = 4;

/// The options that set threads or memory.
const RESOURCES: [&str; 3] = ["Threads", "Hash", "Solver"];

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
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
    Review(ReviewRequest),
    Cancel {
        request: u64,
    },
    /// Opens a room with a game, which the page then hosts.
    Open {
        key: String,
        name: String,
        game: GameSetup,
    },
    /// Enters the room that the page hosts, or is a guest of.
    Enter {
        key: String,
        name: String,
    },
    /// Does something in that room.
    Room {
        act: Act,
    },
    /// Ends it.
    Close {},
    Quit {},
}

/// Who is at the other end of a connection.
pub(super) struct Client {
    pub visitor: Visitor,
    /// Whether the page is on the machine of the server.
    pub is_own: bool,
    /// The address that the page was opened by.
    pub host: Option<IpAddr>,
}

struct Session {
    shared: Arc<Shared>,
    client: Client,
    membership: Option<RoomMembership>,
    stop: StopToken,
    events: mpsc::Sender<String>,
    engines: HashMap<String, RunningEngine>,
    /// The last review, with the number of the request that asked for it.
    review: Option<(u64, StopToken)>,
}

pub(super) async fn run(socket: WebSocket, shared: Arc<Shared>, client: Client) {
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
        stop: shared.stop.child(),
        shared,
        client,
        membership: None,
        events,
        engines: HashMap::new(),
        review: None,
    };
    session.tell(session.hello()).await;
    loop {
        let message = tokio::select! {
            message = from_page.next() => message,
            () = changed(&mut session.membership) => {
                session.tell_room().await;
                continue;
            }
        };
        let Some(Ok(message)) = message else { break };
        let reply = match message {
            Message::Text(text) => session.answer(&text).await,
            Message::Binary(_) => Some(json!({"id": null, "error": "messages are text"})),
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) => None,
        };
        if let Some(reply) = reply {
            session.tell(reply).await;
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
        let mut hello = kalah_page::hello();
        hello["engines"] = json!(distinct_names(&self.shared.engines));
        hello["threads"] = json!(processors());
        hello["memory"] = json!(available_memory().map_or(1024, |bytes| bytes >> 20));
        hello["game"] = json!(self.shared.game);
        hello["own"] = json!(self.client.is_own);
        hello["guest"] = json!(self.guest_of().is_some());
        hello
    }

    /// The reply to a message; `None` if it comes later.
    async fn answer(&mut self, text: &str) -> Option<Value> {
        let message = match parse_message(text) {
            Ok(message) => message,
            Err(reply) => return Some(reply),
        };
        let id = message.get("id").cloned().unwrap_or(Value::Null);
        // Long games take a second, and all pages share this thread.
        let answered = spawn_blocking(move || (answer(&message, LIBRARY), message)).await;
        let answer = match answered {
            Ok((Some(answer), _)) => answer,
            Ok((None, message)) => match serde_json::from_value(message) {
                Ok(request) => self.carry_out(&id, request).await.transpose()?,
                Err(error) => Err(invalid_request(&error)),
            },
            Err(error) => Err(error.to_string()),
        };
        Some(reply(&id, answer))
    }

    /// The reply to a request; `None` if it comes later.
    async fn carry_out(&mut self, id: &Value, request: Request) -> Result<Option<Value>, String> {
        self.check_guest(&request)?;
        match request {
            Request::Start { engine, name } => self.start(engine, name).await?,
            // The threads and the memory of this machine are not the guests'.
            Request::Send { line, .. }
                if self.guest_of().is_some() && names_option(&line, RESOURCES) => {}
            Request::Send { name, line } => {
                let engine = self.engines.get(&name).ok_or("no engine has this name")?;
                engine.send(&line)?;
            }
            Request::End { name } => drop(self.engines.remove(&name)),
            Request::Cancel { request } => {
                if let Some((_, review)) = self.review.take_if(|(number, _)| *number == request) {
                    review.stop();
                }
            }
            Request::Review(request) => {
                self.review(id, request)?;
                return Ok(None);
            }
            Request::Open { key, name, game } => {
                let room = self.shared.rooms.open(checked(&key)?, &game)?;
                return self.enter(room, key, &name).map(Some);
            }
            Request::Enter { key, name } => {
                let room = match self.guest_of() {
                    Some(room) => Some(Arc::clone(room)),
                    None => self.shared.rooms.of_host(checked(&key)?),
                };
                let room = room.ok_or("there is no such room any more")?;
                return self.enter(room, key, &name).map(Some);
            }
            Request::Room { act } => {
                let membership = self.membership.as_ref().ok_or("this page is in no room")?;
                lock(&membership.room).act(&membership.key, act)?;
            }
            Request::Close {} => {
                if let Some(membership) = self.membership.take() {
                    self.shared.rooms.close(&membership.key);
                }
            }
            Request::Quit {} if !self.client.is_own => {
                return Err("only a page on the machine of the server may end it".to_owned());
            }
            Request::Quit {} => self.shared.quit.notify_one(),
        }
        Ok(Some(json!({})))
    }

    /// The room that is all there is for this page, if it is a guest's.
    fn guest_of(&self) -> Option<&SharedRoom> {
        match &self.client.visitor {
            Visitor::Owner => None,
            Visitor::Guest(room) => Some(room),
        }
    }

    /// Guests play and look things up; they analyse unless the host has locked the room.
    fn check_guest(&self, request: &Request) -> Result<(), String> {
        let Some(room) = self.guest_of() else { return Ok(()) };
        match request {
            Request::Open { .. } | Request::Close {} => {
                Err("guests of a room open and close none".to_owned())
            }
            Request::Start { name, .. } if self.engines.keys().any(|running| running != name) => {
                Err("guests have one engine".to_owned())
            }
            Request::Start { .. } | Request::Send { .. } | Request::Review(_)
                if lock(room).is_locked =>
            {
                Err("the game is locked".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Enters a room, and tells its host how guests come to it.
    fn enter(&mut self, room: SharedRoom, key: String, name: &str) -> Result<Value, String> {
        checked(&key)?;
        self.membership = None;
        let (id, changes) = lock(&room).enter(&key, name)?;
        let told = match self.client.visitor {
            Visitor::Owner => invitation(&lock(&room), self.shared.address, self.client.host),
            Visitor::Guest(_) => json!({}),
        };
        self.membership =
            Some(RoomMembership { shared: Arc::clone(&self.shared), room, key, id, changes });
        Ok(told)
    }

    /// Tells the page what its room is like.
    async fn tell_room(&mut self) {
        let Some(RoomMembership { room, key, .. }) = &self.membership else { return };
        let (mut view, is_locked, has_ended) = {
            let room = lock(room);
            (room.view(key), room.is_locked, room.has_ended)
        };
        if is_locked && self.guest_of().is_some() {
            self.engines.clear();
            self.stop_review();
        }
        if has_ended {
            self.membership = None;
            view = json!({"event": "room", "code": null});
        }
        self.tell(view).await;
    }

    fn stop_review(&mut self) {
        if let Some((_, review)) = self.review.take() {
            review.stop();
        }
    }

    /// Begins a review, which takes the place of the last one. The page gets it as the reply to the request `id`.
    fn review(&mut self, id: &Value, request: ReviewRequest) -> Result<(), String> {
        let number = id.as_u64().ok_or("a review needs a number as its id")?;
        self.stop_review();
        let permit =
            enter(&self.shared.reviews).ok_or("too many reviews are running: try again later")?;
        let (id, events, stop) = (id.clone(), self.events.clone(), self.stop.child());
        self.review = Some((number, stop.clone()));
        let review = move || {
            // A page that does not keep up misses some of the events.
            let tell = |event: Value| drop(events.try_send(event.to_string()));
            let reply = request.reply(&id, REVIEW_MEBIBYTES, &stop, tell);
            drop(permit);
            let _ = events.blocking_send(reply.to_string());
        };
        let thread = std::thread::Builder::new().name("review".to_owned()).spawn(review);
        thread.map(drop).map_err(|error| format!("cannot start the review: {error}"))
    }

    async fn start(&mut self, number: usize, name: String) -> Result<(), String> {
        self.engines.remove(&name);
        let command = self.shared.engines.get(number).ok_or("there is no engine of this number")?;
        if self.engines.len() >= MAX_ENGINES {
            return Err(format!("a page has at most {MAX_ENGINES} engines"));
        }
        let permit = enter(&self.shared.processes).ok_or("too many engines are running")?;
        let started =
            RunningEngine::start(command, &name, permit, self.events.clone(), &self.stop).await;
        let engine = started.map_err(|error| format!("cannot start {command}: {error}"))?;
        self.engines.insert(name, engine);
        Ok(())
    }
}

/// That a page is in a room, which it leaves when it closes.
struct RoomMembership {
    shared: Arc<Shared>,
    room: SharedRoom,
    key: String,
    id: u64,
    changes: watch::Receiver<u64>,
}

impl Drop for RoomMembership {
    fn drop(&mut self) {
        lock(&self.room).leave(self.id);
        self.shared.rooms.left();
    }
}

/// Resolves when the room of a page has changed.
async fn changed(membership: &mut Option<RoomMembership>) {
    match membership {
        // The room holds the other end.
        Some(RoomMembership { changes, .. }) => drop(changes.changed().await),
        None => std::future::pending().await,
    }
}

/// A key that a page has made for itself.
fn checked(key: &str) -> Result<&str, String> {
    if is_token(key) { Ok(key) } else { Err("a key has 8 to 128 letters and digits".to_owned()) }
}

/// The names of engines; those of the same name have their arguments too, and then a number.
fn distinct_names(engines: &[EngineCommand]) -> Vec<String> {
    let count = |names: &[String], name: &String| names.iter().filter(|it| *it == name).count();
    let short: Vec<String> = engines.iter().map(ToString::to_string).collect();
    let long = |(name, EngineCommand { arguments, .. }): (&String, &EngineCommand)| {
        let is_alone = arguments.is_empty() || count(&short, name) == 1;
        let with_arguments = || printable(&format!("{name} {}", arguments.join(" "))).into_owned();
        if is_alone { name.clone() } else { with_arguments() }
    };
    let long: Vec<String> = short.iter().zip(engines).map(long).collect();
    let numbered = |(i, name): (usize, &String)| match count(&long[..i], name) {
        0 => name.clone(),
        earlier => format!("{name} ({})", earlier + 1),
    };
    long.iter().enumerate().map(numbered).collect()
}
