//! The control batch that ends a transaction in a partition. The metadata service's index has an entry without bytes
//! for it, so the agent creates it when it is read.

use super::header::{Batch, BatchHeader, CONTROL_BIT, HEADER_BYTES, LENGTH_END, TRANSACTIONAL_BIT};

/// The end of a transaction in a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndMarker {
    /// The producer of the transaction.
    pub producer_id: i64,
    /// The producer epoch that ended the transaction.
    pub producer_epoch: i16,
    /// True if the transaction was committed, false if it was aborted.
    pub is_commit: bool,
    /// When the transaction ended, in milliseconds since the Unix epoch.
    pub timestamp_ms: i64,
}

impl EndMarker {
    /// Size of every end marker batch.
    pub const BATCH_BYTES: u32 = (HEADER_BYTES + RECORD_BYTES) as u32;

    /// Creates the batch with base offset 0. It spans one offset.
    #[must_use]
    pub fn batch(&self) -> Batch {
        let header = BatchHeader {
            base_offset: 0,
            batch_length: (HEADER_BYTES - LENGTH_END + RECORD_BYTES) as i32,
            partition_leader_epoch: 0,
            magic: 2,
            crc: 0,
            attributes: TRANSACTIONAL_BIT | CONTROL_BIT,
            last_offset_delta: 0,
            base_timestamp_ms: self.timestamp_ms,
            max_timestamp_ms: self.timestamp_ms,
            producer_id: self.producer_id,
            producer_epoch: self.producer_epoch,
            base_sequence: -1,
            records_count: 1,
        };
        Batch::sealed(header, &record(self.is_commit))
    }
}

const RECORD_BYTES: usize = 17;

/// Encodes the record. Lengths are zigzag integers, that is, doubled. The coordinator epoch, with which brokers fence
/// replaced coordinators, is 0: here one owner decides, and consumers ignore it.
#[rustfmt::skip]
fn record(is_commit: bool) -> [u8; RECORD_BYTES] {
    [
        2 * (RECORD_BYTES as u8 - 1), // length of the rest
        0, 0, 0, // attributes, deltas of timestamp and offset
        2 * 4, 0, 0, 0, u8::from(is_commit), // key: version, type
        2 * 6, 0, 0, 0, 0, 0, 0, // value: version, coordinator epoch
        0, // headers
    ]
}
