//! The agent's measurements: counters, and latency histograms that can be added up. Recording takes no lock: one
//! relaxed atomic addition per request or file, never per record. Knows nothing of Kafka, object storage or the readers
//! of its data.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod counters;
mod last_errors;
mod latencies;
mod latency_histogram;

pub use counters::{ApiErrors, Counters, InFlight, RequestCounts};
pub use last_errors::{CleanText, ErrorKind, Failure, LastError, LastErrors};
pub use latencies::{Latencies, Stage};
pub use latency_histogram::{BUCKET_COUNT, GROUPING_POWER, LatencyHistogram, MAX_VALUE_POWER, SparseBuckets};
