//! ListOffsets (key 2): versions 1 to 11. Version 0 returns a list of offsets; it is decoded only to be refused.

use crate::error_code::ErrorCode;

api! { ListOffsets: ListOffsetsRequest -> ListOffsetsResponse, versions 1..=11, flexible from 6 }

fields! {
    ListOffsetsRequest {
        replica_id: i32, 0..;
        isolation_level: i8, 2..;
        topics: Vec<ListOffsetsTopic>, 0..;
        timeout_ms: i32, 10..;
    }
}

fields! {
    ListOffsetsTopic {
        name: String, 0..;
        partitions: Vec<ListOffsetsPartition>, 0..;
    }
}

fields! {
    ListOffsetsPartition {
        partition_index: i32, 0..;
        current_leader_epoch: i32, 4.., default -1;
        timestamp: i64, 0..;
        max_num_offsets: i32, 0..=0, default 1;
    }
}

fields! {
    ListOffsetsResponse {
        throttle_time_ms: i32, 2..;
        topics: Vec<ListOffsetsTopicResponse>, 0..;
    }
}

fields! {
    ListOffsetsTopicResponse {
        name: String, 0..;
        partitions: Vec<ListOffsetsPartitionResponse>, 0..;
    }
}

fields! {
    ListOffsetsPartitionResponse {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
        old_style_offsets: Vec<i64>, 0..=0;
        timestamp: i64, 1.., default -1;
        offset: i64, 1.., default -1;
        leader_epoch: i32, 4.., default -1;
    }
}
