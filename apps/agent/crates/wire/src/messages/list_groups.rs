//! ListGroups (key 16): versions 0 to 5.

use crate::error_code::ErrorCode;

api! { ListGroups: ListGroupsRequest -> ListGroupsResponse, versions 0..=5, flexible from 3 }

fields! {
    ListGroupsRequest {
        states_filter: Vec<String>, 4..;
        types_filter: Vec<String>, 5..;
    }
}

fields! {
    ListGroupsResponse {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 0..;
        groups: Vec<ListedGroup>, 0..;
    }
}

fields! {
    ListedGroup {
        group_id: String, 0..;
        protocol_type: String, 0..;
        group_state: String, 4..;
        group_type: String, 5..;
    }
}
