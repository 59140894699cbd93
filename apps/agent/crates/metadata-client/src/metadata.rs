//! The metadata service as a trait, so that tests can use fakes.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use crate::error::RpcError;
use crate::proto;

/// Timeout of calls whose Kafka request specifies none.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);

/// The events of a watch stream. It ends after an error.
pub type WatchStream = BoxStream<'static, Result<proto::WatchEvent, RpcError>>;

/// Calls `$apply!` with the table of all unary calls: method name, RPC name, request, response.
macro_rules! for_each_unary_rpc {
    ($apply:ident) => {
        $apply! {
            /// Registers this agent. Idempotent by agent id.
            register_agent RegisterAgent(RegisterAgentRequest) -> RegisterAgentResponse;
            /// Keeps the registration alive and reports the agent's counters.
            agent_heartbeat AgentHeartbeat(AgentHeartbeatRequest) -> AgentHeartbeatResponse;
            /// Removes the agent from the catalogue immediately.
            deregister_agent DeregisterAgent(DeregisterAgentRequest) -> DeregisterAgentResponse;
            /// Reports measurements by window. Repeated windows have no effect.
            report_telemetry ReportTelemetry(ReportTelemetryRequest) -> ReportTelemetryResponse;
            /// Declares the partitions in which a watch stream is interested.
            update_interest UpdateInterest(UpdateInterestRequest) -> UpdateInterestResponse;
            /// Returns topics, agents and settings directly from the owner.
            describe_cluster DescribeCluster(DescribeClusterRequest) -> DescribeClusterResponse;
            /// Creates one or more topics.
            create_topics CreateTopics(CreateTopicsRequest) -> CreateTopicsResponse;
            /// Deletes topics by name or id.
            delete_topics DeleteTopics(DeleteTopicsRequest) -> DeleteTopicsResponse;
            /// Adds partitions to topics.
            create_partitions CreatePartitions(CreatePartitionsRequest) -> CreatePartitionsResponse;
            /// Changes the configs of topics.
            alter_configs AlterConfigs(AlterConfigsRequest) -> AlterConfigsResponse;
            /// Commits a data file. Idempotent by file id.
            commit_file CommitFile(CommitFileRequest) -> CommitFileResponse;
            /// Finds the locations of offsets.
            locate Locate(LocateRequest) -> LocateResponse;
            /// Finds offsets by timestamp.
            list_offsets ListOffsets(ListOffsetsRequest) -> ListOffsetsResponse;
            /// Advances the log start offsets of partitions.
            delete_records DeleteRecords(DeleteRecordsRequest) -> DeleteRecordsResponse;
            /// Returns a new producer id at epoch 0, idempotent by request id, or the producer id of a transactional id
            /// at its next epoch.
            init_producer_id InitProducerId(InitProducerIdRequest) -> InitProducerIdResponse;
            /// Takes files to delete from object storage.
            take_deletions TakeDeletions(TakeDeletionsRequest) -> TakeDeletionsResponse;
            /// Reports files as deleted.
            confirm_deletions ConfirmDeletions(ConfirmDeletionsRequest) -> ConfirmDeletionsResponse;
            /// Returns which of these files the cluster knows.
            known_files KnownFiles(KnownFilesRequest) -> KnownFilesResponse;
            /// Takes a merge job and renews the leases of running ones.
            take_job TakeJob(TakeJobRequest) -> TakeJobResponse;
            /// Replaces the sources of a job with its file. Idempotent by file id.
            complete_job CompleteJob(CompleteJobRequest) -> CompleteJobResponse;
            /// Joins a consumer group. The service responds when the group is ready.
            join_group JoinGroup(JoinGroupRequest) -> JoinGroupResponse;
            /// Distributes assignments. The service responds when the leader has sent them.
            sync_group SyncGroup(SyncGroupRequest) -> SyncGroupResponse;
            /// Keeps a group member alive.
            group_heartbeat GroupHeartbeat(GroupHeartbeatRequest) -> GroupHeartbeatResponse;
            /// Leaves a consumer group.
            leave_group LeaveGroup(LeaveGroupRequest) -> LeaveGroupResponse;
            /// Commits offsets of a consumer group.
            commit_offsets CommitOffsets(CommitOffsetsRequest) -> CommitOffsetsResponse;
            /// Reads committed consumer offsets.
            fetch_offsets FetchOffsets(FetchOffsetsRequest) -> FetchOffsetsResponse;
            /// Deletes committed consumer offsets.
            delete_offsets DeleteOffsets(DeleteOffsetsRequest) -> DeleteOffsetsResponse;
            /// Lists the consumer groups.
            list_groups ListGroups(ListGroupsRequest) -> ListGroupsResponse;
            /// Describes consumer groups of the classic protocol.
            describe_groups DescribeGroups(DescribeGroupsRequest) -> DescribeGroupsResponse;
            /// Deletes empty consumer groups.
            delete_groups DeleteGroups(DeleteGroupsRequest) -> DeleteGroupsResponse;
            /// Heartbeat of the new group protocol: a member joins, stays, acknowledges its assignment or leaves.
            consumer_group_heartbeat ConsumerGroupHeartbeat(ConsumerGroupHeartbeatRequest) -> ConsumerGroupHeartbeatResponse;
            /// Describes groups of the new protocol.
            describe_consumer_groups DescribeConsumerGroups(DescribeConsumerGroupsRequest) -> DescribeConsumerGroupsResponse;
            /// Changes the configs of groups.
            alter_group_configs AlterGroupConfigs(AlterGroupConfigsRequest) -> AlterGroupConfigsResponse;
            /// Returns the configs of groups.
            describe_group_configs DescribeGroupConfigs(DescribeGroupConfigsRequest) -> DescribeGroupConfigsResponse;
            /// Adds partitions and groups to a transaction, which begins with the first.
            add_to_transaction AddToTransaction(AddToTransactionRequest) -> AddToTransactionResponse;
            /// Commits or aborts a transaction. A repeated request gets the same response.
            end_transaction EndTransaction(EndTransactionRequest) -> EndTransactionResponse;
            /// Aborts another client's open transaction and fences its producer.
            abort_transaction AbortTransaction(AbortTransactionRequest) -> AbortTransactionResponse;
            /// Describes the state of transactional ids.
            describe_transactions DescribeTransactions(DescribeTransactionsRequest) -> DescribeTransactionsResponse;
            /// Lists transactional ids by filter.
            list_transactions ListTransactions(ListTransactionsRequest) -> ListTransactionsResponse;
            /// Returns the producers that recently wrote to partitions.
            describe_producers DescribeProducers(DescribeProducersRequest) -> DescribeProducersResponse;
            /// Adds, replaces and removes SCRAM verifiers.
            alter_user_scram_credentials AlterUserScramCredentials(AlterUserScramCredentialsRequest) -> AlterUserScramCredentialsResponse;
            /// Adds ACLs. An existing one counts as success.
            create_acls CreateAcls(CreateAclsRequest) -> CreateAclsResponse;
            /// Removes the ACLs that match filters.
            delete_acls DeleteAcls(DeleteAclsRequest) -> DeleteAclsResponse;
            /// Changes client metrics subscriptions.
            alter_client_metrics AlterClientMetrics(AlterClientMetricsRequest) -> AlterClientMetricsResponse;
            /// Sets and removes quotas of users and client ids.
            alter_client_quotas AlterClientQuotas(AlterClientQuotasRequest) -> AlterClientQuotasResponse;
            /// Returns users, ACLs and quotas directly from the owner.
            describe_security DescribeSecurity(DescribeSecurityRequest) -> DescribeSecurityResponse;
        }
    };
}
pub(crate) use for_each_unary_rpc;

macro_rules! declare_metadata_trait {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        /// The agent's requests to the metadata service. Each call retries retriable errors until `timeout`; ids in the
        /// requests make this safe.
        #[async_trait]
        pub trait Metadata: Send + Sync + 'static {
            $(
                $(#[$doc])*
                async fn $method(
                    &self,
                    request: proto::$request,
                    timeout: Duration,
                ) -> Result<proto::$response, RpcError>;
            )*

            /// Opens a watch stream. Does not reconnect: the caller starts again when the stream ends.
            async fn watch(&self, request: proto::WatchRequest) -> Result<WatchStream, RpcError>;
        }
    };
}
for_each_unary_rpc!(declare_metadata_trait);
