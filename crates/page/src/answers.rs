//! Requests whose replies depend on nothing but themselves.

use serde::Deserialize;
use serde_json::{Value, json};

use super::text;
use kalah::board::{Board, Move, MoveTrace, Next, Pit, RuleSet, Rules, Side, Sowing, shortened};
use kalah::engine::{MAX_SKILL_LEVEL, skill_word};
use kalah_games::{AnnotatedGame, MAX_PLIES, RecordReader, each_game, message_without_place};
use kalah_review::Explanation;

/// What an answer takes from elsewhere: a page that loads its modules one after the other has it only in a later one.
#[derive(Clone, Copy)]
pub struct Library {
    /// Reads the record of a match.
    pub read_record: Option<RecordReader>,
    /// The known fair starts of a game with so many seeds in each house.
    pub fair_starts: fn(Rules, u16) -> Vec<Board>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Question {
    Replay {
        start: Option<String>,
        houses: Option<usize>,
        seeds: Option<u16>,
        #[serde(flatten)]
        rules: RuleNames,
        moves: String,
    },
    Fair {
        houses: usize,
        seeds: u16,
        #[serde(flatten)]
        rules: RuleNames,
    },
    Read {
        text: String,
        #[serde(flatten)]
        rules: RuleNames,
    },
    Write {
        game: AnnotatedGame,
    },
    Explain {
        board: String,
        #[serde(flatten)]
        rules: RuleNames,
        best: String,
        played: String,
        loss: i32,
    },
}

/// The rules of a request: `capture` is the name of a rule set, or there is `sowing` as well, as in a game.
#[derive(Deserialize)]
struct RuleNames {
    capture: String,
    sowing: Option<String>,
}

impl RuleNames {
    fn rule_set(&self) -> Result<RuleSet, String> {
        match self.sowing.as_deref() {
            None | Some("single") => rule_set(&self.capture),
            Some("relay") => Ok(Sowing::Relay.into()),
            Some(sowing) => Err(format!("unknown sowing '{}'", shortened(sowing))),
        }
    }
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
pub fn answer(message: &Value, library: Library) -> Option<Result<Value, String>> {
    let verb = message.get("do")?.as_str()?;
    ["replay", "fair", "read", "write", "explain"].contains(&verb).then(|| {
        let question = Question::deserialize(message).map_err(|error| invalid_request(&error))?;
        question.answer(library)
    })
}

impl Question {
    fn answer(self, library: Library) -> Result<Value, String> {
        match self {
            Question::Replay { start, houses, seeds, rules, moves } => {
                let rule_set = rules.rule_set()?;
                let board = if let Some(start) = start {
                    Board::from_fen(&start, rule_set).map_err(text)?
                } else {
                    let rules = Rules::new(houses.unwrap_or(6), rule_set).map_err(text)?;
                    Board::start(rules, seeds.unwrap_or(4)).map_err(text)?
                };
                replay(&board, &moves)
            }
            Question::Fair { houses, seeds, rules } => {
                let rules = Rules::new(houses, rules.rule_set()?).map_err(text)?;
                let starts = (library.fair_starts)(rules, seeds);
                Ok(json!({"boards": starts.iter().map(Board::fen).collect::<Vec<_>>()}))
            }
            Question::Read { text: games, rules } => {
                let rule_set = rules.rule_set()?;
                let games = each_game(&games, rule_set, library.read_record).into_iter();
                let games = games.collect::<Result<Vec<_>, _>>().map_err(text)?;
                Ok(json!({"games": games}))
            }
            Question::Write { game } => Ok(json!({"text": game.to_string()})),
            Question::Explain { board, rules, best, played, loss } => {
                let rule_set = rules.rule_set()?;
                let board = Board::from_fen(&board, rule_set).map_err(text)?;
                explain(&board, &best, &played, loss)
            }
        }
    }
}

/// The rules that a request names: its `capture` is the name of a rule set, since relay sowing captures nothing.
///
/// # Errors
/// Returns the error of a name that no rule set has.
pub fn rule_set(name: &str) -> Result<RuleSet, String> {
    let names = || RuleSet::ALL.map(RuleSet::name).join(", ");
    RuleSet::from_name(name)
        .ok_or_else(|| format!("unknown rules '{}', expected one of {}", shortened(name), names()))
}

fn replay(board: &Board, moves: &str) -> Result<Value, String> {
    if moves.len() > MAX_PLIES {
        return Err(format!("a line has at most {MAX_PLIES} moves"));
    }
    let mut positions = vec![position_json(board)];
    for played in board.replay(moves.chars().filter(|c| !c.is_whitespace())) {
        let (_, after) = played.map_err(text)?;
        positions.push(position_json(&after));
    }
    Ok(json!({"positions": positions}))
}

/// Why the second of two lines of play from a board is worse by `loss` seeds, as JSON; lines are the letters of
/// moves.
fn explain(board: &Board, best: &str, played: &str, loss: i32) -> Result<Value, String> {
    let moves = |letters: &str| -> Result<Vec<Move>, String> {
        let played = board.replay(letters.chars().take(MAX_PLIES));
        played.map(|played| Ok(played.map_err(text)?.0)).collect()
    };
    let why = Explanation::new(board, &moves(best)?, &moves(played)?, loss);
    Ok(json!({"why": why.as_ref().map(in_all_languages)}))
}

/// An explanation as JSON, in the languages of the page.
pub(super) fn in_all_languages(why: &Explanation) -> Value {
    let mut json = json!(why);
    json["de"] = json!(why.german);
    json
}

/// A position with its legal moves, as JSON: the page never works out rules.
pub fn position_json(board: &Board) -> Value {
    let traces = board.moves().filter_map(|mv| Some(move_json(mv, &board.trace(mv).ok()?)));
    json!({
        "board": board.fen(),
        "houses": board.rules().houses(),
        "south": board.houses(Side::South),
        "north": board.houses(Side::North),
        "stores": Side::ALL.map(|side| board.store(side)),
        "turn": board.side().to_string(),
        // The margin for South of a game that is over.
        "result": board.result(),
        "seeds": board.seeds_in_play(),
        "moves": traces.collect::<Vec<_>>(),
    })
}

fn move_json(mv: Move, trace: &MoveTrace) -> Value {
    // A letter for each seed sown; `+` is South's store, `-` North's.
    let pit = |pit: &Pit| match pit {
        Pit::House(mv) => mv.letter(),
        Pit::Store(Side::South) => '+',
        Pit::Store(Side::North) => '-',
    };
    let letters = |houses: &[Move]| houses.iter().map(Move::to_string).collect::<Vec<_>>();
    let capture = trace.capture.as_ref();
    json!({
        "move": mv.to_string(),
        "path": trace.path.iter().map(pit).collect::<String>(),
        // The relay picks up the seeds of the house of the last of so many seeds.
        "pickUps": trace.pick_ups.iter().map(|pick_up| pick_up.after).collect::<Vec<_>>(),
        "capture": capture.map(|(from, seeds)| json!({"from": letters(from), "seeds": seeds})),
        "again": trace.next == Next::Again,
        "sweep": trace.sweep.map(|(side, seeds)| json!({"side": side.to_string(), "seeds": seeds})),
        "board": trace.board.fen(),
    })
}

#[cfg(test)]
mod tests {
    use kalah::board::Capture;

    use super::*;

    #[test]
    fn two_lines_are_compared_and_bad_ones_refused() -> Result<(), Box<dyn std::error::Error>> {
        let board = Board::from_fen("<4,10,9,2,1,2,0,5,1,4,3> S", Capture::Standard)?;
        let told = explain(&board, "C", "A", 8)?;
        assert!(told["why"]["text"].is_string() && told["why"]["de"].is_string(), "{told}");
        assert_eq!(explain(&board, "", "A", 8)?, json!({"why": null}));
        for bad in ["D", "CC", "?", "\u{e9}"] {
            assert!(explain(&board, "C", bad, 8).is_err(), "{bad}");
        }
        Ok(())
    }
}
