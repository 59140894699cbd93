//! Consumers that together read every record of the topic once, like members of a group with range assignment.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use penstock_wire::messages::FetchRequest;
use penstock_wire::messages::fetch::{FetchPartition, FetchTopic, PartitionData};
use penstock_wire::record_batch::Batch;
use serde_json::json;
use tokio::sync::Notify;
use tokio::task::LocalSet;

use crate::batch::wall_ms;
use crate::connection::{LoadError, Receiver, Sender, call};
use crate::latency::Latencies;
use crate::topic::{Target, partition_count};

/// The last Fetch version with topic names.
const FETCH_VERSION: i16 = 12;
/// Defaults of the Java consumer: `fetch.max.wait.ms`, `fetch.max.bytes`, `max.partition.fetch.bytes`.
const MAX_WAIT_MS: i32 = 500;
const MAX_BYTES: i32 = 50 * 1_048_576;
const PARTITION_MAX_BYTES: i32 = 1_048_576;
const LONGEST_RUN: Duration = Duration::from_secs(600);

#[derive(clap::Args)]
pub struct Settings {
    /// Consumers, each with a connection of its own
    #[arg(long)]
    consumers: i32,
    /// Records that are read beforehand, from the beginning as well, and not measured
    #[arg(long)]
    warm_up_records: u64,
    /// Records that the topic holds
    #[arg(long)]
    records: u64,
    /// A consumer begins when all together have read so many records more than when the one before it began
    #[arg(long, default_value_t = 0)]
    records_apart: u64,
}

/// State shared by the consumers.
struct Progress {
    records: Cell<u64>,
    /// Total size of the batches as received, in bytes.
    bytes: Cell<u64>,
    requests: Cell<u64>,
    expected: u64,
    /// Wakes consumers that wait for their turn, to check `records` again.
    has_grown: Notify,
    all_read: Notify,
    /// Creation time from which batches count in the latencies.
    measured_from_ms: Cell<i64>,
    latencies: RefCell<Latencies>,
}

struct Position {
    partition: i32,
    offset: i64,
}

struct Consumer {
    connection: (Sender, Receiver),
    topic: String,
    /// Partitions whose turn it is come first. A partition that returned records moves to the end, as in the Java
    /// client.
    positions: VecDeque<Position>,
}

pub async fn run(target: &Target, settings: &Settings) -> Result<serde_json::Value, LoadError> {
    if settings.warm_up_records > 0 {
        let consumers = connect_all(target, settings.consumers).await?;
        read_all(consumers, settings.warm_up_records, 0).await?;
    }
    let consumers = connect_all(target, settings.consumers).await?;
    crate::await_start().await?;
    let began = Instant::now();
    let progress = read_all(consumers, settings.records, settings.records_apart).await?;
    let seconds = began.elapsed().as_secs_f64();
    if progress.records.get() != settings.records {
        return Err(LoadError::Wrong(format!(
            "{} records instead of {}",
            progress.records.get(),
            settings.records
        )));
    }
    Ok(json!({
        "records": progress.records.get(),
        "bytes": progress.bytes.get(),
        "seconds": seconds,
        "requests": progress.requests.get(),
    }))
}

/// Connects consumers, which start at the beginning of their partitions.
async fn connect_all(target: &Target, count: i32) -> Result<Vec<Consumer>, LoadError> {
    let mut consumers = Vec::new();
    for number in 0..count {
        let mut connection = target.server.connect().await?;
        let partitions = partition_count(target, &mut connection, None).await?;
        let boundary = |number: i32| partitions * number / count;
        consumers.push(Consumer {
            connection,
            topic: target.topic.clone(),
            positions: (boundary(number)..boundary(number + 1))
                .map(|partition| Position {
                    partition,
                    offset: 0,
                })
                .collect(),
        });
    }
    Ok(consumers)
}

/// Reads until at least `expected` records have arrived. Each consumer starts `records_apart` records after the
/// previous one.
async fn read_all(
    consumers: Vec<Consumer>,
    expected: u64,
    records_apart: u64,
) -> Result<Rc<Progress>, LoadError> {
    let reading = async {
        let mut reading = Reading::start(consumers, expected, records_apart);
        reading.finish().await?;
        Ok(reading.progress)
    };
    LocalSet::new().run_until(reading).await
}

/// A set of running consumers.
struct Reading {
    progress: Rc<Progress>,
    failures: tokio::sync::mpsc::Receiver<LoadError>,
}

impl Reading {
    /// Starts the consumers on the current task set.
    fn start(consumers: Vec<Consumer>, expected: u64, records_apart: u64) -> Self {
        let progress = Rc::new(Progress::new(expected));
        let (failed, failures) = tokio::sync::mpsc::channel(1);
        for (number, consumer) in (0..).zip(consumers) {
            let (progress, failed) = (progress.clone(), failed.clone());
            tokio::task::spawn_local(async move {
                progress.wait_for(number * records_apart).await;
                if let Err(error) = consumer.read(&progress).await {
                    // Full if another one has already failed.
                    let _ = failed.try_send(error);
                }
            });
        }
        Self { progress, failures }
    }

    /// Waits until everything is read.
    async fn finish(&mut self) -> Result<(), LoadError> {
        let progress = &self.progress;
        tokio::select! {
            () = progress.all_read.notified() => Ok(()),
            Some(error) = self.failures.recv() => Err(error),
            () = tokio::time::sleep(LONGEST_RUN) => Err(LoadError::Wrong(format!(
                "only {} of {} records after {LONGEST_RUN:?}", progress.records.get(), progress.expected
            ))),
        }
    }
}

/// Consumers that read while the topic is written: `fan_out` times everything from its beginning.
pub struct Tail(Reading);

impl Tail {
    /// Starts the consumers on the current task set. `records` is the number that the topic will contain.
    pub async fn start(
        target: &Target,
        consumers: i32,
        fan_out: i32,
        records: u64,
    ) -> Result<Self, LoadError> {
        let mut all = Vec::new();
        for _ in 0..fan_out {
            all.extend(connect_all(target, consumers).await?);
        }
        let expected = records * u64::from(fan_out.unsigned_abs());
        Ok(Self(Reading::start(all, expected, 0)))
    }

    /// Starts to measure latencies.
    pub fn measure(&self) {
        self.0.progress.measured_from_ms.set(wall_ms());
    }

    /// Waits until everything is read. Latencies are from the creation of a record to its arrival at a consumer.
    pub async fn finish(mut self) -> Result<serde_json::Value, LoadError> {
        self.0.finish().await?;
        let progress = &self.0.progress;
        let latencies = Latencies::merged([progress.latencies.take()]);
        Ok(json!({
            "fetch_requests": progress.requests.get(),
            "end_to_end_p50_ms": latencies.percentile_ms(0.5),
            "end_to_end_p99_ms": latencies.percentile_ms(0.99),
        }))
    }
}

impl Progress {
    fn new(expected: u64) -> Self {
        Self {
            records: Cell::new(0),
            bytes: Cell::new(0),
            requests: Cell::new(0),
            expected,
            has_grown: Notify::new(),
            all_read: Notify::new(),
            measured_from_ms: Cell::new(i64::MAX),
            latencies: RefCell::default(),
        }
    }

    async fn wait_for(&self, records: u64) {
        while self.records.get() < records {
            self.has_grown.notified().await;
        }
    }
}

impl Consumer {
    async fn read(mut self, progress: &Progress) -> Result<(), LoadError> {
        loop {
            let request = FetchRequest {
                max_wait_ms: MAX_WAIT_MS,
                min_bytes: 1,
                max_bytes: MAX_BYTES,
                topics: vec![FetchTopic {
                    topic: self.topic.clone(),
                    partitions: self.positions.iter().map(Position::request).collect(),
                    ..FetchTopic::default()
                }],
                ..FetchRequest::default()
            };
            let answer = call(&mut self.connection, &request, FETCH_VERSION).await?;
            LoadError::check("Fetch", answer.error_code)?;
            progress.requests.set(progress.requests.get() + 1);
            for data in answer
                .responses
                .into_iter()
                .flat_map(|topic| topic.partitions)
            {
                let (records, bytes) = self.take(data, progress)?;
                progress.records.set(progress.records.get() + records);
                progress.bytes.set(progress.bytes.get() + bytes);
            }
            progress.has_grown.notify_waiters();
            if progress.records.get() >= progress.expected {
                progress.all_read.notify_one();
            }
        }
    }

    /// Checks a partition's batches and advances past them. Returns the number of records and bytes.
    fn take(&mut self, data: PartitionData, progress: &Progress) -> Result<(u64, u64), LoadError> {
        LoadError::check("Fetch", data.error_code)?;
        let now_ms = wall_ms();
        let (mut records, mut bytes) = (0, 0);
        for mut chunk in data.records.0 {
            let at = self
                .positions
                .iter()
                .position(|of| of.partition == data.partition_index);
            let Some(mut position) = at.and_then(|at| self.positions.remove(at)) else {
                return Err(LoadError::Wrong(format!(
                    "partition {} was not asked for",
                    data.partition_index
                )));
            };
            // A response may end within a batch.
            while let Ok(batch) = Batch::split_off(&mut chunk) {
                batch.check_crc()?;
                if batch.header.base_offset != position.offset {
                    return Err(LoadError::Wrong(format!(
                        "partition {}: offset {} instead of {}",
                        position.partition, batch.header.base_offset, position.offset
                    )));
                }
                position.offset += i64::from(batch.header.last_offset_delta) + 1;
                let created_ms = batch.header.max_timestamp_ms;
                if created_ms >= progress.measured_from_ms.get() {
                    let age_ms = u64::try_from(now_ms - created_ms).unwrap_or(0);
                    progress
                        .latencies
                        .borrow_mut()
                        .add(Duration::from_millis(age_ms));
                }
                records += u64::from(batch.header.records_count.unsigned_abs());
                bytes += batch.bytes.len() as u64;
            }
            self.positions.push_back(position);
        }
        Ok((records, bytes))
    }
}

impl Position {
    fn request(&self) -> FetchPartition {
        FetchPartition {
            partition: self.partition,
            fetch_offset: self.offset,
            partition_max_bytes: PARTITION_MAX_BYTES,
            ..FetchPartition::default()
        }
    }
}
