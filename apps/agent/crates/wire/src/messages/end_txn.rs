//! EndTxn (key 26): versions 0 to 5. Since version 5, each end of a transaction increments the producer's epoch.

use crate::error_code::ErrorCode;

api! { EndTxn: EndTxnRequest -> EndTxnResponse, versions 0..=5, flexible from 3 }

fields! {
    EndTxnRequest {
        transactional_id: String, 0..;
        producer_id: i64, 0..;
        producer_epoch: i16, 0..;
        committed: bool, 0..;
    }
}

fields! {
    EndTxnResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        producer_id: i64, 5.., default -1;
        producer_epoch: i16, 5.., default -1;
    }
}
