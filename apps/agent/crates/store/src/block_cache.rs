//! Blocks of data files in memory. A block is fetched from object storage once, however many partitions and consumers want
//! a part of it, and files that this agent wrote are there already. What another agent of the zone owns is read from that one.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures_util::FutureExt as _;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::clock_map::ClockMap;
use crate::error::StoreError;
use crate::objects::Objects;
use crate::zone_peers::{FileRange, NoPeers, PeerId, ZonePeers};

/// A fresh file up to this size is fetched whole, a larger one in aligned blocks of this size. The default flush size (15 MiB)
/// and what may come on top of it fit.
pub const BLOCK_BYTES: u64 = 16 << 20;
/// An older file is fetched in aligned blocks of this size. Its readers work through a backlog, each at its own place: what
/// one of them needs of a file would push out what the others need, if it always came with the rest of the file. Smaller
/// blocks would cost more requests, which is what object stores charge for.
pub const OLD_BLOCK_BYTES: u64 = 4 << 20;
/// Adjacent blocks of an older file that are wanted together come with one request, as far as they lie in one stretch of this size: a
/// stretch has one owner in a zone.
pub const STRETCH_BYTES: u64 = BLOCK_BYTES;
/// A larger file was made by merging: however fresh it is, its readers are nowhere near the tail.
pub const MERGED_FILE_BYTES: u64 = 64 << 20;
/// How long a file counts as fresh: its readers are at the tail, and all of them want it at the same time.
const FRESH: Duration = Duration::from_secs(5);
/// Requests to the bucket that may be on their way at once, and as many more to other agents; bounds the memory beside the cache. They
/// are counted apart, or two agents could hold all their places and wait for each other.
const LOADS_IN_FLIGHT: usize = 8;

/// A file, where in it the block starts, and the block's size (less at the end of the file).
type Key = (Uuid, u64, u64);
type Outcome = watch::Receiver<Option<Result<Arc<Block>, StoreError>>>;

/// On whose behalf a block is read, and so where from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A client of this agent: from who owns the block.
    Client,
    /// Another agent: from the bucket. It is never sent on to a third, nor made to wait for one.
    Peer,
}

/// A block that is on its way.
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

/// Consecutive bytes of a file, in the pieces in which they were written or read.
#[derive(Debug, Clone)]
struct Block {
    chunks: Vec<Bytes>,
    /// Where each chunk begins within the block.
    starts: Vec<u64>,
}

/// A block that is held, and how many bytes of it clients got.
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
    /// A cache of at most `capacity_bytes`, of an agent on its own.
    #[must_use]
    pub fn new(objects: Arc<Objects>, capacity_bytes: usize) -> Arc<Self> {
        Self::in_zone(objects, capacity_bytes, Arc::new(NoPeers))
    }

    /// The same of an agent that shares a zone with others.
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
            let key = (file_id, number * BLOCK_BYTES, BLOCK_BYTES);
            state.hold(key, Arc::new(Block::new(chunks)), weight);
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

    /// Reads a range for another agent of the zone: from memory, else from the bucket.
    ///
    /// # Errors
    /// The file could not be read, or is shorter than that.
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
        // Whether a file is fresh is seen by who asks: one request has to be enough for a large block.
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

    /// Begins to load what a [`Self::read`] of this range will need, as far as it is not there or on its way: adjacent blocks with
    /// one request.
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

    /// Begins to load the rest of the stretch from `position` on for a reader who scans the file, with one large request; nothing
    /// while its first bytes are there or on their way.
    pub fn read_ahead(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, position: u64, end: u64) {
        let (block_bytes, held) = self.find(file_id, file_bytes, position);
        let start = position / block_bytes * block_bytes;
        if held.is_none() && position < end && !self.is_coming((file_id, start, block_bytes), Reader::Client) {
            let stretch_end = (position / STRETCH_BYTES + 1) * STRETCH_BYTES;
            self.begin_loading(file_id, file_bytes, position..end.min(stretch_end));
        }
    }

    /// Notes that a client got these bytes of a file. A block of an older file of which as many bytes were served as it has goes first
    /// when memory is needed: its readers are through with it as a rule, and on their way through a backlog they need the memory for
    /// what comes next.
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

    /// Whether the block at a position of a file is in memory.
    #[must_use]
    pub fn holds(&self, file_id: Uuid, file_bytes: u64, position: u64) -> bool {
        self.find(file_id, file_bytes, position).1.is_some()
    }

    fn is_coming(&self, key: Key, reader: Reader) -> bool {
        let mut state = self.lock();
        let is_loading = state.loading.get(&key).is_some_and(|loading| loading.serves(reader));
        is_loading || state.blocks.get(&key).is_some()
    }

    /// Loads blocks ahead of requests, by their numbers.
    fn load(self: &Arc<Self>, file_id: Uuid, file_bytes: u64, block_bytes: u64, numbers: Range<u64>, reader: Reader) {
        if !numbers.is_empty() {
            let blocks = numbers.end - numbers.start;
            // Whoever reads them may find them there already.
            self.count(&self.misses, blocks, reader);
            let mut state = self.lock();
            let first = (file_id, numbers.start * block_bytes, block_bytes);
            self.start_loading(&mut state, first, blocks, file_bytes, reader);
        }
    }

    /// What other agents read is counted where they ask.
    fn count(&self, counter: &AtomicU64, blocks: u64, reader: Reader) {
        if reader == Reader::Client {
            counter.fetch_add(blocks, Ordering::Relaxed);
        }
    }

    /// In blocks of which size to read at `position` of a file, and the first of them if it is held: large ones if the file
    /// is fresh, or lies there from that time.
    fn find(&self, file_id: Uuid, file_bytes: u64, position: u64) -> (u64, Option<Arc<Block>>) {
        let mut state = self.lock();
        for block_bytes in [BLOCK_BYTES, OLD_BLOCK_BYTES] {
            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            if let Some(held) = state.blocks.get(&key) {
                return (block_bytes, Some(Arc::clone(&held.block)));
            }
        }
        drop(state);
        let fresh = file_bytes <= MERGED_FILE_BYTES && is_fresh(file_id, SystemTime::now());
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
            // The loading task ended without an outcome: the runtime is shutting down.
            Ok(None) | Err(_) => Err(StoreError::Failed("reading was broken off".to_owned())),
        }
    }

    /// Loads consecutive blocks, of which `first` is the first, with one request; returns when that one is there. In a task of its
    /// own, so that a reader who goes away does not take them from the others. In a trace it belongs to the reader who asked first.
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
        tokio::spawn(penstock_traces::in_scope_of(parent, async move {
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
                // A peer's request does not wait for one that waits for a peer, and takes its place.
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

    /// Reads a range from its owner, or from the bucket.
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
    async fn adjacent_blocks_of_a_stretch_come_with_one_get_and_only_those_that_are_missing() {
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
        // 0 and 1 together, 2 is there, 3 alone, 4 and 5 of the next stretch together.
        cache.begin_loading(file_id, len, 0..len);
        cache.read_ahead(file_id, len, 3 * OLD_BLOCK_BYTES, len);
        let read = cache.read(file_id, len, 0, len).await.unwrap();
        assert!(joined(&read) == content);
        assert_eq!(gets(), 4);
        assert_eq!(cache.held_bytes() as u64, len);
    }

    #[tokio::test]
    async fn a_block_that_was_served_whole_goes_first() {
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
    async fn a_large_file_is_read_in_small_blocks_however_fresh_it_is() {
        let objects = objects();
        let cache = BlockCache::new(Arc::clone(&objects), 64 << 20);
        let file_id = write(&objects, &vec![1; 65 << 20]).await;
        cache.read(file_id, 65 << 20, 40 << 20, 100).await.unwrap();
        assert_eq!(objects.counters.get_bytes.load(Ordering::Relaxed), OLD_BLOCK_BYTES);
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

    /// Another agent that owns everything and never answers.
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
    async fn what_a_peer_asks_for_comes_from_the_bucket_even_while_this_agent_waits_for_another_one() {
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
        // And is there for the agent's own clients from then on.
        assert_eq!(joined(&cache.read(file_id, 8, 2, 2).await.unwrap()), b"cd");
        assert_eq!(objects.counters.gets.load(Ordering::Relaxed), 1);
        waiting.abort();
    }

    #[tokio::test]
    async fn a_peer_that_takes_a_file_for_fresh_gets_it_with_one_get() {
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
