//! Runs of hundreds of MiB, as in merged files.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_metadata_client::cache::Run;
use penstock_store::{
    BlockCache, Bucket, FileIndex, IndexedRun, MIN_BLOCK_BYTES, Objects, Place, STRETCH_BYTES, encode_index,
    encode_places,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Limit, ReadPath, read_batches};

const MIB: u64 = 1 << 20;
const BATCH_BYTES: u64 = 100_000;
const RECORDS_PER_BATCH: u64 = 10;
/// Bytes between the start of the file and the run.
const EARLIER_BYTES: u64 = 3 * MIB + 17;

/// A batch with only the parts that are read here: its head, and a number at its end.
fn batch(number: u64) -> Bytes {
    let mut batch = BytesMut::with_capacity(BATCH_BYTES as usize);
    batch.put_i64(0);
    batch.put_i32(i32::try_from(BATCH_BYTES - 12).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(0);
    batch.put_i16(0);
    batch.put_i32(i32::try_from(RECORDS_PER_BATCH - 1).unwrap());
    batch.put_i64(i64::try_from(number).unwrap());
    batch.put_i64(i64::try_from(number).unwrap());
    batch.put_bytes(0xff, 14);
    batch.put_i32(i32::try_from(RECORDS_PER_BATCH).unwrap());
    batch.resize(BATCH_BYTES as usize, number.to_le_bytes()[0]);
    batch.freeze()
}

struct MergedFile {
    objects: Arc<Objects>,
    run: Run,
    batches: u64,
}

/// A file whose second run has this size and begins at offset 1,000; with a place per MiB, or without places.
async fn merged_file(run_bytes: u64, with_places: bool) -> MergedFile {
    let objects = Arc::new(Objects::new(&Bucket::open("mem://").unwrap(), "c"));
    let batches = run_bytes / BATCH_BYTES;
    let mut chunks = vec![Bytes::from(vec![0; EARLIER_BYTES as usize])];
    chunks.extend((0..batches).map(batch));
    let places: Vec<Place> = (0..batches)
        .filter(|number| with_places && number % 11 == 10)
        .map(|number| Place {
            position: EARLIER_BYTES + number * BATCH_BYTES,
            offset: i64::try_from(1000 + number * RECORDS_PER_BATCH).unwrap(),
            max_timestamp_before_ms: i64::try_from(number - 1).unwrap(),
        })
        .collect();
    chunks.push(encode_places(&places));
    let file_id = Uuid::now_v7();
    let indexed = |partition, bytes: u64| IndexedRun {
        topic: 0,
        partition,
        bytes: u32::try_from(bytes).unwrap(),
        batches: 1,
    };
    chunks.push(encode_index(&FileIndex {
        file_id,
        topics: vec![(Uuid::from_u128(1), "t".to_owned())],
        runs: vec![indexed(0, EARLIER_BYTES), indexed(1, batches * BATCH_BYTES)],
    }));
    let file_bytes = chunks.iter().map(|chunk| chunk.len() as u64).sum();
    let deadline = Instant::now() + Duration::from_secs(60);
    objects.put(file_id, chunks, deadline).await.unwrap();
    let run = Run {
        file_id,
        position: EARLIER_BYTES,
        bytes: u32::try_from(batches * BATCH_BYTES).unwrap(),
        base_offset: 1000,
        records: u32::try_from(batches * RECORDS_PER_BATCH).unwrap(),
        file_bytes,
        marker: None,
    };
    MergedFile { objects, run, batches }
}

impl MergedFile {
    /// A read path with an empty cache for a small part of the file.
    fn read_path(&self) -> ReadPath {
        let blocks = BlockCache::new(Arc::clone(&self.objects), 32 << 20);
        ReadPath::new(Arc::clone(&self.objects), blocks, 64 << 20)
    }

    fn gets(&self) -> u64 {
        self.objects.counters.gets.load(Ordering::Relaxed)
    }

    fn get_bytes(&self) -> u64 {
        self.objects.counters.get_bytes.load(Ordering::Relaxed)
    }

    fn offset_of(&self, batch: u64) -> i64 {
        self.run.base_offset + i64::try_from(batch * RECORDS_PER_BATCH).unwrap()
    }
}

fn limit(bytes: usize) -> Limit {
    Limit {
        bytes,
        first_batch_bytes: usize::MAX,
        end_offset: i64::MAX,
    }
}

/// The numbers of the served batches, stored in their last bytes.
fn numbers(chunks: &[Bytes]) -> Vec<u8> {
    chunks.chunks(2).map(|batch| *batch[1].last().unwrap()).collect()
}

#[tokio::test]
async fn a_scan_of_a_long_run_costs_one_get_per_stretch() {
    let file = merged_file(200 * MIB, true).await;
    let read_path = file.read_path();
    let (mut offset, mut batches) = (file.run.base_offset, 0u64);
    while offset < file.run.end_offset() {
        let served = read_batches(&read_path, &[file.run], offset, limit(1 << 20))
            .await
            .unwrap();
        for number in numbers(&served.chunks) {
            assert_eq!(number, batches.to_le_bytes()[0]);
            batches += 1;
        }
        offset = served.next_offset;
        assert_eq!(offset, file.offset_of(batches));
        // Read-ahead completes before the data is needed; here, the reader is faster than any network.
        tokio::task::yield_now().await;
    }
    assert_eq!(batches, file.batches);
    let ideal = (u64::from(file.run.bytes)).div_ceil(STRETCH_BYTES);
    assert!(file.gets() <= ideal + 2, "{} GETs where {ideal} are ideal", file.gets());
    assert!(file.get_bytes() <= u64::from(file.run.bytes) + 3 * MIN_BLOCK_BYTES);
}

#[tokio::test]
async fn a_fetch_in_the_middle_of_a_long_run_reads_a_few_mib() {
    let file = merged_file(200 * MIB, true).await;
    for batch in [1, 999, 1000, 1001, file.batches - 1] {
        let read_path = file.read_path();
        let before = file.get_bytes();
        let offset = file.offset_of(batch) + 3;
        let served = read_batches(&read_path, &[file.run], offset, limit(50_000))
            .await
            .unwrap();
        assert_eq!(numbers(&served.chunks), [batch.to_le_bytes()[0]]);
        assert_eq!(served.next_offset, file.offset_of(batch + 1));
        let read_bytes = file.get_bytes() - before;
        assert!(
            read_bytes <= 2 * MIN_BLOCK_BYTES + MIB,
            "batch {batch}: {read_bytes} bytes read"
        );
    }
}

#[tokio::test]
async fn a_run_that_lost_its_front_reads_as_before() {
    let mut file = merged_file(20 * MIB, true).await;
    let cut = 57;
    file.run.position += cut * BATCH_BYTES;
    file.run.bytes -= u32::try_from(cut * BATCH_BYTES).unwrap();
    file.run.records -= u32::try_from(cut * RECORDS_PER_BATCH).unwrap();
    let first_offset = file.offset_of(cut);
    file.run.base_offset = first_offset;
    for batch in [0, 1, 60, 61] {
        let offset = file.offset_of(batch);
        let served = read_batches(&file.read_path(), &[file.run], offset, limit(1))
            .await
            .unwrap();
        assert_eq!(numbers(&served.chunks), [(cut + batch).to_le_bytes()[0]]);
    }
}

#[tokio::test]
async fn searches_a_long_run_without_places_from_its_beginning() {
    let file = merged_file(20 * MIB, false).await;
    let served = read_batches(&file.read_path(), &[file.run], file.offset_of(150), limit(1)).await;
    assert_eq!(numbers(&served.unwrap().chunks), [150]);
}

#[tokio::test]
async fn finds_a_time_in_a_long_run_without_reading_what_precedes_it() {
    let file = merged_file(200 * MIB, true).await;
    let read_path = file.read_path();
    let mut cursor = read_path.cursor_at_timestamp(&file.run, 1500).await.unwrap();
    let mut found = None;
    while let Some((base_offset, batch)) = cursor.next().await.unwrap() {
        if batch.header.max_timestamp_ms >= 1500 {
            found = Some(base_offset);
            break;
        }
    }
    assert_eq!(found, Some(file.offset_of(1500)));
    assert!(file.get_bytes() <= 2 * MIN_BLOCK_BYTES + MIB);
}
