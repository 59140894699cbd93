//! ExpireDelegationToken (key 40): versions 1 to 2.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { ExpireDelegationToken: ExpireDelegationTokenRequest -> ExpireDelegationTokenResponse, versions 1..=2, flexible from 2 }

fields! {
    ExpireDelegationTokenRequest {
        hmac: Bytes, 0..;
        expiry_time_period_ms: i64, 0..;
    }
}

fields! {
    ExpireDelegationTokenResponse {
        error_code: ErrorCode, 0..;
        expiry_timestamp_ms: i64, 0.., default -1;
        throttle_time_ms: i32, 0..;
    }
}
