//! GetTelemetrySubscriptions and PushTelemetry: what a client is asked to push is answered as by Kafka, and what it pushes
//! is checked and dropped, since nothing receives it. Like those of a Kafka broker without a receiver they are not
//! announced, so that clients do not begin; see `api_versions.rs`.

use std::sync::Arc;

use penstock_wire::messages::{
    GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse, PushTelemetryRequest, PushTelemetryResponse,
};
use penstock_wire::{ErrorCode, Uuid};

use crate::client_metrics;
use crate::context::{Caller, Context};
use crate::ids;

/// Kafka's default of telemetry.max.bytes.
const MAX_BYTES: i32 = 1_048_576;
/// Zstd, LZ4, gzip and Snappy, in Kafka's order of preference.
const COMPRESSION_TYPES: [i8; 4] = [4, 3, 1, 2];
const NO_COMPRESSION: i8 = 0;
const NO_INSTANCE: Uuid = Uuid::ZERO;

pub(crate) async fn get_subscriptions(
    context: Arc<Context>,
    caller: Caller,
    request: GetTelemetrySubscriptionsRequest,
) -> GetTelemetrySubscriptionsResponse {
    let client_instance_id = match request.client_instance_id {
        NO_INSTANCE => ids::to_wire(uuid::Uuid::new_v4()),
        known => known,
    };
    let wanted = client_metrics::wanted(&context, &caller, client_instance_id);
    GetTelemetrySubscriptionsResponse {
        client_instance_id,
        subscription_id: wanted.subscription_id,
        accepted_compression_types: COMPRESSION_TYPES.to_vec(),
        push_interval_ms: wanted.interval_ms,
        telemetry_max_bytes: MAX_BYTES,
        delta_temporality: true,
        requested_metrics: wanted.metrics,
        ..Default::default()
    }
}

pub(crate) async fn push(
    context: Arc<Context>,
    caller: Caller,
    request: PushTelemetryRequest,
) -> PushTelemetryResponse {
    PushTelemetryResponse {
        error_code: check(&context, &caller, &request),
        ..Default::default()
    }
}

/// In the order in which Kafka checks.
fn check(context: &Context, caller: &Caller, request: &PushTelemetryRequest) -> ErrorCode {
    let instance = request.client_instance_id;
    let is_accepted =
        request.compression_type == NO_COMPRESSION || COMPRESSION_TYPES.contains(&request.compression_type);
    if instance == NO_INSTANCE {
        ErrorCode::INVALID_REQUEST
    } else if request.subscription_id != client_metrics::wanted(context, caller, instance).subscription_id {
        ErrorCode::UNKNOWN_SUBSCRIPTION_ID
    } else if !is_accepted {
        ErrorCode::UNSUPPORTED_COMPRESSION_TYPE
    } else if i32::try_from(request.metrics.len()).map_or(true, |bytes| bytes > MAX_BYTES) {
        ErrorCode::TELEMETRY_TOO_LARGE
    } else {
        ErrorCode::NONE
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::{TestAgent, caller, wire_id};

    /// An agent with a subscription for all clients.
    fn agent() -> TestAgent {
        let agent = TestAgent::new();
        let config = |name: &str, value: &str| proto::Config {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        agent.context.cache.set_settings(proto::ClusterSettings {
            client_metrics: vec![proto::ClientMetricsSubscription {
                name: "all".to_owned(),
                configs: vec![
                    config("metrics", "org.apache.kafka.producer."),
                    config("interval.ms", "1000"),
                ],
            }],
            ..Default::default()
        });
        agent
    }

    #[tokio::test]
    async fn a_client_gets_an_id_once_and_the_metrics_of_its_subscriptions() {
        let agent = agent();
        let first = get_subscriptions(agent.context(), caller(0), Default::default()).await;
        assert_ne!(first.client_instance_id, NO_INSTANCE);
        assert_eq!(first.requested_metrics, ["org.apache.kafka.producer."]);
        assert_eq!(first.push_interval_ms, 1_000);
        let again = GetTelemetrySubscriptionsRequest {
            client_instance_id: first.client_instance_id,
        };
        let second = get_subscriptions(agent.context(), caller(0), again).await;
        assert_eq!(second, first);
    }

    #[tokio::test]
    async fn a_push_is_checked_as_by_kafka() {
        let agent = agent();
        let instance = GetTelemetrySubscriptionsRequest {
            client_instance_id: wire_id(3),
        };
        let own = get_subscriptions(agent.context(), caller(0), instance)
            .await
            .subscription_id;
        for (id, subscription_id, compression_type, bytes, expected) in [
            (wire_id(3), own, 0, 9, ErrorCode::NONE),
            (wire_id(3), own, 4, 9, ErrorCode::NONE),
            (NO_INSTANCE, own, 0, 9, ErrorCode::INVALID_REQUEST),
            // Another client, or another subscription: the client asks again.
            (wire_id(4), own, 0, 9, ErrorCode::UNKNOWN_SUBSCRIPTION_ID),
            (wire_id(3), own ^ 1, 9, 9, ErrorCode::UNKNOWN_SUBSCRIPTION_ID),
            (wire_id(3), own, 9, 9, ErrorCode::UNSUPPORTED_COMPRESSION_TYPE),
            (wire_id(3), own, 0, 1_048_577, ErrorCode::TELEMETRY_TOO_LARGE),
        ] {
            let request = PushTelemetryRequest {
                client_instance_id: id,
                subscription_id,
                compression_type,
                metrics: Bytes::from(vec![0; bytes]),
                ..Default::default()
            };
            assert_eq!(push(agent.context(), caller(0), request).await.error_code, expected);
        }
    }
}
