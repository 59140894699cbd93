//! A producer that does not wait for answers: it sends several batches over one connection, and those without an
//! acknowledgement again, in their order.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{InitProducerIdRequest, ProduceRequest};
use penstock_wire::{ErrorCode, Reader, decode_response, encode_request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::{Instant, sleep, timeout};

use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::history::{History, Kind, PARTITIONS, Sent, TOPIC};
use crate::records::{Writer, encode};
use crate::weather::Weather;

const PRODUCE_VERSION: i16 = 9;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// As many as Kafka's producers have in flight.
const MOST_IN_FLIGHT: usize = 5;

/// A batch without an acknowledgement so far.
struct Unacknowledged {
    number: usize,
    bytes: Bytes,
}

pub(crate) struct BurstProducer {
    number: usize,
    client: Client,
    fleet: Fleet,
    weather: Weather,
    history: History,
    clock: Clock,
    /// Producer id and epoch.
    session: (i64, i16),
    next_sequences: [i32; PARTITIONS as usize],
    sent: usize,
    correlation_id: i32,
    pub(crate) slowest: Duration,
}

impl BurstProducer {
    pub(crate) fn new(number: usize, fleet: &Fleet, weather: &Weather, history: &History, clock: Clock) -> Self {
        let name = format!("bursts-{number}");
        Self {
            number,
            client: Client::new(name.clone(), fleet, weather),
            fleet: fleet.clone(),
            weather: weather.stream(&format!("{name}/sends")),
            history: history.clone(),
            clock,
            session: (-1, -1),
            next_sequences: Default::default(),
            sent: 0,
            correlation_id: 0,
            slowest: Duration::ZERO,
        }
    }

    /// Sends until the storm is over, often under a new producer id.
    pub(crate) async fn run(mut self) {
        while self.weather.is_stormy() {
            if self.session.0 < 0 || self.weather.below(3) == 0 {
                self.begin_session().await;
            }
            self.burst(None).await;
            sleep(self.weather.millis(200, 2_000)).await;
        }
    }

    pub(crate) async fn begin_session(&mut self) {
        let request = InitProducerIdRequest {
            transaction_timeout_ms: 60_000,
            ..Default::default()
        };
        loop {
            match self.client.call(&request, 4).await {
                Ok(response) if response.error_code.is_none() => {
                    self.session = (response.producer_id, response.producer_epoch);
                    self.next_sequences = Default::default();
                    return;
                }
                _ => self.client.reconnect(),
            }
            sleep(Duration::from_millis(300)).await;
        }
    }

    /// Sends some batches to a partition until all of them are acknowledged, through this agent or through any.
    pub(crate) async fn burst(&mut self, agent: Option<usize>) {
        let partition = self.weather.below(PARTITIONS as usize);
        let began = Instant::now();
        let mut waiting: VecDeque<Unacknowledged> = VecDeque::new();
        for _ in 0..2 + self.weather.below(MOST_IN_FLIGHT - 1) {
            waiting.push_back(self.batch(partition));
        }
        while !waiting.is_empty() {
            let agent = agent.unwrap_or_else(|| self.weather.below(self.fleet.len()));
            let stream = self.fleet.connect(agent);
            if let Some(stream) = stream {
                self.send_all(stream, partition, &mut waiting).await;
            }
            if !waiting.is_empty() {
                sleep(self.weather.millis(50, 400)).await;
            }
        }
        self.slowest = self.slowest.max(began.elapsed());
    }

    fn batch(&mut self, partition: usize) -> Unacknowledged {
        self.sent += 1;
        let values = vec![format!("{}/{partition}/{}", self.client.name, self.sent)];
        let number = self.history.sends(Sent {
            producer: self.number,
            kind: Kind::Idempotent,
            partition: partition as i32,
            values: values.clone(),
            base_offset: None,
            is_acknowledged: false,
            transaction: None,
        });
        let writer = Writer {
            producer_id: self.session.0,
            epoch: self.session.1,
            base_sequence: self.next_sequences[partition],
            is_transactional: false,
        };
        self.next_sequences[partition] += 1;
        Unacknowledged {
            number,
            bytes: encode(writer, self.clock.now_ms(), &values),
        }
    }

    /// Sends all batches and then reads the answers. Removes those that are acknowledged.
    async fn send_all(&mut self, mut stream: DuplexStream, partition: usize, waiting: &mut VecDeque<Unacknowledged>) {
        let first_correlation_id = self.correlation_id + 1;
        for batch in waiting.iter() {
            let request = ProduceRequest {
                transactional_id: None,
                acks: -1,
                timeout_ms: 20_000,
                topic_data: vec![TopicProduceData {
                    name: TOPIC.to_owned(),
                    partition_data: vec![PartitionProduceData {
                        index: partition as i32,
                        records: Some(batch.bytes.clone()),
                    }],
                    ..Default::default()
                }],
            };
            self.correlation_id += 1;
            let Ok(frame) = encode_request(&request, PRODUCE_VERSION, self.correlation_id, Some(&self.client.name))
            else {
                return;
            };
            // Later batches get into later files.
            sleep(self.weather.millis(0, 300)).await;
            if stream.write_all(&frame.to_bytes()).await.is_err() {
                return;
            }
        }
        let mut unanswered: VecDeque<Unacknowledged> = std::mem::take(waiting);
        let mut correlation_id = first_correlation_id;
        while let Some(batch) = unanswered.pop_front() {
            let answer = timeout(ANSWER_TIMEOUT, read_answer(&mut stream, correlation_id)).await;
            correlation_id += 1;
            match answer {
                Ok(Some((ErrorCode::NONE, offset))) => {
                    self.history
                        .acknowledged(batch.number, Some(offset).filter(|offset| *offset >= 0));
                }
                Ok(Some((ErrorCode::DUPLICATE_SEQUENCE_NUMBER, _))) => self.history.acknowledged(batch.number, None),
                Ok(Some((code, _))) => {
                    // One that follows a missing batch is out of order.
                    let follows_missing = code == ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER && !waiting.is_empty();
                    if !code.is_retriable() && !follows_missing {
                        self.history.fault(format!(
                            "{}: an idempotent batch was refused with {}",
                            self.client.name,
                            code.name()
                        ));
                        return;
                    }
                    self.history.must_retry();
                    waiting.push_back(batch);
                }
                _ => {
                    waiting.push_back(batch);
                    waiting.append(&mut unanswered);
                }
            }
        }
    }
}

async fn read_answer(stream: &mut DuplexStream, expected: i32) -> Option<(ErrorCode, i64)> {
    let length = stream.read_u32().await.ok()?;
    let mut body = vec![0; length as usize];
    stream.read_exact(&mut body).await.ok()?;
    let mut reader = Reader::new(Bytes::from(body));
    let (correlation_id, response) = decode_response::<ProduceRequest>(&mut reader, PRODUCE_VERSION).ok()?;
    let topic = response.responses.into_iter().next()?;
    let partition = topic.partition_responses.into_iter().next()?;
    (correlation_id == expected).then_some((partition.error_code, partition.base_offset))
}
