//! Measures the memory that a compaction job uses, counted by the allocator.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_access::{Authorizer, Throttle};
use penstock_agent::take_one_job;
use penstock_handlers::{Context, Node, RecordChecks};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_metadata_client::testing::ScriptedMetadata;
use penstock_metrics::Metrics;
use penstock_read_path::ReadPath;
use penstock_store::{BlockCache, Bucket, Objects};
use penstock_write_path::{WritePath, WriteSettings};
use tokio::time::Instant;
use uuid::Uuid;

/// Counts the memory held by all threads, and its peak.
struct Counting;

static HELD: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

fn count(bytes: isize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call is forwarded unchanged to the system allocator, which fulfils the contract. Counting allocates
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MEMORY_BYTES: u64 = 64 << 20;
const FILES: u32 = 12;
const FILE_BYTES: usize = 8 << 20;
/// Size of the largest batch that is still rewritten, with records of 1 KiB.
const BATCH_BYTES: usize = (2 << 20) - 100;
const RECORD_BYTES: usize = 1_000;
/// Enough offsets for the key map to use its full share of memory.
const OFFSETS_PER_BATCH: i32 = 1 << 20;

/// A batch of records with keys that count up from `first_key`. It spans far more offsets than it has records.
fn batch(first_key: u32) -> (Bytes, u32) {
    let (mut records, mut count) = (BytesMut::new(), 0u32);
    while records.len() + RECORD_BYTES + 20 < BATCH_BYTES {
        let mut record = BytesMut::new();
        record.put_slice(&[0, 0]);
        put_varint(&mut record, count);
        put_varint(&mut record, 4);
        record.put_u32(first_key + count);
        put_varint(&mut record, u32::try_from(RECORD_BYTES).unwrap());
        record.put_bytes(7, RECORD_BYTES);
        record.put_u8(0);
        put_varint(&mut records, u32::try_from(record.len()).unwrap());
        records.put_slice(&record);
        count += 1;
    }
    let mut covered = BytesMut::new();
    covered.put_i16(0);
    covered.put_i32(OFFSETS_PER_BATCH - 1);
    covered.put_bytes(0, 16);
    covered.put_bytes(0xff, 14);
    covered.put_u32(count);
    covered.put_slice(&records);
    let mut batch = BytesMut::new();
    batch.put_i64(0);
    batch.put_i32(i32::try_from(9 + covered.len()).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(crc32c::crc32c(&covered));
    batch.put_slice(&covered);
    (batch.freeze(), count)
}

/// Writes a non-negative varint.
fn put_varint(out: &mut BytesMut, value: u32) {
    let mut zigzag = value << 1;
    while zigzag >= 0x80 {
        out.put_u8((zigzag & 0x7f) as u8 | 0x80);
        zigzag >>= 7;
    }
    out.put_u8(zigzag as u8);
}

/// Writes files of one partition with one run each. Every second file has the keys of the one before it.
async fn write_files(objects: &Objects) -> proto::MergeJob {
    let mut job = proto::MergeJob {
        job_id: Bytes::from_static(&[9; 16]),
        level: 2,
        topic_ids: vec![Bytes::from_static(&[7; 16])],
        compact: true,
        topic_delete_retention_ms: vec![1000],
        topic_max_message_bytes: vec![1 << 20],
        now_ms: 1000,
        ..Default::default()
    };
    let batches = u32::try_from(FILE_BYTES / BATCH_BYTES).unwrap();
    let file_offsets = u64::from(batches) * u64::from(OFFSETS_PER_BATCH.unsigned_abs());
    for file in 0..FILES {
        let chunks: Vec<Bytes> = (0..batches)
            .map(|at| batch((file / 2 * batches + at) * 10_000).0)
            .collect();
        let bytes: u64 = chunks.iter().map(|chunk| chunk.len() as u64).sum();
        let file_id = Uuid::now_v7();
        let deadline = Instant::now() + Duration::from_secs(60);
        objects.put(file_id, chunks, deadline).await.unwrap();
        job.source_file_ids.push(Bytes::copy_from_slice(file_id.as_bytes()));
        job.source_file_bytes.push(bytes);
        job.run_source.push(file);
        job.run_position.push(0);
        job.run_bytes.push(bytes);
        job.target_topic.push(0);
        job.target_partition.push(0);
        job.target_base_offset.push(u64::from(file) * file_offsets);
        job.target_end_offset.push(u64::from(file + 1) * file_offsets);
        job.target_runs.push(1);
        job.target_first_dirty_offset.push(0);
    }
    job
}

fn context(metadata: &Arc<ScriptedMetadata>, objects: &Arc<Objects>) -> Arc<Context> {
    let (cache, _) = ClusterCache::new();
    let blocks = BlockCache::new(Arc::clone(objects), 1 << 20);
    let metrics = Arc::new(Metrics::default());
    let write_path = WritePath::new(
        Arc::clone(metadata) as _,
        Arc::clone(&cache),
        (Arc::clone(objects), Arc::clone(&blocks)),
        Arc::clone(&metrics),
        "agent".to_owned(),
        WriteSettings::default(),
    );
    Arc::new(Context {
        authorizer: Authorizer::new(Arc::clone(&cache), Arc::clone(&metrics)),
        throttle: Throttle::new(&cache, &metrics),
        metadata: Arc::clone(metadata) as _,
        cache,
        node: Node {
            node_id: 1,
            cluster_id: "cluster".to_owned(),
            agent_id: "agent".to_owned(),
            zone: String::new(),
            listeners: Vec::new(),
        },
        record_checks: RecordChecks::new(64 << 20),
        write_path,
        read_path: ReadPath::new(Arc::clone(objects), blocks, 1 << 20),
        metrics,
        traces: penstock_traces::Traces::off(),
        client_metrics: Default::default(),
        rotation: AtomicUsize::new(0),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_compaction_job_stays_within_its_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::open(&format!("file://{}?fsync=false", folder.path().display())).unwrap();
    let objects = Arc::new(Objects::new(&bucket, "cluster"));
    let metadata = Arc::new(ScriptedMetadata::default());
    let job = write_files(&objects).await;
    let answer = proto::TakeJobResponse {
        job: Some(job),
        ..Default::default()
    };
    metadata.answer("TakeJob", &answer);
    let applied = proto::CompleteJobResponse {
        applied: true,
        ..Default::default()
    };
    metadata.answer("CompleteJob", &applied);
    let context = context(&metadata, &objects);
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    take_one_job(context, objects, MEMORY_BYTES).await;
    let peak = u64::try_from(PEAK.load(Ordering::Relaxed) - before).unwrap();
    let completions: Vec<proto::CompleteJobRequest> = metadata.requests("CompleteJob");
    let [completion] = &completions[..] else {
        panic!("{completions:?}")
    };
    // Of each key in two files, only the later record is left. Half of the memory is the map.
    let (source, left) = (
        completion.target_source_bytes.iter().sum::<u64>(),
        completion.target_bytes.iter().sum::<u64>(),
    );
    assert!(
        (source * 9 / 20..=source * 11 / 20).contains(&left),
        "{left} of {source} bytes"
    );
    println!("{:.1} MiB at most", peak as f64 / f64::from(1 << 20));
    assert!((MEMORY_BYTES / 2..=MEMORY_BYTES).contains(&peak), "{peak} bytes");
}
