//! A client of the topics that an administrator changes: it produces and reads, also where nothing is any more.

use std::collections::BTreeMap;
use std::time::Duration;

use penstock_wire::messages::fetch::{FetchPartition, FetchTopic};
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{FetchRequest, ProduceRequest};
use penstock_wire::{ErrorCode, Uuid};
use tokio::time::sleep;

use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::records::{PLAIN, decode, encode};
use crate::scratch_topics::{Asked, Picked, ScratchTopics};
use crate::weather::Weather;

const LARGE_BYTES: usize = 2_000;
/// Three of them fill most of the memory of an agent with little.
const HUGE_BYTES: usize = 300_000;
const PAUSE: Duration = Duration::from_millis(200);
/// Attempts to get an answer in the calm.
const ATTEMPTS: usize = 20;

pub(crate) struct Visitor {
    client: Client,
    topics: ScratchTopics,
    clock: Clock,
    sent: usize,
    sends_huge: bool,
}

/// A partition's part of an answer to a fetch.
pub(crate) struct Found {
    pub(crate) code: ErrorCode,
    pub(crate) log_start: i64,
    pub(crate) high_watermark: i64,
    pub(crate) records: Vec<(i64, String)>,
    pub(crate) next: i64,
}

impl Visitor {
    pub(crate) fn new(client: Client, topics: &ScratchTopics, clock: Clock, sends_huge: bool) -> Self {
        Self {
            client,
            topics: topics.clone(),
            clock,
            sent: 0,
            sends_huge,
        }
    }

    /// Produces and reads until the storm is over.
    pub(crate) async fn run(mut self) {
        while self.client.weather.is_stormy() {
            let mut topics = self.topics.all();
            if !topics.is_empty() {
                let topic = topics.swap_remove(self.client.weather.below(topics.len()));
                let partition = self
                    .client
                    .weather
                    .below(usize::try_from(topic.partitions).unwrap_or(1)) as i32;
                let asked = Asked {
                    topic: topic.number,
                    partition,
                    sent_ms: self.clock.elapsed_ms(),
                    knows_all: false,
                };
                match self.client.weather.below(3) {
                    0 => {
                        let end = self.topics.end(topic.number, partition);
                        let from = self.client.weather.below(usize::try_from(end).unwrap_or(0) + 1) as i64;
                        Self::fetch(&mut self.client, &self.topics, asked, from).await;
                    }
                    _ => self.produce(&topic, asked).await,
                }
            }
            sleep(self.client.weather.millis(50, 1_200)).await;
            self.client.reconnect();
        }
    }

    /// Sends one batch, once.
    async fn produce(&mut self, topic: &Picked, asked: Asked) {
        let count = 1 + self.client.weather.below(3);
        let padding = match self.client.weather.below(8) {
            0 => LARGE_BYTES,
            1 if self.sends_huge => HUGE_BYTES,
            _ => 0,
        };
        let values: Vec<String> = (0..count)
            .map(|_| {
                self.sent += 1;
                format!("{}/{}{}", self.client.name, self.sent, ".".repeat(padding))
            })
            .collect();
        let batch = encode(PLAIN, self.clock.now_ms(), &values);
        let bytes = batch.len();
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: 20_000,
            topic_data: vec![TopicProduceData {
                name: topic.name.clone(),
                partition_data: vec![PartitionProduceData {
                    index: asked.partition,
                    records: Some(batch),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let Ok(mut response) = self.client.call(&request, 9).await else {
            return;
        };
        let answer = response
            .responses
            .pop()
            .and_then(|mut topic| topic.partition_responses.pop());
        let Some(answer) = answer else {
            self.topics
                .fault(format!("{}: an answer names no partition", topic.name));
            return;
        };
        self.topics.answers_produce(asked, bytes, answer.error_code);
        if answer.error_code.is_none() {
            self.topics.produced(asked, answer.base_offset, &values);
        }
    }

    /// Fetches from an offset, once, and judges the answer.
    pub(crate) async fn fetch(client: &mut Client, topics: &ScratchTopics, asked: Asked, from: i64) -> Option<Found> {
        let name = topics.all().get(asked.topic).map(|topic| topic.name.clone())?;
        let request = FetchRequest {
            max_wait_ms: 100,
            min_bytes: 1,
            max_bytes: 8 << 20,
            topics: vec![FetchTopic {
                topic: name.clone(),
                topic_id: Uuid::ZERO,
                partitions: vec![FetchPartition {
                    partition: asked.partition,
                    fetch_offset: from,
                    partition_max_bytes: 1 << 20,
                    ..Default::default()
                }],
            }],
            ..Default::default()
        };
        let response = client.call(&request, 11).await.ok()?;
        if !response.error_code.is_none() {
            return None;
        }
        let data = response.responses.into_iter().next()?.partitions.into_iter().next()?;
        topics.answers_read(asked, data.error_code);
        let mut found = Found {
            code: data.error_code,
            log_start: data.log_start_offset,
            high_watermark: data.high_watermark,
            records: Vec::new(),
            next: from,
        };
        if !data.error_code.is_none() {
            return Some(found);
        }
        match decode(&data.records.0) {
            Err(error) => topics.fault(format!("{name}: {error}")),
            Ok(batches) => {
                for batch in batches {
                    found.next = found.next.max(batch.end_offset);
                    let records = batch.records.into_iter().filter(|record| record.offset >= from);
                    found
                        .records
                        .extend(records.map(|record| (record.offset, record.value)));
                }
            }
        }
        topics.fetched(asked, from, found.log_start, &found.records);
        Some(found)
    }
}

/// After the storm: every agent knows every topic, and the partitions hold what was acknowledged.
pub(crate) async fn inspect(fleet: &Fleet, weather: &Weather, clock: Clock, topics: &ScratchTopics) {
    for number in 0..fleet.len() {
        let mut client = Client::new(format!("inspector-{number}"), fleet, weather).at(number);
        for topic in topics.all() {
            for partition in 0..topic.partitions {
                let asked = Asked {
                    topic: topic.number,
                    partition,
                    sent_ms: clock.elapsed_ms(),
                    knows_all: true,
                };
                read_whole(&mut client, topics, asked).await;
            }
        }
    }
}

/// Reads a partition from its log start to its end, and judges it. A deleted one must be unknown.
async fn read_whole(client: &mut Client, topics: &ScratchTopics, asked: Asked) {
    let mut from = 0;
    let mut log_start = None;
    let mut records = BTreeMap::new();
    for _ in 0..ATTEMPTS {
        let Some(found) = Visitor::fetch(client, topics, asked, from).await else {
            sleep(PAUSE).await;
            continue;
        };
        match found.code {
            ErrorCode::NONE if found.high_watermark >= 0 => {
                log_start = Some(found.log_start);
                records.extend(found.records);
                from = found.next;
                if from >= found.high_watermark {
                    topics.read_whole(asked, found.log_start, &records);
                    return;
                }
            }
            ErrorCode::OFFSET_OUT_OF_RANGE if log_start.is_none() && found.log_start > from => from = found.log_start,
            ErrorCode::UNKNOWN_TOPIC_OR_PARTITION | ErrorCode::UNKNOWN_TOPIC_ID => return,
            _ => sleep(PAUSE).await,
        }
    }
    topics.fault(format!(
        "partition {} of topic {} cannot be read",
        asked.partition, asked.topic
    ));
}
