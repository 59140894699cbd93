//! DeleteRecords (key 21): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { DeleteRecords: DeleteRecordsRequest -> DeleteRecordsResponse, versions 0..=2, flexible from 2 }

fields! {
    DeleteRecordsRequest {
        topics: Vec<DeleteRecordsTopic>, 0..;
        timeout_ms: i32, 0..;
    }
}

fields! {
    DeleteRecordsTopic {
        name: String, 0..;
        partitions: Vec<DeleteRecordsPartition>, 0..;
    }
}

fields! {
    DeleteRecordsPartition {
        partition_index: i32, 0..;
        offset: i64, 0..;
    }
}

fields! {
    DeleteRecordsResponse {
        throttle_time_ms: i32, 0..;
        topics: Vec<DeleteRecordsTopicResult>, 0..;
    }
}

fields! {
    DeleteRecordsTopicResult {
        name: String, 0..;
        partitions: Vec<DeleteRecordsPartitionResult>, 0..;
    }
}

fields! {
    DeleteRecordsPartitionResult {
        partition_index: i32, 0..;
        low_watermark: i64, 0.., default -1;
        error_code: ErrorCode, 0..;
    }
}
