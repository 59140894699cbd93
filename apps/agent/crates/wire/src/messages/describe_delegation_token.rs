//! DescribeDelegationToken (key 41): versions 1 to 3.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { DescribeDelegationToken: DescribeDelegationTokenRequest -> DescribeDelegationTokenResponse, versions 1..=3, flexible from 2 }

fields! {
    DescribeDelegationTokenRequest {
        owners: Option<Vec<DescribeDelegationTokenOwner>>, 0.., null 0..;
    }
}

fields! {
    DescribeDelegationTokenOwner {
        principal_type: String, 0..;
        principal_name: String, 0..;
    }
}

fields! {
    DescribeDelegationTokenResponse {
        error_code: ErrorCode, 0..;
        tokens: Vec<DescribedDelegationToken>, 0..;
        throttle_time_ms: i32, 0..;
    }
}

fields! {
    DescribedDelegationToken {
        principal_type: String, 0..;
        principal_name: String, 0..;
        token_requester_principal_type: String, 3..;
        token_requester_principal_name: String, 3..;
        issue_timestamp: i64, 0..;
        expiry_timestamp: i64, 0..;
        max_timestamp: i64, 0..;
        token_id: String, 0..;
        hmac: Bytes, 0..;
        renewers: Vec<DescribedDelegationTokenRenewer>, 0..;
    }
}

fields! {
    DescribedDelegationTokenRenewer {
        principal_type: String, 0..;
        principal_name: String, 0..;
    }
}
