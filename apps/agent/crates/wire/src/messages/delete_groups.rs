//! DeleteGroups (key 42): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { DeleteGroups: DeleteGroupsRequest -> DeleteGroupsResponse, versions 0..=2, flexible from 2 }

fields! {
    DeleteGroupsRequest {
        groups_names: Vec<String>, 0..;
    }
}

fields! {
    DeleteGroupsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<DeletableGroupResult>, 0..;
    }
}

fields! {
    DeletableGroupResult {
        group_id: String, 0..;
        error_code: ErrorCode, 0..;
    }
}
