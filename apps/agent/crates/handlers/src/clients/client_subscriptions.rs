//! The subscriptions to metrics of clients, ready to be compared with clients.
use std::sync::Arc;

use parking_lot::Mutex;
use penstock_metadata_client::proto;
use penstock_wire::Uuid;
use regex::{Regex, RegexBuilder};

/// When a client pushes, and asks for its subscriptions again if it has none. Kafka: ClientMetricsConfigs.INTERVAL_MS_DEFAULT.
pub(crate) const DEFAULT_INTERVAL_MS: i32 = 300_000;
/// In place of the names of metrics: all of them.
const ALL_METRICS: &str = "*";
/// Bounds what an expression takes to compile and to run.
const MAX_REGEX_BYTES: usize = 1 << 16;

pub(crate) fn value<'a>(subscription: &'a proto::ClientMetricsSubscription, config: &str) -> Option<&'a str> {
    let set = subscription.configs.iter().find(|set| set.name == config);
    set.map(|set| set.value.as_str())
}

pub(crate) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// An expression that has to match a whole value, as in Kafka.
pub(crate) fn compile(expression: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(&format!("^(?:{})$", expression.trim()))
        .size_limit(MAX_REGEX_BYTES)
        .build()
}

/// What one client is asked to push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Changes whenever the rest does.
    pub(crate) subscription_id: i32,
    /// Prefixes of names; empty: nothing.
    pub(crate) metrics: Vec<String>,
    pub(crate) interval_ms: i32,
}

/// The subscriptions, ready to be compared with clients.
#[derive(Default)]
pub(crate) struct Subscriptions {
    prepared: Mutex<Arc<Prepared>>,
}

#[derive(Default)]
struct Prepared {
    /// Grows with each change.
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
    /// What the client is asked to push. Intervals and metrics of several subscriptions add up.
    /// `attribute` gives the client's value of a key of `match`; `None`: there is no such key, or the client has not said.
    pub(crate) fn wanted(
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

    /// Changes whenever the settings do.
    pub(crate) fn version(&self, settings: &[proto::ClientMetricsSubscription]) -> u64 {
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
    /// `None`: an expression does not compile, which only another version of the agent can have accepted.
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

/// Kafka's way, ClientMetricsManager.computeSubscriptionId: CRC-32C of the set as Java writes it and the interval, combined with the hash of
/// the instance's id. Java's order of several metrics is that of a hash table, here they are sorted; agents agree with each other.
fn subscription_id(metrics: &[String], interval_ms: i32, instance: Uuid) -> i32 {
    let text = format!("[{}]{interval_ms}", metrics.join(", "));
    crc32c::crc32c(text.as_bytes()).cast_signed() ^ java_hash(instance)
}

/// Uuid.hashCode of Kafka's Java classes: its four words combined.
fn java_hash(id: Uuid) -> i32 {
    let (words, _) = id.0.as_chunks::<4>();
    words.iter().fold(0, |hash, word| hash ^ i32::from_be_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_subscription_is_the_one_that_kafka_computes() {
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
