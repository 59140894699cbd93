//! How topic configs restrict records, and how timestamps are stored and found.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::harness::batches::{TestRecord, batch_at, batch_of};
use crate::harness::{Client, PRODUCE_VERSION, TestAgent, produce_request};
use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_wire::ErrorCode;
use penstock_wire::messages::ListOffsetsRequest;
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use penstock_wire::messages::produce::PartitionProduceResponse;
use penstock_wire::record_batch::{Batch, Batches};

const HOUR_MS: i64 = 3_600_000;
/// The last version without record errors and messages.
const OLD_PRODUCE_VERSION: i16 = 7;

fn config(name: &str, value: &str) -> proto::Config {
    proto::Config {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

fn now_ms() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since_epoch.as_millis()).unwrap()
}

fn at(timestamps_ms: &[i64]) -> Vec<TestRecord<'static>> {
    let record = |timestamp_ms: &i64| TestRecord {
        timestamp_ms: *timestamp_ms,
        key: Some("k"),
        value: "v",
    };
    timestamps_ms.iter().map(record).collect()
}

fn sound(records: &[TestRecord]) -> Bytes {
    let latest = records.iter().map(|record| record.timestamp_ms).max().unwrap();
    batch_of(records, i32::try_from(records.len()).unwrap(), latest)
}

async fn produce(client: &mut Client, topic: &str, batch: Bytes, version: i16) -> PartitionProduceResponse {
    let mut response = client.call(&produce_request(topic, &[(0, batch)]), version).await;
    response.responses.remove(0).partition_responses.remove(0)
}

fn refused_records(response: &PartitionProduceResponse) -> Vec<i32> {
    response.record_errors.iter().map(|record| record.batch_index).collect()
}

#[tokio::test]
async fn a_compacted_topic_refuses_a_keyless_record_by_its_index() {
    let agent = TestAgent::start().await;
    let compacted = vec![config("cleanup.policy", "delete, compact")];
    agent.metadata.create_topic_with("compacted", 1, compacted);
    agent.metadata.create_topic("plain", 1);
    let mut client = agent.client().await;
    let mut records = at(&[1000, 1000, 1000]);
    (records[1].key, records[2].key) = (None, None);
    let keyless = sound(&records);

    let refused = produce(&mut client, "compacted", keyless.clone(), PRODUCE_VERSION).await;
    assert_eq!(
        (refused.error_code, refused.base_offset),
        (ErrorCode::INVALID_RECORD, -1)
    );
    assert_eq!(refused_records(&refused), [1, 2]);
    let message = refused.error_message.unwrap();
    assert!(message.contains("record 1 ") && message.contains("key"), "{message}");
    let refused = produce(&mut client, "compacted", keyless.clone(), OLD_PRODUCE_VERSION).await;
    assert_eq!(
        (refused.error_code, refused.record_errors.len()),
        (ErrorCode::INVALID_RECORD, 0)
    );

    let accepted = produce(&mut client, "compacted", sound(&at(&[1000])), PRODUCE_VERSION).await;
    assert_eq!(
        (accepted.error_code, accepted.base_offset),
        (ErrorCode::NONE, 0),
        "nothing was stored before"
    );
    let accepted = produce(&mut client, "plain", keyless, PRODUCE_VERSION).await;
    assert_eq!(accepted.error_code, ErrorCode::NONE);
}

#[tokio::test]
async fn requires_keys_only_while_the_policy_says_so() {
    let agent = TestAgent::start().await;
    let id = agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let policies = [
        ("delete", ErrorCode::NONE),
        ("compact", ErrorCode::INVALID_RECORD),
        ("delete", ErrorCode::NONE),
    ];
    for (policy, expected) in policies {
        agent.context.cache.upsert_topics(&[proto::Topic {
            topic_id: Bytes::copy_from_slice(id.as_bytes()),
            name: "t".to_owned(),
            partitions: 1,
            configs: vec![config("cleanup.policy", policy)],
            ..Default::default()
        }]);
        let answer = client.produce("t", 0, batch_at(1000, &["no key"])).await;
        assert_eq!(answer.error_code, expected, "{policy}");
    }
}

#[tokio::test]
async fn log_append_time_sets_the_time_of_arrival() {
    let agent = TestAgent::start().await;
    let stamped = vec![
        config("message.timestamp.type", "LogAppendTime"),
        config("message.timestamp.before.max.ms", "0"),
        config("message.timestamp.after.max.ms", "0"),
    ];
    agent.metadata.create_topic_with("stamped", 1, stamped);
    agent.metadata.create_topic("kept", 1);
    let mut client = agent.client().await;
    let sent = batch_at(1000, &["a", "b"]);
    let before_ms = now_ms();
    let answer = client.produce("stamped", 0, sent.clone()).await;
    assert_eq!((answer.error_code, answer.base_offset), (ErrorCode::NONE, 0));
    let appended_ms = answer.log_append_time_ms;
    assert!((before_ms..=now_ms()).contains(&appended_ms), "{appended_ms}");

    let stored = stored_batches(&mut client, "stamped").await;
    assert_eq!(stored.len(), 1);
    stored[0].check_crc().unwrap();
    assert!(stored[0].header.is_log_append_time());
    assert_eq!(stored[0].header.max_timestamp_ms, appended_ms);
    assert_eq!(stored[0].header.base_timestamp_ms, 1000);
    assert_eq!(
        stored[0].records(),
        Batch::split_off(&mut sent.clone()).unwrap().records()
    );
    assert_eq!(agent.metadata.commits()[0].batch_max_timestamp_ms, [appended_ms]);
    assert_eq!(
        found(&mut client, "stamped", appended_ms - 1, 5).await,
        (0, appended_ms)
    );

    assert_eq!(client.produce("kept", 0, sent).await.log_append_time_ms, -1);
    assert!(!stored_batches(&mut client, "kept").await[0].header.is_log_append_time());
}

#[tokio::test]
async fn uses_the_services_time_despite_the_agents_clock() {
    let agent = TestAgent::start().await;
    agent
        .metadata
        .create_topic_with("stamped", 1, vec![config("message.timestamp.type", "LogAppendTime")]);
    agent.metadata.create_topic("kept", 1);
    // The agent's clock is a day behind.
    let service_ms = now_ms() + 24 * HOUR_MS;
    agent.metadata.set_clock_ahead(24 * HOUR_MS);
    agent.context.cache.clock.note(service_ms);
    let mut client = agent.client().await;
    let answer = client.produce("stamped", 0, batch_at(1000, &["a"])).await;
    assert!(
        (service_ms..service_ms + HOUR_MS).contains(&answer.log_append_time_ms),
        "{answer:?}"
    );
    let answer = client.produce("kept", 0, sound(&at(&[service_ms]))).await;
    assert_eq!(answer.error_code, ErrorCode::NONE, "a record of now");
}

#[tokio::test]
async fn refuses_records_too_far_from_now_by_their_index() {
    let agent = TestAgent::start().await;
    let strict = vec![
        config("message.timestamp.before.max.ms", "7200000"),
        config("message.timestamp.after.max.ms", "7200000"),
    ];
    agent.metadata.create_topic_with("strict", 1, strict);
    agent.metadata.create_topic("by default", 1);
    let mut client = agent.client().await;
    let now_ms = now_ms();
    for (topic, hours, refused) in [
        ("by default", [0, -1_000_000], None),
        ("by default", [0, 2], Some(1)),
        ("strict", [-1, 1], None),
        ("strict", [-3, 0], Some(0)),
        ("strict", [0, 3], Some(1)),
    ] {
        let records = at(&hours.map(|hours| now_ms + hours * HOUR_MS));
        let answer = produce(&mut client, topic, sound(&records), PRODUCE_VERSION).await;
        let expected = refused.map_or(ErrorCode::NONE, |_| ErrorCode::INVALID_TIMESTAMP);
        assert_eq!(answer.error_code, expected, "{topic} {hours:?}");
        assert_eq!(refused_records(&answer), Vec::from_iter(refused), "{topic} {hours:?}");
    }
    let without = produce(&mut client, "strict", sound(&at(&[-1])), PRODUCE_VERSION).await;
    assert_eq!(without.error_code, ErrorCode::NONE, "a record may have no timestamp");
}

#[tokio::test]
async fn verifies_or_corrects_what_a_batch_header_says() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let records = at(&[1000, 5000, 2000]);
    for count in [2, 4] {
        let refused = client.produce("t", 0, batch_of(&records, count, 5000)).await;
        assert_eq!(refused.error_code, ErrorCode::INVALID_RECORD, "{count} records");
    }
    let year_3000_ms = 32_503_680_000_000;
    for said_ms in [year_3000_ms, 7, i64::MAX] {
        let accepted = client.produce("t", 0, batch_of(&records, 3, said_ms)).await;
        assert_eq!(accepted.error_code, ErrorCode::NONE);
    }
    for batch in stored_batches(&mut client, "t").await {
        batch.check_crc().unwrap();
        assert_eq!(batch.header.max_timestamp_ms, 5000);
    }
    let latest: Vec<i64> = agent
        .metadata
        .commits()
        .into_iter()
        .flat_map(|commit| commit.batch_max_timestamp_ms)
        .collect();
    assert_eq!(latest, [5000; 3]);
}

#[tokio::test]
async fn finds_a_time_although_the_first_run_was_truncated() {
    let agent = TestAgent::start().await;
    let id = agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, sound(&at(&[5000, 1000, 1001]))).await;
    client.produce("t", 0, sound(&at(&[1500, 4000, 4000, 2000]))).await;
    client.produce("t", 0, sound(&at(&[4500, 4000]))).await;
    for (timestamp_ms, expected) in [(900, (0, 5000)), (4800, (0, 5000)), (-3, (0, 5000))] {
        assert_eq!(
            found(&mut client, "t", timestamp_ms, 9).await,
            expected,
            "{timestamp_ms}"
        );
    }
    agent.metadata.truncate(id, 0, 1);
    for (timestamp_ms, expected) in [
        (900, (1, 1000)),
        (1001, (2, 1001)),
        (1002, (3, 1500)),
        (3000, (4, 4000)),
        (4001, (7, 4500)),
        (4800, (-1, -1)),
        (-3, (7, 4500)),
    ] {
        assert_eq!(
            found(&mut client, "t", timestamp_ms, 9).await,
            expected,
            "{timestamp_ms}"
        );
    }
    // The remaining records of the truncated run have later timestamps than any after it.
    agent.metadata.truncate(id, 0, 8);
    client.produce("t", 0, sound(&at(&[3000]))).await;
    assert_eq!(found(&mut client, "t", -3, 9).await, (8, 4000));
}

#[tokio::test]
async fn tiered_timestamps_behave_as_without_remote_storage() {
    let agent = TestAgent::start().await;
    let id = agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client.produce("t", 0, batch_at(1000, &["a", "b"])).await;
    agent.metadata.truncate(id, 0, 1);
    let (earliest_local, latest_tiered) = (-4, -5);
    assert_eq!(found(&mut client, "t", earliest_local, 8).await, (1, -1));
    assert_eq!(found(&mut client, "t", latest_tiered, 9).await, (-1, -1));
    // Each special timestamp was added in one version. Earlier versions do not have it, and none exist beyond the last.
    for (timestamp_ms, version) in [(-3, 6), (earliest_local, 7), (latest_tiered, 8), (-6, 10)] {
        let answer = list(&mut client, "t", timestamp_ms, version).await;
        assert_eq!(
            answer.0,
            ErrorCode::UNSUPPORTED_VERSION,
            "{timestamp_ms} in version {version}"
        );
    }
}

async fn stored_batches(client: &mut Client, topic: &str) -> Vec<Batch> {
    let fetched = client.fetch(topic, 0, 0).await;
    Batches::new(fetched.records.0.concat().into())
        .map(Result::unwrap)
        .collect()
}

/// Offset and timestamp that ListOffsets finds.
async fn found(client: &mut Client, topic: &str, timestamp_ms: i64, version: i16) -> (i64, i64) {
    let (error_code, found) = list(client, topic, timestamp_ms, version).await;
    assert_eq!(error_code, ErrorCode::NONE);
    found
}

async fn list(client: &mut Client, topic: &str, timestamp: i64, version: i16) -> (ErrorCode, (i64, i64)) {
    let partition = ListOffsetsPartition {
        partition_index: 0,
        timestamp,
        ..Default::default()
    };
    let request = ListOffsetsRequest {
        topics: vec![ListOffsetsTopic {
            name: topic.to_owned(),
            partitions: vec![partition],
        }],
        ..Default::default()
    };
    let answer = client.call(&request, version).await;
    let partition = &answer.topics[0].partitions[0];
    (partition.error_code, (partition.offset, partition.timestamp))
}
