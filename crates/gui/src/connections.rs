//! Connections: how many, for how long, and what they may ask for.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};

use super::access::{Shared, Visitor, enter, host_address, is_same_origin};
use super::page::{self, NO_ROOM, REFUSED};
use super::rooms::code_of_path;
use super::session::{self, Client};
use tower_http::compression::CompressionLayer;

use kalah_http::{ConnectionLimits, Peer, serve_http, stopped};

/// Bytes of a message of the page.
const MAX_MESSAGE: usize = 1 << 20;
/// And of a guest.
const MAX_GUEST_MESSAGE: usize = 1 << 16;

/// Everything comes from this server, and no other page may hold this one.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Serves until the token stops or a page asks for the end. All engines have ended then.
pub(super) fn run(listener: TcpListener, shared: Shared) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve(listener, Arc::new(shared)))
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = Router::new()
        .fallback(get(file))
        .layer(CompressionLayer::new())
        .route("/socket", get(socket))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(Arc::clone(&shared));
    let stopped = stopped(&shared.stop)?;
    tokio::select! {
        () = serve_http(listener, router, ConnectionLimits::default()) => {}
        () = shared.quit.notified() => {}
        () = stopped => {}
    }
    // The reply to the page that asked for the end is still to be sent.
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Engine threads end with the token, and tell so by letting go of their permits.
    shared.stop.stop();
    shared.engines_ended().await;
    Ok(())
}

/// Refuses requests that are not meant for this server, and sets the headers of all replies.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let is_own = request.uri().host().is_none() && shared.is_own_host(request.headers());
    let mut response = if is_own {
        next.run(request).await
    } else {
        (StatusCode::MISDIRECTED_REQUEST, "this server has another name").into_response()
    };
    let headers = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The page, for those who know the token, and its parts.
async fn file(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    if uri.path() == "/" && shared.visitor(uri.query()).is_none() {
        return (StatusCode::FORBIDDEN, html, REFUSED).into_response();
    }
    if let Some(code) = code_of_path(uri.path()) {
        return match shared.rooms.token_of_code(code) {
            Ok(Some(token)) => Redirect::to(&format!("/?token={token}")).into_response(),
            Ok(None) => (StatusCode::NOT_FOUND, html, NO_ROOM).into_response(),
            Err(()) => (StatusCode::TOO_MANY_REQUESTS, html, NO_ROOM).into_response(),
        };
    }
    match page::file(uri.path()) {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    Extension(Peer(peer)): Extension<Peer>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let visitor = shared.visitor(uri.query()).filter(|_| is_same_origin(&headers));
    let Some(visitor) = visitor else {
        return (StatusCode::FORBIDDEN, "the token or the origin is wrong").into_response();
    };
    let (places, most, is_own) = match visitor {
        Visitor::Owner => (&shared.sessions, MAX_MESSAGE, shared.is_own(peer)),
        Visitor::Guest(_) => (&shared.guests, MAX_GUEST_MESSAGE, false),
    };
    let Some(permit) = enter(places) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response();
    };
    let host = host_address(&headers);
    upgrade.max_message_size(most).max_frame_size(most).on_upgrade(async move |socket| {
        session::run(socket, shared, Client { visitor, is_own, host }).await;
        drop(permit);
    })
}
