//! The subscriptions to metrics of clients, ready to be compared with clients.

use std::sync::{Arc, Mutex, PoisonError};

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
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Changes whenever the rest does.
    pub(crate) subscription_id: i32,
    /// Prefixes of names; empty: nothing.
    pub(crate) metrics: Vec<String>,
    pub(crate) interval_ms: i32,
}

/// The subscriptions, ready to be compared with clients.
#[derive(Default)]
pub struct Subscriptions {
    prepared: Mutex<Arc<Prepared>>,
}

#[derive(Default)]
struct Prepared {
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

    fn prepare(&self, settings: &[proto::ClientMetricsSubscription]) -> Arc<Prepared> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if prepared.settings != settings {
            *prepared = Arc::new(Prepared {
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

/// Agents of any version compute the same, so that a client may change between them. FNV-1a.
fn subscription_id(metrics: &[String], interval_ms: i32, instance: Uuid) -> i32 {
    let interval = interval_ms.to_be_bytes();
    let separated = metrics.iter().flat_map(|metric| [metric.as_bytes(), &b","[..]]);
    let bytes = separated.chain([&interval[..], &instance.0[..]]).flatten();
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    hash.cast_signed()
}
