//! The web port: the page with the results, and WebSockets for clients.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use log::debug;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use std::sync::Arc;

use super::super::line::MAX_LINE;
use super::connection::Gate;

/// Connections at the same time, those of clients among them.
const MAX_CONNECTIONS: usize = 256;

/// Time for a browser to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// The page has no scripts, and loads nothing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Serves the page and WebSockets.
pub(super) async fn serve(listener: TcpListener, gate: Gate) {
    let router = Router::new().route("/", get(page)).route("/socket", get(socket)).with_state(gate);
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                debug!("no connection: {error}");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            if let Err(error) = connection.await {
                debug!("connection: {error}");
            }
            drop(permit);
        });
    }
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
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, page).into_response()
}

/// Tokens come in lines and not from the browser, so that pages of other servers may connect.
async fn socket(State(gate): State<Gate>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(MAX_LINE).max_frame_size(MAX_LINE).on_upgrade(async move |socket| {
        if let Some(place) = gate.enter().await {
            place.serve_socket(socket).await;
        }
    })
}
