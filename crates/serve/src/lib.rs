//! The values of positions over HTTP: `kalah serve`, and `kalah store` for what it keeps.
//!
//! `server` has the paths, `service` the answers and the limits of each client, `known` what is known without a
//! search, `queue` the requests that wait for a worker, `analyst` the search of a worker. `docs/formats/serve.md`
//! describes the answers, and `openapi.json`, made of the types of `answer`, is the document of the interface.

mod add;
mod analyst;
mod answer;
mod command;
mod failure;
mod known;
mod metrics;
#[cfg(test)]
mod openapi;
mod queue;
mod server;
mod service;
mod store;

pub use add::StoreCommand;
pub use command::ServeCommand;

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check::<super::add::AddedJson>("store-add", "kalah store add --json")
    }
}
