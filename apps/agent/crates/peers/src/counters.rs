//! Counts reads between the agents of a zone since this agent started.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of reads between agents. They never decrease.
#[derive(Debug, Default)]
pub struct PeerCounters {
    /// Reads of data files that another agent answered.
    pub reads: AtomicU64,
    /// Bytes received in those reads.
    pub read_bytes: AtomicU64,
    /// Reads also sent to the bucket because the other agent was slow.
    pub hedges: AtomicU64,
    /// Reads that another agent refused or aborted, or for which it was unreachable.
    pub failures: AtomicU64,
    /// Reads that failed because another agent presented a TLS key other than its registered one. Included in
    /// `failures` unless the bucket was faster.
    pub wrong_keys: AtomicU64,
    /// Reads that failed because the bytes were not those of the file. Included in `failures` unless the bucket was
    /// faster.
    pub damaged: AtomicU64,
    /// Reads that this agent answered.
    pub served: AtomicU64,
    /// Bytes sent in those reads.
    pub served_bytes: AtomicU64,
    /// Requests closed without a response because they were not authentic or malformed.
    pub refused: AtomicU64,
}

pub(crate) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}
