//! FindCoordinator (key 10): versions 0 to 6. Since version 4, a request can have several keys.

use crate::error_code::ErrorCode;

api! { FindCoordinator: FindCoordinatorRequest -> FindCoordinatorResponse, versions 0..=6, flexible from 3 }

fields! {
    FindCoordinatorRequest {
        key: String, 0..=3;
        key_type: i8, 1..;
        coordinator_keys: Vec<String>, 4..;
    }
}

fields! {
    FindCoordinatorResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 0..=3;
        error_message: Option<String>, 1..=3, null 1..=3;
        node_id: i32, 0..=3;
        host: String, 0..=3;
        port: i32, 0..=3;
        coordinators: Vec<Coordinator>, 4..;
    }
}

fields! {
    Coordinator {
        key: String, 4..;
        node_id: i32, 4.., default -1;
        host: String, 4..;
        port: i32, 4.., default -1;
        error_code: ErrorCode, 4..;
        error_message: Option<String>, 4.., null 4..;
    }
}
