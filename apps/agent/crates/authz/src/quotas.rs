//! Finds a client's quota and how far the client exceeds it. Callers pass the time, so that tests need no clock.

use std::collections::HashMap;
use std::time::Duration;

use crate::rate::{Rate, SHORTEST_SPAN, WINDOW};

/// Maximum throttle time for request handling, as in Kafka.
const MAX_THROTTLE_FOR_TIME: Duration = WINDOW;

/// A quota: the clients that it applies to, and its limits. In `user` and `client_id`, `None` means everyone, and an
/// empty string is the default for those without a quota of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quota {
    /// The name of the principal, without its type.
    pub user: Option<String>,
    /// The client id that it applies to.
    pub client_id: Option<String>,
    /// Bytes of Produce requests per second.
    pub producer_byte_rate: Option<f64>,
    /// Bytes of Fetch responses per second.
    pub consumer_byte_rate: Option<f64>,
    /// Percentage of a thread's time for handling requests. Can exceed 100.
    pub request_percentage: Option<f64>,
}

impl Quota {
    /// The limit in bytes or seconds per second.
    fn rate(&self, traffic: Traffic) -> Option<f64> {
        match traffic {
            Traffic::Produced => self.producer_byte_rate,
            Traffic::Consumed => self.consumer_byte_rate,
            Traffic::Handled => self.request_percentage.map(|percentage| percentage / 100.0),
        }
    }
}

/// The kind of traffic that a quota limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Traffic {
    /// Bytes that producers send.
    Produced,
    /// Bytes that consumers receive.
    Consumed,
    /// Seconds of a thread's time for handling requests.
    Handled,
}

impl Traffic {
    /// Kafka's name for the corresponding quota.
    #[must_use]
    pub fn quota_name(self) -> &'static str {
        match self {
            Self::Produced => "producer_byte_rate",
            Self::Consumed => "consumer_byte_rate",
            Self::Handled => "request_percentage",
        }
    }

    fn max_throttle(self) -> Duration {
        match self {
            Self::Produced | Self::Consumed => Duration::MAX,
            Self::Handled => MAX_THROTTLE_FOR_TIME,
        }
    }
}

/// The clients that share a quota: all clients of a user, or only those with a client id if the quota names one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Sharers {
    user: Option<String>,
    client_id: Option<String>,
    traffic: Traffic,
}

/// The quotas of a cluster at one version, and their usage.
#[derive(Debug, Default)]
pub struct Quotas {
    by_entity: HashMap<(Option<String>, Option<String>), Quota>,
    rates: HashMap<Sharers, Rate>,
}

/// Number of rates above which those of idle clients are dropped.
const MAX_RATES: usize = 4096;

impl Quotas {
    /// Creates quotas without usage.
    #[must_use]
    pub fn new(quotas: Vec<Quota>) -> Self {
        let mut new = Self::default();
        new.replace(quotas);
        new
    }

    /// Replaces the quotas. Earlier usage counts towards the new ones.
    pub fn replace(&mut self, quotas: Vec<Quota>) {
        let keyed = quotas
            .into_iter()
            .map(|quota| ((quota.user.clone(), quota.client_id.clone()), quota));
        self.by_entity = keyed.collect();
    }

    /// Returns true if no client has a quota.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_entity.is_empty()
    }

    /// Returns true if any quota limits this kind of traffic.
    #[must_use]
    pub fn limit(&self, traffic: Traffic) -> bool {
        self.by_entity.values().any(|quota| quota.rate(traffic).is_some())
    }

    /// Counts bytes or seconds that a client used. Returns how long to throttle the client; zero within its quota.
    /// `now` is from any monotonic clock.
    pub fn take(&mut self, user: &str, client_id: &str, traffic: Traffic, amount: f64, now: Duration) -> Duration {
        let Some((per_second, sharers)) = self.quota_of(user, client_id, traffic) else {
            return Duration::ZERO;
        };
        if self.rates.len() >= MAX_RATES && !self.rates.contains_key(&sharers) {
            self.rates.retain(|_, rate| !rate.is_idle(now));
        }
        let rate = self.rates.entry(sharers).or_insert_with(|| Rate::new(now));
        rate.record(amount, now);
        rate.throttle_time(per_second, now).min(traffic.max_throttle())
    }

    /// The most bytes or seconds that a client can use at once without being throttled, if it has a quota.
    #[must_use]
    pub fn most_at_once(&self, user: &str, client_id: &str, traffic: Traffic) -> Option<f64> {
        let (per_second, _) = self.quota_of(user, client_id, traffic)?;
        Some(per_second * SHORTEST_SPAN.as_secs_f64())
    }

    /// Kafka's order: the quota that names the user most specifically, then the client id.
    fn quota_of(&self, user: &str, client_id: &str, traffic: Traffic) -> Option<(f64, Sharers)> {
        if self.by_entity.is_empty() {
            return None;
        }
        let some = |text: &str| Some(text.to_owned());
        let candidates = [
            (some(user), some(client_id)),
            (some(user), some("")),
            (some(user), None),
            (some(""), some(client_id)),
            (some(""), some("")),
            (some(""), None),
            (None, some(client_id)),
            (None, some("")),
        ];
        candidates.into_iter().find_map(|entity| {
            let quota = self.by_entity.get(&entity)?;
            let rate = quota.rate(traffic)?;
            // Each user and client id under a default has its own rate.
            let sharers = Sharers {
                user: entity.0.map(|_| user.to_owned()),
                client_id: entity.1.map(|_| client_id.to_owned()),
                traffic,
            };
            (rate > 0.0).then_some((rate, sharers))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1000);

    fn quota(user: Option<&str>, client_id: Option<&str>, rate: f64) -> Quota {
        Quota {
            user: user.map(str::to_owned),
            client_id: client_id.map(str::to_owned),
            producer_byte_rate: Some(rate),
            ..Quota::default()
        }
    }

    fn produce(quotas: &mut Quotas, user: &str, client_id: &str, bytes: u32, now: Duration) -> Duration {
        quotas.take(user, client_id, Traffic::Produced, bytes.into(), now)
    }

    #[test]
    fn throttles_for_thread_time_as_for_bytes_up_to_a_second() {
        let mut quotas = Quotas::new(vec![Quota {
            user: Some("alice".to_owned()),
            request_percentage: Some(10.0),
            ..Quota::default()
        }]);
        assert!(quotas.limit(Traffic::Handled) && !quotas.limit(Traffic::Produced));
        let mut handle = |seconds: f64| quotas.take("alice", "a", Traffic::Handled, seconds, NOW);
        assert_eq!(handle(1.0), Duration::ZERO);
        assert_eq!(handle(0.05), Duration::from_millis(500));
        assert_eq!(handle(60.0), MAX_THROTTLE_FOR_TIME);
        assert_eq!(quotas.take("bob", "a", Traffic::Handled, 60.0, NOW), Duration::ZERO);
    }

    #[test]
    fn the_most_specific_quota_applies() {
        let all = [
            quota(Some("alice"), Some("app"), 1.0),
            quota(Some("alice"), Some(""), 2.0),
            quota(Some("alice"), None, 3.0),
            quota(Some(""), Some("app"), 4.0),
            quota(Some(""), Some(""), 5.0),
            quota(Some(""), None, 6.0),
            quota(None, Some("app"), 7.0),
            quota(None, Some(""), 8.0),
        ];
        let rate = |quotas: &Quotas| {
            let found = quotas.quota_of("alice", "app", Traffic::Produced);
            found.map(|(rate, _)| rate)
        };
        for most_exact in 0..all.len() {
            let quotas = Quotas::new(all[most_exact..].to_vec());
            assert_eq!(rate(&quotas), all[most_exact].producer_byte_rate);
        }
        assert_eq!(rate(&Quotas::default()), None);
        let others = Quotas::new(vec![quota(Some("bob"), None, 1.0), quota(None, Some("other"), 1.0)]);
        assert_eq!(rate(&others), None);
    }

    #[test]
    fn the_clients_of_a_user_share_its_quota() {
        let mut quotas = Quotas::new(vec![quota(Some("alice"), None, 1000.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 10_000, NOW), Duration::ZERO);
        let held = produce(&mut quotas, "alice", "b", 500, NOW);
        assert_eq!(held, Duration::from_millis(500));
        assert_eq!(produce(&mut quotas, "bob", "a", 1 << 30, NOW), Duration::ZERO);
        assert_eq!(quotas.most_at_once("alice", "c", Traffic::Produced), Some(10_000.0));
        assert_eq!(quotas.most_at_once("bob", "c", Traffic::Produced), None);
    }

    #[test]
    fn clients_under_a_default_have_separate_rates() {
        let mut quotas = Quotas::new(vec![quota(Some(""), None, 1000.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 10_000, NOW), Duration::ZERO);
        assert_eq!(produce(&mut quotas, "bob", "a", 10_000, NOW), Duration::ZERO);
        assert_ne!(produce(&mut quotas, "bob", "b", 1000, NOW), Duration::ZERO);
    }

    #[test]
    fn a_changed_quota_counts_earlier_usage() {
        let mut quotas = Quotas::new(vec![quota(Some("alice"), None, 1000.0)]);
        produce(&mut quotas, "alice", "a", 10_000, NOW);
        quotas.replace(vec![quota(Some("alice"), None, 2000.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 10_000, NOW), Duration::ZERO);
        quotas.replace(vec![quota(Some("alice"), None, 1000.0)]);
        let held = produce(&mut quotas, "alice", "a", 0, NOW);
        assert_eq!(held, Duration::from_secs(10));
    }

    #[test]
    fn the_number_of_rates_is_bounded_by_active_clients() {
        let mut quotas = Quotas::new(vec![quota(None, Some(""), 1000.0)]);
        for client in 0..2 * MAX_RATES as u32 {
            let now = NOW + SHORTEST_SPAN * client;
            produce(&mut quotas, "alice", &format!("client-{client}"), 1, now);
        }
        assert!(quotas.rates.len() <= MAX_RATES);
    }
}
