//! A memory cache of data file blocks. Each block is fetched from object storage once, however many partitions and
//! consumers need it. Files written by this agent are cached when they are written, and blocks owned by another agent
//! in the zone are read from that agent.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::FutureExt as _;
use parking_lot::{Mutex, MutexGuard};
use penstock_runtime::{spawn, wall_clock};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::clock_map::ClockMap;
use crate::error::StoreError;
use crate::objects::Objects;
use crate::zone_peers::{FileRange, NoPeers, PeerId, ZonePeers};

/// A fresh file up to this size is fetched whole, and a larger one in aligned blocks of this size. It exceeds the
/// default flush size (15 MiB) with some margin.
pub const BLOCK_BYTES: u64 = 16 << 20;
/// An older file is fetched in aligned blocks of this size. Its readers work through a backlog at different positions:
/// if each loaded whole files, they would evict what others need. Smaller blocks would need more requests, which object
/// stores charge for.
pub const OLD_BLOCK_BYTES: u64 = 4 << 20;
/// Adjacent blocks of an older file that are needed together come in one request, within an aligned stretch of this
/// size. A stretch has one owner in a zone.
pub const STRETCH_BYTES: u64 = BLOCK_BYTES;
/// Files above this size were merged, so their readers are far from the tail, however recent the file.
pub const MERGED_FILE_BYTES: u64 = 64 << 20;
/// How long a file counts as fresh: its readers are at the tail and need it at the same time.
const FRESH: Duration = Duration::from_secs(5);
/// Maximum number of concurrent requests to the bucket, and as many again to other agents. Bounds the memory outside
/// the cache. Counted separately, because two agents could otherwise hold all their slots and wait for each other.
const LOADS_IN_FLIGHT: usize = 8;

/// File id, position of the block in the file, and size of the block (smaller at the end of the file).
type Key = (Uuid, u64, u64);
type Outcome = watch::Receiver<Option<Result<Arc<Block>, StoreError>>>;

/// Who reads a block, which determines where it is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A client of this agent. Blocks come from their owner.
    Client,
    /// Another agent. Blocks come from the bucket: such a request is never forwarded and never waits for another agent.
    Peer,
}

/// A block that is being loaded.
#[derive(Debug, Clone)]
struct Loading {
    outcome: Outcome,
    owner: Option<PeerId>,
}

impl Loading {
    fn serves(&self, reader: Reader) -> bool {
        reader == Reader::Client || self.owner.is_none()
    }
}

/// Consecutive bytes of a file, in the chunks in which they were written or read.
#[derive(Debug, Clone)]
struct Block {
    chunks: Vec<Bytes>,
    /// Position of each chunk within the block.
    starts: Vec<u64>,
}

/// A cached block, and the number of its bytes sent to clients.
#[derive(Debug)]
struct Held {
    block: Arc<Block>,
    served_bytes: u64,
    bytes: u64,
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

    fn part(&self, start: u64, end: u64) -> Self {
        let mut chunks = Vec::new();
        self.slice_into(start, end, &mut chunks);
        Self::new(chunks)
    }

    /// Appends slices that cover `start .. end`, as far as the block contains that range.
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

/// The cache, shared by all readers and writers of the agent.
#[derive(Debug)]
pub struct BlockCache {
    objects: Arc<Objects>,
    peers: Arc<dyn ZonePeers>,
    state: Mutex<State>,
    loads: Semaphore,
    peer_loads: Semaphore,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Debug)]
struct State {
    blocks: ClockMap<Key, Held>,
    loading: HashMap<Key, Loading>,
}

impl State {
    fn hold(&mut self, key: Key, block: Arc<Block>, weight: usize) {
        let held = Held {
            block,
            served_bytes: 0,
            bytes: weight as u64,
        };
        self.blocks.insert(key, held, weight);
    }
}

impl BlockCache {
    /// Creates a cache of at most `capacity_bytes` for an agent without zone peers.
    #[must_use]
    pub fn new(objects: Arc<Objects>, capacity_bytes: usize) -> Arc<Self> {
        Self::in_zone(objects, capacity_bytes, Arc::new(NoPeers))
    }

    /// Like [`Self::new`], for an agent that shares a zone with others.
    #[must_use]
    pub fn in_zone(objects: Arc<Objects>, capacity_bytes: usize, peers: Arc<dyn ZonePeers>) -> Arc<Self> {
        let state = State {
            blocks: ClockMap::new(capacity_bytes),
            loading: HashMap::new(),
        };
        Arc::new(Self {
            objects,
            peers,
            state: Mutex::new(state),
            loads: Semaphore::new(LOADS_IN_FLIGHT),
            peer_loads: Semaphore::new(LOADS_IN_FLIGHT),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        })
    }

    /// Size of the cached blocks, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.lock().blocks.weight()
    }

    /// Number of cache hits.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Number of cache misses.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// Caches a file that was just written.
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
            let key = (file_id, number * BLOCK_BYTES, BLOCK_BYTES);
            state.hold(key, Arc::new(Block::new(chunks)), weight);
        }
    }

    /// Reads `position .. position + len` of a file of `file_bytes` bytes, as slices of cached blocks without copying.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is too short.
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
        let (block_bytes, mut held) = self.find(file_id, file_bytes, position);
        for number in position / block_bytes..end.div_ceil(block_bytes) {
            let block_start = number * block_bytes;
            let block = match held.take() {
                Some(first) => {
                    self.hits.fetch_add(1, Ordering::Relaxed);
                    first
                }
                None => {
                    let key = (file_id, block_start, block_bytes);
                    self.block(key, file_bytes, Reader::Client).await?
                }
            };
            block.slice_into(position.saturating_sub(block_start), end - block_start, &mut slices);
        }
        Ok(slices)
    }

    /// Reads a range for another agent in the zone, from memory or else from the bucket.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is too short.
    pub async fn read_for_peer(self: &Arc<Self>, range: &FileRange) -> Result<Vec<Bytes>, StoreError> {
        let FileRange {
            file_id,
            file_bytes,
            start,
            end,
        } = *range;
        if end > file_bytes {
            return Err(StoreError::Truncated { file_id, end });
        }
        let (found_bytes, held) = self.find(file_id, file_bytes, start);
        // The requesting agent decides whether a file is fresh, and a large block must take one request.
        let is_large_block = start.is_multiple_of(BLOCK_BYTES) && end == file_bytes.min(start + BLOCK_BYTES);
        let block_bytes = match held {
            None if is_large_block => BLOCK_BYTES,
            _ => found_bytes,
        };
        self.load_missing(file_id, file_bytes, block_bytes, start..end, Reader::Peer);
        let mut slices = Vec::new();
        for number in start / block_bytes..end.div_ceil(block_bytes) {
            let block_start = number * block_bytes;
            let key = (file_id, block_start, block_bytes);
            let block = self.block(key, file_bytes, Reader::Peer).await?;
            block.slice_into(start.saturating_sub(block_start), end - block_start, &mut slices);
        }
        Ok(slices)
    }

    /// Starts loading the blocks that a [`Self::read`] of this range needs and that are neither cached nor being
    /// loaded. Adjacent blocks come in one request.
    pub fn begin_loading(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, range: Range<u64>) {
        let (block_bytes, _) = self.find(file_id, file_bytes, range.start);
        self.load_missing(file_id, file_bytes, block_bytes, range, Reader::Client);
    }

    fn load_missing(
        self: &Arc<Self>,
        file_id: Uuid,
        file_bytes: u64,
        block_bytes: u64,
        range: Range<u64>,
        reader: Reader,
    ) {
        let per_stretch = (STRETCH_BYTES / block_bytes).max(1);
        let mut missing: Range<u64> = 0..0;
        let mut missing_of = None;
        for number in range.start / block_bytes..range.end.min(file_bytes).div_ceil(block_bytes) {
            let key = (file_id, number * block_bytes, block_bytes);
            if self.is_coming(key, reader) {
                continue;
            }
            let owner = self.peer_for(key, reader);
            if missing.end != number || number.is_multiple_of(per_stretch) || owner != missing_of {
                self.load(file_id, file_bytes, block_bytes, missing, reader);
                missing = number..number;
                missing_of = owner;
            }
            missing.end = number + 1;
        }
        self.load(file_id, file_bytes, block_bytes, missing, reader);
    }

    fn peer_for(&self, (file_id, start, _): Key, reader: Reader) -> Option<PeerId> {
        match reader {
            Reader::Client => self.peers.peer_for(file_id, start),
            Reader::Peer => None,
        }
    }

    /// Starts loading the rest of the stretch from `position` in one large request, for a reader that scans the file.
    /// Does nothing if the first bytes are cached or being loaded.
    pub fn read_ahead(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, position: u64, end: u64) {
        let (block_bytes, held) = self.find(file_id, file_bytes, position);
        let start = position / block_bytes * block_bytes;
        if held.is_none() && position < end && !self.is_coming((file_id, start, block_bytes), Reader::Client) {
            let stretch_end = (position / STRETCH_BYTES + 1) * STRETCH_BYTES;
            self.begin_loading(file_id, file_bytes, position..end.min(stretch_end));
        }
    }

    /// Records that a client received these bytes. A block of an older file whose bytes were all served is evicted
    /// first: its readers have usually moved on, and the memory is needed for the rest of their backlog.
    pub fn note_served(&self, file_id: Uuid, range: Range<u64>) {
        let mut state = self.lock();
        for number in range.start / OLD_BLOCK_BYTES..range.end.div_ceil(OLD_BLOCK_BYTES) {
            let start = number * OLD_BLOCK_BYTES;
            let key = (file_id, start, OLD_BLOCK_BYTES);
            let Some(held) = state.blocks.get_mut(&key) else {
                continue;
            };
            let served = range.end.min(start + OLD_BLOCK_BYTES) - range.start.max(start);
            let was_spent = held.served_bytes >= held.bytes;
            held.served_bytes += served;
            if !was_spent && held.served_bytes >= held.bytes {
                state.blocks.spend(&key);
            }
        }
    }

    /// Returns true if the block at this position of the file is cached.
    #[must_use]
    pub fn holds(&self, file_id: Uuid, file_bytes: u64, position: u64) -> bool {
        self.find(file_id, file_bytes, position).1.is_some()
    }

    fn is_coming(&self, key: Key, reader: Reader) -> bool {
        let mut state = self.lock();
        let is_loading = state.loading.get(&key).is_some_and(|loading| loading.serves(reader));
        is_loading || state.blocks.get(&key).is_some()
    }

    /// Loads blocks ahead of requests, by block number.
    fn load(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, block_bytes: u64, numbers: Range<u64>, reader: Reader) {
        if !numbers.is_empty() {
            let blocks = numbers.end - numbers.start;
            // The reads that follow may find them cached.
            self.count(&self.misses, blocks, reader);
            let mut state = self.lock();
            let first = (file_id, numbers.start * block_bytes, block_bytes);
            self.start_loading(&mut state, first, blocks, file_bytes, reader);
        }
    }

    /// Counts a block, unless another agent reads it, which counts it itself.
    fn count(&self, counter: &AtomicU64, blocks: u64, reader: Reader) {
        if reader == Reader::Client {
            counter.fetch_add(blocks, Ordering::Relaxed);
        }
    }

    /// Returns the block size for reading at `position`, and the first block if it is cached. Blocks are large if the
    /// file is fresh or still cached from that time.
    fn find(&self, file_id: Uuid, file_bytes: u64, position: u64) -> (u64, Option<Arc<Block>>) {
        let mut state = self.lock();
        for block_bytes in [BLOCK_BYTES, OLD_BLOCK_BYTES] {
            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            if let Some(held) = state.blocks.get(&key) {
                return (block_bytes, Some(Arc::clone(&held.block)));
            }
        }
        drop(state);
        let fresh = file_bytes <= MERGED_FILE_BYTES && is_fresh(file_id, wall_clock());
        (if fresh { BLOCK_BYTES } else { OLD_BLOCK_BYTES }, None)
    }

    async fn block(self: &Arc<Self>, key: Key, file_bytes: u64, reader: Reader) -> Result<Arc<Block>, StoreError> {
        let mut outcome = {
            let mut state = self.lock();
            if let Some(held) = state.blocks.get(&key) {
                self.count(&self.hits, 1, reader);
                return Ok(Arc::clone(&held.block));
            }
            self.count(&self.misses, 1, reader);
            match state.loading.get(&key) {
                Some(loading) if loading.serves(reader) => loading.outcome.clone(),
                _ => self.start_loading(&mut state, key, 1, file_bytes, reader),
            }
        };
        let loaded = outcome.wait_for(Option::is_some).await;
        match loaded.as_deref() {
            Ok(Some(outcome)) => outcome.clone(),
            // The loading task ended without an outcome, because the runtime is shutting down.
            Ok(None) | Err(_) => Err(StoreError::Failed("read was aborted".to_owned())),
        }
    }

    /// Loads consecutive blocks in one request, and returns when `first` is loaded. Runs as a separate task, so that a
    /// cancelled reader does not take the blocks from others. In traces, it belongs to the first reader.
    fn start_loading(
        self: &Arc<Self>,
        state: &mut State,
        first: Key,
        blocks: u64,
        file_bytes: u64,
        reader: Reader,
    ) -> Outcome {
        let (file_id, start, block_bytes) = first;
        let owner = self.peer_for(first, reader);
        let (first_done, first_outcome) = watch::channel(None);
        let mut done = vec![(first, first_done)];
        done.extend((1..blocks).map(|number| {
            let key = (file_id, start + number * block_bytes, block_bytes);
            (key, watch::Sender::new(None))
        }));
        for (key, done) in &done {
            let outcome = done.subscribe();
            state.loading.insert(*key, Loading { outcome, owner });
        }
        let cache = Arc::clone(self);
        let parent = penstock_traces::current();
        spawn(penstock_traces::in_scope_of(parent, async move {
            let end = file_bytes.min(start + blocks * block_bytes);
            let range = FileRange {
                file_id,
                file_bytes,
                start,
                end,
            };
            let whole = cache.fetch(range, owner).await.map(Block::new);
            for (key, done) in done {
                let (from, to) = (key.1 - start, (key.1 + block_bytes).min(end) - start);
                let outcome = whole.clone().map(|whole| Arc::new(whole.part(from, to)));
                let mut state = cache.lock();
                // A peer's request replaces one that waits for another peer, rather than waiting for it.
                let ended = done.subscribe();
                if state
                    .loading
                    .get(&key)
                    .is_some_and(|loading| loading.outcome.same_channel(&ended))
                {
                    state.loading.remove(&key);
                }
                if let Ok(block) = &outcome {
                    let weight = usize::try_from(to - from).unwrap_or(usize::MAX);
                    state.hold(key, Arc::clone(block), weight);
                }
                drop(state);
                done.send_replace(Some(outcome));
            }
        }));
        first_outcome
    }

    /// Reads a range from its owner or from the bucket.
    async fn fetch(&self, range: FileRange, owner: Option<PeerId>) -> Result<Vec<Bytes>, StoreError> {
        let FileRange {
            file_id, start, end, ..
        } = range;
        let bucket = async {
            // The semaphores are never closed.
            let _permit = self.loads.acquire().await;
            self.objects.get(file_id, start, end).await
        };
        match owner {
            None => bucket.await,
            Some(owner) => {
                let _permit = self.peer_loads.acquire().await;
                self.peers.read(owner, range, bucket.boxed()).await
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// Returns true if the time in the file's id (UUIDv7) is recent. An id without a time is not one of our files, and
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
    async fn reads_a_written_file_without_a_get() {
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
    async fn reads_a_large_file_across_its_blocks() {
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
    async fn fetches_only_the_needed_blocks_of_an_older_file() {
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
    async fn fetches_missing_adjacent_blocks_of_a_stretch_with_one_get() {
        let objects = objects();
        let content: Vec<u8> = (0..6 * OLD_BLOCK_BYTES - 7).map(|at| (at % 251) as u8).collect();
        let len = content.len() as u64;
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
        let deadline = Instant::now() + Duration::from_secs(5);
        objects
            .put(file_id, vec![Bytes::from(content.clone())], deadline)
            .await
            .unwrap();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        let gets = || objects.counters.gets.load(Ordering::Relaxed);
        cache.read(file_id, len, 2 * OLD_BLOCK_BYTES, 1).await.unwrap();
        assert_eq!(gets(), 1);
        // Blocks 0 and 1 come together, 2 is cached, 3 comes alone, and 4 and 5 of the next stretch come together.
        cache.begin_loading(file_id, len, 0..len);
        cache.read_ahead(file_id, len, 3 * OLD_BLOCK_BYTES, len);
        let read = cache.read(file_id, len, 0, len).await.unwrap();
        assert!(joined(&read) == content);
        assert_eq!(gets(), 4);
        assert_eq!(cache.held_bytes() as u64, len);
    }

    #[tokio::test]
    async fn evicts_fully_served_blocks_first() {
        let objects = objects();
        let file_bytes = 65 << 20;
        let file_id = write(&objects, &vec![1; 65 << 20]).await;
        let blocks = |count: u64| usize::try_from(count * OLD_BLOCK_BYTES).unwrap();
        let cache = BlockCache::new(Arc::clone(&objects), blocks(3));
        let start = |number| number * OLD_BLOCK_BYTES;
        for number in 0..3 {
            cache.read(file_id, file_bytes, start(number), 1).await.unwrap();
        }
        cache.note_served(file_id, start(0)..start(1) - 1);
        cache.note_served(file_id, start(1) + 100..start(2));
        cache.note_served(file_id, start(1)..start(1) + 100);
        cache.read(file_id, file_bytes, start(3), 1).await.unwrap();
        let held = (0..4).map(|number| cache.holds(file_id, file_bytes, start(number)));
        assert_eq!(held.collect::<Vec<_>>(), [true, false, true, true]);
    }

    #[tokio::test]
    async fn reads_a_large_file_in_small_blocks_even_if_fresh() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        let file_id = write(&objects, &vec![1; 65 << 20]).await;
        cache.read(file_id, 65 << 20, 40 << 20, 100).await.unwrap();
        assert_eq!(objects.counters.get_bytes.load(Ordering::Relaxed), OLD_BLOCK_BYTES);
    }

    #[tokio::test]
    async fn reads_a_fully_cached_older_file_without_a_get() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
        cache.keep_written(file_id, &[Bytes::from_static(b"abcdefgh")]);
        assert_eq!(joined(&cache.read(file_id, 8, 2, 4).await.unwrap()), b"cdef");
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 0);
    }

    /// A peer that owns everything and never responds.
    #[derive(Debug, Default)]
    struct SilentPeer {
        asked: tokio::sync::Notify,
    }

    impl ZonePeers for SilentPeer {
        fn peer_for(&self, _: Uuid, _: u64) -> Option<PeerId> {
            Some(2)
        }

        fn read<'a>(
            &'a self,
            _: PeerId,
            _: FileRange,
            _: futures_util::future::BoxFuture<'a, Result<Vec<Bytes>, StoreError>>,
        ) -> futures_util::future::BoxFuture<'a, Result<Vec<Bytes>, StoreError>> {
            self.asked.notify_one();
            std::future::pending().boxed()
        }
    }

    fn whole(file_id: Uuid, file_bytes: u64) -> FileRange {
        FileRange {
            file_id,
            file_bytes,
            start: 0,
            end: file_bytes,
        }
    }

    #[tokio::test]
    async fn peer_reads_use_the_bucket_while_this_agent_waits_for_peers() {
        let objects = objects();
        let file_id = write(&objects, b"abcdefgh").await;
        let owner = Arc::new(SilentPeer::default());
        let cache = BlockCache::in_zone(Arc::clone(&objects), 1 << 20, Arc::clone(&owner) as _);
        let waiting = tokio::spawn({
            let cache = Arc::clone(&cache);
            async move { cache.read(file_id, 8, 0, 8).await }
        });
        owner.asked.notified().await;
        let answers = futures_util::future::join_all((0..5).map(|_| {
            let cache = Arc::clone(&cache);
            async move { cache.read_for_peer(&whole(file_id, 8)).await.unwrap() }
        }));
        for slices in answers.await {
            assert_eq!(joined(&slices), b"abcdefgh");
        }
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 1);
        // From then on, it is cached for the agent's own clients.
        assert_eq!(joined(&cache.read(file_id, 8, 2, 2).await.unwrap()), b"cd");
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 1);
        waiting.abort();
    }

    #[tokio::test]
    async fn a_peer_gets_a_file_that_it_considers_fresh_with_one_get() {
        let objects = objects();
        let len = 3 * OLD_BLOCK_BYTES + 5;
        let content: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
        let deadline = Instant::now() + Duration::from_secs(5);
        let chunks = vec![Bytes::from(content.clone())];
        objects.put(file_id, chunks, deadline).await.unwrap();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        assert!(joined(&cache.read_for_peer(&whole(file_id, len)).await.unwrap()) == content);
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 1);
        let beyond = FileRange {
            end: len + 1,
            ..whole(file_id, len)
        };
        let refused = cache.read_for_peer(&beyond).await;
        assert!(matches!(refused, Err(StoreError::Truncated { .. })));
    }

    #[tokio::test]
    async fn a_missing_file_fails_all_readers_and_is_retried_later() {
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
    async fn refuses_a_range_beyond_the_end_of_the_file() {
        let cache = BlockCache::new(objects(), 1 << 20);
        let refused = cache.read(Uuid::now_v7(), 100, 90, 11).await;
        assert!(matches!(refused, Err(StoreError::Truncated { end: 101, .. })));
    }
}
