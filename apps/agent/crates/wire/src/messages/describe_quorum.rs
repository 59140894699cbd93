//! DescribeQuorum (key 55): versions 0 to 2.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { DescribeQuorum: DescribeQuorumRequest -> DescribeQuorumResponse, versions 0..=2, flexible from 0 }

fields! {
    DescribeQuorumRequest {
        topics: Vec<QuorumTopic>, 0..;
    }
}

fields! {
    QuorumTopic {
        topic_name: String, 0..;
        partitions: Vec<QuorumPartition>, 0..;
    }
}

fields! {
    QuorumPartition {
        partition_index: i32, 0..;
    }
}

fields! {
    DescribeQuorumResponse {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 2.., null 2..;
        topics: Vec<DescribedQuorumTopic>, 0..;
        nodes: Vec<QuorumNode>, 2..;
    }
}

fields! {
    DescribedQuorumTopic {
        topic_name: String, 0..;
        partitions: Vec<DescribedQuorumPartition>, 0..;
    }
}

fields! {
    DescribedQuorumPartition {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 2.., null 2..;
        leader_id: i32, 0..;
        leader_epoch: i32, 0..;
        high_watermark: i64, 0..;
        current_voters: Vec<ReplicaState>, 0..;
        observers: Vec<ReplicaState>, 0..;
    }
}

fields! {
    ReplicaState {
        replica_id: i32, 0..;
        replica_directory_id: Uuid, 2..;
        log_end_offset: i64, 0..;
        last_fetch_timestamp: i64, 1.., default -1;
        last_caught_up_timestamp: i64, 1.., default -1;
    }
}

fields! {
    QuorumNode {
        node_id: i32, 2..;
        listeners: Vec<QuorumListener>, 2..;
    }
}

fields! {
    QuorumListener {
        name: String, 2..;
        host: String, 2..;
        /// Unsigned in Kafka's protocol.
        port: i16, 2..;
    }
}
