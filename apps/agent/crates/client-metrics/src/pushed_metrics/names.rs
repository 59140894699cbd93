//! The pushed metrics that are kept: those that KIP-714 requires of every client, and a few more from the Java client.

use penstock_metadata_client::proto::ClientMetric;

const PREFIX: &str = "org.apache.kafka.";

/// How to combine a client's values per node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combining {
    Mean,
    Highest,
    Sum,
}

/// Returns the metric with this full name, if it is kept.
pub(super) fn metric_of(name: &str) -> Option<ClientMetric> {
    Some(match name.strip_prefix(PREFIX)? {
        "producer.record.send.rate" => ClientMetric::ProducerRecordSendRate,
        "producer.record.error.rate" => ClientMetric::ProducerRecordErrorRate,
        "producer.record.retry.rate" => ClientMetric::ProducerRecordRetryRate,
        "producer.outgoing.byte.rate" => ClientMetric::ProducerOutgoingByteRate,
        "producer.record.queue.time.avg" => ClientMetric::ProducerRecordQueueTimeAvg,
        "producer.record.queue.time.max" => ClientMetric::ProducerRecordQueueTimeMax,
        "producer.node.request.latency.avg" => ClientMetric::ProducerNodeRequestLatencyAvg,
        "producer.node.request.latency.max" => ClientMetric::ProducerNodeRequestLatencyMax,
        "producer.produce.throttle.time.avg" => ClientMetric::ProducerProduceThrottleTimeAvg,
        "producer.produce.throttle.time.max" => ClientMetric::ProducerProduceThrottleTimeMax,
        "producer.connection.creation.rate" => ClientMetric::ProducerConnectionCreationRate,
        "consumer.fetch.manager.fetch.latency.avg" => ClientMetric::ConsumerFetchManagerFetchLatencyAvg,
        "consumer.fetch.manager.fetch.latency.max" => ClientMetric::ConsumerFetchManagerFetchLatencyMax,
        "consumer.fetch.manager.records.consumed.rate" => ClientMetric::ConsumerFetchManagerRecordsConsumedRate,
        "consumer.fetch.manager.bytes.consumed.rate" => ClientMetric::ConsumerFetchManagerBytesConsumedRate,
        "consumer.fetch.manager.records.lag.max" => ClientMetric::ConsumerFetchManagerRecordsLagMax,
        "consumer.node.request.latency.avg" => ClientMetric::ConsumerNodeRequestLatencyAvg,
        "consumer.node.request.latency.max" => ClientMetric::ConsumerNodeRequestLatencyMax,
        "consumer.poll.idle.ratio.avg" => ClientMetric::ConsumerPollIdleRatioAvg,
        "consumer.coordinator.commit.latency.avg" => ClientMetric::ConsumerCoordinatorCommitLatencyAvg,
        "consumer.coordinator.commit.latency.max" => ClientMetric::ConsumerCoordinatorCommitLatencyMax,
        "consumer.coordinator.rebalance.latency.avg" => ClientMetric::ConsumerCoordinatorRebalanceLatencyAvg,
        "consumer.coordinator.rebalance.latency.max" => ClientMetric::ConsumerCoordinatorRebalanceLatencyMax,
        "consumer.coordinator.assigned.partitions" => ClientMetric::ConsumerCoordinatorAssignedPartitions,
        "consumer.connection.creation.rate" => ClientMetric::ConsumerConnectionCreationRate,
        _ => return None,
    })
}

/// Selects the combination by the name of a kept metric.
pub(super) fn combining(name: &str) -> Combining {
    match name.rsplit('.').next() {
        Some("avg") => Combining::Mean,
        Some("max") => Combining::Highest,
        _ => Combining::Sum,
    }
}
