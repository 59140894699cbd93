//! The APIs that Penstock serves, and what can be said of them without a message at hand.

use std::ops::RangeInclusive;

use crate::message::{Message, Request};
use crate::messages::*;

macro_rules! api_keys {
    ($($name:ident = $code:literal, $request:ident;)*) => {
        /// The number of an API, as it stands in the request header.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are Kafka's")]
        #[repr(i16)]
        pub enum ApiKey {
            $($name = $code,)*
        }

        impl ApiKey {
            /// All APIs, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The API of this number, if we serve it.
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

            /// The versions that we serve.
            #[must_use]
            pub fn versions(self) -> RangeInclusive<i16> {
                match self {
                    $(Self::$name => $request::VERSIONS,)*
                }
            }

            fn flexible_from(self) -> i16 {
                match self {
                    $(Self::$name => $request::FLEXIBLE_FROM,)*
                }
            }
        }
    };
}

api_keys! {
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
    ApiVersions = 18, ApiVersionsRequest;
    CreateTopics = 19, CreateTopicsRequest;
    DeleteTopics = 20, DeleteTopicsRequest;
    DeleteRecords = 21, DeleteRecordsRequest;
    InitProducerId = 22, InitProducerIdRequest;
    OffsetForLeaderEpoch = 23, OffsetForLeaderEpochRequest;
    DescribeConfigs = 32, DescribeConfigsRequest;
    CreatePartitions = 37, CreatePartitionsRequest;
    DeleteGroups = 42, DeleteGroupsRequest;
    IncrementalAlterConfigs = 44, IncrementalAlterConfigsRequest;
    OffsetDelete = 47, OffsetDeleteRequest;
    DescribeCluster = 60, DescribeClusterRequest;
}

impl ApiKey {
    /// The number of the API.
    #[must_use]
    pub fn code(self) -> i16 {
        self as i16
    }

    /// Whether this version of the API has compact lengths and tagged fields.
    #[must_use]
    pub fn is_flexible(self, version: i16) -> bool {
        version >= self.flexible_from()
    }

    /// Whether the response header has tagged fields. That of ApiVersions never has: a client must be able to read
    /// the answer before it knows which versions we speak.
    #[must_use]
    pub fn has_flexible_response_header(self, version: i16) -> bool {
        self != Self::ApiVersions && self.is_flexible(version)
    }
}
