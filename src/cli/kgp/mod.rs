//! `kalah kgp`: tournaments over the Kalah Game Protocol.

mod play;

use clap::Args;

/// Play on a server of the Kalah Game Protocol
///
/// Plays on a server until it is stopped by Ctrl-C, and connects again when the connection is lost. The
/// server is HOST or HOST:PORT for TCP, or begins with ws:// or wss:// for a WebSocket.
///
///   kalah kgp localhost --name Ann
///   kalah kgp wss://kalah.kwarc.info --name Ann --token-file token.txt
///
/// Servers know an agent by its token, which nobody else may know: it is read from the first line of a file,
/// or from the environment variable `KALAH_KGP_TOKEN`. Without one a random token is used, for this run
/// alone.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct KgpCommand {
    #[command(flatten)]
    play: play::PlayArguments,
}

impl KgpCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.play.run()
    }
}
