//! Fetch (key 1): versions 4 to 17. Since version 13, topic ids replace topic names.

use crate::error_code::ErrorCode;
use crate::records::RecordChunks;
use crate::uuid::Uuid;

api! { Fetch: FetchRequest -> FetchResponse, versions 4..=17, flexible from 12 }

fields! {
    FetchRequest {
        cluster_id: Option<String>, 12.., null 12.., tag 0;
        replica_id: i32, 0..=14, default -1;
        replica_state: ReplicaState, 15.., tag 1;
        max_wait_ms: i32, 0..;
        min_bytes: i32, 0..;
        max_bytes: i32, 3.., default i32::MAX;
        isolation_level: i8, 4..;
        session_id: i32, 7..;
        session_epoch: i32, 7.., default -1;
        topics: Vec<FetchTopic>, 0..;
        forgotten_topics_data: Vec<ForgottenTopic>, 7..;
        rack_id: String, 11..;
    }
}

fields! {
    ReplicaState {
        replica_id: i32, 15.., default -1;
        replica_epoch: i64, 15.., default -1;
    }
}

fields! {
    FetchTopic {
        topic: String, 0..=12;
        topic_id: Uuid, 13..;
        partitions: Vec<FetchPartition>, 0..;
    }
}

fields! {
    FetchPartition {
        partition: i32, 0..;
        current_leader_epoch: i32, 9.., default -1;
        fetch_offset: i64, 0..;
        last_fetched_epoch: i32, 12.., default -1;
        log_start_offset: i64, 5.., default -1;
        partition_max_bytes: i32, 0..;
        replica_directory_id: Uuid, 17.., tag 0;
    }
}

fields! {
    ForgottenTopic {
        topic: String, 7..=12;
        topic_id: Uuid, 13..;
        partitions: Vec<i32>, 7..;
    }
}

fields! {
    FetchResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 7..;
        session_id: i32, 7..;
        responses: Vec<FetchableTopicResponse>, 0..;
        node_endpoints: Vec<NodeEndpoint>, 16.., tag 0;
    }
}

fields! {
    FetchableTopicResponse {
        topic: String, 0..=12;
        topic_id: Uuid, 13..;
        partitions: Vec<PartitionData>, 0..;
    }
}

fields! {
    PartitionData {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
        high_watermark: i64, 0.., default -1;
        last_stable_offset: i64, 4.., default -1;
        log_start_offset: i64, 5.., default -1;
        diverging_epoch: EpochEndOffset, 12.., tag 0;
        current_leader: LeaderIdAndEpoch, 12.., tag 1;
        snapshot_id: SnapshotId, 12.., tag 2;
        aborted_transactions: Option<Vec<AbortedTransaction>>, 4.., null 4..;
        preferred_read_replica: i32, 11.., default -1;
        records: RecordChunks, 0..;
    }
}

fields! {
    EpochEndOffset {
        epoch: i32, 12.., default -1;
        end_offset: i64, 12.., default -1;
    }
}

fields! {
    LeaderIdAndEpoch {
        leader_id: i32, 12.., default -1;
        leader_epoch: i32, 12.., default -1;
    }
}

fields! {
    SnapshotId {
        end_offset: i64, 0.., default -1;
        epoch: i32, 0.., default -1;
    }
}

fields! {
    AbortedTransaction {
        producer_id: i64, 4..;
        first_offset: i64, 4..;
    }
}

fields! {
    NodeEndpoint {
        node_id: i32, 16..;
        host: String, 16..;
        port: i32, 16..;
        rack: Option<String>, 16.., null 16..;
    }
}
