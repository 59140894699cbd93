//! The agent's measurements: latency histograms that merge by addition, and counters. Recording is one relaxed atomic addition per
//! request or file, never per record, and takes no lock. Knows nothing of Kafka, object storage or its readers.

mod counters;
mod last_errors;
mod latencies;
mod latency_histogram;

pub use counters::{ApiErrors, Counters, InFlight, RequestCounts};
pub use last_errors::{CleanText, ErrorKind, Failure, LastError, LastErrors};
pub use latencies::{Latencies, Stage};
pub use latency_histogram::{BUCKET_COUNT, GROUPING_POWER, LatencyHistogram, MAX_VALUE_POWER, SparseBuckets};
