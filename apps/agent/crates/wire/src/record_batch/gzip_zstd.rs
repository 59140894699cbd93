//! The length of gzip and zstd content. No length in these formats can be trusted, so the content is decompressed into one small buffer
//! and counted.

use std::io::{self, Read};

use super::error::BatchError;
use super::meter::Meter;

const SCRATCH_BYTES: usize = 64 * 1024;
/// The largest window that Kafka's own compression levels (up to 22) use: 128 MiB, of which only what the content fills is
/// ever touched.
const MAX_WINDOW_LOG: u32 = 27;

fn corrupt(codec: &'static str, error: &io::Error) -> BatchError {
    BatchError::CorruptPayload {
        codec,
        reason: error.to_string(),
    }
}

pub(super) fn gzip_reader(payload: &[u8]) -> impl Read {
    flate2::bufread::MultiGzDecoder::new(payload)
}

pub(super) fn zstd_reader(payload: &[u8]) -> Result<impl Read, BatchError> {
    let open = || {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(payload)?;
        decoder.window_log_max(MAX_WINDOW_LOG)?;
        Ok(decoder)
    };
    open().map_err(|error| corrupt("zstd", &error))
}

/// Counts what `content` yields.
pub(super) fn count(codec: &'static str, mut content: impl Read, meter: &mut Meter) -> Result<(), BatchError> {
    let mut scratch = vec![0; SCRATCH_BYTES];
    loop {
        match content.read(&mut scratch) {
            Ok(0) => return Ok(()),
            Ok(bytes) => meter.add(bytes as u64)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(corrupt(codec, &error)),
        }
    }
}
