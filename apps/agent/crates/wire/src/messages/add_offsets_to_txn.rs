//! AddOffsetsToTxn (key 25): versions 0 to 4.

use crate::error_code::ErrorCode;

api! { AddOffsetsToTxn: AddOffsetsToTxnRequest -> AddOffsetsToTxnResponse, versions 0..=4, flexible from 3 }

fields! {
    AddOffsetsToTxnRequest {
        transactional_id: String, 0..;
        producer_id: i64, 0..;
        producer_epoch: i16, 0..;
        group_id: String, 0..;
    }
}

fields! {
    AddOffsetsToTxnResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
