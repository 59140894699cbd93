//! OffsetFetch (key 9): versions 1 to 10. Since version 8, a request can name several groups; since version 10, topic
//! ids replace topic names.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { OffsetFetch: OffsetFetchRequest -> OffsetFetchResponse, versions 1..=10, flexible from 6 }

fields! {
    OffsetFetchRequest {
        group_id: String, 0..=7;
        topics: Option<Vec<OffsetFetchRequestTopic>>, 0..=7, null 2..=7;
        groups: Vec<OffsetFetchRequestGroup>, 8..;
        require_stable: bool, 7..;
    }
}

fields! {
    OffsetFetchRequestTopic {
        name: String, 0..=7;
        partition_indexes: Vec<i32>, 0..=7;
    }
}

fields! {
    OffsetFetchRequestGroup {
        group_id: String, 8..;
        member_id: Option<String>, 9.., null 9..;
        member_epoch: i32, 9.., default -1;
        topics: Option<Vec<OffsetFetchRequestTopics>>, 8.., null 8..;
    }
}

fields! {
    OffsetFetchRequestTopics {
        name: String, 8..=9;
        topic_id: Uuid, 10..;
        partition_indexes: Vec<i32>, 8..;
    }
}

fields! {
    OffsetFetchResponse {
        throttle_time_ms: i32, 3..;
        topics: Vec<OffsetFetchResponseTopic>, 0..=7;
        error_code: ErrorCode, 2..=7;
        groups: Vec<OffsetFetchResponseGroup>, 8..;
    }
}

fields! {
    OffsetFetchResponseTopic {
        name: String, 0..=7;
        partitions: Vec<OffsetFetchResponsePartition>, 0..=7;
    }
}

fields! {
    OffsetFetchResponsePartition {
        partition_index: i32, 0..=7;
        committed_offset: i64, 0..=7, default -1;
        committed_leader_epoch: i32, 5..=7, default -1;
        metadata: Option<String>, 0..=7, null 0..=7, default Some(String::new());
        error_code: ErrorCode, 0..=7;
    }
}

fields! {
    OffsetFetchResponseGroup {
        group_id: String, 8..;
        topics: Vec<OffsetFetchResponseTopics>, 8..;
        error_code: ErrorCode, 8..;
    }
}

fields! {
    OffsetFetchResponseTopics {
        name: String, 8..=9;
        topic_id: Uuid, 10..;
        partitions: Vec<OffsetFetchResponsePartitions>, 8..;
    }
}

fields! {
    OffsetFetchResponsePartitions {
        partition_index: i32, 8..;
        committed_offset: i64, 8.., default -1;
        committed_leader_epoch: i32, 8.., default -1;
        metadata: Option<String>, 8.., null 8.., default Some(String::new());
        error_code: ErrorCode, 8..;
    }
}
