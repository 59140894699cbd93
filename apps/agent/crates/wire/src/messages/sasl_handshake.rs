//! SaslHandshake (key 17): versions 0 and 1. After version 0, tokens come in their own frames; after version 1, in
//! SaslAuthenticate requests.

use crate::error_code::ErrorCode;

api! { SaslHandshake: SaslHandshakeRequest -> SaslHandshakeResponse, versions 0..=1, flexible from i16::MAX }

fields! {
    SaslHandshakeRequest {
        mechanism: String, 0..;
    }
}

fields! {
    SaslHandshakeResponse {
        error_code: ErrorCode, 0..;
        mechanisms: Vec<String>, 0..;
    }
}
