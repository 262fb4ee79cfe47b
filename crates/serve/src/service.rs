//! Answers to requests, within the limits of each client.

use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode};
use clap::Args;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use kalah::StopToken;
use kalah::board::Board;
use kalah::engine::{Engine, EngineError, EngineOptions};
use kalah::printable::with_causes;
use kalah_command::options::{number, thread_count};
use kalah_http::ClientSlots;
use log::{error, warn};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::{interval, timeout};

use crate::analyst;
use crate::answer::{Failure, PositionValue};
use crate::known::ExactSources;
use crate::metrics::{Metrics, Open};
use crate::queue::Queue;

/// The options of `kalah serve`, but for the files and the address.
#[derive(Args)]
pub(crate) struct ServiceSettings {
    /// Threads that search [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    pub workers: Option<NonZeroUsize>,

    /// Memory of each of them for what it has searched, in MiB; endgame tables take up to 400 MiB besides
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = number::<usize>(2..=1_048_576))]
    pub hash: usize,

    /// The greatest time of a request, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = number::<u64>(1..=86_400_000))]
    pub max_time: u64,

    /// The most positions of a request
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = number::<u32>(1..=65_536))]
    pub max_positions: u32,

    /// Requests that may wait for a free worker
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = number::<usize>(1..=65_536))]
    pub queue: usize,

    /// Requests of a client that may wait or be searched at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<usize>(1..=65_536))]
    pub client_searches: usize,

    /// Positions a second that a client may ask about; 0 for any number
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number::<u32>(..))]
    pub rate: u32,

    /// Let pages of this origin ask, such as `https://example.org`; '*' for all; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    pub cors: Vec<HeaderValue>,

    /// Tell clients apart by the last address of X-Forwarded-For: only behind a proxy that sets it
    #[arg(long)]
    pub forwarded: bool,
}

/// The time of a request that names none.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The part of the time that is kept for the end of the search and for the answer. A busy machine takes longer for
/// them.
const RESERVE: Duration = Duration::from_millis(10);

/// `Retry-After` when all slots of a client are taken.
const PAUSE: Duration = Duration::from_secs(1);

/// Why a request has waited for nothing.
const NO_WORKER: &str = "no worker was free in the time of the request";

/// How often clients that have asked nothing are forgotten.
const IDLE_TIME: Duration = Duration::from_mins(1);

/// Answers that are kept in memory: some 2 KiB each.
const KEPT_ANSWERS: usize = 16_384;

/// What all requests share.
pub(crate) struct Service {
    pub settings: ServiceSettings,
    pub metrics: Metrics,
    /// Stopped at the end.
    pub stop: StopToken,
    known: ExactSources,
    answers: Cache<Board, Arc<Answer>>,
    pub queue: Arc<Queue<Job>>,
    searches: Arc<ClientSlots>,
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

/// The answer about a position, as it is sent.
pub(crate) struct Answer {
    /// JSON.
    pub body: Bytes,
    /// The same for the same bytes: the source of the values is among them.
    pub etag: String,
    /// Whether all values are proven.
    pub is_final: bool,
}

/// Positions to be searched.
pub(crate) struct Job {
    boards: Vec<Board>,
    /// Its deadline is that of the request; stopped if nobody waits any more.
    stop: StopToken,
    reply: oneshot::Sender<Result<Vec<Arc<Answer>>, Failure>>,
}

/// Stops a token when the request is answered, or its client has gone.
struct StopOnDrop(StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Service {
    /// A service that stops with the token.
    pub(crate) fn new(
        settings: ServiceSettings,
        known: ExactSources,
        stop: StopToken,
    ) -> anyhow::Result<Service> {
        let burst = settings.rate.max(settings.max_positions);
        let quota = NonZeroU32::new(settings.rate).zip(NonZeroU32::new(burst));
        let quota = quota.map(|(rate, burst)| Quota::per_second(rate).allow_burst(burst));
        let metrics = Metrics::new().context("no metrics")?;
        metrics.stored.set(known.store.as_ref().map_or(0, |store| store.positions() as i64));
        Ok(Service {
            metrics,
            stop,
            known,
            answers: Cache::new(KEPT_ANSWERS),
            queue: Queue::new(settings.queue),
            searches: ClientSlots::new(settings.client_searches),
            rate: quota.map(RateLimiter::keyed),
            settings,
        })
    }

    /// The answers about boards, in their order. `time` is in milliseconds.
    pub(crate) async fn answers(
        self: &Arc<Service>,
        client: IpAddr,
        boards: &[Board],
        time: Option<NonZeroU64>,
    ) -> Result<Vec<Arc<Answer>>, Failure> {
        let time = time.map_or(DEFAULT_TIME, |time| Duration::from_millis(time.get()));
        let time = time.min(Duration::from_millis(self.settings.max_time));
        let stop = self.stop.child_with_timeout(time.saturating_sub(RESERVE.min(time / 4)));
        let _stop_on_drop = StopOnDrop(stop.clone());
        self.check_rate(client, boards.len())?;
        let mut answers: Vec<Option<Arc<Answer>>> =
            boards.iter().map(|board| self.kept(board)).collect();
        let missing = missing_boards(boards, &answers);
        if !missing.is_empty() {
            let service = Arc::clone(self);
            let look_up = move || missing.iter().map(|board| service.look_up(board)).collect();
            fill(&mut answers, spawn_blocking(look_up).await.map_err(failed)?);
        }
        let missing = missing_boards(boards, &answers);
        if !missing.is_empty() {
            let found = self.search(client, missing, stop).await?;
            fill(&mut answers, found.into_iter().map(Some).collect());
        }
        Ok(answers.into_iter().flatten().collect())
    }

    fn check_rate(&self, client: IpAddr, positions: usize) -> Result<(), Failure> {
        let positions = NonZeroU32::new(positions as u32);
        let Some((rate, positions)) = self.rate.as_ref().zip(positions) else { return Ok(()) };
        match rate.check_key_n(&client, positions) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(later)) => {
                let wait = later.wait_time_from(DefaultClock::default().now());
                Err(Failure::busy(wait, "too many positions a second"))
            }
            // The burst is that of the largest request.
            Err(_) => Err(Failure::busy(PAUSE, "too many positions at once")),
        }
    }

    /// Forgets clients that have asked nothing for a while, again and again.
    pub(crate) async fn forget_idle_clients(&self) {
        let mut idle = interval(IDLE_TIME);
        loop {
            idle.tick().await;
            if let Some(rate) = &self.rate {
                rate.retain_recent();
                rate.shrink_to_fit();
            }
        }
    }

    /// An answer that was given before.
    fn kept(&self, board: &Board) -> Option<Arc<Answer>> {
        let answer = self.answers.get(board)?;
        self.metrics.position(None);
        Some(answer)
    }

    /// An answer without a search.
    fn look_up(&self, board: &Board) -> Option<Arc<Answer>> {
        Some(self.answer(board, &self.known.value(board)?))
    }

    /// Makes the answer of a value, and keeps it if nothing about it can become better known.
    fn answer(&self, board: &Board, value: &PositionValue) -> Arc<Answer> {
        self.metrics.position(Some(value.source));
        // Numbers and letters are always JSON.
        let body = Bytes::from(serde_json::to_vec(value).unwrap_or_default());
        let digest = Sha256::digest(&body);
        let etag = digest.first_chunk().map_or(0, |first| u128::from_be_bytes(*first));
        let is_final = value.is_final();
        let answer = Arc::new(Answer { body, etag: format!("\"{etag:032x}\""), is_final });
        if is_final {
            self.answers.insert(*board, Arc::clone(&answer));
        }
        answer
    }

    /// The answers of a worker, within the time of the token.
    async fn search(
        &self,
        client: IpAddr,
        boards: Vec<Board>,
        stop: StopToken,
    ) -> Result<Vec<Arc<Answer>>, Failure> {
        let place = self.searches.enter(client);
        let _place = place.ok_or_else(|| {
            Failure::busy(PAUSE, "too many requests of this client are being searched")
        })?;
        let time = stop.remaining().unwrap_or_default();
        let (reply, mut replied) = oneshot::channel();
        let ticket = self.queue.push(client, Job { boards, stop, reply });
        let ticket =
            ticket.ok_or_else(|| self.not_searched("too many requests wait to be searched"))?;
        let replied = match timeout(time, &mut replied).await {
            Ok(replied) => replied,
            Err(_) if ticket.withdraw() => return Err(self.not_searched(NO_WORKER)),
            // It is about to come.
            Err(_) => replied.await,
        };
        replied.map_err(failed)?
    }

    /// Why a request was not searched: the end of the server, or else this.
    fn not_searched(&self, error: &str) -> Failure {
        if self.stop.was_stopped() { Failure::ending() } else { Failure::busy(PAUSE, error) }
    }

    /// Starts the workers. They end once the queue is [closed](Self::end).
    pub(crate) fn start_workers(self: &Arc<Service>) -> anyhow::Result<Vec<JoinHandle<()>>> {
        let start = |number| {
            let service = Arc::clone(self);
            let engine = service.engine().context("a worker cannot start")?;
            let thread = Builder::new().name(format!("worker {number}"));
            thread.spawn(move || service.work(engine)).context("a worker cannot start")
        };
        (1..=thread_count(self.settings.workers).get()).map(start).collect()
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        let hash = (self.settings.hash / 8).max(1);
        Engine::with_options(EngineOptions {
            hash_mebibytes: hash,
            solver_mebibytes: self.settings.hash.saturating_sub(hash).max(1),
            tablebase: self.known.tablebase.clone(),
            book: self.known.book.clone(),
            ..EngineOptions::default()
        })
    }

    /// Lets the workers end.
    pub(crate) fn end(&self) {
        self.stop.stop();
        self.queue.close();
    }

    fn work(&self, mut engine: Engine) {
        while let Some(Job { boards, stop, reply }) = self.queue.next() {
            if stop.is_stopped() {
                let _ = reply.send(Err(self.not_searched(NO_WORKER)));
                continue;
            }
            // A search that fails is one request that fails: the engine can search again.
            let values = || self.values(&mut engine, &boards, &stop);
            let Ok((answers, solved)) = catch_unwind(AssertUnwindSafe(values)) else { continue };
            // If nobody waits any more, what was solved is kept all the same.
            let _ = reply.send(Ok(answers));
            if let Some(store) = self.known.store.as_ref().filter(|_| !solved.is_empty()) {
                if let Err(error) = store.keep(&solved) {
                    warn!("{}", with_causes(&error));
                }
                self.metrics.stored.set(store.positions() as i64);
            }
        }
    }

    /// Searches boards within the time of the token. Returns the answers, and what was solved.
    fn values(
        &self,
        engine: &mut Engine,
        boards: &[Board],
        stop: &StopToken,
    ) -> (Vec<Arc<Answer>>, Vec<(Board, PositionValue)>) {
        let _searching = Open::new(&self.metrics.searching);
        let (mut answers, mut solved) = (Vec::with_capacity(boards.len()), Vec::new());
        for (number, board) in boards.iter().enumerate() {
            // Another request may have been about it meanwhile.
            if let Some(answer) = self.kept(board) {
                answers.push(answer);
                continue;
            }
            let left = stop.remaining().unwrap_or_default();
            let share = left / (boards.len() - number).max(1) as u32;
            let value = analyst::value(engine, board, &stop.child_with_timeout(share));
            answers.push(self.answer(board, &value));
            if value.is_final() {
                solved.push((*board, value));
            }
        }
        (answers, solved)
    }
}

fn missing_boards(boards: &[Board], answers: &[Option<Arc<Answer>>]) -> Vec<Board> {
    let missing = boards.iter().zip(answers).filter(|(_, answer)| answer.is_none());
    missing.map(|(board, _)| *board).collect()
}

/// Puts answers where there are none.
fn fill(answers: &mut [Option<Arc<Answer>>], found: Vec<Option<Arc<Answer>>>) {
    let places = answers.iter_mut().filter(|answer| answer.is_none());
    places.zip(found).for_each(|(place, answer)| *place = answer);
}

/// The failure of a part of the server that should not fail.
fn failed(reason: impl std::fmt::Display) -> Failure {
    error!("a request failed: {reason}");
    Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the server has failed")
}
