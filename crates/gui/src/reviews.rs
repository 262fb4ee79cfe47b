//! Reviews that a page asks for, each in a thread of its own.

use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use kalah::StopToken;
use kalah_page::ReviewRequest;

/// MiB of memory for the tables of a review.
const MEBIBYTES: usize = 512;

/// Begins a review, which is sent to the page as the reply to the request `id`.
pub(super) fn start(
    id: Value,
    request: ReviewRequest,
    permit: OwnedSemaphorePermit,
    events: mpsc::Sender<String>,
    stop: StopToken,
) -> Result<(), String> {
    let review = move || {
        // A page that does not keep up misses some of the events.
        let tell = |event: Value| drop(events.try_send(event.to_string()));
        let reply = request.reply(&id, MEBIBYTES, &stop, tell);
        drop(permit);
        let _ = events.blocking_send(reply.to_string());
    };
    let thread = std::thread::Builder::new().name("review".to_owned()).spawn(review);
    thread.map(drop).map_err(|error| format!("cannot start the review: {error}"))
}
