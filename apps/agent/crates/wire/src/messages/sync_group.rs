//! SyncGroup (key 14): versions 0 to 5.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { SyncGroup: SyncGroupRequest -> SyncGroupResponse, versions 0..=5, flexible from 4 }

fields! {
    SyncGroupRequest {
        group_id: String, 0..;
        generation_id: i32, 0..;
        member_id: String, 0..;
        group_instance_id: Option<String>, 3.., null 3..;
        protocol_type: Option<String>, 5.., null 5..;
        protocol_name: Option<String>, 5.., null 5..;
        assignments: Vec<SyncGroupRequestAssignment>, 0..;
    }
}

fields! {
    SyncGroupRequestAssignment {
        member_id: String, 0..;
        assignment: Bytes, 0..;
    }
}

fields! {
    SyncGroupResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 0..;
        protocol_type: Option<String>, 5.., null 5..;
        protocol_name: Option<String>, 5.., null 5..;
        assignment: Bytes, 0..;
    }
}
