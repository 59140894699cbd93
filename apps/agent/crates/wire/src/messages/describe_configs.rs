//! DescribeConfigs (key 32): versions 1 to 4.

use crate::error_code::ErrorCode;

api! { DescribeConfigs: DescribeConfigsRequest -> DescribeConfigsResponse, versions 1..=4, flexible from 4 }

fields! {
    DescribeConfigsRequest {
        resources: Vec<DescribeConfigsResource>, 0..;
        include_synonyms: bool, 1..;
        include_documentation: bool, 3..;
    }
}

fields! {
    DescribeConfigsResource {
        resource_type: i8, 0..;
        resource_name: String, 0..;
        configuration_keys: Option<Vec<String>>, 0.., null 0..;
    }
}

fields! {
    DescribeConfigsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<DescribeConfigsResult>, 0..;
    }
}

fields! {
    DescribeConfigsResult {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        resource_type: i8, 0..;
        resource_name: String, 0..;
        configs: Vec<DescribeConfigsResourceResult>, 0..;
    }
}

fields! {
    DescribeConfigsResourceResult {
        name: String, 0..;
        value: Option<String>, 0.., null 0..;
        read_only: bool, 0..;
        is_default: bool, 0..=0;
        config_source: i8, 1.., default -1;
        is_sensitive: bool, 0..;
        synonyms: Vec<DescribeConfigsSynonym>, 1..;
        config_type: i8, 3..;
        documentation: Option<String>, 3.., null 3..;
    }
}

fields! {
    DescribeConfigsSynonym {
        name: String, 1..;
        value: Option<String>, 1.., null 1..;
        source: i8, 1..;
    }
}
