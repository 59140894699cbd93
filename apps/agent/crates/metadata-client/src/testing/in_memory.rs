//! An in-memory metadata service with topics, runs, offsets and watch streams, for producing and fetching in tests. It
//! answers as the real service does (see `contract_tests.rs`), but trusts the sizes in commits and ignores their
//! transactions. It has no groups and no durability, and sends no settings.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use parking_lot::{Mutex, MutexGuard};
use penstock_runtime::{random_uuid, since_unix_epoch};
use prost::Message;
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use super::partition::{Claim, Partition, Verdict, end_of};
use crate::error::RpcError;
use crate::metadata::{Metadata, WatchStream, for_each_unary_rpc};
use crate::proto;

const OFFSET_OUT_OF_RANGE: i32 = 1;
const UNKNOWN_TOPIC_OR_PARTITION: i32 = 3;
const INVALID_REQUEST: i32 = 42;
const UNKNOWN_TOPIC_ID: i32 = 100;
/// Maximum age of accepted ids, and their maximum time in the future.
const ID_MAX_AGE_MS: i64 = 600_000;
const ID_MAX_LEAD_MS: i64 = 300_000;
/// Files younger than this may still be committed, so they count as known.
const ORPHAN_AGE_MS: i64 = 2 * 24 * 3_600_000;

/// The fake service. Tests can delay calls or make them fail.
#[derive(Debug)]
pub struct InMemoryMetadata {
    state: Mutex<State>,
    /// Every commit briefly takes this semaphore, and a test can hold it.
    commit_gate: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct State {
    topics: Vec<proto::Topic>,
    partitions: HashMap<PartitionKey, Partition>,
    watchers: Vec<Watcher>,
    /// How many watch streams were opened.
    watches: usize,
    commits: Vec<proto::CommitFileRequest>,
    /// Responses to the commits, by file id.
    answers: HashMap<Bytes, proto::CommitFileResponse>,
    calls: HashMap<&'static str, usize>,
    is_unreachable: bool,
    next_commit_failures: usize,
    clock_ahead_ms: i64,
    knows_all_files: bool,
    security: proto::SecurityState,
}

/// Topic id and number of a partition.
type PartitionKey = (Bytes, u32);

/// An open watch stream.
#[derive(Debug)]
struct Watcher {
    id: String,
    interest: HashSet<PartitionKey>,
    events: mpsc::UnboundedSender<proto::WatchEvent>,
}

impl Default for InMemoryMetadata {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            commit_gate: Arc::new(Semaphore::new(1)),
        }
    }
}

impl InMemoryMetadata {
    /// Creates a topic and notifies watchers.
    pub fn create_topic(&self, name: &str, partitions: u32) -> Uuid {
        self.create_topic_with(name, partitions, Vec::new())
    }

    /// Like [`Self::create_topic`], with configs.
    pub fn create_topic_with(&self, name: &str, partitions: u32, configs: Vec<proto::Config>) -> Uuid {
        let id = random_uuid();
        self.create_topic_as(id, name, partitions, configs);
        id
    }

    /// Like [`Self::create_topic_with`], with a given id.
    pub(super) fn create_topic_as(&self, id: Uuid, name: &str, partitions: u32, configs: Vec<proto::Config>) {
        let mut state = self.lock();
        let topic = proto::Topic {
            topic_id: Bytes::copy_from_slice(id.as_bytes()),
            name: name.to_owned(),
            partitions,
            configs,
            created_at_ms: state.now_ms(),
            ..Default::default()
        };
        state.topics.push(topic.clone());
        let catalogue = proto::Catalogue {
            topics: vec![topic],
            ..Default::default()
        };
        state.tell(&proto::WatchEvent {
            catalogue: Some(catalogue),
            ..Default::default()
        });
    }

    /// Deletes a topic without notifying watchers, as if the event were still in transit.
    pub fn delete_topic_silently(&self, id: Uuid) {
        self.lock()
            .topics
            .retain(|topic| topic.topic_id != id.as_bytes().as_slice());
    }

    /// Deletes the records before an offset without notifying watchers.
    pub fn truncate(&self, id: Uuid, partition: u32, before_offset: i64) {
        let key = (Bytes::copy_from_slice(id.as_bytes()), partition);
        self.lock().partitions.entry(key).or_default().truncate(before_offset);
    }

    /// The commits so far.
    #[must_use]
    pub fn commits(&self) -> Vec<proto::CommitFileRequest> {
        self.lock().commits.clone()
    }

    /// The locations of a partition's records.
    #[must_use]
    pub fn runs(&self, topic_id: Uuid, partition: u32) -> Vec<proto::RunLocation> {
        let key = (Bytes::copy_from_slice(topic_id.as_bytes()), partition);
        let state = self.lock();
        state
            .partitions
            .get(&key)
            .map_or_else(Vec::new, |found| found.runs.clone())
    }

    /// Changes the locations of a partition's records, as a merge does, without notifying watchers.
    pub fn move_runs(&self, topic_id: Uuid, partition: u32, runs: Vec<proto::RunLocation>) {
        let key = (Bytes::copy_from_slice(topic_id.as_bytes()), partition);
        self.lock().partitions.entry(key).or_default().runs = runs;
    }

    /// How often an RPC was called, such as `"Locate"`.
    #[must_use]
    pub fn calls(&self, rpc: &str) -> usize {
        self.lock().calls.get(rpc).copied().unwrap_or(0)
    }

    /// Makes every later call fail and ends the watch streams, or makes calls work again.
    pub fn set_unreachable(&self, is_unreachable: bool) {
        let mut state = self.lock();
        state.is_unreachable = is_unreachable;
        if is_unreachable {
            state.watchers.clear();
        }
    }

    /// Sets the service's clock ahead of the machine's.
    pub fn set_clock_ahead(&self, ahead_ms: i64) {
        self.lock().clock_ahead_ms = ahead_ms;
    }

    /// Treats every file as committed from now on, as if orphan collection were off.
    pub fn set_knows_all_files(&self) {
        self.lock().knows_all_files = true;
    }

    /// Replaces users, ACLs and quotas, and notifies watchers.
    pub fn set_security(&self, security: proto::SecurityState) {
        let mut state = self.lock();
        state.security = security.clone();
        state.tell(&proto::WatchEvent {
            security: Some(security),
            ..Default::default()
        });
    }

    /// The service's time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.lock().now_ms()
    }

    /// Makes the next commits fail without storing anything.
    pub fn fail_next_commits(&self, count: usize) {
        self.lock().next_commit_failures = count;
    }

    /// Delays all commits until the permit is dropped.
    ///
    /// # Panics
    /// Never panics, because the semaphore is never closed.
    pub async fn hold_commits(&self) -> tokio::sync::OwnedSemaphorePermit {
        match Arc::clone(&self.commit_gate).acquire_owned().await {
            Ok(permit) => permit,
            Err(closed) => panic!("{closed}"),
        }
    }

    async fn call<Response: Message + Default>(
        &self,
        rpc: &'static str,
        request: &impl Message,
    ) -> Result<Response, RpcError> {
        if rpc == "CommitFile" {
            // The semaphore is never closed.
            drop(self.commit_gate.acquire().await);
        }
        let body = Bytes::from(request.encode_to_vec());
        let mut state = self.lock();
        *state.calls.entry(rpc).or_default() += 1;
        if state.is_unreachable {
            return Err(RpcError::Unavailable("the test says so".to_owned()));
        }
        let answer = match rpc {
            "DescribeCluster" => state.describe(&decoded(body)?).encode_to_vec(),
            "CommitFile" => state.commit(decoded(body)?)?.encode_to_vec(),
            "Locate" => state.locate(&decoded(body)?).encode_to_vec(),
            "ListOffsets" => state.list_offsets(&decoded(body)?).encode_to_vec(),
            "KnownFiles" => state.known_files(&decoded(body)?).encode_to_vec(),
            "UpdateInterest" => state.update_interest(&decoded(body)?).encode_to_vec(),
            other => return Err(RpcError::Unavailable(format!("{other} is not in this fake"))),
        };
        decoded(answer.into())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

fn decoded<M: Message + Default>(body: Bytes) -> Result<M, RpcError> {
    M::decode(body).map_err(|error| RpcError::InvalidArgument(error.to_string()))
}

/// Reads the producer of a batch from the columns of a commit; `None` if the batch has no producer id.
fn claim_of(request: &proto::CommitFileRequest, batch: usize) -> Option<Claim> {
    let producer_id = *request.batch_producer_id.get(batch).filter(|id| **id >= 0)?;
    Some(Claim {
        producer_id,
        epoch: request.batch_producer_epoch[batch],
        sequence: request.batch_base_sequence[batch],
    })
}

fn refused(message: &str) -> proto::CommitFileResponse {
    proto::CommitFileResponse {
        error_code: INVALID_REQUEST,
        error_message: message.to_owned(),
        ..Default::default()
    }
}

/// The time in a UUIDv7.
fn time_of(file_id: &[u8]) -> Option<i64> {
    let time = Uuid::from_slice(file_id).ok()?.get_timestamp()?;
    let (seconds, nanoseconds) = time.to_unix();
    Some(seconds.cast_signed() * 1000 + i64::from(nanoseconds / 1_000_000))
}

impl State {
    fn tell(&mut self, event: &proto::WatchEvent) {
        self.watchers
            .retain(|watcher| watcher.events.send(event.clone()).is_ok());
    }

    /// Sends each watcher the updates that it is interested in.
    fn tell_updates(&mut self, updates: &[proto::PartitionUpdate]) {
        self.watchers.retain(|watcher| {
            let partitions: Vec<_> = updates
                .iter()
                .filter(|update| watcher.interest.contains(&(update.topic_id.clone(), update.partition)))
                .cloned()
                .collect();
            if partitions.is_empty() {
                return !watcher.events.is_closed();
            }
            let event = proto::WatchEvent {
                partitions,
                ..Default::default()
            };
            watcher.events.send(event).is_ok()
        });
    }

    fn now_ms(&self) -> i64 {
        let since_epoch = since_unix_epoch();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX) + self.clock_ahead_ms
    }

    /// Kafka's error code for a partition that does not exist; 0 if it does.
    fn existence_error(&self, topic_id: &Bytes, partition: u32) -> i32 {
        match self.topics.iter().find(|topic| topic.topic_id == topic_id) {
            None => UNKNOWN_TOPIC_ID,
            Some(topic) if partition >= topic.partitions => UNKNOWN_TOPIC_OR_PARTITION,
            Some(_) => 0,
        }
    }

    /// The log start offset and high watermark of a partition that exists.
    fn bounds(&self, topic_id: &Bytes, partition: u32) -> (i64, i64) {
        let found = self.partitions.get(&(topic_id.clone(), partition));
        found.map_or((0, 0), |found| (found.log_start_offset, found.high_watermark))
    }

    fn describe(&self, request: &proto::DescribeClusterRequest) -> proto::DescribeClusterResponse {
        let by_name = |name: &String| self.topics.iter().find(|topic| topic.name == *name);
        let by_id = |id: &Bytes| self.topics.iter().find(|topic| topic.topic_id == id);
        let mut topics: Vec<proto::Topic> = Vec::new();
        let asked = request.topic_names.iter().filter_map(by_name);
        for topic in asked.chain(request.topic_ids.iter().filter_map(by_id)) {
            if !topics.contains(topic) {
                topics.push(topic.clone());
            }
        }
        if request.topic_names.is_empty() && request.topic_ids.is_empty() {
            topics.clone_from(&self.topics);
        }
        proto::DescribeClusterResponse {
            topics,
            ..Default::default()
        }
    }

    fn commit(&mut self, request: proto::CommitFileRequest) -> Result<proto::CommitFileResponse, RpcError> {
        if self.next_commit_failures > 0 {
            self.next_commit_failures -= 1;
            return Err(RpcError::Unavailable("the test says so".to_owned()));
        }
        let runs = request.run_topic.len();
        let answer = self.answers.get(&request.file_id).filter(|answer| {
            answer.batch_base_offset.len() == request.batch_bytes.len() && answer.run_log_start_offset.len() == runs
        });
        if let Some(answer) = answer {
            return Ok(answer.clone());
        }
        if let Some(refusal) = self.id_refusal(&request.file_id) {
            return Ok(refusal);
        }
        let mut response = proto::CommitFileResponse::default();
        let mut updates = Vec::new();
        let mut batch = 0;
        for run in 0..runs {
            let batches = batch..batch + request.run_batches[run] as usize;
            batch = batches.end;
            self.commit_run(&request, (run, batches), &mut response, &mut updates);
        }
        if response.batch_error_code.iter().all(|code| *code == 0) {
            response.batch_error_code.clear();
        }
        self.answers.insert(request.file_id.clone(), response.clone());
        self.commits.push(request);
        self.tell_updates(&updates);
        Ok(response)
    }

    /// The response to a commit whose file id can no longer, or not yet, be used.
    fn id_refusal(&self, file_id: &Bytes) -> Option<proto::CommitFileResponse> {
        let Some(made_ms) = time_of(file_id) else {
            return Some(refused("The file id is not a UUIDv7."));
        };
        if made_ms < self.now_ms() - ID_MAX_AGE_MS {
            return Some(refused(
                "The file id is older than 10 minutes: write the records to a new file. Check the clock of the agent.",
            ));
        }
        if made_ms > self.now_ms() + ID_MAX_LEAD_MS {
            return Some(refused(
                "The file id lies more than 5 minutes in the future: check the clock of the agent.",
            ));
        }
        self.answers
            .contains_key(file_id)
            .then(|| refused("The answer for this file id is no longer known: write the records to a new file."))
    }

    /// Judges the batches of one run. Accepted ones that follow each other become one run of the index.
    fn commit_run(
        &mut self,
        request: &proto::CommitFileRequest,
        (run, batches): (usize, std::ops::Range<usize>),
        response: &mut proto::CommitFileResponse,
        updates: &mut Vec<proto::PartitionUpdate>,
    ) {
        let topic_id = request.topic_ids[request.run_topic[run] as usize].clone();
        let partition = request.run_partition[run];
        let error_code = self.existence_error(&topic_id, partition);
        if error_code != 0 {
            for _ in batches {
                response.batch_base_offset.push(-1);
                response.batch_error_code.push(error_code);
            }
            response.run_log_start_offset.push(-1);
            return;
        }
        let found = self.partitions.entry((topic_id.clone(), partition)).or_default();
        let mut appended: Vec<proto::RunLocation> = Vec::new();
        let mut position = request.run_position[run];
        let mut is_open = false;
        for batch in batches {
            let (bytes, records) = (request.batch_bytes[batch], request.batch_records[batch]);
            let base_offset = found.high_watermark;
            let (offset, error_code) = match found.admit(claim_of(request, batch), records, base_offset) {
                Verdict::Append => {
                    let timestamp_ms = request.batch_max_timestamp_ms[batch];
                    match appended.last_mut().filter(|_| is_open) {
                        Some(last) => {
                            last.bytes += bytes;
                            last.records += records;
                            last.max_timestamp_ms = last.max_timestamp_ms.max(timestamp_ms);
                        }
                        None => appended.push(proto::RunLocation {
                            file_id: request.file_id.clone(),
                            position,
                            bytes,
                            base_offset,
                            records,
                            max_timestamp_ms: timestamp_ms,
                            file_bytes: request.file_bytes,
                            marker: None,
                        }),
                    }
                    found.high_watermark += i64::from(records);
                    is_open = true;
                    (base_offset, 0)
                }
                Verdict::Duplicate(offset) => {
                    is_open = false;
                    (offset, 0)
                }
                Verdict::Refuse(error_code) => {
                    is_open = false;
                    (-1, error_code)
                }
            };
            response.batch_base_offset.push(offset);
            response.batch_error_code.push(error_code);
            position += u64::from(bytes);
        }
        response.run_log_start_offset.push(found.log_start_offset);
        if let Some(last) = appended.last() {
            found.runs.extend(appended.iter().cloned());
            updates.push(proto::PartitionUpdate {
                topic_id,
                partition,
                log_start_offset: found.log_start_offset,
                high_watermark: end_of(last),
                runs: appended,
                last_stable_offset: None,
            });
        }
    }

    fn known_files(&self, request: &proto::KnownFilesRequest) -> proto::KnownFilesResponse {
        let limit_ms = self.now_ms() - ORPHAN_AGE_MS;
        let is_known = |id: &Bytes| {
            self.knows_all_files
                || self.answers.contains_key(id)
                || time_of(id).is_some_and(|made_ms| made_ms >= limit_ms)
        };
        proto::KnownFilesResponse {
            known: request.file_ids.iter().map(is_known).collect(),
        }
    }

    fn locate(&self, request: &proto::LocateRequest) -> proto::LocateResponse {
        let located = request.cursors.iter().map(|cursor| {
            let error_code = self.existence_error(&cursor.topic_id, cursor.partition);
            if error_code != 0 {
                return proto::Located {
                    error_code,
                    log_start_offset: -1,
                    high_watermark: -1,
                    ..Default::default()
                };
            }
            let (log_start_offset, high_watermark) = self.bounds(&cursor.topic_id, cursor.partition);
            let is_held = (log_start_offset..=high_watermark).contains(&cursor.offset);
            let found = self.partitions.get(&(cursor.topic_id.clone(), cursor.partition));
            let runs = found.filter(|_| is_held);
            proto::Located {
                error_code: if is_held { 0 } else { OFFSET_OUT_OF_RANGE },
                log_start_offset,
                high_watermark,
                runs: runs.map_or_else(Vec::new, |found| found.runs_from(cursor.offset, cursor.max_bytes)),
                ..Default::default()
            }
        });
        proto::LocateResponse {
            located: located.collect(),
        }
    }

    fn list_offsets(&self, request: &proto::ListOffsetsRequest) -> proto::ListOffsetsResponse {
        let answers = request.queries.iter().map(|query| {
            let error_code = self.existence_error(&query.topic_id, query.partition);
            if error_code != 0 {
                return proto::OffsetAnswer {
                    error_code,
                    offset: -1,
                    timestamp_ms: -1,
                    ..Default::default()
                };
            }
            let found = self.partitions.get(&(query.topic_id.clone(), query.partition));
            found.map_or_else(
                || Partition::default().offset_for(query),
                |found| found.offset_for(query),
            )
        });
        proto::ListOffsetsResponse {
            answers: answers.collect(),
        }
    }

    fn update_interest(&mut self, request: &proto::UpdateInterestRequest) -> proto::UpdateInterestResponse {
        let mut states = Vec::new();
        let mut interest = Vec::new();
        for added in &request.add {
            let error_code = self.existence_error(&added.topic_id, added.partition);
            let (log_start_offset, high_watermark) = if error_code == 0 {
                interest.push((added.topic_id.clone(), added.partition));
                self.bounds(&added.topic_id, added.partition)
            } else {
                (-1, -1)
            };
            states.push(proto::PartitionState {
                error_code,
                log_start_offset,
                high_watermark,
                last_stable_offset: None,
            });
        }
        let is_open = |watcher: &&mut Watcher| watcher.id == request.watch_id && !watcher.events.is_closed();
        let Some(watcher) = self.watchers.iter_mut().find(is_open) else {
            return proto::UpdateInterestResponse {
                unknown_watch: true,
                ..Default::default()
            };
        };
        for removed in &request.remove {
            watcher.interest.remove(&(removed.topic_id.clone(), removed.partition));
        }
        watcher.interest.extend(interest);
        proto::UpdateInterestResponse {
            states,
            ..Default::default()
        }
    }
}

macro_rules! implement_metadata {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Metadata for InMemoryMetadata {
            $(
                async fn $method(
                    &self,
                    request: proto::$request,
                    timeout: Duration,
                ) -> Result<proto::$response, RpcError> {
                    tokio::time::timeout(timeout, self.call(stringify!($rpc), &request))
                        .await
                        .unwrap_or_else(|_| Err(RpcError::DeadlineExceeded("the test says so".to_owned())))
                }
            )*

            async fn watch(&self, _: proto::WatchRequest) -> Result<WatchStream, RpcError> {
                let mut state = self.lock();
                if state.is_unreachable {
                    return Err(RpcError::Unavailable("the test says so".to_owned()));
                }
                let (sender, receiver) = mpsc::unbounded_channel();
                let catalogue = proto::Catalogue { full: true, topics: state.topics.clone(), ..Default::default() };
                state.watches += 1;
                let watch_id = format!("watch-{}", state.watches);
                // The receiver lives at least until the end of this function.
                let _ = sender.send(proto::WatchEvent {
                    watch_id: watch_id.clone(),
                    catalogue: Some(catalogue),
                    security: Some(state.security.clone()),
                    current_for_ms: u32::MAX,
                    ..Default::default()
                });
                state.watchers.push(Watcher { id: watch_id, interest: HashSet::new(), events: sender });
                let events = futures_util::stream::unfold(receiver, |mut receiver| async move {
                    receiver.recv().await.map(|event| (Ok(event), receiver))
                });
                Ok(events.boxed())
            }
        }
    };
}
for_each_unary_rpc!(implement_metadata);
