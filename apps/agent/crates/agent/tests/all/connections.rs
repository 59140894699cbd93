//! Guarantees of a connection: order, isolation and limits.

use std::time::Duration;

use crate::harness::batches::{batch, read};
use crate::harness::{LONG, PRODUCE_VERSION, TestAgent, produce_request, quick};
use penstock_agent::ServerLimits;
use penstock_wire::ErrorCode;
use penstock_wire::messages::{ApiVersionsRequest, ProduceRequest};
use penstock_write_path::{LaneSettings, WriteSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[tokio::test]
async fn pipelined_requests_are_admitted_and_answered_in_order() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let mut sent = Vec::new();
    for number in 0..40 {
        let request = produce_request("t", &[(0, batch(&[&number.to_string()]))]);
        sent.push(client.send(&request, PRODUCE_VERSION).await);
    }
    for (number, correlation_id) in (0..).zip(sent) {
        let (received, response) = client.receive::<ProduceRequest>(PRODUCE_VERSION).await;
        assert_eq!(received, correlation_id);
        assert_eq!(response.responses[0].partition_responses[0].base_offset, number);
    }
    let fetched = read(&client.fetch("t", 0, 0).await.records);
    assert!(
        fetched.iter().all(|(offset, value)| offset.to_string() == *value),
        "{fetched:?}"
    );
}

#[tokio::test]
async fn other_requests_wait_for_earlier_produce_requests() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let held = agent.metadata.hold_commits().await;
    let mut client = agent.client().await;
    let produced = client
        .send(&produce_request("t", &[(0, batch(&["x"]))]), PRODUCE_VERSION)
        .await;
    let asked = client.send(&ApiVersionsRequest::default(), 0).await;
    assert!(client.is_silent().await, "answered out of order");
    drop(held);
    assert_eq!(client.receive::<ProduceRequest>(PRODUCE_VERSION).await.0, produced);
    assert_eq!(client.receive::<ApiVersionsRequest>(0).await.0, asked);
}

#[tokio::test]
async fn acks_0_stores_the_record_without_a_response() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    let request = ProduceRequest {
        acks: 0,
        ..produce_request("t", &[(0, batch(&["x"]))])
    };
    client.send(&request, PRODUCE_VERSION).await;
    // The first response belongs to the fetch.
    assert_eq!(read(&client.fetch("t", 0, 0).await.records), [(0, "x".to_owned())]);
}

#[tokio::test]
async fn refusing_a_disabled_feature_keeps_the_connection() {
    let agent = TestAgent::start().await;
    let mut client = agent.client().await;
    // ShareGroupHeartbeat, version 1, correlation id 9. Its body is not needed for the refusal.
    let frame = [0, 0, 0, 11, 0, 76, 0, 1, 0, 0, 0, 9, 0xff, 0xff, 0];
    client.socket.write_all(&frame).await.unwrap();
    let mut answer = vec![0; client.socket.read_u32().await.unwrap() as usize];
    client.socket.read_exact(&mut answer).await.unwrap();
    // After the correlation id come no tagged fields and no throttle time.
    let error_code = ErrorCode(i16::from_be_bytes([answer[9], answer[10]]));
    assert_eq!(
        (&answer[..4], error_code),
        (&[0, 0, 0, 9][..], ErrorCode::UNSUPPORTED_VERSION)
    );
    let versions = client.call(&ApiVersionsRequest::default(), 0).await;
    assert_eq!(versions.error_code, ErrorCode::NONE);
}

#[tokio::test]
async fn a_malformed_frame_closes_only_its_own_connection() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut good = agent.client().await;
    let array_bomb = [&[0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff][..], &[0x7f, 0xff, 0xff, 0xff]].concat();
    let unknown_api = vec![0x7f, 0, 0, 0, 0, 0, 0, 1, 0xff, 0xff];
    let truncated = vec![0, 0, 0];
    for bad in [array_bomb, unknown_api, truncated, vec![0xff; 4000]] {
        let mut client = agent.client().await;
        let mut frame = u32::try_from(bad.len()).unwrap().to_be_bytes().to_vec();
        frame.extend_from_slice(&bad);
        client.socket.write_all(&frame).await.unwrap();
        assert!(client.is_closed().await, "{bad:?}");
        assert_eq!(good.produce("t", 0, batch(&["x"])).await.error_code, ErrorCode::NONE);
    }
}

#[tokio::test]
async fn an_invalid_request_length_closes_the_connection() {
    let agent = TestAgent::start().await;
    for length in [[0x7f, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff], *b"GET "] {
        let mut client = agent.client().await;
        client.socket.write_all(&length).await.unwrap();
        assert!(client.is_closed().await, "{length:?}");
    }
}

#[tokio::test]
async fn a_thousand_silent_connections_do_not_affect_others() {
    let agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let mut silent = Vec::new();
    for number in 0..1000u32 {
        let mut client = agent.client().await;
        if number % 2 == 0 {
            // Announces a large frame and sends none of it.
            client.socket.write_all(&(90u32 << 20).to_be_bytes()).await.unwrap();
        }
        silent.push(client);
    }
    let accepted = agent.client().await.produce("t", 0, batch(&["x"])).await;
    assert_eq!(accepted.error_code, ErrorCode::NONE);
}

#[tokio::test]
async fn connections_over_the_limit_are_closed_until_one_ends() {
    let limits = ServerLimits {
        max_connections: 2,
        ..Default::default()
    };
    let agent = TestAgent::start_with(quick(), limits).await;
    agent.metadata.create_topic("t", 1);
    let (mut first, mut second) = (agent.client().await, agent.client().await);
    for client in [&mut first, &mut second] {
        assert_eq!(client.produce("t", 0, batch(&["x"])).await.error_code, ErrorCode::NONE);
    }
    assert!(agent.client().await.is_closed().await);
    drop(first);
    tokio::time::timeout(LONG, async {
        loop {
            let mut client = agent.client().await;
            client.send(&ApiVersionsRequest::default(), 0).await;
            if !client.is_closed().await {
                break;
            }
        }
    })
    .await
    .expect("the place of a closed connection was not given back");
}

#[tokio::test]
async fn producers_wait_and_lose_nothing_when_memory_is_full() {
    let limits = ServerLimits {
        max_in_flight_bytes: 4000,
        ..Default::default()
    };
    let agent = TestAgent::start_with(quick(), limits).await;
    agent.metadata.create_topic("t", 1);
    let large = "x".repeat(2000);
    let mut clients = Vec::new();
    for _ in 0..10 {
        let mut client = agent.client().await;
        client
            .send(&produce_request("t", &[(0, batch(&[&large]))]), PRODUCE_VERSION)
            .await;
        clients.push(client);
    }
    let mut offsets = Vec::new();
    for client in &mut clients {
        let (_, response) = client.receive::<ProduceRequest>(PRODUCE_VERSION).await;
        offsets.push(response.responses[0].partition_responses[0].base_offset);
    }
    offsets.sort_unstable();
    assert_eq!(offsets, (0..10).collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_stopping_agent_stores_and_acknowledges_accepted_records() {
    let settings = WriteSettings {
        standard: LaneSettings {
            flush_interval: Duration::from_secs(3600),
            ..WriteSettings::default().standard
        },
        ..WriteSettings::default()
    };
    let mut agent = TestAgent::start_with(settings, ServerLimits::default()).await;
    agent.metadata.create_topic("t", 1);
    let mut client = agent.client().await;
    client
        .send(&produce_request("t", &[(0, batch(&["last words"]))]), PRODUCE_VERSION)
        .await;
    let mut idle = agent.client().await;
    tokio::time::timeout(LONG, async {
        while agent.context.metrics.request_count() == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the request did not arrive");
    agent.stop.send_replace(true);
    agent.context.write_path.flush().await;
    let (_, response) = client.receive::<ProduceRequest>(PRODUCE_VERSION).await;
    assert_eq!(response.responses[0].partition_responses[0].base_offset, 0);
    assert!(client.is_closed().await);
    assert!(idle.is_closed().await);
    tokio::time::timeout(LONG, &mut agent.serving)
        .await
        .expect("the server did not end")
        .unwrap();
}
