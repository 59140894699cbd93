//! Compresses records as Kafka's own clients do, so that every client can read them.

use std::io::{self, Write as _};

use bytes::BufMut as _;
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::error::BatchError;
use super::header::Compression;
use super::snappy::XERIAL_MAGIC;

/// Kafka's defaults for compression.gzip.level and compression.zstd.level.
const GZIP_LEVEL: flate2::Compression = flate2::Compression::new(6);
const ZSTD_LEVEL: i32 = 3;
/// Block size of Java's Snappy streams.
const SNAPPY_BLOCK_BYTES: usize = 32 << 10;
/// The format version, and the oldest version that can read it.
const XERIAL_VERSIONS: [u32; 2] = [1, 1];

/// Compresses a records section.
///
/// # Errors
/// Returns an error if the codec's library fails.
pub fn compress(compression: Compression, section: Vec<u8>) -> Result<Vec<u8>, BatchError> {
    let compressed = match compression {
        Compression::None => Ok(section),
        Compression::Gzip => gzip(&section),
        Compression::Snappy => snappy(&section),
        Compression::Lz4 => lz4(&section),
        Compression::Zstd => zstd::bulk::compress(&section, ZSTD_LEVEL),
    };
    compressed.map_err(|error| BatchError::CorruptPayload {
        codec: compression.name(),
        reason: error.to_string(),
    })
}

fn gzip(section: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), GZIP_LEVEL);
    encoder.write_all(section)?;
    encoder.finish()
}

fn snappy(section: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(XERIAL_MAGIC.len() + 8 + section.len() / 2);
    out.extend_from_slice(XERIAL_MAGIC);
    XERIAL_VERSIONS.into_iter().for_each(|version| out.put_u32(version));
    let mut encoder = snap::raw::Encoder::new();
    for block in section.chunks(SNAPPY_BLOCK_BYTES) {
        let block = encoder.compress_vec(block).map_err(io::Error::other)?;
        out.put_u32(u32::try_from(block.len()).map_err(io::Error::other)?);
        out.extend_from_slice(&block);
    }
    Ok(out)
}

/// Compresses with independent blocks, because the Java client reads no others.
fn lz4(section: &[u8]) -> io::Result<Vec<u8>> {
    let info = FrameInfo::new()
        .block_mode(BlockMode::Independent)
        .block_size(BlockSize::Max64KB);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(section)?;
    encoder.finish().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_codec_exceeds_the_expansion_of_its_format() {
        let zeros = vec![0; 8 << 20];
        let codecs = [
            (Compression::Gzip, 1_000),
            (Compression::Snappy, 20),
            (Compression::Lz4, 240),
            (Compression::Zstd, 10_000),
        ];
        for (codec, nearly) in codecs {
            let payload = compress(codec, zeros.clone()).unwrap();
            let ratio = zeros.len() as u64 / payload.len() as u64;
            assert!((nearly..=codec.max_expansion()).contains(&ratio), "{codec:?} {ratio}");
        }
    }
}
