//! Clients that exceed a quota, or write more than the mode of the cluster allows, get the throttle time, and the agent reads nothing from
//! them until it is over.

use std::time::Duration;

use crate::harness::batches::batch;
use crate::harness::{PRODUCE_VERSION, TestAgent, fetch_request, produce_request};
use penstock_metadata_client::proto;
use penstock_wire::messages::{ApiVersionsRequest, ProduceRequest};
use tokio::time::Instant;

const FETCH_VERSION: i16 = 11;
/// A client may take ten times as much at once, which is a little less than the batch here.
const BYTES_PER_SECOND: f64 = 1_180.0;
const BATCH_BYTES: usize = 12_000;

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

/// A tenth of a microsecond per second: any request takes longer.
fn tiny_share() -> proto::ClientQuota {
    proto::ClientQuota {
        request_percentage: Some(0.000_01),
        ..Default::default()
    }
}

fn ms(throttle_time_ms: i32) -> Duration {
    Duration::from_millis(throttle_time_ms.unsigned_abs().into())
}

#[tokio::test]
async fn a_producer_beyond_its_quota_gets_the_throttle_time_and_is_held_for_it() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let quota = proto::ClientQuota {
        producer_byte_rate: Some(BYTES_PER_SECOND),
        ..Default::default()
    };
    limit(&agent, quota).await;
    let mut client = agent.client().await;
    let large = "x".repeat(BATCH_BYTES);
    let request = produce_request("t", &[(0, batch(&[&large]))]);
    let response = client.call(&request, PRODUCE_VERSION).await;
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::from_millis(150), "{held:?}");
    let began = Instant::now();
    client.call(&ApiVersionsRequest::default(), 0).await;
    // The agent may have begun to hold the client a little before the response arrived.
    assert!(
        began.elapsed() + Duration::from_millis(50) >= held,
        "{:?} of {held:?}",
        began.elapsed()
    );
    // Others are not held.
    let mut other = agent.client().await;
    let began = Instant::now();
    other.call(&ApiVersionsRequest::default(), 0).await;
    assert!(began.elapsed() < held);
}

#[tokio::test]
async fn all_producers_of_a_limited_cluster_share_its_limit_and_those_beyond_it_are_held() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let limited = |max_written_bytes_per_second| proto::ClusterSettings {
        max_written_bytes_per_second,
        ..Default::default()
    };
    agent.context.cache.set_settings(limited(1_800));
    let request = produce_request("t", &[(0, batch(&["x".repeat(BATCH_BYTES).as_str()]))]);
    let response = agent.client().await.call(&request, PRODUCE_VERSION).await;
    assert_eq!(response.throttle_time_ms, 0);
    let mut other = agent.client().await;
    let response = other.call(&request, PRODUCE_VERSION).await;
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::from_secs(1), "{held:?}");
    assert!(response.responses[0].partition_responses[0].error_code.is_none());
    let began = Instant::now();
    other.call(&ApiVersionsRequest::default(), 0).await;
    assert!(
        began.elapsed() + Duration::from_millis(50) >= held,
        "{:?} of {held:?}",
        began.elapsed()
    );
    // The mode changed: nobody is held any more.
    agent.context.cache.set_settings(limited(0));
    let response = other.call(&request, PRODUCE_VERSION).await;
    assert_eq!(response.throttle_time_ms, 0);
}

#[tokio::test]
async fn a_consumer_beyond_its_quota_gets_its_records_and_is_then_held() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
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
    let began = Instant::now();
    client.call(&ApiVersionsRequest::default(), 0).await;
    assert!(
        began.elapsed() + Duration::from_millis(50) >= held,
        "{:?} of {held:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn a_client_beyond_its_share_of_a_thread_is_held_whatever_it_asks() {
    let agent = TestAgent::start().await;
    limit(&agent, tiny_share()).await;
    let mut client = agent.client().await;
    let response = client.call(&ApiVersionsRequest::default(), 2).await;
    let held = ms(response.throttle_time_ms);
    assert!(held > Duration::ZERO && held <= Duration::from_secs(1), "{held:?}");
    let began = Instant::now();
    client.call(&ApiVersionsRequest::default(), 2).await;
    // The agent may have begun to hold the client a little before the response arrived.
    assert!(
        began.elapsed() + Duration::from_millis(50) >= held,
        "{:?} of {held:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn a_producer_that_wants_no_answers_is_held_too() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut reader = agent.client().await;
    let mut client = agent.client().await;
    // Looked up, so that the request below is admitted at once.
    client.produce("t", 0, batch(&["x"])).await;
    limit(&agent, tiny_share()).await;
    let request = ProduceRequest {
        acks: 0,
        ..produce_request("t", &[(0, batch(&["y"]))])
    };
    client.send(&request, PRODUCE_VERSION).await;
    // It is stored, so the agent has nothing left to do for the producer.
    let stored = reader.fetch("t", 0, 1).await;
    assert!(!stored.records.0.is_empty());
    let began = Instant::now();
    client.call(&ApiVersionsRequest::default(), 2).await;
    // For a second, which may have begun a little earlier.
    assert!(began.elapsed() > Duration::from_millis(500), "{:?}", began.elapsed());
}
