//! Blocks of data files in memory. A block is fetched from object storage once, however many partitions and consumers want
//! a part of it, and files that this agent wrote are there already.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::clock_map::ClockMap;
use crate::error::StoreError;
use crate::objects::Objects;

/// A fresh file up to this size is fetched whole, a larger one in aligned blocks of this size. The default flush size (8 MiB)
/// and what may come on top of it fit.
pub const BLOCK_BYTES: u64 = 16 << 20;
/// An older file is fetched in aligned blocks of this size. Its readers work through a backlog, each at its own place: what
/// one of them needs of a file would push out what the others need, if it always came with the rest of the file. Smaller
/// blocks would cost more requests, which is what object stores charge for.
pub const OLD_BLOCK_BYTES: u64 = 4 << 20;
/// How long a file counts as fresh: its readers are at the tail, and all of them want it at the same time.
const FRESH: Duration = Duration::from_secs(5);
/// Blocks that may be on their way at once; bounds the memory beside the cache.
const LOADS_IN_FLIGHT: usize = 8;

/// A file, where in it the block starts, and the block's size (less at the end of the file).
type Key = (Uuid, u64, u64);
type Loading = watch::Receiver<Option<Result<Arc<Block>, StoreError>>>;

/// Consecutive bytes of a file, in the pieces in which they were written or read.
#[derive(Debug)]
struct Block {
    chunks: Vec<Bytes>,
    /// Where each chunk begins within the block.
    starts: Vec<u64>,
}

impl Block {
    fn new(chunks: Vec<Bytes>) -> Self {
        let mut next = 0;
        let starts = chunks
            .iter()
            .map(|chunk| {
                let start = next;
                next += chunk.len() as u64;
                start
            })
            .collect();
        Self { chunks, starts }
    }

    /// Appends slices that cover `start .. end` of the block, as far as it goes.
    fn slice_into(&self, start: u64, end: u64, into: &mut Vec<Bytes>) {
        let first = self.starts.partition_point(|at| *at <= start).saturating_sub(1);
        for (chunk, at) in self.chunks.iter().zip(&self.starts).skip(first) {
            if *at >= end {
                break;
            }
            let from = start.saturating_sub(*at).min(chunk.len() as u64);
            let to = (end - at).min(chunk.len() as u64);
            if from < to {
                // Both are at most the chunk's length.
                #[expect(clippy::cast_possible_truncation, reason = "within a chunk in memory")]
                into.push(chunk.slice(from as usize..to as usize));
            }
        }
    }
}

/// The cache. Shared by all readers and writers of the agent.
#[derive(Debug)]
pub struct BlockCache {
    objects: Arc<Objects>,
    state: Mutex<State>,
    loads: Arc<Semaphore>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Debug)]
struct State {
    blocks: ClockMap<Key, Arc<Block>>,
    loading: HashMap<Key, Loading>,
}

impl BlockCache {
    /// A cache of at most `capacity_bytes`.
    #[must_use]
    pub fn new(objects: Arc<Objects>, capacity_bytes: usize) -> Arc<Self> {
        let state = State {
            blocks: ClockMap::new(capacity_bytes),
            loading: HashMap::new(),
        };
        Arc::new(Self {
            objects,
            state: Mutex::new(state),
            loads: Arc::new(Semaphore::new(LOADS_IN_FLIGHT)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        })
    }

    /// Bytes held.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.lock().blocks.weight()
    }

    /// Blocks that readers found here.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Blocks that readers had to wait for.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// Keeps a file that was just written.
    pub fn keep_written(&self, file_id: Uuid, chunks: &[Bytes]) {
        let mut blocks: Vec<Vec<Bytes>> = vec![Vec::new()];
        let mut room = BLOCK_BYTES;
        for chunk in chunks {
            let mut rest = chunk.clone();
            while !rest.is_empty() {
                if room == 0 {
                    blocks.push(Vec::new());
                    room = BLOCK_BYTES;
                }
                let taken = rest.split_to(rest.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
                room -= taken.len() as u64;
                if let Some(block) = blocks.last_mut() {
                    block.push(taken);
                }
            }
        }
        let mut state = self.lock();
        for (number, chunks) in (0u64..).zip(blocks) {
            let weight = chunks.iter().map(Bytes::len).sum();
            state.blocks.insert(
                (file_id, number * BLOCK_BYTES, BLOCK_BYTES),
                Arc::new(Block::new(chunks)),
                weight,
            );
        }
    }

    /// Reads `position .. position + len` of a file of `file_bytes` bytes, as slices of what is cached: nothing is copied.
    ///
    /// # Errors
    /// The file could not be read, or is shorter than that.
    pub async fn read(
        self: &Arc<Self>,
        file_id: Uuid,
        file_bytes: u64,
        position: u64,
        len: u64,
    ) -> Result<Vec<Bytes>, StoreError> {
        let end = position + len;
        if end > file_bytes {
            return Err(StoreError::Truncated { file_id, end });
        }
        let mut slices = Vec::new();
        let (block_bytes, mut held) = self.find(file_id, position);
        for number in position / block_bytes..end.div_ceil(block_bytes) {
            let block_start = number * block_bytes;
            let block = match held.take() {
                Some(first) => {
                    self.hits.fetch_add(1, Ordering::Relaxed);
                    first
                }
                None => self.block((file_id, block_start, block_bytes), file_bytes).await?,
            };
            block.slice_into(position.saturating_sub(block_start), end - block_start, &mut slices);
        }
        Ok(slices)
    }

    /// Begins to load what [`Self::read`] at this position will need first, unless it is there or on its way.
    pub fn begin_loading(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, position: u64) {
        if let (block_bytes, None) = self.find(file_id, position) {
            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            let mut state = self.lock();
            if !state.loading.contains_key(&key) && state.blocks.get(&key).is_none() {
                // Whoever reads it may find it there already.
                self.misses.fetch_add(1, Ordering::Relaxed);
                let loading = self.start_loading(key, file_bytes);
                state.loading.insert(key, loading);
            }
        }
    }

    /// In blocks of which size to read at `position` of a file, and the first of them if it is held: large ones if the file
    /// is fresh, or lies there from that time.
    fn find(&self, file_id: Uuid, position: u64) -> (u64, Option<Arc<Block>>) {
        let mut state = self.lock();
        for block_bytes in [BLOCK_BYTES, OLD_BLOCK_BYTES] {
            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            if let Some(block) = state.blocks.get(&key) {
                return (block_bytes, Some(Arc::clone(block)));
            }
        }
        drop(state);
        let fresh = is_fresh(file_id, SystemTime::now());
        (if fresh { BLOCK_BYTES } else { OLD_BLOCK_BYTES }, None)
    }

    async fn block(self: &Arc<Self>, key: Key, file_bytes: u64) -> Result<Arc<Block>, StoreError> {
        let mut loading = {
            let mut state = self.lock();
            if let Some(block) = state.blocks.get(&key) {
                self.hits.fetch_add(1, Ordering::Relaxed);
                return Ok(Arc::clone(block));
            }
            self.misses.fetch_add(1, Ordering::Relaxed);
            match state.loading.get(&key) {
                Some(loading) => loading.clone(),
                None => {
                    let loading = self.start_loading(key, file_bytes);
                    state.loading.insert(key, loading.clone());
                    loading
                }
            }
        };
        let loaded = loading.wait_for(Option::is_some).await;
        match loaded.as_deref() {
            Ok(Some(outcome)) => outcome.clone(),
            // The loading task ended without an outcome: the runtime is shutting down.
            Ok(None) | Err(_) => Err(StoreError::Failed("reading was broken off".to_owned())),
        }
    }

    /// Loads in a task of its own, so that a reader who goes away does not take the block from the others. In a trace it belongs to
    /// the reader who asked first.
    fn start_loading(self: &Arc<Self>, key: Key, file_bytes: u64) -> Loading {
        let (done, loading) = watch::channel(None);
        let cache = Arc::clone(self);
        let parent = penstock_traces::current();
        tokio::spawn(penstock_traces::in_scope_of(parent, async move {
            let (file_id, start, block_bytes) = key;
            let end = file_bytes.min(start + block_bytes);
            // The semaphore is never closed.
            let _permit = Arc::clone(&cache.loads).acquire_owned().await;
            let outcome = cache
                .objects
                .get(file_id, start, end)
                .await
                .map(|chunks| Arc::new(Block::new(chunks)));
            let mut state = cache.lock();
            state.loading.remove(&key);
            if let Ok(block) = &outcome {
                let weight = usize::try_from(end - start).unwrap_or(usize::MAX);
                state.blocks.insert(key, Arc::clone(block), weight);
            }
            drop(state);
            done.send_replace(Some(outcome));
        }));
        loading
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a file was written just now, by the time in its id (UUIDv7). An id without a time belongs to no file of ours, and
/// counts as fresh.
#[must_use]
pub fn is_fresh(file_id: Uuid, now: SystemTime) -> bool {
    file_id.get_timestamp().is_none_or(|created| {
        let (seconds, nanoseconds) = created.to_unix();
        UNIX_EPOCH + Duration::new(seconds, nanoseconds) + FRESH > now
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;
    use crate::bucket::Bucket;

    fn objects() -> Arc<Objects> {
        Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"))
    }

    async fn write(objects: &Objects, content: &[u8]) -> Uuid {
        let file_id = Uuid::now_v7();
        let chunks = vec![Bytes::copy_from_slice(content)];
        objects
            .put(file_id, chunks, Instant::now() + Duration::from_secs(5))
            .await
            .unwrap();
        file_id
    }

    fn joined(slices: &[Bytes]) -> Vec<u8> {
        slices.concat()
    }

    #[tokio::test]
    async fn many_readers_of_one_file_cost_one_get() {
        let objects = objects();
        let content: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        let file_id = write(&objects, &content).await;
        let cache = BlockCache::new(Arc::clone(&objects), 1 << 20);
        let reads = (0..50u64).map(|reader| {
            let cache = Arc::clone(&cache);
            async move { cache.read(file_id, 10_000, reader * 100, 150).await.unwrap() }
        });
        let all = futures_util::future::join_all(reads).await;
        for (reader, slices) in all.iter().enumerate() {
            assert_eq!(joined(slices), content[reader * 100..reader * 100 + 150]);
        }
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_written_file_is_read_without_a_get() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 1 << 20);
        let file_id = Uuid::now_v7();
        cache.keep_written(
            file_id,
            &[
                Bytes::from_static(b"abc"),
                Bytes::from_static(b"defg"),
                Bytes::from_static(b"h"),
            ],
        );
        assert_eq!(joined(&cache.read(file_id, 8, 2, 4).await.unwrap()), b"cdef");
        assert_eq!(joined(&cache.read(file_id, 8, 0, 8).await.unwrap()), b"abcdefgh");
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_file_larger_than_a_block_is_read_across_its_blocks() {
        let objects = objects();
        let len = BLOCK_BYTES + 1000;
        let content: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
        let file_id = write(&objects, &content).await;
        for kept in [false, true] {
            let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
            if kept {
                cache.keep_written(file_id, &[Bytes::from(content.clone())]);
            }
            let slices = cache.read(file_id, len, BLOCK_BYTES - 10, 20).await.unwrap();
            let at = BLOCK_BYTES as usize - 10;
            assert_eq!(joined(&slices), content[at..at + 20]);
        }
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn of_an_older_file_only_what_is_wanted_is_fetched_and_across_its_blocks() {
        let objects = objects();
        let content: Vec<u8> = (0..4 * OLD_BLOCK_BYTES).map(|at| (at % 251) as u8).collect();
        let len = content.len() as u64;
        let created = SystemTime::now() - 2 * FRESH;
        let since_epoch = created.duration_since(UNIX_EPOCH).unwrap();
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, since_epoch.as_secs(), 0));
        let chunks = vec![Bytes::from(content.clone())];
        let deadline = Instant::now() + Duration::from_secs(5);
        objects.put(file_id, chunks, deadline).await.unwrap();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        for _ in 0..2 {
            let slices = cache.read(file_id, len, 2 * OLD_BLOCK_BYTES - 10, 20).await.unwrap();
            let at = 2 * OLD_BLOCK_BYTES as usize - 10;
            assert_eq!(joined(&slices), content[at..at + 20]);
            assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 2);
            assert_eq!(cache.held_bytes() as u64, 2 * OLD_BLOCK_BYTES);
        }
    }

    #[tokio::test]
    async fn an_older_file_that_is_held_whole_is_read_without_a_get() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
        cache.keep_written(file_id, &[Bytes::from_static(b"abcdefgh")]);
        assert_eq!(joined(&cache.read(file_id, 8, 2, 4).await.unwrap()), b"cdef");
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_missing_file_fails_for_its_readers_and_is_asked_for_again_later() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 1 << 20);
        let file_id = Uuid::now_v7();
        assert!(matches!(cache.read(file_id, 4, 0, 4).await, Err(StoreError::NotFound(id)) if id == file_id));
        objects
            .put(
                file_id,
                vec![Bytes::from_static(b"late")],
                Instant::now() + Duration::from_secs(5),
            )
            .await
            .unwrap();
        assert_eq!(joined(&cache.read(file_id, 4, 0, 4).await.unwrap()), b"late");
    }

    #[tokio::test]
    async fn a_range_beyond_the_end_of_the_file_is_refused() {
        let cache = BlockCache::new(objects(), 1 << 20);
        let refused = cache.read(Uuid::now_v7(), 100, 90, 11).await;
        assert!(matches!(refused, Err(StoreError::Truncated { end: 101, .. })));
    }
}
