//! ElectLeaders (key 43): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { ElectLeaders: ElectLeadersRequest -> ElectLeadersResponse, versions 0..=2, flexible from 2 }

fields! {
    ElectLeadersRequest {
        election_type: i8, 1..;
        topic_partitions: Option<Vec<TopicPartitions>>, 0.., null 0..;
        timeout_ms: i32, 0.., default 60_000;
    }
}

fields! {
    TopicPartitions {
        topic: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}

fields! {
    ElectLeadersResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 1..;
        replica_election_results: Vec<ReplicaElectionResult>, 0..;
    }
}

fields! {
    ReplicaElectionResult {
        topic: String, 0..;
        partition_result: Vec<PartitionResult>, 0..;
    }
}

fields! {
    PartitionResult {
        partition_id: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
