//! Games as JSON, for pages and programs.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display};
use std::str::FromStr;

use super::game::{
    AnnotatedGame, GameOutcome, MAX_PLIES, MAX_VARIATION_DEPTH, OWN_TAGS, Ply, is_tag_name,
};
use kalah::board::{Board, Capture, Move, RuleSet, Sowing};

impl Serialize for AnnotatedGame {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut game = to.serialize_map(None)?;
        game.serialize_entry("tags", &Tags(self.tags.clone()))?;
        game.serialize_entry("start", &self.start.fen())?;
        let rules = self.start.rules();
        game.serialize_entry("capture", rules.capture().name())?;
        if rules.sowing() != Sowing::default() {
            game.serialize_entry("sowing", rules.sowing().name())?;
        }
        if let Some(comment) = to_write(self.comment.as_deref()) {
            game.serialize_entry("comment", comment)?;
        }
        game.serialize_entry("moves", &self.moves)?;
        game.serialize_entry("result", &self.result_to_write().to_string())?;
        game.end()
    }
}

impl Serialize for Ply {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut ply = to.serialize_map(None)?;
        ply.serialize_entry("move", &format_args!("{}", self.mv))?;
        if let Some(comment) = to_write(self.comment.as_deref()) {
            ply.serialize_entry("comment", comment)?;
        }
        if !self.variations.is_empty() {
            ply.serialize_entry("variations", &self.variations)?;
        }
        ply.end()
    }
}

fn to_write(comment: Option<&str>) -> Option<&str> {
    comment.filter(|comment| !comment.is_empty())
}

impl<'de> Deserialize<'de> for AnnotatedGame {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnnotatedGame, D::Error> {
        let UncheckedGame(mut game) = UncheckedGame::deserialize(from)?;
        game.result = game.checked_result().map_err(D::Error::custom)?;
        Ok(game)
    }
}

/// A game of JSON, whose result may contradict its moves: [`AnnotatedGame::checked_result`] says whether it does.
pub struct UncheckedGame(pub AnnotatedGame);

impl<'de> Deserialize<'de> for UncheckedGame {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<UncheckedGame, D::Error> {
        GameJson::deserialize(from)?.game().map(UncheckedGame).map_err(D::Error::custom)
    }
}

/// An [`AnnotatedGame`] as it is read, before its moves are played.
#[derive(Deserialize)]
struct GameJson {
    #[serde(default)]
    tags: Tags,
    start: String,
    #[serde(default, deserialize_with = "deserialize_from_str")]
    capture: Capture,
    #[serde(default, deserialize_with = "deserialize_from_str")]
    sowing: Sowing,
    comment: Option<String>,
    moves: Vec<PlyJson>,
    #[serde(default, deserialize_with = "deserialize_from_str")]
    result: GameOutcome,
}

#[derive(Deserialize)]
struct PlyJson {
    #[serde(rename = "move")]
    letter: String,
    comment: Option<String>,
    #[serde(default)]
    variations: Vec<Vec<PlyJson>>,
}

/// Reads a text as what it names.
///
/// # Errors
/// If it is no text, or names nothing.
pub fn deserialize_from_str<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    from: D,
) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Names and values in their order.
#[derive(Default)]
struct Tags(Vec<(String, String)>);

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tags, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Tags, M::Error> {
                let mut tags = Vec::new();
                while let Some(tag) = map.next_entry()? {
                    tags.push(tag);
                }
                Ok(Tags(tags))
            }
        }

        from.deserialize_map(Entries)
    }
}

impl GameJson {
    fn game(self) -> Result<AnnotatedGame, String> {
        let rule_set = RuleSet::new(self.capture, self.sowing);
        let start = Board::from_fen(&self.start, rule_set).map_err(|error| error.to_string())?;
        let mut game = AnnotatedGame::new(start);
        let rules = [("Capture", self.capture.name()), ("Sowing", self.sowing.name())];
        for (name, value) in self.tags.0 {
            if !is_tag_name(&name) {
                return Err("the name of a tag is not a letter with letters, digits and _".into());
            }
            if game.tag(&name).is_some() {
                return Err(format!("the tag {name} is given twice"));
            }
            if let Some((_, own)) = rules.iter().find(|(tag, own)| *tag == name && *own != value) {
                return Err(format!("the tag {name} is not '{own}', as the game says"));
            }
            // They have members of their own.
            if !OWN_TAGS.contains(&name.as_str()) {
                game.set_tag(&name, value);
            }
        }
        game.result = self.result;
        game.comment = self.comment.filter(|comment| !comment.is_empty());
        game.moves = read(start, self.moves, 0, &mut 0)?;
        Ok(game)
    }
}

/// Recursion is at most [`MAX_VARIATION_DEPTH`] deep.
fn read(
    mut board: Board,
    line: Vec<PlyJson>,
    depth: usize,
    plies: &mut usize,
) -> Result<Vec<Ply>, String> {
    if depth > MAX_VARIATION_DEPTH {
        return Err(format!("variations are nested more than {MAX_VARIATION_DEPTH} deep"));
    }
    let mut moves = Vec::new();
    for (number, ply) in line.into_iter().enumerate() {
        *plies += 1;
        if *plies > MAX_PLIES {
            return Err(format!("more than {MAX_PLIES} moves in one game"));
        }
        let place = if depth == 0 { "move" } else { "move in a variation," };
        let with_place = |error: String| format!("{place} {}: {error}", number + 1);
        let mv: Move = ply.letter.parse().map_err(|error| with_place(format!("{error}")))?;
        let before = board;
        board.play(mv).map_err(|error| with_place(error.to_string()))?;
        let mut variations = Vec::new();
        for variation in ply.variations {
            if variation.is_empty() {
                return Err(with_place("an empty variation".to_owned()));
            }
            variations.push(read(before, variation, depth + 1, plies)?);
        }
        moves.push(Ply { mv, comment: ply.comment.filter(|text| !text.is_empty()), variations });
    }
    Ok(moves)
}

/// The message of an error of JSON, without the line and column at its end, and without names of types.
pub fn message_without_place(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
    if error.is_eof() {
        return "it ends too early".to_owned();
    }
    if ["expected ident", "expected value"].contains(&&*message) {
        return "no JSON begins here".to_owned();
    }
    without_names_of_types(&message)
}

/// A message of a reader of JSON or TOML, in which types have their common names.
pub fn without_names_of_types(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let is_type = |letter: char| {
        let bits = expected.strip_prefix(letter).unwrap_or_default();
        bits == "size" || bits.parse::<u8>().is_ok()
    };
    let expected = match expected {
        _ if is_type('u') => "a whole number of at least 0",
        _ if is_type('i') => "a whole number",
        _ if is_type('f') => "a number",
        _ if expected.starts_with("a nonzero u") => "a whole number of at least 1",
        "a sequence" => "an array",
        "a map" => "an object",
        "variant identifier" | "string or map" | "path string" => "a string",
        _ if expected.starts_with("struct ") || expected.contains(" tagged enum ") => "an object",
        _ => return message.to_owned(),
    };
    // Such as: invalid type: floating point `6.5`
    let found = found.rsplit_once(": ").map_or(found, |(_, found)| found);
    let found = found.trim_end_matches('`').rsplit_once('`').map_or(found, |(_, found)| found);
    let found = match found {
        "map" => "an object",
        found if found == "sequence" || found.starts_with("invalid length") => "an array",
        found => found,
    };
    format!("expected {expected}, not {found}")
}
