//! PushTelemetry (key 72): version 0.

use bytes::Bytes;

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { PushTelemetry: PushTelemetryRequest -> PushTelemetryResponse, versions 0..=0, flexible from 0 }

fields! {
    PushTelemetryRequest {
        client_instance_id: Uuid, 0..;
        subscription_id: i32, 0..;
        terminating: bool, 0..;
        compression_type: i8, 0..;
        metrics: Bytes, 0..;
    }
}

fields! {
    PushTelemetryResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
