//! A game that several pages share: who sits where, who watches, and what each may do.
//!
//! The room keeps the game and checks every move by the rules. After each change every page is told all
//! of it, so that a page which missed something knows everything again.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use kalah::board::{Board, Side, UnknownSide};
use kalah::printable::printable;
use kalah_games::MAX_PLIES;
use kalah_page::rule_set;

/// Pages in a room.
pub(super) const MAX_MEMBERS: usize = 64;

/// Characters of a name.
const MAX_NAME: usize = 24;

/// What a page asks of its room.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Act {
    /// A move, after so many moves.
    Play {
        ply: usize,
        #[serde(rename = "move")]
        mv: String,
    },
    /// Asks the other player for a move back.
    Ask,
    /// Grants or refuses that.
    Answer {
        grant: bool,
    },
    Resign,
    /// For the host: nobody else moves or analyses.
    Lock {
        locked: bool,
    },
    /// For the host: whoever sits there stands up.
    Free {
        side: String,
    },
    /// For the host: another game in the same room.
    Begin(GameSetup),
}

/// A game to begin with.
#[derive(Deserialize)]
pub(super) struct GameSetup {
    pub start: String,
    /// The name of a rule set.
    pub capture: String,
    pub moves: String,
    /// Where the host sits, if it plays.
    pub side: Option<String>,
}

impl GameSetup {
    fn host_side(&self) -> Result<Option<Side>, String> {
        let side = self.side.as_deref().map(str::parse).transpose();
        side.map_err(|error: UnknownSide| error.to_string())
    }
}

/// The game of a room.
#[derive(Debug)]
struct Game {
    start: Board,
    board: Board,
    moves: String,
    resigned: Option<Side>,
    /// Who asks for a move back.
    asks: Option<Side>,
}

/// A page in a room, or whoever sits there. A page has a key of its own, by which it comes back to its seat.
#[derive(Clone, Debug)]
struct Member {
    id: u64,
    key: String,
    name: String,
}

#[derive(Debug)]
pub(super) struct Room {
    pub code: String,
    pub token: String,
    host: String,
    game: Game,
    /// The number of games before it.
    finished: usize,
    pub is_locked: bool,
    /// South's, North's.
    seats: [Option<Member>; 2],
    members: Vec<Member>,
    next: u64,
    /// Whether the host has closed it.
    pub has_ended: bool,
    /// The number of changes, for those who wait for one.
    changes: watch::Sender<u64>,
}

impl Game {
    fn new(start: &GameSetup) -> Result<Game, String> {
        let rule_set = rule_set(&start.capture)?;
        let first = Board::from_fen(&start.start, rule_set).map_err(|error| error.to_string())?;
        let mut game =
            Game { start: first, board: first, moves: String::new(), resigned: None, asks: None };
        if start.moves.len() > MAX_PLIES {
            return Err(format!("a game has at most {MAX_PLIES} moves"));
        }
        start.moves.chars().try_for_each(|letter| game.play(letter.encode_utf8(&mut [0; 4])))?;
        Ok(game)
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.board.result().is_some()
    }

    fn play(&mut self, letter: &str) -> Result<(), String> {
        if self.is_over() {
            return Err("the game is over".to_owned());
        }
        let mv = self.board.parse_move(letter).map_err(|error| error.to_string())?;
        if mv.to_string() != letter {
            return Err(format!("{letter} is no house of the player to move"));
        }
        self.board.play(mv).map_err(|error| error.to_string())?;
        self.moves.push(mv.letter());
        self.asks = None;
        Ok(())
    }

    /// The number of moves before the last one that a side made, if it made one.
    fn before_last(&self, side: Side) -> Option<usize> {
        self.moves.rfind(|letter: char| letter.is_ascii_uppercase() == (side == Side::South))
    }

    /// Takes moves back until the last one that a side made is gone.
    fn take_back(&mut self, side: Side) -> Result<(), String> {
        let last = self.before_last(side).ok_or("there is no move to take back")?;
        self.moves.truncate(last);
        self.board = self.start;
        self.board.play_moves(&self.moves).map_err(|error| error.to_string())
    }
}

impl Room {
    pub(super) fn new(
        code: String,
        token: String,
        key: String,
        start: &GameSetup,
    ) -> Result<Room, String> {
        let mut room = Room {
            code,
            token,
            host: key,
            game: Game::new(start)?,
            finished: 0,
            is_locked: false,
            seats: [None, None],
            members: Vec::new(),
            next: 0,
            has_ended: false,
            changes: watch::Sender::new(0),
        };
        room.seat_host(start.host_side()?);
        Ok(room)
    }

    fn seat_host(&mut self, side: Option<Side>) {
        for seat in &mut self.seats {
            seat.take_if(|seat| seat.key == self.host);
        }
        if let Some(side) = side {
            let host = self.members.iter().find(|member| member.key == self.host).cloned();
            let new = || Member { id: 0, key: self.host.clone(), name: String::new() };
            let host = host.unwrap_or_else(new);
            // Whoever sat there takes the other seat, if it is free.
            let guest = self.seats[side.index()].replace(host);
            let other = &mut self.seats[(!side).index()];
            *other = other.take().or(guest);
        }
        self.fill_seats();
    }

    /// Gives free seats to those who have been there longest.
    fn fill_seats(&mut self) {
        for side in [0, 1] {
            let is_free = |member: &&Member| {
                member.key != self.host
                    && self.seats.iter().flatten().all(|seat| seat.key != member.key)
            };
            let next = self.members.iter().find(is_free).cloned();
            self.seats[side] = self.seats[side].take().or(next);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Tells everybody that the host has closed it.
    pub(super) fn end(&mut self) {
        self.has_ended = true;
        self.changed();
    }

    /// Whether this key is that of the page that opened the room.
    pub(super) fn is_host(&self, key: &str) -> bool {
        self.host == key
    }

    /// A page comes in, or comes back. Returns its number in the room, and what tells of changes.
    pub(super) fn enter(
        &mut self,
        key: &str,
        name: &str,
    ) -> Result<(u64, watch::Receiver<u64>), String> {
        if self.members.len() >= MAX_MEMBERS {
            return Err("the room is full".to_owned());
        }
        let name: String = printable(name.trim()).chars().take(MAX_NAME).collect();
        for seat in self.seats.iter_mut().flatten().filter(|seat| seat.key == key) {
            seat.name.clone_from(&name);
        }
        self.next += 1;
        self.members.push(Member { id: self.next, key: key.to_owned(), name });
        self.fill_seats();
        let changes = self.changes.subscribe();
        // The page that enters is told as well.
        self.changed();
        Ok((self.next, changes))
    }

    pub(super) fn leave(&mut self, id: u64) {
        self.members.retain(|member| member.id != id);
        self.changed();
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    fn side(&self, key: &str) -> Option<Side> {
        let sits = |side: &Side| self.seats[side.index()].as_ref().is_some_and(|it| it.key == key);
        Side::ALL.into_iter().find(sits)
    }

    /// Carries out what the page with this key asks for, if it may.
    pub(super) fn act(&mut self, key: &str, act: Act) -> Result<(), String> {
        let is_host = self.is_host(key);
        match act {
            Act::Lock { locked } if is_host => self.is_locked = locked,
            Act::Free { side } if is_host => {
                let side: Side = side.parse().map_err(|error: UnknownSide| error.to_string())?;
                // They go to the end of the queue.
                if let Some(Member { key, .. }) = self.seats[side.index()].take() {
                    self.members.sort_by_key(|member| member.key == key);
                }
                self.fill_seats();
            }
            Act::Begin(start) if is_host => {
                let (game, side) = (Game::new(&start)?, start.host_side()?);
                self.game = game;
                self.finished += 1;
                self.seat_host(side);
            }
            Act::Lock { .. } | Act::Free { .. } | Act::Begin(_) => {
                return Err("only the host of a room may do this".to_owned());
            }
            _ if self.is_locked && !is_host => return Err("the game is locked".to_owned()),
            act => {
                let side = self.side(key).ok_or("only players may do this")?;
                self.act_of_player(side, act)?;
            }
        }
        self.changed();
        Ok(())
    }

    fn act_of_player(&mut self, side: Side, act: Act) -> Result<(), String> {
        let game = &mut self.game;
        match act {
            _ if game.is_over() => Err("the game is over".to_owned()),
            Act::Play { ply, mv } => {
                if ply != game.moves.len() {
                    return Err("the game has gone on meanwhile".to_owned());
                }
                if side != game.board.side() {
                    return Err("it is the other player's turn".to_owned());
                }
                game.play(&mv)
            }
            Act::Ask => {
                game.before_last(side).ok_or("there is no move to take back")?;
                game.asks = Some(side);
                Ok(())
            }
            Act::Answer { grant } => match game.asks {
                Some(asks) if asks != side => {
                    game.asks = None;
                    if grant { game.take_back(asks) } else { Ok(()) }
                }
                _ => Err("nobody asks for a move back".to_owned()),
            },
            _ => {
                game.asks = None;
                game.resigned = Some(side);
                Ok(())
            }
        }
    }

    /// All of it, as the page with this key sees it.
    pub(super) fn view(&self, key: &str) -> Value {
        let is_here = |key: &str| self.members.iter().any(|member| member.key == key);
        let seats = self.seats.each_ref().map(|seat| {
            seat.as_ref().map(|Member { key, name, .. }| {
                json!({"name": name, "here": is_here(key), "host": self.is_host(key)})
            })
        });
        let watching = |member: &&Member| self.side(&member.key).is_none();
        let watching: Vec<&str> =
            self.members.iter().filter(watching).map(|member| member.name.as_str()).collect();
        json!({
            "event": "room",
            "code": self.code,
            "host": self.is_host(key),
            "side": self.side(key).map(|side| side.to_string()),
            "locked": self.is_locked,
            "game": self.finished,
            "start": self.game.start.fen(),
            "capture": self.game.start.rules().rule_set().name(),
            "moves": self.game.moves,
            "resigned": self.game.resigned.map(|side| side.to_string()),
            "asks": self.game.asks.map(|side| side.to_string()),
            "seats": seats,
            "watching": watching,
        })
    }
}
