//! GetTelemetrySubscriptions (key 71): version 0.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { GetTelemetrySubscriptions: GetTelemetrySubscriptionsRequest -> GetTelemetrySubscriptionsResponse, versions 0..=0, flexible from 0 }

fields! {
    GetTelemetrySubscriptionsRequest {
        client_instance_id: Uuid, 0..;
    }
}

fields! {
    GetTelemetrySubscriptionsResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        client_instance_id: Uuid, 0..;
        subscription_id: i32, 0..;
        accepted_compression_types: Vec<i8>, 0..;
        push_interval_ms: i32, 0..;
        telemetry_max_bytes: i32, 0..;
        delta_temporality: bool, 0..;
        requested_metrics: Vec<String>, 0..;
    }
}
