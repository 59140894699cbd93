//! Finds a record by timestamp in a batch without holding its content in memory.

use std::io::{BufReader, Read as _};

use super::error::BatchError;
use super::header::Batch;
use super::payload::{MAX_SNAPPY_BLOCK_BYTES, MAX_UNCOMPRESSED_BYTES, records_reader};
use super::walk::RecordWalk;

const BUFFER_BYTES: usize = 16 * 1024;

/// The result of a timestamp lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundRecord {
    /// Offset relative to the batch's base offset.
    pub offset_delta: i32,
    /// Milliseconds since the Unix epoch.
    pub timestamp_ms: i64,
}

/// Returns the first record from `least_offset_delta` on whose timestamp is at least `timestamp_ms`. Memory use is
/// bounded, whatever the payload contains.
///
/// # Errors
/// Returns an error if the payload cannot be decompressed or its records are malformed.
pub fn first_record_at_or_after(
    batch: &Batch,
    least_offset_delta: i64,
    timestamp_ms: i64,
) -> Result<Option<FoundRecord>, BatchError> {
    if batch.header.max_timestamp_ms < timestamp_ms {
        return Ok(None);
    }
    let mut found = None;
    for_each_record(batch, least_offset_delta, |record| {
        if record.timestamp_ms >= timestamp_ms {
            found = Some(record);
        }
        found.is_none()
    })?;
    Ok(found)
}

/// Returns the record with the largest timestamp from `least_offset_delta` on; the first one if several share it.
///
/// # Errors
/// Returns an error if the payload cannot be decompressed or its records are malformed.
pub fn latest_record(batch: &Batch, least_offset_delta: i64) -> Result<Option<FoundRecord>, BatchError> {
    let mut latest: Option<FoundRecord> = None;
    for_each_record(batch, least_offset_delta, |record| {
        if latest.is_none_or(|latest| record.timestamp_ms > latest.timestamp_ms) {
            latest = Some(record);
        }
        true
    })?;
    Ok(latest)
}

/// Calls `visit` with the records from `least_offset_delta` on, until it returns that it is done.
fn for_each_record(
    batch: &Batch,
    least_offset_delta: i64,
    mut visit: impl FnMut(FoundRecord) -> bool,
) -> Result<(), BatchError> {
    let header = &batch.header;
    let compression = header.compression()?;
    let content = records_reader(batch, MAX_SNAPPY_BLOCK_BYTES)?.take(MAX_UNCOMPRESSED_BYTES);
    let mut records = RecordWalk::new(BufReader::with_capacity(BUFFER_BYTES, content));
    for _ in 0..header.records_count {
        let record = records.read().map_err(|error| error.of(compression))?;
        if i64::from(record.offset_delta) < least_offset_delta {
            continue;
        }
        let timestamp_ms = if header.is_log_append_time() {
            header.max_timestamp_ms
        } else {
            header.base_timestamp_ms.saturating_add(record.timestamp_delta_ms)
        };
        let offset_delta = record.offset_delta;
        if !visit(FoundRecord {
            offset_delta,
            timestamp_ms,
        }) {
            break;
        }
    }
    Ok(())
}
