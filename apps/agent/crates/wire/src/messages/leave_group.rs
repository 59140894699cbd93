//! LeaveGroup (key 13): versions 0 to 5. Since version 3, a request can name several members.

use crate::error_code::ErrorCode;

api! { LeaveGroup: LeaveGroupRequest -> LeaveGroupResponse, versions 0..=5, flexible from 4 }

fields! {
    LeaveGroupRequest {
        group_id: String, 0..;
        member_id: String, 0..=2;
        members: Vec<MemberIdentity>, 3..;
    }
}

fields! {
    MemberIdentity {
        member_id: String, 3..;
        group_instance_id: Option<String>, 3.., null 3..;
        reason: Option<String>, 5.., null 5..;
    }
}

fields! {
    LeaveGroupResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 0..;
        members: Vec<MemberResponse>, 3..;
    }
}

fields! {
    MemberResponse {
        member_id: String, 3..;
        group_instance_id: Option<String>, 3.., null 3..;
        error_code: ErrorCode, 3..;
    }
}
