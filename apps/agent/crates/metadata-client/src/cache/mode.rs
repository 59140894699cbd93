//! The kind of cluster that the customer pays for, which decides how its records are written and what is limited.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::proto;

/// The mode of the virtual cluster. It can change at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Cheap, and limited in throughput and partitions.
    Dev,
    /// Records go to the standard bucket.
    #[default]
    Standard,
    /// Records land in the buckets of the zones first.
    LowLatency,
}

impl From<proto::ClusterMode> for Mode {
    /// An older service names no mode, and only knows standard clusters.
    fn from(mode: proto::ClusterMode) -> Self {
        match mode {
            proto::ClusterMode::Dev => Self::Dev,
            proto::ClusterMode::LowLatency => Self::LowLatency,
            proto::ClusterMode::Standard | proto::ClusterMode::Unspecified => Self::Standard,
        }
    }
}

/// Read for every request, so without the catalogue's lock.
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
