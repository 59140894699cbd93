//! Writes batches to data files and commits them. Batches of all partitions share one open file, and those of
//! low-latency topics another. While a sealed file is written to object storage, the next one fills. Batches of a
//! partition are committed in order of arrival; files that share no partition do not wait for each other.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod class;
mod commit;
mod file_senders;
mod file_spans;
mod gaps;
mod in_flight;
mod lane;
mod open_file;
mod outcome;
mod partition_name;
mod put_budget;
mod recent_senders;
mod sender;
mod settings;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use penstock_metadata_client::cache::{ClusterCache, Mode, Topic};
use penstock_metadata_client::{Metadata, RpcError, proto};
use penstock_runtime::spawn;
use penstock_store::{BlockCache, Objects, StoreError};
use penstock_telemetry::{Counters, Stage};
use penstock_traces::Span;
use penstock_wire::ErrorCode;
use penstock_wire::record_batch::Batch;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use uuid::Uuid;

use class::{ByClass, CLASSES, Class};
use commit::Selection;
use file_senders::SealedSenders;
use gaps::Gaps;
use in_flight::{Flight, InFlight};
use lane::Lane;
use open_file::{OpenFile, SealedFile};
pub use outcome::{BatchOutcome, Ticket};
use outcome::{FileOutcome, GIVEN_UP, GIVEN_UP_MESSAGE};
use penstock_metrics::Metrics;
pub use sender::{Handling, Sender};
use sender::{Joined, SILENCE, Waiting};
pub use settings::{LaneSettings, WriteSettings};

/// How long the agent is not ready after the metadata service refused a whole file, unless another file is committed
/// earlier.
const REFUSED_FOR: Duration = Duration::from_secs(30);

/// Uncompressed size above which a file is sealed. The metadata service refuses small files that claim more than twice
/// as much, and with them other clients' records.
const MAX_UNCOMPRESSED_FILE_BYTES: u64 = 1 << 30;
/// Number of partitions with which a file is full, whatever its size. The metadata service accepts twice as many,
/// because it applies a commit in one step.
const MAX_RUNS_PER_FILE: usize = 16_384;

/// A checked batch to add to a file.
#[derive(Debug, Clone)]
pub struct CheckedBatch {
    /// The batch as received.
    pub batch: Batch,
    /// Its uncompressed size in bytes, including the header.
    pub uncompressed_bytes: u64,
    /// Set if its records become visible only when this transaction commits.
    pub transaction: Option<Arc<Transaction>>,
}

/// A transaction as named by a batch. The metadata service knows its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Transaction {
    /// The id of the transaction.
    pub transactional_id: String,
    /// True if a batch adds its partition. Otherwise the producer has already added it.
    pub adds_partitions: bool,
}

/// The write path of the agent.
pub struct WritePath {
    metadata: Arc<dyn Metadata>,
    cache: Arc<ClusterCache>,
    objects: Arc<Objects>,
    blocks: Arc<BlockCache>,
    metrics: Arc<Metrics>,
    agent_id: String,
    settings: WriteSettings,
    state: Mutex<State>,
    /// Why and when the metadata service refused a file of this agent.
    refused: Mutex<Option<(String, Instant)>>,
}

struct State {
    lanes: ByClass<Lane>,
    /// Counts files, so that a timer never seals a later file than its own.
    opened: u64,
    in_flight: InFlight,
    gaps: Gaps,
    /// Number of second attempts at slow files so far, including those of jobs.
    hedges: u64,
}

/// A request's batches in an open file.
#[derive(Debug, Clone, Copy)]
struct JoinedFile {
    /// Index of the file among the request's files.
    number: usize,
    sender: Joined,
    bytes: usize,
}

/// Why a file is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seal {
    /// It must be sealed: its time is up, it is full, the next batch must not be in it, or the agent is stopping.
    Due,
    /// No client is about to send more, and its PUT is paid for.
    Early,
}

impl WritePath {
    /// Creates a write path without an open file.
    #[must_use]
    pub fn new(
        metadata: Arc<dyn Metadata>,
        cache: Arc<ClusterCache>,
        (objects, blocks): (Arc<Objects>, Arc<BlockCache>),
        metrics: Arc<Metrics>,
        agent_id: String,
        settings: WriteSettings,
    ) -> Arc<Self> {
        let state = State {
            lanes: ByClass::new(|class| Lane::new(class, &settings, &metrics)),
            opened: 0,
            in_flight: InFlight::default(),
            gaps: Gaps::default(),
            hedges: objects.counters.hedged_puts.load(Ordering::Relaxed),
        };
        Arc::new(Self {
            metadata,
            cache,
            objects,
            blocks,
            metrics,
            agent_id,
            settings,
            state: Mutex::new(state),
            refused: Mutex::default(),
        })
    }

    /// Adds the batches of a request to the open files, in the order of the calls. `memory` is the request's share of
    /// the agent's budget, released when the files are done. `sender` and `span` belong to the request.
    pub fn admit(
        self: &Arc<Self>,
        batches: impl IntoIterator<Item = (Arc<Topic>, u32, CheckedBatch)>,
        mut memory: Option<OwnedSemaphorePermit>,
        sender: &Arc<Sender>,
        span: &mut Span,
    ) -> Ticket {
        let batches: Vec<_> = batches.into_iter().collect();
        let mode = match self.objects.has_landing() {
            true => self.cache.mode(),
            false => Mode::Standard,
        };
        let mut state = self.lock();
        for class in CLASSES {
            // A file with later batches of a partition must be sealed after the one with earlier batches, because files
            // that share a partition are committed in the order of sealing.
            let comes_before_some = |file: &OpenFile| {
                batches.iter().any(|(topic, partition, _)| {
                    let is_other_class = Class::of(topic, mode) != class;
                    file.holds_earlier_topic(topic, *partition) || (is_other_class && file.holds(topic, *partition))
                })
            };
            if state.lanes[class].open.as_ref().is_some_and(comes_before_some) {
                self.seal(&mut state, class, Seal::Due);
            }
        }
        let mut ticket = Ticket::default();
        let mut batches = batches.into_iter();
        // Almost always runs once.
        while batches.len() > 0 {
            let some = batches.by_ref().take(MAX_RUNS_PER_FILE);
            self.add_to_open_files(&mut state, some, mode, &mut memory, (sender, span), &mut ticket);
        }
        ticket
    }

    /// Adds some batches of a request, and seals full files.
    fn add_to_open_files(
        self: &Arc<Self>,
        state: &mut State,
        batches: impl Iterator<Item = (Arc<Topic>, u32, CheckedBatch)>,
        mode: Mode,
        memory: &mut Option<OwnedSemaphorePermit>,
        (sender, span): (&Arc<Sender>, &mut Span),
        ticket: &mut Ticket,
    ) {
        let mut joined = ByClass::<Option<JoinedFile>>::default();
        for (topic, partition, batch) in batches {
            let class = Class::of(&topic, mode);
            let file = self.open(state, class);
            let joined = joined[class].get_or_insert_with(|| {
                let sender = file.senders.join(sender, file.number);
                file.spans.join(span);
                JoinedFile {
                    number: ticket.join(file.outcome()),
                    sender,
                    bytes: 0,
                }
            });
            joined.bytes += batch.batch.bytes.len();
            ticket.add(joined.number, file.add(&topic, partition, batch));
        }
        let now = Instant::now();
        let is_in_all = joined.values().all(Option::is_some);
        let shared = memory.take_if(|_| is_in_all).map(Arc::new);
        for class in CLASSES {
            let lane = &mut state.lanes[class];
            let (Some(joined), Some(file)) = (joined[class], &mut lane.open) else {
                continue;
            };
            file.hold(memory.take());
            file.share(shared.clone());
            let is_full = file.bytes() >= self.settings.flush_bytes
                || file.uncompressed_bytes() >= MAX_UNCOMPRESSED_FILE_BYTES
                || file.runs() >= MAX_RUNS_PER_FILE;
            let are_at_limit = file.senders.are_at_limit();
            if joined.sender.is_new {
                lane.senders.add(sender, now);
            }
            lane.budget.admitted(joined.bytes, joined.sender.was_held_up, now);
            if is_full {
                self.seal(state, class, Seal::Due);
            } else if are_at_limit {
                self.seal_early(state, class, now);
            }
        }
    }

    /// Seals the open files and waits until everything admitted so far is committed or abandoned.
    pub async fn flush(self: &Arc<Self>) {
        let unfinished = {
            let mut state = self.lock();
            for class in CLASSES {
                self.seal(&mut state, class, Seal::Due);
            }
            state.in_flight.all()
        };
        for file in unfinished {
            file.wait().await;
        }
    }

    /// Returns the open file of a class.
    fn open<'a>(self: &Arc<Self>, state: &'a mut State, class: Class) -> &'a mut OpenFile {
        let State { lanes, opened, .. } = state;
        lanes[class].open.get_or_insert_with(|| {
            *opened += 1;
            self.seal_later(class, *opened);
            OpenFile::new(*opened, class)
        })
    }

    /// PUTs available for sealing files early.
    pub fn saved_puts(&self) -> u64 {
        self.lock().lanes[Class::Standard].note_saved_puts(Instant::now())
    }

    /// Like [`Self::saved_puts`], for landing buckets. `None` without them.
    pub fn saved_landing_puts(&self) -> Option<u64> {
        let has_landing = self.objects.has_landing();
        has_landing.then(|| self.lock().lanes[Class::Low].note_saved_puts(Instant::now()))
    }

    fn seal_later(self: &Arc<Self>, class: Class, number: u64) {
        let write_path = Arc::clone(self);
        let as_class = if self.may_be_soon(class) {
            class
        } else {
            Class::Standard
        };
        let interval = self.settings.lane(as_class).flush_interval;
        spawn(async move {
            let due = Instant::now() + interval;
            let may_seal_early = write_path.lock().lanes[class].budget.is_on();
            let mut next = if may_seal_early {
                due.min(Instant::now() + SILENCE)
            } else {
                due
            };
            loop {
                tokio::time::sleep_until(next).await;
                let mut state = write_path.lock();
                let file = state.lanes[class].open.as_ref();
                if file.is_none_or(|file| file.number != number) {
                    return;
                }
                let now = Instant::now();
                if now >= due {
                    return write_path.seal(&mut state, class, Seal::Due);
                }
                next = match write_path.seal_early(&mut state, class, now) {
                    Waiting::Useless => now + SILENCE,
                    Waiting::Until(then) => then,
                };
                next = next.min(due);
            }
        });
    }

    /// Returns true if files of a class deserve more PUTs. While landing buckets fail, files go to the standard bucket,
    /// where short intervals cost much and gain little.
    fn may_be_soon(&self, class: Class) -> bool {
        class == Class::Standard || self.objects.can_land()
    }

    /// Seals the open file if waiting gains nothing and its PUT is paid for.
    fn seal_early(self: &Arc<Self>, state: &mut State, class: Class, now: Instant) -> Waiting {
        let lane = &mut state.lanes[class];
        if !lane.budget.is_on() || !self.may_be_soon(class) {
            return Waiting::Useless;
        }
        let waiting = lane.senders.waiting(now);
        if waiting == Waiting::Useless && lane.budget.try_spend(now) {
            self.seal(state, class, Seal::Early);
        }
        waiting
    }

    fn seal(self: &Arc<Self>, state: &mut State, class: Class, seal: Seal) {
        let lane = &mut state.lanes[class];
        let Some(mut file) = lane.open.take() else {
            return;
        };
        let now = Instant::now();
        let interval = lane.settings.flush_interval;
        let senders = std::mem::take(&mut file.senders).seal(now, interval);
        match seal {
            Seal::Due => lane.budget.spend(now),
            Seal::Early => {
                let saved = (file.opened() + interval).saturating_duration_since(now);
                self.metrics.sealed_early(senders.requests, saved);
            }
        }
        if class == Class::Standard {
            let hedges = self.objects.counters.hedged_puts.load(Ordering::Relaxed);
            let unpaid = hedges.saturating_sub(std::mem::replace(&mut state.hedges, hedges));
            lane.budget.spend_on_hedges(unpaid, now);
        }
        lane.note_saved_puts(now);
        let flight = state.in_flight.enter(file.number, file.opened(), file.partitions());
        let write_path = Arc::clone(self);
        spawn(async move { write_path.write(class, file, senders, flight).await });
    }

    async fn write(&self, class: Class, mut file: OpenFile, senders: SealedSenders, mut flight: Flight) {
        let _in_flight = self.metrics.counters.file_in_flight();
        let deadline = Instant::now() + self.settings.put_timeout + self.settings.commit_timeout;
        let mut spans = std::mem::take(&mut file.spans);
        let mut sealed = file.seal(self.new_file_id(class));
        spans.sealed();
        self.metrics.observe_stage(Stage::ProduceBuffer, sealed.buffered);
        let put = spans.file.in_scope(self.put(&mut sealed)).await;
        for earlier in flight.earlier.drain(..) {
            earlier.wait().await;
        }
        let outcome = match put {
            Ok(()) => spans.file.in_scope(self.commit(&sealed, deadline)).await,
            Err(error) => {
                tracing::error!(file_id = %sealed.file_id, %error, "cannot write a data file; its producers will retry");
                self.note_failed(&sealed);
                FileOutcome::failed(
                    ErrorCode::KAFKA_STORAGE_ERROR,
                    format!("the agent's object storage: {error}"),
                )
            }
        };
        spans.finish(|| sealed.facts(), &outcome);
        self.leave(&flight);
        drop(senders);
        sealed.finish(outcome);
    }

    /// A new file id: one for a landed file if enough landing buckets are healthy.
    fn new_file_id(&self, class: Class) -> Uuid {
        let file_id = self.cache.clock.new_flushed_file_id();
        match class {
            Class::Standard => file_id,
            Class::Low => self.objects.landed_id(file_id).unwrap_or_else(|| {
                Counters::add(&self.objects.counters.landing_fallbacks, 1);
                file_id
            }),
        }
    }

    async fn put(&self, sealed: &mut SealedFile) -> Result<(), StoreError> {
        let started = Instant::now();
        let deadline = started + self.settings.put_timeout;
        let mut put = self.objects.put(sealed.file_id, sealed.chunks.clone(), deadline).await;
        if let Err(error @ StoreError::NotLanded { .. }) = put {
            self.objects.note_fallback(&error);
            sealed.rename(self.new_file_id(Class::Standard));
            put = self.objects.put(sealed.file_id, sealed.chunks.clone(), deadline).await;
        }
        put?;
        self.metrics.observe_stage(Stage::ProducePut, started.elapsed());
        Ok(())
    }

    async fn commit(&self, sealed: &SealedFile, deadline: Instant) -> FileOutcome {
        let started = Instant::now();
        let selection = self.select(sealed);
        if selection.is_empty() {
            return FileOutcome::failed(GIVEN_UP, GIVEN_UP_MESSAGE.to_owned());
        }
        // Consumers may read the file as soon as it is committed, possibly before this agent gets the response.
        self.blocks.keep_written(sealed.file_id, &sealed.chunks);
        let request = sealed.commit_request(&self.agent_id, &selection);
        let timeout = deadline.saturating_duration_since(started);
        let outcome = match self.metadata.commit_file(request, timeout).await {
            Ok(response) => {
                self.note_refusal(&response);
                commit::read_response(sealed, &selection, response)
            }
            Err(error) => {
                tracing::error!(file_id = %sealed.file_id, %error, "cannot commit a data file");
                Counters::add(&self.metrics.counters.metadata_errors, 1);
                self.metrics.metadata_failed(&error);
                FileOutcome::failed(commit_error_code(&error), error.to_string())
            }
        };
        if matches!(outcome, FileOutcome::Failed { .. }) {
            self.note_failed(sealed);
        }
        self.metrics.observe_stage(Stage::ProduceCommit, started.elapsed());
        if let FileOutcome::Committed(committed) = &outcome {
            self.metrics.files.inc();
            self.metrics.produced_bytes.inc_by(committed.accepted.bytes);
            self.metrics
                .produced_uncompressed_bytes
                .inc_by(committed.accepted.uncompressed_bytes);
            self.metrics.produced_records.inc_by(committed.accepted.records);
            if !committed.unknown_topics.is_empty() {
                self.cache.remove_topics(&committed.unknown_topics);
                self.note_deleted_topics(sealed, &committed.batch_error_codes);
            }
        }
        outcome
    }

    /// Why clients should use another agent: the metadata service refuses this agent's files.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let refused = self.refused.lock();
        let recent = refused.as_ref().filter(|(_, at)| at.elapsed() < REFUSED_FOR);
        recent.map(|(why, _)| format!("the metadata service refuses this agent's files: {why}"))
    }

    fn note_refusal(&self, response: &proto::CommitFileResponse) {
        let refusal = commit::is_agents_fault(response).then(|| (response.error_message.clone(), Instant::now()));
        *self.refused.lock() = refusal;
    }

    /// The committable part of a file: everything except batches that follow an abandoned one of their producer.
    fn select(&self, sealed: &SealedFile) -> Selection {
        let mut state = self.lock();
        let gaps = &mut state.gaps;
        if gaps.is_empty() {
            return Selection::of(sealed, || true);
        }
        let mut producers = sealed.producers();
        Selection::of(sealed, || match producers.next().flatten() {
            Some((key, sequence)) => gaps.admits(&key, sequence, sealed.opened),
            None => true,
        })
    }

    /// Records that no batch of a file counts as committed, which opens gaps for its idempotent producers.
    fn note_failed(&self, sealed: &SealedFile) {
        let now = Instant::now();
        let mut state = self.lock();
        for (key, sequence) in sealed.producers().flatten() {
            state.gaps.failed(key, sequence, now);
        }
    }

    /// Handles batches for deleted topics. Their producers send them again, to a new topic with the same name, where
    /// later batches must not come first. That topic knows nothing of their sequences.
    fn note_deleted_topics(&self, sealed: &SealedFile, codes: &[ErrorCode]) {
        let now = Instant::now();
        let mut state = self.lock();
        let gone = sealed
            .producers()
            .zip(codes)
            .filter(|(_, code)| **code == ErrorCode::UNKNOWN_TOPIC_ID);
        for (key, sequence) in gone.filter_map(|(producer, _)| producer) {
            state.gaps.failed(key, sequence, now);
        }
    }

    fn leave(&self, flight: &Flight) {
        let mut state = self.lock();
        state.in_flight.leave(flight);
        if !state.gaps.is_empty() {
            let open = state
                .lanes
                .values()
                .filter_map(|lane| lane.open.as_ref().map(OpenFile::opened));
            let oldest = open.chain(state.in_flight.oldest()).min();
            state.gaps.forget(oldest.unwrap_or_else(Instant::now));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The error for producers if a commit failed without a response. If the agent itself is refused, they look for another
/// one; after an authorization code, Java's producer would report a missing permission.
fn commit_error_code(error: &RpcError) -> ErrorCode {
    if error.is_retriable() {
        ErrorCode::REQUEST_TIMED_OUT
    } else if error.is_access_refused() {
        ErrorCode::NOT_LEADER_OR_FOLLOWER
    } else {
        ErrorCode::UNKNOWN_SERVER_ERROR
    }
}
