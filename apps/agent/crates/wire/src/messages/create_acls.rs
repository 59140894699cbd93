//! CreateAcls (key 30): versions 1 to 3.

use crate::error_code::ErrorCode;

api! { CreateAcls: CreateAclsRequest -> CreateAclsResponse, versions 1..=3, flexible from 2 }

fields! {
    CreateAclsRequest {
        creations: Vec<AclCreation>, 0..;
    }
}

fields! {
    AclCreation {
        resource_type: i8, 0..;
        resource_name: String, 0..;
        resource_pattern_type: i8, 1.., default 3;
        principal: String, 0..;
        host: String, 0..;
        operation: i8, 0..;
        permission_type: i8, 0..;
    }
}

fields! {
    CreateAclsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<AclCreationResult>, 0..;
    }
}

fields! {
    AclCreationResult {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
