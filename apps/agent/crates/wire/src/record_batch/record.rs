//! The records of a decompressed batch.

use bytes::Bytes;

use crate::error::{DecodeError, DecodeReason};
use crate::reader::Reader;

/// A record. Offset and timestamp are relative to those of its batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Offset relative to the batch's base offset.
    pub offset_delta: i32,
    /// Timestamp in milliseconds, relative to the batch's base timestamp.
    pub timestamp_delta_ms: i64,
    /// The key, if there is one.
    pub key: Option<Bytes>,
    /// The value; `None` for a tombstone.
    pub value: Option<Bytes>,
    /// The headers, in order.
    pub headers: Vec<Header>,
}

/// A header of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The key. UTF-8 by convention, but not checked.
    pub key: Bytes,
    /// The value, if there is one.
    pub value: Option<Bytes>,
}

/// Iterates over a decompressed records section (see [`super::decompressed_records`]). Ends after the first error.
#[derive(Clone, Debug)]
pub struct Records {
    reader: Reader,
}

impl Records {
    /// Creates an iterator over `content`.
    #[must_use]
    pub fn new(content: Bytes) -> Self {
        Self {
            reader: Reader::new(content),
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.remaining() == 0 {
            return None;
        }
        let record = read_record(&mut self.reader);
        if record.is_err() {
            self.reader = Reader::new(Bytes::new());
        }
        Some(record)
    }
}

fn read_record(reader: &mut Reader) -> Result<Record, DecodeError> {
    let len = read_len(reader)?.ok_or(DecodeReason::UnexpectedNull)?;
    let mut body = Reader::new(reader.read_slice(len)?);
    body.read_i8()?; // attributes: none are defined
    let timestamp_delta_ms = body.read_varlong()?;
    let offset_delta = body.read_varint()?;
    let key = read_bytes(&mut body)?;
    let value = read_bytes(&mut body)?;
    let headers = read_headers(&mut body)?;
    Ok(Record {
        offset_delta,
        timestamp_delta_ms,
        key,
        value,
        headers,
    })
}

fn read_headers(body: &mut Reader) -> Result<Vec<Header>, DecodeError> {
    let count = read_len(body)?.ok_or(DecodeReason::UnexpectedNull)?;
    let remaining = body.remaining();
    // A header has at least two bytes: the lengths of its key and value.
    if count > remaining / 2 {
        return Err(DecodeReason::CountExceedsFrame {
            count: count as u64,
            remaining,
        }
        .into());
    }
    let mut headers = Vec::new();
    for _ in 0..count {
        let key = read_bytes(body)?.ok_or(DecodeReason::UnexpectedNull)?;
        headers.push(Header {
            key,
            value: read_bytes(body)?,
        });
    }
    Ok(headers)
}

fn read_bytes(reader: &mut Reader) -> Result<Option<Bytes>, DecodeError> {
    read_len(reader)?.map(|len| reader.read_slice(len)).transpose()
}

fn read_len(reader: &mut Reader) -> Result<Option<usize>, DecodeError> {
    match reader.read_varint()? {
        -1 => Ok(None),
        len => usize::try_from(len)
            .map(Some)
            .map_err(|_| DecodeReason::NegativeLength(i64::from(len)).into()),
    }
}
