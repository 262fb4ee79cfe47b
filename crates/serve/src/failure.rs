//! Requests that are not answered: a status and one sentence.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It is wrong, for this reason.
    Bad(String),
    /// It is wrong, and HTTP has a status for that.
    Status(StatusCode, String),
    /// It asks for too much; it may be sent again after this time.
    Busy(Duration, &'static str),
}

/// What is wrong with a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FailureJson {
    /// One sentence for people.
    error: String,
}

impl Failure {
    /// The server is about to end.
    pub(crate) fn ending() -> Failure {
        Failure::Status(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end".to_owned())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, error, wait) = match self {
            Failure::Bad(error) => (StatusCode::BAD_REQUEST, error, None),
            Failure::Status(status, error) => (status, error, None),
            Failure::Busy(wait, error) => {
                (StatusCode::TOO_MANY_REQUESTS, error.to_owned(), Some(wait))
            }
        };
        // A text is always JSON.
        let body = serde_json::to_string(&FailureJson { error }).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (status, kind, body).into_response();
        if let Some(wait) = wait {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}
