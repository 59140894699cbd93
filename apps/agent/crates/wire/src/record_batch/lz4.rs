//! The length of an LZ4 frame's content, found by walking the tokens without writing output.
//!
//! The frame's content size field is not trusted: it is optional, and it may be wrong. Checksums inside
//! the frame are not verified, since the batch's CRC-32C covers the same bytes.

use super::error::BatchError;
use super::meter::Meter;

const MAGIC: u32 = 0x184d_2204;
const VERSION_MASK: u8 = 0xc0;
const VERSION_1: u8 = 0x40;
const INDEPENDENT_BLOCKS: u8 = 0x20;
const BLOCK_CHECKSUMS: u8 = 0x10;
const CONTENT_SIZE: u8 = 0x08;
const CONTENT_CHECKSUM: u8 = 0x04;
const DICTIONARY_ID: u8 = 0x01;
const UNCOMPRESSED_BLOCK: u32 = 0x8000_0000;
const MIN_MATCH: u64 = 4;

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

/// Counts the content of the one frame that `input` must be.
pub(super) fn walk(mut input: &[u8], meter: &mut Meter) -> Result<(), BatchError> {
    let input = &mut input;
    if take_u32(input)? != MAGIC {
        return Err(corrupt("no LZ4 frame"));
    }
    let descriptor = take(input, 2)?;
    let (flags, block_size_code) = (descriptor[0], (descriptor[1] >> 4) & 7);
    if flags & VERSION_MASK != VERSION_1 {
        return Err(corrupt("unknown frame version"));
    }
    if flags & DICTIONARY_ID != 0 {
        return Err(corrupt("the frame needs a dictionary"));
    }
    if block_size_code < 4 {
        return Err(corrupt("unknown block size"));
    }
    // Codes 4 to 7 mean 64 KiB, 256 KiB, 1 MiB and 4 MiB.
    let max_block_bytes = 1u64 << (2 * block_size_code + 8);
    let stated_bytes = if flags & CONTENT_SIZE != 0 {
        let bytes = take(input, 8)?;
        let mut size = [0; 8];
        size.copy_from_slice(bytes);
        Some(u64::from_le_bytes(size))
    } else {
        None
    };
    take(input, 1)?; // the descriptor's checksum

    loop {
        let size = take_u32(input)?;
        if size == 0 {
            break;
        }
        let block = take(input, (size & !UNCOMPRESSED_BLOCK) as usize)?;
        if flags & BLOCK_CHECKSUMS != 0 {
            take(input, 4)?;
        }
        let history_bytes = if flags & INDEPENDENT_BLOCKS != 0 {
            0
        } else {
            meter.bytes()
        };
        let block_bytes = if size & UNCOMPRESSED_BLOCK != 0 {
            block.len() as u64
        } else {
            walk_block(block, history_bytes, max_block_bytes)?
        };
        if block_bytes > max_block_bytes {
            return Err(corrupt("a block is larger than the frame allows"));
        }
        meter.add(block_bytes)?;
    }
    if flags & CONTENT_CHECKSUM != 0 {
        take(input, 4)?;
    }
    if !input.is_empty() {
        return Err(corrupt("there are bytes after the frame"));
    }
    if stated_bytes.is_some_and(|stated| stated != meter.bytes()) {
        return Err(corrupt("the content size in the frame's header is wrong"));
    }
    Ok(())
}

/// Counts what one block decompresses to. Matches may reach back into `history_bytes` of earlier blocks.
fn walk_block(block: &[u8], history_bytes: u64, max_block_bytes: u64) -> Result<u64, BatchError> {
    let truncated = || corrupt("a block is truncated");
    let mut at = 0;
    let mut produced = 0u64;
    loop {
        let token = *block.get(at).ok_or_else(truncated)?;
        at += 1;
        let mut literals = usize::from(token >> 4);
        if literals == 15 {
            literals += extended_len(block, &mut at).ok_or_else(truncated)?;
        }
        at += literals;
        produced += literals as u64;
        if at >= block.len() {
            // The last sequence is literals only and ends exactly with the block.
            return if at == block.len() {
                Ok(produced)
            } else {
                Err(truncated())
            };
        }
        let offset = match block.get(at..at + 2) {
            Some(bytes) => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            None => return Err(truncated()),
        };
        at += 2;
        if offset == 0 || offset > history_bytes + produced {
            return Err(corrupt("a match reaches back before the content"));
        }
        let mut length = u64::from(token & 15);
        if length == 15 {
            length += extended_len(block, &mut at).ok_or_else(truncated)? as u64;
        }
        produced += length + MIN_MATCH;
        if produced > max_block_bytes {
            return Err(corrupt("a block is larger than the frame allows"));
        }
    }
}

/// The length bytes that follow a nibble of 15: each 255 goes on, the first other ends.
fn extended_len(block: &[u8], at: &mut usize) -> Option<usize> {
    let mut len = 0;
    loop {
        let byte = *block.get(*at)?;
        *at += 1;
        len += usize::from(byte);
        if byte != 255 {
            return Some(len);
        }
    }
}
