//! Decodes a request frame, calls the handler of its API, and encodes the response frame.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use penstock_access::throttle_time_ms;
use penstock_authz::Traffic;
use penstock_traces::Span;
use penstock_wire::messages::{FetchRequest, FetchResponse, ProduceRequest, ProduceResponse};
use penstock_wire::{
    ApiKey, DecodeError, EncodeError, Frame, Message, Reader, Request, RequestHeader, Wire, encode_response, refuse,
};
use thiserror::Error;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;

use crate::apis::{
    add_offsets_to_txn, add_partitions_to_txn, alter_client_quotas, alter_configs, alter_partition_reassignments,
    alter_replica_log_dirs, alter_user_scram_credentials, api_versions, client_telemetry, consumer_group_describe,
    consumer_group_heartbeat, create_acls, create_partitions, create_topics, delegation_tokens, delete_acls,
    delete_groups, delete_records, delete_topics, describe_acls, describe_client_quotas, describe_cluster,
    describe_configs, describe_groups, describe_log_dirs, describe_producers, describe_quorum,
    describe_topic_partitions, describe_transactions, describe_user_scram_credentials, elect_leaders, end_txn, fetch,
    find_coordinator, heartbeat, incremental_alter_configs, init_producer_id, join_group, leave_group,
    list_config_resources, list_groups, list_offsets, list_partition_reassignments, list_transactions, metadata,
    offset_commit, offset_delete, offset_fetch, offset_for_leader_epoch, produce, sync_group, txn_offset_commit,
    update_features, write_txn_markers,
};
use crate::context::{Caller, Client, Context};
use crate::handling_time::HandlingTime;
use crate::requests::request_spans;
use crate::requests::unsupported_version;

/// A response frame, and the memory that it holds until it is sent.
#[derive(Debug)]
pub struct Response {
    /// The frame including its length prefix; `None` if the client wants no response.
    pub frame: Option<Frame>,
    /// The memory to release once the frame is written.
    pub memory: Option<OwnedSemaphorePermit>,
    /// How long to stop reading from the connection afterwards, because the client exceeded its quota.
    pub held: Duration,
}

impl From<Frame> for Response {
    fn from(frame: Frame) -> Self {
        Self {
            frame: Some(frame),
            memory: None,
            held: Duration::ZERO,
        }
    }
}

/// Maximum number of array elements in a request. Real requests have at most one per partition; each takes a few
/// hundred bytes until the response is sent.
const MAX_ELEMENTS: usize = 1 << 18;

/// The pending response to a request.
pub type Answer = BoxFuture<'static, Result<Response, EncodeError>>;

/// How a request must be run.
pub enum Dispatched {
    /// Already admitted in order: later requests may be dispatched before it is answered.
    Admitted(Answer),
    /// Being checked on another thread before admission. Nothing may be dispatched before that, so that it keeps its
    /// place. Earlier requests may be answered meanwhile.
    Admitting(BoxFuture<'static, Answer>),
    /// Runs alone: starts when all earlier requests are answered, and nothing is dispatched before it is.
    Alone(Answer),
}

/// Why a connection must be closed without a response.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The frame is not a valid request.
    #[error("malformed request: {0}")]
    Malformed(#[from] DecodeError),
    /// The API is unknown to Kafka or only for brokers, so there is no response format.
    #[error("unknown API key {0}")]
    UnknownApi(i16),
    /// The version is unknown, and so is its format.
    #[error("{} version {version} is not supported (supported: {} to {})", .key.name(), .key.versions().start(), .key.versions().end())]
    UnsupportedVersion {
        /// The API that was requested.
        key: ApiKey,
        /// The version that was requested.
        version: i16,
    },
}

/// Decodes a request frame (without its length prefix) and starts its handler. Produce requests are admitted to the
/// write path before this returns, so that their order is that of the calls. `memory` is the frame's share of the
/// agent's budget; it is released when the request is answered, or for records when their data file is done.
///
/// # Errors
/// Returns an error if the connection must be closed: see [`Refusal`].
pub fn dispatch(
    context: &Arc<Context>,
    frame: Bytes,
    memory: Option<OwnedSemaphorePermit>,
    client: &Client,
) -> Result<Dispatched, Refusal> {
    let _handling = client.sender.handling();
    let bytes = frame.len();
    let mut reader = Reader::with_element_limit(frame, MAX_ELEMENTS);
    let header = RequestHeader::decode(&mut reader)?;
    let Some(key) = ApiKey::from_code(header.api_key) else {
        let (api, refusal) = refuse(&header, &mut reader)?.ok_or(Refusal::UnknownApi(header.api_key))?;
        tracing::info!(
            api,
            client_id = header.client_id,
            "rejected a request of an unsupported API"
        );
        return Ok(Dispatched::Alone(Box::pin(async move { refusal.map(Response::from) })));
    };
    let version = header.api_version;
    if !key.versions().contains(&version) {
        let refusal = unsupported_version::answer(key, version, header.correlation_id, &mut reader)?
            .ok_or(Refusal::UnsupportedVersion { key, version })?;
        tracing::info!(
            api = key.name(),
            version,
            client_id = header.client_id,
            "rejected an unsupported request version"
        );
        let delay = unsupported_version::delay(key);
        return Ok(Dispatched::Alone(Box::pin(async move {
            sleep(delay).await;
            refusal.map(Response::from)
        })));
    }
    context.metrics.count_request(key);
    let caller = Caller {
        version,
        client_id: header.client_id.unwrap_or_default(),
        client: client.clone(),
    };
    let time = HandlingTime::begin(&context.throttle, &caller);
    let call = Call {
        context: Arc::clone(context),
        caller,
        time: time.clone(),
        correlation_id: header.correlation_id,
        bytes,
        reader,
        memory,
    };
    let dispatched = match key {
        ApiKey::AlterClientQuotas => call.run(alter_client_quotas::handle),
        ApiKey::AlterUserScramCredentials => call.run(alter_user_scram_credentials::handle),
        ApiKey::CreateAcls => call.run(create_acls::handle),
        ApiKey::DeleteAcls => call.run(delete_acls::handle),
        ApiKey::DescribeAcls => call.run(describe_acls::handle),
        ApiKey::DescribeClientQuotas => call.run(describe_client_quotas::handle),
        ApiKey::DescribeUserScramCredentials => call.run(describe_user_scram_credentials::handle),
        ApiKey::AddOffsetsToTxn => call.run(add_offsets_to_txn::handle),
        ApiKey::AddPartitionsToTxn => call.run(add_partitions_to_txn::handle),
        ApiKey::DescribeProducers => call.run(describe_producers::handle),
        ApiKey::DescribeTransactions => call.run(describe_transactions::handle),
        ApiKey::EndTxn => call.run(end_txn::handle),
        ApiKey::ListTransactions => call.run(list_transactions::handle),
        ApiKey::TxnOffsetCommit => call.run(txn_offset_commit::handle),
        ApiKey::WriteTxnMarkers => call.run(write_txn_markers::handle),
        ApiKey::ApiVersions => call.run(api_versions::handle),
        ApiKey::CreatePartitions => call.run(create_partitions::handle),
        ApiKey::CreateTopics => call.run(create_topics::handle),
        ApiKey::DeleteGroups => call.run(delete_groups::handle),
        ApiKey::DeleteRecords => call.run(delete_records::handle),
        ApiKey::DeleteTopics => call.run(delete_topics::handle),
        ApiKey::DescribeCluster => call.run(describe_cluster::handle),
        ApiKey::DescribeConfigs => call.run(describe_configs::handle),
        ApiKey::DescribeGroups => call.run(describe_groups::handle),
        ApiKey::Fetch => call.fetch(),
        ApiKey::FindCoordinator => call.run(find_coordinator::handle),
        ApiKey::Heartbeat => call.run(heartbeat::handle),
        ApiKey::IncrementalAlterConfigs => call.run(incremental_alter_configs::handle),
        ApiKey::InitProducerId => call.run(init_producer_id::handle),
        ApiKey::JoinGroup => call.run(join_group::handle),
        ApiKey::LeaveGroup => call.run(leave_group::handle),
        ApiKey::ListGroups => call.run(list_groups::handle),
        ApiKey::ListOffsets => call.run(list_offsets::handle),
        ApiKey::Metadata => call.run(metadata::handle),
        ApiKey::OffsetCommit => call.run(offset_commit::handle),
        ApiKey::OffsetDelete => call.run(offset_delete::handle),
        ApiKey::OffsetFetch => call.run(offset_fetch::handle),
        ApiKey::OffsetForLeaderEpoch => call.run(offset_for_leader_epoch::handle),
        ApiKey::Produce => call.produce(),
        // The connection answers these itself.
        ApiKey::SaslHandshake | ApiKey::SaslAuthenticate => Err(Refusal::UnknownApi(key.code())),
        ApiKey::SyncGroup => call.run(sync_group::handle),
        ApiKey::AlterConfigs => call.run(alter_configs::handle),
        ApiKey::AlterReplicaLogDirs => call.run(alter_replica_log_dirs::handle),
        ApiKey::DescribeLogDirs => call.run(describe_log_dirs::handle),
        ApiKey::CreateDelegationToken => call.run(delegation_tokens::create),
        ApiKey::RenewDelegationToken => call.run(delegation_tokens::renew),
        ApiKey::ExpireDelegationToken => call.run(delegation_tokens::expire),
        ApiKey::DescribeDelegationToken => call.run(delegation_tokens::describe),
        ApiKey::ElectLeaders => call.run(elect_leaders::handle),
        ApiKey::AlterPartitionReassignments => call.run(alter_partition_reassignments::handle),
        ApiKey::ListPartitionReassignments => call.run(list_partition_reassignments::handle),
        ApiKey::DescribeQuorum => call.run(describe_quorum::handle),
        ApiKey::UpdateFeatures => call.run(update_features::handle),
        ApiKey::GetTelemetrySubscriptions => call.run(client_telemetry::get_subscriptions),
        ApiKey::PushTelemetry => call.run(client_telemetry::push),
        ApiKey::ListConfigResources => call.run(list_config_resources::handle),
        ApiKey::ConsumerGroupHeartbeat => call.run(consumer_group_heartbeat::handle),
        ApiKey::ConsumerGroupDescribe => call.run(consumer_group_describe::handle),
        ApiKey::DescribeTopicPartitions => call.run(describe_topic_partitions::handle),
    };
    Ok(match dispatched? {
        Dispatched::Admitted(answer) => Dispatched::Admitted(time.of_answer(answer)),
        Dispatched::Admitting(admitting) => Dispatched::Admitting(time.of_admission(admitting)),
        Dispatched::Alone(answer) => Dispatched::Alone(time.of_answer(answer)),
    })
}

/// A decoded header and the unread body.
struct Call {
    context: Arc<Context>,
    caller: Caller,
    time: HandlingTime,
    correlation_id: i32,
    /// Size of the whole frame in bytes.
    bytes: usize,
    reader: Reader,
    memory: Option<OwnedSemaphorePermit>,
}

impl Call {
    /// Decodes the body and runs `handler` alone on its connection.
    fn run<R, Handling>(
        mut self,
        handler: impl FnOnce(Arc<Context>, Caller, R) -> Handling,
    ) -> Result<Dispatched, Refusal>
    where
        R: Request,
        Handling: Future<Output = R::Response> + Send + 'static,
        R::Response: Send,
    {
        let version = self.caller.version;
        let request = <R as Message>::decode(&mut self.reader, version)?;
        let metrics = Arc::clone(&self.context.metrics);
        let handling = handler(self.context, self.caller, request);
        let (correlation_id, memory, time) = (self.correlation_id, self.memory, self.time);
        Ok(Dispatched::Alone(Box::pin(async move {
            let mut response = handling.await;
            drop(memory);
            let held = time.take();
            if !held.is_zero() {
                Wire::set_throttle_time_ms(&mut response, throttle_time_ms(held));
            }
            let frame = encode_response(&response, version, correlation_id)?;
            metrics.count_errors(R::KEY, &frame.error_codes);
            Ok(Response {
                held,
                ..Response::from(frame)
            })
        })))
    }

    /// Like [`Self::run`] for Fetch, whose response holds memory.
    fn fetch(mut self) -> Result<Dispatched, Refusal> {
        let version = self.caller.version;
        let mut request = FetchRequest::decode(&mut self.reader, version)?;
        Ok(Dispatched::Alone(Box::pin(async move {
            let metrics = Arc::clone(&self.context.metrics);
            let span = request_spans::fetch(&self.context, &self.caller, &request);
            let (throttle, principal) = (
                Arc::clone(&self.context.throttle),
                Arc::clone(&self.caller.client.principal),
            );
            let client_id = self.caller.client_id.clone();
            // As in Kafka, so that no client is throttled for longer than the period of its rate.
            let most = throttle.most_at_once(&principal, &client_id, Traffic::Consumed);
            request.max_bytes = request.max_bytes.min(i32::try_from(most).unwrap_or(i32::MAX));
            request.min_bytes = request.min_bytes.min(request.max_bytes);
            let handling = fetch::handle(self.context, self.caller, request);
            let (mut response, memory) = span.in_scope(handling).await;
            let held = throttle.take(&principal, &client_id, Traffic::Consumed, record_bytes(&response));
            let held = held.max(self.time.take());
            response.throttle_time_ms = throttle_time_ms(held);
            let frame = encode_response(&response, version, self.correlation_id)?;
            metrics.count_errors(ApiKey::Fetch, &frame.error_codes);
            request_spans::answered(span, &frame);
            Ok(Response {
                frame: Some(frame),
                memory,
                held,
            })
        })))
    }

    /// Admits Produce immediately unless there is much to check. If a topic must be looked up first, it runs alone, so
    /// that no later request of the connection overtakes it.
    #[expect(
        clippy::async_yields_async,
        reason = "a request is answered long after it is admitted"
    )]
    fn produce(mut self) -> Result<Dispatched, Refusal> {
        let version = self.caller.version;
        let request = ProduceRequest::decode(&mut self.reader, version)?;
        let span = request_spans::produce(&self.context, &self.caller, &request);
        if produce::knows_all_topics(&self.context, &self.caller, &request) {
            let checking = produce::check(&self.context, &self.caller, request);
            if checking.is_done() {
                return Ok(Dispatched::Admitted(self.admit(checking, span)));
            }
            return Ok(Dispatched::Admitting(Box::pin(async move {
                let finishing = checking.finish(&self.context, &self.caller, self.bytes, &self.time);
                let checked = span.in_scope(finishing).await;
                self.admit(checked, span)
            })));
        }
        Ok(Dispatched::Alone(Box::pin(async move {
            let checking = async {
                produce::look_up_topics(&self.context, &self.caller, &request).await;
                let checking = produce::check(&self.context, &self.caller, request);
                checking
                    .finish(&self.context, &self.caller, self.bytes, &self.time)
                    .await
            };
            let checked = span.in_scope(checking).await;
            self.admit(checked, span).await
        })))
    }

    /// Admits a checked Produce request. The response follows when it is stored.
    fn admit(self, checking: produce::Checking, mut span: Span) -> Answer {
        let (version, correlation_id, time) = (self.caller.version, self.correlation_id, self.time);
        let metrics = Arc::clone(&self.context.metrics);
        let admitted = produce::admit(
            &self.context,
            &self.caller,
            checking,
            self.bytes,
            self.memory,
            &mut span,
        );
        let held = admitted.held;
        let answer = produce::answer(self.context, admitted);
        Box::pin(async move {
            let response: Option<ProduceResponse> = answer.await;
            let held = held.max(time.take());
            let Some(mut response) = response else {
                return Ok(Response {
                    frame: None,
                    memory: None,
                    held,
                });
            };
            response.throttle_time_ms = throttle_time_ms(held);
            let frame = encode_response(&response, version, correlation_id)?;
            metrics.count_errors(ApiKey::Produce, &frame.error_codes);
            request_spans::answered(span, &frame);
            Ok(Response {
                held,
                ..Response::from(frame)
            })
        })
    }
}

/// Size of the records in a response. The rest of it is small.
fn record_bytes(response: &FetchResponse) -> usize {
    let partitions = response.responses.iter().flat_map(|topic| &topic.partitions);
    partitions
        .flat_map(|partition| &partition.records.0)
        .map(Bytes::len)
        .sum()
}
