//! The form of the lines that an engine sends.

use std::str::{FromStr, SplitAsciiWhitespace};

use kalah::board::Move;

/// What is wrong with a line if it is an `info` line that violates `protocol.md`. Unknown words are
/// skipped.
pub fn info_fault(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    while let Some(word) = words.next() {
        let (is_valid, what) = match word {
            "string" => return None,
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "tbhits" | "time" => {
                (number::<u64>(&mut words).is_some(), "a number")
            }
            "hashfull" => {
                let permille: Option<u32> = number(&mut words);
                (permille.is_some_and(|permille| permille <= 1000), "a number up to 1000")
            }
            "score" => {
                let is_cp = words.next() == Some("cp");
                (is_cp && number::<i32>(&mut words).is_some(), "'cp' and a number")
            }
            "pv" => {
                let moves: Vec<&str> = words.by_ref().collect();
                (
                    !moves.is_empty() && moves.into_iter().all(|word| word.parse::<Move>().is_ok()),
                    "moves",
                )
            }
            _ => continue,
        };
        if !is_valid {
            return Some(format!("'{word}' without {what}"));
        }
    }
    None
}

pub(super) fn errors(lines: &[String]) -> impl Iterator<Item = &str> {
    let is_error = |line: &&str| line.starts_with("info string error:");
    lines.iter().map(String::as_str).filter(is_error)
}

pub(super) fn bestmoves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.split_ascii_whitespace().next() == Some("bestmove")).count()
}

fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// The type of an option with its values; displayed as its word in the protocol.
#[derive(Clone, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum OptionType {
    Spin {
        default: i128,
        min: i128,
        max: i128,
    },
    Check,
    Combo {
        default: String,
        values: Vec<String>,
    },
    Button,
    #[strum(to_string = "string")]
    Text,
}

impl OptionType {
    /// Reads the text after `type` in an `option` line; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<OptionType, &'static str> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let Some((kind, words)) = words.split_first() else { return Err("no type") };
        let mut fields: Vec<(&str, String)> = Vec::new();
        for word in words {
            match (*word, fields.last_mut()) {
                ("default" | "min" | "max" | "var", _) => fields.push((word, String::new())),
                (_, None) => return Err("a word that belongs to no field"),
                (_, Some((_, value))) if value.is_empty() => (*word).clone_into(value),
                (_, Some((_, value))) => *value = format!("{value} {word}"),
            }
        }
        let field = |name| fields.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        let number = |name| field(name).and_then(|value| value.parse::<i128>().ok());
        match *kind {
            "spin" => match (number("default"), number("min"), number("max")) {
                (Some(default), Some(min), Some(max)) if (min..=max).contains(&default) => {
                    Ok(OptionType::Spin { default, min, max })
                }
                (Some(_), Some(_), Some(_)) => Err("a default out of range"),
                _ => Err("not a default, a min and a max that are numbers"),
            },
            "check" => match field("default").map(String::as_str) {
                Some("true" | "false") => Ok(OptionType::Check),
                _ => Err("no default of true or false"),
            },
            "combo" => {
                let values = fields.iter().filter(|(name, _)| *name == "var");
                let values: Vec<String> = values.map(|(_, value)| value.clone()).collect();
                match field("default") {
                    Some(default) if values.contains(default) => {
                        Ok(OptionType::Combo { default: default.clone(), values })
                    }
                    _ => Err("no default among its values"),
                }
            }
            "button" => Ok(OptionType::Button),
            "string" => Ok(OptionType::Text),
            _ => Err("an unknown type"),
        }
    }
}
