//! InitProducerId (key 22): versions 0 to 5.

use crate::error_code::ErrorCode;

api! { InitProducerId: InitProducerIdRequest -> InitProducerIdResponse, versions 0..=5, flexible from 2 }

fields! {
    InitProducerIdRequest {
        transactional_id: Option<String>, 0.., null 0..;
        transaction_timeout_ms: i32, 0..;
        producer_id: i64, 3.., default -1;
        producer_epoch: i16, 3.., default -1;
    }
}

fields! {
    InitProducerIdResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        producer_id: i64, 0.., default -1;
        producer_epoch: i16, 0.., default -1;
    }
}
