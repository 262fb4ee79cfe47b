//! HTTP: paths, headers, and what is refused.

use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use kalah_games::{message_without_place, without_names_of_types};
use kalah_http::{ConnectionLimits, Peer, client_of, serve_http, stopped};
use tokio::time::{sleep, timeout};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::answer::{Failure, Object, PositionQuery, PositionRequest, PositionsRequest};
use crate::metrics::Open;
use crate::service::Service;

/// Time for a client to send the body of a request.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Bytes of a body for each position, and for the rest.
const POSITION_BYTES: usize = 1024;

/// Connections at the same time, of all clients and of each.
const CONNECTIONS: ConnectionLimits = ConnectionLimits { all: 768, each: 128 };

/// Threads that look up what may be on a disk.
const LOOKUP_THREADS: usize = 4;

/// How long others may keep an answer that cannot become better known.
const KEEP_FINAL: &str = "public, max-age=86400";

/// The longest wait for answers at the end of the server, and the pauses of it.
const END_TIME: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// The document of the interface.
const OPENAPI: &str = include_str!("openapi.json");

/// Serves until the token of the service stops. All workers have ended then.
pub(crate) fn run(listener: TcpListener, service: &Arc<Service>) -> anyhow::Result<()> {
    let workers = service.start_workers()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(LOOKUP_THREADS)
        .build()?;
    let served = runtime.block_on(serve(listener, service));
    service.end();
    // What they have found is in the store then.
    for worker in workers {
        let _ = worker.join();
    }
    Ok(served?)
}

async fn serve(listener: TcpListener, service: &Arc<Service>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let settings = &service.settings;
    let max_body_bytes = POSITION_BYTES * (settings.max_positions as usize + 1);
    let router = Router::new()
        .route("/v1/position", get(position))
        .route("/v1/positions", post(positions).layer(DefaultBodyLimit::max(max_body_bytes)))
        .route("/health", get(async || ([JSON], r#"{"status":"ok"}"#)))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(async || ([JSON], OPENAPI)))
        .fallback(no_such_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(Arc::clone(service), measure))
        .layer(cors(&settings.cors))
        .with_state(Arc::clone(service));
    // All connections of a proxy are of one client.
    let each = if settings.forwarded { CONNECTIONS.all } else { CONNECTIONS.each };
    let stopped = stopped(&service.stop)?;
    tokio::select! {
        () = serve_http(listener, router, ConnectionLimits { each, ..CONNECTIONS }) => {}
        () = service.forget_idle_clients() => {}
        () = stopped => {}
    }
    // Searches have ended with the token: their answers are still to be sent.
    let _ = timeout(END_TIME, async {
        while service.metrics.open.get() > 0 {
            sleep(PAUSE).await;
        }
    })
    .await;
    sleep(PAUSE).await;
    Ok(())
}

const JSON: (header::HeaderName, &str) = (header::CONTENT_TYPE, "application/json");

fn cors(origins: &[HeaderValue]) -> CorsLayer {
    let all = origins.iter().any(|origin| origin == "*");
    let allowed = if all { AllowOrigin::any() } else { AllowOrigin::list(origins.to_vec()) };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
}

/// Counts a request, and sets the headers of all replies.
async fn measure(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let open = Open::new(&service.metrics.open);
    let mut response = next.run(request).await;
    drop(open);
    service.metrics.request(response.status().as_str(), start.elapsed());
    let nosniff = HeaderValue::from_static("nosniff");
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    let cache = response.headers_mut().entry(header::CACHE_CONTROL);
    cache.or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn position(
    State(service): State<Arc<Service>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(query) = query.map_err(|error| Failure::bad(wrong_query(&error)))?;
    let time = query.time;
    let board = query.board().map_err(Failure::bad)?;
    let answers = service.answers(client(&service, peer, &headers), &[board], time).await?;
    let answer = answers.first().ok_or_else(Failure::ending)?;
    if !answer.is_final {
        return Ok(([JSON], answer.body.clone()).into_response());
    }
    let kept = [(header::ETAG, answer.etag.as_str()), (header::CACHE_CONTROL, KEEP_FINAL)];
    if has_etag(&headers, &answer.etag) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    Ok(([JSON], kept, answer.body.clone()).into_response())
}

async fn positions(
    State(service): State<Arc<Service>>,
    Extension(peer): Extension<Peer>,
    request: Request,
) -> Result<Response, Failure> {
    let client = client(&service, peer, request.headers());
    let body = timeout(BODY_TIME, Bytes::from_request(request, &service)).await;
    let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "the body is slow");
    let body = body.map_err(slow)?;
    let body = body.map_err(|error| Failure::new(error.status(), error.body_text()))?;
    let request = positions_request(&body).map_err(Failure::bad)?;
    let most = service.settings.max_positions as usize;
    if request.positions.is_empty() || request.positions.len() > most {
        return Err(Failure::bad(format!("positions: a request has 1 to {most} of them")));
    }
    let board = |(number, Object(request)): (usize, &Object<PositionRequest>)| {
        let wrong = |error| Failure::bad(format!("positions[{number}].{error}"));
        request.board().map_err(wrong)
    };
    let boards = request.positions.iter().enumerate().map(board);
    let boards = boards.collect::<Result<Vec<_>, Failure>>()?;
    let answers = service.answers(client, &boards, request.time).await?;
    let values: Vec<&[u8]> = answers.iter().map(|answer| answer.body.as_ref()).collect();
    let body = [br#"{"positions":["#, values.join(&b","[..]).as_slice(), b"]}"].concat();
    Ok(([JSON], body).into_response())
}

/// Reads a body; the error names the member that is wrong.
fn positions_request(body: &[u8]) -> Result<PositionsRequest, String> {
    let in_body = |error: &serde_json::Error| format!("the body: {}", message_without_place(error));
    let mut json = serde_json::Deserializer::from_slice(body);
    let request: Result<Object<PositionsRequest>, _> = serde_path_to_error::deserialize(&mut json);
    let Object(request) = request.map_err(|error| match error.path().to_string() {
        path if path == "." || error.inner().is_eof() => in_body(error.inner()),
        path => format!("{path}: {}", message_without_place(error.inner())),
    })?;
    json.end().map_err(|error| in_body(&error))?;
    Ok(request)
}

async fn metrics(State(service): State<Arc<Service>>) -> impl IntoResponse {
    service.metrics.waiting.set(service.queue.waiting() as i64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], service.metrics.text())
}

async fn no_such_path() -> Failure {
    let paths = "/v1/position, /v1/positions, /health, /metrics and /openapi.json";
    Failure::new(StatusCode::NOT_FOUND, format!("there is nothing here: the paths are {paths}"))
}

async fn wrong_method() -> Failure {
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this path takes another method")
}

/// What is wrong with a query.
fn wrong_query(error: &QueryRejection) -> String {
    let text = error.body_text();
    let reason = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
    match reason.split_once(": ") {
        // The one number among the members.
        Some(("time", _)) => "time: expected a whole number from 1 on, of milliseconds".to_owned(),
        // The name of a member.
        Some((name, reason)) if name.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            format!("{name}: {}", without_names_of_types(reason))
        }
        _ => format!("the query: {reason}"),
    }
}

/// Who asks: the address of the connection, or the one that a proxy names last.
fn client(service: &Service, Peer(peer): Peer, headers: &HeaderMap) -> IpAddr {
    let forwarded = || -> Option<IpAddr> {
        let named = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        named.rsplit(',').next()?.trim().parse().ok()
    };
    let forwarded = if service.settings.forwarded { forwarded() } else { None };
    client_of(forwarded.unwrap_or(peer.ip()))
}

/// Whether a client has this answer already.
fn has_etag(headers: &HeaderMap, etag: &str) -> bool {
    let named = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    let mut tags = named.flat_map(|tags| tags.split(',')).map(str::trim);
    tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}
