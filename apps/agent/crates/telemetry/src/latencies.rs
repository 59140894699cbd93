//! One histogram per stage.

use std::time::Duration;

use crate::latency_histogram::{LatencyHistogram, SparseBuckets};

/// Where latency is measured. The number is that of `LatencyStage` in the RPC contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Produce requests, whole.
    Produce = 1,
    /// From a data file's first batch to its sealing.
    ProduceBuffer = 2,
    /// Writing a data file to object storage.
    ProducePut = 3,
    /// Committing a data file.
    ProduceCommit = 4,
    /// Fetch requests that found records at once, whole.
    Fetch = 5,
    /// Finding out where the records lie.
    FetchMetadata = 6,
    /// Reading that needed no object storage.
    FetchCache = 7,
    /// One read from object storage.
    FetchGet = 8,
    /// From a record's timestamp to the answer that carries it, for readers at the tail.
    EndToEnd = 9,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 9] = [
        Self::Produce,
        Self::ProduceBuffer,
        Self::ProducePut,
        Self::ProduceCommit,
        Self::Fetch,
        Self::FetchMetadata,
        Self::FetchCache,
        Self::FetchGet,
        Self::EndToEnd,
    ];

    /// Whether object storage takes part in it.
    #[must_use]
    pub fn touches_store(self) -> bool {
        matches!(
            self,
            Self::Produce | Self::ProducePut | Self::Fetch | Self::FetchGet | Self::EndToEnd
        )
    }
}

/// The latencies of every stage.
#[derive(Debug, Default)]
pub struct Latencies {
    stages: [LatencyHistogram; Stage::ALL.len()],
}

impl Latencies {
    /// Counts one latency of a stage.
    pub fn record(&self, stage: Stage, took: Duration) {
        self.stages[stage as usize - 1].record(took);
    }

    /// Takes out what was counted of a stage since the last time.
    #[must_use]
    pub fn drain(&self, stage: Stage) -> SparseBuckets {
        self.stages[stage as usize - 1].drain()
    }
}
