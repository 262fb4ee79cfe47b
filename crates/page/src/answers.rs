//! Requests whose replies depend on nothing but themselves.

use serde::Deserialize;
use serde_json::{Value, json};

use super::position::position_json;
use super::reviews::explain;
use super::text;
use kalah::board::{Board, Capture, Rules, Sowing};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};
use kalah::fair::fair_starts;
use kalah_games::{AnnotatedGame, MAX_PLIES, RecordReader, each_game, message_without_place};

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Question {
    Replay {
        start: Option<String>,
        houses: Option<usize>,
        seeds: Option<u16>,
        capture: String,
        moves: String,
    },
    Fair {
        houses: usize,
        seeds: u16,
        capture: String,
    },
    Read {
        text: String,
        capture: String,
    },
    Write {
        game: AnnotatedGame,
    },
    Explain {
        board: String,
        capture: String,
        best: String,
        played: String,
        loss: i32,
    },
}

/// What the page is told first, whoever answers.
pub fn hello() -> Value {
    let levels: Vec<&str> = (0..=MAX_SKILL_LEVEL).map(skill_word).collect();
    json!({"event": "hello", "version": env!("CARGO_PKG_VERSION"), "levels": levels})
}

/// A message of the page as JSON.
///
/// # Errors
/// Returns the reply to what is not JSON.
pub fn parse_message(text: &str) -> Result<Value, Value> {
    serde_json::from_str(text).map_err(|error| {
        json!({"id": null, "error": format!("not JSON: {}", message_without_place(&error))})
    })
}

/// The error of a message that is no request.
pub fn invalid_request(error: &serde_json::Error) -> String {
    format!("not a request: {}", message_without_place(error))
}

/// The reply to the request `id` of the page.
pub fn reply(id: &Value, answer: Result<Value, String>) -> Value {
    match answer {
        Ok(ok) => json!({"id": id, "ok": ok}),
        Err(error) => json!({"id": id, "error": error}),
    }
}

/// Answers `replay`, `fair`, `read`, `write` and `explain`; `None` for all other requests.
pub fn answer(message: &Value, read_record: RecordReader) -> Option<Result<Value, String>> {
    let verb = message.get("do")?.as_str()?;
    ["replay", "fair", "read", "write", "explain"].contains(&verb).then(|| {
        let question = Question::deserialize(message).map_err(|error| invalid_request(&error))?;
        question.answer(read_record)
    })
}

impl Question {
    fn answer(self, read_record: RecordReader) -> Result<Value, String> {
        match self {
            Question::Replay { start, houses, seeds, capture, moves } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let board = if let Some(start) = start {
                    Board::from_fen(&start, capture).map_err(text)?
                } else {
                    let rules = Rules::new(houses.unwrap_or(6), capture).map_err(text)?;
                    Board::start(rules, seeds.unwrap_or(4)).map_err(text)?
                };
                replay(board, &moves)
            }
            Question::Fair { houses, seeds, capture } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let rules = Rules::new(houses, capture).map_err(text)?;
                let starts = fair_starts(rules, seeds);
                Ok(json!({"boards": starts.iter().map(Board::fen).collect::<Vec<_>>()}))
            }
            Question::Read { text: games, capture } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let games = each_game(&games, capture.into(), read_record).into_iter();
                let games = games.collect::<Result<Vec<_>, _>>().map_err(text)?;
                check_rules(&games)?;
                Ok(json!({"games": games}))
            }
            Question::Write { game } => Ok(json!({"text": game.to_string()})),
            Question::Explain { board, capture, best, played, loss } => {
                let capture: Capture = capture.parse().map_err(text)?;
                let board = Board::from_fen(&board, capture).map_err(text)?;
                explain(&board, &best, &played, loss)
            }
        }
    }
}

/// Refuses games by rules that the page does not play.
///
/// # Errors
/// Returns what the page does not play.
pub fn check_rules(games: &[AnnotatedGame]) -> Result<(), String> {
    let is_relay = |game: &AnnotatedGame| game.start.rules().sowing() == Sowing::Relay;
    match games.iter().position(is_relay) {
        Some(place) => Err(format!("game {}: the page does not play relay sowing", place + 1)),
        None => Ok(()),
    }
}

fn replay(mut board: Board, moves: &str) -> Result<Value, String> {
    if moves.len() > MAX_PLIES {
        return Err(format!("a line has at most {MAX_PLIES} moves"));
    }
    let mut positions = vec![position_json(&board)];
    for (i, letter) in moves.chars().filter(|c| !c.is_whitespace()).enumerate() {
        let mv = board.parse_move(letter.encode_utf8(&mut [0; 4])).map_err(text)?;
        board.play(mv).map_err(|error| format!("move {}: {error}", i + 1))?;
        positions.push(position_json(&board));
    }
    Ok(json!({"positions": positions}))
}
