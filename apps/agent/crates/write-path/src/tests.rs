//! Tests the write path with a failing bucket and metadata service, on a paused clock.

use std::sync::Arc;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_metadata_client::testing::InMemoryMetadata;
use penstock_store::testing::{FaultyStore, PutFault};
use penstock_store::{LandingBucket, is_landed};

use super::*;

/// Longer than files stay open.
const NEXT_FILE: Duration = Duration::from_secs(1);
const RECORD_BATCH_BYTES: usize = 64;

struct Bench {
    sender: Arc<Sender>,
    metadata: Arc<InMemoryMetadata>,
    store: Arc<FaultyStore>,
    write_path: Arc<WritePath>,
    topic: Arc<Topic>,
}

/// A batch of one record.
#[derive(Clone, Copy)]
struct Sent {
    partition: u32,
    producer_id: i64,
    sequence: i32,
}

/// A batch of an idempotent producer for partition 0.
fn idempotent(producer_id: i64, sequence: i32) -> Sent {
    Sent {
        partition: 0,
        producer_id,
        sequence,
    }
}

fn plain(partition: u32) -> Sent {
    Sent {
        partition,
        producer_id: -1,
        sequence: -1,
    }
}

impl Sent {
    fn checked(self) -> CheckedBatch {
        let mut bytes = BytesMut::new();
        bytes.put_i64(0);
        bytes.put_i32(i32::try_from(RECORD_BATCH_BYTES - 12).unwrap());
        bytes.put_i32(-1);
        bytes.put_i8(2);
        bytes.put_u32(0);
        bytes.put_i16(0);
        bytes.put_i32(0);
        bytes.put_i64(1000);
        bytes.put_i64(1000);
        bytes.put_i64(self.producer_id);
        bytes.put_i16(if self.producer_id < 0 { -1 } else { 0 });
        bytes.put_i32(self.sequence);
        bytes.put_i32(1);
        bytes.resize(RECORD_BATCH_BYTES, 0);
        let mut bytes = Bytes::from(bytes);
        CheckedBatch {
            batch: Batch::split_off(&mut bytes).unwrap(),
            uncompressed_bytes: RECORD_BATCH_BYTES as u64,
            transaction: None,
        }
    }
}

/// Creates topic t with two partitions.
fn created(metadata: &InMemoryMetadata, cache: &ClusterCache) -> Arc<Topic> {
    let topic_id = metadata.create_topic("t", 2);
    cache.upsert_topics(&[penstock_metadata_client::proto::Topic {
        topic_id: Bytes::copy_from_slice(topic_id.as_bytes()),
        name: "t".to_owned(),
        partitions: 2,
        ..Default::default()
    }]);
    Arc::clone(cache.catalogue().topic_by_name("t").unwrap())
}

fn with_puts_per_hour(standard: u32, landing: u32) -> WriteSettings {
    let mut settings = WriteSettings::default();
    settings.standard.puts_per_hour = standard;
    settings.landing.puts_per_hour = landing;
    settings
}

impl Bench {
    /// Creates a bench that seals no file early.
    fn new(faults: impl IntoIterator<Item = PutFault>) -> Self {
        Self::with_budget(0, faults)
    }

    fn with_budget(puts_per_hour: u32, faults: impl IntoIterator<Item = PutFault>) -> Self {
        let (metadata, store) = (Arc::<InMemoryMetadata>::default(), FaultyStore::failing(faults));
        let (cache, _) = ClusterCache::new();
        let topic = created(&metadata, &cache);
        let objects = Arc::new(Objects::new(&store.bucket(), "cluster"));
        let write_path = WritePath::new(
            Arc::clone(&metadata) as _,
            cache,
            (Arc::clone(&objects), BlockCache::new(objects, 1 << 20)),
            Arc::default(),
            "agent".to_owned(),
            with_puts_per_hour(puts_per_hour, 0),
        );
        Self {
            sender: Arc::default(),
            metadata,
            store,
            write_path,
            topic,
        }
    }

    /// Replaces the topic with another one of the same name.
    fn recreate_topic(&mut self) {
        self.metadata.delete_topic_silently(self.topic.id);
        self.topic = created(&self.metadata, &self.write_path.cache);
    }

    fn send(&self, batches: &[Sent]) -> Ticket {
        self.send_over(&self.sender, batches)
    }

    fn send_over(&self, sender: &Arc<Sender>, batches: &[Sent]) -> Ticket {
        let batches = batches
            .iter()
            .map(|sent| (Arc::clone(&self.topic), sent.partition, sent.checked()));
        self.write_path.admit(batches, None, sender, &mut Span::default())
    }
}

/// The base offset or error code of each batch.
async fn answers(ticket: Ticket) -> Vec<Result<i64, ErrorCode>> {
    let outcomes = ticket.outcomes().await.into_iter();
    outcomes
        .map(|outcome| match outcome.error_code {
            ErrorCode::NONE => Ok(outcome.base_offset),
            code => Err(code),
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn batches_after_one_that_was_not_stored_are_not_committed() {
    let bench = Bench::new([]);
    bench.store.set_fault(Some(PutFault::Refused));
    let first = bench.send(&[idempotent(7, 0)]);
    tokio::time::sleep(Duration::from_secs(30)).await;
    let second = bench.send(&[idempotent(7, 1)]);
    assert_eq!(answers(first).await, [Err(ErrorCode::KAFKA_STORAGE_ERROR)]);
    bench.store.set_fault(None);
    assert_eq!(answers(second).await, [Err(ErrorCode::NOT_ENOUGH_REPLICAS)]);
    let again = [bench.send(&[idempotent(7, 0)]), bench.send(&[idempotent(7, 1)])];
    for (offset, ticket) in (0..).zip(again) {
        assert_eq!(answers(ticket).await, [Ok(offset)]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_is_cached_before_any_reader_can_learn_of_it() {
    let bench = Bench::new([]);
    let held = bench.metadata.hold_commits().await;
    let ticket = bench.send(&[plain(0)]);
    tokio::time::sleep(NEXT_FILE).await;
    assert!(bench.write_path.blocks.held_bytes() >= RECORD_BATCH_BYTES);
    drop(held);
    assert_eq!(answers(ticket).await, [Ok(0)]);
}

#[tokio::test(start_paused = true)]
async fn batches_after_an_uncommitted_one_are_not_committed() {
    let bench = Bench::new([]);
    let held = bench.metadata.hold_commits().await;
    let mut tickets = Vec::new();
    for sequence in 0..3 {
        tickets.push(bench.send(&[idempotent(7, sequence)]));
        tokio::time::sleep(NEXT_FILE).await;
    }
    bench.metadata.fail_next_commits(1);
    drop(held);
    let mut codes = Vec::new();
    for ticket in tickets {
        codes.extend(answers(ticket).await);
    }
    let given_up = Err(ErrorCode::NOT_ENOUGH_REPLICAS);
    assert_eq!(codes, [Err(ErrorCode::REQUEST_TIMED_OUT), given_up, given_up]);
    assert!(bench.metadata.commits().is_empty());
    // This one was sent before the client learned of it.
    assert_eq!(answers(bench.send(&[idempotent(7, 3)])).await, [given_up]);
    let again = bench.send(&[idempotent(7, 0), idempotent(7, 1)]);
    assert_eq!(answers(again).await, [Ok(0), Ok(1)]);
}

#[tokio::test(start_paused = true)]
async fn batches_for_a_recreated_topic_wait_for_the_refused_one() {
    let mut bench = Bench::new([PutFault::Hangs]);
    let first = bench.send(&[idempotent(7, 5), plain(0)]);
    bench.recreate_topic();
    let second = bench.send(&[idempotent(7, 6), idempotent(8, 0)]);
    tokio::time::sleep(NEXT_FILE).await;
    let third = bench.send(&[idempotent(7, 7)]);
    let gone = Err(ErrorCode::UNKNOWN_TOPIC_ID);
    assert_eq!(answers(first).await, [gone, gone]);
    let given_up = Err(ErrorCode::NOT_ENOUGH_REPLICAS);
    assert_eq!(answers(second).await, [given_up, Ok(0)]);
    assert_eq!(answers(third).await, [given_up]);
    let again = bench.send(&[idempotent(7, 5), idempotent(7, 6), idempotent(7, 7)]);
    assert_eq!(answers(again).await, [Ok(1), Ok(2), Ok(3)]);
}

#[test]
fn a_producer_whose_agent_is_refused_finds_another_one() {
    let refused = RpcError::Unauthenticated("revoked".to_owned());
    assert_eq!(commit_error_code(&refused), ErrorCode::NOT_LEADER_OR_FOLLOWER);
}

#[tokio::test(start_paused = true)]
async fn other_producers_in_a_file_are_committed_without_the_failed() {
    let bench = Bench::new([]);
    let held = bench.metadata.hold_commits().await;
    let first = bench.send(&[idempotent(7, 0)]);
    tokio::time::sleep(NEXT_FILE).await;
    let elsewhere = Sent {
        partition: 1,
        ..idempotent(7, 0)
    };
    let second = bench.send(&[idempotent(8, 0), idempotent(7, 1), plain(0), elsewhere]);
    tokio::time::sleep(NEXT_FILE).await;
    bench.metadata.fail_next_commits(1);
    drop(held);
    assert_eq!(answers(first).await, [Err(ErrorCode::REQUEST_TIMED_OUT)]);
    let given_up = Err(ErrorCode::NOT_ENOUGH_REPLICAS);
    assert_eq!(answers(second).await, [Ok(0), given_up, Ok(1), Ok(0)]);
    let commits = bench.metadata.commits();
    let batch = RECORD_BATCH_BYTES as u64;
    assert_eq!(commits[0].run_partition, [0, 0, 1]);
    assert_eq!(commits[0].run_position, [0, 2 * batch, 3 * batch]);
    assert_eq!(commits[0].run_batches, [1, 1, 1]);
    assert_eq!(commits[0].batch_producer_id, [8, -1, 7]);
}

#[tokio::test(start_paused = true)]
async fn all_files_that_wait_for_an_outage_fail_together() {
    let bench = Bench::new([]);
    let _held = bench.metadata.hold_commits().await;
    let started = Instant::now();
    let mut tickets = Vec::new();
    for _ in 0..4 {
        tickets.push(bench.send(&[plain(0)]));
        tokio::time::sleep(NEXT_FILE).await;
    }
    for ticket in tickets {
        assert_eq!(answers(ticket).await, [Err(ErrorCode::REQUEST_TIMED_OUT)]);
    }
    let settings = WriteSettings::default();
    let longest = settings.put_timeout + settings.commit_timeout + 5 * NEXT_FILE;
    assert!(started.elapsed() <= longest, "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_commit_names_the_transaction_of_each_batch() {
    let bench = Bench::new([]);
    let of = |partition, transactional_id: Option<&str>| {
        let transaction = transactional_id.map(|transactional_id| Transaction {
            transactional_id: transactional_id.to_owned(),
            adds_partitions: true,
        });
        let batch = CheckedBatch {
            transaction: transaction.map(Arc::new),
            ..plain(partition).checked()
        };
        (Arc::clone(&bench.topic), partition, batch)
    };
    let batches = [of(0, Some("a")), of(0, None), of(1, Some("b")), of(1, Some("a"))];
    let ticket = bench
        .write_path
        .admit(batches, None, &bench.sender, &mut Span::default());
    assert_eq!(answers(ticket).await, [Ok(0), Ok(1), Ok(0), Ok(1)]);
    let commit = bench.metadata.commits().remove(0);
    assert_eq!(commit.batch_transaction, [1, 0, 2, 1]);
    let named = commit
        .transactions
        .iter()
        .map(|transaction| transaction.transactional_id.as_str());
    assert_eq!(named.collect::<Vec<_>>(), ["a", "b"]);
    answers(bench.send(&[plain(0)])).await;
    assert!(bench.metadata.commits()[1].batch_transaction.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_hanging_put_delays_nobody_longer_than_a_second_attempt() {
    let bench = Bench::new([PutFault::Hangs]);
    let started = Instant::now();
    let first = bench.send(&[plain(0)]);
    tokio::time::sleep(NEXT_FILE).await;
    let second = bench.send(&[plain(0)]);
    assert_eq!(answers(second).await, [Ok(1)]);
    assert_eq!(answers(first).await, [Ok(0)]);
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn only_files_that_share_a_partition_wait_for_each_other() {
    let bench = Bench::new([]);
    bench.store.set_fault(Some(PutFault::Hangs));
    let stuck = bench.send(&[plain(0)]);
    tokio::time::sleep(NEXT_FILE).await;
    bench.store.set_fault(None);
    let elsewhere = bench.send(&[plain(1)]);
    assert_eq!(answers(elsewhere).await, [Ok(0)]);
    assert_eq!(bench.metadata.commits().len(), 1);
    let behind = bench.send(&[plain(1), plain(0)]);
    assert_eq!(answers(behind).await, [Ok(1), Ok(1)]);
    assert_eq!(answers(stuck).await, [Ok(0)]);
}

#[tokio::test(start_paused = true)]
async fn a_file_has_no_more_partitions_than_the_service_accepts() {
    let bench = Bench::new([]);
    // The topic has two partitions. Whether the others exist is for the service to check.
    let some: Vec<Sent> = (0..10_000).map(plain).collect();
    let most: Vec<Sent> = (10_000..50_000).map(plain).collect();
    let tickets = [bench.send(&some), bench.send(&most)];
    for ticket in tickets {
        answers(ticket).await;
    }
    let runs: Vec<usize> = bench
        .metadata
        .commits()
        .iter()
        .map(|commit| commit.run_partition.len())
        .collect();
    assert_eq!(runs.iter().sum::<usize>(), 50_000);
    assert_eq!(runs, [26_384, 16_384, 7_232]);
}

#[tokio::test(start_paused = true)]
async fn a_flush_waits_for_all_files_whatever_their_partitions() {
    let bench = Bench::new([PutFault::Hangs]);
    let tickets = [bench.send(&[plain(0)])];
    tokio::time::sleep(NEXT_FILE).await;
    let later = bench.send(&[plain(1)]);
    bench.write_path.flush().await;
    assert_eq!(bench.metadata.commits().len(), 2);
    for ticket in tickets.into_iter().chain([later]) {
        assert_eq!(answers(ticket).await, [Ok(0)]);
    }
}

/// How far the agent's clock is ahead of the service's.
const CLOCK_AHEAD_MS: i64 = 6 * 60_000;

#[tokio::test(start_paused = true)]
async fn an_agent_with_a_wrong_clock_uses_the_services_time() {
    let bench = Bench::new([]);
    bench.metadata.set_clock_ahead(-CLOCK_AHEAD_MS);
    bench.write_path.cache.clock.note(bench.metadata.now_ms());
    assert_eq!(answers(bench.send(&[plain(0)])).await, [Ok(0)]);
    assert_eq!(bench.write_path.refusal(), None);
}

#[tokio::test(start_paused = true)]
async fn a_file_refused_for_its_id_is_retried_and_the_agent_unready() {
    let bench = Bench::new([]);
    bench.metadata.set_clock_ahead(-CLOCK_AHEAD_MS);
    let [Err(code)] = answers(bench.send(&[plain(0)])).await[..] else {
        panic!("accepted");
    };
    assert!(code.is_retriable(), "{code}");
    assert!(bench.write_path.refusal().unwrap().contains("check the clock"));
    bench.metadata.set_clock_ahead(0);
    assert_eq!(answers(bench.send(&[plain(0)])).await, [Ok(0)]);
    assert_eq!(bench.write_path.refusal(), None);
}

/// Topic t lands its records; topic u does not.
struct LandingBench {
    bench: Bench,
    landing: [Arc<FaultyStore>; 3],
    objects: Arc<Objects>,
    standard_topic: Arc<Topic>,
}

impl LandingBench {
    fn new() -> Self {
        Self::sealing(false)
    }

    fn sealing(seals_early: bool) -> Self {
        Self::with_landing_budget(seals_early, u32::from(seals_early) * 288_000)
    }

    fn with_landing_budget(seals_early: bool, landing_puts_per_hour: u32) -> Self {
        let mut bench = Bench::new([]);
        let landing = [(); 3].map(|()| FaultyStore::failing([]));
        let buckets: Vec<LandingBucket> = ["a", "b", "c"]
            .into_iter()
            .zip(&landing)
            .map(|(zone, store)| LandingBucket {
                zone: zone.to_owned(),
                bucket: store.bucket(),
            })
            .collect();
        let objects = Objects::new(&bench.store.bucket(), "cluster").with_landing(&buckets, "a", "cluster");
        let (objects, cache) = (Arc::new(objects), Arc::clone(&bench.write_path.cache));
        let topic_id = bench.metadata.create_topic("u", 2);
        cache.upsert_topics(&[proto::Topic {
            topic_id: Bytes::copy_from_slice(topic_id.as_bytes()),
            name: "u".to_owned(),
            partitions: 2,
            configs: vec![proto::Config {
                name: "penstock.latency".to_owned(),
                value: "standard".to_owned(),
            }],
            ..Default::default()
        }]);
        let standard_topic = Arc::clone(cache.catalogue().topic_by_name("u").unwrap());
        bench.write_path = WritePath::new(
            Arc::clone(&bench.metadata) as _,
            cache,
            (Arc::clone(&objects), BlockCache::new(Arc::clone(&objects), 1 << 20)),
            Arc::default(),
            "agent".to_owned(),
            with_puts_per_hour(u32::from(seals_early) * 14_400, landing_puts_per_hour),
        );
        let bench = Self {
            bench,
            landing,
            objects,
            standard_topic,
        };
        bench.set_mode(proto::ClusterMode::LowLatency);
        bench
    }

    fn set_mode(&self, mode: proto::ClusterMode) {
        self.bench.write_path.cache.set_settings(proto::ClusterSettings {
            mode: mode.into(),
            ..Default::default()
        });
    }

    /// Whether each committed file had landed.
    fn landed(&self) -> Vec<bool> {
        let commits = self.bench.metadata.commits();
        let ids = commits.iter().map(|commit| Uuid::from_slice(&commit.file_id).unwrap());
        ids.map(is_landed).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn low_latency_records_are_stored_after_a_tenth_of_the_time() {
    let stage = LandingBench::new();
    let started = Instant::now();
    assert_eq!(answers(stage.bench.send(&[plain(0)])).await, [Ok(0)]);
    assert_eq!(started.elapsed().as_millis() / 2, 25 / 2, "{:?}", started.elapsed());
    // Both classes in one request, in request order.
    let both = [
        (Arc::clone(&stage.standard_topic), 0, plain(0).checked()),
        (Arc::clone(&stage.bench.topic), 0, plain(0).checked()),
        (Arc::clone(&stage.standard_topic), 1, plain(1).checked()),
        (Arc::clone(&stage.bench.topic), 0, plain(0).checked()),
    ];
    let ticket = stage
        .bench
        .write_path
        .admit(both, None, &Arc::default(), &mut Span::default());
    assert_eq!(answers(ticket).await, [Ok(0), Ok(1), Ok(0), Ok(2)]);
    assert_eq!(stage.landed(), [true, true, false]);
}

#[tokio::test(start_paused = true)]
async fn a_mode_change_during_writes_reorders_nothing() {
    // Either class can be the slower one, and files are sealed by time alone, or early.
    for (standard, landing, seals_early) in [(700, 0, false), (0, 700, false), (700, 0, true), (0, 700, true)] {
        let stage = LandingBench::sealing(seals_early);
        stage.bench.store.set_delay(Duration::from_millis(standard));
        for store in &stage.landing {
            store.set_delay(Duration::from_millis(landing));
        }
        let mut tickets = Vec::new();
        for sequence in 0..40 {
            stage.set_mode(match sequence / 3 % 2 {
                0 => proto::ClusterMode::LowLatency,
                _ => proto::ClusterMode::Standard,
            });
            tickets.push(stage.bench.send(&[idempotent(7, sequence)]));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut offsets = Vec::new();
        for ticket in tickets {
            offsets.extend(answers(ticket).await.into_iter().map(Result::unwrap));
        }
        assert!(offsets.is_sorted(), "{offsets:?}");
        let landed = stage.landed();
        let changes = landed.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes >= 10, "{landed:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_landed_file_costs_two_puts_of_its_own_budget() {
    let first_answer_after = async |stage: &LandingBench| {
        let started = Instant::now();
        answered_after(started, [stage.bench.send(&[plain(0)])]).await
    };
    let interval = WriteSettings::default().landing.flush_interval;
    let stage = LandingBench::with_landing_budget(true, 100);
    let path = &stage.bench.write_path;
    let standard = path.saved_puts();
    assert_eq!(path.saved_landing_puts(), Some(100));
    assert!(first_answer_after(&stage).await < interval);
    assert_eq!(path.saved_landing_puts(), Some(98));
    assert_eq!(path.saved_puts(), standard);
    // Not enough for one file.
    let stage = LandingBench::with_landing_budget(true, 1);
    assert!(first_answer_after(&stage).await >= interval);
    assert_eq!(Bench::new([]).write_path.saved_landing_puts(), None);
}

#[tokio::test(start_paused = true)]
async fn stores_records_whatever_the_landing_buckets_do() {
    let stage = LandingBench::new();
    for store in &stage.landing[..2] {
        store.set_gone(true);
    }
    for offset in 0..3 {
        let started = Instant::now();
        assert_eq!(
            answers(stage.bench.send(&[idempotent(7, offset)])).await,
            [Ok(i64::from(offset))]
        );
        println!("two landing buckets gone: acknowledged after {:?}", started.elapsed());
    }
    assert_eq!(stage.landed(), [false; 3]);
    let counters = &stage.objects.counters;
    assert_eq!(counters.landing_fallbacks.load(std::sync::atomic::Ordering::Relaxed), 3);
    let last = counters.last_errors.all();
    assert!(
        last.iter().any(|last| last.failure.class == "landing-fallback"),
        "{last:?}"
    );
    // The file is complete under its new id.
    for commit in stage.bench.metadata.commits() {
        let file_id = Uuid::from_slice(&commit.file_id).unwrap();
        let bytes = stage.objects.get(file_id, 0, commit.file_bytes).await.unwrap().concat();
        let index = penstock_store::decode_index(&bytes).unwrap();
        assert_eq!(index.file_id, file_id);
    }
    for store in &stage.landing[..2] {
        store.set_gone(false);
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(answers(stage.bench.send(&[idempotent(7, 3)])).await, [Ok(3)]);
    assert_eq!(stage.landed()[3..], [true]);
}

/// How long it took until these were answered.
async fn answered_after(since: Instant, tickets: impl IntoIterator<Item = Ticket>) -> Duration {
    for ticket in tickets {
        assert!(answers(ticket).await.iter().all(Result::is_ok));
    }
    since.elapsed()
}

/// The cost of the 250 ms interval.
const BUDGET: u32 = 14_400;
/// Timers fire up to a millisecond late.
const TIMER: Duration = Duration::from_millis(1);

#[tokio::test(start_paused = true)]
async fn seals_a_file_when_its_client_is_silent_or_at_its_limit() {
    let bench = Bench::with_budget(BUDGET, []);
    let mut waited = Vec::new();
    for sequence in 0..4 {
        let started = Instant::now();
        let ticket = bench.send(&[idempotent(7, sequence)]);
        waited.push(answered_after(started, [ticket]).await);
    }
    assert!(
        waited[..2]
            .iter()
            .all(|waited| (SILENCE..=SILENCE * 3).contains(waited)),
        "it may send more: {waited:?}"
    );
    assert!(
        waited[2..].iter().all(|waited| *waited <= TIMER),
        "it keeps one in flight: {waited:?}"
    );
    let metrics = &bench.write_path.metrics;
    assert_eq!((metrics.early_files.get(), metrics.early_requests.get()), (4, 4));
    let saved_s = metrics.early_saved.get();
    assert!((0.97..=1.0).contains(&saved_s), "{saved_s} s of 4 times 250 ms");
}

#[tokio::test(start_paused = true)]
async fn a_file_stays_open_for_a_client_that_is_sending() {
    let bench = Bench::with_budget(BUDGET, []);
    let (busy, silent) = (Arc::<Sender>::default(), Arc::<Sender>::default());
    let started = Instant::now();
    let mut tickets = vec![
        bench.send_over(&silent, &[plain(0)]),
        bench.send_over(&busy, &[plain(1)]),
    ];
    for _ in 0..10 {
        busy.reads();
        tokio::time::sleep(SILENCE * 2).await;
        busy.reads_no_more();
        tickets.push(bench.send_over(&busy, &[plain(1)]));
        tokio::time::sleep(SILENCE / 2).await;
    }
    let waited = answered_after(started, tickets).await;
    let sending = (SILENCE * 2 + SILENCE / 2 + TIMER * 2) * 10;
    let usual_gap = SILENCE * 3;
    assert!(
        waited <= sending + usual_gap * 2,
        "{waited:?} although all were silent after {sending:?}"
    );
    assert_eq!(bench.metadata.commits().len(), 1, "all in one file");
}

#[tokio::test(start_paused = true)]
async fn a_file_stays_open_for_a_client_waiting_for_an_earlier_file() {
    let bench = Bench::with_budget(BUDGET, [PutFault::Slow(Duration::from_millis(100))]);
    let started = Instant::now();
    let first = bench.send(&[plain(0)]);
    tokio::time::sleep(SILENCE * 3).await;
    let second = bench.send(&[plain(0)]);
    tokio::time::sleep(SILENCE * 3).await;
    let answered = answered_after(started, [first]).await;
    let third = bench.send(&[plain(0)]);
    let waited = answered_after(started, [second, third]).await;
    assert!(
        waited < answered + Duration::from_millis(100),
        "{waited:?} after {answered:?}"
    );
    assert_eq!(
        bench.metadata.commits().len(),
        2,
        "the second and the third request share a file"
    );
}

#[tokio::test(start_paused = true)]
async fn without_savings_a_file_waits_for_the_interval() {
    let bench = Bench::with_budget(BUDGET, []);
    while bench.write_path.lock().lanes[Class::Standard]
        .budget
        .try_spend(Instant::now())
    {}
    for sequence in 0..20 {
        let started = Instant::now();
        let ticket = bench.send(&[idempotent(7, sequence)]);
        let waited = answered_after(started, [ticket]).await;
        let interval = WriteSettings::default().standard.flush_interval;
        assert!(
            (interval..=interval + TIMER).contains(&waited),
            "{waited:?} at {sequence}"
        );
    }
}

/// The number of files per minute without savings, of clients that send this many requests this long after the last
/// responses, to a bucket that responds within 110 ms.
async fn files_of_a_minute(clients: usize, requests: usize, thinking: Duration) -> u64 {
    const MINUTE: Duration = Duration::from_mins(1);
    let bench = Arc::new(Bench::with_budget(BUDGET, []));
    bench.store.set_delay(Duration::from_millis(110));
    while bench.write_path.lock().lanes[Class::Standard]
        .budget
        .try_spend(Instant::now())
    {}
    let started = Instant::now();
    let clients = (0..clients).map(|_| {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move {
            let sender = Arc::<Sender>::default();
            while started.elapsed() < MINUTE {
                let tickets: Vec<Ticket> = (0..requests).map(|_| bench.send_over(&sender, &[plain(0)])).collect();
                answered_after(started, tickets).await;
                tokio::time::sleep(thinking).await;
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
    bench.metadata.commits().len() as u64
}

#[tokio::test(start_paused = true)]
async fn waiting_clients_get_what_the_budget_allows() {
    for (clients, requests) in [(1, 1), (1, 5), (4, 5), (64, 5)] {
        let files = files_of_a_minute(clients, requests, Duration::ZERO).await;
        assert!(
            (236..=241).contains(&files),
            "{files} files of 240, with {clients} clients"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_pauses_costs_no_more_than_the_interval() {
    for thinking_ms in [40, 100, 200, 300] {
        let thinking = Duration::from_millis(thinking_ms);
        // Each first request after 250 ms or more opens the next file of the interval.
        let round = thinking + Duration::from_millis(110);
        let rounds_per_interval = Duration::from_millis(250).as_nanos().div_ceil(round.as_nanos());
        let most = 60_000 / (round.as_millis() * rounds_per_interval) + 1;
        let files = files_of_a_minute(1, 1, thinking).await;
        assert!(
            u128::from(files) <= most,
            "{files} files instead of {most}, thinking for {thinking_ms} ms"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_attempt_at_a_slow_file_costs_a_put() {
    let bench = Bench::with_budget(BUDGET, []);
    let before = bench.write_path.saved_puts();
    let counters = &bench.write_path.objects.counters;
    counters.hedged_puts.fetch_add(3, Ordering::Relaxed);
    assert_eq!(answers(bench.send(&[plain(0)])).await, [Ok(0)]);
    assert_eq!(bench.write_path.saved_puts(), before - 4);
}

#[tokio::test(start_paused = true)]
async fn waits_again_for_a_client_that_raises_its_limit() {
    let bench = Bench::with_budget(BUDGET, []);
    for sequence in 0..3 {
        let ticket = bench.send(&[idempotent(7, sequence)]);
        assert!(answers(ticket).await[0].is_ok());
    }
    let before = bench.metadata.commits().len();
    let mut tickets: Vec<Ticket> = (3..8).map(|sequence| bench.send(&[idempotent(7, sequence)])).collect();
    // The first was sent alone. The next four share a file, and so do five from then on.
    answered_after(Instant::now(), tickets.drain(..)).await;
    assert_eq!(bench.metadata.commits().len(), before + 2);
    for round in 0..3 {
        let first = 8 + 5 * round;
        let sent = (first..first + 5)
            .map(|sequence| bench.send(&[idempotent(7, sequence)]))
            .collect::<Vec<_>>();
        answered_after(Instant::now(), sent).await;
    }
    assert_eq!(bench.metadata.commits().len(), before + 5);
}

#[tokio::test(start_paused = true)]
async fn many_waiting_clients_share_files() {
    let bench = Bench::with_budget(BUDGET, []);
    let clients: Vec<Arc<Sender>> = (0..64).map(|_| Arc::default()).collect();
    let started = Instant::now();
    let mut tickets = Vec::new();
    for tick in 0..2_000 {
        tickets.push(bench.send_over(&clients[tick % clients.len()], &[plain(0)]));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let took = answered_after(started, tickets).await;
    let files = bench.metadata.commits().len();
    let intervals = usize::try_from(took.as_millis() / 250).unwrap() + 1;
    assert!(files <= intervals, "{files} files in {intervals} intervals");
}

#[tokio::test(start_paused = true)]
async fn two_clients_with_one_request_at_a_time_share_files() {
    let bench = Bench::with_budget(BUDGET, []);
    let clients: [Arc<Sender>; 2] = Default::default();
    for _ in 0..10 {
        let started = Instant::now();
        let first = bench.send_over(&clients[0], &[plain(0)]);
        tokio::time::sleep(Duration::from_millis(1)).await;
        let second = bench.send_over(&clients[1], &[plain(1)]);
        let waited = answered_after(started, [first, second]).await;
        assert!(waited <= SILENCE * 4, "{waited:?}");
    }
    let files = bench.metadata.commits().len();
    assert!(files <= 12, "{files} files for 10 rounds");
}

#[tokio::test(start_paused = true)]
async fn a_file_waits_for_steady_senders_but_not_for_rare_ones() {
    for (gap_ms, fewest, most) in [(30, 1, 5), (400, 30, 30)] {
        let bench = Bench::with_budget(BUDGET, []);
        let mut tickets = Vec::new();
        for _ in 0..30 {
            tickets.push(bench.send(&[plain(0)]));
            tokio::time::sleep(Duration::from_millis(gap_ms)).await;
        }
        answered_after(Instant::now(), tickets).await;
        let files = bench.metadata.commits().len();
        assert!(
            (fewest..=most).contains(&files),
            "{files} files at one request per {gap_ms} ms"
        );
        let (early, all) = (bench.write_path.metrics.early_files.get(), files as u64);
        assert!(gap_ms < 250 || early == all, "{early} of {all} were early");
    }
}

/// Like transactional producers, which wait for all responses before they end a transaction.
#[tokio::test(start_paused = true)]
async fn clients_that_wait_for_all_responses_do_not_count_as_slow() {
    let bench = Arc::new(Bench::with_budget(BUDGET, []));
    let clients = (0..16u64).map(|client| {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move {
            let sender = Arc::<Sender>::default();
            let mut waited = Vec::new();
            for round in 0..20u64 {
                let mut tickets = Vec::new();
                // Never the same number twice in a row, so that no limit is learned.
                for _ in 0..1 + (client + round * 2) % 5 {
                    tickets.push(bench.send_over(&sender, &[plain(0)]));
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                waited.push(answered_after(Instant::now(), tickets).await);
                // The client ends the transaction and begins the next one.
                tokio::time::sleep(Duration::from_millis(10 + client)).await;
            }
            waited
        })
    });
    let clients: Vec<_> = clients.collect();
    let mut late = Vec::new();
    for client in clients {
        late.extend(client.await.unwrap().split_off(10));
    }
    late.sort();
    assert!(late[late.len() / 2] <= Duration::from_millis(45), "{late:?}");
}
