//! Counts decompressed bytes, up to a limit.

use super::error::BatchError;

/// A byte count with a limit.
pub(super) struct Meter {
    bytes: u64,
    limit_bytes: u64,
}

impl Meter {
    pub(super) fn new(limit_bytes: u64) -> Self {
        Self { bytes: 0, limit_bytes }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds to the count. Fails if it would exceed the limit.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), BatchError> {
        if bytes > self.limit_bytes - self.bytes {
            return Err(BatchError::TooLarge {
                limit_bytes: self.limit_bytes,
            });
        }
        self.bytes += bytes;
        Ok(())
    }
}
