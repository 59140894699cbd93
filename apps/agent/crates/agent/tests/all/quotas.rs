//! Clients that exceed a quota, or write more than the cluster's mode allows, get a throttle time, and the agent reads
//! nothing from them until it ends. Time is paused: it advances to the next timer only when no task can run.

use std::time::Duration;

use crate::harness::batches::batch;
use crate::harness::{Client, PRODUCE_VERSION, TestAgent, fetch_request, produce_request};
use penstock_metadata_client::proto;
use penstock_wire::messages::{ApiVersionsRequest, ProduceRequest};
use tokio::io::DuplexStream;
use tokio::time::Instant;

const FETCH_VERSION: i16 = 11;
/// A client can burst ten times as much, which is a little less than the batch used here.
const BYTES_PER_SECOND: f64 = 1_180.0;
const BATCH_BYTES: usize = 12_000;
/// Granularity of throttle times and timers: whole milliseconds.
const TICK: Duration = Duration::from_millis(1);
/// Maximum throttle time for request handling.
const WINDOW: Duration = Duration::from_secs(1);

/// Sets one quota for all users.
async fn limit(agent: &TestAgent, quota: proto::ClientQuota) {
    let quota = proto::ClientQuota {
        user: Some(String::new()),
        ..quota
    };
    agent
        .set_security(proto::SecurityState {
            version: 1,
            quotas: vec![quota],
            ..Default::default()
        })
        .await;
}

/// A hundredth of a nanosecond per second: handling any request exceeds the most that can be saved up.
fn tiny_share() -> proto::ClientQuota {
    proto::ClientQuota {
        request_percentage: Some(0.000_000_001),
        ..Default::default()
    }
}

fn ms(throttle_time_ms: i32) -> Duration {
    Duration::from_millis(throttle_time_ms.unsigned_abs().into())
}

/// How long the agent takes to answer another request.
async fn answer_time(client: &mut Client<DuplexStream>) -> Duration {
    let began = Instant::now();
    client.call(&ApiVersionsRequest::default(), 2).await;
    began.elapsed()
}

async fn assert_held(client: &mut Client<DuplexStream>, held: Duration) {
    let took = answer_time(client).await;
    assert!(took + TICK >= held && took <= held + TICK, "{took:?} of {held:?}");
}

#[tokio::test(start_paused = true)]
async fn throttles_a_producer_that_exceeds_its_quota() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let quota = proto::ClientQuota {
        producer_byte_rate: Some(BYTES_PER_SECOND),
        ..Default::default()
    };
    limit(&agent, quota).await;
    let mut client = agent.client_in_memory().await;
    let large = "x".repeat(BATCH_BYTES);
    let request = produce_request("t", &[(0, batch(&[&large]))]);
    let response = client.call(&request, PRODUCE_VERSION).await;
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::from_millis(150), "{held:?}");
    let mut other = agent.client_in_memory().await;
    assert_eq!(answer_time(&mut other).await, Duration::ZERO, "others are not held");
    assert_held(&mut client, held).await;
}

#[tokio::test(start_paused = true)]
async fn producers_of_a_limited_cluster_share_its_limit() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let limited = |max_written_bytes_per_second| proto::ClusterSettings {
        max_written_bytes_per_second,
        ..Default::default()
    };
    agent.context.cache.set_settings(limited(1_800));
    let request = produce_request("t", &[(0, batch(&["x".repeat(BATCH_BYTES).as_str()]))]);
    let mut client = agent.client_in_memory().await;
    let response = client.call(&request, PRODUCE_VERSION).await;
    assert_eq!(response.throttle_time_ms, 0);
    let mut other = agent.client_in_memory().await;
    let response = other.call(&request, PRODUCE_VERSION).await;
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::from_secs(1), "{held:?}");
    assert!(response.responses[0].partition_responses[0].error_code.is_none());
    assert_held(&mut other, held).await;
    // The mode changed, so clients are no longer throttled.
    agent.context.cache.set_settings(limited(0));
    let response = other.call(&request, PRODUCE_VERSION).await;
    assert_eq!(response.throttle_time_ms, 0);
    assert_held(&mut other, Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn throttles_a_consumer_after_sending_its_records() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client_in_memory().await;
    let large = "x".repeat(BATCH_BYTES);
    client.produce("t", 0, batch(&[&large])).await;
    let quota = proto::ClientQuota {
        consumer_byte_rate: Some(BYTES_PER_SECOND),
        ..Default::default()
    };
    limit(&agent, quota).await;
    let response = client.call(&fetch_request("t", &[(0, 0)]), FETCH_VERSION).await;
    assert!(!response.responses[0].partitions[0].records.0.is_empty());
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::from_millis(150), "{held:?}");
    assert_held(&mut client, held).await;
}

#[tokio::test(start_paused = true)]
async fn throttles_any_request_beyond_the_thread_time_quota() {
    let agent = TestAgent::start().await;
    limit(&agent, tiny_share()).await;
    let mut client = agent.client_in_memory().await;
    let response = client.call(&ApiVersionsRequest::default(), 2).await;
    assert_eq!(ms(response.throttle_time_ms), WINDOW);
    assert_held(&mut client, WINDOW).await;
}

#[tokio::test(start_paused = true)]
async fn throttles_a_producer_with_acks_0() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut reader = agent.client_in_memory().await;
    let mut client = agent.client_in_memory().await;
    // Resolves the topic, so that the request below is admitted immediately.
    client.produce("t", 0, batch(&["x"])).await;
    limit(&agent, tiny_share()).await;
    let request = ProduceRequest {
        acks: 0,
        ..produce_request("t", &[(0, batch(&["y"]))])
    };
    let began = Instant::now();
    client.send(&request, PRODUCE_VERSION).await;
    // The record is stored, so the agent has nothing left to do for the producer.
    let stored = reader.fetch("t", 0, 1).await;
    assert!(!stored.records.0.is_empty());
    let stored_after = began.elapsed();
    answer_time(&mut client).await;
    let answered_after = began.elapsed();
    assert!(
        answered_after >= WINDOW && answered_after <= stored_after + WINDOW + TICK,
        "stored after {stored_after:?}, answered after {answered_after:?}"
    );
}
