//! GetTelemetrySubscriptions and PushTelemetry (KIP-714): tells clients which metrics to push, and keeps pushed metrics
//! until the next telemetry report. Modeled on Kafka's ClientMetricsManager. As in Kafka, no rights are needed.

use std::sync::Arc;

use penstock_client_metrics::{Instance, Pusher, Wanted};
use penstock_runtime::random_uuid;
use penstock_wire::messages::{
    GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse, PushTelemetryRequest, PushTelemetryResponse,
};
use penstock_wire::record_batch::Compression;
use penstock_wire::{ErrorCode, Uuid};
use tokio::time::Instant;

use crate::configs::client_metrics;
use crate::context::{Caller, Context};
use crate::conversions::ids;

/// Kafka's default for telemetry.max.bytes. Limits a push both compressed and decompressed.
const MAX_BYTES: i32 = 1_048_576;
/// Zstd, LZ4, gzip and Snappy, in Kafka's order of preference.
const COMPRESSION_TYPES: [i8; 4] = [4, 3, 1, 2];
const NO_INSTANCE: Uuid = Uuid::ZERO;
/// Kafka's Uuid.RESERVED: the zero id, and the id of the metadata topic.
const RESERVED: [Uuid; 2] = [NO_INSTANCE, Uuid([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])];

pub(crate) async fn get_subscriptions(
    context: Arc<Context>,
    caller: Caller,
    request: GetTelemetrySubscriptionsRequest,
) -> GetTelemetrySubscriptionsResponse {
    let client_instance_id = match request.client_instance_id {
        NO_INSTANCE => ids::to_wire(random_uuid()),
        known => known,
    };
    let now = Instant::now();
    let wanted = with_instance(&context, &caller, client_instance_id, now, |instance| {
        instance.admit_get(now).then(|| instance.wanted.clone())
    });
    let Some(wanted) = wanted else {
        return GetTelemetrySubscriptionsResponse::from(ErrorCode::THROTTLING_QUOTA_EXCEEDED);
    };
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
        error_code: outcome(&context, &caller, &request),
        ..Default::default()
    }
}

fn outcome(context: &Context, caller: &Caller, request: &PushTelemetryRequest) -> ErrorCode {
    let id = request.client_instance_id;
    if RESERVED.contains(&id) {
        return ErrorCode::INVALID_REQUEST;
    }
    let now = Instant::now();
    let compression = Compression::from_code(request.compression_type);
    let admitted = with_instance(context, caller, id, now, |instance| {
        instance.admit_push(now, request.terminating, |wanted| check(wanted, request, compression))
    });
    if admitted != ErrorCode::NONE || request.metrics.is_empty() {
        return admitted;
    }
    let Some(compression) = compression else {
        return ErrorCode::UNSUPPORTED_COMPRESSION_TYPE;
    };
    let pusher = Pusher {
        client_id: &caller.client_id,
        software: caller.client.software.get(),
        instance: id,
    };
    let payload = (compression, &request.metrics[..]);
    match context
        .client_metrics
        .pushed
        .add(&pusher, payload, MAX_BYTES.unsigned_abs().into())
    {
        Ok(()) => ErrorCode::NONE,
        Err(error) => {
            tracing::debug!(%error, client_id = caller.client_id, "pushed metrics");
            // The error that Kafka returns if its receiver fails.
            ErrorCode::INVALID_RECORD
        }
    }
}

/// Checks in the same order as Kafka.
fn check(wanted: &Wanted, request: &PushTelemetryRequest, compression: Option<Compression>) -> ErrorCode {
    if request.subscription_id != wanted.subscription_id {
        ErrorCode::UNKNOWN_SUBSCRIPTION_ID
    } else if compression.is_none() {
        ErrorCode::UNSUPPORTED_COMPRESSION_TYPE
    } else if i32::try_from(request.metrics.len()).map_or(true, |bytes| bytes > MAX_BYTES) {
        ErrorCode::TELEMETRY_TOO_LARGE
    } else {
        ErrorCode::NONE
    }
}

fn with_instance<T>(
    context: &Context,
    caller: &Caller,
    id: Uuid,
    now: Instant,
    work: impl FnOnce(&mut Instance) -> T,
) -> T {
    let state = &context.client_metrics;
    let version = {
        let settings = &context.cache.catalogue().settings.client_metrics;
        state.subscriptions.version(settings)
    };
    let fresh = || {
        let wanted = client_metrics::wanted(context, caller, id);
        Instance::new(wanted, version, Arc::downgrade(&caller.client.software), now)
    };
    state.instances.with(id, version, now, fresh, work)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::{TestAgent, caller, wire_id};

    /// An instance id with another hash. Ids of one repeated byte have the same one.
    const OTHER: Uuid = Uuid([4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

    /// An agent with a subscription for all clients.
    fn agent() -> TestAgent {
        let agent = TestAgent::new();
        subscribe(&agent, "org.apache.kafka.producer.");
        agent
    }

    fn subscribe(agent: &TestAgent, metrics: &str) {
        let config = |name: &str, value: &str| proto::Config {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        agent.context.cache.set_settings(proto::ClusterSettings {
            client_metrics: vec![proto::ClientMetricsSubscription {
                name: "all".to_owned(),
                configs: vec![config("metrics", metrics), config("interval.ms", "1000")],
            }],
            ..Default::default()
        });
    }

    async fn get(agent: &TestAgent, caller: &Caller, id: Uuid) -> GetTelemetrySubscriptionsResponse {
        let request = GetTelemetrySubscriptionsRequest { client_instance_id: id };
        get_subscriptions(agent.context(), caller.clone(), request).await
    }

    fn push_of(id: Uuid, subscription_id: i32) -> PushTelemetryRequest {
        PushTelemetryRequest {
            client_instance_id: id,
            subscription_id,
            ..Default::default()
        }
    }

    async fn push_code(agent: &TestAgent, caller: &Caller, request: PushTelemetryRequest) -> ErrorCode {
        push(agent.context(), caller.clone(), request).await.error_code
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_gets_an_id_once_and_its_subscribed_metrics() {
        let (agent, caller) = (agent(), caller(0));
        let first = get(&agent, &caller, NO_INSTANCE).await;
        assert_ne!(first.client_instance_id, NO_INSTANCE);
        assert_eq!(first.requested_metrics, ["org.apache.kafka.producer."]);
        assert_eq!((first.push_interval_ms, first.telemetry_max_bytes), (1_000, 1_048_576));
        assert_eq!(first.accepted_compression_types, [4, 3, 1, 2]);
        assert!(first.delta_temporality);
        let early = get(&agent, &caller, first.client_instance_id).await;
        assert_eq!(early.error_code, ErrorCode::THROTTLING_QUOTA_EXCEEDED);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(get(&agent, &caller, first.client_instance_id).await, first);
    }

    #[tokio::test]
    async fn a_client_without_subscriptions_asks_every_five_minutes() {
        let agent = TestAgent::new();
        let answer = get(&agent, &caller(0), NO_INSTANCE).await;
        assert_eq!((answer.requested_metrics.len(), answer.push_interval_ms), (0, 300_000));
    }

    #[tokio::test]
    async fn checks_a_push_like_kafka() {
        let agent = agent();
        let own = get(&agent, &caller(0), wire_id(3)).await.subscription_id;
        let large = Bytes::from(vec![0; 1_048_577]);
        let bomb = Bytes::from(zstd_of_zeros());
        for (id, subscription_id, compression_type, metrics, expected) in [
            (wire_id(3), own, 0, Bytes::new(), ErrorCode::NONE),
            (wire_id(3), own, 4, Bytes::new(), ErrorCode::NONE),
            (NO_INSTANCE, own, 0, Bytes::new(), ErrorCode::INVALID_REQUEST),
            (RESERVED[1], own, 0, Bytes::new(), ErrorCode::INVALID_REQUEST),
            // Another client or another subscription: the client must ask again.
            (OTHER, own, 0, Bytes::new(), ErrorCode::UNKNOWN_SUBSCRIPTION_ID),
            (wire_id(3), own ^ 1, 9, Bytes::new(), ErrorCode::UNKNOWN_SUBSCRIPTION_ID),
            (
                wire_id(3),
                own,
                9,
                Bytes::new(),
                ErrorCode::UNSUPPORTED_COMPRESSION_TYPE,
            ),
            (wire_id(3), own, 0, large, ErrorCode::TELEMETRY_TOO_LARGE),
            (
                wire_id(3),
                own,
                0,
                Bytes::from_static(b"\x0a\x05"),
                ErrorCode::INVALID_RECORD,
            ),
            (wire_id(3), own, 4, bomb, ErrorCode::INVALID_RECORD),
        ] {
            let request = PushTelemetryRequest {
                compression_type,
                metrics,
                ..push_of(id, subscription_id)
            };
            // A new connection each time, so that no push is too early.
            assert_eq!(push_code(&agent, &caller(0), request).await, expected);
        }
        assert!(agent.context.client_metrics.pushed.drain().is_empty());
    }

    /// 2 MiB of zeros: the magic, a header without sizes and with a window of 2 MiB, and 17 blocks of one repeated byte.
    fn zstd_of_zeros() -> Vec<u8> {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 11 << 3];
        for block in 0..17_u32 {
            let header = (128 << 10 << 3) | 2 | u32::from(block == 16);
            frame.extend_from_slice(&header.to_le_bytes()[..3]);
            frame.push(0);
        }
        frame
    }

    #[tokio::test(start_paused = true)]
    async fn pushes_are_limited_and_changed_subscriptions_refetched() {
        let (agent, caller) = (agent(), caller(0));
        let own = get(&agent, &caller, wire_id(3)).await.subscription_id;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(
            push_code(&agent, &caller, push_of(wire_id(3), own)).await,
            ErrorCode::NONE
        );
        let early = push_code(&agent, &caller, push_of(wire_id(3), own)).await;
        assert_eq!(early, ErrorCode::THROTTLING_QUOTA_EXCEEDED);
        subscribe(&agent, "org.apache.kafka.consumer.");
        let outdated = push_code(&agent, &caller, push_of(wire_id(3), own)).await;
        assert_eq!(outdated, ErrorCode::UNKNOWN_SUBSCRIPTION_ID);
        let changed = get(&agent, &caller, wire_id(3)).await;
        assert_eq!(changed.error_code, ErrorCode::NONE);
        assert_eq!(changed.requested_metrics, ["org.apache.kafka.consumer."]);
        assert_ne!(changed.subscription_id, own);
    }

    #[tokio::test]
    async fn a_terminating_client_can_push_early_but_not_again() {
        let (agent, caller) = (agent(), caller(0));
        let own = get(&agent, &caller, wire_id(3)).await.subscription_id;
        let last = PushTelemetryRequest {
            terminating: true,
            ..push_of(wire_id(3), own)
        };
        assert_eq!(
            push_code(&agent, &caller, push_of(wire_id(3), own)).await,
            ErrorCode::NONE
        );
        assert_eq!(push_code(&agent, &caller, last.clone()).await, ErrorCode::NONE);
        assert_eq!(push_code(&agent, &caller, last).await, ErrorCode::INVALID_REQUEST);
    }
}
