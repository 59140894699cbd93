//! AlterUserScramCredentials (key 51): version 0.

use crate::error_code::ErrorCode;
use crate::secret::Secret;

api! {
    AlterUserScramCredentials: AlterUserScramCredentialsRequest -> AlterUserScramCredentialsResponse,
    versions 0..=0, flexible from 0
}

fields! {
    AlterUserScramCredentialsRequest {
        deletions: Vec<ScramCredentialDeletion>, 0..;
        upsertions: Vec<ScramCredentialUpsertion>, 0..;
    }
}

fields! {
    ScramCredentialDeletion {
        name: String, 0..;
        mechanism: i8, 0..;
    }
}

fields! {
    ScramCredentialUpsertion {
        name: String, 0..;
        mechanism: i8, 0..;
        iterations: i32, 0..;
        salt: Secret, 0..;
        salted_password: Secret, 0..;
    }
}

fields! {
    AlterUserScramCredentialsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<AlterUserScramCredentialsResult>, 0..;
    }
}

fields! {
    AlterUserScramCredentialsResult {
        user: String, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
