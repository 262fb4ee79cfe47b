//! The engine behind the lines of the protocol.

use std::io::{self, Write};

use js_sys::Function;
use wasm_bindgen::prelude::*;

use kalah::engine::SingleThreadLoop;

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
