//! DescribeAcls (key 29): versions 1 to 3.

use crate::error_code::ErrorCode;

api! { DescribeAcls: DescribeAclsRequest -> DescribeAclsResponse, versions 1..=3, flexible from 2 }

fields! {
    DescribeAclsRequest {
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
    DescribeAclsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        resources: Vec<DescribeAclsResource>, 0..;
    }
}

fields! {
    DescribeAclsResource {
        resource_type: i8, 0..;
        resource_name: String, 0..;
        pattern_type: i8, 1.., default 3;
        acls: Vec<AclDescription>, 0..;
    }
}

fields! {
    AclDescription {
        principal: String, 0..;
        host: String, 0..;
        operation: i8, 0..;
        permission_type: i8, 0..;
    }
}
