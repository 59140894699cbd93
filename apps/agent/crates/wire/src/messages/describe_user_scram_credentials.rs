//! DescribeUserScramCredentials (key 50): version 0.

use crate::error_code::ErrorCode;

api! {
    DescribeUserScramCredentials: DescribeUserScramCredentialsRequest -> DescribeUserScramCredentialsResponse,
    versions 0..=0, flexible from 0
}

fields! {
    DescribeUserScramCredentialsRequest {
        users: Option<Vec<UserName>>, 0.., null 0..;
    }
}

fields! {
    UserName {
        name: String, 0..;
    }
}

fields! {
    DescribeUserScramCredentialsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        results: Vec<DescribeUserScramCredentialsResult>, 0..;
    }
}

fields! {
    DescribeUserScramCredentialsResult {
        user: String, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        credential_infos: Vec<CredentialInfo>, 0..;
    }
}

fields! {
    CredentialInfo {
        mechanism: i8, 0..;
        iterations: i32, 0..;
    }
}
