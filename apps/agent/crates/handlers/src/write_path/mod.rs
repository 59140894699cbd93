//! Writes batches to data files and commits them. Batches of all partitions share one open file; a sealed file is written to object
//! storage while the next one fills. Batches of one partition are committed in the order of arrival. Files that share no partition do
//! not wait for each other.

mod commit;
mod file_senders;
mod file_spans;
mod gaps;
mod in_flight;
mod open_file;
mod outcome;
mod partition_name;
mod put_budget;
mod sender;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use penstock_metadata_client::cache::{ClusterCache, Topic};
use penstock_metadata_client::{Metadata, RpcError, proto};
use penstock_store::{BlockCache, Objects, StoreError};
use penstock_telemetry::{Counters, Stage};
use penstock_traces::Span;
use penstock_wire::ErrorCode;
use penstock_wire::record_batch::Batch;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use crate::metrics::Metrics;
use commit::Selection;
use file_senders::SealedSenders;
use gaps::Gaps;
use in_flight::{Flight, InFlight};
use open_file::{OpenFile, SealedFile};
pub use outcome::{BatchOutcome, Ticket};
use outcome::{FileOutcome, GIVEN_UP, GIVEN_UP_MESSAGE};
use put_budget::PutBudget;
pub use sender::Sender;
use sender::{SILENCE, Waiting};

/// After the metadata service has refused a whole file, the agent is not ready for this long, or until a file is committed.
const REFUSED_FOR: Duration = Duration::from_secs(30);

const HOUR: Duration = Duration::from_secs(3600);

/// When a file is sealed, and how long writing it may take.
#[derive(Debug, Clone)]
pub struct WriteSettings {
    /// After its first batch, a file is sealed at the latest after this time.
    pub flush_interval: Duration,
    /// A file of this size is sealed at once.
    pub flush_bytes: usize,
    /// PUTs that may be spent in an hour on sealing files before that, when nobody who waits could send more, as long as the interval
    /// and the size alone cost less. 0: never.
    pub puts_per_hour: u32,
    /// How long object storage may take to accept a file, retries included. After it the producers get an error.
    pub put_timeout: Duration,
    /// How long the metadata service may take to commit a file, retries included. What the files before it took counts: all that
    /// waited for an outage to end fail together, instead of each after a time-out of its own.
    pub commit_timeout: Duration,
}

impl WriteSettings {
    /// What this flush interval costs at most: one PUT for each.
    #[must_use]
    pub fn puts_per_hour_at(flush_interval: Duration) -> u32 {
        let puts = HOUR.as_nanos() / flush_interval.as_nanos().max(1);
        u32::try_from(puts).unwrap_or(u32::MAX)
    }
}

impl Default for WriteSettings {
    fn default() -> Self {
        let flush_interval = Duration::from_millis(250);
        Self {
            flush_interval,
            flush_bytes: 8 << 20,
            puts_per_hour: Self::puts_per_hour_at(flush_interval),
            // Together far below the 10 minutes after which the service refuses to commit a file.
            put_timeout: Duration::from_secs(60),
            commit_timeout: Duration::from_secs(60),
        }
    }
}

/// A checked batch on its way into a file.
#[derive(Debug, Clone)]
pub struct CheckedBatch {
    /// The batch as it came.
    pub batch: Batch,
    /// What it would be without compression, header included.
    pub uncompressed_bytes: u64,
    /// Set if its records are visible only when this transaction commits.
    pub transaction: Option<Arc<Transaction>>,
}

/// A transaction as a batch names it. The metadata service knows its state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Transaction {
    /// Which one.
    pub transactional_id: String,
    /// A batch adds its partition. Otherwise the producer has done so before.
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
    /// Why the metadata service refused a file of this agent, and when.
    refused: Mutex<Option<(String, Instant)>>,
}

struct State {
    open: Option<OpenFile>,
    /// Counts the files, so that a timer does not seal a later file than the one it was set for.
    opened: u64,
    in_flight: InFlight,
    gaps: Gaps,
    budget: PutBudget,
}

/// Why a file is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seal {
    /// It must be: its time is up, it is full, what comes next must not be in it, or the agent stops.
    Due,
    /// Nobody whose batches are in it could send more, and its PUT is paid for.
    Early,
}

impl WritePath {
    /// A write path without an open file.
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
            open: None,
            opened: 0,
            in_flight: InFlight::default(),
            gaps: Gaps::default(),
            budget: PutBudget::new(settings.flush_interval, settings.flush_bytes, settings.puts_per_hour),
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

    /// Adds the batches of one request to the open file, in the order of the calls. `memory` is what the request's bytes hold
    /// of the agent's budget; it is returned when the file is done. `sender` and `span` are the request's.
    pub fn admit(
        self: &Arc<Self>,
        batches: impl IntoIterator<Item = (Arc<Topic>, u32, CheckedBatch)>,
        memory: Option<OwnedSemaphorePermit>,
        sender: &Arc<Sender>,
        span: &mut Span,
    ) -> Ticket {
        let batches: Vec<_> = batches.into_iter().collect();
        let mut state = self.lock();
        let holds_earlier_topic = |file: &OpenFile| {
            let mut admitted = batches.iter();
            admitted.any(|(topic, partition, _)| file.holds_earlier_topic(topic, *partition))
        };
        if state.open.as_ref().is_some_and(holds_earlier_topic) {
            self.seal(&mut state, Seal::Due);
        }
        if state.open.is_none() {
            state.opened += 1;
            self.seal_later(state.opened);
        }
        let number = state.opened;
        let file = state.open.get_or_insert_with(OpenFile::new);
        let bytes_before = file.bytes();
        let places = batches
            .into_iter()
            .map(|(topic, partition, batch)| file.add(&topic, partition, batch))
            .collect();
        file.hold(memory);
        file.senders.join(sender, number);
        file.spans.join(span);
        let ticket = file.ticket(places);
        let (bytes, are_at_limit) = (file.bytes(), file.senders.are_at_limit());
        let now = Instant::now();
        state.budget.admitted(bytes - bytes_before, now);
        if bytes >= self.settings.flush_bytes {
            self.seal(&mut state, Seal::Due);
        } else if are_at_limit && state.budget.try_spend(now) {
            self.seal(&mut state, Seal::Early);
        }
        ticket
    }

    /// Seals the open file and waits until everything admitted so far is committed or given up.
    pub async fn flush(self: &Arc<Self>) {
        let unfinished = {
            let mut state = self.lock();
            self.seal(&mut state, Seal::Due);
            state.in_flight.all()
        };
        for file in unfinished {
            file.wait().await;
        }
    }

    /// PUTs that the agent may spend now on sealing files early.
    pub fn saved_puts(&self) -> u64 {
        let saved = self.lock().budget.saved_by(Instant::now());
        self.metrics.saved_puts.set(i64::try_from(saved).unwrap_or(i64::MAX));
        saved
    }

    fn seal_later(self: &Arc<Self>, number: u64) {
        let write_path = Arc::clone(self);
        tokio::spawn(async move {
            let due = Instant::now() + write_path.settings.flush_interval;
            let may_seal_early = write_path.settings.puts_per_hour > 0;
            let mut next = if may_seal_early {
                due.min(Instant::now() + SILENCE)
            } else {
                due
            };
            loop {
                tokio::time::sleep_until(next).await;
                let mut state = write_path.lock();
                if state.opened != number {
                    return;
                }
                let now = Instant::now();
                let Some(waiting) = state.open.as_ref().map(|file| file.senders.waiting(now)) else {
                    return;
                };
                if now >= due {
                    return write_path.seal(&mut state, Seal::Due);
                }
                next = match waiting {
                    Waiting::Useless if state.budget.try_spend(now) => {
                        return write_path.seal(&mut state, Seal::Early);
                    }
                    Waiting::Useless => now + SILENCE,
                    Waiting::Until(then) => then,
                };
                next = next.min(due);
            }
        });
    }

    fn seal(self: &Arc<Self>, state: &mut State, seal: Seal) {
        let Some(mut file) = state.open.take() else { return };
        let now = Instant::now();
        let senders = std::mem::take(&mut file.senders).seal(now);
        match seal {
            Seal::Due => state.budget.spend(now),
            Seal::Early => {
                let saved = (file.opened() + self.settings.flush_interval).saturating_duration_since(now);
                self.metrics.sealed_early(senders.requests, saved);
            }
        }
        let puts = state.budget.saved_by(now);
        self.metrics.saved_puts.set(i64::try_from(puts).unwrap_or(i64::MAX));
        let flight = state.in_flight.enter(state.opened, file.opened(), file.partitions());
        let write_path = Arc::clone(self);
        tokio::spawn(async move { write_path.write(file, senders, flight).await });
    }

    async fn write(&self, mut file: OpenFile, senders: SealedSenders, mut flight: Flight) {
        let _in_flight = self.metrics.counters.file_in_flight();
        let deadline = Instant::now() + self.settings.put_timeout + self.settings.commit_timeout;
        let mut spans = std::mem::take(&mut file.spans);
        let sealed = file.seal(self.cache.clock.new_flushed_file_id());
        spans.sealed();
        self.metrics.observe_stage(Stage::ProduceBuffer, sealed.buffered);
        let put = spans.file.in_scope(self.put(&sealed)).await;
        for earlier in flight.earlier.drain(..) {
            earlier.wait().await;
        }
        let outcome = match put {
            Ok(()) => spans.file.in_scope(self.commit(&sealed, deadline)).await,
            Err(error) => {
                tracing::error!(file_id = %sealed.file_id, %error, "a data file could not be written; its producers will retry");
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

    async fn put(&self, sealed: &SealedFile) -> Result<(), StoreError> {
        let started = Instant::now();
        let deadline = started + self.settings.put_timeout;
        let chunks = sealed.chunks.clone();
        self.objects.put(sealed.file_id, chunks, deadline).await?;
        self.metrics.observe_stage(Stage::ProducePut, started.elapsed());
        Ok(())
    }

    async fn commit(&self, sealed: &SealedFile, deadline: Instant) -> FileOutcome {
        let started = Instant::now();
        let selection = self.select(sealed);
        if selection.is_empty() {
            return FileOutcome::failed(GIVEN_UP, GIVEN_UP_MESSAGE.to_owned());
        }
        // Consumers may read the file as soon as it is committed, perhaps before this agent gets the response.
        self.blocks.keep_written(sealed.file_id, &sealed.chunks);
        let request = sealed.commit_request(&self.agent_id, &selection);
        let timeout = deadline.saturating_duration_since(started);
        let outcome = match self.metadata.commit_file(request, timeout).await {
            Ok(response) => {
                self.note_refusal(&response);
                commit::read_response(sealed, &selection, response)
            }
            Err(error) => {
                tracing::error!(file_id = %sealed.file_id, %error, "a data file could not be committed");
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
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = refused.as_ref().filter(|(_, at)| at.elapsed() < REFUSED_FOR);
        recent.map(|(why, _)| format!("the metadata service refuses this agent's files: {why}"))
    }

    fn note_refusal(&self, response: &proto::CommitFileResponse) {
        let refusal = commit::is_agents_fault(response).then(|| (response.error_message.clone(), Instant::now()));
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
    }

    /// What of a file may be committed: all but what follows a batch that was given up.
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

    /// None of a file counts as committed: its idempotent producers have gaps from here on.
    fn note_failed(&self, sealed: &SealedFile) {
        let now = Instant::now();
        let mut state = self.lock();
        for (key, sequence) in sealed.producers().flatten() {
            state.gaps.failed(key, sequence, now);
        }
    }

    /// Some batches were for topics that are gone: their producers send them again, to the next topic of the name, and what they sent after
    /// them must not come first there. That topic knows nothing of their sequences.
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
            let open = state.open.as_ref().map(OpenFile::opened);
            let oldest = [state.in_flight.oldest(), open].into_iter().flatten().min();
            state.gaps.forget(oldest.unwrap_or_else(Instant::now));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error for producers when a commit failed without a response: retriable, unless the agent itself is refused.
fn commit_error_code(error: &RpcError) -> ErrorCode {
    if error.is_retriable() {
        ErrorCode::REQUEST_TIMED_OUT
    } else if error.is_access_refused() {
        ErrorCode::CLUSTER_AUTHORIZATION_FAILED
    } else {
        ErrorCode::UNKNOWN_SERVER_ERROR
    }
}
