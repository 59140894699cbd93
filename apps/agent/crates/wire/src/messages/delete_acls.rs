//! DeleteAcls (key 31): versions 1 to 3.

use crate::error_code::ErrorCode;

api! { DeleteAcls: DeleteAclsRequest -> DeleteAclsResponse, versions 1..=3, flexible from 2 }

fields! {
    DeleteAclsRequest {
        filters: Vec<DeleteAclsFilter>, 0..;
    }
}

fields! {
    DeleteAclsFilter {
        resource_type_filter: i8, 0..;
        resource_name_filter: Option<String>, 0.., null 0..;
        pattern_type_filter: i8, 1.., default 3;
        principal_filter: Option<String>, 0.., null 0..;
        host_filter: Option<String>, 0.., null 0..;
        operation: i8, 0..;
        permission_type: i8, 0..;
    }
}

fields! {
    DeleteAclsResponse {
        throttle_time_ms: i32, 0..;
        filter_results: Vec<DeleteAclsFilterResult>, 0..;
    }
}

fields! {
    DeleteAclsFilterResult {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        matching_acls: Vec<DeleteAclsMatchingAcl>, 0..;
    }
}

fields! {
    DeleteAclsMatchingAcl {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        resource_type: i8, 0..;
        resource_name: String, 0..;
        pattern_type: i8, 1.., default 3;
        principal: String, 0..;
        host: String, 0..;
        operation: i8, 0..;
        permission_type: i8, 0..;
    }
}
