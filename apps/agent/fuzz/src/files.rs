//! Bytes that agents read from object storage: indexes of data files, places of merged files, and blocks through the cache.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arbitrary::Arbitrary;
use bytes::Bytes;
use penstock_store::{
    BlockCache, Bucket, FileIndex, IndexedRun, Objects, Place, PlaceCache, decode_index, decode_places, encode_index,
    encode_places,
};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use uuid::Uuid;

use super::Damage;

/// More than one block of an old file, and one stretch.
const LARGEST_FILE_BYTES: usize = 17 << 20;

/// Something that an agent reads.
#[derive(Arbitrary, Debug)]
pub enum Input<'a> {
    /// The end of a data file.
    Index(Index<'a>, Damage<'a>, bool),
    /// The places of a merged file.
    Places(Vec<(u64, i64, i64)>, Damage<'a>, bool),
    /// A whole merged file, damaged in its end.
    Merged {
        index: Index<'a>,
        places: Vec<(u64, i64, i64)>,
        damage: Damage<'a>,
        is_sealed: bool,
        /// Added to the size that the reader expects.
        size_error: i8,
    },
    /// A file that is read through the cache of blocks.
    Cached {
        file: File,
        capacity_bytes: u32,
        steps: Vec<Step>,
    },
}

#[derive(Arbitrary, Debug)]
pub struct Index<'a> {
    file_id: [u8; 16],
    topics: Vec<([u8; 16], &'a str)>,
    runs: Vec<(u8, u32, u16, u32)>,
}

#[derive(Arbitrary, Debug)]
pub struct File {
    /// The time in the id decides how the file is read.
    unix_seconds: u32,
    bytes: u32,
}

#[derive(Arbitrary, Debug)]
pub enum Step {
    KeepWritten,
    Read { position: u32, len: u16 },
    BeginLoading { position: u32, len: u32 },
    ReadAhead { position: u32, len: u32 },
    NoteServed { position: u32, len: u32 },
    Holds { position: u32 },
}

/// Reads it, and compares what is accepted with what was written.
///
/// # Panics
/// Panics if something else is read than was written.
pub fn run(input: &Input<'_>) {
    // Before the heap is compared.
    content();
    match input {
        Input::Index(index, damage, is_sealed) => check_index(&index.decoded(), damage, *is_sealed),
        Input::Places(places, damage, is_sealed) => check_places(&places_of(places), damage, *is_sealed),
        Input::Merged {
            index,
            places,
            damage,
            is_sealed,
            size_error,
        } => check_merged(&index.decoded(), &places_of(places), (damage, *is_sealed), *size_error),
        Input::Cached {
            file,
            capacity_bytes,
            steps,
        } => check_cache(file, *capacity_bytes, steps),
    }
}

impl Index<'_> {
    fn decoded(&self) -> FileIndex {
        let topics: Vec<_> = self
            .topics
            .iter()
            .map(|(id, name)| (Uuid::from_bytes(*id), (*name).to_owned()))
            .collect();
        let count = u32::try_from(topics.len()).unwrap_or(u32::MAX);
        let runs = self.runs.iter().filter(|_| count > 0).map(|run| IndexedRun {
            topic: u32::from(run.0) % count,
            partition: run.1,
            bytes: run.2.into(),
            batches: run.3,
        });
        FileIndex {
            file_id: Uuid::from_bytes(self.file_id),
            runs: runs.collect(),
            topics,
        }
    }
}

fn places_of(places: &[(u64, i64, i64)]) -> Vec<Place> {
    let place = |(position, offset, max_timestamp_before_ms): &(u64, i64, i64)| Place {
        position: *position,
        offset: *offset,
        max_timestamp_before_ms: *max_timestamp_before_ms,
    };
    places.iter().map(place).collect()
}

/// Writes the checksum that the damaged index should have, so that the reader gets beyond it.
fn seal_index(bytes: &mut [u8]) {
    let len = bytes.len();
    let Some((index, trailer)) = len.checked_sub(16).and_then(|at| bytes.split_at_mut_checked(at)) else {
        return;
    };
    let stated = trailer[..4]
        .iter()
        .fold(0usize, |value, byte| value << 8 | usize::from(*byte));
    let index = &index[index.len().saturating_sub(stated)..];
    trailer[4..8].copy_from_slice(&crc32c::crc32c(index).to_be_bytes());
}

fn seal_places(bytes: &mut [u8]) {
    if let Some((places, crc)) = bytes.split_last_chunk_mut::<4>() {
        *crc = crc32c::crc32c(places).to_be_bytes();
    }
}

fn check_index(index: &FileIndex, damage: &Damage<'_>, is_sealed: bool) {
    let mut bytes = encode_index(index).to_vec();
    damage.apply(&mut bytes);
    if is_sealed {
        seal_index(&mut bytes);
    }
    match decode_index(&bytes) {
        Ok(read) if damage.is_none() => assert_eq!(&read, index),
        Ok(read) => {
            assert!(read.runs.iter().all(|run| (run.topic as usize) < read.topics.len()));
            assert_eq!(decode_index(&encode_index(&read)).as_ref(), Ok(&read));
        }
        Err(error) => assert!(!damage.is_none(), "a valid index is refused: {error}"),
    }
}

fn check_places(places: &[Place], damage: &Damage<'_>, is_sealed: bool) {
    let mut bytes = encode_places(places).to_vec();
    damage.apply(&mut bytes);
    if is_sealed {
        seal_places(&mut bytes);
    }
    match decode_places(&bytes) {
        Ok(read) if damage.is_none() => assert_eq!(read, places),
        Ok(read) => assert_eq!(decode_places(&encode_places(&read)).as_ref(), Ok(&read)),
        Err(error) => assert!(!damage.is_none(), "valid places are refused: {error}"),
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime")
}

async fn write(objects: &Objects, file_id: Uuid, content: Vec<Bytes>) {
    let deadline = Instant::now() + Duration::from_secs(5);
    objects
        .put(file_id, content, deadline)
        .await
        .expect("storage in memory");
}

fn objects() -> Arc<Objects> {
    Arc::new(Objects::new(&Bucket::open("mem://").expect("storage in memory"), "c"))
}

fn check_merged(index: &FileIndex, places: &[Place], (damage, is_sealed): (&Damage<'_>, bool), size_error: i8) {
    let mut tail = [encode_places(places), encode_index(index)].concat();
    damage.apply(&mut tail);
    if is_sealed {
        seal_index(&mut tail);
    }
    let runs = usize::try_from(index.batches_end())
        .unwrap_or(0)
        .min(LARGEST_FILE_BYTES);
    let content = vec![content().slice(..runs), tail.into()];
    let bytes: usize = content.iter().map(Bytes::len).sum();
    let expected = (bytes as u64).saturating_add_signed(size_error.into());
    runtime().block_on(async {
        let objects = objects();
        write(&objects, index.file_id, content).await;
        let found = PlaceCache::new(objects).of_file(index.file_id, expected).await;
        if damage.is_none() && size_error == 0 && runs as u64 == index.batches_end() {
            assert_eq!(found.expect("a valid file")[..], *places);
        }
    });
}

/// The bytes of all cached files: no two places within reach of each other look alike.
fn content() -> Bytes {
    static CONTENT: OnceLock<Bytes> = OnceLock::new();
    let make = || {
        (0..LARGEST_FILE_BYTES)
            .map(|at| (at % 251 + at / 65_536) as u8)
            .collect()
    };
    CONTENT.get_or_init(make).clone()
}

fn check_cache(file: &File, capacity_bytes: u32, steps: &[Step]) {
    let bytes = file.bytes as usize % LARGEST_FILE_BYTES + 1;
    let content = content().slice(..bytes);
    let created = uuid::Timestamp::from_unix(uuid::NoContext, file.unix_seconds.into(), 0);
    let file_id = Uuid::new_v7(created);
    let file_bytes = bytes as u64;
    let within = |position: u32, len: u64| {
        let start = u64::from(position) % file_bytes;
        (start, (start + len).min(file_bytes))
    };
    let capacity_bytes = capacity_bytes as usize % (32 << 20);
    runtime().block_on(async {
        let objects = objects();
        write(&objects, file_id, vec![content.clone()]).await;
        let cache = BlockCache::new(objects, capacity_bytes);
        for step in steps.iter().take(16) {
            match step {
                Step::KeepWritten => {
                    let middle = bytes / 3;
                    cache.keep_written(
                        file_id,
                        &[content.slice(..middle), Bytes::new(), content.slice(middle..)],
                    );
                }
                Step::Read { position, len } => {
                    let (start, end) = within(*position, u64::from(*len).max(1));
                    let read = cache.read(file_id, file_bytes, start, end - start).await;
                    let read = read.expect("the file is there").concat();
                    assert!(
                        read == content[start as usize..end as usize],
                        "read something else at {start}..{end}"
                    );
                }
                Step::BeginLoading { position, len } => {
                    let (start, end) = within(*position, u64::from(*len));
                    cache.begin_loading(file_id, file_bytes, start..end);
                }
                Step::ReadAhead { position, len } => {
                    let (start, end) = within(*position, u64::from(*len));
                    cache.read_ahead(file_id, file_bytes, start, end);
                }
                Step::NoteServed { position, len } => {
                    let (start, end) = within(*position, u64::from(*len));
                    cache.note_served(file_id, start..end);
                }
                Step::Holds { position } => {
                    let _ = cache.holds(file_id, file_bytes, within(*position, 1).0);
                }
            }
            // Loads that have begun end later.
            tokio::task::yield_now().await;
        }
        let held = cache.held_bytes();
        assert!(held <= capacity_bytes, "{held} of {capacity_bytes} bytes");
    });
}
