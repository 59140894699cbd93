//! Where consecutive batches of one partition lie, in the compact form in which the agent keeps many of them.

use uuid::Uuid;

use crate::proto::RunLocation;

/// Reads a 16-byte id; `None` for any other length.
#[must_use]
pub fn uuid_from_bytes(bytes: &[u8]) -> Option<Uuid> {
    Uuid::from_slice(bytes).ok()
}

/// Consecutive batches of one partition, adjacent in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The data file.
    pub file_id: Uuid,
    /// First byte within the file.
    pub position: u64,
    /// Length in bytes.
    pub bytes: u32,
    /// Offset of the first record.
    pub base_offset: i64,
    /// Number of offsets: `base_offset .. base_offset + records`.
    pub records: u32,
    /// Size of the whole file.
    pub file_bytes: u64,
}

impl Run {
    /// `None` if the location makes no sense: an id that is no id, no records, or bytes beyond the end of the file.
    #[must_use]
    pub fn from_proto(location: &RunLocation) -> Option<Self> {
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
        })
    }

    /// The offset after the last record.
    #[must_use]
    pub fn end_offset(&self) -> i64 {
        self.base_offset.saturating_add(i64::from(self.records))
    }
}
