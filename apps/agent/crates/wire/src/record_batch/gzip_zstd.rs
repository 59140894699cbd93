//! Readers for gzip and zstd content. They trust no length in these formats.

use std::io::Read;

use super::error::BatchError;

/// The largest window used by Kafka's compression levels (up to 22): 128 MiB. Only the part that the content fills is
/// ever touched.
const MAX_WINDOW_LOG: u32 = 27;
pub(super) const MAX_WINDOW_BYTES: u64 = 1 << MAX_WINDOW_LOG;
const ZSTD_MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// Bits of a frame descriptor (RFC 8878, section 3.1.1.1.1).
const SINGLE_SEGMENT: u8 = 0x20;
const DICTIONARY_ID_FLAG: u8 = 0x03;

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

/// The largest window that a frame of the payload requires. Frames after a corrupt one are never reached.
pub(super) fn largest_window_bytes(mut payload: &[u8]) -> u64 {
    let mut largest = 0;
    while !payload.is_empty() {
        largest = largest.max(frame_window_bytes(payload).unwrap_or(0));
        let rest = zstd::zstd_safe::find_frame_compressed_size(payload)
            .ok()
            .filter(|frame_bytes| *frame_bytes > 0)
            .and_then(|frame_bytes| payload.get(frame_bytes..));
        let Some(rest) = rest else { break };
        payload = rest;
    }
    largest
}

/// The window size in a frame header (RFC 8878, section 3.1.1.1.2). `None` if the frame is skippable or invalid.
fn frame_window_bytes(frame: &[u8]) -> Option<u64> {
    let header = frame.strip_prefix(&ZSTD_MAGIC)?;
    let (&descriptor, fields) = header.split_first()?;
    if descriptor & SINGLE_SEGMENT == 0 {
        let window = *fields.first()?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // The window is the content itself, whose size follows the dictionary id.
    let id_bytes = [0, 1, 2, 4][usize::from(descriptor & DICTIONARY_ID_FLAG)];
    let size_bytes = 1usize << (descriptor >> 6);
    let size = fields.get(id_bytes..id_bytes + size_bytes)?;
    let value = size
        .iter()
        .rev()
        .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    // Two-byte values start where one-byte values end.
    Some(if size_bytes == 2 { value + 256 } else { value })
}
