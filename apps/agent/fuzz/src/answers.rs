//! Answers of a metadata service that has gone mad, to the calls that one request of a client causes.

use std::sync::Arc;

use arbitrary::Arbitrary;
use bytes::Bytes;
use penstock_metadata_client::testing::ScriptedMetadata;

use super::Door;
use super::requests::{Sent, ask, known, topic};

const TOPIC_ID: [u8; 16] = [7; 16];
const MAX_REQUESTS: usize = 3;

/// Requests, and the bodies of the answers to the calls that they cause.
#[derive(Arbitrary, Debug)]
pub struct Input<'a> {
    requests: Vec<Sent<'a>>,
    answers: Vec<&'a [u8]>,
}

/// Serves a connection of a client that sends the requests.
///
/// # Panics
/// Panics if an answer is none to its request.
pub fn run(input: &Input<'_>) {
    let metadata = Arc::new(ScriptedMetadata::default());
    for answer in &input.answers {
        metadata.answer_any(Bytes::copy_from_slice(answer));
    }
    let known = known(TOPIC_ID);
    let door = Door::open(metadata, &[topic(TOPIC_ID)]);
    door.visit(async |mut visit| {
        for sent in input.requests.iter().take(MAX_REQUESTS) {
            if !ask(&mut visit, sent, &known).await {
                break;
            }
        }
    });
}
