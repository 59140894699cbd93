//! AlterConfigs (key 33): versions 0 to 2. Replaces all configs of a resource. Newer clients send
//! IncrementalAlterConfigs.

use crate::error_code::ErrorCode;

api! { AlterConfigs: AlterConfigsRequest -> AlterConfigsResponse, versions 0..=2, flexible from 2 }

fields! {
    AlterConfigsRequest {
        resources: Vec<AlterConfigsResource>, 0..;
        validate_only: bool, 0..;
    }
}

fields! {
    AlterConfigsResource {
        resource_type: i8, 0..;
        resource_name: String, 0..;
        configs: Vec<AlterableConfig>, 0..;
    }
}

fields! {
    AlterableConfig {
        name: String, 0..;
        value: Option<String>, 0.., null 0..;
    }
}

fields! {
    AlterConfigsResponse {
        throttle_time_ms: i32, 0..;
        responses: Vec<AlterConfigsResourceResponse>, 0..;
    }
}

fields! {
    AlterConfigsResourceResponse {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        resource_type: i8, 0..;
        resource_name: String, 0..;
    }
}
