//! Readers of both isolation levels.

use std::time::Duration;

use penstock_wire::messages::fetch::{FetchPartition, FetchTopic};
use penstock_wire::messages::{FetchRequest, FetchResponse};
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::history::{History, PARTITIONS, TOPIC};
use crate::records::{ReadBatch, ReadRecord, decode, mark_aborted};

const FETCH_VERSION: i16 = 11;

/// Which records a reader sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isolation {
    Uncommitted,
    Committed,
}

/// Reads all partitions from their beginning.
pub(crate) struct Reader {
    pub(crate) client: Client,
    pub(crate) history: History,
    pub(crate) isolation: Isolation,
    topic: &'static str,
    next: [i64; PARTITIONS as usize],
}

/// The content of a partition, as a reader found it.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) batches: Vec<ReadBatch>,
    pub(crate) high_watermark: i64,
    /// Records that a reader of committed records is given.
    pub(crate) committed: Vec<ReadRecord>,
}

impl Reader {
    pub(crate) fn new(client: Client, history: &History, isolation: Isolation) -> Self {
        Self {
            client,
            history: history.clone(),
            isolation,
            topic: TOPIC,
            next: [0; PARTITIONS as usize],
        }
    }

    /// Reads this topic instead.
    pub(crate) fn of_topic(self, topic: &'static str) -> Self {
        Self { topic, ..self }
    }

    /// Reads until the storm is over.
    pub(crate) async fn run(mut self) {
        let mut logs: Vec<Log> = (0..PARTITIONS).map(|_| Log::default()).collect();
        while self.client.weather.is_stormy() {
            self.step(&mut logs).await;
            if self.client.weather.below(200) == 0 {
                // A new consumer begins at the beginning.
                self.next = Default::default();
            }
        }
    }

    /// Reads everything that there is.
    pub(crate) async fn read_all(mut self) -> Vec<Log> {
        let mut logs: Vec<Log> = (0..PARTITIONS).map(|_| Log::default()).collect();
        let mut rounds = 0;
        loop {
            let is_answered = self.step(&mut logs).await;
            let is_at_end = logs.iter().zip(self.next).all(|(log, next)| next >= log.high_watermark);
            rounds += 1;
            if is_answered && is_at_end {
                return logs;
            }
            if rounds > 3_000 {
                self.history.fault(format!(
                    "{}: cannot read to the end: {:?} of {:?}",
                    self.client.name,
                    self.next,
                    logs.iter().map(|log| log.high_watermark).collect::<Vec<_>>()
                ));
                return logs;
            }
        }
    }

    /// Makes one fetch. Returns true if all partitions were answered.
    async fn step(&mut self, logs: &mut [Log]) -> bool {
        let partitions = self
            .next
            .iter()
            .zip(0..)
            .map(|(fetch_offset, partition)| FetchPartition {
                partition,
                fetch_offset: *fetch_offset,
                partition_max_bytes: 1 << 20,
                ..Default::default()
            });
        let request = FetchRequest {
            max_wait_ms: 500,
            min_bytes: 1,
            max_bytes: 8 << 20,
            isolation_level: i8::from(self.isolation == Isolation::Committed),
            topics: vec![FetchTopic {
                topic: self.topic.to_owned(),
                partitions: partitions.collect(),
                ..Default::default()
            }],
            ..Default::default()
        };
        let asked = Instant::now();
        match self.client.call(&request, FETCH_VERSION).await {
            Ok(response) => self.take(response, logs, asked).await,
            Err(_) => false,
        }
    }

    async fn take(&mut self, response: FetchResponse, logs: &mut [Log], asked: Instant) -> bool {
        let mut is_answered = response.error_code.is_none();
        for data in response.responses.into_iter().flat_map(|topic| topic.partitions) {
            let index = usize::try_from(data.partition_index).unwrap_or(usize::MAX);
            let (Some(next), Some(log)) = (self.next.get_mut(index), logs.get_mut(index)) else {
                self.history
                    .fault(format!("{}: a partition that it did not ask for", self.client.name));
                continue;
            };
            if !data.error_code.is_none() {
                if !data.error_code.is_retriable() && data.error_code != penstock_wire::ErrorCode::KAFKA_STORAGE_ERROR {
                    self.history.fault(format!(
                        "{}: fetch of partition {index} at {next} failed with {}",
                        self.client.name,
                        data.error_code.name()
                    ));
                }
                is_answered = false;
                self.client.reconnect();
                sleep(Duration::from_millis(200)).await;
                continue;
            }
            if data.high_watermark >= 0 && self.topic == TOPIC {
                let (reader, high_watermark) = (&self.client.name, data.high_watermark);
                self.history
                    .shows_end(reader, data.partition_index, asked, high_watermark);
            }
            log.high_watermark = log.high_watermark.max(match self.isolation {
                Isolation::Uncommitted => data.high_watermark,
                Isolation::Committed => data.last_stable_offset,
            });
            let batches = match decode(&data.records.0) {
                Ok(batches) => batches,
                Err(error) => {
                    self.history
                        .fault(format!("{}: partition {index} at {next}: {error}", self.client.name));
                    continue;
                }
            };
            let aborted = data.aborted_transactions.unwrap_or_default();
            let aborted = aborted.iter().map(|range| (range.producer_id, range.first_offset));
            let mut answered_end = 0;
            for (batch, is_dropped) in mark_aborted(batches, aborted.collect()) {
                if batch.first_offset < answered_end {
                    self.history.fault(format!(
                        "{}: an answer holds offset {} of partition {index} twice",
                        self.client.name, batch.first_offset
                    ));
                }
                answered_end = batch.end_offset;
                let bound = match self.isolation {
                    Isolation::Uncommitted => data.high_watermark,
                    Isolation::Committed => data.last_stable_offset,
                };
                if bound >= 0 && batch.end_offset > bound {
                    self.history.fault(format!(
                        "{}: partition {index} has offset {} beyond its bound {bound}",
                        self.client.name,
                        batch.end_offset - 1
                    ));
                }
                for record in batch.records.iter().filter(|record| record.offset >= *next) {
                    self.history.reads(self.topic, data.partition_index, record.clone());
                    if !is_dropped {
                        if self.isolation == Isolation::Committed && self.topic == TOPIC {
                            self.history.delivers(&record.value);
                        }
                        log.committed.push(record.clone());
                    }
                }
                if batch.end_offset > *next {
                    *next = batch.end_offset;
                    log.batches.push(batch);
                }
            }
        }
        is_answered
    }
}

/// The part of an answer that is about one partition.
pub(crate) struct Fetched {
    pub(crate) partition: i32,
    pub(crate) records: Vec<ReadRecord>,
    /// The offset to go on from.
    pub(crate) next: i64,
}

/// Fetches committed records from these partitions and offsets, once. Returns nothing if that fails as it may.
///
/// # Errors
/// Describes a broken guarantee.
pub(crate) async fn fetch_committed(
    client: &mut Client,
    topic: &str,
    from: &[(i32, i64)],
) -> Result<Vec<Fetched>, String> {
    let partitions = from.iter().map(|(partition, fetch_offset)| FetchPartition {
        partition: *partition,
        fetch_offset: *fetch_offset,
        partition_max_bytes: 1 << 20,
        ..Default::default()
    });
    let request = FetchRequest {
        max_wait_ms: 1_500,
        min_bytes: 1,
        max_bytes: 8 << 20,
        isolation_level: 1,
        topics: vec![FetchTopic {
            topic: topic.to_owned(),
            partitions: partitions.collect(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let Ok(response) = client.call(&request, FETCH_VERSION).await else {
        return Ok(Vec::new());
    };
    let mut fetched = Vec::new();
    for data in response.responses.into_iter().flat_map(|topic| topic.partitions) {
        let index = data.partition_index;
        let Some((_, start)) = from.iter().find(|(partition, _)| *partition == index) else {
            return Err(format!("{}: a partition that it did not ask for", client.name));
        };
        if !data.error_code.is_none() {
            if !data.error_code.is_retriable() {
                let code = data.error_code.name();
                return Err(format!(
                    "{}: fetch of partition {index} at {start}: {code}",
                    client.name
                ));
            }
            client.reconnect();
            continue;
        }
        let batches = decode(&data.records.0).map_err(|error| format!("{}: {index}: {error}", client.name))?;
        let aborted = data.aborted_transactions.unwrap_or_default();
        let aborted = aborted.iter().map(|range| (range.producer_id, range.first_offset));
        let mut part = Fetched {
            partition: index,
            records: Vec::new(),
            next: *start,
        };
        for (batch, is_dropped) in mark_aborted(batches, aborted.collect()) {
            let records = batch.records.into_iter().filter(|record| record.offset >= *start);
            if !is_dropped {
                part.records.extend(records);
            }
            part.next = part.next.max(batch.end_offset);
        }
        fetched.push(part);
    }
    Ok(fetched)
}
