//! Consumers that work through a backlog, each with partitions that drift apart, through one small cache.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use penstock_metadata_client::cache::Run;
use penstock_store::{BlockCache, Bucket, Objects};
use tokio::time::Instant;
use uuid::Uuid;

use super::FileWindow;

const CONSUMERS: usize = 4;
const PARTITIONS_EACH: usize = 18;
const FILES: usize = 200;
const RUN_BYTES: usize = 100;
const FILE_BYTES: usize = CONSUMERS * PARTITIONS_EACH * RUN_BYTES;
/// Far less than the backlog; per consumer, two windows.
const CACHED_FILES: usize = 64;

/// Old files that each hold a run of every partition; the runs of one partition.
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
            });
        }
    }
    runs
}

/// A small generator (SplitMix64), so that each run of the test is the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 33) % bound as u64) as usize
    }
}

#[tokio::test]
async fn each_consumer_of_a_backlog_costs_each_file_about_one_get_and_memory_stays_bounded() {
    let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
    let runs = backlog(&objects).await;
    let cache = BlockCache::new(Arc::clone(&objects), CACHED_FILES * FILE_BYTES);
    let mut next = vec![0; runs.len()];
    let mut random = Random(7);
    while next.iter().any(|at| *at < FILES) {
        // A client asks for those of its partitions whose last records it has handed out.
        let consumer = random.below(CONSUMERS);
        let mut asked: Vec<usize> = (0..PARTITIONS_EACH)
            .filter(|_| random.below(3) == 0)
            .map(|partition| consumer * PARTITIONS_EACH + partition)
            .collect();
        let turn = random.below(asked.len().max(1));
        asked.rotate_left(turn);
        let ahead = |partition: &usize| &runs[*partition][next[*partition]..];
        let mut window = FileWindow::new(asked.iter().map(ahead), SystemTime::now());
        let taken: Vec<usize> = asked
            .iter()
            .map(|partition| window.take(ahead(partition), usize::MAX))
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
