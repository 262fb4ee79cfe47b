//! Settings in one argument: `key=value` words, quoted as in a shell.

use std::str::FromStr;

use thiserror::Error;

use crate::board::shortened;

/// Settings that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A quotation mark has no partner.
    #[error("a quotation mark is not closed")]
    OpenQuotation,
    /// A word is not of the form `key=value`.
    #[error("'{0}' is not of the form key=value")]
    NotKeyValue(String),
    /// The key means nothing here.
    #[error("unknown key '{key}': there are {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// Keys that mean something.
        known: String,
    },
    /// The key stands there twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// The value is not what the key takes.
    #[error("'{key}' takes {expected}, not '{value}'")]
    Value {
        /// The key.
        key: String,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
    /// Settings that do not fit together, or are incomplete.
    #[error("{0}")]
    Invalid(String),
}

impl SettingsError {
    /// A value that is not what its key takes.
    pub(super) fn value(key: &str, expected: impl Into<String>, value: &str) -> SettingsError {
        let (key, value) = (shortened(key), shortened(value));
        SettingsError::Value { key, expected: expected.into(), value }
    }
}

/// The words of an argument; each is taken out by whoever knows its key.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyValues {
    words: Vec<(String, String)>,
    /// Keys that were asked for.
    known: Vec<&'static str>,
}

impl FromStr for KeyValues {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<KeyValues, SettingsError> {
        let mut words: Vec<(String, String)> = Vec::new();
        for word in shell_words::split(text).map_err(|_| SettingsError::OpenQuotation)? {
            let Some((key, value)) = word.split_once('=').filter(|(key, _)| !key.is_empty()) else {
                return Err(SettingsError::NotKeyValue(shortened(&word)));
            };
            if words.iter().any(|(known, _)| known == key) {
                return Err(SettingsError::Twice(shortened(key)));
            }
            words.push((key.to_owned(), value.to_owned()));
        }
        Ok(KeyValues { words, known: Vec::new() })
    }
}

impl KeyValues {
    /// The text after a key.
    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let place = self.words.iter().position(|(known, _)| known == key)?;
        Some(self.words.remove(place).1)
    }

    /// The value of a key; `expected` says what it takes.
    pub(super) fn value<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Result<Option<T>, SettingsError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| SettingsError::value(key, expected, &text))
    }

    /// All that begin with `prefix`, without it, in their order.
    pub(super) fn with_prefix(
        &mut self,
        prefix: &str,
        shown: &'static str,
    ) -> Vec<(String, String)> {
        self.known.push(shown);
        let has_prefix = |(key, _): &mut (String, String)| key.starts_with(prefix);
        let taken = self.words.extract_if(.., has_prefix);
        taken.map(|(key, value)| (key[prefix.len()..].to_owned(), value)).collect()
    }

    /// Makes sure that nothing is left that nobody knows.
    pub(super) fn finish(self) -> Result<(), SettingsError> {
        match self.words.first() {
            None => Ok(()),
            Some((key, _)) => {
                let (key, known) = (shortened(key), self.known.join(", "));
                Err(SettingsError::UnknownKey { key, known })
            }
        }
    }
}
