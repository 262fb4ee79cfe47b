//! What the service has done, in the text format of Prometheus.

use std::time::Duration;

use prometheus::{
    Encoder, Error, Histogram, HistogramOpts, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};
use strum::IntoEnumIterator;

use crate::answer::Source;

/// Upper limits of the times of requests, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0];

/// The name of answers that were given before, beside those of sources.
const CACHE: &str = "cache";

/// Counters, times and states.
pub(crate) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    positions: IntCounterVec,
    seconds: Histogram,
    pub open: IntGauge,
    pub waiting: IntGauge,
    pub searching: IntGauge,
    pub stored: IntGauge,
}

/// Counts a piece of work as open, as long as this lives: a request whose client goes away is dropped.
pub(crate) struct Open(IntGauge);

impl Open {
    pub(crate) fn new(gauge: &IntGauge) -> Open {
        gauge.inc();
        Open(gauge.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    pub(crate) fn new() -> Result<Metrics, Error> {
        let registry = Registry::new();
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(name, help)?;
            registry.register(Box::new(gauge.clone()))?;
            Ok::<_, Error>(gauge)
        };
        let counters = |name: &str, help: &str, label: &str| {
            let counters = IntCounterVec::new(Opts::new(name, help), &[label])?;
            registry.register(Box::new(counters.clone()))?;
            Ok::<_, Error>(counters)
        };
        let seconds = HistogramOpts::new("kalah_request_seconds", "Seconds to the answer.");
        let seconds = Histogram::with_opts(seconds.buckets(SECONDS.to_vec()))?;
        registry.register(Box::new(seconds.clone()))?;
        let positions = "Positions answered, by where their values come from.";
        let metrics = Metrics {
            requests: counters("kalah_requests_total", "Requests, by their status.", "status")?,
            positions: counters("kalah_positions_total", positions, "source")?,
            seconds,
            open: gauge("kalah_open_requests", "Requests that are being answered.")?,
            waiting: gauge("kalah_waiting", "Requests that wait for a worker.")?,
            searching: gauge("kalah_searching", "Workers that search.")?,
            stored: gauge("kalah_stored_positions", "Positions in the store.")?,
            registry,
        };
        // All names are there from the beginning.
        for name in Source::iter().map(<&str>::from).chain([CACHE]) {
            metrics.positions.with_label_values(&[name]);
        }
        Ok(metrics)
    }

    /// Counts a request with this status that took this time.
    pub(crate) fn request(&self, status: &str, time: Duration) {
        self.requests.with_label_values(&[status]).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// Counts a position; no source if its answer was kept from before.
    pub(crate) fn position(&self, source: Option<Source>) {
        self.positions.with_label_values(&[source.map_or(CACHE, <&str>::from)]).inc();
    }

    /// Everything as text.
    pub(crate) fn text(&self) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail, and neither can metrics that were registered.
        let _ = TextEncoder::new().encode(&self.registry.gather(), &mut text);
        String::from_utf8(text).unwrap_or_default()
    }
}
