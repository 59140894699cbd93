//! OffsetDelete (key 47): version 0.

use crate::error_code::ErrorCode;

api! { OffsetDelete: OffsetDeleteRequest -> OffsetDeleteResponse, versions 0..=0, flexible from i16::MAX }

fields! {
    OffsetDeleteRequest {
        group_id: String, 0..;
        topics: Vec<OffsetDeleteRequestTopic>, 0..;
    }
}

fields! {
    OffsetDeleteRequestTopic {
        name: String, 0..;
        partitions: Vec<OffsetDeleteRequestPartition>, 0..;
    }
}

fields! {
    OffsetDeleteRequestPartition {
        partition_index: i32, 0..;
    }
}

fields! {
    OffsetDeleteResponse {
        error_code: ErrorCode, 0..;
        throttle_time_ms: i32, 0..;
        topics: Vec<OffsetDeleteResponseTopic>, 0..;
    }
}

fields! {
    OffsetDeleteResponseTopic {
        name: String, 0..;
        partitions: Vec<OffsetDeleteResponsePartition>, 0..;
    }
}

fields! {
    OffsetDeleteResponsePartition {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
