//! DescribeTopicPartitions (key 75): version 0.

use crate::error_code::ErrorCode;
use crate::nullable::Nullable;
use crate::uuid::Uuid;

api! { DescribeTopicPartitions: DescribeTopicPartitionsRequest -> DescribeTopicPartitionsResponse, versions 0..=0, flexible from 0 }

fields! {
    DescribeTopicPartitionsRequest {
        /// An empty list means all topics.
        topics: Vec<TopicRequest>, 0..;
        response_partition_limit: i32, 0.., default 2_000;
        cursor: Nullable<Cursor>, 0..;
    }
}

fields! {
    TopicRequest {
        name: String, 0..;
    }
}

fields! {
    /// The position at which a response begins or ends.
    Cursor {
        topic_name: String, 0..;
        partition_index: i32, 0..;
    }
}

fields! {
    DescribeTopicPartitionsResponse {
        throttle_time_ms: i32, 0..;
        topics: Vec<DescribeTopicPartitionsResponseTopic>, 0..;
        next_cursor: Nullable<Cursor>, 0..;
    }
}

fields! {
    DescribeTopicPartitionsResponseTopic {
        error_code: ErrorCode, 0..;
        name: Option<String>, 0.., null 0..;
        topic_id: Uuid, 0..;
        is_internal: bool, 0..;
        partitions: Vec<DescribeTopicPartitionsResponsePartition>, 0..;
        topic_authorized_operations: i32, 0.., default i32::MIN;
    }
}

fields! {
    DescribeTopicPartitionsResponsePartition {
        error_code: ErrorCode, 0..;
        partition_index: i32, 0..;
        leader_id: i32, 0..;
        leader_epoch: i32, 0.., default -1;
        replica_nodes: Vec<i32>, 0..;
        isr_nodes: Vec<i32>, 0..;
        eligible_leader_replicas: Option<Vec<i32>>, 0.., null 0..;
        last_known_elr: Option<Vec<i32>>, 0.., null 0..;
        offline_replicas: Vec<i32>, 0..;
    }
}
