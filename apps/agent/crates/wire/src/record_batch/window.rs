//! How much memory reading a batch takes, from what its payload says before anything is decompressed.

use super::error::BatchError;
use super::header::{Batch, Compression, HEADER_BYTES};
use super::payload::MAX_SNAPPY_BLOCK_BYTES;
use super::{gzip_zstd, lz4, snappy};

/// What each reader holds besides its window: its tables and a buffer.
const READER_BYTES: u64 = 512 << 10;

/// The most memory that [`super::check_records`] takes for this batch, in bytes. A payload that is corrupt may take less.
///
/// # Errors
/// The batch has a compression type that Kafka does not know.
pub fn window_bytes(batch: &Batch) -> Result<u64, BatchError> {
    let payload = &batch.bytes[HEADER_BYTES..];
    let window_bytes = match batch.header.compression()? {
        Compression::None => return Ok(0),
        // 32 KiB, which the reader's tables include.
        Compression::Gzip => 0,
        Compression::Snappy => snappy::largest_block_bytes(payload).min(MAX_SNAPPY_BLOCK_BYTES),
        Compression::Lz4 => lz4::max_block_bytes(payload),
        Compression::Zstd => gzip_zstd::largest_window_bytes(payload).min(gzip_zstd::MAX_WINDOW_BYTES),
    };
    Ok(READER_BYTES + window_bytes)
}
