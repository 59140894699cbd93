//! Reads Snappy content block by block. Kafka clients write one raw Snappy block (librdkafka, franz-go), or a stream of
//! blocks with the header of Java's xerial library (Java, kafkajs).

use std::io::{self, BufRead, Read};

use super::error::BatchError;
use super::header::Compression;
use super::meter::Meter;
use super::snappy_block;

pub(super) const XERIAL_MAGIC: &[u8] = b"\x82SNAPPY\x00";
/// The magic number and two version numbers.
const XERIAL_HEADER_BYTES: usize = 16;

fn corrupt(reason: &str) -> BatchError {
    BatchError::CorruptPayload {
        codec: "snappy",
        reason: reason.to_owned(),
    }
}

/// Iterates over the raw blocks of a payload in either form.
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
        let (header, rest) = payload
            .split_at_checked(XERIAL_HEADER_BYTES)
            .ok_or_else(|| corrupt("the stream header is truncated"))?;
        // Java's reader requires both numbers to be at least 1.
        let is_version = |bytes: &[u8]| bytes[0] < 0x80 && bytes.iter().any(|byte| *byte != 0);
        if !header[XERIAL_MAGIC.len()..].chunks(4).all(is_version) {
            return Err(corrupt("unknown version of the stream"));
        }
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

/// Removes the content length from the front of a raw block.
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

/// The largest content size that a block of the payload both states and can hold.
pub(super) fn largest_block_bytes(payload: &[u8]) -> u64 {
    let Ok(blocks) = Blocks::new(payload) else { return 0 };
    let stated = blocks.map_while(|block| {
        let mut elements = block.ok()?;
        let stated = preamble(&mut elements).ok()?;
        could_hold(elements, stated).ok().map(|()| stated)
    });
    stated.max().unwrap_or(0)
}

/// Refuses a stated length that the elements cannot reach, before memory is allocated for it.
fn could_hold(elements: &[u8], stated: u64) -> Result<(), BatchError> {
    if stated > Compression::Snappy.max_expansion() * elements.len() as u64 {
        return Err(corrupt("the preamble promises more than the block can hold"));
    }
    Ok(())
}

/// Decompresses block by block. Holds the content of one block of at most `max_block_bytes`.
pub(super) struct BlockReader<'a> {
    blocks: Blocks<'a>,
    content: Vec<u8>,
    /// Number of bytes read from the current block.
    read: usize,
    max_block_bytes: u64,
    meter: Meter,
}

impl<'a> BlockReader<'a> {
    /// Creates a reader that fails beyond `limit_bytes`.
    pub(super) fn new(payload: &'a [u8], max_block_bytes: u64, limit_bytes: u64) -> Result<Self, BatchError> {
        Ok(Self {
            blocks: Blocks::new(payload)?,
            content: Vec::new(),
            read: 0,
            max_block_bytes,
            meter: Meter::new(limit_bytes),
        })
    }

    /// Content size of all blocks so far, in bytes.
    pub(super) fn content_bytes(&self) -> u64 {
        self.meter.bytes()
    }

    fn load(&mut self, block: &[u8]) -> Result<(), BatchError> {
        let mut elements = block;
        let stated = preamble(&mut elements)?;
        // Counted before memory is allocated.
        self.meter.add(stated)?;
        if stated > self.max_block_bytes {
            return Err(BatchError::SnappyBlockTooLarge {
                limit_bytes: self.max_block_bytes,
            });
        }
        could_hold(elements, stated)?;
        // At most `max_block_bytes`, so the cast cannot truncate.
        self.content.resize(stated as usize, 0);
        snappy_block::decode(elements, &mut self.content).map_err(corrupt)?;
        self.read = 0;
        Ok(())
    }
}

impl BufRead for BlockReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.content.len() {
            let Some(block) = self.blocks.next() else { break };
            block.and_then(|block| self.load(block)).map_err(io::Error::other)?;
        }
        Ok(&self.content[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read = (self.read + bytes).min(self.content.len());
    }
}

impl Read for BlockReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(out)?;
        self.consume(bytes);
        Ok(bytes)
    }
}
