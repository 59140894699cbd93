//! The cluster mode that the customer pays for. It determines how records are written and which limits apply.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::proto;

/// The mode of the virtual cluster. It can change at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Low price, with limits on throughput and partitions.
    Dev,
    /// Records are written to the standard bucket.
    #[default]
    Standard,
    /// Records are first written to landing buckets.
    LowLatency,
}

impl From<proto::ClusterMode> for Mode {
    /// The service always names a mode.
    fn from(mode: proto::ClusterMode) -> Self {
        match mode {
            proto::ClusterMode::Dev => Self::Dev,
            proto::ClusterMode::LowLatency => Self::LowLatency,
            proto::ClusterMode::Standard | proto::ClusterMode::Unspecified => Self::Standard,
        }
    }
}

/// An atomic, because every request reads it, without locking the catalogue.
#[derive(Debug)]
pub(super) struct SharedMode(AtomicU8);

impl Default for SharedMode {
    fn default() -> Self {
        Self(AtomicU8::new(encoded(Mode::default())))
    }
}

impl SharedMode {
    pub(super) fn get(&self) -> Mode {
        match self.0.load(Ordering::Relaxed) {
            DEV => Mode::Dev,
            LOW_LATENCY => Mode::LowLatency,
            _ => Mode::Standard,
        }
    }

    pub(super) fn set(&self, mode: Mode) {
        self.0.store(encoded(mode), Ordering::Relaxed);
    }
}

const STANDARD: u8 = 0;
const DEV: u8 = 1;
const LOW_LATENCY: u8 = 2;

fn encoded(mode: Mode) -> u8 {
    match mode {
        Mode::Standard => STANDARD,
        Mode::Dev => DEV,
        Mode::LowLatency => LOW_LATENCY,
    }
}
