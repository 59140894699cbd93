//! DescribeTransactions (key 65): version 0.

use crate::error_code::ErrorCode;

api! { DescribeTransactions: DescribeTransactionsRequest -> DescribeTransactionsResponse, versions 0..=0, flexible from 0 }

fields! {
    DescribeTransactionsRequest {
        transactional_ids: Vec<String>, 0..;
    }
}

fields! {
    DescribeTransactionsResponse {
        throttle_time_ms: i32, 0..;
        transaction_states: Vec<DescribedTransaction>, 0..;
    }
}

fields! {
    DescribedTransaction {
        error_code: ErrorCode, 0..;
        transactional_id: String, 0..;
        transaction_state: String, 0..;
        transaction_timeout_ms: i32, 0..;
        transaction_start_time_ms: i64, 0..;
        producer_id: i64, 0..;
        producer_epoch: i16, 0..;
        topics: Vec<TopicData>, 0..;
    }
}

fields! {
    TopicData {
        topic: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}
