//! Requests of every API and version to an agent that serves everyone: what a client sends after it has signed in. Bodies
//! are valid, damaged or arbitrary.

use arbitrary::Arbitrary;
use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_metadata_client::testing::InMemoryMetadata;
use penstock_wire::testing::{
    Known, Sampler, is_answer, request_reads_back, response_reads_back, sample_request, sample_response,
};
use penstock_wire::{ApiKey, Uuid};
use std::sync::Arc;

use super::{Damage, Door, Visit};

/// The topic that the agent knows.
pub const TOPIC: &str = "t";
pub const PARTITIONS: u32 = 2;
const MAX_REQUESTS: usize = 6;
/// A batch of one record without key and value, as it was compressed by none of the codecs.
const BATCH: &[u8] = include_bytes!("batch.bin");

/// A request, and how it is encoded.
#[derive(Arbitrary, Debug)]
pub struct Sent<'a> {
    api: u8,
    version: u8,
    seed: u64,
    /// Instead of a valid body.
    body: Option<&'a [u8]>,
    damage: Damage<'a>,
}

impl Sent<'_> {
    pub fn key(&self) -> ApiKey {
        ApiKey::ALL[usize::from(self.api) % ApiKey::ALL.len()]
    }

    /// A version that the agent can decode. It serves most of these.
    pub fn version(&self) -> i16 {
        let last = *self.key().versions().end();
        i16::from(self.version) % (last + 1)
    }

    fn damaged(&self, valid: Bytes) -> Bytes {
        let mut body = self.body.map_or_else(|| valid.to_vec(), <[u8]>::to_vec);
        self.damage.apply(&mut body);
        body.into()
    }

    fn sampler(&self, known: &Known) -> Sampler {
        Sampler::knowing(self.seed, known.clone())
    }

    /// The frame without its length prefix.
    pub fn frame(&self, known: &Known, correlation_id: i32) -> Vec<u8> {
        let (key, version) = (self.key(), self.version());
        let body = self.damaged(sample_request(key, version, &mut self.sampler(known)));
        let mut frame = [key.code().to_be_bytes(), version.to_be_bytes()].concat();
        frame.extend_from_slice(&correlation_id.to_be_bytes());
        // No client id.
        frame.extend_from_slice(&[0xff, 0xff]);
        if key.is_flexible(version) {
            frame.push(0);
        }
        frame.extend_from_slice(&body);
        frame
    }

    fn check_codec(&self, known: &Known) {
        let (key, version) = (self.key(), self.version());
        let is_valid = self.body.is_none() && self.damage.is_none();
        let request = self.damaged(sample_request(key, version, &mut self.sampler(known)));
        assert!(
            request_reads_back(key, version, request) || !is_valid,
            "a valid request is refused"
        );
        let response = self.damaged(sample_response(key, version, &mut self.sampler(known)));
        assert!(
            response_reads_back(key, version, response) || !is_valid,
            "a valid response is refused"
        );
    }
}

/// Names and ids that the agent knows, so that some requests concern them.
pub fn known(topic_id: [u8; 16]) -> Known {
    Known {
        texts: [
            TOPIC,
            "group",
            "User:alice",
            "*",
            "retention.ms",
            "1000",
            "range",
            "consumer",
        ]
        .map(str::to_owned)
        .to_vec(),
        ids: vec![Uuid(topic_id), Uuid([0; 16])],
        bytes: vec![Bytes::from_static(BATCH), Bytes::new()],
    }
}

/// The topic as the catalogue has it.
pub fn topic(topic_id: [u8; 16]) -> proto::Topic {
    proto::Topic {
        topic_id: Bytes::copy_from_slice(&topic_id),
        name: TOPIC.to_owned(),
        partitions: PARTITIONS,
        ..Default::default()
    }
}

/// Reads, writes and reads each message again. Then serves a connection of a client that sends the requests.
///
/// # Panics
/// Panics if a message changes on the way, or an answer is none to its request.
pub fn run(requests: &[Sent<'_>]) {
    let metadata = Arc::new(InMemoryMetadata::default());
    let topic_id = metadata.create_topic(TOPIC, PARTITIONS).into_bytes();
    let known = known(topic_id);
    for sent in requests.iter().take(MAX_REQUESTS) {
        sent.check_codec(&known);
    }
    let door = Door::open(metadata, &[topic(topic_id)]);
    door.visit(async |mut visit| {
        for sent in requests.iter().take(MAX_REQUESTS) {
            if !ask(&mut visit, sent, &known).await {
                break;
            }
        }
    });
}

/// Sends a request and checks its answer. Returns false if the agent has closed the connection.
pub async fn ask(visit: &mut Visit, sent: &Sent<'_>, known: &Known) -> bool {
    const CORRELATION_ID: i32 = 7;
    let (key, version) = (sent.key(), sent.version());
    let frame = sent.frame(known, CORRELATION_ID);
    if visit.send_frame(&frame).await.is_none() {
        return false;
    }
    // SaslAuthenticate of a client that need not sign in, and versions that are refused in the form of another one.
    let is_served = key.versions().contains(&version);
    visit
        .serves_after(|answer| {
            if is_served && answer.starts_with(&CORRELATION_ID.to_be_bytes()) {
                assert!(
                    is_answer(key, version, answer.into()),
                    "no answer to {key:?} version {version}"
                );
            }
        })
        .await
}
