//! Books and tablebases of the visitor: the worker reads them, wherever they are.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use kalah::Rules;
use kalah::book::{Book, BookError};
use kalah::host_files::{self, HostFile};
use kalah::printable::with_causes;
use kalah::tablebase::survey_file;

#[wasm_bindgen]
extern "C" {
    /// Fills the buffer with the bytes of a file from an offset on. The worker defines it.
    #[wasm_bindgen(js_namespace = globalThis, js_name = readFile, catch)]
    fn read_file(number: u32, offset: f64, buffer: &mut [u8]) -> Result<(), JsValue>;
}

fn read(number: u32, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let text = |error: JsValue| match error.dyn_into::<js_sys::Error>() {
        Ok(error) => String::from(error.message()),
        Err(error) => format!("{error:?}"),
    };
    read_file(number, offset as f64, buffer).map_err(|error| io::Error::other(text(error)))
}

/// Gives the engine a file of this many bytes, which the worker knows by a number. Options can name it.
#[wasm_bindgen]
pub fn add_file(path: &str, number: u32, length: f64) {
    host_files::register(path, HostFile { number, length: length as u64, read });
}

/// Forgets all files.
#[wasm_bindgen]
pub fn forget_files() {
    host_files::forget();
}

/// What a file has, as JSON: a tablebase if its name says so, and else a book. With `is_whole` all of it is read and
/// checked, and else all but its blocks.
///
/// # Errors
/// Throws an error if it is neither, or damaged.
#[wasm_bindgen]
pub fn check_file(path: &str, is_whole: bool) -> Result<String, JsError> {
    let about = |kind: &str, rules: Rules, seeds: u32, positions: u64| {
        let (houses, rules) = (rules.houses(), rules.rule_set().name());
        json!({"kind": kind, "houses": houses, "rules": rules, "seeds": seeds, "positions": positions})
    };
    let path = Path::new(path);
    let checked: Result<Value, String> = if path.extension().is_some_and(|end| end == "ktb") {
        let file = survey_file(PathBuf::from(path), is_whole);
        let (rules, seeds) = file.layer.unwrap_or_default();
        let contents = file.contents.map_err(|error| with_causes(&error));
        contents.map(|(positions, _)| about("tablebase", rules, seeds, positions))
    } else {
        let read = || -> Result<Book, BookError> {
            let book = Book::open(path)?;
            if is_whole {
                book.iter().try_for_each(|position| position.map(drop))?;
            }
            Ok(book)
        };
        let book = read().map_err(|error| with_causes(&error));
        book.map(|book| about("book", book.rules(), book.seeds(), book.positions()))
    };
    checked.map(|about| about.to_string()).map_err(|error| JsError::new(&error))
}
