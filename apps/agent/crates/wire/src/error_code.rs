//! The error codes of the Kafka protocol.

use std::fmt;

/// An error code in a response. Unknown codes are preserved.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(pub i16);

macro_rules! error_codes {
    ($($name:ident = $code:literal, $retriable:ident;)*) => {
        #[allow(missing_docs, reason = "the names are Kafka's and say it")]
        impl ErrorCode {
            $(pub const $name: Self = Self($code);)*

            /// Kafka's name of the code, or `UNKNOWN` if Kafka does not define it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                    _ => "UNKNOWN",
                }
            }

            /// Returns true if clients retry the request after this error.
            #[must_use]
            pub fn is_retriable(self) -> bool {
                match self {
                    $(Self::$name => error_codes!(@$retriable),)*
                    _ => false,
                }
            }
        }
    };
    (@retriable) => { true };
    (@fatal) => { false };
}

error_codes! {
    UNKNOWN_SERVER_ERROR = -1, fatal;
    NONE = 0, fatal;
    OFFSET_OUT_OF_RANGE = 1, fatal;
    CORRUPT_MESSAGE = 2, retriable;
    UNKNOWN_TOPIC_OR_PARTITION = 3, retriable;
    INVALID_FETCH_SIZE = 4, fatal;
    LEADER_NOT_AVAILABLE = 5, retriable;
    NOT_LEADER_OR_FOLLOWER = 6, retriable;
    REQUEST_TIMED_OUT = 7, retriable;
    BROKER_NOT_AVAILABLE = 8, fatal;
    REPLICA_NOT_AVAILABLE = 9, retriable;
    MESSAGE_TOO_LARGE = 10, fatal;
    STALE_CONTROLLER_EPOCH = 11, fatal;
    OFFSET_METADATA_TOO_LARGE = 12, fatal;
    NETWORK_EXCEPTION = 13, retriable;
    COORDINATOR_LOAD_IN_PROGRESS = 14, retriable;
    COORDINATOR_NOT_AVAILABLE = 15, retriable;
    NOT_COORDINATOR = 16, retriable;
    INVALID_TOPIC_EXCEPTION = 17, fatal;
    RECORD_LIST_TOO_LARGE = 18, fatal;
    NOT_ENOUGH_REPLICAS = 19, retriable;
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20, retriable;
    INVALID_REQUIRED_ACKS = 21, fatal;
    ILLEGAL_GENERATION = 22, fatal;
    INCONSISTENT_GROUP_PROTOCOL = 23, fatal;
    INVALID_GROUP_ID = 24, fatal;
    UNKNOWN_MEMBER_ID = 25, fatal;
    INVALID_SESSION_TIMEOUT = 26, fatal;
    REBALANCE_IN_PROGRESS = 27, fatal;
    INVALID_COMMIT_OFFSET_SIZE = 28, fatal;
    TOPIC_AUTHORIZATION_FAILED = 29, fatal;
    GROUP_AUTHORIZATION_FAILED = 30, fatal;
    CLUSTER_AUTHORIZATION_FAILED = 31, fatal;
    INVALID_TIMESTAMP = 32, fatal;
    UNSUPPORTED_SASL_MECHANISM = 33, fatal;
    ILLEGAL_SASL_STATE = 34, fatal;
    UNSUPPORTED_VERSION = 35, fatal;
    TOPIC_ALREADY_EXISTS = 36, fatal;
    INVALID_PARTITIONS = 37, fatal;
    INVALID_REPLICATION_FACTOR = 38, fatal;
    INVALID_REPLICA_ASSIGNMENT = 39, fatal;
    INVALID_CONFIG = 40, fatal;
    NOT_CONTROLLER = 41, retriable;
    INVALID_REQUEST = 42, fatal;
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43, fatal;
    POLICY_VIOLATION = 44, fatal;
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45, fatal;
    DUPLICATE_SEQUENCE_NUMBER = 46, fatal;
    INVALID_PRODUCER_EPOCH = 47, fatal;
    INVALID_TXN_STATE = 48, fatal;
    INVALID_PRODUCER_ID_MAPPING = 49, fatal;
    INVALID_TRANSACTION_TIMEOUT = 50, fatal;
    CONCURRENT_TRANSACTIONS = 51, retriable;
    TRANSACTION_COORDINATOR_FENCED = 52, fatal;
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53, fatal;
    SECURITY_DISABLED = 54, fatal;
    OPERATION_NOT_ATTEMPTED = 55, fatal;
    KAFKA_STORAGE_ERROR = 56, retriable;
    LOG_DIR_NOT_FOUND = 57, fatal;
    SASL_AUTHENTICATION_FAILED = 58, fatal;
    UNKNOWN_PRODUCER_ID = 59, fatal;
    REASSIGNMENT_IN_PROGRESS = 60, fatal;
    DELEGATION_TOKEN_AUTH_DISABLED = 61, fatal;
    DELEGATION_TOKEN_NOT_FOUND = 62, fatal;
    DELEGATION_TOKEN_OWNER_MISMATCH = 63, fatal;
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64, fatal;
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65, fatal;
    DELEGATION_TOKEN_EXPIRED = 66, fatal;
    INVALID_PRINCIPAL_TYPE = 67, fatal;
    NON_EMPTY_GROUP = 68, fatal;
    GROUP_ID_NOT_FOUND = 69, fatal;
    FETCH_SESSION_ID_NOT_FOUND = 70, retriable;
    INVALID_FETCH_SESSION_EPOCH = 71, retriable;
    LISTENER_NOT_FOUND = 72, retriable;
    TOPIC_DELETION_DISABLED = 73, fatal;
    FENCED_LEADER_EPOCH = 74, retriable;
    UNKNOWN_LEADER_EPOCH = 75, retriable;
    UNSUPPORTED_COMPRESSION_TYPE = 76, fatal;
    STALE_BROKER_EPOCH = 77, fatal;
    OFFSET_NOT_AVAILABLE = 78, retriable;
    MEMBER_ID_REQUIRED = 79, fatal;
    PREFERRED_LEADER_NOT_AVAILABLE = 80, retriable;
    GROUP_MAX_SIZE_REACHED = 81, fatal;
    FENCED_INSTANCE_ID = 82, fatal;
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83, retriable;
    ELECTION_NOT_NEEDED = 84, retriable;
    NO_REASSIGNMENT_IN_PROGRESS = 85, fatal;
    GROUP_SUBSCRIBED_TO_TOPIC = 86, fatal;
    INVALID_RECORD = 87, fatal;
    UNSTABLE_OFFSET_COMMIT = 88, retriable;
    THROTTLING_QUOTA_EXCEEDED = 89, retriable;
    PRODUCER_FENCED = 90, fatal;
    RESOURCE_NOT_FOUND = 91, fatal;
    DUPLICATE_RESOURCE = 92, fatal;
    UNACCEPTABLE_CREDENTIAL = 93, fatal;
    INCONSISTENT_VOTER_SET = 94, fatal;
    INVALID_UPDATE_VERSION = 95, fatal;
    FEATURE_UPDATE_FAILED = 96, fatal;
    PRINCIPAL_DESERIALIZATION_FAILURE = 97, fatal;
    SNAPSHOT_NOT_FOUND = 98, fatal;
    POSITION_OUT_OF_RANGE = 99, fatal;
    UNKNOWN_TOPIC_ID = 100, retriable;
    DUPLICATE_BROKER_REGISTRATION = 101, fatal;
    BROKER_ID_NOT_REGISTERED = 102, fatal;
    INCONSISTENT_TOPIC_ID = 103, retriable;
    INCONSISTENT_CLUSTER_ID = 104, fatal;
    TRANSACTIONAL_ID_NOT_FOUND = 105, fatal;
    FETCH_SESSION_TOPIC_ID_ERROR = 106, retriable;
    INELIGIBLE_REPLICA = 107, fatal;
    NEW_LEADER_ELECTED = 108, fatal;
    OFFSET_MOVED_TO_TIERED_STORAGE = 109, fatal;
    FENCED_MEMBER_EPOCH = 110, fatal;
    UNRELEASED_INSTANCE_ID = 111, fatal;
    UNSUPPORTED_ASSIGNOR = 112, fatal;
    STALE_MEMBER_EPOCH = 113, fatal;
    MISMATCHED_ENDPOINT_TYPE = 114, fatal;
    UNSUPPORTED_ENDPOINT_TYPE = 115, fatal;
    UNKNOWN_CONTROLLER_ID = 116, fatal;
    UNKNOWN_SUBSCRIPTION_ID = 117, fatal;
    TELEMETRY_TOO_LARGE = 118, fatal;
    INVALID_REGISTRATION = 119, fatal;
    TRANSACTION_ABORTABLE = 120, fatal;
    INVALID_RECORD_STATE = 121, fatal;
    SHARE_SESSION_NOT_FOUND = 122, retriable;
    INVALID_SHARE_SESSION_EPOCH = 123, retriable;
    FENCED_STATE_EPOCH = 124, fatal;
    INVALID_VOTER_KEY = 125, fatal;
    DUPLICATE_VOTER = 126, fatal;
    VOTER_NOT_FOUND = 127, fatal;
    INVALID_REGULAR_EXPRESSION = 128, fatal;
    REBOOTSTRAP_REQUIRED = 129, fatal;
    STREAMS_INVALID_TOPOLOGY = 130, fatal;
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131, fatal;
    STREAMS_TOPOLOGY_FENCED = 132, fatal;
    SHARE_SESSION_LIMIT_REACHED = 133, retriable;
}

impl ErrorCode {
    /// Returns true for [`ErrorCode::NONE`].
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.name(), self.0)
    }
}

impl fmt::Debug for ErrorCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_have_a_name_and_say_whether_to_retry() {
        assert_eq!(ErrorCode::NOT_COORDINATOR.to_string(), "NOT_COORDINATOR (16)");
        assert!(ErrorCode::NOT_COORDINATOR.is_retriable());
        assert!(ErrorCode::UNKNOWN_TOPIC_OR_PARTITION.is_retriable());
        assert!(!ErrorCode::CLUSTER_AUTHORIZATION_FAILED.is_retriable());
        assert_eq!(ErrorCode(999).name(), "UNKNOWN");
        assert!(!ErrorCode(999).is_retriable());
    }
}
