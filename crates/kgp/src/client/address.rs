//! Where a server is.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;
use tokio_tungstenite::tungstenite::http::Uri;

pub(crate) const KGP_PORT: u16 = 2671;

const SOCKET_PATH: &str = "/socket";

/// The address of a server: `HOST[:PORT]` for TCP, or a URL that begins with `ws://` or `wss://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAddress {
    /// Lines over TCP. An address of IPv6 has no brackets.
    #[allow(missing_docs, reason = "the names say it")]
    Tcp { host: String, port: u16 },
    /// Lines as text of a WebSocket.
    WebSocket(String),
}

/// A text is not the address of a server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not HOST[:PORT], ws://… or wss://…")]
pub struct NotAServerAddress(String);

impl FromStr for ServerAddress {
    type Err = NotAServerAddress;

    fn from_str(text: &str) -> Result<ServerAddress, NotAServerAddress> {
        let address = if text.contains("://") { web_socket(text) } else { tcp(text) };
        address.ok_or_else(|| NotAServerAddress(text.to_owned()))
    }
}

fn tcp(text: &str) -> Option<ServerAddress> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']')? {
            (host, "") => (host, None),
            (host, port) => (host, Some(port.strip_prefix(':')?)),
        },
        // More than one colon: an address of IPv6.
        None if text.matches(':').count() > 1 => (text, None),
        None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    let is_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%');
    let port = port.map_or(Some(KGP_PORT), |port| port.parse().ok())?;
    if host.is_empty() || !host.chars().all(is_host) || port == 0 {
        return None;
    }
    Some(ServerAddress::Tcp { host: host.to_owned(), port })
}

fn web_socket(text: &str) -> Option<ServerAddress> {
    let uri: Uri = text.parse().ok()?;
    let scheme = uri.scheme_str().map(str::to_ascii_lowercase)?;
    let authority = uri.authority()?;
    if !matches!(scheme.as_str(), "ws" | "wss") || authority.host().is_empty() {
        return None;
    }
    let path = match uri.path_and_query() {
        Some(path) if path.as_str() != "/" || text.ends_with('/') => path.as_str(),
        _ => SOCKET_PATH,
    };
    Some(ServerAddress::WebSocket(format!("{scheme}://{authority}{path}")))
}

impl Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerAddress::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            ServerAddress::Tcp { host, port } => write!(f, "{host}:{port}"),
            ServerAddress::WebSocket(url) => f.write_str(url),
        }
    }
}
