//! What the page asks about positions and games, whoever answers: a server (`kalah-gui`), or WebAssembly in the
//! page itself (`kalah-web`). `docs/formats/page-messages.md` describes the messages.

mod answers;
mod reviews;

pub use answers::{
    Library, answer, hello, invalid_request, parse_message, position_json, reply, rule_set,
};
pub use reviews::ReviewRequest;

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
