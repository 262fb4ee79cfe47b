//! Positions with exact values.

use std::collections::BTreeMap;

use kalah::board::Capture;
use serde_json::Value;

/// The exact margins of one position under one capture rule, South to move.
pub(crate) struct Exact {
    pub(crate) fen: String,
    pub(crate) capture: Capture,
    pub(crate) value: i32,
    /// By letter of the house.
    pub(crate) moves: BTreeMap<char, i32>,
}

pub(crate) fn exact_values() -> Vec<Exact> {
    let margin = |value: &Value| i32::try_from(value.as_i64().unwrap()).unwrap();
    let lines = include_str!("../data/exact-values.jsonl").lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .flat_map(|line| {
            Capture::ALL.map(|capture| {
                let exact = &line[capture.to_string()];
                let moves = exact["moves"].as_object().unwrap().iter();
                Exact {
                    fen: line["board"].as_str().unwrap().to_owned(),
                    capture,
                    value: margin(&exact["value"]),
                    moves: moves.map(|(name, value)| (letter(name), margin(value))).collect(),
                }
            })
        })
        .collect()
}

fn letter(name: &str) -> char {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => panic!("'{name}' is not one letter"),
    }
}
