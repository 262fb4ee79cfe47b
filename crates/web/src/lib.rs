//! The page without a server: what it asks about positions and games, and with the feature `engine` what a web worker
//! runs in the place of a process (`README.md`).

#![cfg(target_family = "wasm")]

#[cfg(feature = "engine")]
pub mod engine;

use kalah_page::Library;
use serde_json::Value;
use wasm_bindgen::prelude::*;

#[cfg(feature = "engine")]
const LIBRARY: Library = Library {
    read_record: Some(kalah_records::game_of_record),
    fair_starts: kalah_fair::fair_starts,
};
#[cfg(not(feature = "engine"))]
const LIBRARY: Library = Library { read_record: None, fair_starts: |_, _| Vec::new() };

/// What the page is told first, as JSON.
#[wasm_bindgen]
pub fn hello() -> String {
    console_error_panic_hook::set_once();
    kalah_page::hello().to_string()
}

/// The reply to a request of the page that depends on nothing else, as JSON.
#[wasm_bindgen]
pub fn answer(text: &str) -> String {
    let message = match kalah_page::parse_message(text) {
        Ok(message) => message,
        Err(reply) => return reply.to_string(),
    };
    let unknown = || Err("only a server does this".to_owned());
    let answer = kalah_page::answer(&message, LIBRARY).unwrap_or_else(unknown);
    kalah_page::reply(message.get("id").unwrap_or(&Value::Null), answer).to_string()
}
