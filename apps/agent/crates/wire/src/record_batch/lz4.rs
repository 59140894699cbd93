//! Reads an LZ4 frame block by block. Like Kafka's clients, it accepts one frame of independent blocks. Linked blocks,
//! which librdkafka reads and the Java client refuses, are supported only in stored batches: see [`super::payload`].
//!
//! The frame's content size is not trusted, because it is optional and can be wrong.

use std::hash::Hasher as _;
use std::io::{self, BufRead, Read};

use twox_hash::XxHash32;

use super::error::BatchError;
use super::meter::Meter;

const MAGIC: u32 = 0x184d_2204;
const VERSION_MASK: u8 = 0xc0;
const VERSION_1: u8 = 0x40;
const INDEPENDENT_BLOCKS: u8 = 0x20;
const BLOCK_CHECKSUMS: u8 = 0x10;
const CONTENT_SIZE: u8 = 0x08;
const CONTENT_CHECKSUM: u8 = 0x04;
const RESERVED_FLAGS: u8 = 0x02;
const DICTIONARY_ID: u8 = 0x01;
/// Bits of the block descriptor that must be 0.
const RESERVED_BLOCK_BITS: u8 = 0x8f;
const UNCOMPRESSED_BLOCK: u32 = 0x8000_0000;
/// Seed of all hashes in a frame.
const SEED: u32 = 0;
/// The densest sequence repeats 255 bytes per byte of its length.
const MAX_EXPANSION: usize = 255;

fn corrupt(reason: &str) -> BatchError {
    BatchError::CorruptPayload {
        codec: "lz4",
        reason: reason.to_owned(),
    }
}

fn take<'a>(input: &mut &'a [u8], len: usize) -> Result<&'a [u8], BatchError> {
    let (taken, rest) = input
        .split_at_checked(len)
        .ok_or_else(|| corrupt("the frame is truncated"))?;
    *input = rest;
    Ok(taken)
}

fn take_u32(input: &mut &[u8]) -> Result<u32, BatchError> {
    let bytes = take(input, 4)?;
    Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// The largest block size that the frame header allows.
pub(super) fn max_block_bytes(frame: &[u8]) -> u64 {
    let code = frame.get(5).map_or(0, |block_flags| block_flags >> 4 & 7);
    block_bytes(code) as u64
}

/// Codes 4 to 7 stand for 64 KiB, 256 KiB, 1 MiB and 4 MiB.
fn block_bytes(code: u8) -> usize {
    1 << (2 * code + 8)
}

/// Reads a frame, holding the content of one block of up to 4 MiB.
pub(super) struct FrameReader<'a> {
    input: &'a [u8],
    flags: u8,
    max_block_bytes: usize,
    /// The content size, if the frame states it.
    stated_bytes: Option<u64>,
    content_hash: Option<XxHash32>,
    meter: Meter,
    decoded: Vec<u8>,
    /// The current block, if it is not compressed.
    raw: Option<&'a [u8]>,
    /// Number of bytes read from the current block.
    read: usize,
    ended: bool,
}

impl<'a> FrameReader<'a> {
    /// `input` must be one frame with at most `limit_bytes` of content.
    pub(super) fn new(mut input: &'a [u8], limit_bytes: u64) -> Result<Self, BatchError> {
        let start = &mut input;
        if take_u32(start)? != MAGIC {
            return Err(corrupt("no LZ4 frame"));
        }
        let hashed = *start;
        let descriptor = take(start, 2)?;
        let (flags, block_flags) = (descriptor[0], descriptor[1]);
        if flags & VERSION_MASK != VERSION_1 {
            return Err(corrupt("unknown frame version"));
        }
        if flags & DICTIONARY_ID != 0 {
            return Err(corrupt("the frame needs a dictionary"));
        }
        if flags & RESERVED_FLAGS != 0 || block_flags & RESERVED_BLOCK_BITS != 0 {
            return Err(corrupt("reserved bits of the frame's header are set"));
        }
        if flags & INDEPENDENT_BLOCKS == 0 {
            return Err(corrupt(
                "its blocks depend on each other, which Kafka's Java client cannot read: use independent blocks",
            ));
        }
        let block_size_code = block_flags >> 4;
        if block_size_code < 4 {
            return Err(corrupt("unknown block size"));
        }
        let stated_bytes = if flags & CONTENT_SIZE != 0 {
            let (low, high) = (take_u32(start)?, take_u32(start)?);
            Some(u64::from(high) << 32 | u64::from(low))
        } else {
            None
        };
        let hash = XxHash32::oneshot(SEED, &hashed[..hashed.len() - start.len()]);
        if take(start, 1)?[0] != hash.to_le_bytes()[1] {
            return Err(corrupt("the checksum of the frame's header is wrong"));
        }
        Ok(Self {
            input,
            flags,
            max_block_bytes: block_bytes(block_size_code),
            stated_bytes,
            content_hash: (flags & CONTENT_CHECKSUM != 0).then(|| XxHash32::with_seed(SEED)),
            meter: Meter::new(limit_bytes),
            decoded: Vec::new(),
            raw: None,
            read: 0,
            ended: false,
        })
    }

    fn block(&self) -> &[u8] {
        self.raw.unwrap_or(&self.decoded)
    }

    /// Advances to the next block, or to the end.
    fn advance(&mut self) -> Result<(), BatchError> {
        self.read = 0;
        self.raw = None;
        self.decoded.clear();
        let size = take_u32(&mut self.input)?;
        if size == 0 {
            return self.finish();
        }
        // A 31-bit length always fits.
        let len = (size & !UNCOMPRESSED_BLOCK) as usize;
        if len > self.max_block_bytes {
            return Err(corrupt("a block is larger than the frame allows"));
        }
        let block = take(&mut self.input, len)?;
        if self.flags & BLOCK_CHECKSUMS != 0 && take_u32(&mut self.input)? != XxHash32::oneshot(SEED, block) {
            return Err(corrupt("the checksum of a block is wrong"));
        }
        if size & UNCOMPRESSED_BLOCK != 0 {
            self.raw = Some(block);
        } else {
            self.decoded
                .reserve_exact(self.max_block_bytes.min(MAX_EXPANSION * (block.len() + 1)));
            decompress(block, &mut self.decoded)?;
        }
        let content = self.raw.unwrap_or(&self.decoded);
        self.meter.add(content.len() as u64)?;
        if let Some(hash) = &mut self.content_hash {
            hash.write(content);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), BatchError> {
        self.ended = true;
        if let Some(hash) = self.content_hash.take()
            && take_u32(&mut self.input)? != hash.finish_32()
        {
            return Err(corrupt("the checksum of the content is wrong"));
        }
        if !self.input.is_empty() {
            return Err(corrupt("there are bytes after the frame"));
        }
        if self.stated_bytes.is_some_and(|stated| stated != self.meter.bytes()) {
            return Err(corrupt("the content size in the frame's header is wrong"));
        }
        Ok(())
    }

    /// Content size of all blocks so far, in bytes.
    pub(super) fn content_bytes(&self) -> u64 {
        self.meter.bytes()
    }
}

impl BufRead for FrameReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.block().len() && !self.ended {
            self.advance().map_err(io::Error::other)?;
        }
        Ok(&self.block()[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read = (self.read + bytes).min(self.block().len());
    }
}

impl Read for FrameReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(out)?;
        self.consume(bytes);
        Ok(bytes)
    }
}

/// Decompresses a block to the spare capacity of `out`, which must be empty.
fn decompress(block: &[u8], out: &mut Vec<u8>) -> Result<(), BatchError> {
    out.clear();
    let room = out.spare_capacity_mut();
    if has_offset_of_zero(block).ok_or_else(|| corrupt("a block cannot be decompressed"))? {
        return Err(corrupt("a match has an offset of 0"));
    }
    let (Ok(block_len), Ok(room_len)) = (i32::try_from(block.len()), i32::try_from(room.len())) else {
        return Err(corrupt("a block is larger than the frame allows"));
    };
    // SAFETY: `block` is readable for `block_len` bytes and `room` is writable for `room_len` bytes for the whole call.
    // They do not overlap, since `out` is borrowed mutably. LZ4_decompress_safe reads and writes only within these
    // bounds, whatever the block contains (lz4.h: "Protected against malicious data packets: Will never read outside of
    // input buffer or write outside of output buffer").
    let decoded =
        unsafe { lz4_sys::LZ4_decompress_safe(block.as_ptr().cast(), room.as_mut_ptr().cast(), block_len, room_len) };
    let len = usize::try_from(decoded).map_err(|_| corrupt("a block cannot be decompressed"))?;
    if len > room.len() {
        return Err(corrupt("a block cannot be decompressed"));
    }
    // SAFETY: `len` is at most the spare capacity (checked above), and LZ4_decompress_safe has written that many bytes from
    // the start of the buffer: literals are copied from `block`, and matches from bytes written before, since no match has
    // an offset of 0.
    unsafe { out.set_len(len) };
    Ok(())
}

/// Whether a match of a block refers to itself. The format forbids it, and other readers refuse it, but
/// LZ4_decompress_safe leaves the bytes of such a match as they were. `None` if the block is truncated.
fn has_offset_of_zero(mut block: &[u8]) -> Option<bool> {
    loop {
        let (token, rest) = block.split_first()?;
        block = rest;
        let literals = length(token >> 4, &mut block)?;
        block = block.get(literals..)?;
        // The last sequence has no match.
        if block.is_empty() {
            return Some(false);
        }
        let (offset, rest) = block.split_first_chunk::<2>()?;
        if *offset == [0, 0] {
            return Some(true);
        }
        block = rest;
        length(token & 0xf, &mut block)?;
    }
}

/// Reads a length whose first four bits are in the token.
fn length(start: u8, block: &mut &[u8]) -> Option<usize> {
    let mut length = usize::from(start);
    if start == 0xf {
        loop {
            let (more, rest) = block.split_first()?;
            *block = rest;
            length += usize::from(*more);
            if *more < 0xff {
                break;
            }
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

    use super::*;

    const LIMIT_BYTES: u64 = 1 << 20;

    fn content() -> Vec<u8> {
        (0..200_000u32)
            .map(|number| (number % 251) as u8 ^ (number >> 12) as u8)
            .collect()
    }

    fn frame(info: FrameInfo) -> Vec<u8> {
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(&content()).unwrap();
        encoder.finish().unwrap()
    }

    fn all_checksums() -> FrameInfo {
        FrameInfo::new()
            .block_size(BlockSize::Max64KB)
            .block_checksums(true)
            .content_checksum(true)
            .content_size(Some(200_000))
    }

    fn read(frame: &[u8]) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let mut reader = FrameReader::new(frame, LIMIT_BYTES).map_err(|error| error.to_string())?;
        reader.read_to_end(&mut out).map_err(|error| error.to_string())?;
        Ok(out)
    }

    #[test]
    fn reads_every_frame_variant_that_kafka_reads() {
        for size in [
            BlockSize::Max64KB,
            BlockSize::Max256KB,
            BlockSize::Max1MB,
            BlockSize::Max4MB,
        ] {
            assert_eq!(read(&frame(FrameInfo::new().block_size(size))), Ok(content()));
        }
        assert_eq!(read(&frame(all_checksums())), Ok(content()));
    }

    #[test]
    fn refuses_a_frame_with_any_byte_changed() {
        let whole = frame(all_checksums());
        for at in (0..whole.len())
            .step_by(7)
            .chain(0..20)
            .chain(whole.len() - 10..whole.len())
        {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "byte {at}");
        }
    }

    #[test]
    fn refuses_a_truncated_frame() {
        let whole = frame(all_checksums());
        for len in (0..whole.len()).step_by(101).chain(whole.len() - 20..whole.len()) {
            assert!(read(&whole[..len]).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn refuses_a_frame_with_a_wrong_content_size() {
        let mut lying = frame(all_checksums());
        lying[6] ^= 1;
        lying[14] = XxHash32::oneshot(SEED, &lying[4..14]).to_le_bytes()[1];
        assert!(
            read(&lying)
                .unwrap_err()
                .contains("the content size in the frame's header is wrong")
        );
    }

    /// A frame of one block whose only match has this offset, without checksums.
    fn frame_with_offset(offset: u16) -> Vec<u8> {
        let literals = *b"abcdefghijkl";
        let mut block = vec![0xc4];
        block.extend_from_slice(&literals);
        block.extend_from_slice(&offset.to_le_bytes());
        block.push(0xc0);
        block.extend_from_slice(&literals);
        let mut frame = frame(FrameInfo::new().block_size(BlockSize::Max64KB))[..7].to_vec();
        frame.extend_from_slice(&u32::try_from(block.len()).unwrap().to_le_bytes());
        frame.extend_from_slice(&block);
        frame.extend_from_slice(&[0; 4]);
        frame
    }

    #[test]
    fn refuses_a_match_with_an_offset_of_zero() {
        assert_eq!(
            read(&frame_with_offset(12)),
            Ok(b"abcdefghijklabcdefghabcdefghijkl".to_vec())
        );
        assert!(read(&frame_with_offset(0)).unwrap_err().contains("an offset of 0"));
    }

    #[test]
    fn refuses_linked_blocks() {
        let linked = frame(
            FrameInfo::new()
                .block_size(BlockSize::Max64KB)
                .block_mode(BlockMode::Linked),
        );
        assert!(read(&linked).unwrap_err().contains("use independent blocks"));
    }
}
