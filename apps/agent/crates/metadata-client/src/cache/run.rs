//! The location of consecutive batches of a partition, in a compact form of which the agent keeps many.

use uuid::Uuid;

use crate::proto::{self, RunLocation};

/// Parses a 16-byte id; `None` for any other length.
#[must_use]
pub fn uuid_from_bytes(bytes: &[u8]) -> Option<Uuid> {
    Uuid::from_slice(bytes).ok()
}

/// The end of a transaction in a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// The producer of the transaction.
    pub producer_id: i64,
    /// The producer epoch that ended it.
    pub producer_epoch: i16,
    /// True if the transaction was committed, false if it was aborted.
    pub is_commit: bool,
    /// When the transaction ended, in milliseconds since the Unix epoch.
    pub timestamp_ms: i64,
    /// Offset of its first record in the partition, if the marker came from the watch stream; else -1.
    pub first_offset: i64,
}

/// An aborted transaction in a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aborted {
    /// The producer of the transaction.
    pub producer_id: i64,
    /// Offset of its first record.
    pub first_offset: i64,
    /// Offset of its end marker.
    pub last_offset: i64,
}

impl Aborted {
    pub(super) fn from_proto(aborted: &proto::AbortedTransaction) -> Self {
        Self {
            producer_id: aborted.producer_id,
            first_offset: aborted.first_offset,
            last_offset: aborted.last_offset,
        }
    }
}

/// Consecutive batches of one partition that are adjacent in a file, or the end of a transaction, which has an offset
/// but no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The data file; nil for a marker.
    pub file_id: Uuid,
    /// Position of the first byte in the file.
    pub position: u64,
    /// The length in bytes.
    pub bytes: u32,
    /// Offset of the first record.
    pub base_offset: i64,
    /// Number of offsets: `base_offset .. base_offset + records`.
    pub records: u32,
    /// Size of the whole file, in bytes.
    pub file_bytes: u64,
    /// The end marker, if the run is one. The agent creates its batch of `bytes` bytes.
    pub marker: Option<Marker>,
}

impl Run {
    /// Returns `None` if the location is invalid: a malformed id, no records, bytes beyond the end of the file, or a
    /// marker with several offsets.
    #[must_use]
    pub fn from_proto(location: &RunLocation) -> Option<Self> {
        if let Some(marker) = &location.marker {
            return Self::of_marker(location, marker);
        }
        let end = location.position.checked_add(u64::from(location.bytes))?;
        if location.records == 0 || end > location.file_bytes || location.base_offset < 0 {
            return None;
        }
        Some(Self {
            file_id: uuid_from_bytes(&location.file_id)?,
            position: location.position,
            bytes: location.bytes,
            base_offset: location.base_offset,
            records: location.records,
            file_bytes: location.file_bytes,
            marker: None,
        })
    }

    fn of_marker(location: &RunLocation, marker: &proto::TransactionMarker) -> Option<Self> {
        if location.records != 1 || location.base_offset < 0 {
            return None;
        }
        Some(Self {
            file_id: Uuid::nil(),
            position: 0,
            bytes: location.bytes,
            base_offset: location.base_offset,
            records: 1,
            file_bytes: 0,
            marker: Some(Marker {
                producer_id: marker.producer_id,
                producer_epoch: i16::try_from(marker.producer_epoch).ok()?,
                is_commit: marker.committed,
                timestamp_ms: location.max_timestamp_ms,
                first_offset: marker.first_offset,
            }),
        })
    }

    /// The transaction aborted by this run, if it is a marker from the watch stream.
    pub(super) fn aborted(&self) -> Option<Aborted> {
        let marker = self
            .marker
            .filter(|marker| !marker.is_commit && marker.first_offset >= 0)?;
        Some(Aborted {
            producer_id: marker.producer_id,
            first_offset: marker.first_offset,
            last_offset: self.base_offset,
        })
    }

    /// The offset after the last record.
    #[must_use]
    pub fn end_offset(&self) -> i64 {
        self.base_offset.saturating_add(i64::from(self.records))
    }
}
