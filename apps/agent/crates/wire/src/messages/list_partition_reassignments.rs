//! ListPartitionReassignments (key 46): version 0.

use crate::error_code::ErrorCode;

api! { ListPartitionReassignments: ListPartitionReassignmentsRequest -> ListPartitionReassignmentsResponse, versions 0..=0, flexible from 0 }

fields! {
    ListPartitionReassignmentsRequest {
        timeout_ms: i32, 0.., default 60_000;
        topics: Option<Vec<ListPartitionReassignmentsTopics>>, 0.., null 0..;
    }
}

fields! {
    ListPartitionReassignmentsTopics {
        name: String, 0..;
        partition_indexes: Vec<i32>, 0..;
    }
}

fields! {
    ListPartitionReassignmentsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        topics: Vec<OngoingTopicReassignment>, 0..;
    }
}

fields! {
    OngoingTopicReassignment {
        name: String, 0..;
        partitions: Vec<OngoingPartitionReassignment>, 0..;
    }
}

fields! {
    OngoingPartitionReassignment {
        partition_index: i32, 0..;
        replicas: Vec<i32>, 0..;
        adding_replicas: Vec<i32>, 0..;
        removing_replicas: Vec<i32>, 0..;
    }
}
