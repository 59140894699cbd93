//! Heartbeat (key 12): versions 0 to 4.

use crate::error_code::ErrorCode;

api! { Heartbeat: HeartbeatRequest -> HeartbeatResponse, versions 0..=4, flexible from 4 }

fields! {
    HeartbeatRequest {
        group_id: String, 0..;
        generation_id: i32, 0..;
        member_id: String, 0..;
        group_instance_id: Option<String>, 3.., null 3..;
    }
}

fields! {
    HeartbeatResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 0..;
    }
}
