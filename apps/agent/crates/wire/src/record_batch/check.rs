//! Validates the records of a batch before it is accepted: the payload decompresses, the record count matches the
//! header, offsets count up from 0, and keys and timestamps satisfy the topic's rules. Modeled on Kafka's LogValidator.

use std::io::{self, BufReader, Read};
use std::ops::RangeInclusive;

use super::error::{BatchError, RecordFault, RefusedRecord, RefusedRecords};
use super::header::{Batch, Compression, HEADER_BYTES};
use super::meter::Meter;
use super::payload::MAX_SNAPPY_BLOCK_BYTES;
use super::walk::RecordWalk;
use super::{gzip_zstd, lz4, snappy};

const BUFFER_BYTES: usize = 64 * 1024;
/// Timestamp value of a record without a timestamp.
const NO_TIMESTAMP: i64 = -1;
/// The largest timestamp that can be stored: 2^53 - 1, in the year 287,396.
const MAX_TIMESTAMP_MS: i64 = (1 << 53) - 1;
/// Maximum number of refused records that are reported individually. The rest usually have the same fault.
const MAX_NAMED_RECORDS: usize = 100;

/// The rules of a topic for each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRules {
    /// True for compacted topics, which keep the last record of each key.
    needs_keys: bool,
    /// The allowed timestamps, in milliseconds since the Unix epoch.
    timestamps_ms: RangeInclusive<i64>,
}

impl Default for RecordRules {
    /// The rules of a topic with default configs that stores its producers' timestamps.
    fn default() -> Self {
        Self::new(false, Some(i64::MIN..=i64::MAX))
    }
}

impl RecordRules {
    /// `timestamps_ms`: the allowed timestamps in milliseconds since the Unix epoch; records without a timestamp are
    /// always allowed. `None` if the topic does not store record timestamps.
    #[must_use]
    pub fn new(needs_keys: bool, timestamps_ms: Option<RangeInclusive<i64>>) -> Self {
        let storable = |range: RangeInclusive<i64>| {
            let (start, end) = range.into_inner();
            start.max(-MAX_TIMESTAMP_MS)..=end.min(MAX_TIMESTAMP_MS)
        };
        Self {
            needs_keys,
            timestamps_ms: timestamps_ms.map_or(i64::MIN..=i64::MAX, storable),
        }
    }

    fn fault(&self, has_key: bool, timestamp_ms: i64) -> Option<RecordFault> {
        if self.needs_keys && !has_key {
            return Some(RecordFault::NoKey);
        }
        if timestamp_ms == NO_TIMESTAMP || self.timestamps_ms.contains(&timestamp_ms) {
            return None;
        }
        let is_storable = (-MAX_TIMESTAMP_MS..=MAX_TIMESTAMP_MS).contains(&timestamp_ms);
        Some(if is_storable {
            RecordFault::Timestamp {
                timestamp_ms,
                allowed_ms: self.timestamps_ms.clone(),
            }
        } else {
            RecordFault::UnstorableTimestamp {
                timestamp_ms,
                max_ms: MAX_TIMESTAMP_MS,
            }
        })
    }
}

/// A batch whose records are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedRecords {
    /// The exact size of the batch with `compression.type=none`, including its header.
    pub uncompressed_bytes: u64,
    /// The largest timestamp of the records, or -1 if none has one.
    pub max_timestamp_ms: i64,
}

/// Validates the records of a batch against its header and the topic's rules, and measures them. Holds a window of the
/// content, whatever the payload says: at most an LZ4 block (4 MiB), a Snappy block (128 MiB, because many clients
/// write a whole batch as one block), or zstd's window (128 MiB).
///
/// # Errors
/// Returns an error if the payload cannot be decompressed or exceeds `limit_bytes`, if the records are malformed or do
/// not match the header, or if a record breaks a rule.
pub fn check_records(batch: &Batch, rules: &RecordRules, limit_bytes: u64) -> Result<CheckedRecords, BatchError> {
    let compression = batch.header.compression()?;
    let payload = &batch.bytes[HEADER_BYTES..];
    if payload.is_empty() && compression != Compression::None {
        return Err(BatchError::CorruptPayload {
            codec: compression.name(),
            reason: "it is empty".to_owned(),
        });
    }
    let buffered = |reader| BufReader::with_capacity(BUFFER_BYTES, Metered::new(reader, limit_bytes));
    let (content_bytes, max_timestamp_ms) = match compression {
        Compression::None => {
            Meter::new(limit_bytes).add(payload.len() as u64)?;
            let (_, max_timestamp_ms) = walk(batch, rules, payload)?;
            (payload.len() as u64, max_timestamp_ms)
        }
        Compression::Lz4 => {
            let (content, max_timestamp_ms) = walk(batch, rules, lz4::FrameReader::new(payload, limit_bytes)?)?;
            (content.content_bytes(), max_timestamp_ms)
        }
        Compression::Snappy => {
            let blocks = snappy::BlockReader::new(payload, MAX_SNAPPY_BLOCK_BYTES, limit_bytes)?;
            let (content, max_timestamp_ms) = walk(batch, rules, blocks)?;
            (content.content_bytes(), max_timestamp_ms)
        }
        Compression::Gzip => {
            let (content, max_timestamp_ms) = walk(batch, rules, buffered(Box::new(gzip_zstd::gzip_reader(payload))))?;
            (content.get_ref().meter.bytes(), max_timestamp_ms)
        }
        Compression::Zstd => {
            let (content, max_timestamp_ms) = walk(batch, rules, buffered(Box::new(gzip_zstd::zstd_reader(payload)?)))?;
            (content.get_ref().meter.bytes(), max_timestamp_ms)
        }
    };
    let uncompressed_bytes = HEADER_BYTES as u64 + content_bytes;
    if batch.bytes.len() as u64 > most_stored_bytes(uncompressed_bytes) {
        return Err(BatchError::Invalid(
            "the compressed records are much larger than their content",
        ));
    }
    if content_bytes > compression.max_expansion() * payload.len() as u64 {
        return Err(BatchError::CorruptPayload {
            codec: compression.name(),
            reason: "no payload of this length holds so much".to_owned(),
        });
    }
    Ok(CheckedRecords {
        uncompressed_bytes,
        max_timestamp_ms,
    })
}

/// The maximum compressed size of a batch. Snappy is the worst codec, with one sixth more and a few bytes. The metadata
/// service refuses files with larger batches, because it bills by uncompressed bytes.
fn most_stored_bytes(uncompressed_bytes: u64) -> u64 {
    uncompressed_bytes + uncompressed_bytes / 4 + 256
}

/// Reads the content to its end. Returns it with the largest timestamp.
fn walk<R: io::BufRead>(batch: &Batch, rules: &RecordRules, content: R) -> Result<(R, i64), BatchError> {
    let mut records = RecordWalk::new(content);
    let header = &batch.header;
    let compression = header.compression()?;
    let mut max_timestamp_ms = NO_TIMESTAMP;
    let mut refused = RefusedRecords::default();
    for index in 0..header.records_count {
        let record = records.read().map_err(|error| error.of(compression))?;
        if record.offset_delta != index {
            return Err(BatchError::Invalid("the offsets of the records do not count up from 0"));
        }
        let timestamp_ms = header.base_timestamp_ms.saturating_add(record.timestamp_delta_ms);
        max_timestamp_ms = max_timestamp_ms.max(timestamp_ms);
        if let Some(fault) = rules.fault(record.has_key, timestamp_ms) {
            refused.count += 1;
            if refused.first.len() < MAX_NAMED_RECORDS {
                refused.first.push(RefusedRecord { index, fault });
            }
        }
    }
    if !records.is_at_end().map_err(|error| error.of(compression))? {
        return Err(BatchError::Invalid(
            "there are bytes after the last record that the batch counts",
        ));
    }
    if refused.count > 0 {
        return Err(BatchError::Records(refused));
    }
    Ok((records.into_content(), max_timestamp_ms))
}

/// Counts the bytes read, and fails beyond the meter's limit.
struct Metered<'a> {
    content: Box<dyn Read + 'a>,
    meter: Meter,
}

impl<'a> Metered<'a> {
    fn new(content: Box<dyn Read + 'a>, limit_bytes: u64) -> Self {
        Self {
            content,
            meter: Meter::new(limit_bytes),
        }
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.content.read(out)?;
        self.meter.add(bytes as u64).map_err(io::Error::other)?;
        Ok(bytes)
    }
}
