//! The rooms of a server: their codes and tokens, how many there are, and when they end.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use qrcode::{Color, EcLevel, QrCode};
use serde_json::{Value, json};

use super::room::{GameSetup, Room};
use kalah::lock::lock;
use kalah_http::{random_token, same_token};

/// Rooms at the same time.
const MAX_ROOMS: usize = 8;

/// A room without a page ends after this time.
const EMPTY_TIME: Duration = Duration::from_mins(10);

/// Letters of a code: none that looks like another one or like a digit, and no vowel, so that no code is a word.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH: usize = 4;

/// Wrong codes within a minute, of all clients together: codes are short, and must not be found by trying.
const MAX_WRONG_CODES: u32 = 30;

/// A room that pages hold.
pub(super) type SharedRoom = Arc<Mutex<Room>>;

#[derive(Debug, Default)]
pub(super) struct Rooms {
    rooms: Mutex<Vec<Entry>>,
    wrong: Mutex<Option<(Instant, u32)>>,
}

#[derive(Debug)]
struct Entry {
    room: SharedRoom,
    /// Since when nobody has been seen in it.
    empty: Option<Instant>,
}

impl Rooms {
    /// A new room, whose host is the page with this key.
    pub(super) fn open(&self, key: &str, start: &GameSetup) -> Result<SharedRoom, String> {
        let mut rooms = self.present(Instant::now());
        let error = |error| format!("cannot make a code: {error}");
        let code = loop {
            let code = random_code().map_err(error)?;
            if rooms.iter().all(|entry| lock(&entry.room).code != code) {
                break code;
            }
        };
        let token = random_token().map_err(error)?;
        let room = Arc::new(Mutex::new(Room::new(code, token, key.to_owned(), start)?));
        // A host has one room, which stays if there can be no other.
        close(&mut rooms, key);
        if rooms.len() >= MAX_ROOMS {
            return Err(format!("there are at most {MAX_ROOMS} rooms"));
        }
        rooms.push(Entry { room: Arc::clone(&room), empty: None });
        Ok(room)
    }

    /// The room whose guests have this token.
    pub(super) fn of_token(&self, token: &str) -> Option<SharedRoom> {
        self.find(|room| same_token(token, &room.token))
    }

    /// The room that the page with this key has opened.
    pub(super) fn of_host(&self, key: &str) -> Option<SharedRoom> {
        self.find(|room| room.is_host(key))
    }

    /// The token of a room with this code; an error if too many codes were wrong of late.
    pub(super) fn token_of_code(&self, code: &str) -> Result<Option<String>, ()> {
        let now = Instant::now();
        let mut wrong = lock(&self.wrong);
        let (since, count) = wrong
            .filter(|(since, _)| now.duration_since(*since) < Duration::from_mins(1))
            .unwrap_or((now, 0));
        if count >= MAX_WRONG_CODES {
            return Err(());
        }
        let room = self.find(|room| room.code.eq_ignore_ascii_case(code));
        *wrong = Some((since, count + u32::from(room.is_none())));
        Ok(room.map(|room| lock(&room).token.clone()))
    }

    fn find(&self, matches: impl Fn(&Room) -> bool) -> Option<SharedRoom> {
        let rooms = self.present(Instant::now());
        rooms.iter().find(|entry| matches(&lock(&entry.room))).map(|entry| Arc::clone(&entry.room))
    }

    /// The rooms that have not been empty for too long.
    fn present(&self, now: Instant) -> MutexGuard<'_, Vec<Entry>> {
        let mut rooms = lock(&self.rooms);
        rooms.retain_mut(|entry| {
            let is_empty = lock(&entry.room).is_empty();
            entry.empty = is_empty.then(|| entry.empty.unwrap_or(now));
            entry.empty.is_none_or(|since| now.duration_since(since) < EMPTY_TIME)
        });
        rooms
    }

    /// Notes that a page has left, from when on its room may be empty.
    pub(super) fn left(&self) {
        drop(self.present(Instant::now()));
    }

    /// Ends a room, if the page with this key has opened it.
    pub(super) fn close(&self, key: &str) {
        close(&mut lock(&self.rooms), key);
    }
}

fn close(rooms: &mut Vec<Entry>, key: &str) {
    rooms.retain(|entry| {
        let mut room = lock(&entry.room);
        let is_host = room.is_host(key);
        if is_host {
            room.end();
        }
        !is_host
    });
}

fn random_code() -> Result<String, getrandom::Error> {
    let mut number = getrandom::u64()?;
    let letter = |_| {
        let letter = LETTERS[(number % LETTERS.len() as u64) as usize];
        number /= LETTERS.len() as u64;
        char::from(letter)
    };
    Ok((0..CODE_LENGTH).map(letter).collect())
}

/// Whether a path is that of a code.
pub(super) fn code_of_path(path: &str) -> Option<&str> {
    let code = path.strip_prefix('/')?;
    (code.len() == CODE_LENGTH && code.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .then_some(code)
}

/// How guests come to a room, for its host: the short address, the link, and this as a QR code. Nothing if
/// the server listens on the loopback alone.
pub(super) fn invitation(room: &Room, address: SocketAddr, host: Option<IpAddr>) -> Value {
    // The address that the host's page was opened by, unless that leads nowhere on another machine.
    let ip = host.filter(|ip| !ip.is_loopback()).unwrap_or_else(|| network_address(address.ip()));
    let place = SocketAddr::new(ip, address.port());
    let link = format!("http://{place}/?token={}", room.token);
    json!({
        "code": room.code,
        "address": format!("http://{place}/{}", room.code),
        "link": link,
        "qr": qr(&link),
        "reachable": !address.ip().is_loopback(),
    })
}

/// The address of this machine in its network, if it listens on all addresses and is in a network. No packet
/// is sent: connecting a socket asks the system for the way.
fn network_address(listens: IpAddr) -> IpAddr {
    if !listens.is_unspecified() {
        return listens;
    }
    let any = if listens.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let target = if listens.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" };
    let local =
        UdpSocket::bind(any).and_then(|it| it.connect(target).and_then(|()| it.local_addr()));
    local.map_or(listens, |address| address.ip())
}

/// A QR code: its size, and its dark squares as a path of SVG.
fn qr(text: &str) -> Value {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return Value::Null;
    };
    let size = code.width();
    let mut path = String::new();
    for (i, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let _ = write!(path, "M{} {}h1v1h-1z", i % size, i / size);
        }
    }
    json!({"size": size, "path": path})
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    fn start() -> GameSetup {
        let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S".to_owned();
        GameSetup { start, capture: "standard".to_owned(), moves: String::new(), side: None }
    }

    #[test]
    fn empty_rooms_end_and_codes_are_not_found_by_trying() {
        let rooms = Rooms::default();
        let room = rooms.open("the key of the host", &start()).unwrap();
        let (id, _) = lock(&room).enter("the key of the host", "").unwrap();
        let (token, code) = {
            let room = lock(&room);
            (room.token.clone(), room.code.clone())
        };
        let now = Instant::now();
        assert_eq!(rooms.present(now + 2 * EMPTY_TIME).len(), 1, "somebody is there");
        lock(&room).leave(id);
        assert_eq!(rooms.present(now).len(), 1);
        assert_eq!(rooms.present(now + EMPTY_TIME / 2).len(), 1, "they may come back");
        assert_eq!(rooms.token_of_code(&code.to_lowercase()), Ok(Some(token.clone())));
        assert!(rooms.of_token(&token).is_some() && rooms.of_token(&code).is_none());
        for _ in 0..MAX_WRONG_CODES {
            assert_eq!(rooms.token_of_code("AAAA"), Ok(None));
        }
        assert_eq!(rooms.token_of_code(&code), Err(()));
        assert_eq!(rooms.present(now + EMPTY_TIME).len(), 0);
        for i in 0..MAX_ROOMS {
            assert!(rooms.open(&format!("host {i}"), &start()).is_ok());
        }
        assert!(rooms.open("one more host", &start()).is_err());
        assert!(rooms.open("host 3", &start()).is_ok(), "in place of its last one");
        assert!(rooms.open("host 3", &GameSetup { moves: "Z".to_owned(), ..start() }).is_err());
        assert!(rooms.of_host("host 3").is_some(), "it stays if there is no other");
        rooms.close("host 3");
        assert!(rooms.open("one more host", &start()).is_ok());
    }
}
