//! The first words with an engine.

use std::time::Instant;

use super::{EngineProcess, ReadError};
use kalah::StopToken;
use kalah::protocol::{Command, EngineMessage};

/// Options that are stored: more than any program has, far fewer than a flood.
const MAX_OPTIONS: usize = 256;

/// Characters of `id name` that are stored.
const MAX_NAME_LENGTH: usize = 200;

/// What an engine says of itself.
#[derive(Clone, Debug, Default)]
pub struct EngineIdentity {
    /// Its `id name`; empty if it gives none.
    pub name: String,
    /// The names of its options.
    pub options: Vec<String>,
}

impl EngineIdentity {
    /// The option of this name in any case, as the engine spells it.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().map(String::as_str).find(|option| option.eq_ignore_ascii_case(name))
    }
}

impl EngineProcess {
    /// Sends `uci` and waits for `uciok`.
    pub fn handshake(
        &mut self,
        deadline: Instant,
        stop: &StopToken,
    ) -> Result<EngineIdentity, ReadError> {
        self.send(&Command::Uci);
        let mut identity = EngineIdentity::default();
        loop {
            match self.next_message(deadline, stop)?.1 {
                EngineMessage::Name(name) => {
                    identity.name = name.chars().take(MAX_NAME_LENGTH).collect();
                }
                EngineMessage::Option { name, .. } if identity.options.len() < MAX_OPTIONS => {
                    identity.options.push(name);
                }
                EngineMessage::UciOk => return Ok(identity),
                _ => {}
            }
        }
    }

    /// The next line as a message, with the time of its arrival.
    pub fn next_message(
        &mut self,
        deadline: Instant,
        stop: &StopToken,
    ) -> Result<(Instant, EngineMessage), ReadError> {
        let (at, line) = self.next_text(deadline, stop)?;
        Ok((at, EngineMessage::from(line.as_str())))
    }
}
