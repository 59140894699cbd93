//! ListTransactions (key 66): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { ListTransactions: ListTransactionsRequest -> ListTransactionsResponse, versions 0..=2, flexible from 0 }

fields! {
    ListTransactionsRequest {
        state_filters: Vec<String>, 0..;
        producer_id_filters: Vec<i64>, 0..;
        duration_filter: i64, 1.., default -1;
        transactional_id_pattern: Option<String>, 2.., null 2..;
    }
}

fields! {
    ListTransactionsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        unknown_state_filters: Vec<String>, 0..;
        transaction_states: Vec<ListedTransaction>, 0..;
    }
}

fields! {
    ListedTransaction {
        transactional_id: String, 0..;
        producer_id: i64, 0..;
        transaction_state: String, 0..;
    }
}
