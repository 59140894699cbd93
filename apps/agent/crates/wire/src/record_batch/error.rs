//! Why a record batch is invalid, and the corresponding Kafka error code.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::error_code::ErrorCode;

/// The reason for refusing a batch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// The bytes end within the batch.
    #[error("the batch needs {needed} bytes, but only {remaining} are there")]
    Truncated {
        /// The size of the batch in bytes.
        needed: usize,
        /// The number of bytes present.
        remaining: usize,
    },
    /// The length field is smaller than a header.
    #[error("the batch length {0} is smaller than a batch header")]
    BadLength(i32),
    /// The batch has a message format from before Kafka 0.11.
    #[error("message format {0} is not supported: use clients that write record batches (Kafka 0.11 or later)")]
    OldFormat(i8),
    /// The checksum does not match the bytes.
    #[error("CRC-32C is {computed:08x} but the batch says {stated:08x}")]
    BadChecksum {
        /// The checksum of the received bytes.
        computed: u32,
        /// The checksum in the header.
        stated: u32,
    },
    /// Header fields contradict each other, or no producer may set them so.
    #[error("{0}")]
    Invalid(&'static str),
    /// The topic does not accept some records.
    #[error("{0}")]
    Records(RefusedRecords),
    /// The producer set the timestamp type LogAppendTime, which only brokers set.
    #[error("a producer may not set the timestamp type LogAppendTime")]
    LogAppendTime,
    /// Kafka does not define this compression type.
    #[error("compression type {0} is unknown")]
    UnknownCompression(u8),
    /// The compressed records cannot be decompressed.
    #[error("the {codec} payload is corrupt: {reason}")]
    CorruptPayload {
        /// The name of the compression type.
        codec: &'static str,
        /// The reason given by the codec.
        reason: String,
    },
    /// The records would decompress to more bytes than allowed.
    #[error("the records decompress to more than {limit_bytes} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// A Snappy block is too large. Readers hold a whole block in memory.
    #[error(
        "a Snappy block decompresses to more than {limit_bytes} bytes, which no setting allows: send smaller batches"
    )]
    SnappyBlockTooLarge {
        /// The limit in bytes.
        limit_bytes: u64,
    },
}

impl BatchError {
    /// The error code that the producer receives.
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

/// The records because of which a whole batch is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRecords {
    /// The first refused records, in batch order.
    pub first: Vec<RefusedRecord>,
    /// Total number of refused records.
    pub count: usize,
}

/// A record because of which a batch is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRecord {
    /// The record's index in the batch, from 0.
    pub index: i32,
    /// The reason for refusing the record.
    pub fault: RecordFault,
}

/// The reason for refusing a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// The topic is compacted, but the record has no key.
    #[error("the topic is compacted: every record needs a key")]
    NoKey,
    /// The timestamp is outside the range set by `message.timestamp.before.max.ms` and
    /// `message.timestamp.after.max.ms`.
    #[error(
        "its timestamp {timestamp_ms} is not within {} to {}, which the topic's message.timestamp.before.max.ms and message.timestamp.after.max.ms allow at present",
        .allowed_ms.start(),
        .allowed_ms.end()
    )]
    Timestamp {
        /// The record's timestamp, in milliseconds since the Unix epoch.
        timestamp_ms: i64,
        /// The allowed range, in milliseconds since the Unix epoch.
        allowed_ms: RangeInclusive<i64>,
    },
    /// The timestamp is too large to store, whatever the topic's configs.
    #[error(
        "its timestamp {timestamp_ms} is beyond {max_ms} (2^53-1), the largest in either direction that Penstock stores whatever the topic allows; timestamps are milliseconds since 1970, so if these are nanoseconds, divide them by 1,000,000"
    )]
    UnstorableTimestamp {
        /// The record's timestamp, in milliseconds since the Unix epoch.
        timestamp_ms: i64,
        /// The largest timestamp that can be stored.
        max_ms: i64,
    },
}

impl RefusedRecords {
    /// Kafka's codes: a single invalid timestamp determines the code.
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
