//! IncrementalAlterConfigs (key 44): versions 0 to 1.

pub use super::alter_configs::AlterConfigsResourceResponse;

api! { IncrementalAlterConfigs: IncrementalAlterConfigsRequest -> IncrementalAlterConfigsResponse, versions 0..=1, flexible from 1 }

fields! {
    IncrementalAlterConfigsRequest {
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
        config_operation: i8, 0..;
        value: Option<String>, 0.., null 0..;
    }
}

fields! {
    IncrementalAlterConfigsResponse {
        throttle_time_ms: i32, 0..;
        responses: Vec<AlterConfigsResourceResponse>, 0..;
    }
}
