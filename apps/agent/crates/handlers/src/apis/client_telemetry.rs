//! GetTelemetrySubscriptions and PushTelemetry: nobody subscribes to the metrics of clients, and what a client pushes
//! nevertheless is dropped. They are not announced; see `api_versions.rs`.

use std::sync::Arc;

use penstock_wire::messages::{
    GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse, PushTelemetryRequest, PushTelemetryResponse,
};
use penstock_wire::{ErrorCode, Uuid};

use crate::context::{Caller, Context};
use crate::ids;

/// Of the empty set of subscriptions.
const NO_SUBSCRIPTIONS: i32 = 0;
/// When the client asks again. Kafka: ClientMetricsConfigs.INTERVAL_MS_DEFAULT.
const PUSH_INTERVAL_MS: i32 = 300_000;
/// Kafka's default of telemetry.max.bytes.
const MAX_BYTES: i32 = 1_048_576;
/// Zstd, LZ4, gzip and Snappy, in Kafka's order of preference.
const COMPRESSION_TYPES: [i8; 4] = [4, 3, 1, 2];
const NO_INSTANCE: Uuid = Uuid::ZERO;

pub(crate) async fn get_subscriptions(
    _: Arc<Context>,
    _: Caller,
    request: GetTelemetrySubscriptionsRequest,
) -> GetTelemetrySubscriptionsResponse {
    let client_instance_id = match request.client_instance_id {
        NO_INSTANCE => ids::to_wire(uuid::Uuid::new_v4()),
        known => known,
    };
    GetTelemetrySubscriptionsResponse {
        client_instance_id,
        subscription_id: NO_SUBSCRIPTIONS,
        accepted_compression_types: COMPRESSION_TYPES.to_vec(),
        push_interval_ms: PUSH_INTERVAL_MS,
        telemetry_max_bytes: MAX_BYTES,
        delta_temporality: true,
        ..Default::default()
    }
}

pub(crate) async fn push(_: Arc<Context>, _: Caller, request: PushTelemetryRequest) -> PushTelemetryResponse {
    let error_code = if request.client_instance_id == NO_INSTANCE {
        ErrorCode::INVALID_REQUEST
    } else if request.subscription_id != NO_SUBSCRIPTIONS {
        ErrorCode::UNKNOWN_SUBSCRIPTION_ID
    } else {
        ErrorCode::NONE
    };
    PushTelemetryResponse {
        error_code,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, wire_id};

    #[tokio::test]
    async fn a_client_gets_an_id_once_and_no_metric_to_push() {
        let context = || TestAgent::new().context();
        let first = get_subscriptions(context(), caller(0), Default::default()).await;
        assert_ne!(first.client_instance_id, NO_INSTANCE);
        assert!(first.requested_metrics.is_empty());
        let again = GetTelemetrySubscriptionsRequest {
            client_instance_id: wire_id(3),
        };
        let second = get_subscriptions(context(), caller(0), again).await;
        assert_eq!(second.client_instance_id, wire_id(3));
    }

    #[tokio::test]
    async fn a_push_for_another_subscription_tells_the_client_to_ask_again() {
        for (id, subscription_id, expected) in [
            (wire_id(3), 0, ErrorCode::NONE),
            (wire_id(3), 9, ErrorCode::UNKNOWN_SUBSCRIPTION_ID),
            (NO_INSTANCE, 0, ErrorCode::INVALID_REQUEST),
        ] {
            let request = PushTelemetryRequest {
                client_instance_id: id,
                subscription_id,
                ..Default::default()
            };
            let answer = push(TestAgent::new().context(), caller(0), request).await;
            assert_eq!(answer.error_code, expected);
        }
    }
}
