//! Settings in one argument, `key=value` words quoted as in a shell, or in a table of a file.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use kalah::board::shortened;

/// Why settings are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl SettingsError {
    /// With this text.
    pub fn new(why: impl Display) -> SettingsError {
        SettingsError(why.to_string())
    }

    /// An invalid value of a key that takes `expected`.
    pub fn value(key: &str, expected: impl Display, value: &str) -> SettingsError {
        let (key, value) = (shortened(key), shortened(value));
        SettingsError(format!("'{key}' takes {expected}, not '{value}'"))
    }
}

/// The words of an argument. A parser takes the keys that it knows, then calls [`finish`](Self::finish).
#[derive(Clone, Debug, Default)]
pub struct KeyValues {
    words: Vec<(String, String)>,
    /// Words without a value.
    switches: Vec<String>,
    /// The keys that the parser knows.
    known: Vec<&'static str>,
}

impl FromStr for KeyValues {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<KeyValues, SettingsError> {
        let KeyValues { mut words, mut switches, known } = KeyValues::default();
        for word in split(text)? {
            let pair = word.split_once('=').filter(|(key, _)| !key.is_empty());
            let key = pair.map_or(&*word, |(key, _)| key);
            if words.iter().any(|(earlier, _)| earlier == key)
                || switches.iter().any(|it| it == key)
            {
                return Err(SettingsError(format!("'{}' is given twice", shortened(key))));
            }
            match pair {
                Some((key, value)) => words.push((key.to_owned(), value.to_owned())),
                None => switches.push(word),
            }
        }
        Ok(KeyValues { words, switches, known })
    }
}

/// Splits words that are quoted as in a shell.
pub(crate) fn split(text: &str) -> Result<Vec<String>, SettingsError> {
    shell_words::split(text).map_err(|_| SettingsError::new("a quotation mark is not closed"))
}

impl<'de> Deserialize<'de> for KeyValues {
    /// Reads the entries of a table, those of inner tables as `outer.key`, or words in one text.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<KeyValues, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => text.parse().map_err(D::Error::custom),
            Value::Table(table) => {
                let mut words = KeyValues::default();
                words.add("", table).map_err(D::Error::custom)?;
                Ok(words)
            }
            value => {
                let found = value.type_str();
                Err(D::Error::custom(format!("expected a table or a text, not {found}")))
            }
        }
    }
}

/// Implements `FromStr` for settings that can be made from key values.
#[macro_export]
macro_rules! from_words {
    ($($settings:ty),*) => {$(
        impl std::str::FromStr for $settings {
            type Err = $crate::SettingsError;

            fn from_str(text: &str) -> Result<$settings, $crate::SettingsError> {
                text.parse::<$crate::KeyValues>()?.try_into()
            }
        }
    )*};
}

impl KeyValues {
    fn add(&mut self, prefix: &str, table: Table) -> Result<(), SettingsError> {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            let value = match value {
                Value::String(text) => text,
                Value::Integer(number) => number.to_string(),
                Value::Float(number) => number.to_string(),
                Value::Boolean(is_set) => is_set.to_string(),
                Value::Table(inner) => {
                    self.add(&format!("{key}."), inner)?;
                    continue;
                }
                // The arguments of a program.
                Value::Array(texts) if texts.iter().all(Value::is_str) => {
                    shell_words::join(texts.iter().filter_map(Value::as_str))
                }
                _ => return Err(SettingsError(format!("'{key}' takes one value"))),
            };
            self.words.push((key, value));
        }
        Ok(())
    }

    /// Takes the text of a key.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let place = self.words.iter().position(|(word, _)| word == key)?;
        Some(self.words.remove(place).1)
    }

    /// Takes a word that needs no value; `KEY=on` is the same.
    pub(crate) fn switch(&mut self, key: &'static str) -> Result<Option<bool>, SettingsError> {
        let is_given = self.switches.extract_if(.., |word| word == key).next().is_some();
        let value = self.value_by(key, "on or off", |text| match text {
            "on" | "true" => Some(true),
            "off" | "false" => Some(false),
            _ => None,
        })?;
        Ok(value.or(is_given.then_some(true)))
    }

    /// Takes and parses the value of a key; `expected` describes it for the error.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub fn value<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Result<Option<T>, SettingsError> {
        self.value_if(key, expected, |_| true)
    }

    /// Takes and parses the value of a key, which `is_valid` has to accept.
    ///
    /// # Errors
    /// If it cannot be parsed, or is not accepted.
    pub fn value_if<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
        is_valid: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, SettingsError> {
        self.value_by(key, expected, |text| text.parse().ok().filter(is_valid))
    }

    /// Takes the value of a key as `read` reads it.
    ///
    /// # Errors
    /// If it is not read.
    pub fn value_by<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingsError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        read(&text).map(Some).ok_or_else(|| SettingsError::value(key, expected, &text))
    }

    /// Takes all words whose key begins with `prefix`, which is removed. The list of valid keys has `shown`.
    pub(crate) fn with_prefix(
        &mut self,
        prefix: &str,
        shown: &'static str,
    ) -> Vec<(String, String)> {
        self.known.push(shown);
        let has_prefix = |(key, _): &mut (String, String)| key.starts_with(prefix);
        let taken = self.words.extract_if(.., has_prefix);
        taken.map(|(key, value)| (key[prefix.len()..].to_owned(), value)).collect()
    }

    /// Ends the parsing.
    ///
    /// # Errors
    /// If an unknown key or a word without a value is left.
    pub fn finish(self) -> Result<(), SettingsError> {
        let wrong = match (self.switches.first(), self.words.first()) {
            (None, None) => return Ok(()),
            (Some(word), _) => format!("'{}' is not of the form key=value", shortened(word)),
            (None, Some((key, _))) => format!("unknown key '{}'", shortened(key)),
        };
        Err(SettingsError(format!("{wrong}, expected one of {}", self.known.join(", "))))
    }
}
