//! AlterPartitionReassignments (key 45): versions 0 to 1.

use crate::error_code::ErrorCode;

api! { AlterPartitionReassignments: AlterPartitionReassignmentsRequest -> AlterPartitionReassignmentsResponse, versions 0..=1, flexible from 0 }

fields! {
    AlterPartitionReassignmentsRequest {
        timeout_ms: i32, 0.., default 60_000;
        allow_replication_factor_change: bool, 1.., default true;
        topics: Vec<ReassignableTopic>, 0..;
    }
}

fields! {
    ReassignableTopic {
        name: String, 0..;
        partitions: Vec<ReassignablePartition>, 0..;
    }
}

fields! {
    ReassignablePartition {
        partition_index: i32, 0..;
        /// Null cancels a pending reassignment.
        replicas: Option<Vec<i32>>, 0.., null 0..;
    }
}

fields! {
    AlterPartitionReassignmentsResponse {
        throttle_time_ms: i32, 0..;
        allow_replication_factor_change: bool, 1.., default true;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        responses: Vec<ReassignableTopicResponse>, 0..;
    }
}

fields! {
    ReassignableTopicResponse {
        name: String, 0..;
        partitions: Vec<ReassignablePartitionResponse>, 0..;
    }
}

fields! {
    ReassignablePartitionResponse {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
