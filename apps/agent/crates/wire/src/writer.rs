//! Builds a frame. Small values go to one buffer; record bytes are added as chunks without copying.

use bytes::{BufMut, Bytes, BytesMut};

use crate::error::EncodeError;
use crate::error_code::ErrorCode;

/// Size below which copying is cheaper than another element of a vectored write.
const MIN_CHUNK_BYTES: usize = 512;

/// Encodes a message. [`Writer::finish_frame`] prepends the length.
#[derive(Debug, Default)]
pub struct Writer {
    buffer: BytesMut,
    /// Chunks, each with the length of `buffer` when it was added.
    chunks: Vec<(usize, Bytes)>,
    chunk_bytes: usize,
    error_codes: Vec<ErrorCode>,
}

/// An encoded message, ready for a vectored write.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The bytes, in order. No chunk is empty.
    pub chunks: Vec<Bytes>,
    /// Total length of the chunks, in bytes.
    pub len: usize,
    /// The error codes in the message, in order and without `NONE`. Used to count errors.
    pub error_codes: Vec<ErrorCode>,
}

impl Frame {
    /// Copies the frame to one buffer. For tests and small requests.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        let mut joined = BytesMut::with_capacity(self.len);
        for chunk in &self.chunks {
            joined.extend_from_slice(chunk);
        }
        joined.freeze()
    }
}

impl Writer {
    /// Creates an empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of bytes written so far, including chunks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buffer.len() + self.chunk_bytes
    }

    /// Returns true if nothing was written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes an unsigned byte.
    pub fn put_u8(&mut self, value: u8) {
        self.buffer.put_u8(value);
    }

    /// Writes a signed byte.
    pub fn put_i8(&mut self, value: i8) {
        self.buffer.put_i8(value);
    }

    /// Writes a big-endian 16-bit integer.
    pub fn put_i16(&mut self, value: i16) {
        self.buffer.put_i16(value);
    }

    /// Writes an error code, and records it unless it is `NONE`.
    pub(crate) fn put_error_code(&mut self, code: ErrorCode) {
        if !code.is_none() {
            self.error_codes.push(code);
        }
        self.put_i16(code.0);
    }

    /// Writes a big-endian 32-bit integer.
    pub fn put_i32(&mut self, value: i32) {
        self.buffer.put_i32(value);
    }

    /// Writes a big-endian 64-bit integer.
    pub fn put_i64(&mut self, value: i64) {
        self.buffer.put_i64(value);
    }

    /// Writes an unsigned variable-length integer.
    pub fn put_uvarint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.buffer.put_u8((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.buffer.put_u8(value as u8);
    }

    /// Copies bytes to the buffer. For short slices.
    pub fn put_slice(&mut self, bytes: &[u8]) {
        self.buffer.put_slice(bytes);
    }

    /// Adds bytes without copying them, unless they are so few that copying is cheaper.
    pub fn put_bytes_chunk(&mut self, bytes: Bytes) {
        if bytes.len() < MIN_CHUNK_BYTES {
            self.buffer.put_slice(&bytes);
        } else {
            self.chunk_bytes += bytes.len();
            self.chunks.push((self.buffer.len(), bytes));
        }
    }

    /// Appends the contents of another writer.
    pub(crate) fn append(&mut self, other: Self) {
        let offset = self.buffer.len();
        self.buffer.put_slice(&other.buffer);
        self.chunk_bytes += other.chunk_bytes;
        self.error_codes.extend(other.error_codes);
        self.chunks
            .extend(other.chunks.into_iter().map(|(at, bytes)| (offset + at, bytes)));
    }

    /// Returns the written bytes as chunks.
    #[must_use]
    pub fn finish(self) -> Frame {
        let len = self.len();
        let mut rest = self.buffer.freeze();
        let mut taken = 0;
        let mut chunks = Vec::with_capacity(2 * self.chunks.len() + 1);
        for (at, bytes) in self.chunks {
            if at > taken {
                chunks.push(rest.split_to(at - taken));
                taken = at;
            }
            chunks.push(bytes);
        }
        if !rest.is_empty() {
            chunks.push(rest);
        }
        Frame {
            chunks,
            len,
            error_codes: self.error_codes,
        }
    }

    /// Creates a writer with room for the length prefix. Finish it with [`Writer::finish_frame`].
    pub(crate) fn for_frame() -> Self {
        let mut writer = Self::default();
        writer.put_i32(0);
        writer
    }

    /// Returns the written bytes, with their length in the four bytes that [`Writer::for_frame`] reserved.
    pub(crate) fn finish_frame(mut self) -> Result<Frame, EncodeError> {
        let len = self.len() - 4;
        let prefix = i32::try_from(len).map_err(|_| EncodeError::TooLong(len))?;
        self.buffer[..4].copy_from_slice(&prefix.to_be_bytes());
        Ok(self.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_stay_in_order_and_are_not_copied() {
        let records = Bytes::from(vec![7u8; 4096]);
        let mut writer = Writer::for_frame();
        writer.put_i16(1);
        writer.put_bytes_chunk(records.clone());
        writer.put_bytes_chunk(records.clone());
        writer.put_i16(2);
        let frame = writer.finish_frame().unwrap();
        assert_eq!(frame.len, 4 + 2 + 8192 + 2);
        assert_eq!(frame.chunks.len(), 4);
        assert_eq!(frame.chunks[1].as_ptr(), records.as_ptr());
        let joined = frame.to_bytes();
        assert_eq!(&joined[..6], &[0, 0, 0x20, 4, 0, 1]);
        assert_eq!(&joined[joined.len() - 2..], &[0, 2]);
    }

    #[test]
    fn a_frame_lists_its_error_codes() {
        let mut inner = Writer::new();
        inner.put_error_code(ErrorCode::REQUEST_TIMED_OUT);
        let mut writer = Writer::for_frame();
        writer.put_error_code(ErrorCode::NONE);
        writer.put_error_code(ErrorCode::UNKNOWN_SERVER_ERROR);
        writer.append(inner);
        let frame = writer.finish_frame().unwrap();
        assert_eq!(frame.to_bytes()[4..], [0, 0, 255, 255, 0, 7]);
        assert_eq!(
            frame.error_codes,
            [ErrorCode::UNKNOWN_SERVER_ERROR, ErrorCode::REQUEST_TIMED_OUT]
        );
    }

    #[test]
    fn an_appended_writer_keeps_its_chunks_in_place() {
        let mut inner = Writer::new();
        inner.put_u8(1);
        inner.put_bytes_chunk(Bytes::from(vec![2u8; 1000]));
        inner.put_u8(3);
        let mut outer = Writer::new();
        outer.put_u8(0);
        outer.append(inner);
        let bytes = outer.finish().to_bytes();
        assert_eq!(bytes.len(), 1003);
        assert_eq!((bytes[0], bytes[1], bytes[2], bytes[1002]), (0, 1, 2, 3));
    }
}
