//! Readers of gzip and zstd content. No length in these formats can be trusted.

use std::io::Read;

use super::error::BatchError;

/// The largest window that Kafka's own compression levels (up to 22) use: 128 MiB, of which only what the content fills is
/// ever touched.
const MAX_WINDOW_LOG: u32 = 27;

pub(super) fn gzip_reader(payload: &[u8]) -> impl Read {
    flate2::bufread::MultiGzDecoder::new(payload)
}

pub(super) fn zstd_reader(payload: &[u8]) -> Result<impl Read, BatchError> {
    let open = || {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(payload)?;
        decoder.window_log_max(MAX_WINDOW_LOG)?;
        Ok(decoder)
    };
    open().map_err(|error: std::io::Error| BatchError::CorruptPayload {
        codec: "zstd",
        reason: error.to_string(),
    })
}
