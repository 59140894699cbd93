//! TxnOffsetCommit (key 28): versions 0 to 5. Since version 5, it also adds the group to the transaction.

use crate::error_code::ErrorCode;

api! { TxnOffsetCommit: TxnOffsetCommitRequest -> TxnOffsetCommitResponse, versions 0..=5, flexible from 3 }

fields! {
    TxnOffsetCommitRequest {
        transactional_id: String, 0..;
        group_id: String, 0..;
        producer_id: i64, 0..;
        producer_epoch: i16, 0..;
        generation_id: i32, 3.., default -1;
        member_id: String, 3..;
        group_instance_id: Option<String>, 3.., null 3..;
        topics: Vec<TxnOffsetCommitRequestTopic>, 0..;
    }
}

fields! {
    TxnOffsetCommitRequestTopic {
        name: String, 0..;
        partitions: Vec<TxnOffsetCommitRequestPartition>, 0..;
    }
}

fields! {
    TxnOffsetCommitRequestPartition {
        partition_index: i32, 0..;
        committed_offset: i64, 0..;
        committed_leader_epoch: i32, 2.., default -1;
        committed_metadata: Option<String>, 0.., null 0..;
    }
}

fields! {
    TxnOffsetCommitResponse {
        throttle_time_ms: i32, 0..;
        topics: Vec<TxnOffsetCommitResponseTopic>, 0..;
    }
}

fields! {
    TxnOffsetCommitResponseTopic {
        name: String, 0..;
        partitions: Vec<TxnOffsetCommitResponsePartition>, 0..;
    }
}

fields! {
    TxnOffsetCommitResponsePartition {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
