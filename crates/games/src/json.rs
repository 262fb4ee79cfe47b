//! Games as JSON, for pages and programs.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

use super::game::{AnnotatedGame, MAX_PLIES, MAX_VARIATION_DEPTH, OWN_TAGS, Ply, is_tag_name};
use kalah::board::{Board, Capture, Move};

impl Serialize for AnnotatedGame {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        GameJson::from(self.clone()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for AnnotatedGame {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AnnotatedGame, D::Error> {
        AnnotatedGame::try_from(GameJson::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// An [`AnnotatedGame`] as it is written.
#[derive(Serialize, Deserialize)]
struct GameJson {
    #[serde(default)]
    tags: Tags,
    start: String,
    #[serde(default = "standard")]
    capture: String,
    #[serde(default, skip_serializing_if = "is_empty")]
    comment: Option<String>,
    moves: Vec<PlyJson>,
    #[serde(default = "unknown")]
    result: String,
}

#[derive(Serialize, Deserialize)]
struct PlyJson {
    #[serde(rename = "move")]
    letter: String,
    #[serde(default, skip_serializing_if = "is_empty")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<PlyJson>>,
}

fn standard() -> String {
    Capture::Standard.to_string()
}

fn unknown() -> String {
    "*".to_owned()
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn is_empty(comment: &Option<String>) -> bool {
    comment.as_ref().is_none_or(String::is_empty)
}

/// Names and values in their order.
#[derive(Default)]
struct Tags(Vec<(String, String)>);

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
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

impl From<AnnotatedGame> for GameJson {
    fn from(game: AnnotatedGame) -> GameJson {
        GameJson {
            start: game.start.fen(),
            capture: game.start.rules().capture().to_string(),
            tags: Tags(game.tags),
            comment: game.comment,
            moves: written(game.moves),
            result: game.result.to_string(),
        }
    }
}

/// Recursion is as deep as variations are nested.
fn written(line: Vec<Ply>) -> Vec<PlyJson> {
    let ply = |Ply { mv, comment, variations }| PlyJson {
        letter: mv.to_string(),
        comment,
        variations: variations.into_iter().map(written).collect(),
    };
    line.into_iter().map(ply).collect()
}

impl TryFrom<GameJson> for AnnotatedGame {
    type Error = String;

    fn try_from(json: GameJson) -> Result<AnnotatedGame, String> {
        let capture = json.capture.parse::<Capture>().map_err(|error| error.to_string())?;
        let start = Board::from_fen(&json.start, capture).map_err(|error| error.to_string())?;
        let mut game = AnnotatedGame::new(start);
        for (name, value) in json.tags.0 {
            if !is_tag_name(&name) {
                return Err("the name of a tag is not a letter with letters, digits and _".into());
            }
            // The others have members of their own.
            if !OWN_TAGS.contains(&name.as_str()) {
                game.set_tag(&name, value);
            }
        }
        game.result = json.result.parse().map_err(|error| format!("result: {error}"))?;
        game.comment = json.comment.filter(|comment| !comment.is_empty());
        let mut plies = 0;
        game.moves = read(start, json.moves, 0, &mut plies)?;
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
