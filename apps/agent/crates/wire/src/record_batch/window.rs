//! Estimates the memory needed to read a batch from its payload headers, before anything is decompressed.

use super::error::BatchError;
use super::header::{Batch, Compression, HEADER_BYTES};
use super::payload::MAX_SNAPPY_BLOCK_BYTES;
use super::{gzip_zstd, lz4, snappy};

/// Memory of each reader besides its window: tables and a buffer.
const READER_BYTES: u64 = 512 << 10;

/// The maximum memory that [`super::check_records`] needs for this batch, in bytes. A corrupt payload may need less.
///
/// # Errors
/// Returns an error if Kafka does not define the batch's compression type.
pub fn window_bytes(batch: &Batch) -> Result<u64, BatchError> {
    let payload = &batch.bytes[HEADER_BYTES..];
    let window_bytes = match batch.header.compression()? {
        Compression::None => return Ok(0),
        // The window of 32 KiB is part of the reader's tables.
        Compression::Gzip => 0,
        Compression::Snappy => snappy::largest_block_bytes(payload).min(MAX_SNAPPY_BLOCK_BYTES),
        Compression::Lz4 => lz4::max_block_bytes(payload),
        Compression::Zstd => gzip_zstd::largest_window_bytes(payload).min(gzip_zstd::MAX_WINDOW_BYTES),
    };
    Ok(READER_BYTES + window_bytes)
}
