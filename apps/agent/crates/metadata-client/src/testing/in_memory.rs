//! A metadata service in memory that knows topics, runs and offsets, and tells its watchers of them: enough to produce and
//! fetch against. It knows the next sequence of each idempotent producer, and takes any first one. It has no groups and no
//! durability.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use parking_lot::{Mutex, MutexGuard};
use prost::Message;
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use crate::error::RpcError;
use crate::metadata::{Metadata, WatchStream, for_each_unary_rpc};
use crate::proto;

const OFFSET_OUT_OF_RANGE: i32 = 1;
const INVALID_REQUEST: i32 = 42;
/// The service takes ids of this age at most, and from this far ahead.
const ID_MAX_AGE_MS: i64 = 600_000;
const ID_MAX_LEAD_MS: i64 = 300_000;
const OUT_OF_ORDER_SEQUENCE_NUMBER: i32 = 45;
const UNKNOWN_TOPIC_ID: i32 = 100;

/// The fake. Every call can be made to wait or to fail.
#[derive(Debug)]
pub struct InMemoryMetadata {
    state: Mutex<State>,
    /// A commit takes the gate for a moment; a test may keep it.
    commit_gate: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct State {
    topics: Vec<proto::Topic>,
    partitions: HashMap<(Bytes, u32), Vec<proto::RunLocation>>,
    /// By partition, producer id and epoch.
    next_sequences: HashMap<(Bytes, u32, i64, i32), i32>,
    log_start_offsets: HashMap<(Bytes, u32), i64>,
    watchers: Vec<mpsc::UnboundedSender<proto::WatchEvent>>,
    commits: Vec<proto::CommitFileRequest>,
    calls: HashMap<&'static str, usize>,
    is_unreachable: bool,
    next_commit_failures: usize,
    clock_ahead_ms: i64,
    knows_all_files: bool,
    security: proto::SecurityState,
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
    /// Creates a topic and tells the watchers.
    pub fn create_topic(&self, name: &str, partitions: u32) -> Uuid {
        self.create_topic_with(name, partitions, Vec::new())
    }

    /// The same with configs.
    pub fn create_topic_with(&self, name: &str, partitions: u32, configs: Vec<proto::Config>) -> Uuid {
        let id = Uuid::new_v4();
        let topic = proto::Topic {
            topic_id: Bytes::copy_from_slice(id.as_bytes()),
            name: name.to_owned(),
            partitions,
            configs,
            ..Default::default()
        };
        let mut state = self.lock();
        state.topics.push(topic.clone());
        let catalogue = proto::Catalogue {
            topics: vec![topic],
            ..Default::default()
        };
        state.tell(&proto::WatchEvent {
            catalogue: Some(catalogue),
            ..Default::default()
        });
        id
    }

    /// Deletes a topic without telling the watchers, as when the news is still on its way.
    pub fn delete_topic_silently(&self, id: Uuid) {
        self.lock()
            .topics
            .retain(|topic| topic.topic_id != id.as_bytes().as_slice());
    }

    /// Deletes the records before an offset, without telling the watchers.
    pub fn truncate(&self, id: Uuid, partition: u32, before_offset: i64) {
        let key = (Bytes::copy_from_slice(id.as_bytes()), partition);
        let mut state = self.lock();
        if let Some(runs) = state.partitions.get_mut(&key) {
            runs.retain(|run| end_of(run) > before_offset);
        }
        state.log_start_offsets.insert(key, before_offset);
    }

    /// What was committed so far.
    #[must_use]
    pub fn commits(&self) -> Vec<proto::CommitFileRequest> {
        self.lock().commits.clone()
    }

    /// Where the records of a partition lie.
    #[must_use]
    pub fn runs(&self, topic_id: Uuid, partition: u32) -> Vec<proto::RunLocation> {
        let key = (Bytes::copy_from_slice(topic_id.as_bytes()), partition);
        self.lock().partitions.get(&key).cloned().unwrap_or_default()
    }

    /// Has the records of a partition lie elsewhere from now on, as after a merge. Watchers get no event.
    pub fn move_runs(&self, topic_id: Uuid, partition: u32, runs: Vec<proto::RunLocation>) {
        let key = (Bytes::copy_from_slice(topic_id.as_bytes()), partition);
        self.lock().partitions.insert(key, runs);
    }

    /// How often an RPC was called, e.g. `"Locate"`.
    #[must_use]
    pub fn calls(&self, rpc: &str) -> usize {
        self.lock().calls.get(rpc).copied().unwrap_or(0)
    }

    /// From now on every call fails, and the watch streams are gone; or the contrary.
    pub fn set_unreachable(&self, is_unreachable: bool) {
        let mut state = self.lock();
        state.is_unreachable = is_unreachable;
        if is_unreachable {
            state.watchers.clear();
        }
    }

    /// Sets the service's clock, which is otherwise the machine's.
    pub fn set_clock_ahead(&self, ahead_ms: i64) {
        self.lock().clock_ahead_ms = ahead_ms;
    }

    /// From now on every file counts as committed: the collection of orphans is off.
    pub fn set_knows_all_files(&self) {
        self.lock().knows_all_files = true;
    }

    /// Replaces users, ACLs and quotas, and tells the watchers.
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

    /// Fails the next commits without storing anything.
    pub fn fail_next_commits(&self, count: usize) {
        self.lock().next_commit_failures = count;
    }

    /// Holds all commits back until the permit is dropped.
    ///
    /// # Panics
    /// Never: the semaphore is not closed.
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

fn end_offset(runs: &[proto::RunLocation]) -> i64 {
    runs.last().map_or(0, end_of)
}

fn end_of(run: &proto::RunLocation) -> i64 {
    run.base_offset + i64::from(run.records)
}

/// Whether a batch is the next one of its producer; if so, it counts as written.
fn is_in_sequence(
    next_sequences: &mut HashMap<(Bytes, u32, i64, i32), i32>,
    request: &proto::CommitFileRequest,
    (topic_id, partition): (&Bytes, u32),
    batch: usize,
) -> bool {
    let Some(producer_id) = request.batch_producer_id.get(batch).filter(|id| **id >= 0) else {
        return true;
    };
    let (epoch, sequence) = (request.batch_producer_epoch[batch], request.batch_base_sequence[batch]);
    let next = next_sequences
        .entry((topic_id.clone(), partition, *producer_id, epoch))
        .or_insert(sequence);
    let is_next = *next == sequence;
    if is_next {
        *next += request.batch_records[batch].cast_signed();
    }
    is_next
}

impl State {
    fn tell(&mut self, event: &proto::WatchEvent) {
        self.watchers.retain(|watcher| watcher.send(event.clone()).is_ok());
    }

    fn now_ms(&self) -> i64 {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX) + self.clock_ahead_ms
    }

    fn knows(&self, topic_id: &Bytes) -> bool {
        self.topics.iter().any(|topic| topic.topic_id == topic_id)
    }

    fn describe(&self, request: &proto::DescribeClusterRequest) -> proto::DescribeClusterResponse {
        let all = request.topic_names.is_empty() && request.topic_ids.is_empty();
        let asked = |topic: &&proto::Topic| {
            all || request.topic_names.contains(&topic.name) || request.topic_ids.contains(&topic.topic_id)
        };
        let topics = self.topics.iter().filter(asked).cloned().collect();
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
        let id = Uuid::from_slice(&request.file_id)
            .ok()
            .and_then(|id| id.get_timestamp());
        let made_ms = id.map_or(0, |time| time.to_unix().0.cast_signed() * 1000);
        if !(self.now_ms() - ID_MAX_AGE_MS..=self.now_ms() + ID_MAX_LEAD_MS).contains(&made_ms) {
            return Ok(proto::CommitFileResponse {
                error_code: INVALID_REQUEST,
                error_message: "check the clock of the agent".to_owned(),
                ..Default::default()
            });
        }
        let mut response = proto::CommitFileResponse::default();
        let mut updates = Vec::new();
        let mut batch = 0;
        for run in 0..request.run_topic.len() {
            let topic_id = request.topic_ids[request.run_topic[run] as usize].clone();
            let is_known = self.knows(&topic_id);
            let partition = request.run_partition[run];
            let runs = self.partitions.entry((topic_id.clone(), partition)).or_default();
            let base_offset = end_offset(runs);
            let (mut bytes, mut records, mut max_timestamp_ms) = (0, 0, i64::MIN);
            for _ in 0..request.run_batches[run] {
                let batch_records = request.batch_records[batch];
                let error_code = if !is_known {
                    UNKNOWN_TOPIC_ID
                } else if is_in_sequence(&mut self.next_sequences, &request, (&topic_id, partition), batch) {
                    0
                } else {
                    OUT_OF_ORDER_SEQUENCE_NUMBER
                };
                let offset = base_offset + i64::from(records);
                response
                    .batch_base_offset
                    .push(if error_code == 0 { offset } else { -1 });
                response.batch_error_code.push(error_code);
                bytes += request.batch_bytes[batch];
                if error_code == 0 {
                    records += batch_records;
                }
                max_timestamp_ms = max_timestamp_ms.max(request.batch_max_timestamp_ms[batch]);
                batch += 1;
            }
            response.run_log_start_offset.push(0);
            if records > 0 {
                let location = proto::RunLocation {
                    file_id: request.file_id.clone(),
                    position: request.run_position[run],
                    bytes,
                    base_offset,
                    records,
                    max_timestamp_ms,
                    file_bytes: request.file_bytes,
                    marker: None,
                };
                runs.push(location.clone());
                let high_watermark = end_offset(runs);
                updates.push(proto::PartitionUpdate {
                    topic_id,
                    partition,
                    log_start_offset: 0,
                    high_watermark,
                    runs: vec![location],
                    last_stable_offset: None,
                });
            }
        }
        self.commits.push(request);
        self.tell(&proto::WatchEvent {
            partitions: updates,
            ..Default::default()
        });
        Ok(response)
    }

    fn known_files(&self, request: &proto::KnownFilesRequest) -> proto::KnownFilesResponse {
        let is_known = |id| self.knows_all_files || self.commits.iter().any(|commit| commit.file_id == id);
        proto::KnownFilesResponse {
            known: request.file_ids.iter().map(is_known).collect(),
        }
    }

    fn locate(&self, request: &proto::LocateRequest) -> proto::LocateResponse {
        let located = request.cursors.iter().map(|cursor| {
            if !self.knows(&cursor.topic_id) {
                return proto::Located {
                    error_code: UNKNOWN_TOPIC_ID,
                    ..Default::default()
                };
            }
            let runs = self.partitions.get(&(cursor.topic_id.clone(), cursor.partition));
            let runs = runs.map(Vec::as_slice).unwrap_or_default();
            let high_watermark = end_offset(runs);
            if !(0..=high_watermark).contains(&cursor.offset) {
                return proto::Located {
                    error_code: OFFSET_OUT_OF_RANGE,
                    high_watermark,
                    ..Default::default()
                };
            }
            let wanted = runs
                .iter()
                .filter(|run| run.base_offset + i64::from(run.records) > cursor.offset);
            proto::Located {
                high_watermark,
                runs: wanted.cloned().collect(),
                ..Default::default()
            }
        });
        proto::LocateResponse {
            located: located.collect(),
        }
    }

    fn list_offsets(&self, request: &proto::ListOffsetsRequest) -> proto::ListOffsetsResponse {
        let answers = request.queries.iter().map(|query| {
            let key = (query.topic_id.clone(), query.partition);
            let runs = self.partitions.get(&key).map(Vec::as_slice).unwrap_or_default();
            let log_start_offset = self.log_start_offsets.get(&key).copied().unwrap_or(0);
            let exact = |offset| proto::OffsetAnswer {
                offset,
                timestamp_ms: -1,
                ..Default::default()
            };
            match query.timestamp_ms {
                -1 => exact(end_offset(runs)),
                -2 => exact(log_start_offset),
                wanted_ms => {
                    let searched = || runs.iter().filter(|run| end_of(run) > query.from_offset);
                    let latest = searched().map(|run| run.max_timestamp_ms).max().unwrap_or(i64::MAX);
                    let wanted_ms = if wanted_ms == -3 { latest } else { wanted_ms };
                    let mut found = searched().filter(|run| run.max_timestamp_ms >= wanted_ms);
                    found.next().map_or(exact(-1), |run| proto::OffsetAnswer {
                        offset: run.base_offset.max(log_start_offset),
                        timestamp_ms: run.max_timestamp_ms,
                        run: Some(run.clone()),
                        ..Default::default()
                    })
                }
            }
        });
        proto::ListOffsetsResponse {
            answers: answers.collect(),
        }
    }

    fn update_interest(&self, request: &proto::UpdateInterestRequest) -> proto::UpdateInterestResponse {
        let states = request.add.iter().map(|added| {
            let runs = self.partitions.get(&(added.topic_id.clone(), added.partition));
            proto::PartitionState {
                error_code: if self.knows(&added.topic_id) {
                    0
                } else {
                    UNKNOWN_TOPIC_ID
                },
                log_start_offset: 0,
                high_watermark: runs.map_or(0, |runs| end_offset(runs)),
                last_stable_offset: None,
            }
        });
        proto::UpdateInterestResponse {
            unknown_watch: false,
            states: states.collect(),
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
                // The receiver lives until the end of this function at least.
                let _ = sender.send(proto::WatchEvent {
                    watch_id: "watch".to_owned(),
                    catalogue: Some(catalogue),
                    security: Some(state.security.clone()),
                    ..Default::default()
                });
                state.watchers.push(sender);
                let events = futures_util::stream::unfold(receiver, |mut receiver| async move {
                    receiver.recv().await.map(|event| (Ok(event), receiver))
                });
                Ok(events.boxed())
            }
        }
    };
}
for_each_unary_rpc!(implement_metadata);
