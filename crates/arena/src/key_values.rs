//! Settings in one argument: `key=value` words, quoted as in a shell.

use std::str::FromStr;

use thiserror::Error;

use kalah::board::shortened;

/// Why settings are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A quotation mark is not closed.
    #[error("a quotation mark is not closed")]
    OpenQuotation,
    /// A word is not of the form `key=value`.
    #[error("'{0}' is not of the form key=value")]
    NotKeyValue(String),
    /// The key is unknown.
    #[error("unknown key '{key}', expected one of {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The valid keys.
        known: String,
    },
    /// The key is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// The value is invalid.
    #[error("'{key}' takes {expected}, not '{value}'")]
    Value {
        /// The key.
        key: String,
        /// What the key takes.
        expected: String,
        /// The invalid value.
        value: String,
    },
    /// Settings that do not fit together, or are incomplete.
    #[error("{0}")]
    Invalid(String),
}

impl SettingsError {
    /// Settings that do not fit together, or are incomplete.
    pub(super) fn invalid(why: &str) -> SettingsError {
        SettingsError::Invalid(why.to_owned())
    }

    /// An invalid value of a key that takes `expected`.
    pub(super) fn value(key: &str, expected: impl Into<String>, value: &str) -> SettingsError {
        let (key, value) = (shortened(key), shortened(value));
        SettingsError::Value { key, expected: expected.into(), value }
    }
}

/// The words of an argument. A parser takes the keys that it knows, then calls [`finish`](Self::finish).
#[derive(Clone, Debug, Default)]
pub(super) struct KeyValues {
    words: Vec<(String, String)>,
    /// The keys that the parser knows.
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
            if words.iter().any(|(earlier, _)| earlier == key) {
                return Err(SettingsError::Twice(shortened(key)));
            }
            words.push((key.to_owned(), value.to_owned()));
        }
        Ok(KeyValues { words, known: Vec::new() })
    }
}

impl KeyValues {
    /// Takes the text of a key.
    pub(super) fn text(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let place = self.words.iter().position(|(word, _)| word == key)?;
        Some(self.words.remove(place).1)
    }

    /// Takes and parses the value of a key; `expected` describes it for the error.
    pub(super) fn value<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Result<Option<T>, SettingsError> {
        self.value_if(key, expected, |_| true)
    }

    /// Takes and parses the value of a key, which `is_valid` has to accept.
    pub(super) fn value_if<T: FromStr>(
        &mut self,
        key: &'static str,
        expected: &str,
        is_valid: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, SettingsError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let value = text.parse().ok().filter(is_valid);
        value.map(Some).ok_or_else(|| SettingsError::value(key, expected, &text))
    }

    /// Takes all words whose key begins with `prefix`, in order; the prefix is removed. `shown`
    /// stands for them in the list of valid keys.
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

    /// Returns an error if an unknown key is left.
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
