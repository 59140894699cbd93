//! Fetches of compacted partitions, whose batches hold fewer records than offsets, or none; and fetches while the owner
//! is unreachable.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_access::testing::{rule, security};
use penstock_authz::{Operation, ResourceType};
use penstock_metadata_client::proto;
use penstock_wire::ErrorCode;
use penstock_wire::messages::fetch::{FetchPartition, FetchRequest, FetchTopic, PartitionData};
use penstock_wire::record_batch::{Batch, Batches, HEADER_BYTES};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::fetch::handle;
use crate::testing::{TestAgent, caller, topic};

/// A batch with only the fields that a fetch reads: offset span, record count, size.
fn batch(spans: i32, records: i32, bytes: usize) -> Bytes {
    let mut batch = BytesMut::new();
    batch.put_i64(0);
    batch.put_i32(i32::try_from(bytes - 12).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(0);
    batch.put_i16(0);
    batch.put_i32(spans - 1);
    batch.put_i64(-1);
    batch.put_i64(-1);
    batch.put_bytes(0xff, 14);
    batch.put_i32(records);
    batch.resize(bytes, 0);
    batch.freeze()
}

/// A batch without records.
pub(crate) fn hole(spans: i32) -> Bytes {
    batch(spans, 0, HEADER_BYTES)
}

struct Log {
    agent: TestAgent,
    runs: Vec<proto::RunLocation>,
}

impl Log {
    /// A partition from offset 0 whose runs are each in their own file.
    async fn of(runs: &[&[Bytes]]) -> Self {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let (mut locations, mut base_offset) = (Vec::new(), 0);
        for run in runs {
            let content: Bytes = run.concat().into();
            let deadline = Instant::now() + Duration::from_secs(20);
            let file_id = Uuid::now_v7();
            agent
                .objects
                .put(file_id, vec![content.clone()], deadline)
                .await
                .unwrap();
            let spans = |batch: Batch| i64::from(batch.header.last_offset_delta) + 1;
            let records: i64 = Batches::new(content.clone()).map(|batch| spans(batch.unwrap())).sum();
            locations.push(proto::RunLocation {
                file_id: Bytes::copy_from_slice(file_id.as_bytes()),
                position: 0,
                bytes: u32::try_from(content.len()).unwrap(),
                base_offset,
                records: u32::try_from(records).unwrap(),
                file_bytes: content.len() as u64,
                ..Default::default()
            });
            base_offset += records;
        }
        Self { agent, runs: locations }
    }

    fn end_offset(&self) -> i64 {
        self.runs
            .last()
            .map_or(0, |run| run.base_offset + i64::from(run.records))
    }

    /// Scripts the owner's response for the runs from the one that contains `offset`.
    fn locate(&self, offset: i64) {
        let holds = |run: &&proto::RunLocation| run.base_offset + i64::from(run.records) > offset;
        let located = proto::Located {
            high_watermark: self.end_offset(),
            runs: self.runs.iter().filter(holds).cloned().collect(),
            ..Default::default()
        };
        self.agent
            .metadata
            .answer("Locate", &proto::LocateResponse { located: vec![located] });
    }

    /// Base offsets and record counts of the batches that a consumer at `offset` gets. Also scripts the owner's
    /// responses for `located`.
    async fn fetch(&self, offset: i64, located: &[i64]) -> Vec<(i64, i32)> {
        self.locate(offset);
        located.iter().for_each(|offset| self.locate(*offset));
        let partition = self.fetch_partition(offset).await;
        assert!(partition.error_code.is_none(), "{:?}", partition.error_code);
        batches_of(partition)
    }

    /// The response to a consumer at `offset`.
    async fn fetch_partition(&self, offset: i64) -> PartitionData {
        self.wait_for_records(offset, Duration::ZERO).await
    }

    /// The response to a consumer at `offset` that waits for records.
    async fn wait_for_records(&self, offset: i64, max_wait: Duration) -> PartitionData {
        self.ask(offset, max_wait, 0).await
    }

    async fn ask(&self, offset: i64, max_wait: Duration, isolation_level: i8) -> PartitionData {
        let request = FetchRequest {
            isolation_level,
            max_wait_ms: i32::try_from(max_wait.as_millis()).unwrap(),
            min_bytes: 1,
            max_bytes: 10_000,
            topics: vec![FetchTopic {
                topic: "a".to_owned(),
                partitions: vec![FetchPartition {
                    partition: 0,
                    fetch_offset: offset,
                    partition_max_bytes: 10_000,
                    ..Default::default()
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let (mut response, _) = handle(Arc::clone(&self.agent.context), caller(11), request).await;
        response.responses.remove(0).partitions.remove(0)
    }
}

fn batches_of(partition: PartitionData) -> Vec<(i64, i32)> {
    let bytes: Bytes = partition.records.0.concat().into();
    Batches::new(bytes)
        .map(|batch| batch.unwrap().header)
        .map(|header| (header.base_offset, header.records_count))
        .collect()
}

fn watermarks_of(partition: &PartitionData) -> (i64, i64, i64) {
    let PartitionData {
        log_start_offset,
        last_stable_offset,
        high_watermark,
        ..
    } = partition;
    (*log_start_offset, *last_stable_offset, *high_watermark)
}

const UNKNOWN: (i64, i64, i64) = (-1, -1, -1);

#[tokio::test]
async fn a_consumer_in_a_gap_gets_the_batch_after_it() {
    let log = Log::of(&[&[batch(100, 3, 500), batch(500, 2, 400)]]).await;
    assert_eq!(log.fetch(0, &[]).await, [(0, 3), (100, 2)]);
    assert_eq!(log.fetch(100, &[]).await, [(100, 2)]);
    assert_eq!(log.fetch(599, &[]).await, [(100, 2)]);
}

#[tokio::test]
async fn skips_batches_without_records() {
    let log = Log::of(&[
        &[hole(50)],
        &[batch(10, 5, 500), hole(40)],
        &[hole(7), batch(3, 1, 100)],
    ])
    .await;
    assert_eq!(log.fetch(0, &[]).await, [(50, 5), (107, 1)]);
    assert_eq!(log.fetch(65, &[]).await, [(107, 1)]);
}

#[tokio::test]
async fn an_empty_run_before_a_long_one_does_not_end_the_response() {
    let log = Log::of(&[&[hole(50)], &[batch(10, 5, 5 << 20)]]).await;
    assert_eq!(log.fetch(3, &[50]).await, [(50, 5)]);
}

#[tokio::test]
async fn a_trailing_empty_batch_moves_the_consumer_to_the_end() {
    let log = Log::of(&[&[batch(10, 5, 500)], &[hole(40), hole(2)]]).await;
    assert_eq!(log.fetch(10, &[]).await, [(50, 0)]);
    assert_eq!(log.fetch(0, &[]).await, [(0, 5)]);
}

#[tokio::test]
async fn serves_records_without_the_owner_but_no_outdated_end() {
    let log = Log::of(&[&[batch(10, 10, 500)]]).await;
    log.locate(0);
    let located = log.fetch_partition(0).await;
    assert_eq!(watermarks_of(&located), (0, 10, 10));
    // From here on, the owner is unreachable.
    let known = log.fetch_partition(0).await;
    assert_eq!(known.error_code, ErrorCode::NONE);
    assert_eq!(watermarks_of(&known), UNKNOWN);
    assert_eq!(batches_of(known), [(0, 10)]);
}

#[tokio::test]
async fn without_the_owner_a_reader_at_the_known_end_gets_no_end() {
    let log = Log::of(&[&[batch(10, 10, 500)]]).await;
    assert_eq!(log.fetch(0, &[]).await, [(0, 10)]);
    let at_end = log.fetch_partition(10).await;
    assert_eq!(at_end.error_code, ErrorCode::NONE);
    assert_eq!(watermarks_of(&at_end), UNKNOWN);
    assert!(batches_of(at_end).is_empty());
}

#[tokio::test]
async fn without_the_owner_a_reader_ahead_of_the_cache_is_redirected() {
    let log = Log::of(&[&[batch(10, 10, 500)]]).await;
    assert_eq!(log.fetch(0, &[]).await, [(0, 10)]);
    let ahead = log.fetch_partition(11).await;
    assert_eq!(ahead.error_code, ErrorCode::NOT_LEADER_OR_FOLLOWER);
    assert_eq!(watermarks_of(&ahead), UNKNOWN);
}

#[tokio::test]
async fn refuses_a_waiting_consumer_as_soon_as_its_right_is_revoked() {
    let log = Log::of(&[&[batch(10, 10, 500)]]).await;
    let may_read = rule(ResourceType::Topic, "a", Operation::Read);
    log.agent.secure(security(proto::AclMode::Enforced, &[may_read]));
    log.locate(10);
    tokio::time::pause();
    let mut fetch = pin!(log.wait_for_records(10, Duration::from_secs(3_600)));
    assert!(timeout(Duration::from_secs(60), &mut fetch).await.is_err(), "it waits");
    log.agent.secure(security(proto::AclMode::Enforced, &[]));
    let refused = timeout(Duration::from_secs(1), fetch).await.expect("it is answered");
    assert_eq!(refused.error_code, ErrorCode::TOPIC_AUTHORIZATION_FAILED);
    assert!(batches_of(refused).is_empty());
}

const READ_COMMITTED: i8 = 1;

/// Offsets 0 to 9, the marker of an aborted transaction at 10, then two batches of five offsets each, the second in an
/// open transaction.
async fn log_with_transactions() -> (Log, proto::Located) {
    let log = Log::of(&[&[batch(10, 10, 300)], &[batch(5, 5, 200), batch(5, 5, 200)]]).await;
    let marker = proto::RunLocation {
        bytes: 78,
        base_offset: 10,
        records: 1,
        max_timestamp_ms: 1_000,
        marker: Some(proto::TransactionMarker {
            producer_id: 7,
            producer_epoch: 3,
            committed: false,
            first_offset: -1,
        }),
        ..Default::default()
    };
    let behind = proto::RunLocation {
        base_offset: 11,
        ..log.runs[1].clone()
    };
    let aborted = proto::AbortedTransaction {
        producer_id: 7,
        first_offset: 4,
        last_offset: 10,
    };
    let located = proto::Located {
        high_watermark: 21,
        last_stable_offset: Some(16),
        runs: vec![log.runs[0].clone(), marker, behind],
        aborted: vec![aborted],
        ..Default::default()
    };
    (log, located)
}

impl Log {
    async fn ask_at(&self, offset: i64, isolation_level: i8, located: &proto::Located) -> PartitionData {
        let located = vec![located.clone()];
        self.agent.metadata.answer("Locate", &proto::LocateResponse { located });
        self.ask(offset, Duration::ZERO, isolation_level).await
    }
}

#[tokio::test]
async fn read_committed_gets_decided_records_and_aborted_producers() {
    let (log, located) = log_with_transactions().await;
    let answer = log.ask_at(0, READ_COMMITTED, &located).await;
    assert_eq!(watermarks_of(&answer), (0, 16, 21));
    let aborted = answer.aborted_transactions.clone().unwrap();
    assert_eq!(
        (aborted.len(), aborted[0].producer_id, aborted[0].first_offset),
        (1, 7, 4)
    );
    assert_eq!(batches_of(answer), [(0, 10), (10, 1), (11, 5)]);
}

#[tokio::test]
async fn aborted_transactions_are_listed_in_order_of_their_start() {
    let (log, mut located) = log_with_transactions().await;
    // It began before the other and ended after it.
    located.aborted.push(proto::AbortedTransaction {
        producer_id: 8,
        first_offset: 2,
        last_offset: 12,
    });
    let answer = log.ask_at(0, READ_COMMITTED, &located).await;
    let firsts: Vec<i64> = answer
        .aborted_transactions
        .unwrap()
        .iter()
        .map(|aborted| aborted.first_offset)
        .collect();
    assert_eq!(firsts, [2, 4]);
}

#[tokio::test]
async fn a_reader_at_the_last_stable_offset_waits() {
    let (log, located) = log_with_transactions().await;
    let located = proto::Located {
        runs: located.runs[2..].to_vec(),
        ..located
    };
    let answer = log.ask_at(16, READ_COMMITTED, &located).await;
    assert_eq!(
        (answer.error_code, watermarks_of(&answer)),
        (ErrorCode::NONE, (0, 16, 21))
    );
    assert_eq!(answer.aborted_transactions, Some(Vec::new()));
    assert!(batches_of(answer).is_empty());
}

#[tokio::test]
async fn a_read_uncommitted_reader_gets_everything() {
    let (log, located) = log_with_transactions().await;
    let answer = log.ask_at(0, 0, &located).await;
    assert_eq!(answer.aborted_transactions, None);
    assert_eq!(batches_of(answer), [(0, 10), (10, 1), (11, 5), (16, 5)]);
}

#[tokio::test]
async fn serves_the_end_of_a_transaction_as_a_control_batch() {
    let (log, located) = log_with_transactions().await;
    let located = proto::Located {
        runs: located.runs[1..].to_vec(),
        ..located
    };
    let answer = log.ask_at(10, READ_COMMITTED, &located).await;
    let bytes: Bytes = answer.records.0.concat().into();
    let marker = Batches::new(bytes).next().unwrap().unwrap();
    marker.check_crc().unwrap();
    let header = marker.header;
    assert!(header.is_control() && header.is_transactional());
    assert_eq!((header.producer_id, header.producer_epoch), (7, 3));
    assert_eq!((header.base_offset, header.max_timestamp_ms), (10, 1_000));
    // Version and type in the key: an abort.
    assert_eq!(marker.bytes[HEADER_BYTES + 5..HEADER_BYTES + 9], [0; 4]);
}
