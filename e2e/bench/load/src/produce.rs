//! Producers at full speed or at a steady rate.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{InitProducerIdRequest, ProduceRequest};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::LocalSet;

use crate::batch::{Codec, Origin, Payloads, RECORD_BYTES, wall_ms};
use crate::connection::{LoadError, Receiver, Sender, call};
use crate::latency::Latencies;
use crate::topic::{Target, partition_count};

/// The last Produce version with topic names.
const PRODUCE_VERSION: i16 = 12;
const INIT_PRODUCER_ID_VERSION: i16 = 4;
/// The Java client's default for `max.in.flight.requests.per.connection`.
const TIMEOUT_MS: i32 = 30_000;
const LONGEST_START: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub struct Settings {
    /// Producers, each with a connection of its own
    #[arg(long)]
    producers: usize,
    /// Records that are sent beforehand, as fast as it goes, and not measured
    #[arg(long)]
    warm_up_records: u64,
    /// Records that are sent and measured
    #[arg(long)]
    records: u64,
    /// MiB per second of all producers together; 0: as fast as it goes
    #[arg(long)]
    mib_per_s: f64,
    /// How long a producer waits for a batch to fill, at a steady rate
    #[arg(long)]
    linger_ms: u64,
    /// The largest batch, compressed
    #[arg(long)]
    batch_bytes: usize,
    /// How batches are compressed
    #[arg(long, value_enum, default_value_t = Codec::Lz4)]
    codec: Codec,
    /// Requests of a producer in flight; the default is that of the Java client
    #[arg(long, default_value_t = 5)]
    in_flight: usize,
    /// How records are spread over partitions
    #[arg(long, value_enum, default_value_t = Partitioner::Sticky)]
    partitioner: Partitioner,
}

/// How a producer spreads its records over partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Partitioner {
    /// Each batch goes to a partition drawn at random
    Sticky,
    /// Each record goes to the next partition, in a batch of its own
    RoundRobin,
    /// Each producer has a partition of its own
    Own,
}

/// State shared by all producers in one phase of the load.
struct Stretch {
    /// Number of records that no producer has taken yet.
    left: Cell<u64>,
    /// Time between two records of a producer; `None` for full speed.
    interval: Option<Duration>,
    linger: Duration,
    in_flight: usize,
    began: Instant,
}

/// A producer between two phases.
struct Producer {
    sender: Sender,
    receiver: Receiver,
    batches: Batches,
    /// Fraction of the linger time by which this producer's clock lags the first one's, so that they do not all send at
    /// once.
    phase: f64,
}

/// The state from which a producer creates its next batch.
struct Batches {
    topic: String,
    partitions: i32,
    producer_id: i64,
    producer_epoch: i16,
    /// Next sequence number of each partition.
    sequences: Vec<i32>,
    partitioner: Partitioner,
    /// The partition of the next batch, unless it is drawn.
    next_partition: i32,
    random: StdRng,
}

/// Statistics of sent and acknowledged records.
#[derive(Default)]
pub struct Sent {
    requests: u64,
    records: u64,
    batch_bytes: u64,
    latencies: Latencies,
}

/// Creation times of a request's records, by the wall clock.
#[derive(Clone, Copy)]
struct Created {
    first_ms: f64,
    interval_ms: f64,
}

impl Created {
    fn of_record(self, record: usize) -> i64 {
        (self.first_ms + self.interval_ms * record as f64) as i64
    }
}

/// A request that awaits its response.
struct Pending {
    records: u64,
    batch_bytes: usize,
    /// When its first record was created, and the interval between records.
    first: Instant,
    interval: Duration,
    _permit: OwnedSemaphorePermit,
}

impl Settings {
    /// Total number of records sent.
    pub fn all_records(&self) -> u64 {
        self.warm_up_records + self.records
    }
}

pub async fn run(target: &Target, settings: &Settings) -> Result<serde_json::Value, LoadError> {
    LocalSet::new()
        .run_until(run_here(target, settings, || ()))
        .await
}

/// Like [`run`], on the current task set. Calls `on_start` when the measured load begins.
pub async fn run_here(
    target: &Target,
    settings: &Settings,
    on_start: impl FnOnce(),
) -> Result<serde_json::Value, LoadError> {
    let payloads = Rc::new(Payloads::new(settings.batch_bytes, settings.codec)?);
    let mut producers = Vec::new();
    for number in 0..settings.producers {
        producers.push(Producer::new(target, number, settings).await?);
    }
    let warm_up = stretch(settings, settings.warm_up_records, 0.0);
    (producers, _) = send_all(producers, &payloads, warm_up).await?;
    crate::await_start().await?;
    on_start();
    let measured = stretch(settings, settings.records, settings.mib_per_s);
    let began = measured.began;
    let (_, sent) = send_all(producers, &payloads, measured).await?;
    let seconds = began.elapsed().as_secs_f64();
    Ok(report(sent, seconds))
}

fn stretch(settings: &Settings, records: u64, mib_per_s: f64) -> Rc<Stretch> {
    let each_per_s = mib_per_s * 1_048_576.0 / RECORD_BYTES as f64 / settings.producers as f64;
    Rc::new(Stretch {
        left: Cell::new(records),
        interval: (each_per_s > 0.0).then(|| Duration::from_secs_f64(1.0 / each_per_s)),
        linger: Duration::from_millis(settings.linger_ms),
        in_flight: settings.in_flight,
        began: Instant::now(),
    })
}

fn report(sent: Vec<Sent>, seconds: f64) -> serde_json::Value {
    let requests: u64 = sent.iter().map(|sent| sent.requests).sum();
    let records: u64 = sent.iter().map(|sent| sent.records).sum();
    let bytes: u64 = sent.iter().map(|sent| sent.batch_bytes).sum();
    let latencies = Latencies::merged(sent.into_iter().map(|sent| sent.latencies));
    json!({
        "records": records,
        "seconds": seconds,
        "requests": requests,
        "bytes": bytes,
        "batch_bytes": bytes / requests.max(1),
        "p50_ms": latencies.percentile_ms(0.5),
        "p99_ms": latencies.percentile_ms(0.99),
    })
}

async fn send_all(
    producers: Vec<Producer>,
    payloads: &Rc<Payloads>,
    stretch: Rc<Stretch>,
) -> Result<(Vec<Producer>, Vec<Sent>), LoadError> {
    let running: Vec<_> = producers
        .into_iter()
        .map(|producer| tokio::task::spawn_local(producer.send(payloads.clone(), stretch.clone())))
        .collect();
    let mut after = (Vec::new(), Vec::new());
    for task in running {
        let (producer, sent) = task
            .await
            .map_err(|error| LoadError::Wrong(format!("a producer ended: {error}")))??;
        after.0.push(producer);
        after.1.push(sent);
    }
    Ok(after)
}

impl Producer {
    async fn new(target: &Target, number: usize, settings: &Settings) -> Result<Self, LoadError> {
        let mut connection = target.server.connect().await?;
        let partitions = partition_count(target, &mut connection, None).await?;
        let request = InitProducerIdRequest {
            transaction_timeout_ms: TIMEOUT_MS,
            ..InitProducerIdRequest::default()
        };
        let began = Instant::now();
        let granted = loop {
            let granted = call(&mut connection, &request, INIT_PRODUCER_ID_VERSION).await?;
            // A recently started broker does not assign ids at first; clients retry.
            if granted.error_code.is_retriable() && began.elapsed() < LONGEST_START {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            LoadError::check("InitProducerId", granted.error_code)?;
            break granted;
        };
        let (sender, receiver) = connection;
        Ok(Self {
            sender,
            receiver,
            batches: Batches {
                topic: target.topic.clone(),
                partitions,
                producer_id: granted.producer_id,
                producer_epoch: granted.producer_epoch,
                sequences: vec![0; partitions as usize],
                partitioner: settings.partitioner,
                next_partition: (number % partitions as usize) as i32,
                random: StdRng::seed_from_u64(number as u64),
            },
            phase: number as f64 / settings.producers as f64,
        })
    }

    /// Sends until no record is left, and returns when all are acknowledged.
    async fn send(
        self,
        payloads: Rc<Payloads>,
        stretch: Rc<Stretch>,
    ) -> Result<(Self, Sent), LoadError> {
        let Self {
            mut sender,
            receiver,
            mut batches,
            phase,
        } = self;
        let (pending, answers) = unbounded_channel();
        let receiving = tokio::task::spawn_local(receive(receiver, answers));
        let sending = batches
            .send(&mut sender, &payloads, &stretch, phase, pending)
            .await;
        let received = receiving
            .await
            .map_err(|error| LoadError::Wrong(format!("a producer ended: {error}")))?;
        // The server's error says more than the failure to send.
        let (receiver, sent) = received?;
        sending?;
        let producer = Self {
            sender,
            receiver,
            batches,
            phase,
        };
        Ok((producer, sent))
    }
}

impl Batches {
    /// Sends until no record is left, or until `pending` is closed because of an error response.
    async fn send(
        &mut self,
        sender: &mut Sender,
        payloads: &Payloads,
        stretch: &Stretch,
        phase: f64,
        pending: UnboundedSender<Pending>,
    ) -> Result<(), LoadError> {
        let slots = Arc::new(Semaphore::new(stretch.in_flight));
        let most = payloads.most_records() as u64;
        let began = stretch.began + stretch.linger.mul_f64(phase);
        let mut sent = 0_u64;
        loop {
            let first = stretch
                .interval
                .map(|interval| (began + interval.mul_f64(sent as f64), interval));
            if let Some((first, interval)) = first {
                let is_full = first + interval.mul_f64((most - 1) as f64);
                tokio::time::sleep_until((first + stretch.linger).min(is_full).into()).await;
            }
            let Ok(permit) = slots.clone().acquire_owned().await else {
                return Ok(());
            };
            let now = Instant::now();
            let ready = first.map_or(most, |(first, interval)| {
                let since = now.saturating_duration_since(first);
                (since.as_secs_f64() / interval.as_secs_f64()) as u64 + 1
            });
            // A request can name a partition only once.
            let most_at_once = match self.partitioner {
                Partitioner::RoundRobin => most.min(self.partitions as u64),
                Partitioner::Sticky | Partitioner::Own => most,
            };
            let records = ready.min(most_at_once).min(stretch.left.get());
            if records == 0 {
                return Ok(());
            }
            stretch.left.set(stretch.left.get() - records);
            let (first, interval) = first.unwrap_or((now, Duration::ZERO));
            let age = now.saturating_duration_since(first);
            let created = Created {
                first_ms: wall_ms() as f64 - age.as_secs_f64() * 1_000.0,
                interval_ms: interval.as_secs_f64() * 1_000.0,
            };
            let batch_bytes = self
                .send_records(sender, payloads, records as usize, created)
                .await?;
            sent += records;
            let is_closed = pending
                .send(Pending {
                    records,
                    batch_bytes,
                    first,
                    interval,
                    _permit: permit,
                })
                .is_err();
            if is_closed {
                return Ok(());
            }
        }
    }

    /// Sends a request. Returns the size of its batches.
    async fn send_records(
        &mut self,
        sender: &mut Sender,
        payloads: &Payloads,
        records: usize,
        created: Created,
    ) -> Result<usize, LoadError> {
        let per_batch = match self.partitioner {
            Partitioner::RoundRobin => 1,
            Partitioner::Sticky | Partitioner::Own => records,
        };
        let mut partition_data: Vec<PartitionProduceData> = Vec::new();
        let mut batch_bytes = 0;
        for first in (0..records).step_by(per_batch) {
            let partition = self.next_partition();
            let sequence = &mut self.sequences[partition as usize];
            let origin = Origin {
                producer_id: self.producer_id,
                producer_epoch: self.producer_epoch,
                base_sequence: *sequence,
            };
            *sequence += per_batch as i32;
            // A batch has one creation time. It represents one of its records, drawn at random.
            let record = first + self.random.random_range(0..per_batch);
            let batch = payloads.batch(per_batch, origin, created.of_record(record));
            batch_bytes += batch.len();
            partition_data.push(PartitionProduceData {
                index: partition,
                records: Some(batch),
            });
        }
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: TIMEOUT_MS,
            topic_data: vec![TopicProduceData {
                name: self.topic.clone(),
                partition_data,
                ..TopicProduceData::default()
            }],
            ..ProduceRequest::default()
        };
        sender.send(&request, PRODUCE_VERSION).await?;
        Ok(batch_bytes)
    }

    fn next_partition(&mut self) -> i32 {
        match self.partitioner {
            Partitioner::Sticky => self.random.random_range(0..self.partitions),
            Partitioner::Own => self.next_partition,
            Partitioner::RoundRobin => {
                let partition = self.next_partition;
                self.next_partition = (partition + 1) % self.partitions;
                partition
            }
        }
    }
}

/// Receives the responses in request order, until all requests have one.
async fn receive(
    mut receiver: Receiver,
    mut pending: UnboundedReceiver<Pending>,
) -> Result<(Receiver, Sent), LoadError> {
    let mut sent = Sent::default();
    while let Some(request) = pending.recv().await {
        let answer = receiver.receive::<ProduceRequest>(PRODUCE_VERSION).await?;
        let answered = Instant::now();
        let mut partitions = answer
            .responses
            .iter()
            .flat_map(|topic| &topic.partition_responses)
            .peekable();
        if partitions.peek().is_none() {
            return Err(LoadError::Wrong(
                "a Produce answer without its partition".into(),
            ));
        }
        for partition in partitions {
            LoadError::check("Produce", partition.error_code)?;
        }
        for record in 0..request.records {
            let created = request.first + request.interval.mul_f64(record as f64);
            sent.latencies
                .add(answered.saturating_duration_since(created));
        }
        sent.requests += 1;
        sent.records += request.records;
        sent.batch_bytes += request.batch_bytes as u64;
    }
    Ok((receiver, sent))
}
