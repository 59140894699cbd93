//! AddPartitionsToTxn (key 24): versions 0 to 5. Clients use versions up to 3, with one transaction; brokers use
//! version 4 and later, with several.

use crate::error_code::ErrorCode;

api! { AddPartitionsToTxn: AddPartitionsToTxnRequest -> AddPartitionsToTxnResponse, versions 0..=5, flexible from 3 }

fields! {
    AddPartitionsToTxnRequest {
        transactions: Vec<AddPartitionsToTxnTransaction>, 4..;
        v3_and_below_transactional_id: String, 0..=3;
        v3_and_below_producer_id: i64, 0..=3;
        v3_and_below_producer_epoch: i16, 0..=3;
        v3_and_below_topics: Vec<AddPartitionsToTxnTopic>, 0..=3;
    }
}

fields! {
    AddPartitionsToTxnTransaction {
        transactional_id: String, 4..;
        producer_id: i64, 4..;
        producer_epoch: i16, 4..;
        verify_only: bool, 4..;
        topics: Vec<AddPartitionsToTxnTopic>, 4..;
    }
}

fields! {
    AddPartitionsToTxnTopic {
        name: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}

fields! {
    AddPartitionsToTxnResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 4..;
        results_by_transaction: Vec<AddPartitionsToTxnResult>, 4..;
        results_by_topic_v3_and_below: Vec<AddPartitionsToTxnTopicResult>, 0..=3;
    }
}

fields! {
    AddPartitionsToTxnResult {
        transactional_id: String, 4..;
        topic_results: Vec<AddPartitionsToTxnTopicResult>, 4..;
    }
}

fields! {
    AddPartitionsToTxnTopicResult {
        name: String, 0..;
        results_by_partition: Vec<AddPartitionsToTxnPartitionResult>, 0..;
    }
}

fields! {
    AddPartitionsToTxnPartitionResult {
        partition_index: i32, 0..;
        partition_error_code: ErrorCode, 0..;
    }
}
