//! Runs whole jobs against in-memory object storage and a scripted service. Compares them with a simple model of
//! compaction, and tests what aborts a job.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_store::{Parts, decode_index};
use penstock_wire::record_batch::{Batches, EndMarker, HEADER_BYTES, Records, decompressed_records};
use proptest::prelude::*;
use uuid::Uuid;

use super::super::tests::Stage;
use super::*;

const BASE_OFFSET: i64 = 100;
const NOW_MS: i64 = 1_700_000_000_000;
const DELETE_RETENTION_MS: i64 = 5_000;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    offset: i64,
    key: Option<u32>,
    /// `None` for a tombstone.
    value: Option<Vec<u8>>,
    horizon_ms: Option<i64>,
}

type KeyAndValue = (Option<u32>, Option<Vec<u8>>);

fn put_varint(out: &mut Vec<u8>, value: i64) {
    let mut zigzag = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while zigzag >= 0x80 {
        out.push((zigzag & 0x7f) as u8 | 0x80);
        zigzag >>= 7;
    }
    out.push(zigzag as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    put_varint(out, bytes.map_or(-1, |bytes| i64::try_from(bytes.len()).unwrap()));
    out.extend_from_slice(bytes.unwrap_or_default());
}

/// An uncompressed batch with consecutive records.
fn batch(entries: &[Entry]) -> Vec<u8> {
    let mut section = Vec::new();
    for (at, entry) in (0..).zip(entries) {
        let mut body = vec![0];
        put_varint(&mut body, 0);
        put_varint(&mut body, at);
        put_bytes(&mut body, entry.key.map(u32::to_be_bytes).as_ref().map(|key| &key[..]));
        put_bytes(&mut body, entry.value.as_deref());
        put_varint(&mut body, 0);
        put_varint(&mut section, body.len().try_into().unwrap());
        section.extend_from_slice(&body);
    }
    let count = i32::try_from(entries.len()).unwrap();
    let mut covered = BytesMut::new();
    covered.put_i16(0);
    covered.put_i32(count - 1);
    covered.put_i64(NOW_MS);
    covered.put_i64(NOW_MS);
    covered.put_bytes(0xff, 14);
    covered.put_i32(count);
    covered.put_slice(&section);
    let mut batch = BytesMut::new();
    batch.put_i64(0);
    batch.put_i32(i32::try_from(9 + covered.len()).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(crc32c::crc32c(&covered));
    batch.put_slice(&covered);
    batch.to_vec()
}

/// A run of a partition: its place in a file and its offset range.
#[derive(Clone, Debug)]
struct Row {
    file: (Uuid, u64),
    position: u64,
    bytes: u64,
    base_offset: i64,
    end_offset: i64,
}

/// A partition of a compacted topic and the records that a consumer should read.
#[derive(Clone, Debug, Default)]
struct Log {
    rows: Vec<Row>,
    entries: Vec<Entry>,
    /// Everything before this offset was cleaned.
    cleaned_offset: i64,
}

impl Log {
    fn end_offset(&self) -> i64 {
        self.rows.last().map_or(BASE_OFFSET, |row| row.end_offset)
    }

    /// Appends a row in its own file, with `batch_records` records per batch.
    async fn append(&mut self, stage: &Stage, records: &[KeyAndValue], batch_records: usize) {
        let base_offset = self.end_offset();
        let entries = (base_offset..).zip(records).map(|(offset, (key, value))| Entry {
            offset,
            key: *key,
            value: value.clone(),
            horizon_ms: None,
        });
        let entries: Vec<Entry> = entries.collect();
        let content: Vec<u8> = entries.chunks(batch_records).flat_map(batch).collect();
        let bytes = content.len() as u64;
        let file = stage.write([vec![0; 17], content].concat()).await;
        self.rows.push(Row {
            file,
            position: 17,
            bytes,
            base_offset,
            end_offset: base_offset + i64::try_from(entries.len()).unwrap(),
        });
        self.entries.extend(entries);
    }

    /// Compacts all records in the model. Returns how many were removed.
    fn clean(&mut self, now_ms: i64) -> usize {
        let before = self.entries.len();
        let last = self.entries.last().map(|entry| entry.offset);
        let mut latest = BTreeMap::new();
        self.entries.iter().for_each(|entry| {
            latest.insert(entry.key, entry.offset);
        });
        self.entries.retain(|entry| {
            let is_gone = entry.value.is_none() && entry.horizon_ms.is_some_and(|horizon_ms| horizon_ms <= now_ms);
            let stays = entry.key.is_some() && latest[&entry.key] == entry.offset && !is_gone;
            stays || Some(entry.offset) == last
        });
        for entry in self.entries.iter_mut().filter(|entry| entry.value.is_none()) {
            entry.horizon_ms = entry.horizon_ms.or(Some(now_ms + DELETE_RETENTION_MS));
        }
        before - self.entries.len()
    }

    /// The earliest tombstone horizon between two offsets, as a completion reports it.
    fn delete_horizon_ms(&self, base_offset: i64, end_offset: i64) -> u64 {
        let last = self.entries.last().map(|entry| entry.offset);
        let tombstones = self.entries.iter().filter(|entry| {
            let is_within = (base_offset..end_offset).contains(&entry.offset);
            is_within && entry.value.is_none() && Some(entry.offset) != last
        });
        let first_ms = tombstones.filter_map(|entry| entry.horizon_ms).min();
        first_ms.map_or(0, i64::cast_unsigned)
    }

    /// Reads the records that a consumer sees in the files.
    async fn read(&self, stage: &Stage) -> Vec<Entry> {
        let mut entries = Vec::new();
        for row in &self.rows {
            let run = stage
                .objects
                .get(row.file.0, row.position, row.position + row.bytes)
                .await
                .unwrap();
            let mut next_offset = row.base_offset;
            for batch in Batches::new(run.concat().into()) {
                let batch = batch.unwrap();
                batch.check_crc().unwrap();
                let header = &batch.header;
                for record in Records::new(decompressed_records(&batch, 1 << 30).unwrap()) {
                    let record = record.unwrap();
                    assert_eq!(header.base_timestamp_ms + record.timestamp_delta_ms, NOW_MS);
                    entries.push(Entry {
                        offset: next_offset + i64::from(record.offset_delta),
                        key: record.key.map(|key| u32::from_be_bytes(key[..].try_into().unwrap())),
                        horizon_ms: header.delete_horizon_ms().filter(|_| record.value.is_none()),
                        value: record.value.map(|value| value.to_vec()),
                    });
                }
                next_offset += i64::from(header.last_offset_delta) + 1;
            }
            assert_eq!(next_offset, row.end_offset);
        }
        entries
    }
}

/// A job over whole partitions, with `target_rows` rows per target.
fn job_of(logs: &[Log], target_rows: usize, now_ms: i64) -> proto::MergeJob {
    let mut job = proto::MergeJob {
        job_id: Bytes::from_static(&[9; 16]),
        level: 2,
        topic_ids: vec![Bytes::from_static(&[7; 16])],
        compact: true,
        topic_delete_retention_ms: vec![DELETE_RETENTION_MS.cast_unsigned()],
        topic_max_message_bytes: vec![1 << 20],
        now_ms: now_ms.cast_unsigned(),
        ..Default::default()
    };
    for (partition, log) in (0..).zip(logs) {
        for target in log.rows.chunks(target_rows) {
            job.target_topic.push(0);
            job.target_partition.push(partition);
            job.target_base_offset.push(target[0].base_offset.cast_unsigned());
            job.target_end_offset
                .push(target[target.len() - 1].end_offset.cast_unsigned());
            job.target_runs.push(u32::try_from(target.len()).unwrap());
            job.target_first_dirty_offset.push(log.cleaned_offset.cast_unsigned());
            for row in target {
                let id = Bytes::copy_from_slice(row.file.0.as_bytes());
                let source = job
                    .source_file_ids
                    .iter()
                    .position(|source| *source == id)
                    .unwrap_or_else(|| {
                        job.source_file_ids.push(id);
                        job.source_file_bytes.push(row.file.1);
                        job.source_file_ids.len() - 1
                    });
                job.run_source.push(u32::try_from(source).unwrap());
                job.run_position.push(row.position);
                job.run_bytes.push(row.bytes);
            }
        }
    }
    job
}

/// Applies a completion as the service does.
fn swap(logs: &mut [Log], request: &proto::CompleteJobRequest) {
    assert!(request.compact && request.level == 2);
    let file = (Uuid::from_slice(&request.file_id).unwrap(), request.file_bytes);
    for at in 0..request.target_topic.len() {
        let log = &mut logs[request.target_partition[at] as usize];
        let base_offset = request.target_base_offset[at].cast_signed();
        let end_offset = request.target_end_offset[at].cast_signed();
        let first = log.rows.iter().position(|row| row.base_offset == base_offset).unwrap();
        let end = log.rows.iter().position(|row| row.end_offset == end_offset).unwrap() + 1;
        let sources: Vec<Row> = log.rows.drain(first..end).collect();
        assert_eq!(
            sources.iter().map(|row| row.bytes).sum::<u64>(),
            request.target_source_bytes[at]
        );
        for source in &sources {
            let id = Bytes::copy_from_slice(source.file.0.as_bytes());
            assert!(request.source_file_ids.contains(&id));
        }
        log.rows.insert(
            first,
            Row {
                file,
                position: request.target_position[at],
                bytes: request.target_bytes[at],
                base_offset,
                end_offset,
            },
        );
        log.cleaned_offset = log.cleaned_offset.max(end_offset);
    }
}

async fn run_job(stage: &mut Stage, logs: &mut [Log], job: &proto::MergeJob) -> Vec<proto::CompleteJobRequest> {
    let before = stage.completions().len();
    stage.hand_out(job);
    (0..job.target_topic.len()).for_each(|_| stage.applied(true));
    stage.merging.turn().await;
    let requests = stage.completions().split_off(before);
    assert!(requests.iter().all(|request| request.plan == job.plan));
    requests.iter().for_each(|request| swap(logs, request));
    requests
}

fn job_context(stage: &Stage) -> JobContext<'_> {
    JobContext {
        context: &stage.merging.context,
        objects: &stage.objects,
        counters: &stage.counters,
    }
}

fn writer(stage: &Stage) -> FileWriter {
    let parts = Parts {
        bytes: 5 << 20,
        most: 2,
    };
    FileWriter::new(Arc::clone(&stage.objects), Uuid::now_v7(), parts)
}

/// The records of a row (few keys, some records without one, some tombstones), and the number of records per batch.
fn any_row() -> impl Strategy<Value = (Vec<KeyAndValue>, usize)> {
    let key = prop::option::weighted(0.95, 0u32..12);
    let value = prop::option::weighted(0.8, prop::collection::vec(any::<u8>(), 0..40));
    (prop::collection::vec((key, value), 1..30), 1usize..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn readers_get_what_the_model_keeps_after_each_job(
        rounds in prop::collection::vec(
            (prop::collection::vec((0usize..3, any_row()), 0..6), 1usize..4, 0i64..4, 1u64..3_000),
            1..5,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut stage, mut logs, mut now_ms) = (Stage::in_memory(), vec![Log::default(); 3], NOW_MS);
            for (rows, target_rows, later, file_bytes) in rounds {
                now_ms += later * 2_000;
                for (partition, (records, batch_records)) in rows {
                    logs[partition].append(&stage, &records, batch_records).await;
                }
                if logs.iter().all(|log| log.rows.is_empty()) {
                    continue;
                }
                stage.merging.compacted_file_bytes = file_bytes;
                let job = job_of(&logs, target_rows, now_ms);
                let dropped_before = stage.counters.dropped_records.load(Ordering::Relaxed);
                let ends: Vec<i64> = logs.iter().map(Log::end_offset).collect();
                let requests = run_job(&mut stage, &mut logs, &job).await;
                let more: Vec<bool> = requests.iter().map(|request| request.has_more).collect();
                assert!(more.split_last().is_some_and(|(last, others)| !last && others.iter().all(|more| *more)));
                let mut dropped = 0;
                for (log, end) in logs.iter_mut().zip(ends) {
                    assert_eq!(log.end_offset(), end);
                    dropped += log.clean(now_ms);
                    assert_eq!(log.read(&stage).await, log.entries);
                    assert!(log.rows.is_empty() || log.cleaned_offset == end);
                }
                assert_eq!(stage.counters.dropped_records.load(Ordering::Relaxed) - dropped_before, dropped as u64);
                for request in &requests {
                    let horizons_ms = (0..request.target_topic.len()).map(|at| {
                        let log = &logs[request.target_partition[at] as usize];
                        let base_offset = request.target_base_offset[at].cast_signed();
                        log.delete_horizon_ms(base_offset, request.target_end_offset[at].cast_signed())
                    });
                    assert_eq!(request.target_delete_horizon_ms, horizons_ms.collect::<Vec<_>>());
                }
                assert_eq!(stage.counters.failed.load(Ordering::Relaxed), 0);
            }
        });
    }
}

/// An incompressible value of `bytes` bytes.
fn value(bytes: usize) -> Option<Vec<u8>> {
    Some((0..bytes).map(|at| (at * at % 251) as u8).collect())
}

#[tokio::test]
async fn a_job_stops_at_the_first_rejected_file() {
    let mut stage = Stage::in_memory();
    let mut logs = vec![Log::default()];
    for key in 0..4 {
        logs[0]
            .append(&stage, &[(Some(key), value(100)), (Some(key), value(100))], 2)
            .await;
    }
    stage.merging.compacted_file_bytes = 1;
    stage.hand_out(&job_of(&logs, 1, NOW_MS));
    stage.applied(true);
    stage.applied(false);
    let before = stage.files().await.len();
    stage.merging.turn().await;
    let requests = stage.completions();
    assert_eq!(
        requests.iter().map(|request| request.has_more).collect::<Vec<_>>(),
        [true, true]
    );
    // The rejected file is deleted.
    assert_eq!(stage.files().await.len(), before + 1);
    assert_eq!(stage.outcomes(), [0, 1, 0]);
    swap(&mut logs, &requests[0]);
    assert_eq!(logs[0].read(&stage).await.len(), 7);
}

#[tokio::test]
async fn a_file_holds_one_indexed_run_per_target() {
    let mut stage = Stage::in_memory();
    let mut logs = vec![Log::default(); 2];
    for log in &mut logs {
        log.append(&stage, &[(Some(1), value(10)), (Some(1), value(10))], 1)
            .await;
        log.append(&stage, &[(Some(1), None)], 1).await;
    }
    let job = job_of(&logs, 1, NOW_MS);
    let requests = run_job(&mut stage, &mut logs, &job).await;
    let [request] = &requests[..] else {
        panic!("{requests:?}")
    };
    let file_id = Uuid::from_slice(&request.file_id).unwrap();
    let file = stage
        .objects
        .get(file_id, 0, request.file_bytes)
        .await
        .unwrap()
        .concat();
    let index = decode_index(&file).unwrap();
    assert_eq!(
        index.runs.iter().map(|run| run.partition).collect::<Vec<_>>(),
        [0, 0, 1, 1]
    );
    assert_eq!(
        index.runs.iter().map(|run| u64::from(run.bytes)).collect::<Vec<_>>(),
        request.target_bytes
    );
    // The first target has no records left, only offsets.
    assert_eq!(
        (request.target_bytes[0], request.target_max_timestamp_ms[0]),
        (HEADER_BYTES as u64, -1)
    );
    assert_eq!(request.target_max_timestamp_ms[1], NOW_MS);
    assert_eq!(stage.outcomes(), [1, 0, 0]);
    assert_eq!(stage.counters.map_keys.load(Ordering::Relaxed), 1);
    assert!(stage.counters.dropped_bytes.load(Ordering::Relaxed) > 0);
}

/// Memory for about `keys` keys.
fn map_of(keys: u64) -> u64 {
    keys * key_map::SLOT_BYTES * 10 / 9
}

#[tokio::test]
async fn cleans_to_the_end_of_the_last_run_whose_keys_fit() {
    let stage = Stage::in_memory();
    let mut log = Log::default();
    for first in [0, 10, 20] {
        let records: Vec<_> = (first..first + 10)
            .flat_map(|key| [(Some(key), value(10)), (Some(key), value(10))])
            .collect();
        log.append(&stage, &records, 3).await;
    }
    let job = job_of(std::slice::from_ref(&log), 3, NOW_MS);
    let job_context = job_context(&stage);
    let mut compaction = Compaction::new(&job, 64 << 20, 1 << 30).unwrap();
    compaction.shares.map_bytes = map_of(25);
    assert!(compaction.prepare(job_context).await.unwrap());
    let mut writer = writer(&stage);
    let file = compaction.next_file(job_context, &mut writer).await.unwrap();
    assert!(!compaction.has_more());
    let mut request = completion(&job, &compaction, &file);
    request.file_id = Bytes::copy_from_slice(writer.file_id().as_bytes());
    assert_eq!(request.target_end_offset, [BASE_OFFSET.cast_unsigned() + 40]);
    assert_eq!(stage.counters.maps_full.load(Ordering::Relaxed), 1);
    let mut logs = [log];
    swap(&mut logs, &request);
    assert_eq!(logs[0].read(&stage).await.len(), 10 + 10 + 20);
}

#[tokio::test]
async fn a_run_with_too_many_keys_delays_no_other_partition() {
    let stage = Stage::in_memory();
    let mut logs = vec![Log::default(); 2];
    let many: Vec<_> = (0..100).map(|key| (Some(key), value(10))).collect();
    logs[0].append(&stage, &many, 10).await;
    logs[1]
        .append(&stage, &[(Some(1), value(10)), (Some(1), value(10))], 1)
        .await;
    let job_context = job_context(&stage);
    let mut compaction = Compaction::new(&job_of(&logs, 1, NOW_MS), 64 << 20, 1 << 30).unwrap();
    compaction.shares.map_bytes = map_of(20);
    assert!(compaction.prepare(job_context).await.unwrap());
    let file = compaction.next_file(job_context, &mut writer(&stage)).await.unwrap();
    assert_eq!(file.targets.iter().map(|target| target.target).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn copies_an_oversized_batch_and_keeps_tombstones_after_it() {
    let mut stage = Stage::in_memory();
    let mut logs = vec![Log::default()];
    let log = &mut logs[0];
    log.append(&stage, &[(Some(1), value(5)), (Some(1), value(5))], 1).await;
    log.append(&stage, &[(Some(2), value(9 << 20)), (Some(1), value(5))], 2)
        .await;
    log.append(&stage, &[(Some(2), None), (Some(3), None), (Some(4), value(5))], 1)
        .await;
    for now_ms in [
        NOW_MS,
        NOW_MS + 2 * DELETE_RETENTION_MS,
        NOW_MS + 4 * DELETE_RETENTION_MS,
    ] {
        let job = job_of(&logs, 2, now_ms);
        let requests = run_job(&mut stage, &mut logs, &job).await;
        // No horizon is reported, because another cleaning could not remove these tombstones.
        assert!(
            requests
                .iter()
                .flat_map(|request| &request.target_delete_horizon_ms)
                .all(|ms| *ms == 0)
        );
    }
    let left: Vec<_> = logs[0]
        .read(&stage)
        .await
        .iter()
        .map(|entry| entry.offset - BASE_OFFSET)
        .collect();
    // The large batch's records of key 1 are unknown, so the latest earlier one stays, too.
    assert_eq!(left, [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn clamps_a_delete_horizon_to_the_latest_storable_time() {
    let mut stage = Stage::in_memory();
    let mut logs = vec![Log::default()];
    logs[0].append(&stage, &[(Some(1), None), (Some(2), value(5))], 1).await;
    let mut job = job_of(&logs, 1, NOW_MS);
    job.topic_delete_retention_ms = vec![u64::MAX];
    let requests = run_job(&mut stage, &mut logs, &job).await;
    assert_eq!(requests[0].target_delete_horizon_ms, [(1 << 53) - 1]);
}

#[tokio::test]
async fn damaged_records_never_enter_a_compacted_file() {
    let mut stage = Stage::in_memory();
    let mut log = Log::default();
    log.append(&stage, &[(Some(1), value(50)), (Some(1), value(50))], 1)
        .await;
    log.append(&stage, &[(Some(2), value(50)), (Some(1), value(50))], 1)
        .await;
    let spoils: [fn(&mut Vec<u8>); 3] = [
        |file| file[100] ^= 1,
        |file| file[28] ^= 1,
        |file| {
            file.truncate(file.len() - 1);
        },
    ];
    for spoil in spoils {
        let row = &log.rows[1];
        let mut content = stage.objects.get(row.file.0, 0, row.file.1).await.unwrap().concat();
        spoil(&mut content);
        let mut damaged = log.clone();
        damaged.rows[1].bytes = content.len() as u64 - 17;
        damaged.rows[1].file = stage.write(content).await;
        let before = stage.files().await;
        stage.hand_out(&job_of(&[damaged], 2, NOW_MS));
        stage.merging.turn().await;
        assert_eq!(stage.completions(), []);
        assert_eq!(stage.files().await, before);
    }
    assert_eq!(stage.outcomes(), [0, 0, 3]);
}

#[tokio::test]
async fn a_stopping_agent_leaves_nothing_of_a_compaction_job() {
    let mut stage = Stage::in_memory();
    let mut log = Log::default();
    log.append(&stage, &[(Some(1), value(50))], 1).await;
    stage.hand_out(&job_of(&[log], 2, NOW_MS));
    stage.stop.send_replace(true);
    stage.merging.turn().await;
    assert_eq!(stage.files().await.len(), 1 + stage.completions().len());
}

#[test]
fn refuses_a_job_that_lacks_compaction_fields() {
    let log = Log {
        rows: vec![Row {
            file: (Uuid::from_u128(1), 100),
            position: 0,
            bytes: 100,
            base_offset: 0,
            end_offset: 5,
        }],
        ..Default::default()
    };
    let good = job_of(&[log], 1, NOW_MS);
    assert!(Compaction::new(&good, 64 << 20, 1).is_ok());
    let spoil: [fn(&mut proto::MergeJob); 4] = [
        |job| job.topic_delete_retention_ms.clear(),
        |job| job.topic_max_message_bytes.clear(),
        |job| job.target_first_dirty_offset.push(1),
        |job| job.source_file_ids.clear(),
    ];
    for spoil in spoil {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert!(Compaction::new(&bad, 64 << 20, 1).is_err());
    }
}

/// The batch as part of a transaction.
fn in_transaction(producer_id: i64, batch: Vec<u8>) -> Vec<u8> {
    let mut batch = batch;
    batch[21..23].copy_from_slice(&0x10i16.to_be_bytes());
    batch[43..51].copy_from_slice(&producer_id.to_be_bytes());
    batch[51..53].copy_from_slice(&0i16.to_be_bytes());
    let crc = crc32c::crc32c(&batch[21..]).to_be_bytes();
    batch[17..21].copy_from_slice(&crc);
    batch
}

fn end_of(producer_id: i64, is_commit: bool) -> EndMarker {
    EndMarker {
        producer_id,
        producer_epoch: 0,
        is_commit,
        timestamp_ms: NOW_MS,
    }
}

/// For each non-empty batch: the offset of its last record, whether it ends a transaction, and its delete horizon.
async fn batches_in(stage: &Stage, row: &Row) -> Vec<(i64, bool, Option<i64>)> {
    let run = stage
        .objects
        .get(row.file.0, row.position, row.position + row.bytes)
        .await;
    let (mut next_offset, mut batches) = (row.base_offset, Vec::new());
    for batch in Batches::new(run.unwrap().concat().into()) {
        let batch = batch.unwrap();
        batch.check_crc().unwrap();
        let header = &batch.header;
        next_offset += i64::from(header.last_offset_delta) + 1;
        assert!(header.is_control() || !header.is_transactional());
        if header.records_count > 0 {
            batches.push((next_offset - 1, header.is_control(), header.delete_horizon_ms()));
        }
    }
    assert_eq!(next_offset, row.end_offset);
    batches
}

#[tokio::test]
async fn removes_aborted_records_and_later_their_end_markers() {
    let mut stage = Stage::in_memory();
    let record = |key| {
        batch(&[Entry {
            offset: 0,
            key: Some(key),
            value: value(10),
            horizon_ms: None,
        }])
    };
    let first = in_transaction(7, record(1));
    let second = [
        in_transaction(7, record(1)),            // 102, aborted
        end_of(7, false).batch().bytes.to_vec(), // 103
        record(2),                               // 104
        in_transaction(8, record(2)),            // 105
    ]
    .concat();
    let mut log = Log::default();
    for (content, base_offset, end_offset) in [(first, 100, 101), (second, 102, 106)] {
        let bytes = content.len() as u64;
        let (file, position) = (stage.write(content).await, 0);
        log.rows.push(Row {
            file,
            position,
            bytes,
            base_offset,
            end_offset,
        });
    }
    log.cleaned_offset = 100;
    let mut job = job_of(std::slice::from_ref(&log), 2, NOW_MS);
    // No file holds the end markers at 101 and 106 yet.
    for at in [1, 3] {
        job.run_source.insert(at, u32::MAX);
        job.run_position.insert(at, 0);
        job.run_bytes.insert(at, 78);
    }
    let marker = proto::JobMarker {
        producer_id: 7,
        producer_epoch: 0,
        committed: true,
        timestamp_ms: NOW_MS,
    };
    job.markers = vec![
        marker,
        proto::JobMarker {
            producer_id: 8,
            ..marker
        },
    ];
    (job.target_runs, job.target_end_offset) = (vec![4], vec![107]);
    let transaction = Some(proto::AbortedTransaction {
        producer_id: 7,
        first_offset: 102,
        last_offset: 103,
    });
    job.aborted = vec![proto::AbortedInTarget { target: 0, transaction }];
    let mut now_ms = NOW_MS;
    let horizon_ms = NOW_MS + 1_000 + DELETE_RETENTION_MS;
    let records = [(100, false, None), (105, false, None)];
    let last = (106, true, None);
    // First batches precede the end markers, then a cleaning finds none, then the horizon passes.
    let rounds = [
        vec![records[0], (101, true, None), (103, true, None), records[1], last],
        vec![
            records[0],
            (101, true, Some(horizon_ms)),
            (103, true, Some(horizon_ms)),
            records[1],
            last,
        ],
        vec![(105, false, None), last],
    ];
    for (round, expected) in rounds.iter().enumerate() {
        stage.hand_out(&job);
        stage.applied(true);
        stage.merging.turn().await;
        let request = stage.completions().pop().unwrap();
        assert_eq!(
            (stage.completions().len(), request.aborted_removed),
            (round + 1, round == 0)
        );
        let horizons_ms = expected.iter().filter_map(|(_, _, horizon_ms)| *horizon_ms);
        assert_eq!(
            request.target_delete_horizon_ms,
            [horizons_ms.min().unwrap_or(0).cast_unsigned()]
        );
        let source_bytes: u64 = job.run_bytes.iter().sum();
        assert_eq!(request.target_source_bytes, [source_bytes]);
        log.rows = vec![Row {
            file: (Uuid::from_slice(&request.file_id).unwrap(), request.file_bytes),
            position: request.target_position[0],
            bytes: request.target_bytes[0],
            base_offset: 100,
            end_offset: 107,
        }];
        assert_eq!(batches_in(&stage, &log.rows[0]).await, *expected, "round {round}");
        log.cleaned_offset = 107;
        now_ms += if round == 0 { 1_000 } else { DELETE_RETENTION_MS };
        job = job_of(std::slice::from_ref(&log), 1, now_ms);
    }
    // Adjacent records with nothing between them form one batch that includes the first.
    let row = &log.rows[0];
    let entries: Vec<i64> = {
        let run = stage
            .objects
            .get(row.file.0, row.position, row.position + row.bytes)
            .await;
        let first = Batches::new(run.unwrap().concat().into()).next().unwrap().unwrap();
        let records = Records::new(decompressed_records(&first, 1 << 20).unwrap());
        records
            .map(|record| 100 + i64::from(record.unwrap().offset_delta))
            .collect()
    };
    assert_eq!(entries, [100, 105]);
}
