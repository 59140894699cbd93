//! The checks of the records before a batch is accepted: that there are as many as the header says, numbered from 0,
//! with keys and timestamps as the topic demands. Kafka's LogValidator is the model.

use std::io::{self, BufReader, Read};
use std::ops::RangeInclusive;

use super::error::{BatchError, RecordFault, RefusedRecord, RefusedRecords};
use super::header::{Batch, BatchHeader, Compression, HEADER_BYTES};
use super::meter::Meter;
use super::payload::{MAX_SNAPPY_BLOCK_BYTES, MAX_UNCOMPRESSED_BYTES, records_reader, uncompressed_len};
use super::walk::RecordWalk;

const BUFFER_BYTES: usize = 64 * 1024;
/// In place of a timestamp: the record has none.
const NO_TIMESTAMP: i64 = -1;
/// Timestamps beyond this cannot be stored: 2^53 - 1, the year 287,396.
const MAX_TIMESTAMP_MS: i64 = (1 << 53) - 1;
/// Refused records that are named one by one. What is wrong with the others is the same as a rule.
const MAX_NAMED_RECORDS: usize = 100;

/// What a topic demands of each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRules {
    /// Compacted topics keep the last record of each key.
    needs_keys: bool,
    /// Milliseconds since the Unix epoch.
    timestamps_ms: RangeInclusive<i64>,
}

impl Default for RecordRules {
    /// What every topic demands that stores its producers' timestamps.
    fn default() -> Self {
        Self::new(false, Some(i64::MIN..=i64::MAX))
    }
}

impl RecordRules {
    /// `timestamps_ms`: in milliseconds since the Unix epoch; records without a timestamp are always allowed. `None`: no timestamp of
    /// a record is stored.
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

    /// Whether the records of such a batch have to be decompressed to be checked and measured.
    #[must_use]
    pub fn need_decompression(&self, header: &BatchHeader) -> bool {
        match header.compression() {
            Ok(Compression::Gzip | Compression::Zstd) => true,
            Ok(Compression::Lz4 | Compression::Snappy) => self.concern_records(header),
            Ok(Compression::None) | Err(_) => false,
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

    /// Whether the header alone cannot tell that the records keep the rules.
    fn concern_records(&self, header: &BatchHeader) -> bool {
        let latest = header.max_timestamp_ms;
        self.needs_keys
            || *self.timestamps_ms.start() > -MAX_TIMESTAMP_MS
            || !(latest == NO_TIMESTAMP || self.timestamps_ms.contains(&latest))
    }
}

/// A batch whose records may be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedRecords {
    /// As of [`uncompressed_len`].
    pub uncompressed_bytes: u64,
    /// The largest timestamp of the records, -1 if none has any. What the header says if the records were not read: those of LZ4 and
    /// Snappy are counted without decompressing them, unless the topic demands something of each record.
    pub max_timestamp_ms: i64,
}

/// Checks the records of a batch against its header and the rules of its topic, and measures them. Needs a small constant amount of
/// memory, whatever the payload says (one block of Snappy, if the records must be read).
///
/// # Errors
/// The payload cannot be decompressed or holds more than [`MAX_UNCOMPRESSED_BYTES`]; the records are malformed, or not those
/// that the header counts; or some break a rule.
pub fn check_records(batch: &Batch, rules: &RecordRules) -> Result<CheckedRecords, BatchError> {
    let compression = batch.header.compression()?;
    let payload = &batch.bytes[HEADER_BYTES..];
    let (uncompressed_bytes, max_timestamp_ms) = match compression {
        Compression::None => (
            batch.bytes.len() as u64,
            walk(batch, rules, &mut RecordWalk::new(payload))?,
        ),
        Compression::Gzip | Compression::Zstd if !payload.is_empty() => {
            let mut records = RecordWalk::new(decompressing(batch)?);
            let max_timestamp_ms = walk(batch, rules, &mut records)?;
            (
                HEADER_BYTES as u64 + records.content().get_ref().meter.bytes(),
                max_timestamp_ms,
            )
        }
        _ => {
            let bytes = uncompressed_len(batch)?;
            let max_timestamp_ms = if rules.concern_records(&batch.header) {
                walk(batch, rules, &mut RecordWalk::new(decompressing(batch)?))?
            } else {
                batch.header.max_timestamp_ms
            };
            (bytes, max_timestamp_ms)
        }
    };
    if batch.bytes.len() as u64 > most_stored_bytes(uncompressed_bytes) {
        return Err(BatchError::Invalid(
            "the compressed records are much larger than their content",
        ));
    }
    Ok(CheckedRecords {
        uncompressed_bytes,
        max_timestamp_ms,
    })
}

/// The most bytes that compression makes of a batch. The worst codec is Snappy: a sixth more, and a few bytes. The metadata service refuses
/// files with larger batches, because it bills by uncompressed bytes.
fn most_stored_bytes(uncompressed_bytes: u64) -> u64 {
    uncompressed_bytes + uncompressed_bytes / 4 + 256
}

/// Walks to the end of the content; returns the largest timestamp.
fn walk(batch: &Batch, rules: &RecordRules, records: &mut RecordWalk<impl io::BufRead>) -> Result<i64, BatchError> {
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
    Ok(max_timestamp_ms)
}

fn decompressing(batch: &Batch) -> Result<BufReader<Metered<impl Read>>, BatchError> {
    let content = Metered {
        content: records_reader(batch, MAX_SNAPPY_BLOCK_BYTES)?,
        meter: Meter::new(MAX_UNCOMPRESSED_BYTES),
    };
    Ok(BufReader::with_capacity(BUFFER_BYTES, content))
}

/// Counts what it reads, and refuses to go on beyond the meter's limit.
struct Metered<R> {
    content: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.content.read(out)?;
        self.meter.add(bytes as u64).map_err(io::Error::other)?;
        Ok(bytes)
    }
}
