//! Produces and fetches over a real connection.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::harness::batches::{batch, batch_at, read};
use crate::harness::{FETCH_VERSION, PRODUCE_VERSION, TestAgent, fetch_request, produce_request, quick};
use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_store::{Bucket, decode_index};
use penstock_telemetry::Stage;
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use penstock_wire::messages::{FetchRequest, ListOffsetsRequest, ProduceRequest};
use penstock_wire::{ErrorCode, Uuid};
use penstock_write_path::{LaneSettings, WriteSettings};

fn values(from: i64, values: &[&str]) -> Vec<(i64, String)> {
    (from..).zip(values.iter().map(|value| (*value).to_owned())).collect()
}

#[tokio::test]
async fn fetch_returns_produced_records_with_their_offsets() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 2);
    let mut client = agent.client().await;
    let first = client.produce("t", 1, batch(&["a", "b", "c"])).await;
    let second = client.produce("t", 1, batch(&["d"])).await;
    assert_eq!((first.error_code, first.base_offset), (ErrorCode::NONE, 0));
    assert_eq!((second.error_code, second.base_offset), (ErrorCode::NONE, 3));
    let fetched = client.fetch("t", 1, 0).await;
    assert_eq!(fetched.high_watermark, 4);
    assert_eq!(read(&fetched.records), values(0, &["a", "b", "c", "d"]));
    // A fetch from the middle of a batch returns the whole batch, as on a broker. The consumer skips what it already
    // has.
    assert_eq!(
        read(&client.fetch("t", 1, 2).await.records),
        values(0, &["a", "b", "c", "d"])
    );
    assert_eq!(read(&client.fetch("t", 1, 3).await.records), values(3, &["d"]));
}

#[tokio::test]
async fn another_agent_reads_a_file_once_for_all_partitions() {
    let bucket = Bucket::open("mem://").unwrap();
    let writer = TestAgent::start_on(Arc::default(), &bucket, quick(), Default::default()).await;
    let metadata = Arc::clone(&writer.metadata);
    let reader = TestAgent::start_on(metadata, &bucket, quick(), Default::default()).await;
    writer.metadata.create_topic("t", 50);
    let batches: Vec<_> = (0..50).map(|partition| (partition, batch(&["x", "y"]))).collect();
    writer
        .client()
        .await
        .call(&produce_request("t", &batches), PRODUCE_VERSION)
        .await;
    assert_eq!(writer.objects.counters.puts.load(Ordering::Relaxed), 1);
    let offsets: Vec<_> = (0..50).map(|partition| (partition, 0)).collect();
    let response = reader
        .client()
        .await
        .call(&fetch_request("t", &offsets), FETCH_VERSION)
        .await;
    for partition in &response.responses[0].partitions {
        assert_eq!(read(&partition.records), values(0, &["x", "y"]));
    }
    assert_eq!(reader.objects.counters.gets.load(Ordering::Relaxed), 1);
    assert_eq!(reader.metadata.calls("Locate"), 1);
}

#[tokio::test]
async fn a_data_file_describes_itself() {
    let agent = TestAgent::start().await;
    let topic_id = agent.metadata.create_topic("t", 2);
    let batches = [(1, batch(&["b"])), (0, batch(&["a", "aa"]))];
    agent
        .client()
        .await
        .call(&produce_request("t", &batches), PRODUCE_VERSION)
        .await;
    let commit = agent.metadata.commits().remove(0);
    let file_id = uuid::Uuid::from_slice(&commit.file_id).unwrap();
    let file = agent.objects.get(file_id, 0, commit.file_bytes).await.unwrap().concat();
    let index = decode_index(&file).unwrap();
    assert_eq!(index.file_id, file_id);
    assert_eq!(index.topics, [(topic_id, "t".to_owned())]);
    let runs: Vec<_> = index.runs.iter().map(|run| (run.partition, run.batches)).collect();
    assert_eq!(runs, [(0, 1), (1, 1)]);
    assert_eq!(commit.run_position, [0, u64::from(index.runs[0].bytes)]);
    assert_eq!(file[..batches[1].1.len()], batches[1].1);
}

#[tokio::test]
async fn rejects_only_the_batch_with_a_bad_checksum() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 2);
    let mut damaged = batch(&["secret"]).to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    let request = produce_request("t", &[(0, damaged.into()), (1, batch(&["good"]))]);
    let mut client = agent.client().await;
    let response = client.call(&request, PRODUCE_VERSION).await;
    let partitions = &response.responses[0].partition_responses;
    assert_eq!(partitions[0].error_code, ErrorCode::CORRUPT_MESSAGE);
    assert_eq!(
        (partitions[1].error_code, partitions[1].base_offset),
        (ErrorCode::NONE, 0)
    );
    let commit = agent.metadata.commits().remove(0);
    assert_eq!(commit.run_partition, [1]);
    let file_id = uuid::Uuid::from_slice(&commit.file_id).unwrap();
    let file = agent.objects.get(file_id, 0, commit.file_bytes).await.unwrap().concat();
    assert!(!file.windows(6).any(|window| window == b"secret"));
}

#[tokio::test]
async fn a_request_of_only_damaged_batches_writes_no_file() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut damaged = batch(&["x"]).to_vec();
    damaged[20] ^= 1;
    let refused = agent.client().await.produce("t", 0, damaged.into()).await;
    assert_eq!(refused.error_code, ErrorCode::CORRUPT_MESSAGE);
    agent.context.write_path.flush().await;
    assert_eq!(agent.objects.counters.puts.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn refusals_name_their_reason() {
    let agent = TestAgent::start().await;
    let limit = proto::Config {
        name: "max.message.bytes".into(),
        value: "100".into(),
    };
    agent.metadata.create_topic_with("small", 1, vec![limit]);
    let mut client = agent.client().await;
    let too_large = client.produce("small", 0, batch(&["x".repeat(200).as_str()])).await;
    assert_eq!(too_large.error_code, ErrorCode::MESSAGE_TOO_LARGE);
    assert!(too_large.error_message.unwrap().contains("max.message.bytes of 100"));
    let unknown = client.produce("nowhere", 0, batch(&["x"])).await;
    assert_eq!(unknown.error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
    let unknown = client.produce("small", 1, batch(&["x"])).await;
    assert_eq!(unknown.error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
    let two = Bytes::from([batch(&["a"]), batch(&["b"])].concat());
    agent.metadata.create_topic("t", 1);
    assert_eq!(client.produce("t", 0, two).await.error_code, ErrorCode::INVALID_RECORD);
    let odd_acks = ProduceRequest {
        acks: 2,
        ..produce_request("t", &[(0, batch(&["a"]))])
    };
    let response = client.call(&odd_acks, PRODUCE_VERSION).await;
    assert_eq!(
        response.responses[0].partition_responses[0].error_code,
        ErrorCode::INVALID_REQUIRED_ACKS
    );
    agent.context.cache.set_settings(proto::ClusterSettings {
        writes_refused: true,
        writes_refused_reason: "the spending cap is reached".into(),
        ..Default::default()
    });
    let refused = client.produce("t", 0, batch(&["a"])).await;
    assert_eq!(refused.error_code, ErrorCode::POLICY_VIOLATION);
    assert_eq!(refused.error_message.as_deref(), Some("the spending cap is reached"));
}

#[tokio::test]
async fn finds_a_topic_created_through_another_agent_immediately() {
    let agent = TestAgent::start().await;
    agent.metadata.set_unreachable(true);
    agent.metadata.create_topic("new", 1);
    agent.metadata.set_unreachable(false);
    let accepted = agent.client().await.produce("new", 0, batch(&["x"])).await;
    assert_eq!((accepted.error_code, accepted.base_offset), (ErrorCode::NONE, 0));
}

#[tokio::test]
async fn producing_to_a_deleted_topic_reports_the_deletion() {
    let agent = TestAgent::start().await;
    let id = agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch(&["x"])).await;
    agent.metadata.delete_topic_silently(id);
    let refused = client.produce("t", 0, batch(&["y"])).await;
    assert_eq!(refused.error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
    let refused = client.fetch("t", 0, 0).await;
    assert_eq!(refused.error_code, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION);
}

#[tokio::test]
async fn batches_of_a_deleted_topic_get_the_error_for_their_version() {
    let agent = TestAgent::start().await;
    for (version, expected) in [
        (12, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        (13, ErrorCode::UNKNOWN_TOPIC_ID),
    ] {
        let id = agent.metadata.create_topic("t", 1);
        let mut request = produce_request("t", &[(0, batch(&["y"]))]);
        request.topic_data[0].topic_id = Uuid(*id.as_bytes());
        let mut client = agent.client().await;
        // The agent admits the batch until it hears of the deletion, so the commit detects it first.
        for expected in [ErrorCode::NONE, expected] {
            let answer = client.call(&request, version).await;
            let partition = &answer.responses[0].partition_responses[0];
            assert_eq!(partition.error_code, expected, "version {version}");
            agent.metadata.delete_topic_silently(id);
        }
    }
}

#[tokio::test]
async fn a_fetch_of_a_deleted_topic_gets_the_error_for_its_version() {
    let agent = TestAgent::start().await;
    for (version, expected) in [
        (12, ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
        (13, ErrorCode::UNKNOWN_TOPIC_ID),
    ] {
        let id = agent.metadata.create_topic("t", 1);
        let mut request = fetch_request("t", &[(0, 5)]);
        request.topics[0].topic_id = Uuid(*id.as_bytes());
        let mut client = agent.client().await;
        for expected in [ErrorCode::OFFSET_OUT_OF_RANGE, expected] {
            let answer = client.call(&request, version).await;
            let partition = &answer.responses[0].partitions[0];
            assert_eq!(partition.error_code, expected, "version {version}");
            agent.metadata.delete_topic_silently(id);
        }
    }
}

#[tokio::test]
async fn a_failed_commit_is_retriable_and_leaves_no_gap() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    agent.metadata.fail_next_commits(1);
    let mut client = agent.client().await;
    let failed = client.produce("t", 0, batch(&["lost"])).await;
    assert!(failed.error_code.is_retriable(), "{}", failed.error_code);
    assert_eq!(failed.base_offset, -1);
    assert_eq!(client.produce("t", 0, batch(&["kept"])).await.base_offset, 0);
    assert_eq!(read(&client.fetch("t", 0, 0).await.records), values(0, &["kept"]));
}

#[tokio::test]
async fn honours_the_request_timeout() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let held = agent.metadata.hold_commits().await;
    let request = ProduceRequest {
        timeout_ms: 50,
        ..produce_request("t", &[(0, batch(&["x"]))])
    };
    let response = agent.client().await.call(&request, PRODUCE_VERSION).await;
    assert_eq!(
        response.responses[0].partition_responses[0].error_code,
        ErrorCode::REQUEST_TIMED_OUT
    );
    drop(held);
}

#[tokio::test]
async fn a_full_file_does_not_wait_for_the_flush_interval() {
    let settings = WriteSettings {
        standard: LaneSettings {
            flush_interval: Duration::from_secs(3600),
            ..WriteSettings::default().standard
        },
        flush_bytes: 1000,
        ..WriteSettings::default()
    };
    let agent = TestAgent::start_with(settings, Default::default()).await;
    agent.metadata.create_topic("t", 1);
    let accepted = agent
        .client()
        .await
        .produce("t", 0, batch(&["x".repeat(1000).as_str()]))
        .await;
    assert_eq!(accepted.error_code, ErrorCode::NONE);
}

#[tokio::test]
async fn a_fetch_at_the_tail_waits_for_the_commit_without_polling() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let (mut consumer, mut producer) = (agent.client().await, agent.client().await);
    producer.produce("t", 0, batch(&["before"])).await;
    assert_eq!(read(&consumer.fetch("t", 0, 0).await.records).len(), 1);
    consumer.send(&fetch_request("t", &[(0, 1)]), FETCH_VERSION).await;
    assert!(consumer.is_silent().await, "answered before there was anything");
    producer.produce("t", 0, batch(&["after"])).await;
    let (_, response) = consumer.receive::<FetchRequest>(FETCH_VERSION).await;
    assert_eq!(
        read(&response.responses[0].partitions[0].records),
        values(1, &["after"])
    );
    assert!(
        agent.metadata.calls("Locate") <= 2,
        "{} calls",
        agent.metadata.calls("Locate")
    );
}

#[tokio::test]
async fn a_fetch_without_records_ends_at_its_max_wait() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let request = FetchRequest {
        max_wait_ms: 30,
        ..fetch_request("t", &[(0, 0)])
    };
    let response = agent.client().await.call(&request, FETCH_VERSION).await;
    let partition = &response.responses[0].partitions[0];
    assert_eq!((partition.error_code, partition.high_watermark), (ErrorCode::NONE, 0));
    assert!(partition.records.is_empty());
}

#[tokio::test]
async fn fetch_latency_counts_only_immediate_fetches() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let counted = || -> u32 {
        let latencies = agent.context.metrics.latencies.drain(Stage::Fetch);
        latencies.counts.iter().sum()
    };
    for max_wait_ms in [30, 0] {
        let poll = FetchRequest {
            max_wait_ms,
            ..fetch_request("t", &[(0, 0)])
        };
        client.call(&poll, FETCH_VERSION).await;
        assert_eq!(counted(), 0, "an empty poll of {max_wait_ms} ms");
    }
    client.produce("t", 0, batch(&["x"])).await;
    client.fetch("t", 0, 0).await;
    assert_eq!(counted(), 1);
    let patient = FetchRequest {
        max_wait_ms: 30,
        min_bytes: 1 << 20,
        ..fetch_request("t", &[(0, 0)])
    };
    client.call(&patient, FETCH_VERSION).await;
    assert_eq!(counted(), 0, "it waited for more than there was");
}

#[tokio::test]
async fn an_out_of_range_offset_is_refused_immediately() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch(&["x"])).await;
    for offset in [2, -1] {
        assert_eq!(
            client.fetch("t", 0, offset).await.error_code,
            ErrorCode::OFFSET_OUT_OF_RANGE,
            "{offset}"
        );
    }
}

#[tokio::test]
async fn honours_size_limits_but_always_sends_the_first_batch() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 2);
    let mut client = agent.client().await;
    let large = "x".repeat(1000);
    for partition in [0, 1] {
        for _ in 0..3 {
            client.produce("t", partition, batch(&[&large])).await;
        }
    }
    for (max_bytes, batches) in [(1, 1), (2500, 2), (1 << 20, 6)] {
        let request = FetchRequest {
            max_bytes,
            ..fetch_request("t", &[(0, 0), (1, 0)])
        };
        let response = client.call(&request, FETCH_VERSION).await;
        let got: usize = response.responses[0]
            .partitions
            .iter()
            .map(|partition| read(&partition.records).len())
            .sum();
        assert_eq!(got, batches, "max_bytes {max_bytes}");
    }
}

#[tokio::test]
async fn serves_cached_data_without_the_metadata_service() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch(&["a", "b"])).await;
    client.fetch("t", 0, 0).await;
    agent.metadata.set_unreachable(true);
    assert_eq!(read(&client.fetch("t", 0, 0).await.records), values(0, &["a", "b"]));
}

#[tokio::test]
async fn declines_fetch_sessions() {
    let agent = TestAgent::start().await;
    let request = FetchRequest {
        session_id: 5,
        session_epoch: 1,
        ..Default::default()
    };
    let response = agent.client().await.call(&request, FETCH_VERSION).await;
    assert_eq!(response.error_code, ErrorCode::FETCH_SESSION_ID_NOT_FOUND);
}

#[tokio::test]
async fn a_timestamp_finds_the_exact_record() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch_at(1000, &["a", "b", "c"])).await;
    client.produce("t", 0, batch_at(2000, &["d", "e", "f"])).await;
    for (timestamp, expected) in [
        (-2, (0, -1)),
        (-1, (6, -1)),
        (1001, (1, 1001)),
        (1500, (3, 2000)),
        (2002, (5, 2002)),
        (9999, (-1, -1)),
    ] {
        let partition = ListOffsetsPartition {
            partition_index: 0,
            timestamp,
            ..Default::default()
        };
        let request = ListOffsetsRequest {
            topics: vec![ListOffsetsTopic {
                name: "t".into(),
                partitions: vec![partition],
            }],
            ..Default::default()
        };
        let response = client.call(&request, 5).await;
        let found = &response.topics[0].partitions[0];
        assert_eq!((found.offset, found.timestamp), expected, "at {timestamp}");
    }
}
