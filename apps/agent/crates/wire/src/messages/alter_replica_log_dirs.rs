//! AlterReplicaLogDirs (key 34): versions 1 to 2.

use crate::error_code::ErrorCode;

api! { AlterReplicaLogDirs: AlterReplicaLogDirsRequest -> AlterReplicaLogDirsResponse, versions 1..=2, flexible from 2 }

fields! {
    AlterReplicaLogDirsRequest {
        dirs: Vec<AlterReplicaLogDir>, 0..;
    }
}

fields! {
    AlterReplicaLogDir {
        path: String, 0..;
        topics: Vec<AlterReplicaLogDirTopic>, 0..;
    }
}

fields! {
    AlterReplicaLogDirTopic {
        name: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}

fields! {
    AlterReplicaLogDirsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<AlterReplicaLogDirTopicResult>, 0..;
    }
}

fields! {
    AlterReplicaLogDirTopicResult {
        topic_name: String, 0..;
        partitions: Vec<AlterReplicaLogDirPartitionResult>, 0..;
    }
}

fields! {
    AlterReplicaLogDirPartitionResult {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
