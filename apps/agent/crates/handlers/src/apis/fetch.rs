//! Fetch: finds the runs of each partition (in the cache, or with one call to the owner for all partitions), waits for
//! new records at the tail, and serves whole batches as slices of cached files. Fetch sessions are not supported.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::cache::{CommittedRuns, Partition, PartitionKey, Run, Topic, Watermarks};
use penstock_metadata_client::proto;
use penstock_read_path::{
    Limit, Portion, ReadError, ServedBatches, Share, StretchWindow, is_long, portions, read_batches,
};
use penstock_runtime::wall_clock;
use penstock_store::StoreError;
use penstock_telemetry::{Counters, Stage};
use penstock_traces::{KeyValue, SpanKind, child_of_current};
use penstock_wire::messages::FetchResponse;
use penstock_wire::messages::fetch::{AbortedTransaction, FetchRequest, FetchableTopicResponse, PartitionData};
use penstock_wire::{ApiKey, ErrorCode, RecordChunks};
use tokio::sync::{Notify, OwnedSemaphorePermit};
use tokio::time::{Instant, timeout, timeout_at};
use uuid::Uuid;

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// Maximum response size, whatever the consumer requests. A single larger batch is still sent.
const MAX_ANSWER_BYTES: u32 = 64 << 20;
/// Minimum number of bytes located at once, so that the owner is asked less often.
const LOCATED_BYTES: u32 = 1 << 20;
/// How long to wait for the owner if the cache could serve the request.
const OWNER_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of long runs per response. Each keeps a stretch of a file in memory.
const LONG_RUNS: usize = 4;
/// One in this many responses also reads merged files for the partition whose turn it is.
const LONG_TURNS: u32 = 64;
/// An object outlives the last reference to it by a minute. A location of this age is certain, also if this process was
/// paused in between.
const LOCATION_HOLDS: Duration = Duration::from_secs(10);
/// Maximum number of empty stretches that a request skips in a compacted partition.
const HOLES: usize = 64;
/// How long to wait for the owner if the cache cannot serve the request.
const LOCATE_TIMEOUT: Duration = Duration::from_secs(15);

/// Epochs of fetch sessions.
const INITIAL_EPOCH: i32 = 0;
const FINAL_EPOCH: i32 = -1;

/// The isolation level of a reader that gets no records of open transactions and skips those of aborted ones.
const READ_COMMITTED: i8 = 1;

/// Maximum age of a record at the tail that counts in the end-to-end latency. Older ones are replays.
const MAX_END_TO_END: Duration = Duration::from_secs(600);

/// A partition of the request.
struct Wanted {
    /// Indexes of the topic and the partition in the response.
    place: (usize, usize),
    topic: Arc<Topic>,
    partition: Arc<Partition>,
    offset: i64,
    max_bytes: usize,
    reads_committed: bool,
    state: OffsetState,
    /// The watermarks when its state was found.
    watermarks: Option<Watermarks>,
    /// True if the owner has confirmed the partition's watermarks since the request arrived. Otherwise another agent
    /// may already have sent later ones, so the response contains none (-1): a client that gets an earlier high
    /// watermark takes it for the end and stops before acknowledged records.
    has_current_watermarks: bool,
    /// True if it has records but other partitions go first.
    is_deferred: bool,
    /// File position at which its first run is read.
    start: u64,
    /// Number of its runs that this response reads.
    run_count: usize,
}

impl Wanted {
    /// Its short runs, in the stretches that contain them.
    fn portions(&self) -> impl Iterator<Item = Portion> {
        let runs = self.runs_of_answer();
        let are_short = runs.first().is_some_and(|first| !is_long(first));
        portions(if are_short { runs } else { &[] }, self.start, self.max_bytes)
    }

    /// Moves past a stretch without records, if records may follow.
    fn skip_hole(&mut self, served: &ServedBatches) -> bool {
        let goes_on = served.is_hole() && self.end_offset().is_some_and(|end| served.next_offset < end);
        if goes_on {
            self.offset = served.next_offset;
        }
        goes_on
    }

    /// Offset after the last that the reader may get, if known.
    fn end_offset(&self) -> Option<i64> {
        let known = self.watermarks?;
        Some(if self.reads_committed {
            known.last_stable_offset
        } else {
            known.high_watermark
        })
    }

    /// The runs that this response can read: part of a long run, or what precedes it.
    fn runs_of_answer(&self) -> &[Run] {
        let runs = self.state.runs();
        match runs.iter().position(is_long) {
            Some(0) if self.is_deferred => &[],
            Some(0) => &runs[..1],
            Some(first_long) => &runs[..first_long],
            None => runs,
        }
    }
}

/// The knowledge about the requested offset.
enum OffsetState {
    /// Only the owner knows the offset.
    Unknown,
    /// There are records to read.
    Readable(Vec<Run>),
    /// Like `Readable`, for a read_committed reader.
    ReadableCommitted(CommittedRuns),
    /// There is nothing more to read: at the high watermark, or for read_committed at or beyond the last stable offset.
    AtTail,
    Refused(ErrorCode),
}

/// Answers a fetch. The permit holds the response's memory until it has been sent.
pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: FetchRequest,
) -> (FetchResponse, Option<OwnedSemaphorePermit>) {
    if !is_full(&request) {
        let refusal = FetchResponse::from(ErrorCode::FETCH_SESSION_ID_NOT_FOUND);
        return (refusal, None);
    }
    let started = Instant::now();
    let deadline = started + Duration::from_millis(u64::try_from(request.max_wait_ms).unwrap_or(0));
    let min_bytes = u64::try_from(request.min_bytes).unwrap_or(0);
    let max_bytes = u32::try_from(request.max_bytes).unwrap_or(0).min(MAX_ANSWER_BYTES);
    let mut rules = context.cache.security();
    let (mut response, mut wanted) = resolve(&context, &caller, request).await;
    let mut waited = false;
    let mut waiter = Some(wait_for_changes(&wanted));
    loop {
        // Rights may have been revoked while the client waited.
        if rules.has_changed().unwrap_or(false) {
            rules.mark_unchanged();
            refuse_what_is_denied(&context.access(&caller), &mut wanted, &mut response);
        }
        let asked = Instant::now();
        find_runs(&context, &mut wanted).await;
        context.metrics.latencies.record(Stage::FetchMetadata, asked.elapsed());
        let readable_bytes: u64 = wanted.iter().map(|want| want.state.readable_bytes()).sum();
        let refused = wanted.iter().any(|want| matches!(want.state, OffsetState::Refused(_)));
        let refused = refused
            || response
                .responses
                .iter()
                .flat_map(|topic| &topic.partitions)
                .any(is_refused);
        if refused || readable_bytes >= min_bytes.max(1) || wanted.is_empty() {
            break;
        }
        let Some(waiting_for) = waiter.take() else {
            // Changes since the last check are found by checking again.
            waiter = Some(wait_for_changes(&wanted));
            continue;
        };
        // From here on, the duration includes waiting for records, so it is not recorded as latency.
        waited = true;
        let waiting = child_of_current("wait for records", SpanKind::Internal);
        let news = timeout_at(deadline, async {
            tokio::select! {
                () = waiting_for.notified() => {}
                Ok(()) = rules.changed() => rules.mark_changed(),
            }
        });
        let news = news.await;
        drop(waiting);
        if news.is_err() {
            break;
        }
    }
    let began = Instant::now();
    let misses = context.read_path.blocks.misses();
    let mut reading = child_of_current("read records", SpanKind::Internal);
    let (memory, read_any) = reading
        .in_scope(read_all(&context, max_bytes, wanted, &mut response))
        .await;
    if !names_topics_by_id(&caller) {
        for partition in response.responses.iter_mut().flat_map(|topic| &mut topic.partitions) {
            partition.error_code = failure::by_name(partition.error_code);
        }
    }
    // If no request had a cache miss meanwhile, neither did this one.
    let cached = read_any && context.read_path.blocks.misses() == misses;
    if cached {
        context.metrics.latencies.record(Stage::FetchCache, began.elapsed());
    }
    reading.describe(|| vec![KeyValue::new("penstock.cache.hit", cached)]);
    drop(reading);
    if read_any && !waited {
        context.metrics.fetch.observe(started.elapsed().as_secs_f64());
        context.metrics.latencies.record(Stage::Fetch, started.elapsed());
    }
    (response, memory)
}

/// Returns true if a fetch lists all partitions that it wants. As in Kafka, only the epoch determines this: the initial
/// one requests a session, which a broker may decline, and the final one requests none; both end the session with the
/// given id. Any other epoch continues a session, and there are none.
fn is_full(request: &FetchRequest) -> bool {
    matches!(request.session_epoch, INITIAL_EPOCH | FINAL_EPOCH)
}

/// Returns a waiter that any later change of these partitions wakes.
fn wait_for_changes(wanted: &[Wanted]) -> Arc<Notify> {
    let waiter = Arc::new(Notify::new());
    for want in wanted {
        want.partition.wake_on_change(&waiter);
    }
    waiter
}

fn names_topics_by_id(caller: &Caller) -> bool {
    caller.version >= 13
}

fn is_refused(partition: &PartitionData) -> bool {
    !partition.error_code.is_none()
}

impl OffsetState {
    fn readable_bytes(&self) -> u64 {
        self.runs().iter().map(|run| u64::from(run.bytes)).sum()
    }

    fn runs(&self) -> &[Run] {
        match self {
            Self::Readable(runs) => runs,
            Self::ReadableCommitted(committed) => &committed.runs,
            _ => &[],
        }
    }

    /// The offset at which reading stops.
    fn end_offset(&self) -> i64 {
        match self {
            Self::ReadableCommitted(committed) => committed.end_offset,
            _ => i64::MAX,
        }
    }
}

/// Prepares the response, and resolves the partitions that exist.
async fn resolve(context: &Context, caller: &Caller, request: FetchRequest) -> (FetchResponse, Vec<Wanted>) {
    let by_id = names_topics_by_id(caller);
    let looked_up = if by_id {
        let ids: Vec<uuid::Uuid> = request
            .topics
            .iter()
            .map(|topic| ids::from_wire(topic.topic_id))
            .collect();
        context.topics_by_id(&ids).await
    } else {
        let names: Vec<&str> = request.topics.iter().map(|topic| topic.topic.as_str()).collect();
        context.topics_by_name(&names).await
    };
    let unknown_topic = if by_id {
        ErrorCode::UNKNOWN_TOPIC_ID
    } else {
        ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
    };
    let (topics, unknown_topic) = match looked_up {
        Ok(topics) => (topics, unknown_topic),
        Err(error) => {
            failure::cluster_error(ApiKey::Fetch, &error);
            let catalogue = context.cache.catalogue();
            let known = request.topics.iter().map(|topic| {
                let found = if by_id {
                    catalogue.topic_by_id(ids::from_wire(topic.topic_id))
                } else {
                    catalogue.topic_by_name(&topic.topic)
                };
                found.cloned()
            });
            (known.collect(), ErrorCode::NOT_LEADER_OR_FOLLOWER)
        }
    };
    let access = context.access(caller);
    let now = Instant::now();
    let mut responses = Vec::with_capacity(request.topics.len());
    let mut wanted = Vec::new();
    for ((topic_index, asked), topic) in request.topics.into_iter().enumerate().zip(topics) {
        let name = topic.as_ref().map_or(asked.topic.as_str(), |topic| &topic.name);
        // A client that gives the topic's id already knows whether it exists.
        let is_allowed = (by_id && topic.is_none()) || access.allows(Operation::Read, Resource::topic(name));
        let mut partitions = Vec::with_capacity(asked.partitions.len());
        for (partition_index, asked) in asked.partitions.into_iter().enumerate() {
            let partition = u32::try_from(asked.partition).ok();
            let error_code = match (&topic, partition) {
                _ if !is_allowed => ErrorCode::TOPIC_AUTHORIZATION_FAILED,
                (None, _) => unknown_topic,
                (Some(topic), Some(partition)) if partition < topic.partitions => {
                    let topic_id = topic.id;
                    wanted.push(Wanted {
                        place: (topic_index, partition_index),
                        topic: Arc::clone(topic),
                        partition: context.cache.partition(PartitionKey { topic_id, partition }, now),
                        offset: asked.fetch_offset,
                        max_bytes: usize::try_from(asked.partition_max_bytes).unwrap_or(0),
                        reads_committed: request.isolation_level == READ_COMMITTED,
                        state: OffsetState::Unknown,
                        watermarks: None,
                        has_current_watermarks: false,
                        is_deferred: false,
                        start: 0,
                        run_count: 0,
                    });
                    ErrorCode::NONE
                }
                (Some(_), _) => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
            };
            partitions.push(PartitionData {
                partition_index: asked.partition,
                ..error_code.into()
            });
        }
        responses.push(FetchableTopicResponse {
            topic: asked.topic,
            topic_id: asked.topic_id,
            partitions,
        });
    }
    (
        FetchResponse {
            responses,
            ..Default::default()
        },
        wanted,
    )
}

/// Refuses the partitions that the client may no longer read.
fn refuse_what_is_denied(access: &Access, wanted: &mut Vec<Wanted>, response: &mut FetchResponse) {
    wanted.retain(|want| {
        let is_allowed = access.allows(Operation::Read, Resource::topic(&want.topic.name));
        if !is_allowed {
            let (topic, partition) = want.place;
            response.responses[topic].partitions[partition].error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED;
        }
        is_allowed
    });
}

/// Finds the state of each partition in the cache, or with one call to the owner.
async fn find_runs(context: &Context, wanted: &mut [Wanted]) {
    let now = Instant::now();
    for want in wanted.iter_mut() {
        want.watermarks = want.partition.watermarks(now);
        // Once confirmed, they stay so for this request, because they only grow.
        want.has_current_watermarks |= want.watermarks.is_some_and(|known| known.current);
        want.state = known_state(want, Some(now));
    }
    if wanted.iter().any(|want| matches!(want.state, OffsetState::Unknown)) {
        locate(context, wanted).await;
    }
}

/// The state in the cache at `now`. Without `now`, the owner is unreachable, and outdated data is used, too.
fn known_state(want: &Wanted, now: Option<Instant>) -> OffsetState {
    let Some(known) = want.watermarks else {
        return OffsetState::Unknown;
    };
    let Watermarks {
        log_start_offset,
        high_watermark,
        last_stable_offset,
        current,
    } = known;
    if want.offset < log_start_offset || want.offset > high_watermark || !(current || now.is_none()) {
        return OffsetState::Unknown;
    }
    if want.offset == high_watermark || (want.reads_committed && want.offset >= last_stable_offset) {
        return OffsetState::AtTail;
    }
    let mut runs = Vec::new();
    if want.reads_committed {
        let found = want
            .partition
            .committed_runs_from(want.offset, want.max_bytes as u64, now);
        return found.map_or(OffsetState::Unknown, OffsetState::ReadableCommitted);
    }
    if want
        .partition
        .runs_from(want.offset, want.max_bytes as u64, now, &mut runs)
    {
        OffsetState::Readable(runs)
    } else {
        OffsetState::Unknown
    }
}

async fn locate(context: &Context, wanted: &mut [Wanted]) {
    let unknown: Vec<usize> = (0..wanted.len())
        .filter(|index| matches!(wanted[*index].state, OffsetState::Unknown))
        .collect();
    let cursors = unknown.iter().map(|index| cursor(&wanted[*index])).collect();
    let something_known = wanted.iter().any(|want| !matches!(want.state, OffsetState::Unknown))
        || unknown
            .iter()
            .all(|index| !matches!(known_state(&wanted[*index], None), OffsetState::Unknown));
    let locate_timeout = if something_known { OWNER_TIMEOUT } else { LOCATE_TIMEOUT };
    let question = context
        .metadata
        .locate(proto::LocateRequest { cursors }, locate_timeout);
    let answer = timeout(locate_timeout, question).await;
    match answer {
        Ok(Ok(answer)) if answer.located.len() == unknown.len() => {
            for (index, located) in unknown.into_iter().zip(answer.located) {
                apply_located(context, &mut wanted[index], &located);
            }
        }
        failed => {
            let why = match failed {
                Ok(Ok(_)) => "the response does not match the request".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "timed out".to_owned(),
            };
            tracing::warn!(
                why,
                "cannot locate records: the metadata service did not answer. Serving from the cache"
            );
            for index in unknown {
                let want = &mut wanted[index];
                want.watermarks = want.partition.watermarks(Instant::now());
                want.state = match known_state(want, None) {
                    OffsetState::Unknown => {
                        // The consumer may be ahead of the cached watermarks.
                        want.has_current_watermarks = false;
                        OffsetState::Refused(ErrorCode::NOT_LEADER_OR_FOLLOWER)
                    }
                    known => known,
                };
            }
        }
    }
}

fn cursor(want: &Wanted) -> proto::Cursor {
    proto::Cursor {
        topic_id: Bytes::copy_from_slice(want.partition.key.topic_id.as_bytes()),
        partition: want.partition.key.partition,
        offset: want.offset,
        max_bytes: u32::try_from(want.max_bytes)
            .unwrap_or(u32::MAX)
            .clamp(LOCATED_BYTES, MAX_ANSWER_BYTES),
    }
}

/// Caches the owner's response and sets the state for this request.
fn apply_located(context: &Context, want: &mut Wanted, located: &proto::Located) {
    let error_code = failure::code(located.error_code);
    if error_code == ErrorCode::UNKNOWN_TOPIC_ID {
        context.cache.remove_topics(&[want.partition.key.topic_id]);
    }
    if error_code.is_none() || error_code == ErrorCode::OFFSET_OUT_OF_RANGE {
        want.partition.observe_watermarks(located);
        want.watermarks = want.partition.watermarks(Instant::now());
        want.has_current_watermarks = true;
    }
    want.state = located_state(want, error_code, located);
}

fn located_state(want: &Wanted, error_code: ErrorCode, located: &proto::Located) -> OffsetState {
    if !error_code.is_none() {
        return OffsetState::Refused(error_code);
    }
    let runs: Vec<Run> = located.runs.iter().filter_map(Run::from_proto).collect();
    match runs.first() {
        None => OffsetState::AtTail,
        Some(first) if first.base_offset <= want.offset && want.offset < first.end_offset() => {
            want.partition.keep_located(located, runs.clone());
            if want.reads_committed {
                let committed = CommittedRuns::of_located(located, runs, want.offset);
                return committed.map_or(OffsetState::AtTail, OffsetState::ReadableCommitted);
            }
            OffsetState::Readable(runs)
        }
        Some(_) => {
            tracing::error!(partition = ?want.partition.key, offset = want.offset, "the metadata service returned the location of another offset");
            OffsetState::Refused(ErrorCode::KAFKA_STORAGE_ERROR)
        }
    }
}

/// Reads records to the response in even shares, starting at a different partition each time. Also returns whether
/// there were any.
async fn read_all(
    context: &Context,
    max_bytes: u32,
    mut wanted: Vec<Wanted>,
    response: &mut FetchResponse,
) -> (Option<OwnedSemaphorePermit>, bool) {
    let turn = context.next_rotation();
    if !wanted.is_empty() {
        let first = turn % wanted.len();
        wanted.rotate_left(first);
    }
    let mut window = choose_runs(context, &mut wanted, has_long_turn(turn));
    let readable = wanted.iter().filter(|want| want.run_count > 0).count();
    let (granted_bytes, mut memory) = if readable == 0 {
        (0, None)
    } else {
        context.read_path.reserve(max_bytes.max(1))
    };
    let mut share = Share::new(granted_bytes.min(max_bytes) as usize, readable);
    begin_loading(context, &wanted, &mut window, share.even());
    let (mut sent_bytes, mut sent_records) = (0, 0);
    let (mut moved, mut at_holes) = (Vec::new(), Vec::new());
    for mut want in wanted {
        match read_partition(context, &want, &mut share).await {
            Err(ReadError::Store(StoreError::NotFound(file_id))) => {
                tracing::debug!(partition = ?want.partition.key, %file_id, "a data file is gone; locating its records again");
                want.partition.forget_runs();
                moved.push(want);
            }
            Ok(served) if want.skip_hole(&served) => at_holes.push(want),
            read => fill_in(context, &want, read, response, (&mut sent_bytes, &mut sent_records)),
        }
    }
    for hole in 1..=HOLES {
        if at_holes.is_empty() {
            break;
        }
        find_runs(context, &mut at_holes).await;
        choose_runs(context, &mut at_holes, true);
        for mut want in std::mem::take(&mut at_holes) {
            match read_partition(context, &want, &mut share).await {
                Err(ReadError::Store(StoreError::NotFound(_))) => {
                    want.partition.forget_runs();
                    moved.push(want);
                }
                Ok(served) if hole < HOLES && want.skip_hole(&served) => at_holes.push(want),
                read => fill_in(context, &want, read, response, (&mut sent_bytes, &mut sent_records)),
            }
        }
    }
    if !moved.is_empty() {
        // One call for all, since they were in the same files. A file that is missing again is lost.
        let located_at = Instant::now();
        find_runs(context, &mut moved).await;
        choose_runs(context, &mut moved, true);
        for want in moved {
            match read_partition(context, &want, &mut share).await {
                Err(ReadError::Store(StoreError::NotFound(file_id))) if located_at.elapsed() < LOCATION_HOLDS => {
                    refuse_lost(&want, file_id, response);
                }
                read => fill_in(context, &want, read, response, (&mut sent_bytes, &mut sent_records)),
            }
        }
    }
    context.metrics.fetched_bytes.inc_by(sent_bytes as u64);
    Counters::add(&context.metrics.counters.fetched_records, sent_records);
    // Returns unused memory immediately.
    if let Some(memory) = &mut memory {
        drop(memory.split(memory.num_permits().saturating_sub(sent_bytes)));
    }
    (memory, sent_bytes > 0)
}

/// Fills in the records of a partition, or the error, and its watermarks if they are current.
fn fill_in(
    context: &Context,
    want: &Wanted,
    read: Result<ServedBatches, ReadError>,
    response: &mut FetchResponse,
    (sent_bytes, sent_records): (&mut usize, &mut u64),
) {
    let data = &mut response.responses[want.place.0].partitions[want.place.1];
    let mut watermarks = want.watermarks;
    match (read, &want.state) {
        (Ok(_), OffsetState::Refused(error_code)) => data.error_code = *error_code,
        (Ok(served), _) => {
            if !served.chunks.is_empty() {
                // The records may include some that arrived after its state was found.
                watermarks = want.partition.watermarks(Instant::now());
            }
            *sent_bytes += served.bytes;
            *sent_records += served.records;
            observe_end_to_end(context, want, &served);
            data.aborted_transactions = aborted_transactions(want, &served);
            data.records = RecordChunks(served.chunks);
        }
        (Err(error), _) => {
            tracing::error!(partition = ?want.partition.key, offset = want.offset, %error, "cannot read records");
            data.error_code = ErrorCode::KAFKA_STORAGE_ERROR;
        }
    }
    if want.has_current_watermarks
        && let Some(known) = watermarks
    {
        data.high_watermark = known.high_watermark;
        data.last_stable_offset = known.last_stable_offset;
        data.log_start_offset = known.log_start_offset;
    }
}

/// Answers that records are lost, which no consumer retries in silence, and logs which ones.
fn refuse_lost(want: &Wanted, file_id: Uuid, response: &mut FetchResponse) {
    let gap = gap_of(&want.state, file_id, want.offset);
    tracing::error!(
        partition = ?want.partition.key,
        %file_id,
        first_offset = gap.start,
        last_offset = gap.end - 1,
        "records are lost: their object is gone from the bucket. Consumers get CORRUPT_MESSAGE. To go on, seek behind the \
         last offset, or delete the records up to it"
    );
    response.responses[want.place.0].partitions[want.place.1].error_code = ErrorCode::CORRUPT_MESSAGE;
}

/// The offsets from `offset` on that lie in this file without another one in between.
fn gap_of(state: &OffsetState, file_id: Uuid, offset: i64) -> Range<i64> {
    let runs = match state {
        OffsetState::Readable(runs) => runs.as_slice(),
        OffsetState::ReadableCommitted(committed) => committed.runs.as_slice(),
        OffsetState::Unknown | OffsetState::AtTail | OffsetState::Refused(_) => &[],
    };
    let lost = runs.iter().take_while(|run| run.file_id == file_id);
    offset..lost.last().map_or(offset + 1, Run::end_offset)
}

/// The aborted transactions whose records the reader must skip. `None` if it reads all records.
fn aborted_transactions(want: &Wanted, served: &ServedBatches) -> Option<Vec<AbortedTransaction>> {
    if !want.reads_committed {
        return None;
    }
    let OffsetState::ReadableCommitted(committed) = &want.state else {
        return Some(Vec::new());
    };
    let met = committed
        .aborted
        .iter()
        .filter(|aborted| aborted.first_offset < served.next_offset);
    let mut met: Vec<AbortedTransaction> = met
        .map(|aborted| AbortedTransaction {
            producer_id: aborted.producer_id,
            first_offset: aborted.first_offset,
        })
        .collect();
    // They are in the order in which they ended. kafkajs expects them in the order in which they began.
    met.sort_by_key(|aborted| aborted.first_offset);
    Some(met)
}

/// Measures the end-to-end latency of the newest record for a reader at the tail, from its producer's timestamp.
fn observe_end_to_end(context: &Context, want: &Wanted, served: &ServedBatches) {
    let is_at_tail = want.end_offset().is_some_and(|end| end <= served.next_offset);
    let timestamp = u64::try_from(served.last_timestamp_ms).ok().map(Duration::from_millis);
    let (true, Some(timestamp)) = (is_at_tail && !served.chunks.is_empty(), timestamp) else {
        return;
    };
    match wall_clock().duration_since(UNIX_EPOCH + timestamp) {
        Ok(took) if took <= MAX_END_TO_END => context.metrics.latencies.record(Stage::EndToEnd, took),
        Ok(_) => {}
        Err(_) => Counters::add(&context.metrics.counters.timestamps_ahead, 1),
    }
}

/// Starts loading all data of the response, so that blocks load concurrently, and adjacent ones in one request.
fn begin_loading(context: &Context, wanted: &[Wanted], window: &mut StretchWindow, even_bytes: usize) {
    let mut ranges = Vec::new();
    for want in wanted {
        for portion in want.portions() {
            if window.loads(&portion) {
                ranges.push(portion.file_range());
            }
        }
        let first_long = want.runs_of_answer().first().filter(|first| is_long(first));
        let bytes = want.max_bytes.min(even_bytes);
        if let Some(run) = first_long
            && let Some(range) = context.read_path.known_range(run, want.offset, bytes)
        {
            ranges.push(range);
        }
    }
    context.read_path.load_together(ranges);
}

/// Reads as much of a partition as its share allows, or nothing if there is nothing to read.
async fn read_partition(context: &Context, want: &Wanted, share: &mut Share) -> Result<ServedBatches, ReadError> {
    let runs = &want.runs_of_answer()[..want.run_count];
    if runs.is_empty() {
        return Ok(ServedBatches::default());
    }
    let must_send = share.must_send();
    let bytes = share.next(want.max_bytes);
    let limit = Limit {
        bytes,
        // A batch that exceeds the even share may still fit in the response.
        first_batch_bytes: if must_send {
            usize::MAX
        } else {
            want.max_bytes.min(share.bytes_left())
        },
        end_offset: want.state.end_offset(),
    };
    let served = read_batches(&context.read_path, runs, want.offset, limit).await?;
    if !served.is_hole() {
        share.sent(served.bytes);
    }
    Ok(served)
}

/// Chooses the runs from which the response is read.
fn choose_runs(context: &Context, wanted: &mut [Wanted], has_long_turn: bool) -> StretchWindow {
    for want in wanted.iter_mut() {
        want.is_deferred = false;
        want.start = match want.state.runs().first() {
            Some(run) => context.read_path.known_position(run, want.offset),
            None => 0,
        };
    }
    choose_long_runs(context, wanted);
    let portions = wanted.iter().map(Wanted::portions);
    let mut window = StretchWindow::new(portions, wall_clock(), has_long_turn);
    for want in wanted {
        want.run_count = match want.runs_of_answer().first() {
            Some(first) if is_long(first) => 1,
            _ => window.take(want.portions(), want.max_bytes),
        };
    }
    window
}

/// Returns true if this response also reads merged files of the partition whose turn it is. Turns follow the order of
/// partitions, so a fixed interval would always select the same ones; multiplying by the golden ratio spreads them over
/// all.
fn has_long_turn(turn: usize) -> bool {
    let mixed = (turn as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 32 < u64::from(u32::MAX / LONG_TURNS)
}

/// Chooses the long runs from which the response reads. Runs whose next bytes are cached come first, so that their
/// readers finish them.
fn choose_long_runs(context: &Context, wanted: &mut [Wanted]) {
    let mut long: Vec<(bool, usize)> = Vec::new();
    for (index, want) in wanted.iter().enumerate() {
        if let Some(run) = want.state.runs().first().filter(|run| is_long(run)) {
            long.push((!context.read_path.is_in_memory(run, want.offset), index));
        }
    }
    long.sort_unstable();
    for (_, index) in long.into_iter().skip(LONG_RUNS) {
        wanted[index].is_deferred = true;
    }
}
