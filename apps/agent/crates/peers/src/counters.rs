//! Counters of reads between the agents of a zone, since this one started.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters; they never decrease.
#[derive(Debug, Default)]
pub struct PeerCounters {
    /// Reads of data files that another agent answered.
    pub reads: AtomicU64,
    /// Bytes of those.
    pub read_bytes: AtomicU64,
    /// Reads for which the bucket was asked as well, because the other agent was slow.
    pub hedges: AtomicU64,
    /// Reads that the other agent refused or broke off, or for which it could not be reached.
    pub failures: AtomicU64,
    /// Reads that failed because the TLS key at another agent's address was not the one that the agent registered. Included in `failures`
    /// unless the bucket was quicker.
    pub wrong_keys: AtomicU64,
    /// Reads that this agent answered.
    pub served: AtomicU64,
    /// Bytes of those.
    pub served_bytes: AtomicU64,
    /// Requests that this agent closed without an answer: not authentic, or malformed.
    pub refused: AtomicU64,
    /// Reads, in either direction, that went without TLS because the other agent is of an earlier version.
    pub clear_text: AtomicU64,
}

pub(crate) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}
