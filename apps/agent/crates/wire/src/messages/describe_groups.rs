//! DescribeGroups (key 15): versions 0 to 6.

use bytes::Bytes;

use crate::error_code::ErrorCode;

api! { DescribeGroups: DescribeGroupsRequest -> DescribeGroupsResponse, versions 0..=6, flexible from 5 }

fields! {
    DescribeGroupsRequest {
        groups: Vec<String>, 0..;
        include_authorized_operations: bool, 3..;
    }
}

fields! {
    DescribeGroupsResponse {
        throttle_time_ms: i32, 1..;
        groups: Vec<DescribedGroup>, 0..;
    }
}

fields! {
    DescribedGroup {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 6.., null 6..;
        group_id: String, 0..;
        group_state: String, 0..;
        protocol_type: String, 0..;
        protocol_data: String, 0..;
        members: Vec<DescribedGroupMember>, 0..;
        authorized_operations: i32, 3.., default i32::MIN;
    }
}

fields! {
    DescribedGroupMember {
        member_id: String, 0..;
        group_instance_id: Option<String>, 4.., null 4..;
        client_id: String, 0..;
        client_host: String, 0..;
        member_metadata: Bytes, 0..;
        member_assignment: Bytes, 0..;
    }
}
