//! What an engine says about its options: types, defaults and ranges.

use kalah::board::shortened;
use kalah::printable::printable;

/// The type of an option with its values; displayed as its word in the protocol.
#[derive(Clone, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
#[allow(missing_docs, reason = "the words of the protocol")]
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

/// An option of an engine, as it names it.
#[derive(Clone, Debug)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// `None` if what it says of the type is not in the protocol: any value may be right.
    pub kind: Option<OptionType>,
}

impl DeclaredOption {
    /// The value to send, `None` for a button.
    ///
    /// # Errors
    /// Says what is allowed.
    pub fn checked(&self, value: &str) -> Result<Option<String>, String> {
        let DeclaredOption { name, kind } = self;
        let refused = |takes: &str| {
            let value = printable(value);
            Err(format!("option {name} {takes}, not '{}'", shortened(&value)))
        };
        // A value in another case is sent as the engine spells it.
        let one_of = |values: &[&str], takes: &str| {
            let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
            known.map_or_else(|| refused(takes), |&known| Ok(Some(known.to_owned())))
        };
        match kind {
            Some(OptionType::Spin { min, max, .. }) => {
                let is_plain = value.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit());
                let number = value.parse::<i128>().ok().filter(|_| is_plain);
                if !number.is_some_and(|number| (*min..=*max).contains(&number)) {
                    let range = match (*min, *max) {
                        (i128::MIN, i128::MAX) => String::new(),
                        (min, i128::MAX) => format!(" from {min}"),
                        (i128::MIN, max) => format!(" up to {max}"),
                        (min, max) => format!(" from {min} to {max}"),
                    };
                    return refused(&format!("takes a whole number{range}"));
                }
            }
            Some(OptionType::Check) => return one_of(&["true", "false"], "takes true or false"),
            Some(OptionType::Combo { values, .. }) => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                return one_of(&values, &format!("takes one of: {}", values.join(", ")));
            }
            Some(OptionType::Button) if !value.is_empty() => {
                return refused("is a button and takes no value");
            }
            Some(OptionType::Button | OptionType::Text) | None => {}
        }
        Ok(Some(value.to_owned()).filter(|value| !value.is_empty()))
    }
}

impl OptionType {
    /// What can be known of a type that need not keep to the protocol, such as a number without a range.
    pub fn guess(text: &str) -> Option<OptionType> {
        let number = |name| {
            let words = text.split_ascii_whitespace();
            words.skip_while(|&word| word != name).nth(1)?.parse::<i128>().ok()
        };
        OptionType::parse(text).ok().or_else(|| match text.split_ascii_whitespace().next() {
            Some("spin") => Some(OptionType::Spin {
                default: number("default").unwrap_or(0),
                min: number("min").unwrap_or(i128::MIN),
                max: number("max").unwrap_or(i128::MAX),
            }),
            Some("check") => Some(OptionType::Check),
            _ => None,
        })
    }

    /// Reads the text after `type` in an `option` line.
    ///
    /// # Errors
    /// Says what is wrong with it.
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
