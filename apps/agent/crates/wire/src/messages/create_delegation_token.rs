//! CreateDelegationToken (key 38): versions 1 to 3.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { CreateDelegationToken: CreateDelegationTokenRequest -> CreateDelegationTokenResponse, versions 1..=3, flexible from 2 }

fields! {
    CreateDelegationTokenRequest {
        owner_principal_type: Option<String>, 3.., null 3..;
        owner_principal_name: Option<String>, 3.., null 3..;
        renewers: Vec<CreatableRenewers>, 0..;
        max_lifetime_ms: i64, 0..;
    }
}

fields! {
    CreatableRenewers {
        principal_type: String, 0..;
        principal_name: String, 0..;
    }
}

fields! {
    CreateDelegationTokenResponse {
        error_code: ErrorCode, 0..;
        principal_type: String, 0..;
        principal_name: String, 0..;
        token_requester_principal_type: String, 3..;
        token_requester_principal_name: String, 3..;
        issue_timestamp_ms: i64, 0.., default -1;
        expiry_timestamp_ms: i64, 0.., default -1;
        max_timestamp_ms: i64, 0.., default -1;
        token_id: String, 0..;
        hmac: Bytes, 0..;
        throttle_time_ms: i32, 0..;
    }
}
