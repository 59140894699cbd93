//! The end of a seed: the agents' key is revoked while clients produce. Each gets a clear error, and nothing that was
//! refused is stored.

use std::time::Duration;

use penstock_wire::ErrorCode;
use penstock_wire::messages::ProduceRequest;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use serde_json::Value;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::history::TOPIC;
use crate::records::{PLAIN, encode};
use crate::weather::Weather;

/// The service caches keys for less.
const CACHED_MS: i64 = 3_000;
const BEFORE: Duration = Duration::from_secs(2);
const AFTER_MS: i64 = 10_000;
/// The partition that is written.
const PARTITION: i32 = 0;

/// The answers to the batches of one client.
#[derive(Debug, Default)]
struct Answers {
    acknowledged: usize,
    /// It may be stored or not.
    unknown: usize,
    /// The last refusal: its code and its message.
    refusal: Option<(ErrorCode, Option<String>)>,
    /// The agent acknowledged a batch that was sent when the key had long been revoked.
    is_late: bool,
}

/// Revokes the key. Returns what is broken.
pub(crate) async fn revoke_key(bridge: &Bridge, fleet: &Fleet, weather: &Weather, clock: Clock) -> Vec<String> {
    let before = stored_batches(&bridge.facts());
    let from_ms = clock.elapsed_ms() + i64::try_from(BEFORE.as_millis()).unwrap_or(0);
    let clients: Vec<_> = (0..fleet.len())
        .map(|number| {
            let client = Client::new(format!("revoked-{number}"), fleet, weather).at(number);
            tokio::spawn(produce(client, clock, from_ms))
        })
        .collect();
    sleep(BEFORE).await;
    bridge.fault("revoke-key", 0);
    let mut faults = Vec::new();
    let (mut acknowledged, mut unknown) = (0, 0);
    for (number, client) in clients.into_iter().enumerate() {
        let Ok(answers) = client.await else {
            faults.push("a client failed while the key was revoked".to_owned());
            continue;
        };
        acknowledged += answers.acknowledged;
        unknown += answers.unknown;
        if answers.is_late {
            faults.push(format!(
                "agent-{number} acknowledges batches although its key is revoked"
            ));
        }
        // Clients look for another agent; the message says why.
        let is_clear = matches!(&answers.refusal, Some((ErrorCode::NOT_LEADER_OR_FOLLOWER, Some(_))));
        if !is_clear {
            faults.push(format!(
                "agent-{number} refuses with {:?} when its key is revoked",
                answers.refusal
            ));
        }
    }
    let stored = stored_batches(&bridge.facts()) - before;
    if stored < acknowledged || stored > acknowledged + unknown {
        faults.push(format!(
            "{acknowledged} batches were acknowledged as the key was revoked, {unknown} may be, and {stored} are stored"
        ));
    }
    faults
}

/// Produces one batch after another until long after the key was revoked.
async fn produce(mut client: Client, clock: Clock, revoked_ms: i64) -> Answers {
    let mut answers = Answers::default();
    let mut sent = 0;
    while clock.elapsed_ms() < revoked_ms + AFTER_MS {
        let is_after = clock.elapsed_ms() > revoked_ms + CACHED_MS;
        sent += 1;
        let value = format!("{}/{sent}", client.name);
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: 5_000,
            topic_data: vec![TopicProduceData {
                name: TOPIC.to_owned(),
                partition_data: vec![PartitionProduceData {
                    index: PARTITION,
                    records: Some(encode(PLAIN, clock.now_ms(), &[value])),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let response = client.call(&request, 9).await;
        let answer = response.ok().and_then(|mut response| {
            let mut topic = response.responses.pop()?;
            topic.partition_responses.pop()
        });
        match answer.map(|answer| (answer.error_code, answer.error_message)) {
            Some((ErrorCode::NONE, _)) => {
                answers.acknowledged += 1;
                answers.is_late |= is_after;
            }
            None | Some((ErrorCode::REQUEST_TIMED_OUT, _)) => answers.unknown += 1,
            refusal => answers.refusal = refusal,
        }
        sleep(client.weather.millis(100, 800)).await;
    }
    answers
}

/// The batches that the partition has ever accepted.
fn stored_batches(facts: &Value) -> usize {
    let topics = facts["topics"].as_array().map_or(&[][..], Vec::as_slice);
    let topic = topics.iter().find(|topic| topic["name"] == TOPIC);
    topic.map_or(0, |topic| {
        let partition = topic["partitions"].get(usize::try_from(PARTITION).unwrap_or(0));
        partition
            .and_then(|partition| partition["batches"].as_array())
            .map_or(0, Vec::len)
    })
}
