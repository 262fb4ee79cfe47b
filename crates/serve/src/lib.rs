//! The values of positions over HTTP: `kalah serve`, and `kalah store` for what it keeps.
//!
//! `server` has the paths, `service` the answers and the limits of each client, `known` what is known without a
//! search, `queue` the requests that wait for a worker, `analyst` the search of a worker. `docs/formats/serve.md`
//! describes the answers, and `openapi.json`, made of the types of `answer`, is the document of the interface.

mod add;
mod analyst;
mod answer;
mod command;
mod known;
mod metrics;
mod queue;
mod server;
mod service;
mod store;
#[cfg(test)]
mod tests;

pub use add::StoreCommand;
pub use command::ServeCommand;
