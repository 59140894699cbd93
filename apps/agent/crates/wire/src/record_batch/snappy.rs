//! The length of Snappy content, found by walking the tags without writing output. Kafka clients write it in two ways:
//! as one raw Snappy block (librdkafka, franz-go), or as a stream of blocks behind the header of Java's xerial library
//! (Java, kafkajs).

use std::io::{self, Read};

use super::error::BatchError;
use super::meter::Meter;

pub(super) const XERIAL_MAGIC: &[u8] = b"\x82SNAPPY\x00";
/// The magic and two version numbers.
const XERIAL_HEADER_BYTES: usize = 16;
/// The densest element, a copy of three bytes, stands for at most 64 (Snappy's format description, section 2.2.2).
const MAX_EXPANSION: u64 = 22;

fn corrupt(reason: &str) -> BatchError {
    BatchError::CorruptPayload {
        codec: "snappy",
        reason: reason.to_owned(),
    }
}

/// The raw blocks of a payload, in either form.
pub(super) struct Blocks<'a> {
    rest: &'a [u8],
    xerial: bool,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(payload: &'a [u8]) -> Result<Self, BatchError> {
        if !payload.starts_with(XERIAL_MAGIC) {
            return Ok(Self {
                rest: payload,
                xerial: false,
            });
        }
        let rest = payload
            .get(XERIAL_HEADER_BYTES..)
            .ok_or_else(|| corrupt("the stream header is truncated"))?;
        Ok(Self { rest, xerial: true })
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<&'a [u8], BatchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        if !self.xerial {
            return Some(Ok(std::mem::take(&mut self.rest)));
        }
        let split = self.rest.split_first_chunk::<4>().and_then(|(size, rest)| {
            let len = usize::try_from(i32::from_be_bytes(*size)).ok()?;
            rest.split_at_checked(len)
        });
        let Some((block, rest)) = split else {
            self.rest = &[];
            return Some(Err(corrupt("a block of the stream is truncated")));
        };
        self.rest = rest;
        Some(Ok(block))
    }
}

/// Counts the content of a payload.
pub(super) fn walk(payload: &[u8], meter: &mut Meter) -> Result<(), BatchError> {
    for block in Blocks::new(payload)? {
        walk_block(block?, meter)?;
    }
    Ok(())
}

fn walk_block(mut block: &[u8], meter: &mut Meter) -> Result<(), BatchError> {
    let stated = preamble(&mut block)?;
    // Refused before the walk, so that a lie about the size costs nothing.
    meter.would_allow(stated)?;
    could_hold(block, stated)?;
    let truncated = || corrupt("a block is truncated");
    let mut at = 0;
    let mut produced = 0u64;
    while let Some(&tag) = block.get(at) {
        at += 1;
        let high = u64::from(tag >> 2);
        let little_endian = |start: usize, len: usize| -> Result<u64, BatchError> {
            let bytes = block.get(start..start + len).ok_or_else(truncated)?;
            Ok(bytes
                .iter()
                .rev()
                .fold(0, |value, byte| (value << 8) | u64::from(*byte)))
        };
        let (length, offset) = match tag & 3 {
            0 => {
                let length = if high < 60 {
                    high + 1
                } else {
                    let extra = (high - 59) as usize;
                    let length = little_endian(at, extra)? + 1;
                    at += extra;
                    length
                };
                at += length as usize;
                if at > block.len() {
                    return Err(truncated());
                }
                (length, None)
            }
            1 => {
                let low = little_endian(at, 1)?;
                at += 1;
                ((high & 7) + 4, Some(((high >> 3) << 8) | low))
            }
            2 => {
                let offset = little_endian(at, 2)?;
                at += 2;
                (high + 1, Some(offset))
            }
            _ => {
                let offset = little_endian(at, 4)?;
                at += 4;
                (high + 1, Some(offset))
            }
        };
        if offset.is_some_and(|offset| offset == 0 || offset > produced) {
            return Err(corrupt("a copy reaches back before the content"));
        }
        produced += length;
        if produced > stated {
            break;
        }
    }
    if produced != stated {
        return Err(corrupt("the content is not as long as the preamble says"));
    }
    meter.add(produced)
}

/// Takes the length of the content off the front of a raw block.
fn preamble(block: &mut &[u8]) -> Result<u64, BatchError> {
    let mut value = 0u64;
    for index in 0..5 {
        let (byte, rest) = block.split_first().ok_or_else(|| corrupt("a block is truncated"))?;
        *block = rest;
        value |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            return Ok(value);
        }
    }
    Err(corrupt("the preamble does not end"))
}

/// Refuses a length that the elements cannot come to, before room is made for it.
fn could_hold(elements: &[u8], stated: u64) -> Result<(), BatchError> {
    if stated > MAX_EXPANSION * elements.len() as u64 {
        return Err(corrupt("the preamble promises more than the block can hold"));
    }
    Ok(())
}

/// Decompresses block by block; holds the content of one block at a time, of at most `max_block_bytes`.
pub(super) struct BlockReader<'a> {
    blocks: Blocks<'a>,
    content: io::Cursor<Vec<u8>>,
    max_block_bytes: u64,
}

impl<'a> BlockReader<'a> {
    pub(super) fn new(payload: &'a [u8], max_block_bytes: u64) -> Result<Self, BatchError> {
        Ok(Self {
            blocks: Blocks::new(payload)?,
            content: io::Cursor::default(),
            max_block_bytes,
        })
    }
}

impl Read for BlockReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.content.read(out)?;
            if count > 0 || out.is_empty() {
                return Ok(count);
            }
            let Some(block) = self.blocks.next() else { return Ok(0) };
            let block = block.map_err(io::Error::other)?;
            let mut elements = block;
            let stated = preamble(&mut elements).map_err(io::Error::other)?;
            if stated > self.max_block_bytes {
                return Err(io::Error::other(BatchError::TooLarge {
                    limit_bytes: self.max_block_bytes,
                }));
            }
            could_hold(elements, stated).map_err(io::Error::other)?;
            let content = snap::raw::Decoder::new()
                .decompress_vec(block)
                .map_err(io::Error::other)?;
            self.content = io::Cursor::new(content);
        }
    }
}
