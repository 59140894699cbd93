//! Why a record batch is invalid, and Kafka's error code for it.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::error_code::ErrorCode;

/// A batch that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// The bytes end before the batch does.
    #[error("the batch needs {needed} bytes, but only {remaining} are there")]
    Truncated {
        /// Bytes that the batch should have.
        needed: usize,
        /// Bytes that are there.
        remaining: usize,
    },
    /// The length field is smaller than a header.
    #[error("the batch length {0} is smaller than a batch header")]
    BadLength(i32),
    /// Message formats of Kafka before 0.11.
    #[error("message format {0} is not supported: use clients that write record batches (Kafka 0.11 or later)")]
    OldFormat(i8),
    /// The checksum does not match the bytes.
    #[error("CRC-32C is {computed:08x} but the batch says {stated:08x}")]
    BadChecksum {
        /// Of the bytes that arrived.
        computed: u32,
        /// In the header.
        stated: u32,
    },
    /// Header fields that contradict each other or that no producer may send.
    #[error("{0}")]
    Invalid(&'static str),
    /// Records that the topic does not take.
    #[error("{0}")]
    Records(RefusedRecords),
    /// The broker sets the append time.
    #[error("a producer may not set the timestamp type LogAppendTime")]
    LogAppendTime,
    /// A compression type that Kafka does not know.
    #[error("compression type {0} is unknown")]
    UnknownCompression(u8),
    /// The compressed records cannot be decompressed.
    #[error("the {codec} payload is corrupt: {reason}")]
    CorruptPayload {
        /// Name of the compression type.
        codec: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The records would decompress to more than we are willing to walk.
    #[error("the records decompress to more than {limit_bytes} bytes")]
    TooLarge {
        /// The limit that was passed.
        limit_bytes: u64,
    },
    /// Readers hold a whole block of Snappy in memory.
    #[error(
        "a Snappy block decompresses to more than {limit_bytes} bytes, which no setting allows: send smaller batches"
    )]
    SnappyBlockTooLarge {
        /// The limit that was passed.
        limit_bytes: u64,
    },
}

impl BatchError {
    /// The code that a producer gets for such a batch.
    #[must_use]
    pub fn error_code(&self) -> ErrorCode {
        match self {
            Self::Truncated { .. } | Self::BadLength(_) | Self::BadChecksum { .. } | Self::CorruptPayload { .. } => {
                ErrorCode::CORRUPT_MESSAGE
            }
            Self::OldFormat(_) => ErrorCode::UNSUPPORTED_FOR_MESSAGE_FORMAT,
            Self::Invalid(_) => ErrorCode::INVALID_RECORD,
            Self::LogAppendTime => ErrorCode::INVALID_TIMESTAMP,
            Self::Records(refused) => refused.error_code(),
            Self::UnknownCompression(_) => ErrorCode::UNSUPPORTED_COMPRESSION_TYPE,
            Self::TooLarge { .. } | Self::SnappyBlockTooLarge { .. } => ErrorCode::MESSAGE_TOO_LARGE,
        }
    }
}

/// The records for which a batch is refused as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRecords {
    /// The first of them, in the order of the batch.
    pub first: Vec<RefusedRecord>,
    /// How many there are in all.
    pub count: usize,
}

/// A record for which a batch is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRecord {
    /// Its place in the batch, from 0.
    pub index: i32,
    /// What is wrong with it.
    pub fault: RecordFault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// The topic is compacted.
    #[error("the topic is compacted: every record needs a key")]
    NoKey,
    /// See `message.timestamp.before.max.ms` and `message.timestamp.after.max.ms`.
    #[error(
        "its timestamp {timestamp_ms} is not within {} to {}, which the topic's message.timestamp.before.max.ms and message.timestamp.after.max.ms allow at present",
        .allowed_ms.start(),
        .allowed_ms.end()
    )]
    Timestamp {
        /// Of the record, in milliseconds since the Unix epoch.
        timestamp_ms: i64,
        /// What is allowed, in milliseconds since the Unix epoch.
        allowed_ms: RangeInclusive<i64>,
    },
    /// No config of the topic allows it.
    #[error(
        "its timestamp {timestamp_ms} is beyond {max_ms} (2^53-1), the largest in either direction that Penstock stores whatever the topic allows; timestamps are milliseconds since 1970, so if these are nanoseconds, divide them by 1,000,000"
    )]
    UnstorableTimestamp {
        /// Of the record, in milliseconds since the Unix epoch.
        timestamp_ms: i64,
        /// The largest that can be stored.
        max_ms: i64,
    },
}

impl RefusedRecords {
    /// As Kafka's: one bad timestamp decides.
    fn error_code(&self) -> ErrorCode {
        let is_timestamp = |record: &RefusedRecord| {
            matches!(
                record.fault,
                RecordFault::Timestamp { .. } | RecordFault::UnstorableTimestamp { .. }
            )
        };
        if self.first.iter().any(is_timestamp) {
            ErrorCode::INVALID_TIMESTAMP
        } else {
            ErrorCode::INVALID_RECORD
        }
    }
}

impl fmt::Display for RefusedRecords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(RefusedRecord { index, fault }) = self.first.first() else {
            return Ok(());
        };
        write!(out, "record {index} of the batch is refused: {fault}")?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(out, " ({count} records of the batch are refused)"),
        }
    }
}
