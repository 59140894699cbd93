//! RenewDelegationToken (key 39): versions 1 to 2.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { RenewDelegationToken: RenewDelegationTokenRequest -> RenewDelegationTokenResponse, versions 1..=2, flexible from 2 }

fields! {
    RenewDelegationTokenRequest {
        hmac: Bytes, 0..;
        renew_period_ms: i64, 0..;
    }
}

fields! {
    RenewDelegationTokenResponse {
        error_code: ErrorCode, 0..;
        expiry_timestamp_ms: i64, 0.., default -1;
        throttle_time_ms: i32, 0..;
    }
}
