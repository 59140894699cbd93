//! One latency histogram per stage.

use std::time::Duration;

use crate::latency_histogram::{LatencyHistogram, SparseBuckets};

/// Where latency is measured. The numbers are those of `LatencyStage` in the RPC contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// A whole Produce request.
    Produce = 1,
    /// From the first batch of a data file to its sealing.
    ProduceBuffer = 2,
    /// Writing a data file to object storage.
    ProducePut = 3,
    /// Committing a data file to the metadata service.
    ProduceCommit = 4,
    /// A whole Fetch request that found records immediately.
    Fetch = 5,
    /// Locating the records of a fetch.
    FetchMetadata = 6,
    /// A read served without object storage.
    FetchCache = 7,
    /// A read from object storage.
    FetchGet = 8,
    /// From a record's timestamp to the response that contains it, for readers at the tail.
    EndToEnd = 9,
}

impl Stage {
    /// All stages, in the order of their numbers.
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

    /// Returns true if the stage involves object storage.
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
    /// Records a latency of a stage.
    pub fn record(&self, stage: Stage, took: Duration) {
        self.stages[stage as usize - 1].record(took);
    }

    /// Returns and resets the counts of a stage.
    #[must_use]
    pub fn drain(&self, stage: Stage) -> SparseBuckets {
        self.stages[stage as usize - 1].drain()
    }
}
