//! Produce (key 0): versions 3 to 13. Since version 13, topic ids replace topic names.

use bytes::Bytes;

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { Produce: ProduceRequest -> ProduceResponse, versions 3..=13, flexible from 9 }

fields! {
    ProduceRequest {
        transactional_id: Option<String>, 3.., null 3..;
        acks: i16, 0..;
        timeout_ms: i32, 0..;
        topic_data: Vec<TopicProduceData>, 0..;
    }
}

fields! {
    TopicProduceData {
        name: String, 0..=12;
        topic_id: Uuid, 13..;
        partition_data: Vec<PartitionProduceData>, 0..;
    }
}

fields! {
    PartitionProduceData {
        index: i32, 0..;
        records: Option<Bytes>, 0.., null 0..;
    }
}

fields! {
    ProduceResponse {
        responses: Vec<TopicProduceResponse>, 0..;
        throttle_time_ms: i32, 1..;
        node_endpoints: Vec<NodeEndpoint>, 10.., tag 0;
    }
}

fields! {
    TopicProduceResponse {
        name: String, 0..=12;
        topic_id: Uuid, 13..;
        partition_responses: Vec<PartitionProduceResponse>, 0..;
    }
}

fields! {
    PartitionProduceResponse {
        index: i32, 0..;
        error_code: ErrorCode, 0..;
        base_offset: i64, 0.., default -1;
        log_append_time_ms: i64, 2.., default -1;
        log_start_offset: i64, 5.., default -1;
        record_errors: Vec<BatchIndexAndErrorMessage>, 8..;
        error_message: Option<String>, 8.., null 8..;
        current_leader: LeaderIdAndEpoch, 10.., tag 0;
    }
}

fields! {
    BatchIndexAndErrorMessage {
        batch_index: i32, 8..;
        batch_index_error_message: Option<String>, 8.., null 8..;
    }
}

fields! {
    LeaderIdAndEpoch {
        leader_id: i32, 10.., default -1;
        leader_epoch: i32, 10.., default -1;
    }
}

fields! {
    NodeEndpoint {
        node_id: i32, 10..;
        host: String, 10..;
        port: i32, 10..;
        rack: Option<String>, 10.., null 10..;
    }
}
