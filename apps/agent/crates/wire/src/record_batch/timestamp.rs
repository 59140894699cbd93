//! Finding a record by its timestamp inside one batch, without holding the batch's content.

use std::io::{self, BufRead, BufReader, Read};

use super::error::BatchError;
use super::header::Batch;
use super::payload::{LARGEST_UNCOMPRESSED_BYTES, payload_error, records_reader};

const BUFFER_BYTES: usize = 16 * 1024;
/// Clients cut Snappy content into blocks of 32 or 64 KiB, except those that write one raw block per batch.
const LARGEST_SNAPPY_BLOCK_BYTES: u64 = 128 << 20;

/// A record that a timestamp query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundRecord {
    /// Offset, counted from the batch's base offset.
    pub offset_delta: i32,
    /// Milliseconds since the Unix epoch.
    pub timestamp_ms: i64,
}

/// The first record of the batch whose timestamp is `timestamp_ms` or later. Memory stays bounded, whatever the payload
/// says.
///
/// # Errors
/// The payload cannot be decompressed, or its records are malformed.
pub fn first_record_at_or_after(batch: &Batch, timestamp_ms: i64) -> Result<Option<FoundRecord>, BatchError> {
    let header = &batch.header;
    if header.max_timestamp_ms < timestamp_ms {
        return Ok(None);
    }
    if header.is_log_append_time() {
        return Ok(Some(FoundRecord {
            offset_delta: 0,
            timestamp_ms: header.max_timestamp_ms,
        }));
    }
    let compression = header.compression()?;
    let content = records_reader(batch, LARGEST_SNAPPY_BLOCK_BYTES)?.take(LARGEST_UNCOMPRESSED_BYTES);
    let mut content = BufReader::with_capacity(BUFFER_BYTES, content);
    for _ in 0..header.records_count {
        let (offset_delta, timestamp_delta_ms) =
            next_record(&mut content).map_err(|error| payload_error(compression, &error))?;
        let record_ms = header.base_timestamp_ms.saturating_add(timestamp_delta_ms);
        if record_ms >= timestamp_ms {
            return Ok(Some(FoundRecord {
                offset_delta,
                timestamp_ms: record_ms,
            }));
        }
    }
    Ok(None)
}

/// Reads the head of a record and skips the rest of it.
fn next_record(content: &mut impl BufRead) -> io::Result<(i32, i64)> {
    let malformed = || io::Error::new(io::ErrorKind::InvalidData, "a record is malformed");
    let (len, _) = read_varlong(content)?;
    read_byte(content)?; // attributes
    let (timestamp_delta_ms, timestamp_bytes) = read_varlong(content)?;
    let (offset_delta, offset_bytes) = read_varlong(content)?;
    let head_bytes = 1 + timestamp_bytes + offset_bytes;
    let rest = u64::try_from(len)
        .ok()
        .and_then(|len| len.checked_sub(head_bytes))
        .ok_or_else(malformed)?;
    if io::copy(&mut content.take(rest), &mut io::sink())? < rest {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((
        i32::try_from(offset_delta).map_err(|_| malformed())?,
        timestamp_delta_ms,
    ))
}

fn read_byte(content: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    content.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// A zigzag integer, and the bytes that it took.
fn read_varlong(content: &mut impl Read) -> io::Result<(i64, u64)> {
    let mut value = 0u64;
    for index in 0..10 {
        let byte = read_byte(content)?;
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok(((value >> 1).cast_signed() ^ -(value & 1).cast_signed(), index + 1));
        }
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        "a variable-length integer does not end",
    ))
}
