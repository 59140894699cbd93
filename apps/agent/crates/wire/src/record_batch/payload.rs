//! Decompresses the records section of a batch. For the checks before a batch is stored, see [`super::check`].

use std::io::{self, Read};

use bytes::Bytes;

use super::error::BatchError;
use super::header::{Batch, Compression, HEADER_BYTES};
use super::meter::Meter;
use super::{gzip_zstd, snappy};

/// Maximum decompressed size of a batch: 1 GiB.
pub const MAX_UNCOMPRESSED_BYTES: u64 = 1 << 30;

/// Maximum size of a Snappy block held in memory. Clients write blocks of 32 or 64 KiB, except those that write a whole
/// batch as one raw block.
pub(super) const MAX_SNAPPY_BLOCK_BYTES: u64 = 128 << 20;

/// Returns a reader of the decompressed records section. For Snappy, it holds one block of at most `max_block_bytes`;
/// for other codecs, their window.
pub(super) fn records_reader(batch: &Batch, max_block_bytes: u64) -> Result<Box<dyn Read + '_>, BatchError> {
    content_reader(
        batch.header.compression()?,
        &batch.bytes[HEADER_BYTES..],
        max_block_bytes,
    )
}

fn content_reader(
    compression: Compression,
    payload: &[u8],
    max_block_bytes: u64,
) -> Result<Box<dyn Read + '_>, BatchError> {
    Ok(match compression {
        Compression::None => Box::new(payload),
        // Unlike `lz4::FrameReader`, it also reads linked blocks, which stored batches may have.
        Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(payload)),
        Compression::Snappy => Box::new(snappy::BlockReader::new(payload, max_block_bytes, u64::MAX)?),
        Compression::Gzip => Box::new(gzip_zstd::gzip_reader(payload)),
        Compression::Zstd => Box::new(gzip_zstd::zstd_reader(payload)?),
    })
}

/// Returns the decompressed records section, for [`super::Records`]. For an uncompressed batch, this is a slice of it.
///
/// # Errors
/// Returns an error if the payload cannot be decompressed or exceeds `limit_bytes`.
pub fn decompressed_records(batch: &Batch, limit_bytes: u64) -> Result<Bytes, BatchError> {
    let compression = batch.header.compression()?;
    if compression == Compression::None {
        Meter::new(limit_bytes).add((batch.bytes.len() - HEADER_BYTES) as u64)?;
        return Ok(batch.records());
    }
    decompressed(compression, &batch.bytes[HEADER_BYTES..], limit_bytes).map(Bytes::from)
}

/// Decompresses a payload that is not a batch but is compressed in the same way.
///
/// # Errors
/// Returns an error if the payload cannot be decompressed or exceeds `limit_bytes`.
pub fn decompressed(compression: Compression, payload: &[u8], limit_bytes: u64) -> Result<Vec<u8>, BatchError> {
    let mut content = Vec::new();
    let mut reader = content_reader(compression, payload, limit_bytes)?.take(limit_bytes.saturating_add(1));
    reader
        .read_to_end(&mut content)
        .map_err(|error| payload_error(compression, &error))?;
    Meter::new(limit_bytes).add(content.len() as u64)?;
    Ok(content)
}

/// Converts an error of a decompressing reader to a batch error.
pub(super) fn payload_error(compression: Compression, error: &io::Error) -> BatchError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<BatchError>()) {
        Some(inner) => inner.clone(),
        None => BatchError::CorruptPayload {
            codec: compression.name(),
            reason: error.to_string(),
        },
    }
}
