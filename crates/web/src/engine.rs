//! The engine behind the lines of the protocol, its files, reviews, and proofs.

mod files;
mod proof;

use std::io::{self, Write};

use js_sys::Function;
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use kalah::StopToken;
use kalah::engine::SingleThreadLoop;
use kalah_page::{ReviewRequest, invalid_request, parse_message, reply};

pub use files::{add_file, check_file, forget_files};
pub use proof::{proof_claim, verify};

#[wasm_bindgen]
extern "C" {
    /// Whether a line is on its way that ends the search. The worker defines it.
    #[wasm_bindgen(js_namespace = globalThis, js_name = stopComes)]
    fn stop_comes() -> bool;
}

/// Gives each line to a function.
struct Lines(Function);

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let told = self.0.call1(&JsValue::NULL, &text.trim_end().into());
        told.map(|_| line.len()).map_err(|error| io::Error::other(format!("{error:?}")))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine that speaks the protocol of the program `kalah`.
#[wasm_bindgen]
pub struct WebEngine(SingleThreadLoop<Lines>);

#[wasm_bindgen]
impl WebEngine {
    /// An engine that gives `output` each of its lines.
    ///
    /// # Errors
    /// Throws an error if there is no memory for it.
    #[wasm_bindgen(constructor)]
    pub fn new(output: Function) -> Result<WebEngine, JsError> {
        console_error_panic_hook::set_once();
        Ok(WebEngine(SingleThreadLoop::new(Lines(output), stop_comes)?))
    }

    /// Carries out a line; a search ends before this returns. Returns true after `quit`.
    ///
    /// # Errors
    /// Throws an error if `output` does.
    pub fn line(&mut self, line: &str) -> Result<bool, JsError> {
        Ok(self.0.line(line)?)
    }
}

/// Reviews a game with tables of at most so many MiB: `text` is the request of the page, and the result the reply.
/// `tell` gets the events. All are JSON.
#[wasm_bindgen]
pub fn review(text: &str, mebibytes: usize, tell: &Function) -> String {
    console_error_panic_hook::set_once();
    let message = match parse_message(text) {
        Ok(message) => message,
        Err(reply) => return reply.to_string(),
    };
    let id = message.get("id").unwrap_or(&Value::Null);
    let tell = |event: Value| drop(tell.call1(&JsValue::NULL, &event.to_string().into()));
    let reply = match ReviewRequest::deserialize(&message) {
        Ok(request) => request.reply(id, mebibytes, &StopToken::new(), tell),
        Err(error) => reply(id, Err(invalid_request(&error))),
    };
    reply.to_string()
}
