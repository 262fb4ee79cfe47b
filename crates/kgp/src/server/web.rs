//! The web port: the page with the results, and WebSockets for clients.

use std::io;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use futures_util::{StreamExt, TryStreamExt};
use tokio::net::TcpListener;

use super::connection::Gate;
use crate::line::MAX_LINE;
use crate::line_stream::over_web_socket;
use kalah_http::{ConnectionLimits, Peer, serve_http};

/// The page has no scripts, and loads nothing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Seconds after which a browser loads the page again.
const REFRESH: &str = "5";

pub(super) async fn serve(listener: TcpListener, gate: Gate) {
    let router = Router::new().route("/", get(page)).route("/socket", get(socket)).with_state(gate);
    serve_http(listener, router, ConnectionLimits::default()).await;
}

async fn page(State(gate): State<Gate>) -> Response {
    let Some(page) = gate.page().await else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is about to end").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFRESH, REFRESH),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, page).into_response()
}

/// Tokens come in lines and not from the browser, so that pages of other servers may connect.
async fn socket(
    State(gate): State<Gate>,
    Extension(Peer(peer)): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.max_message_size(MAX_LINE).max_frame_size(MAX_LINE).on_upgrade(async move |socket| {
        let (output, input) = socket.split();
        let lines = over_web_socket(input.map_err(io::Error::other), output, text_of);
        gate.serve(peer.ip(), lines).await;
    })
}

fn text_of(message: Message) -> Option<String> {
    match message {
        Message::Text(text) => Some(text.to_string()),
        // A line that is not understood.
        Message::Binary(_) => Some("\n".to_owned()),
        Message::Close(_) => None,
        Message::Ping(_) | Message::Pong(_) => Some(String::new()),
    }
}
