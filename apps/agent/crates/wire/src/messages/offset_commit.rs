//! OffsetCommit (key 8): versions 2 to 10. Since version 10, topic ids replace topic names.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { OffsetCommit: OffsetCommitRequest -> OffsetCommitResponse, versions 2..=10, flexible from 8 }

fields! {
    OffsetCommitRequest {
        group_id: String, 0..;
        generation_id_or_member_epoch: i32, 1.., default -1;
        member_id: String, 1..;
        group_instance_id: Option<String>, 7.., null 7..;
        retention_time_ms: i64, 2..=4, default -1;
        topics: Vec<OffsetCommitRequestTopic>, 0..;
    }
}

fields! {
    OffsetCommitRequestTopic {
        name: String, 0..=9;
        topic_id: Uuid, 10..;
        partitions: Vec<OffsetCommitRequestPartition>, 0..;
    }
}

fields! {
    OffsetCommitRequestPartition {
        partition_index: i32, 0..;
        committed_offset: i64, 0..;
        committed_leader_epoch: i32, 6.., default -1;
        commit_timestamp: i64, 1..=1, default -1;
        committed_metadata: Option<String>, 0.., null 0..;
    }
}

fields! {
    OffsetCommitResponse {
        throttle_time_ms: i32, 3..;
        topics: Vec<OffsetCommitResponseTopic>, 0..;
    }
}

fields! {
    OffsetCommitResponseTopic {
        name: String, 0..=9;
        topic_id: Uuid, 10..;
        partitions: Vec<OffsetCommitResponsePartition>, 0..;
    }
}

fields! {
    OffsetCommitResponsePartition {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
