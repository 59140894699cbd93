//! DescribeLogDirs (key 35): versions 1 to 5.

use crate::error_code::ErrorCode;

api! { DescribeLogDirs: DescribeLogDirsRequest -> DescribeLogDirsResponse, versions 1..=5, flexible from 2 }

fields! {
    DescribeLogDirsRequest {
        topics: Option<Vec<DescribableLogDirTopic>>, 0.., null 0..;
    }
}

fields! {
    DescribableLogDirTopic {
        topic: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}

fields! {
    DescribeLogDirsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 3..;
        results: Vec<DescribeLogDirsResult>, 0..;
    }
}

fields! {
    DescribeLogDirsResult {
        error_code: ErrorCode, 0..;
        log_dir: String, 0..;
        topics: Vec<DescribeLogDirsTopic>, 0..;
        total_bytes: i64, 4.., default -1;
        usable_bytes: i64, 4.., default -1;
        is_cordoned: bool, 5..;
    }
}

fields! {
    DescribeLogDirsTopic {
        name: String, 0..;
        partitions: Vec<DescribeLogDirsPartition>, 0..;
    }
}

fields! {
    DescribeLogDirsPartition {
        partition_index: i32, 0..;
        partition_size: i64, 0..;
        offset_lag: i64, 0..;
        is_future_key: bool, 0..;
    }
}
