//! A record as raw bytes, with the fields that rewriting needs.

use super::error::BatchError;
use super::varint::{put_varint, put_varlong, take_varint, take_varlong, varint_bytes, varlong_bytes};

/// A record of a decompressed batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawRecord<'a> {
    pub(super) offset_delta: i32,
    pub(super) timestamp_delta_ms: i64,
    pub(super) key: Option<&'a [u8]>,
    pub(super) has_value: bool,
    /// Key, value and headers with their lengths: everything that is not relative to the batch.
    pub(super) fields: &'a [u8],
}

impl<'a> RawRecord<'a> {
    /// Removes the first record from `content` and returns it.
    pub(super) fn split_off(content: &mut &'a [u8]) -> Result<Self, BatchError> {
        let mut body = take_len(content)?.ok_or(NO_LENGTH)?;
        take(&mut body, 1)?; // attributes: none are defined
        let timestamp_delta_ms = take_varlong(&mut body)?;
        let offset_delta = take_varint(&mut body)?;
        let fields = body;
        let key = take_len(&mut body)?;
        let has_value = take_len(&mut body)?.is_some();
        let headers = take_varint(&mut body)?;
        if headers < 0 {
            return Err(BatchError::Invalid("a record has a negative number of headers"));
        }
        for _ in 0..headers {
            if take_len(&mut body)?.is_none() {
                return Err(BatchError::Invalid("a header of a record has no key"));
            }
            take_len(&mut body)?;
        }
        if !body.is_empty() {
            return Err(BatchError::Invalid("a record is shorter than its length says"));
        }
        Ok(Self {
            offset_delta,
            timestamp_delta_ms,
            key,
            has_value,
            fields,
        })
    }
}

const NO_LENGTH: BatchError = BatchError::Invalid("a record has a negative length");

/// Appends a record with these fields.
pub(super) fn put_record(out: &mut Vec<u8>, timestamp_delta_ms: i64, offset_delta: i32, fields: &[u8]) {
    let heads = 1 + varlong_bytes(timestamp_delta_ms) + varint_bytes(offset_delta);
    // Batches are smaller than 2 GiB, and so are their records.
    put_varint(out, i32::try_from(heads + fields.len()).unwrap_or(i32::MAX));
    out.push(0);
    put_varlong(out, timestamp_delta_ms);
    put_varint(out, offset_delta);
    out.extend_from_slice(fields);
}

fn take<'a>(from: &mut &'a [u8], bytes: usize) -> Result<&'a [u8], BatchError> {
    let (taken, rest) = from
        .split_at_checked(bytes)
        .ok_or(BatchError::Invalid("a field of a record is longer than what is there"))?;
    *from = rest;
    Ok(taken)
}

/// Takes a length and that many bytes. `None` means null.
fn take_len<'a>(from: &mut &'a [u8]) -> Result<Option<&'a [u8]>, BatchError> {
    match take_varint(from)? {
        -1 => Ok(None),
        len => {
            let len =
                usize::try_from(len).map_err(|_| BatchError::Invalid("a field of a record has a negative length"))?;
            take(from, len).map(Some)
        }
    }
}
