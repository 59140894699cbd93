//! One page of records, and its limits.

use super::record::BrowsedRecord;

/// Of the records as they are sent, in base64.
pub(super) const MAX_PAGE_BYTES: usize = 1 << 20;

/// Why the answer ends where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are no more records.
    End,
    /// As many records as were asked for.
    Limit,
    /// As many bytes as an answer may have.
    Bytes,
    /// As many bytes as a question may read.
    Scanned,
    /// As much time as a question may take.
    Time,
}

/// A batch that is there but cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableBatch {
    /// Of its first record.
    pub base_offset: i64,
    /// Of its last record.
    pub last_offset: i64,
    /// Why.
    pub reason: String,
}

/// Records of one partition in the order of their offsets.
#[derive(Debug)]
pub struct BrowsePage {
    /// The oldest record's offset.
    pub log_start_offset: i64,
    /// The offset after the newest record's.
    pub high_watermark: i64,
    /// What was found.
    pub records: Vec<BrowsedRecord>,
    /// Records that were examined.
    pub scanned_records: u64,
    /// Batches that could not be decompressed.
    pub unreadable: Vec<UnreadableBatch>,
    /// Where the next question goes on; none at the end.
    pub next_offset: Option<i64>,
    /// Why the answer ends here.
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

    /// Takes the record, cut to what is left if it is the first one; or ends the answer before it.
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
