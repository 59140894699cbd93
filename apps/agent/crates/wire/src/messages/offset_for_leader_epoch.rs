//! OffsetForLeaderEpoch (key 23): versions 2 to 4.

use crate::error_code::ErrorCode;

api! { OffsetForLeaderEpoch: OffsetForLeaderEpochRequest -> OffsetForLeaderEpochResponse, versions 2..=4, flexible from 4 }

fields! {
    OffsetForLeaderEpochRequest {
        replica_id: i32, 3.., default -2;
        topics: Vec<OffsetForLeaderTopic>, 0..;
    }
}

fields! {
    OffsetForLeaderTopic {
        topic: String, 0..;
        partitions: Vec<OffsetForLeaderPartition>, 0..;
    }
}

fields! {
    OffsetForLeaderPartition {
        partition: i32, 0..;
        current_leader_epoch: i32, 2.., default -1;
        leader_epoch: i32, 0..;
    }
}

fields! {
    OffsetForLeaderEpochResponse {
        throttle_time_ms: i32, 2..;
        topics: Vec<OffsetForLeaderTopicResult>, 0..;
    }
}

fields! {
    OffsetForLeaderTopicResult {
        topic: String, 0..;
        partitions: Vec<EpochEndOffset>, 0..;
    }
}

fields! {
    EpochEndOffset {
        error_code: ErrorCode, 0..;
        partition: i32, 0..;
        leader_epoch: i32, 1.., default -1;
        end_offset: i64, 0.., default -1;
    }
}
