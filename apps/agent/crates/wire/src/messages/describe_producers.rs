//! DescribeProducers (key 61): version 0.

use crate::error_code::ErrorCode;

api! { DescribeProducers: DescribeProducersRequest -> DescribeProducersResponse, versions 0..=0, flexible from 0 }

fields! {
    DescribeProducersRequest {
        topics: Vec<TopicRequest>, 0..;
    }
}

fields! {
    TopicRequest {
        name: String, 0..;
        partition_indexes: Vec<i32>, 0..;
    }
}

fields! {
    DescribeProducersResponse {
        throttle_time_ms: i32, 0..;
        topics: Vec<TopicResponse>, 0..;
    }
}

fields! {
    TopicResponse {
        name: String, 0..;
        partitions: Vec<PartitionResponse>, 0..;
    }
}

fields! {
    PartitionResponse {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        active_producers: Vec<ProducerState>, 0..;
    }
}

fields! {
    ProducerState {
        producer_id: i64, 0..;
        producer_epoch: i32, 0..;
        last_sequence: i32, 0.., default -1;
        last_timestamp: i64, 0.., default -1;
        coordinator_epoch: i32, 0..;
        current_txn_start_offset: i64, 0.., default -1;
    }
}
