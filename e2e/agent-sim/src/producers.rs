//! Producers: plain, idempotent and transactional. Each sends one batch at a time, and again until it is answered.

use std::time::Duration;

use bytes::Bytes;
use penstock_wire::ErrorCode;
use penstock_wire::messages::add_partitions_to_txn::AddPartitionsToTxnTopic;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{AddPartitionsToTxnRequest, EndTxnRequest, InitProducerIdRequest, ProduceRequest};
use tokio::time::sleep;

use crate::client::{Client, Lost};
use crate::clock::Clock;
use crate::history::{Ending, History, Kind, PARTITIONS, Sent, TOPIC};
use crate::records::{PLAIN, Writer, encode};

const PRODUCE_VERSION: i16 = 9;
const TRANSACTION_TIMEOUT_MS: i32 = 60_000;

/// A producer and its place in the history.
pub(crate) struct Producer {
    pub(crate) number: usize,
    pub(crate) kind: Kind,
    pub(crate) client: Client,
    pub(crate) history: History,
    pub(crate) clock: Clock,
    id: i64,
    epoch: i16,
    sequences: [i32; PARTITIONS as usize],
    sent: usize,
}

/// The final answer to a batch.
enum Outcome {
    Acknowledged(Option<i64>),
    Refused(ErrorCode),
}

impl Producer {
    pub(crate) fn new(number: usize, kind: Kind, client: Client, history: &History, clock: Clock) -> Self {
        Self {
            number,
            kind,
            client,
            history: history.clone(),
            clock,
            id: -1,
            epoch: -1,
            sequences: [0; PARTITIONS as usize],
            sent: 0,
        }
    }

    /// Sends until the storm is over, and then finishes what it has begun.
    pub(crate) async fn run(mut self) {
        if self.kind != Kind::Plain {
            self.begin_session().await;
        }
        while self.client.weather.is_stormy() {
            match self.kind {
                Kind::Transactional => self.transaction().await,
                Kind::Plain | Kind::Idempotent => {
                    self.send_batch(None).await;
                }
            }
            sleep(self.client.weather.millis(20, 700)).await;
        }
    }

    fn transactional_id(&self) -> Option<String> {
        (self.kind == Kind::Transactional).then(|| format!("transactions-{}", self.number))
    }

    /// Gets a producer id and epoch. Aborts the transaction of an earlier session.
    async fn begin_session(&mut self) {
        let request = InitProducerIdRequest {
            transactional_id: self.transactional_id(),
            transaction_timeout_ms: TRANSACTION_TIMEOUT_MS,
            ..Default::default()
        };
        loop {
            match self.client.call(&request, 4).await {
                Ok(response) if response.error_code.is_none() => {
                    (self.id, self.epoch) = (response.producer_id, response.producer_epoch);
                    self.sequences = Default::default();
                    return;
                }
                Ok(_) => self.client.reconnect(),
                Err(Lost) => {}
            }
            sleep(Duration::from_millis(300)).await;
        }
    }

    async fn send_batch(&mut self, transaction: Option<usize>) -> bool {
        let partition = self.client.weather.below(PARTITIONS as usize);
        let count = 1 + self.client.weather.below(4);
        let values: Vec<String> = (0..count)
            .map(|_| {
                self.sent += 1;
                format!("{}/{partition}/{}", self.client.name, self.sent)
            })
            .collect();
        let number = self.history.sends(Sent {
            producer: self.number,
            kind: self.kind,
            partition: partition as i32,
            values: values.clone(),
            base_offset: None,
            is_acknowledged: false,
            transaction,
        });
        let writer = match self.kind {
            Kind::Plain => PLAIN,
            kind => Writer {
                producer_id: self.id,
                epoch: self.epoch,
                base_sequence: self.sequences[partition],
                is_transactional: kind == Kind::Transactional,
            },
        };
        let batch = encode(writer, self.clock.now_ms(), &values);
        match self.send(partition as i32, batch).await {
            Outcome::Acknowledged(offset) => {
                self.history.acknowledged(number, offset);
                self.sequences[partition] += count as i32;
                true
            }
            Outcome::Refused(code) => {
                if self.kind == Kind::Idempotent {
                    self.history.fault(format!(
                        "{}: an idempotent batch was refused with {}",
                        self.client.name,
                        code.name()
                    ));
                }
                if self.kind != Kind::Plain {
                    self.begin_session().await;
                }
                false
            }
        }
    }

    /// Sends a batch until an answer says what became of it.
    async fn send(&mut self, partition: i32, batch: Bytes) -> Outcome {
        let request = ProduceRequest {
            transactional_id: self.transactional_id(),
            acks: -1,
            timeout_ms: 20_000,
            topic_data: vec![TopicProduceData {
                name: TOPIC.to_owned(),
                partition_data: vec![PartitionProduceData {
                    index: partition,
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
            match answer.error_code {
                ErrorCode::NONE => {
                    return Outcome::Acknowledged(Some(answer.base_offset).filter(|offset| *offset >= 0));
                }
                ErrorCode::DUPLICATE_SEQUENCE_NUMBER => return Outcome::Acknowledged(None),
                code if code.is_retriable() => {
                    self.client.reconnect();
                    sleep(Duration::from_millis(100)).await;
                }
                code => return Outcome::Refused(code),
            }
        }
    }

    async fn transaction(&mut self) {
        let transaction = self.history.begins_transaction();
        if !self.add_partitions().await {
            self.history.ends_transaction(transaction, Ending::Aborted);
            self.begin_session().await;
            return;
        }
        for _ in 0..=self.client.weather.below(3) {
            if !self.send_batch(Some(transaction)).await {
                // The new session has aborted it.
                self.history.ends_transaction(transaction, Ending::Aborted);
                return;
            }
        }
        let is_committed = self.client.weather.below(3) > 0;
        let ending = self.end(is_committed).await;
        self.history.ends_transaction(transaction, ending);
        if ending == Ending::Unknown {
            self.begin_session().await;
        }
    }

    async fn add_partitions(&mut self) -> bool {
        let request = AddPartitionsToTxnRequest {
            v3_and_below_transactional_id: self.transactional_id().unwrap_or_default(),
            v3_and_below_producer_id: self.id,
            v3_and_below_producer_epoch: self.epoch,
            v3_and_below_topics: vec![AddPartitionsToTxnTopic {
                name: TOPIC.to_owned(),
                partitions: (0..PARTITIONS).collect(),
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

    async fn end(&mut self, is_committed: bool) -> Ending {
        let request = EndTxnRequest {
            transactional_id: self.transactional_id().unwrap_or_default(),
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
