//! `kalah serve`.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use kalah::board::Rules;
use kalah::book::Book;
use kalah::tablebase::TablebaseFiles;
use kalah_command::exit::stop_on_ctrl_c;
use kalah_command::options::number;
use kalah_http::listen;

use crate::known::ExactSources;
use crate::server;
use crate::service::{Service, ServiceSettings};
use crate::store::Store;

const CANNOT_START: &str = "cannot start the server";

/// Answer programs over HTTP: the value of a position and of all its moves
///
/// Values come from books, tablebases, a store of what was solved before, or a search within the time
/// of the request. Serves this machine alone unless --listen says otherwise, and prints its address.
/// Ends with Ctrl-C.
///
///   kalah serve --store solved.jsonl
///   kalah serve --tablebase tables --workers 8 --listen 0.0.0.0:8080 --forwarded
///   curl -G 127.0.0.1:5253/v1/position --data-urlencode 'board=<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ServeCommand {
    /// The address and port; port 0 is any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:5253")]
    listen: SocketAddr,

    /// Directory of tablebases
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,

    /// A book besides the one that is part of the program
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Keep positions that were solved in this file, and answer from it
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Positions that the store may have; each takes some 50 bytes of memory
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number::<usize>(1..=100_000_000))]
    store_positions: usize,

    #[command(flatten)]
    settings: ServiceSettings,
}

impl ServeCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns why the command failed, for people.
    pub fn run(self) -> anyhow::Result<()> {
        let book = self.book.as_deref().map(Book::open).transpose()?.map(Arc::new);
        if let Some(directory) = &self.tablebase {
            // Those of other rules are opened when they are asked for.
            TablebaseFiles::open(directory, Rules::default())?;
        }
        let store = self.store.as_deref();
        let store = store.map(|path| Store::open(path, self.store_positions)).transpose()?;
        let tablebase = self.tablebase;
        let known = ExactSources { book, tablebase, store, ..ExactSources::default() };
        let listener = listen(self.listen)?;
        let bound = listener.local_addr().context(CANNOT_START)?;
        let service = Arc::new(Service::new(self.settings, known, stop_on_ctrl_c()?)?);
        let mut output = io::stdout();
        writeln!(output, "http://{bound}/")?;
        output.flush()?;
        server::run(listener, &service).context(CANNOT_START)
    }
}
