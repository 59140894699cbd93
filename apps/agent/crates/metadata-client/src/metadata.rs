//! The metadata service as a trait, so that tests can use a fake.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use crate::error::RpcError;
use crate::proto;

/// For calls whose Kafka request names no time-out of its own.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);

/// Events of one watch stream; it ends with an error or by ending.
pub type WatchStream = BoxStream<'static, Result<proto::WatchEvent, RpcError>>;

/// Calls `$apply!` with the table of all unary calls: method name, RPC name, request, response.
macro_rules! for_each_unary_rpc {
    ($apply:ident) => {
        $apply! {
            /// Announces this agent; the same id again is the same registration.
            register_agent RegisterAgent(RegisterAgentRequest) -> RegisterAgentResponse;
            /// Keeps the registration alive and reports the agent's counters.
            agent_heartbeat AgentHeartbeat(AgentHeartbeatRequest) -> AgentHeartbeatResponse;
            /// Takes the agent out of the catalogue at once.
            deregister_agent DeregisterAgent(DeregisterAgentRequest) -> DeregisterAgentResponse;
            /// Tells what the agent measured, window by window; the same windows again change nothing.
            report_telemetry ReportTelemetry(ReportTelemetryRequest) -> ReportTelemetryResponse;
            /// Declares in which partitions a watch stream is interested.
            update_interest UpdateInterest(UpdateInterestRequest) -> UpdateInterestResponse;
            /// Topics, agents and settings, straight from the owner.
            describe_cluster DescribeCluster(DescribeClusterRequest) -> DescribeClusterResponse;
            /// Creates topics.
            create_topics CreateTopics(CreateTopicsRequest) -> CreateTopicsResponse;
            /// Deletes topics by name or id.
            delete_topics DeleteTopics(DeleteTopicsRequest) -> DeleteTopicsResponse;
            /// Adds partitions to topics.
            create_partitions CreatePartitions(CreatePartitionsRequest) -> CreatePartitionsResponse;
            /// Changes topic configs.
            alter_configs AlterConfigs(AlterConfigsRequest) -> AlterConfigsResponse;
            /// Commits a data file; the same file id again gives the same answer.
            commit_file CommitFile(CommitFileRequest) -> CommitFileResponse;
            /// Where offsets lie.
            locate Locate(LocateRequest) -> LocateResponse;
            /// Offsets by timestamp.
            list_offsets ListOffsets(ListOffsetsRequest) -> ListOffsetsResponse;
            /// Moves log start offsets.
            delete_records DeleteRecords(DeleteRecordsRequest) -> DeleteRecordsResponse;
            /// A new producer id, at epoch 0, and the same request id again gives the same answer; or the producer id of a transactional
            /// id, at its next epoch.
            init_producer_id InitProducerId(InitProducerIdRequest) -> InitProducerIdResponse;
            /// Files to delete from object storage.
            take_deletions TakeDeletions(TakeDeletionsRequest) -> TakeDeletionsResponse;
            /// Reports files as deleted.
            confirm_deletions ConfirmDeletions(ConfirmDeletionsRequest) -> ConfirmDeletionsResponse;
            /// Which files the cluster knows.
            known_files KnownFiles(KnownFilesRequest) -> KnownFilesResponse;
            /// Takes a merge job, and renews the leases of those that are under way.
            take_job TakeJob(TakeJobRequest) -> TakeJobResponse;
            /// Swaps the sources of a job for the file that was made of them; the same file id again gives the same answer.
            complete_job CompleteJob(CompleteJobRequest) -> CompleteJobResponse;
            /// Joins a consumer group; answered when the group is ready.
            join_group JoinGroup(JoinGroupRequest) -> JoinGroupResponse;
            /// Hands out assignments; answered when the leader has sent them.
            sync_group SyncGroup(SyncGroupRequest) -> SyncGroupResponse;
            /// Keeps a group member alive.
            group_heartbeat GroupHeartbeat(GroupHeartbeatRequest) -> GroupHeartbeatResponse;
            /// Leaves a consumer group.
            leave_group LeaveGroup(LeaveGroupRequest) -> LeaveGroupResponse;
            /// Commits consumer offsets.
            commit_offsets CommitOffsets(CommitOffsetsRequest) -> CommitOffsetsResponse;
            /// Reads committed consumer offsets.
            fetch_offsets FetchOffsets(FetchOffsetsRequest) -> FetchOffsetsResponse;
            /// Forgets committed consumer offsets.
            delete_offsets DeleteOffsets(DeleteOffsetsRequest) -> DeleteOffsetsResponse;
            /// Names the consumer groups.
            list_groups ListGroups(ListGroupsRequest) -> ListGroupsResponse;
            /// Describes consumer groups.
            describe_groups DescribeGroups(DescribeGroupsRequest) -> DescribeGroupsResponse;
            /// Deletes empty consumer groups.
            delete_groups DeleteGroups(DeleteGroupsRequest) -> DeleteGroupsResponse;
            /// A member of a group of the new protocol joins, stays, acknowledges its assignment or leaves.
            consumer_group_heartbeat ConsumerGroupHeartbeat(ConsumerGroupHeartbeatRequest) -> ConsumerGroupHeartbeatResponse;
            /// Describes groups of the new protocol.
            describe_consumer_groups DescribeConsumerGroups(DescribeConsumerGroupsRequest) -> DescribeConsumerGroupsResponse;
            /// Changes configs of groups.
            alter_group_configs AlterGroupConfigs(AlterGroupConfigsRequest) -> AlterGroupConfigsResponse;
            /// Configs of groups.
            describe_group_configs DescribeGroupConfigs(DescribeGroupConfigsRequest) -> DescribeGroupConfigsResponse;
            /// Adds partitions and groups to a transaction, which opens with the first.
            add_to_transaction AddToTransaction(AddToTransactionRequest) -> AddToTransactionResponse;
            /// Commits or aborts a transaction; a repeated request gets the same answer.
            end_transaction EndTransaction(EndTransactionRequest) -> EndTransactionResponse;
            /// Aborts the open transaction of another client, and fences its producer.
            abort_transaction AbortTransaction(AbortTransactionRequest) -> AbortTransactionResponse;
            /// Describes transactional ids.
            describe_transactions DescribeTransactions(DescribeTransactionsRequest) -> DescribeTransactionsResponse;
            /// Finds transactional ids.
            list_transactions ListTransactions(ListTransactionsRequest) -> ListTransactionsResponse;
            /// The producers that wrote to partitions of late.
            describe_producers DescribeProducers(DescribeProducersRequest) -> DescribeProducersResponse;
            /// Adds, replaces and removes SCRAM verifiers.
            alter_user_scram_credentials AlterUserScramCredentials(AlterUserScramCredentialsRequest) -> AlterUserScramCredentialsResponse;
            /// Adds ACLs; one that exists already is a success.
            create_acls CreateAcls(CreateAclsRequest) -> CreateAclsResponse;
            /// Removes the ACLs that filters match.
            delete_acls DeleteAcls(DeleteAclsRequest) -> DeleteAclsResponse;
            /// Changes subscriptions to client metrics.
            alter_client_metrics AlterClientMetrics(AlterClientMetricsRequest) -> AlterClientMetricsResponse;
            /// Sets and removes quotas of users and client ids.
            alter_client_quotas AlterClientQuotas(AlterClientQuotasRequest) -> AlterClientQuotasResponse;
            /// Users, ACLs and quotas, straight from the owner.
            describe_security DescribeSecurity(DescribeSecurityRequest) -> DescribeSecurityResponse;
        }
    };
}
pub(crate) use for_each_unary_rpc;

macro_rules! declare_metadata_trait {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        /// What the agent asks of the metadata service. Every call retries what may be retried until `timeout` is over;
        /// ids inside the requests make that safe.
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

            /// Opens one watch stream. Does not reconnect: the caller starts again when the stream ends.
            async fn watch(&self, request: proto::WatchRequest) -> Result<WatchStream, RpcError>;
        }
    };
}
for_each_unary_rpc!(declare_metadata_trait);
