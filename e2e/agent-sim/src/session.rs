//! A producer's session with one topic: its id and epoch, its sequences, and its transactions. Sends a batch until it
//! is answered.

use std::time::Duration;

use bytes::Bytes;
use penstock_wire::ErrorCode;
use penstock_wire::messages::add_partitions_to_txn::AddPartitionsToTxnTopic;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{AddPartitionsToTxnRequest, EndTxnRequest, InitProducerIdRequest, ProduceRequest};
use tokio::time::sleep;

use crate::client::{Client, Lost};
use crate::history::{Ending, History};
use crate::records::{PLAIN, Writer};

const PRODUCE_VERSION: i16 = 9;
const TRANSACTION_TIMEOUT_MS: i32 = 60_000;

/// The final answer to a batch.
pub(crate) enum Outcome {
    Acknowledged(Option<i64>),
    Refused(ErrorCode),
}

/// A session. Without [`Session::begin`] it is that of a producer without idempotence.
pub(crate) struct Session {
    pub(crate) client: Client,
    history: History,
    topic: &'static str,
    transactional_id: Option<String>,
    id: i64,
    epoch: i16,
    /// The next sequence of each partition.
    sequences: Vec<i32>,
}

impl Session {
    pub(crate) fn new(
        client: Client,
        history: &History,
        (topic, partitions): (&'static str, i32),
        transactional_id: Option<String>,
    ) -> Self {
        Self {
            client,
            history: history.clone(),
            topic,
            transactional_id,
            id: -1,
            epoch: -1,
            sequences: vec![0; usize::try_from(partitions).unwrap_or(0)],
        }
    }

    /// Gets a producer id and epoch. Aborts the transaction of an earlier session.
    pub(crate) async fn begin(&mut self) {
        let request = InitProducerIdRequest {
            transactional_id: self.transactional_id.clone(),
            transaction_timeout_ms: TRANSACTION_TIMEOUT_MS,
            ..Default::default()
        };
        loop {
            match self.client.call(&request, 4).await {
                Ok(response) if response.error_code.is_none() => {
                    (self.id, self.epoch) = (response.producer_id, response.producer_epoch);
                    self.sequences.fill(0);
                    return;
                }
                Ok(_) => self.client.reconnect(),
                Err(Lost) => {}
            }
            sleep(Duration::from_millis(300)).await;
        }
    }

    /// How the next batch for a partition is to be written.
    pub(crate) fn writer(&self, partition: usize) -> Writer {
        match self.id {
            -1 => PLAIN,
            id => Writer {
                producer_id: id,
                epoch: self.epoch,
                base_sequence: self.sequences[partition],
                is_transactional: self.transactional_id.is_some(),
            },
        }
    }

    /// Sends a batch of `count` records until an answer says what became of it.
    pub(crate) async fn send(&mut self, partition: usize, batch: Bytes, count: usize) -> Outcome {
        let request = ProduceRequest {
            transactional_id: self.transactional_id.clone(),
            acks: -1,
            timeout_ms: 20_000,
            topic_data: vec![TopicProduceData {
                name: self.topic.to_owned(),
                partition_data: vec![PartitionProduceData {
                    index: partition as i32,
                    records: Some(batch),
                }],
                ..Default::default()
            }],
        };
        loop {
            let Ok(mut response) = self.client.call(&request, PRODUCE_VERSION).await else {
                continue;
            };
            let answer = response
                .responses
                .pop()
                .and_then(|mut topic| topic.partition_responses.pop());
            let Some(answer) = answer else {
                self.history
                    .fault(format!("{}: the answer names no partition", self.client.name));
                return Outcome::Refused(ErrorCode::NONE);
            };
            let offset = match answer.error_code {
                ErrorCode::NONE => Some(answer.base_offset).filter(|offset| *offset >= 0),
                ErrorCode::DUPLICATE_SEQUENCE_NUMBER => None,
                code if code.is_retriable() => {
                    self.client.reconnect();
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
                code => return Outcome::Refused(code),
            };
            self.sequences[partition] += count as i32;
            return Outcome::Acknowledged(offset);
        }
    }

    /// Adds all partitions to the transaction. Returns false if the session cannot go on.
    pub(crate) async fn add_partitions(&mut self) -> bool {
        let partitions = 0..i32::try_from(self.sequences.len()).unwrap_or(i32::MAX);
        let request = AddPartitionsToTxnRequest {
            v3_and_below_transactional_id: self.transactional_id.clone().unwrap_or_default(),
            v3_and_below_producer_id: self.id,
            v3_and_below_producer_epoch: self.epoch,
            v3_and_below_topics: vec![AddPartitionsToTxnTopic {
                name: self.topic.to_owned(),
                partitions: partitions.collect(),
            }],
            ..Default::default()
        };
        loop {
            if let Ok(response) = self.client.call(&request, 3).await {
                let mut codes = response
                    .results_by_topic_v3_and_below
                    .iter()
                    .flat_map(|topic| &topic.results_by_partition)
                    .map(|partition| partition.partition_error_code);
                match codes.find(|code| !code.is_none()) {
                    None => return true,
                    Some(code) if code.is_retriable() => self.client.reconnect(),
                    Some(_) => return false,
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Commits or aborts the transaction.
    pub(crate) async fn end(&mut self, is_committed: bool) -> Ending {
        let request = EndTxnRequest {
            transactional_id: self.transactional_id.clone().unwrap_or_default(),
            producer_id: self.id,
            producer_epoch: self.epoch,
            committed: is_committed,
        };
        loop {
            if let Ok(response) = self.client.call(&request, 3).await {
                match response.error_code {
                    ErrorCode::NONE if is_committed => return Ending::Committed,
                    ErrorCode::NONE => return Ending::Aborted,
                    code if code.is_retriable() => self.client.reconnect(),
                    _ => return Ending::Unknown,
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}
