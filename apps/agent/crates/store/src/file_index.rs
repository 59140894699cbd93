//! The index at the end of a data file. It describes the file's contents, so that a file can be read without the
//! metadata service.
//!
//! ```text
//! file    = batches of run 1 · batches of run 2 · … · places (only of merged files, see `places.rs`) · index · trailer
//! index   = version (1 byte: 1) · file id (16 bytes) · topics (varint)
//!           · per topic: id (16 bytes), name length (varint), name (UTF-8)
//!           · runs (varint) · per run: topic (varint, counted from 0), partition, bytes, batches (varints)
//! trailer = length of the index (u32) · CRC-32C of the index (u32) · magic (8 bytes)
//! ```
//!
//! Runs follow each other without gaps from byte 0, so that positions need not be stored. Fixed-size integers are
//! big-endian; varints are unsigned LEB128. A reader takes the last [`TRAILER_BYTES`] bytes, then the index before
//! them. The places are between the last run and the index.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use thiserror::Error;
use uuid::Uuid;

/// The last bytes of every data file.
pub const MAGIC: [u8; 8] = *b"PNSTKDF1";
/// Length of the trailer in bytes.
pub const TRAILER_BYTES: usize = 16;
const VERSION: u8 = 1;

/// The bytes are not a valid index.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatError {
    /// The magic is missing: the file is incomplete or not a data file.
    #[error("the file does not end like a data file")]
    NoMagic,
    /// The file was written by a later version.
    #[error("the index has format version {0}; this program reads version 1")]
    UnknownVersion(u8),
    /// The checksum does not match.
    #[error("the index is damaged: its checksum does not match")]
    BadChecksum,
    /// Lengths contradict each other.
    #[error("the index is damaged: {0}")]
    Damaged(&'static str),
}

/// A run of a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedRun {
    /// Index of the topic in [`FileIndex::topics`].
    pub topic: u32,
    /// The number of the partition.
    pub partition: u32,
    /// Total length of its batches, in bytes.
    pub bytes: u32,
    /// The number of batches.
    pub batches: u32,
}

/// The contents of a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileIndex {
    /// The file's id, as in its name.
    pub file_id: Uuid,
    /// The topics in the file, by id and with their names when it was written.
    pub topics: Vec<(Uuid, String)>,
    /// The runs, in file order.
    pub runs: Vec<IndexedRun>,
}

impl FileIndex {
    /// End of the last run's batches.
    #[must_use]
    pub fn batches_end(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.bytes)).sum()
    }
}

/// Encodes the index and the trailer, which follow the batches.
#[must_use]
pub fn encode_index(index: &FileIndex) -> Bytes {
    let mut out = BytesMut::with_capacity(64 + 48 * index.topics.len() + 12 * index.runs.len());
    out.put_u8(VERSION);
    out.put_slice(index.file_id.as_bytes());
    put_varint(&mut out, index.topics.len() as u64);
    for (id, name) in &index.topics {
        out.put_slice(id.as_bytes());
        put_varint(&mut out, name.len() as u64);
        out.put_slice(name.as_bytes());
    }
    put_varint(&mut out, index.runs.len() as u64);
    for run in &index.runs {
        for number in [run.topic, run.partition, run.bytes, run.batches] {
            put_varint(&mut out, u64::from(number));
        }
    }
    let crc = crc32c::crc32c(&out);
    // The index of a file of a few MiB has a few KiB; 4 GiB would take 300 million runs.
    let index_bytes = u32::try_from(out.len()).unwrap_or(u32::MAX);
    out.put_u32(index_bytes);
    out.put_u32(crc);
    out.put_slice(&MAGIC);
    out.freeze()
}

/// The size of the index and trailer that end here; `None` if this is not the end of a data file.
#[must_use]
pub(crate) fn indexed_bytes(tail: &[u8]) -> Option<u64> {
    let mut trailer = tail
        .last_chunk::<TRAILER_BYTES>()
        .filter(|trailer| trailer.ends_with(&MAGIC))?
        .as_slice();
    Some(u64::from(trailer.get_u32()) + TRAILER_BYTES as u64)
}

/// Reads the index from the end of a file. `tail` must contain at least the index and the trailer.
///
/// # Errors
/// Returns an error if the bytes are not a complete index, or [`FormatError::Damaged`] if `tail` is too short for it.
pub fn decode_index(tail: &[u8]) -> Result<FileIndex, FormatError> {
    let (rest, trailer) = tail.split_last_chunk::<TRAILER_BYTES>().ok_or(FormatError::NoMagic)?;
    if !trailer.ends_with(&MAGIC) {
        return Err(FormatError::NoMagic);
    }
    let mut trailer = trailer.as_slice();
    let (index_bytes, crc) = (trailer.get_u32() as usize, trailer.get_u32());
    let start = rest
        .len()
        .checked_sub(index_bytes)
        .ok_or(FormatError::Damaged("its length exceeds the file"))?;
    let mut index = &rest[start..];
    if crc32c::crc32c(index) != crc {
        return Err(FormatError::BadChecksum);
    }
    match take(&mut index, 1)? {
        [VERSION] => {}
        other => return Err(FormatError::UnknownVersion(other.first().copied().unwrap_or(0))),
    }
    let file_id = take_uuid(&mut index)?;
    let topics = (0..take_u32(&mut index)?)
        .map(|_| {
            let id = take_uuid(&mut index)?;
            let name_bytes = take_u32(&mut index)?;
            let name = std::str::from_utf8(take(&mut index, name_bytes as usize)?);
            Ok((
                id,
                name.map_err(|_| FormatError::Damaged("a topic's name is not UTF-8"))?
                    .to_owned(),
            ))
        })
        .collect::<Result<Vec<_>, FormatError>>()?;
    let runs = (0..take_u32(&mut index)?)
        .map(|_| {
            let mut number = || take_u32(&mut index);
            let run = IndexedRun {
                topic: number()?,
                partition: number()?,
                bytes: number()?,
                batches: number()?,
            };
            if run.topic as usize >= topics.len() {
                return Err(FormatError::Damaged("a run names a topic that is not listed"));
            }
            Ok(run)
        })
        .collect::<Result<Vec<_>, FormatError>>()?;
    if index.is_empty() {
        Ok(FileIndex { file_id, topics, runs })
    } else {
        Err(FormatError::Damaged("bytes are left"))
    }
}

pub(crate) fn put_varint(out: &mut BytesMut, mut value: u64) {
    while value >= 0x80 {
        out.put_u8(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.put_u8(value.to_le_bytes()[0]);
}

pub(crate) fn take<'a>(from: &mut &'a [u8], count: usize) -> Result<&'a [u8], FormatError> {
    let (taken, rest) = from
        .split_at_checked(count)
        .ok_or(FormatError::Damaged("it ends too early"))?;
    *from = rest;
    Ok(taken)
}

fn take_uuid(from: &mut &[u8]) -> Result<Uuid, FormatError> {
    Uuid::from_slice(take(from, 16)?).map_err(|_| FormatError::Damaged("it ends too early"))
}

fn take_u32(from: &mut &[u8]) -> Result<u32, FormatError> {
    u32::try_from(take_varint(from)?).map_err(|_| FormatError::Damaged("a number is too large"))
}

pub(crate) fn take_varint(from: &mut &[u8]) -> Result<u64, FormatError> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = take(from, 1)?[0];
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            break;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(FormatError::Damaged("a number is too large"))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, RngExt as _, SeedableRng as _};

    use super::*;

    /// Cases per property. A failure names the seed that reproduces it.
    const CASES: u64 = 256;

    fn any_bytes(random: &mut StdRng, below: usize) -> Vec<u8> {
        let mut bytes = vec![0; random.random_range(0..below)];
        random.fill_bytes(&mut bytes);
        bytes
    }

    fn any_topic(random: &mut StdRng) -> (Uuid, String) {
        let length = random.random_range(1..=40);
        let name = (0..length)
            .map(|_| char::from(b".abcxyz"[random.random_range(0..7)]))
            .collect();
        (Uuid::from_u128(random.random()), name)
    }

    /// A number of any magnitude: small ones are as likely as large ones.
    fn any_u32(random: &mut StdRng) -> u32 {
        random.random::<u32>() >> random.random_range(0..32)
    }

    fn any_index(random: &mut StdRng) -> FileIndex {
        let topics: Vec<_> = (0..random.random_range(1..5)).map(|_| any_topic(random)).collect();
        let topic_count = u32::try_from(topics.len()).unwrap();
        let run_count = random.random_range(0..40);
        FileIndex {
            file_id: Uuid::from_u128(random.random()),
            runs: (0..run_count)
                .map(|_| IndexedRun {
                    topic: random.random_range(0..topic_count),
                    partition: any_u32(random),
                    bytes: any_u32(random),
                    batches: any_u32(random),
                })
                .collect(),
            topics,
        }
    }

    #[test]
    fn an_index_round_trips() {
        for seed in 0..CASES {
            let mut random = StdRng::seed_from_u64(seed);
            let index = any_index(&mut random);
            let mut file = any_bytes(&mut random, 99);
            file.extend_from_slice(&encode_index(&index));
            assert_eq!(decode_index(&file), Ok(index), "seed {seed}");
        }
    }

    #[test]
    fn detects_a_changed_byte() {
        for seed in 0..CASES {
            let mut random = StdRng::seed_from_u64(seed);
            let mut file = encode_index(&any_index(&mut random)).to_vec();
            let at = random.random_range(0..file.len());
            file[at] ^= random.random_range(1..=255);
            assert!(decode_index(&file).is_err(), "seed {seed}");
        }
    }

    #[test]
    fn refuses_garbage_without_panicking() {
        for seed in 0..CASES {
            let garbage = any_bytes(&mut StdRng::seed_from_u64(seed), 200);
            let mut file = garbage.clone();
            file.extend_from_slice(&MAGIC);
            assert!(decode_index(&garbage).is_err(), "seed {seed}");
            assert!(decode_index(&file).is_err(), "seed {seed}");
        }
    }

    #[test]
    fn the_format_does_not_change_by_accident() {
        let index = FileIndex {
            file_id: Uuid::from_u128(1),
            topics: vec![(Uuid::from_u128(2), "t".into())],
            runs: vec![IndexedRun {
                topic: 0,
                partition: 300,
                bytes: 1 << 20,
                batches: 7,
            }],
        };
        let mut expected = vec![1];
        expected.extend_from_slice(Uuid::from_u128(1).as_bytes());
        expected.push(1);
        expected.extend_from_slice(Uuid::from_u128(2).as_bytes());
        expected.extend_from_slice(&[1, b't', 1, 0, 0xac, 2, 0x80, 0x80, 0x40, 7]);
        let encoded = encode_index(&index);
        assert_eq!(encoded[..expected.len()], expected);
        assert_eq!(encoded[expected.len()..][..4], 44u32.to_be_bytes());
        assert!(encoded.ends_with(b"PNSTKDF1"));
    }
}
