//! Consumers with a backlog and partitions that drift apart, sharing a small cache.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, Bucket, Objects, STRETCH_BYTES};
use tokio::time::Instant;
use uuid::Uuid;

use super::{ReadPath, StretchWindow, portions};

const CONSUMERS: usize = 4;
const PARTITIONS_EACH: usize = 18;
const FILES: usize = 200;
const RUN_BYTES: usize = 100;
const FILE_BYTES: usize = CONSUMERS * PARTITIONS_EACH * RUN_BYTES;
/// Far smaller than the backlog: two windows per consumer.
const CACHED_FILES: usize = 64;

/// Old files that each contain a run of every partition. Returns the runs by partition.
async fn backlog(objects: &Objects) -> Vec<Vec<Run>> {
    let mut runs = vec![Vec::new(); CONSUMERS * PARTITIONS_EACH];
    for file in 0..FILES {
        let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(
            uuid::NoContext,
            1_700_000_000 + file as u64,
            0,
        ));
        let content = Bytes::from(vec![0; FILE_BYTES]);
        let deadline = Instant::now() + Duration::from_secs(5);
        objects.put(file_id, vec![content], deadline).await.unwrap();
        for (partition, runs) in runs.iter_mut().enumerate() {
            runs.push(Run {
                file_id,
                position: (partition * RUN_BYTES) as u64,
                bytes: RUN_BYTES as u32,
                base_offset: file as i64,
                records: 1,
                file_bytes: FILE_BYTES as u64,
                marker: None,
            });
        }
    }
    runs
}

/// A small generator (SplitMix64) with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 33) % bound as u64) as usize
    }
}

#[tokio::test]
async fn consumers_of_a_backlog_read_each_file_about_once() {
    let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
    let runs = backlog(&objects).await;
    let cache = BlockCache::new(Arc::clone(&objects), CACHED_FILES * FILE_BYTES);
    let mut next = vec![0; runs.len()];
    let mut random = Random(7);
    while next.iter().any(|at| *at < FILES) {
        // A client requests the partitions whose last records it has processed.
        let consumer = random.below(CONSUMERS);
        let mut asked: Vec<usize> = (0..PARTITIONS_EACH)
            .filter(|_| random.below(3) == 0)
            .map(|partition| consumer * PARTITIONS_EACH + partition)
            .collect();
        let turn = random.below(asked.len().max(1));
        asked.rotate_left(turn);
        let ahead = |partition: &usize| &runs[*partition][next[*partition]..];
        let portions = |partition: &usize| {
            let runs = ahead(partition);
            portions(runs, runs.first().map_or(0, |run| run.position), usize::MAX >> 1)
        };
        let mut window = StretchWindow::new(asked.iter().map(portions), SystemTime::now(), false);
        let taken: Vec<usize> = asked
            .iter()
            .map(|partition| window.take(portions(partition), usize::MAX))
            .collect();
        for (partition, taken) in asked.into_iter().zip(taken) {
            for run in &runs[partition][next[partition]..next[partition] + taken] {
                let slices = cache.read(run.file_id, run.file_bytes, run.position, RUN_BYTES as u64);
                assert_eq!(slices.await.unwrap().concat().len(), RUN_BYTES);
            }
            next[partition] += taken;
        }
        assert!(cache.held_bytes() <= CACHED_FILES * FILE_BYTES);
    }
    let gets = objects.counters.gets.load(Ordering::Relaxed);
    assert!(gets as usize <= CONSUMERS * FILES * 5 / 4, "{gets} GETs");
}

const MIB: u64 = 1 << 20;
/// Each consumer has as much memory as one of eight has in the default cache.
const MERGED_CACHE_BYTES: usize = CONSUMERS * (32 << 20);
const MERGED_RUN_BYTES: u64 = 23 * MIB / 10;

/// One merged file with a run of each partition, in order.
async fn merged_backlog(objects: &Objects, partitions: u64) -> Vec<Run> {
    let file_bytes = partitions * MERGED_RUN_BYTES;
    let file_id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0));
    let content = Bytes::from(vec![0; usize::try_from(file_bytes).unwrap()]);
    let deadline = Instant::now() + Duration::from_secs(60);
    objects.put(file_id, vec![content], deadline).await.unwrap();
    let run = |partition| Run {
        file_id,
        position: partition * MERGED_RUN_BYTES,
        bytes: u32::try_from(MERGED_RUN_BYTES).unwrap(),
        base_offset: 0,
        records: 1,
        file_bytes,
        marker: None,
    };
    (0..partitions).map(run).collect()
}

#[tokio::test]
async fn consumers_of_a_merged_backlog_read_each_stretch_about_once() {
    const PARTITIONS_EACH: usize = 40;
    let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
    let runs = merged_backlog(&objects, (CONSUMERS * PARTITIONS_EACH) as u64).await;
    let blocks = BlockCache::new(Arc::clone(&objects), MERGED_CACHE_BYTES);
    let read_path = ReadPath::new(Arc::clone(&objects), blocks, 64 << 20);
    let mut next: Vec<u64> = runs.iter().map(|run| run.position).collect();
    let end = |partition: usize| runs[partition].position + MERGED_RUN_BYTES;
    let mut random = Random(7);
    let (mut answers, mut bytes) = (0, 0);
    while (0..runs.len()).any(|partition| next[partition] < end(partition)) {
        let consumer = random.below(CONSUMERS);
        let of_consumer = consumer * PARTITIONS_EACH..(consumer + 1) * PARTITIONS_EACH;
        let asked: Vec<usize> = of_consumer
            .filter(|partition| next[*partition] < end(*partition))
            .collect();
        let ahead = |partition: usize, from: u64| portions(&runs[partition..=partition], from, MIB as usize);
        let mut window = StretchWindow::new(
            asked.iter().map(|partition| ahead(*partition, next[*partition])),
            SystemTime::now(),
            false,
        );
        let wanted: Vec<_> = asked
            .iter()
            .flat_map(|partition| ahead(*partition, next[*partition]))
            .collect();
        let loaded = wanted.iter().filter(|portion| window.loads(portion));
        read_path.load_together(loaded.map(|portion| portion.file_range()).collect());
        for (partition, portion) in asked.into_iter().zip(wanted) {
            if window.admits(&portion) {
                let (run, start) = (runs[partition], next[partition]);
                let slices = read_path
                    .blocks
                    .read(run.file_id, run.file_bytes, start, portion.next_bytes);
                bytes += slices.await.unwrap().concat().len();
                next[partition] += portion.next_bytes;
                read_path.blocks.note_served(run.file_id, start..next[partition]);
            }
        }
        answers += 1;
    }
    assert_eq!(bytes as u64, runs.len() as u64 * MERGED_RUN_BYTES);
    let gets = objects.counters.gets.load(Ordering::Relaxed);
    let ideal = bytes as u64 / STRETCH_BYTES + CONSUMERS as u64;
    assert!(
        gets <= ideal * 3 / 2,
        "{gets} GETs where {ideal} are ideal, {answers} answers"
    );
}
