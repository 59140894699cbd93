//! Client metrics subscriptions, prepared for matching clients.
use std::sync::Arc;

use parking_lot::Mutex;
use penstock_metadata_client::proto;
use penstock_wire::Uuid;
use regex::{Regex, RegexBuilder};

/// Default push interval, and the interval at which clients without subscriptions ask again. Kafka:
/// ClientMetricsConfigs.INTERVAL_MS_DEFAULT.
pub const DEFAULT_INTERVAL_MS: i32 = 300_000;
/// Selects all metrics, in place of their names.
const ALL_METRICS: &str = "*";
/// Limits the cost of compiling and running an expression.
const MAX_REGEX_BYTES: usize = 1 << 16;

/// The value of a config in a subscription.
#[must_use]
pub fn value<'a>(subscription: &'a proto::ClientMetricsSubscription, config: &str) -> Option<&'a str> {
    let set = subscription.configs.iter().find(|set| set.name == config);
    set.map(|set| set.value.as_str())
}

/// The non-empty items of a comma-separated list.
pub fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// Compiles an expression that must match a whole value, as in Kafka.
///
/// # Errors
/// Returns an error if the expression is invalid or too large.
pub fn compile(expression: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&format!("^(?:{})$", expression.trim()))
        .size_limit(MAX_REGEX_BYTES)
        .build()
}

/// The metrics that a client should push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Changes whenever another field does.
    pub subscription_id: i32,
    /// Prefixes of metric names; none if empty.
    pub metrics: Vec<String>,
    /// Push interval in milliseconds.
    pub interval_ms: i32,
}

/// The subscriptions, prepared for matching clients.
#[derive(Default)]
pub struct Subscriptions {
    prepared: Mutex<Arc<Prepared>>,
}

#[derive(Default)]
struct Prepared {
    /// Increases with each change.
    version: u64,
    settings: Vec<proto::ClientMetricsSubscription>,
    subscriptions: Vec<Subscription>,
}

struct Subscription {
    metrics: Vec<String>,
    interval_ms: i32,
    matches: Vec<(String, Regex)>,
}

impl Subscriptions {
    /// Returns the metrics that the client should push, combined from all matching subscriptions. `attribute` returns
    /// the client's value for a key of `match`, or `None` if the key is unknown or the client has not sent it.
    pub fn wanted(
        &self,
        settings: &[proto::ClientMetricsSubscription],
        attribute: impl Fn(&str) -> Option<String>,
        instance: Uuid,
    ) -> Wanted {
        let prepared = self.prepare(settings);
        let own = prepared.subscriptions.iter().filter(|found| found.is_for(&attribute));
        let mut metrics: Vec<String> = Vec::new();
        let mut interval_ms = DEFAULT_INTERVAL_MS;
        for subscription in own {
            metrics.extend(subscription.metrics.iter().cloned());
            interval_ms = interval_ms.min(subscription.interval_ms);
        }
        if metrics.iter().any(|metric| metric == ALL_METRICS) {
            metrics = vec![ALL_METRICS.to_owned()];
        }
        metrics.sort();
        metrics.dedup();
        Wanted {
            subscription_id: subscription_id(&metrics, interval_ms, instance),
            metrics,
            interval_ms,
        }
    }

    /// Returns a version that changes whenever the settings do.
    pub fn version(&self, settings: &[proto::ClientMetricsSubscription]) -> u64 {
        self.prepare(settings).version
    }

    fn prepare(&self, settings: &[proto::ClientMetricsSubscription]) -> Arc<Prepared> {
        let mut prepared = self.prepared.lock();
        if prepared.settings != settings {
            *prepared = Arc::new(Prepared {
                version: prepared.version + 1,
                settings: settings.to_vec(),
                subscriptions: settings.iter().filter_map(Subscription::of).collect(),
            });
        }
        Arc::clone(&prepared)
    }
}

impl Subscription {
    /// Returns `None` if an expression does not compile, which only another version of the agent can have accepted.
    fn of(subscription: &proto::ClientMetricsSubscription) -> Option<Self> {
        let patterns = items(value(subscription, "match").unwrap_or_default());
        let compiled = patterns.map(|pattern| {
            let (key, expression) = pattern.split_once('=')?;
            Some((key.trim().to_owned(), compile(expression).ok()?))
        });
        Some(Self {
            matches: compiled.collect::<Option<_>>()?,
            metrics: items(value(subscription, "metrics").unwrap_or_default())
                .map(str::to_owned)
                .collect(),
            interval_ms: value(subscription, "interval.ms")
                .and_then(|set| set.parse().ok())
                .unwrap_or(DEFAULT_INTERVAL_MS),
        })
    }

    fn is_for(&self, attribute: impl Fn(&str) -> Option<String>) -> bool {
        let is_match =
            |(key, expression): &(String, Regex)| attribute(key).is_some_and(|value| expression.is_match(&value));
        self.matches.iter().all(is_match)
    }
}

/// Computed like Kafka's ClientMetricsManager.computeSubscriptionId: CRC-32C of the set as formatted by Java and the
/// interval, combined with the hash of the instance's id. Java orders several metrics by hash; here they are sorted,
/// and agents agree with each other.
fn subscription_id(metrics: &[String], interval_ms: i32, instance: Uuid) -> i32 {
    let text = format!("[{}]{interval_ms}", metrics.join(", "));
    crc32c::crc32c(text.as_bytes()).cast_signed() ^ java_hash(instance)
}

/// The hash of Java's Uuid.hashCode in Kafka: its four words combined.
fn java_hash(id: Uuid) -> i32 {
    let (words, _) = id.0.as_chunks::<4>();
    words.iter().fold(0, |hash, word| hash ^ i32::from_be_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subscription_id_matches_kafkas() {
        // Printed by kafka-clients 4.3.1 with Crc32C.compute and Uuid.hashCode.
        let instance = Uuid([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        for (metrics, interval_ms, expected) in [
            (vec!["org.apache.kafka."], 30_000, -2_098_445_650),
            (vec![], 300_000, -725_132_338),
            (vec!["*"], 1_000, 848_016_041),
        ] {
            let metrics: Vec<String> = metrics.into_iter().map(str::to_owned).collect();
            assert_eq!(
                subscription_id(&metrics, interval_ms, instance),
                expected,
                "{metrics:?}"
            );
        }
    }
}
