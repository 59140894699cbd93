//! Counters that only telemetry needs. They never decrease during the agent's lifetime. Counters that `/metrics` also
//! has are read from there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::last_errors::LastErrors;

/// The counters without labels.
#[derive(Debug, Default)]
pub struct Counters {
    /// Records sent to consumers.
    pub fetched_records: AtomicU64,
    /// Connections that were accepted.
    pub connections_opened: AtomicU64,
    /// Connections closed because too many were open.
    pub connections_refused: AtomicU64,
    /// Microseconds during which connections were not read from because the memory for requests was full, summed over
    /// connections.
    pub throttled_us: Arc<AtomicU64>,
    /// Commits that received no response.
    pub metadata_errors: AtomicU64,
    /// End-to-end latencies skipped because the record's timestamp was ahead of this machine's clock.
    pub timestamps_ahead: AtomicU64,
    /// Gauge: data files being written or committed.
    pub files_in_flight: AtomicU64,
    /// The last failed call to the metadata service.
    pub last_errors: LastErrors,
}

impl Counters {
    /// Adds `count` to a counter.
    pub fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }

    /// Counts a data file as in flight until the guard is dropped.
    #[must_use]
    pub fn file_in_flight(&self) -> InFlight<'_> {
        self.files_in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(&self.files_in_flight)
    }
}

/// The guard of [`Counters::file_in_flight`].
#[derive(Debug)]
pub struct InFlight<'a>(&'a AtomicU64);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Upper bound of Kafka's API keys.
const API_KEYS: usize = 128;

/// Request counts by Kafka API key.
#[derive(Debug)]
pub struct RequestCounts {
    counts: [AtomicU64; API_KEYS],
}

impl Default for RequestCounts {
    fn default() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; API_KEYS],
        }
    }
}

impl RequestCounts {
    /// Counts a request to this API.
    pub fn count(&self, api_key: i16) {
        if let Some(count) = usize::try_from(api_key).ok().and_then(|key| self.counts.get(key)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns and resets the counts: API key and count.
    #[must_use]
    pub fn drain(&self) -> Vec<(i32, u64)> {
        (0i32..)
            .zip(&self.counts)
            .filter_map(|(api_key, count)| match count.swap(0, Ordering::Relaxed) {
                0 => None,
                requests => Some((api_key, requests)),
            })
            .collect()
    }
}

/// Maximum number of distinct errors per window. More count as Kafka's UNKNOWN_SERVER_ERROR (-1).
const MAX_KINDS: usize = 500;

/// Errors by Kafka API key and error code. Uses a lock, because errors are rare.
#[derive(Debug, Default)]
pub struct ApiErrors {
    counts: Mutex<BTreeMap<(i16, i16), u64>>,
}

impl ApiErrors {
    /// Counts the errors of a response.
    pub fn count(&self, api_key: i16, error_codes: &[i16]) {
        if error_codes.is_empty() {
            return;
        }
        let mut counts = self.counts.lock();
        for code in error_codes {
            let is_full = counts.len() >= MAX_KINDS && !counts.contains_key(&(api_key, *code));
            *counts.entry((api_key, if is_full { -1 } else { *code })).or_default() += 1;
        }
    }

    /// Returns and resets the counts: API key, error code and count.
    #[must_use]
    pub fn drain(&self) -> Vec<(i32, i32, u64)> {
        let counts = std::mem::take(&mut *self.counts.lock());
        counts
            .into_iter()
            .map(|((api_key, code), errors)| (api_key.into(), code.into(), errors))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_api_and_returned_once() {
        let counts = RequestCounts::default();
        for api_key in [0, 3, 0, -1, 5_000] {
            counts.count(api_key);
        }
        assert_eq!(counts.drain(), vec![(0, 2), (3, 1)]);
        assert!(counts.drain().is_empty());
    }

    #[test]
    fn errors_are_counted_by_api_and_code_with_a_bound() {
        let errors = ApiErrors::default();
        errors.count(0, &[7, 7, -1]);
        errors.count(1, &[]);
        assert_eq!(errors.drain(), vec![(0, -1, 1), (0, 7, 2)]);
        let all: Vec<i16> = (1..=2_000).collect();
        errors.count(1, &all);
        let drained = errors.drain();
        assert_eq!(drained.len(), MAX_KINDS + 1);
        assert_eq!(drained.iter().map(|(_, _, errors)| errors).sum::<u64>(), 2_000);
    }
}
