//! ListConfigResources (key 74): versions 0 to 1. Version 0 lists only client metrics subscriptions.

use crate::error_code::ErrorCode;

api! { ListConfigResources: ListConfigResourcesRequest -> ListConfigResourcesResponse, versions 0..=1, flexible from 0 }

fields! {
    ListConfigResourcesRequest {
        resource_types: Vec<i8>, 1..;
    }
}

fields! {
    ListConfigResourcesResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        config_resources: Vec<ListedConfigResource>, 0..;
    }
}

fields! {
    ListedConfigResource {
        resource_name: String, 0..;
        resource_type: i8, 1.., default 16;
    }
}
