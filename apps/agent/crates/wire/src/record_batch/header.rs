//! The 61-byte header of a batch, and an iterator over the batches of a records field.

use std::ops::Range;

use bytes::{Buf, BufMut as _, Bytes, BytesMut};

use super::error::BatchError;

/// Size of a batch header. The records follow it.
pub const HEADER_BYTES: usize = 61;
/// Size of the first part of a header, which the broker sets and the checksum does not cover.
pub const SERVED_HEADER_BYTES: usize = 16;
/// Number of bytes before those counted by the length field.
pub(super) const LENGTH_END: usize = 12;
const CRC: Range<usize> = 17..21;
/// First byte covered by the checksum.
pub(super) const CRC_START: usize = 21;
const ATTRIBUTES: Range<usize> = 21..23;
const MAX_TIMESTAMP: Range<usize> = 35..43;

const COMPRESSION_BITS: i16 = 0x07;
const LOG_APPEND_TIME_BIT: i16 = 0x08;
pub(super) const TRANSACTIONAL_BIT: i16 = 0x10;
pub(super) const CONTROL_BIT: i16 = 0x20;
/// KIP-534: the base timestamp is not the first record's but the time from which tombstones can be removed.
pub(super) const DELETE_HORIZON_BIT: i16 = 0x40;

/// The compression type of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Kafka's")]
pub enum Compression {
    None,
    Gzip,
    Snappy,
    Lz4,
    Zstd,
}

impl Compression {
    /// Returns the type with this code in Kafka's protocol, or `None` if there is none.
    #[must_use]
    pub fn from_code(code: i8) -> Option<Self> {
        match code {
            0 => Some(Self::None),
            1 => Some(Self::Gzip),
            2 => Some(Self::Snappy),
            3 => Some(Self::Lz4),
            4 => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Kafka's name of the compression type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Snappy => "snappy",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }

    /// The maximum number of content bytes per compressed byte in the codec's format. Gzip: two bits for a match of 258
    /// bytes (RFC 1951, section 3.2.5). LZ4: 255 per byte of a match length. Snappy: three bytes for a copy of 64.
    /// Zstd: a block of four bytes for 128 KiB (RFC 8878, section 3.1.1.2).
    #[must_use]
    pub fn max_expansion(self) -> u64 {
        match self {
            Self::None => 1,
            Self::Gzip => 1_032,
            Self::Snappy => 22,
            Self::Lz4 => 255,
            Self::Zstd => 32_768,
        }
    }
}

/// The fields of a batch header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Offset of the first record; producers send 0.
    pub base_offset: i64,
    /// Number of bytes after the length field.
    pub batch_length: i32,
    /// Leader epoch of the partition. Not covered by the checksum.
    pub partition_leader_epoch: i32,
    /// Format version: 2 in every parsed batch.
    pub magic: i8,
    /// CRC-32C of all bytes after this field.
    pub crc: u32,
    /// Flags for compression, timestamp type, transactions, control batches and the delete horizon.
    pub attributes: i16,
    /// Offset of the last record, relative to the base offset.
    pub last_offset_delta: i32,
    /// Timestamp of the first record, in milliseconds since the Unix epoch.
    pub base_timestamp_ms: i64,
    /// Largest timestamp of the batch, in milliseconds since the Unix epoch.
    pub max_timestamp_ms: i64,
    /// Id of the idempotent producer, or -1.
    pub producer_id: i64,
    /// Epoch of the producer id, or -1.
    pub producer_epoch: i16,
    /// Sequence number of the first record, or -1.
    pub base_sequence: i32,
    /// The number of records.
    pub records_count: i32,
}

impl BatchHeader {
    /// Parses the header at the start of `bytes`.
    ///
    /// # Errors
    /// Returns an error if there are too few bytes, or if they are not a batch of magic 2.
    pub fn of(bytes: &[u8]) -> Result<Self, BatchError> {
        let Some(header) = bytes.get(..HEADER_BYTES) else {
            return Err(BatchError::Truncated {
                needed: HEADER_BYTES,
                remaining: bytes.len(),
            });
        };
        let header = Self::read(header);
        if header.magic != 2 {
            return Err(BatchError::Invalid("the batch has an unknown message format"));
        }
        Ok(header)
    }

    pub(super) fn read(mut bytes: &[u8]) -> Self {
        Self {
            base_offset: bytes.get_i64(),
            batch_length: bytes.get_i32(),
            partition_leader_epoch: bytes.get_i32(),
            magic: bytes.get_i8(),
            crc: bytes.get_u32(),
            attributes: bytes.get_i16(),
            last_offset_delta: bytes.get_i32(),
            base_timestamp_ms: bytes.get_i64(),
            max_timestamp_ms: bytes.get_i64(),
            producer_id: bytes.get_i64(),
            producer_epoch: bytes.get_i16(),
            base_sequence: bytes.get_i32(),
            records_count: bytes.get_i32(),
        }
    }

    fn write(&self, out: &mut BytesMut) {
        out.put_i64(self.base_offset);
        out.put_i32(self.batch_length);
        out.put_i32(self.partition_leader_epoch);
        out.put_i8(self.magic);
        out.put_u32(self.crc);
        out.put_i16(self.attributes);
        out.put_i32(self.last_offset_delta);
        out.put_i64(self.base_timestamp_ms);
        out.put_i64(self.max_timestamp_ms);
        out.put_i64(self.producer_id);
        out.put_i16(self.producer_epoch);
        out.put_i32(self.base_sequence);
        out.put_i32(self.records_count);
    }

    /// The compression type.
    ///
    /// # Errors
    /// Returns an error if Kafka does not define the type.
    pub fn compression(&self) -> Result<Compression, BatchError> {
        let code = (self.attributes & COMPRESSION_BITS) as i8;
        Compression::from_code(code).ok_or(BatchError::UnknownCompression(code.cast_unsigned()))
    }

    /// Returns true if the batch holds transaction markers instead of records.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.attributes & CONTROL_BIT != 0
    }

    /// Returns true if the batch belongs to a transaction or ends one.
    #[must_use]
    pub fn is_transactional(&self) -> bool {
        self.attributes & TRANSACTIONAL_BIT != 0
    }

    /// The time from which compaction can remove the batch's tombstones, in milliseconds since the Unix epoch
    /// (KIP-534). `None` if compaction has not seen them yet or there are none.
    #[must_use]
    pub fn delete_horizon_ms(&self) -> Option<i64> {
        (self.attributes & DELETE_HORIZON_BIT != 0).then_some(self.base_timestamp_ms)
    }

    /// Returns true if all records have the batch's max timestamp instead of their own.
    #[must_use]
    pub fn is_log_append_time(&self) -> bool {
        self.attributes & LOG_APPEND_TIME_BIT != 0
    }
}

/// A batch: the parsed header, and all bytes including the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The fields of the header.
    pub header: BatchHeader,
    /// The whole batch, a slice of the field that contained it.
    pub bytes: Bytes,
}

impl Batch {
    /// Removes the first batch from `field` and returns it.
    ///
    /// # Errors
    /// Returns an error, without changing `field`, if it does not start with a whole batch of magic 2.
    pub fn split_off(field: &mut Bytes) -> Result<Self, BatchError> {
        let remaining = field.len();
        let needs = |needed: usize| BatchError::Truncated { needed, remaining };
        if remaining < LENGTH_END + 5 {
            return Err(needs(HEADER_BYTES));
        }
        let magic = field[LENGTH_END + 4].cast_signed();
        if magic != 2 {
            return Err(match magic {
                0 | 1 => BatchError::OldFormat(magic),
                _ => BatchError::Invalid("the batch has an unknown message format"),
            });
        }
        if remaining < HEADER_BYTES {
            return Err(needs(HEADER_BYTES));
        }
        let header = BatchHeader::read(&field[..HEADER_BYTES]);
        let len = header.batch_bytes()?;
        if len > remaining {
            return Err(needs(len));
        }
        Ok(Self {
            header,
            bytes: field.split_to(len),
        })
    }

    /// The records section as received, compressed or not.
    #[must_use]
    pub fn records(&self) -> Bytes {
        self.bytes.slice(HEADER_BYTES..)
    }

    /// Verifies the checksum.
    ///
    /// # Errors
    /// Returns an error if it does not match the bytes.
    pub fn check_crc(&self) -> Result<(), BatchError> {
        let computed = crc32c::crc32c(&self.bytes[CRC_START..]);
        if computed != self.header.crc {
            return Err(BatchError::BadChecksum {
                computed,
                stated: self.header.crc,
            });
        }
        Ok(())
    }

    /// Validates the header of a producer's batch and the checksum. [`super::check_records`] validates the records.
    ///
    /// # Errors
    /// Returns the first violated rule.
    pub fn check_produced(&self) -> Result<(), BatchError> {
        self.check_crc()?;
        let header = &self.header;
        header.compression()?;
        if header.is_control() {
            return Err(BatchError::Invalid("a producer may not write control batches"));
        }
        if header.is_transactional() && header.producer_id < 0 {
            return Err(BatchError::Invalid("a transactional batch needs a producer id"));
        }
        if header.is_log_append_time() {
            return Err(BatchError::LogAppendTime);
        }
        if header.records_count < 1 {
            return Err(BatchError::Invalid("the batch has no records"));
        }
        if header.last_offset_delta != header.records_count - 1 {
            return Err(BatchError::Invalid(
                "the record count and the last offset delta contradict each other",
            ));
        }
        let idempotent = (
            header.producer_id >= 0,
            header.producer_epoch >= 0,
            header.base_sequence >= 0,
        );
        if !matches!(idempotent, (true, true, true) | (false, _, _)) {
            return Err(BatchError::Invalid(
                "the batch has a producer id without epoch or sequence",
            ));
        }
        Ok(())
    }

    /// Encodes a batch with these records. Sets the length, magic and checksum of the header.
    pub(super) fn encode(mut header: BatchHeader, payload: &[u8]) -> Result<Self, BatchError> {
        let length = i32::try_from(HEADER_BYTES - LENGTH_END + payload.len());
        header.batch_length = length.map_err(|_| BatchError::TooLarge {
            limit_bytes: i32::MAX as u64,
        })?;
        header.magic = 2;
        Ok(Self::sealed(header, payload))
    }

    /// Like [`Self::encode`], for a header whose length is set.
    pub(super) fn sealed(mut header: BatchHeader, payload: &[u8]) -> Self {
        let mut bytes = BytesMut::with_capacity(HEADER_BYTES + payload.len());
        header.write(&mut bytes);
        bytes.put_slice(payload);
        header.crc = crc32c::crc32c(&bytes[CRC_START..]);
        bytes[CRC].copy_from_slice(&header.crc.to_be_bytes());
        Self {
            header,
            bytes: bytes.freeze(),
        }
    }

    /// Returns a copy with another largest timestamp and the matching checksum. `is_log_append_time`: this timestamp
    /// replaces those of all records, whose bytes stay unchanged.
    #[must_use]
    pub fn with_max_timestamp(&self, max_timestamp_ms: i64, is_log_append_time: bool) -> Self {
        let mut header = self.header;
        header.max_timestamp_ms = max_timestamp_ms;
        header.attributes &= !LOG_APPEND_TIME_BIT;
        if is_log_append_time {
            header.attributes |= LOG_APPEND_TIME_BIT;
        }
        let mut bytes = BytesMut::from(&self.bytes[..]);
        bytes[ATTRIBUTES].copy_from_slice(&header.attributes.to_be_bytes());
        bytes[MAX_TIMESTAMP].copy_from_slice(&max_timestamp_ms.to_be_bytes());
        header.crc = crc32c::crc32c(&bytes[CRC_START..]);
        bytes[CRC].copy_from_slice(&header.crc.to_be_bytes());
        Self {
            header,
            bytes: bytes.freeze(),
        }
    }

    /// Returns the batch as two chunks for a consumer: its first 16 bytes with the base offset set, and the unchanged
    /// rest.
    #[must_use]
    pub fn served(&self, base_offset: i64) -> [Bytes; 2] {
        let head = served_header(base_offset, self.header.batch_length);
        [Bytes::copy_from_slice(&head), self.bytes.slice(SERVED_HEADER_BYTES..)]
    }
}

/// The first 16 bytes of a batch as consumers see them: base offset, length, and leader epoch 0. The checksum does not
/// cover them.
#[must_use]
pub fn served_header(base_offset: i64, batch_length: i32) -> [u8; SERVED_HEADER_BYTES] {
    let mut head = [0; SERVED_HEADER_BYTES];
    head[..8].copy_from_slice(&base_offset.to_be_bytes());
    head[8..LENGTH_END].copy_from_slice(&batch_length.to_be_bytes());
    head
}

/// Iterates over the batches of a records field. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Batches {
    field: Bytes,
}

impl Batches {
    /// Creates an iterator over `field`.
    #[must_use]
    pub fn new(field: Bytes) -> Self {
        Self { field }
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.field.is_empty() {
            return None;
        }
        let batch = Batch::split_off(&mut self.field);
        if batch.is_err() {
            self.field.clear();
        }
        Some(batch)
    }
}
