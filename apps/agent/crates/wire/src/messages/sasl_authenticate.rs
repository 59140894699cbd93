//! SaslAuthenticate (key 36): versions 0 to 2. Version 1 adds the session lifetime.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { SaslAuthenticate: SaslAuthenticateRequest -> SaslAuthenticateResponse, versions 0..=2, flexible from 2 }

fields! {
    SaslAuthenticateRequest {
        auth_bytes: Bytes, 0..;
    }
}

fields! {
    SaslAuthenticateResponse {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        auth_bytes: Bytes, 0..;
        session_lifetime_ms: i64, 1..;
    }
}
