//! The Kafka APIs that Penstock serves. For their versions, see `api_versions.rs`.

/// Calls `$apply!` with the table of all APIs: name, number, request.
macro_rules! for_each_api {
    ($apply:ident) => {
        $apply! {
            Produce = 0, ProduceRequest;
            Fetch = 1, FetchRequest;
            ListOffsets = 2, ListOffsetsRequest;
            Metadata = 3, MetadataRequest;
            OffsetCommit = 8, OffsetCommitRequest;
            OffsetFetch = 9, OffsetFetchRequest;
            FindCoordinator = 10, FindCoordinatorRequest;
            JoinGroup = 11, JoinGroupRequest;
            Heartbeat = 12, HeartbeatRequest;
            LeaveGroup = 13, LeaveGroupRequest;
            SyncGroup = 14, SyncGroupRequest;
            DescribeGroups = 15, DescribeGroupsRequest;
            ListGroups = 16, ListGroupsRequest;
            SaslHandshake = 17, SaslHandshakeRequest;
            ApiVersions = 18, ApiVersionsRequest;
            CreateTopics = 19, CreateTopicsRequest;
            DeleteTopics = 20, DeleteTopicsRequest;
            DeleteRecords = 21, DeleteRecordsRequest;
            InitProducerId = 22, InitProducerIdRequest;
            OffsetForLeaderEpoch = 23, OffsetForLeaderEpochRequest;
            AddPartitionsToTxn = 24, AddPartitionsToTxnRequest;
            AddOffsetsToTxn = 25, AddOffsetsToTxnRequest;
            EndTxn = 26, EndTxnRequest;
            WriteTxnMarkers = 27, WriteTxnMarkersRequest;
            TxnOffsetCommit = 28, TxnOffsetCommitRequest;
            DescribeAcls = 29, DescribeAclsRequest;
            CreateAcls = 30, CreateAclsRequest;
            DeleteAcls = 31, DeleteAclsRequest;
            DescribeConfigs = 32, DescribeConfigsRequest;
            AlterConfigs = 33, AlterConfigsRequest;
            AlterReplicaLogDirs = 34, AlterReplicaLogDirsRequest;
            DescribeLogDirs = 35, DescribeLogDirsRequest;
            SaslAuthenticate = 36, SaslAuthenticateRequest;
            CreatePartitions = 37, CreatePartitionsRequest;
            CreateDelegationToken = 38, CreateDelegationTokenRequest;
            RenewDelegationToken = 39, RenewDelegationTokenRequest;
            ExpireDelegationToken = 40, ExpireDelegationTokenRequest;
            DescribeDelegationToken = 41, DescribeDelegationTokenRequest;
            DeleteGroups = 42, DeleteGroupsRequest;
            ElectLeaders = 43, ElectLeadersRequest;
            IncrementalAlterConfigs = 44, IncrementalAlterConfigsRequest;
            AlterPartitionReassignments = 45, AlterPartitionReassignmentsRequest;
            ListPartitionReassignments = 46, ListPartitionReassignmentsRequest;
            OffsetDelete = 47, OffsetDeleteRequest;
            DescribeClientQuotas = 48, DescribeClientQuotasRequest;
            AlterClientQuotas = 49, AlterClientQuotasRequest;
            DescribeUserScramCredentials = 50, DescribeUserScramCredentialsRequest;
            AlterUserScramCredentials = 51, AlterUserScramCredentialsRequest;
            DescribeQuorum = 55, DescribeQuorumRequest;
            UpdateFeatures = 57, UpdateFeaturesRequest;
            DescribeCluster = 60, DescribeClusterRequest;
            DescribeProducers = 61, DescribeProducersRequest;
            DescribeTransactions = 65, DescribeTransactionsRequest;
            ListTransactions = 66, ListTransactionsRequest;
            ConsumerGroupHeartbeat = 68, ConsumerGroupHeartbeatRequest;
            ConsumerGroupDescribe = 69, ConsumerGroupDescribeRequest;
            GetTelemetrySubscriptions = 71, GetTelemetrySubscriptionsRequest;
            PushTelemetry = 72, PushTelemetryRequest;
            ListConfigResources = 74, ListConfigResourcesRequest;
            DescribeTopicPartitions = 75, DescribeTopicPartitionsRequest;
        }
    };
}
pub(crate) use for_each_api;

macro_rules! declare_api_keys {
    ($($name:ident = $code:literal, $request:ident;)*) => {
        /// The API key in a request header.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are Kafka's")]
        #[repr(i16)]
        pub enum ApiKey {
            $($name = $code,)*
        }

        impl ApiKey {
            /// All APIs in the order of their keys.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the API with this key, if Penstock serves it.
            #[must_use]
            pub fn from_code(code: i16) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Kafka's name of the API.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}
for_each_api!(declare_api_keys);

impl ApiKey {
    /// The key of the API.
    #[must_use]
    pub fn code(self) -> i16 {
        self as i16
    }
}
