//! CreateTopics (key 19): versions 2 to 7.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { CreateTopics: CreateTopicsRequest -> CreateTopicsResponse, versions 2..=7, flexible from 5 }

fields! {
    CreateTopicsRequest {
        topics: Vec<CreatableTopic>, 0..;
        timeout_ms: i32, 0.., default 60000;
        validate_only: bool, 1..;
    }
}

fields! {
    CreatableTopic {
        name: String, 0..;
        num_partitions: i32, 0..;
        replication_factor: i16, 0..;
        assignments: Vec<CreatableReplicaAssignment>, 0..;
        configs: Vec<CreatableTopicConfig>, 0..;
    }
}

fields! {
    CreatableReplicaAssignment {
        partition_index: i32, 0..;
        broker_ids: Vec<i32>, 0..;
    }
}

fields! {
    CreatableTopicConfig {
        name: String, 0..;
        value: Option<String>, 0.., null 0..;
    }
}

fields! {
    CreateTopicsResponse {
        throttle_time_ms: i32, 2..;
        topics: Vec<CreatableTopicResult>, 0..;
    }
}

fields! {
    CreatableTopicResult {
        name: String, 0..;
        topic_id: Uuid, 7..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 1.., null 1..;
        topic_config_error_code: ErrorCode, 5.., tag 0;
        num_partitions: i32, 5.., default -1;
        replication_factor: i16, 5.., default -1;
        configs: Option<Vec<CreatableTopicConfigs>>, 5.., null 5..;
    }
}

fields! {
    CreatableTopicConfigs {
        name: String, 5..;
        value: Option<String>, 5.., null 5..;
        read_only: bool, 5..;
        config_source: i8, 5.., default -1;
        is_sensitive: bool, 5..;
    }
}
