//! Which quota a client has, and how far it is beyond it. Times are given, so that tests need no clock.

use std::collections::HashMap;
use std::time::Duration;

/// No client is held longer for one request, so that it does not take the agent for dead: half of librdkafka's and Java's time-outs.
const MAX_THROTTLE: Duration = Duration::from_secs(15);
/// The same for the time of handling, as in Kafka: the size of its sampling window (`quota.window.size.seconds`).
const MAX_THROTTLE_FOR_TIME: Duration = Duration::from_secs(1);
/// How much a client may take at once after it took nothing: the quota of this long.
const BURST: Duration = Duration::from_secs(1);

/// One quota: to whom it applies, and how much it allows. In `user` and `client_id`, `None` is everyone and an empty text is the default
/// of all that have none of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quota {
    /// The name of the principal, without its kind.
    pub user: Option<String>,
    /// The client id.
    pub client_id: Option<String>,
    /// Bytes of Produce requests per second.
    pub producer_byte_rate: Option<f64>,
    /// Bytes of Fetch responses per second.
    pub consumer_byte_rate: Option<f64>,
    /// Of one thread's time, that of handling the requests. May be above 100.
    pub request_percentage: Option<f64>,
}

impl Quota {
    /// Bytes or seconds per second.
    fn rate(&self, traffic: Traffic) -> Option<f64> {
        match traffic {
            Traffic::Produced => self.producer_byte_rate,
            Traffic::Consumed => self.consumer_byte_rate,
            Traffic::Handled => self.request_percentage.map(|percentage| percentage / 100.0),
        }
    }
}

/// What a quota limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Traffic {
    /// From producers.
    Produced,
    /// To consumers.
    Consumed,
    /// Seconds in which a thread handles requests.
    Handled,
}

impl Traffic {
    /// Kafka's name of the quota that limits it.
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
            Self::Produced | Self::Consumed => MAX_THROTTLE,
            Self::Handled => MAX_THROTTLE_FOR_TIME,
        }
    }
}

/// Who shares one quota. A quota of a user is shared by all its clients; one of a user and a client id only by those.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Sharers {
    user: Option<String>,
    client_id: Option<String>,
    traffic: Traffic,
}

/// What the sharers of a quota have left.
#[derive(Debug)]
struct Allowance {
    /// Bytes or seconds; negative once they took too much.
    left: f64,
    since: Duration,
}

/// The quotas of a cluster at one version, and what was taken of them.
#[derive(Debug, Default)]
pub struct Quotas {
    by_entity: HashMap<(Option<String>, Option<String>), Quota>,
    allowances: HashMap<Sharers, Allowance>,
}

/// Of the allowances, those that are full are forgotten when there are so many.
const MAX_ALLOWANCES: usize = 4096;

impl Quotas {
    /// Indexes quotas.
    #[must_use]
    pub fn new(quotas: Vec<Quota>) -> Self {
        let keyed = quotas
            .into_iter()
            .map(|quota| ((quota.user.clone(), quota.client_id.clone()), quota));
        Self {
            by_entity: keyed.collect(),
            allowances: HashMap::new(),
        }
    }

    /// Whether no client has a quota.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_entity.is_empty()
    }

    /// Whether any quota limits this.
    #[must_use]
    pub fn limit(&self, traffic: Traffic) -> bool {
        self.by_entity.values().any(|quota| quota.rate(traffic).is_some())
    }

    /// Takes bytes or seconds from the client's allowance. Returns how long the client must be held for them: zero within its quota. `now`
    /// is any clock that does not go back.
    pub fn take(&mut self, user: &str, client_id: &str, traffic: Traffic, amount: f64, now: Duration) -> Duration {
        let Some((per_second, sharers)) = self.quota_of(user, client_id, traffic) else {
            return Duration::ZERO;
        };
        let burst = per_second * BURST.as_secs_f64();
        if self.allowances.len() >= MAX_ALLOWANCES && !self.allowances.contains_key(&sharers) {
            // After this long without traffic an allowance is as good as new.
            self.allowances
                .retain(|_, allowance| now.saturating_sub(allowance.since) < MAX_THROTTLE + BURST);
        }
        let allowance = self.allowances.entry(sharers).or_insert(Allowance {
            left: burst,
            since: now,
        });
        let earned = per_second * now.saturating_sub(allowance.since).as_secs_f64();
        let least = -per_second * traffic.max_throttle().as_secs_f64();
        allowance.left = ((allowance.left + earned).min(burst) - amount).max(least);
        allowance.since = now;
        Duration::try_from_secs_f64(-allowance.left / per_second).unwrap_or_default()
    }

    /// Kafka's order: the quota that names the user most exactly, and among those the client id.
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
            // Each user and client id to which a default applies has an allowance of its own.
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
    fn a_share_of_a_thread_is_held_to_like_bytes_and_for_a_second_at_most() {
        let mut quotas = Quotas::new(vec![Quota {
            user: Some("alice".to_owned()),
            request_percentage: Some(10.0),
            ..Quota::default()
        }]);
        assert!(quotas.limit(Traffic::Handled) && !quotas.limit(Traffic::Produced));
        let mut handle = |seconds: f64, now| quotas.take("alice", "a", Traffic::Handled, seconds, now);
        assert_eq!(handle(0.1, NOW), Duration::ZERO);
        assert_eq!(handle(0.05, NOW), Duration::from_millis(500));
        assert_eq!(handle(60.0, NOW), MAX_THROTTLE_FOR_TIME);
        assert_eq!(handle(0.0, NOW + MAX_THROTTLE_FOR_TIME), Duration::ZERO);
        assert_eq!(quotas.take("bob", "a", Traffic::Handled, 60.0, NOW), Duration::ZERO);
    }

    #[test]
    fn the_quota_that_names_the_client_most_exactly_counts() {
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
    fn a_client_beyond_its_quota_is_held_until_it_is_within_it_again() {
        let mut quotas = Quotas::new(vec![quota(Some("alice"), None, 1000.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 1000, NOW), Duration::ZERO);
        let held = produce(&mut quotas, "alice", "b", 500, NOW);
        assert_eq!(held, Duration::from_millis(500));
        // Held that long, it has nothing left and owes nothing.
        let held = produce(&mut quotas, "alice", "a", 250, NOW + held);
        assert_eq!(held, Duration::from_millis(250));
        assert_eq!(produce(&mut quotas, "bob", "a", 1 << 30, NOW), Duration::ZERO);
    }

    #[test]
    fn a_client_that_took_nothing_for_long_saves_up_no_more_than_a_second() {
        let mut quotas = Quotas::new(vec![quota(Some("alice"), None, 1000.0)]);
        produce(&mut quotas, "alice", "a", 1, NOW);
        let much_later = NOW + Duration::from_secs(3600);
        let held = produce(&mut quotas, "alice", "a", 2000, much_later);
        assert_eq!(held, Duration::from_secs(1));
    }

    #[test]
    fn no_request_holds_a_client_for_longer_than_it_waits() {
        let mut quotas = Quotas::new(vec![quota(Some("alice"), None, 1.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 1 << 20, NOW), MAX_THROTTLE);
        assert_eq!(produce(&mut quotas, "alice", "a", 1 << 20, NOW), MAX_THROTTLE);
    }

    #[test]
    fn clients_under_a_default_have_an_allowance_each() {
        let mut quotas = Quotas::new(vec![quota(Some(""), None, 1000.0)]);
        assert_eq!(produce(&mut quotas, "alice", "a", 1000, NOW), Duration::ZERO);
        assert_eq!(produce(&mut quotas, "bob", "a", 1000, NOW), Duration::ZERO);
        assert_ne!(produce(&mut quotas, "bob", "b", 1000, NOW), Duration::ZERO);
    }

    #[test]
    fn the_number_of_allowances_is_bounded_by_who_is_active() {
        let mut quotas = Quotas::new(vec![quota(None, Some(""), 1000.0)]);
        for client in 0..2 * MAX_ALLOWANCES as u32 {
            let now = NOW + MAX_THROTTLE * client;
            produce(&mut quotas, "alice", &format!("client-{client}"), 1, now);
        }
        assert!(quotas.allowances.len() <= MAX_ALLOWANCES);
    }
}
