//! JoinGroup (key 11): versions 0 to 9.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { JoinGroup: JoinGroupRequest -> JoinGroupResponse, versions 0..=9, flexible from 6 }

fields! {
    JoinGroupRequest {
        group_id: String, 0..;
        session_timeout_ms: i32, 0..;
        rebalance_timeout_ms: i32, 1.., default -1;
        member_id: String, 0..;
        group_instance_id: Option<String>, 5.., null 5..;
        protocol_type: String, 0..;
        protocols: Vec<JoinGroupRequestProtocol>, 0..;
        reason: Option<String>, 8.., null 8..;
    }
}

fields! {
    JoinGroupRequestProtocol {
        name: String, 0..;
        metadata: Bytes, 0..;
    }
}

fields! {
    JoinGroupResponse {
        throttle_time_ms: i32, 2..;
        error_code: ErrorCode, 0..;
        generation_id: i32, 0.., default -1;
        protocol_type: Option<String>, 7.., null 7..;
        protocol_name: Option<String>, 0.., null 7.., default Some(String::new());
        leader: String, 0..;
        skip_assignment: bool, 9..;
        member_id: String, 0..;
        members: Vec<JoinGroupResponseMember>, 0..;
    }
}

fields! {
    JoinGroupResponseMember {
        member_id: String, 0..;
        group_instance_id: Option<String>, 5.., null 5..;
        metadata: Bytes, 0..;
    }
}
