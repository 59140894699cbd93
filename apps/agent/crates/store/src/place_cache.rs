//! Caches the places of merged files. Each is read once and kept while it is used.
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::clock_map::ClockMap;
use crate::error::StoreError;
use crate::file_index::{FormatError, decode_index, indexed_bytes};
use crate::objects::Objects;
use crate::places::{Place, decode_places};

/// Maximum number of files whose places are kept. A file of 1 GiB has at most 1,024 places of 24 bytes.
const KEPT_FILES: usize = 512;
/// Size of the first read, which covers the places and index of most files.
const TAIL_BYTES: u64 = 128 << 10;
/// Maximum size of everything after the batches of a file.
const MAX_TAIL_BYTES: u64 = 16 << 20;

type Places = Arc<[Place]>;

/// The cache, shared by all readers of the agent.
#[derive(Debug)]
pub struct PlaceCache {
    objects: Arc<Objects>,
    files: Mutex<ClockMap<Uuid, Arc<OnceCell<Places>>>>,
}

impl PlaceCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(objects: Arc<Objects>) -> Self {
        Self {
            objects,
            files: Mutex::new(ClockMap::new(KEPT_FILES)),
        }
    }

    /// The places of a file, ordered by position. `None` if they are damaged, which is logged: readers then search from
    /// the start of a run.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub async fn of_file(&self, file_id: Uuid, file_bytes: u64) -> Result<Places, StoreError> {
        let cell = {
            let mut files = self.files.lock();
            match files.get(&file_id) {
                Some(cell) => Arc::clone(cell),
                None => {
                    let cell = Arc::default();
                    files.insert(file_id, Arc::clone(&cell), 1);
                    cell
                }
            }
        };
        cell.get_or_try_init(|| self.load(file_id, file_bytes)).await.cloned()
    }

    async fn load(&self, file_id: Uuid, file_bytes: u64) -> Result<Places, StoreError> {
        match self.read(file_id, file_bytes).await? {
            Ok(places) => Ok(places.into()),
            Err(error) => {
                tracing::error!(%file_id, %error, "cannot read the place index of a data file; lookups in it will be slower");
                Ok(Arc::default())
            }
        }
    }

    async fn read(&self, file_id: Uuid, file_bytes: u64) -> Result<Result<Vec<Place>, FormatError>, StoreError> {
        let mut tail_bytes = file_bytes.min(TAIL_BYTES);
        loop {
            let start = file_bytes - tail_bytes;
            let tail = self.objects.get(file_id, start, file_bytes).await?.concat();
            let Some(indexed) = indexed_bytes(&tail) else {
                return Ok(Err(FormatError::NoMagic));
            };
            let needed = if indexed > tail_bytes {
                indexed
            } else {
                let index = match decode_index(&tail) {
                    Ok(index) => index,
                    Err(error) => return Ok(Err(error)),
                };
                let Some(needed) = file_bytes
                    .checked_sub(index.batches_end())
                    .filter(|left| *left >= indexed)
                else {
                    return Ok(Err(FormatError::Damaged("its runs exceed the file")));
                };
                if needed <= tail_bytes {
                    // Both are within the buffer.
                    #[expect(clippy::cast_possible_truncation, reason = "within the tail")]
                    let (from, to) = ((tail_bytes - needed) as usize, (tail_bytes - indexed) as usize);
                    return Ok(decode_places(&tail[from..to]));
                }
                needed
            };
            if needed > MAX_TAIL_BYTES.min(file_bytes) {
                return Ok(Err(FormatError::Damaged("its length exceeds the file")));
            }
            tail_bytes = needed;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use bytes::Bytes;
    use tokio::time::Instant;

    use super::*;
    use crate::bucket::Bucket;
    use crate::file_index::{FileIndex, IndexedRun, encode_index};
    use crate::places::encode_places;

    fn places(count: u64) -> Vec<Place> {
        (0..count)
            .map(|number| Place {
                position: number * 1000,
                offset: i64::try_from(number * 10).unwrap(),
                max_timestamp_before_ms: 5,
            })
            .collect()
    }

    /// Writes a file of one run and returns its id and size.
    async fn write(objects: &Objects, run_bytes: usize, places: &[u8]) -> (Uuid, u64) {
        let file_id = Uuid::now_v7();
        let index = encode_index(&FileIndex {
            file_id,
            topics: vec![(Uuid::from_u128(2), "t".into())],
            runs: vec![IndexedRun {
                topic: 0,
                partition: 0,
                bytes: u32::try_from(run_bytes).unwrap(),
                batches: 1,
            }],
        });
        let chunks = vec![Bytes::from(vec![0; run_bytes]), Bytes::copy_from_slice(places), index];
        let file_bytes = chunks.iter().map(|chunk| chunk.len() as u64).sum();
        let deadline = Instant::now() + Duration::from_secs(20);
        objects.put(file_id, chunks, deadline).await.unwrap();
        (file_id, file_bytes)
    }

    #[tokio::test]
    async fn places_are_read_once_with_few_gets() {
        for (count, max_gets) in [(0, 1), (3, 1), (60_000, 2)] {
            let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
            let (file_id, file_bytes) = write(&objects, 70_000, &encode_places(&places(count))).await;
            let cache = PlaceCache::new(Arc::clone(&objects));
            let reads = (0..10).map(|_| cache.of_file(file_id, file_bytes));
            for read in futures_util::future::join_all(reads).await {
                assert_eq!(read.unwrap()[..], places(count));
            }
            let gets = objects.counters.gets.load(Ordering::Relaxed);
            assert!(gets <= max_gets, "{gets} GETs for {count} places");
        }
    }

    #[tokio::test]
    async fn treats_damaged_places_as_missing() {
        let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
        let cache = PlaceCache::new(Arc::clone(&objects));
        let (file_id, file_bytes) = write(&objects, 100, b"not places").await;
        assert!(cache.of_file(file_id, file_bytes).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_failed_read_is_retried_by_the_next_reader() {
        let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
        let cache = PlaceCache::new(Arc::clone(&objects));
        let missing = Uuid::now_v7();
        for _ in 0..2 {
            assert!(matches!(
                cache.of_file(missing, 100).await,
                Err(StoreError::NotFound(_))
            ));
        }
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 2);
    }
}
