//! A page of records, and its limits.

use super::record::BrowsedRecord;

/// Maximum size of the records as sent, in base64.
pub(super) const MAX_PAGE_BYTES: usize = 1 << 20;

/// Why a page ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are no more records.
    End,
    /// The requested number of records is reached.
    Limit,
    /// The maximum size of a response is reached.
    Bytes,
    /// The maximum number of bytes read is reached.
    Scanned,
    /// The time limit is reached.
    Time,
}

/// A batch that exists but cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableBatch {
    /// Offset of its first record.
    pub base_offset: i64,
    /// Offset of its last record.
    pub last_offset: i64,
    /// The reason why it cannot be read.
    pub reason: String,
}

/// Records of a partition, in offset order.
#[derive(Debug)]
pub struct BrowsePage {
    /// Offset of the oldest record.
    pub log_start_offset: i64,
    /// Offset after the newest record.
    pub high_watermark: i64,
    /// The records that match.
    pub records: Vec<BrowsedRecord>,
    /// Number of records examined.
    pub scanned_records: u64,
    /// Batches that could not be decompressed.
    pub unreadable: Vec<UnreadableBatch>,
    /// Offset from which to continue; `None` at the end.
    pub next_offset: Option<i64>,
    /// The reason why the page ends here.
    pub stop: Option<Stop>,
    limit: usize,
    bytes_left: usize,
}

impl BrowsePage {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            log_start_offset: 0,
            high_watermark: 0,
            records: Vec::new(),
            scanned_records: 0,
            unreadable: Vec::new(),
            next_offset: None,
            stop: None,
            limit,
            bytes_left: MAX_PAGE_BYTES,
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    pub(super) fn stop_at(&mut self, next_offset: Option<i64>, stop: Stop) {
        self.next_offset = next_offset;
        self.stop = Some(stop);
    }

    /// Adds the record, truncated to the remaining size if it is the first one; otherwise ends the page if it does not
    /// fit.
    pub(super) fn take(&mut self, mut record: BrowsedRecord) {
        let offset = record.offset;
        let bytes = record.sent_bytes();
        if bytes > self.bytes_left && !self.records.is_empty() {
            self.stop_at(Some(offset), Stop::Bytes);
            return;
        }
        if bytes > self.bytes_left {
            record.cut(self.bytes_left);
        }
        self.bytes_left = self.bytes_left.saturating_sub(record.sent_bytes());
        self.records.push(record);
        if offset + 1 >= self.high_watermark {
            self.stop_at(None, Stop::End);
        } else if self.records.len() >= self.limit {
            self.stop_at(Some(offset + 1), Stop::Limit);
        }
    }
}
