//! Clients that exceed a quota get the throttle time, and the agent reads nothing from them until it is over.

use std::time::Duration;

use crate::harness::batches::batch;
use crate::harness::{PRODUCE_VERSION, TestAgent, fetch_request, produce_request};
use penstock_metadata_client::proto;
use penstock_wire::messages::ApiVersionsRequest;
use tokio::time::Instant;

const FETCH_VERSION: i16 = 11;
const BYTES_PER_SECOND: f64 = 10_000.0;

async fn limit(agent: &TestAgent, produced: Option<f64>, consumed: Option<f64>) {
    let quota = proto::ClientQuota {
        user: Some(String::new()),
        producer_byte_rate: produced,
        consumer_byte_rate: consumed,
        ..Default::default()
    };
    agent
        .set_security(proto::SecurityState {
            version: 1,
            quotas: vec![quota],
            ..Default::default()
        })
        .await;
}

fn ms(throttle_time_ms: i32) -> Duration {
    Duration::from_millis(throttle_time_ms.unsigned_abs().into())
}

#[tokio::test]
async fn a_producer_beyond_its_quota_is_told_for_how_long_it_is_held() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    limit(&agent, Some(BYTES_PER_SECOND), None).await;
    let mut client = agent.client().await;
    let large = "x".repeat(12_000);
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
async fn a_consumer_beyond_its_quota_gets_its_records_and_is_then_held() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let large = "x".repeat(12_000);
    client.produce("t", 0, batch(&[&large])).await;
    limit(&agent, None, Some(BYTES_PER_SECOND)).await;
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
async fn a_client_beyond_its_share_of_a_thread_is_told_and_held_whatever_it_asks() {
    let agent = TestAgent::start().await;
    let quota = proto::ClientQuota {
        user: Some(String::new()),
        // A microsecond per second: any request takes longer.
        request_percentage: Some(0.0001),
        ..Default::default()
    };
    agent
        .set_security(proto::SecurityState {
            version: 1,
            quotas: vec![quota],
            ..Default::default()
        })
        .await;
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
