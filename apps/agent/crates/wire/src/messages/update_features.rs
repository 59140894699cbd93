//! UpdateFeatures (key 57): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { UpdateFeatures: UpdateFeaturesRequest -> UpdateFeaturesResponse, versions 0..=2, flexible from 0 }

fields! {
    UpdateFeaturesRequest {
        timeout_ms: i32, 0.., default 60_000;
        feature_updates: Vec<FeatureUpdateKey>, 0..;
        validate_only: bool, 1..;
    }
}

fields! {
    FeatureUpdateKey {
        feature: String, 0..;
        max_version_level: i16, 0..;
        allow_downgrade: bool, 0..=0;
        upgrade_type: i8, 1.., default 1;
    }
}

fields! {
    UpdateFeaturesResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        results: Vec<UpdatableFeatureResult>, 0..=1;
    }
}

fields! {
    UpdatableFeatureResult {
        feature: String, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
