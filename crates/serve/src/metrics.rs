//! What the service has done, in the text format of Prometheus.

use std::time::Duration;

use prometheus::{
    Encoder, Error, Histogram, IntCounterVec, IntGauge, Registry, TextEncoder,
    register_histogram_with_registry as histogram,
    register_int_counter_vec_with_registry as counters, register_int_gauge_with_registry as gauge,
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
        let all = Registry::new();
        let requests = "Requests, by their status.";
        let positions = "Positions answered, by where their values come from.";
        let (time, seconds) = ("Seconds to the answer.", SECONDS.to_vec());
        let metrics = Metrics {
            requests: counters!("kalah_requests_total", requests, &["status"], all)?,
            positions: counters!("kalah_positions_total", positions, &["source"], all)?,
            seconds: histogram!("kalah_request_seconds", time, seconds, all)?,
            open: gauge!("kalah_open_requests", "Requests that are being answered.", all)?,
            waiting: gauge!("kalah_waiting", "Requests that wait for a worker.", all)?,
            searching: gauge!("kalah_searching", "Workers that search.", all)?,
            stored: gauge!("kalah_stored_positions", "Positions in the store.", all)?,
            registry: all,
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
