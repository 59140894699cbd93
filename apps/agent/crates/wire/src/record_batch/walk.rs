//! Reads the heads of a batch's records as they are decompressed, and checks that they are well-formed. Holds none of
//! their content.

use std::io::{self, BufRead};

use super::error::BatchError;
use super::header::Compression;
use super::payload::payload_error;
use super::raw_record::RawRecord;

/// Maximum size of Kafka's 32-bit variable-length integers, in bytes.
const VARINT_BYTES: u32 = 5;
const VARLONG_BYTES: u32 = 10;

/// The fields before the value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHead {
    pub(super) offset_delta: i32,
    pub(super) timestamp_delta_ms: i64,
    pub(super) has_key: bool,
}

/// Why the walk failed.
#[derive(Debug)]
pub(super) enum WalkError {
    /// The payload cannot be decompressed.
    Payload(io::Error),
    /// The decompressed bytes are not valid records.
    Malformed(&'static str),
}

impl WalkError {
    pub(super) fn of(self, compression: Compression) -> BatchError {
        match self {
            Self::Payload(error) => payload_error(compression, &error),
            Self::Malformed(reason) => BatchError::Invalid(reason),
        }
    }
}

impl From<io::Error> for WalkError {
    fn from(error: io::Error) -> Self {
        Self::Payload(error)
    }
}

/// Reads records from `content`, the decompressed records section.
pub(super) struct RecordWalk<R> {
    content: R,
    /// Unread bytes of the current record.
    left: u64,
}

impl<R: BufRead> RecordWalk<R> {
    pub(super) fn new(content: R) -> Self {
        Self { content, left: 0 }
    }

    /// Returns the underlying reader.
    pub(super) fn into_content(self) -> R {
        self.content
    }

    /// Returns true if nothing is left.
    pub(super) fn is_at_end(&mut self) -> Result<bool, WalkError> {
        Ok(self.content.fill_buf()?.is_empty())
    }

    /// Reads the next record, which must exist.
    pub(super) fn read(&mut self) -> Result<RecordHead, WalkError> {
        let buffer = self.content.fill_buf()?;
        let mut rest = buffer;
        // Usually the whole record is buffered. Otherwise, or if it is invalid, it is read byte by byte.
        if let Ok(record) = RawRecord::split_off(&mut rest) {
            let bytes = buffer.len() - rest.len();
            let head = RecordHead {
                offset_delta: record.offset_delta,
                timestamp_delta_ms: record.timestamp_delta_ms,
                has_key: record.key.is_some(),
            };
            self.content.consume(bytes);
            return Ok(head);
        }
        self.read_slowly()
    }

    fn read_slowly(&mut self) -> Result<RecordHead, WalkError> {
        self.left = u64::from(VARINT_BYTES);
        let len = self.varint()?;
        self.left = u64::try_from(len).map_err(|_| WalkError::Malformed("a record has a negative length"))?;
        self.byte()?; // attributes: none are defined
        let timestamp_delta_ms = self.varlong()?;
        let offset_delta = self.varint()?;
        let has_key = self.skip_field()?;
        self.skip_field()?; // value
        let headers = self.varint()?;
        if headers < 0 {
            return Err(WalkError::Malformed("a record has a negative number of headers"));
        }
        for _ in 0..headers {
            if !self.skip_field()? {
                return Err(WalkError::Malformed("a header of a record has no key"));
            }
            self.skip_field()?;
        }
        if self.left > 0 {
            return Err(WalkError::Malformed("a record is shorter than its length says"));
        }
        Ok(RecordHead {
            offset_delta,
            timestamp_delta_ms,
            has_key,
        })
    }

    /// Skips a length and that many bytes. Returns false if the field is null.
    fn skip_field(&mut self) -> Result<bool, WalkError> {
        let len = match self.varint()? {
            -1 => return Ok(false),
            len => u64::try_from(len).map_err(|_| WalkError::Malformed("a field of a record has a negative length"))?,
        };
        self.left = self.left.checked_sub(len).ok_or(TOO_LONG)?;
        let mut rest = len;
        while rest > 0 {
            let there = self.content.fill_buf()?.len();
            if there == 0 {
                return Err(CUT_OFF);
            }
            let taken = usize::try_from(rest).map_or(there, |rest| rest.min(there));
            self.content.consume(taken);
            rest -= taken as u64;
        }
        Ok(true)
    }

    fn varint(&mut self) -> Result<i32, WalkError> {
        let zigzag = u32::try_from(self.unsigned(VARINT_BYTES)?).map_err(|_| UNENDING)?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    fn varlong(&mut self) -> Result<i64, WalkError> {
        let zigzag = self.unsigned(VARLONG_BYTES)?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    fn unsigned(&mut self, max_bytes: u32) -> Result<u64, WalkError> {
        let mut value = 0u64;
        for index in 0..max_bytes {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(UNENDING)
    }

    fn byte(&mut self) -> Result<u8, WalkError> {
        self.left = self.left.checked_sub(1).ok_or(TOO_LONG)?;
        let byte = *self.content.fill_buf()?.first().ok_or(CUT_OFF)?;
        self.content.consume(1);
        Ok(byte)
    }
}

const TOO_LONG: WalkError = WalkError::Malformed("a record is longer than its length says");
const CUT_OFF: WalkError = WalkError::Malformed("the records end before the last one that the batch counts");
const UNENDING: WalkError = WalkError::Malformed("a variable-length integer of a record does not end");
