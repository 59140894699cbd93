//! The contract of [`InMemoryMetadata`]: it answers calls as the real service did when it wrote the shared vectors.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt as _;
use prost::Message as _;
use serde_json::Value;
use uuid::Uuid;

use super::InMemoryMetadata;
use crate::metadata::{Metadata as _, WatchStream, for_each_unary_rpc};
use crate::proto;

const TIMEOUT: Duration = Duration::from_secs(5);

fn bytes_of(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

fn topic_of(step: &Value) -> Uuid {
    Uuid::from_slice(&bytes_of(&step["topicId"])).unwrap()
}

fn number<N: TryFrom<i64>>(value: &Value) -> N {
    N::try_from(value.as_i64().unwrap()).ok().unwrap()
}

macro_rules! define_difference {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        /// Makes the call of a step. Returns how the response differs, if it does.
        async fn difference(metadata: &InMemoryMetadata, step: &Value) -> Option<String> {
            let (request, response) = (bytes_of(&step["requestHex"]), bytes_of(&step["responseHex"]));
            match step["call"].as_str().unwrap() {
                $(stringify!($rpc) => {
                    let request = proto::$request::decode(&*request).unwrap();
                    let expected = proto::$response::decode(&*response).unwrap();
                    let actual = comparable(stringify!($rpc), metadata.$method(request, TIMEOUT).await.unwrap());
                    (actual != expected).then(|| format!("{} answered {actual:?}\n  not {expected:?}", stringify!($rpc)))
                })*
                other => panic!("no RPC {other}"),
            }
        }
    };
}
for_each_unary_rpc!(define_difference);

/// The response without the creation times of topics, which are those of this machine's clock.
fn comparable<Response: prost::Message + Default>(rpc: &str, response: Response) -> Response {
    if rpc != "DescribeCluster" {
        return response;
    }
    let mut described = proto::DescribeClusterResponse::decode(&*response.encode_to_vec()).unwrap();
    for topic in &mut described.topics {
        topic.created_at_ms = 0;
    }
    Response::decode(&*described.encode_to_vec()).unwrap()
}

/// Replays a scenario. Returns the differences.
async fn replay(scenario: &Value, start_ms: i64) -> Vec<String> {
    let mut differences = Vec::new();
    let metadata = InMemoryMetadata::default();
    let machine_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    metadata.set_clock_ahead(start_ms - i64::try_from(machine_ms).unwrap());
    let mut watch: Option<WatchStream> = None;
    for (at, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
        let place = format!("{}, step {}", scenario["name"], at + 1);
        match step["kind"].as_str().unwrap() {
            "create-topic" => {
                let (name, partitions) = (step["name"].as_str().unwrap(), number(&step["partitions"]));
                metadata.create_topic_as(topic_of(step), name, partitions, Vec::new());
            }
            "delete-topic" => metadata.delete_topic_silently(topic_of(step)),
            "truncate" => metadata.truncate(
                topic_of(step),
                number(&step["partition"]),
                number(&step["beforeOffset"]),
            ),
            "call" => {
                let found = difference(&metadata, step).await;
                differences.extend(found.map(|found| format!("{place}: {found}")));
            }
            "watch" => {
                let mut stream = metadata.watch(proto::WatchRequest::default()).await.unwrap();
                let first = stream.next().await.unwrap().unwrap();
                assert!(first.catalogue.is_some_and(|catalogue| catalogue.full), "{place}");
                assert_eq!(first.watch_id, step["watchId"].as_str().unwrap(), "{place}");
                watch = Some(stream);
            }
            "news" => {
                let event = watch.as_mut().unwrap().next().await.unwrap().unwrap();
                let expected = proto::WatchEvent::decode(&*bytes_of(&step["eventHex"])).unwrap();
                if event.partitions != expected.partitions {
                    differences.push(format!(
                        "{place}: {:?}\n  not {:?}",
                        event.partitions, expected.partitions
                    ));
                }
            }
            other => panic!("{place}: this test does not know the kind {other}"),
        }
    }
    differences
}

#[tokio::test]
async fn answers_as_the_real_service_did() {
    let path: PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "../../../../packages/metadata-protocol/vectors/metadata-calls.json",
    ]
    .iter()
    .collect();
    let vectors: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let scenarios = vectors["scenarios"].as_array().unwrap();
    assert!(!scenarios.is_empty());
    let mut differences = Vec::new();
    for scenario in scenarios {
        differences.extend(replay(scenario, number(&vectors["startMs"])).await);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
