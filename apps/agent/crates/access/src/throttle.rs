//! Throttles clients by their quotas, and writers of a Dev cluster by its limit. Quotas apply per agent. The limit
//! applies to the whole cluster, and each agent that accepts clients has an equal share.
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use penstock_authz::{Principal, Quota, Quotas, SharedLimit, Traffic};
use penstock_metadata_client::cache::{Catalogue, ClusterCache};
use penstock_metadata_client::proto;
use tokio::sync::watch;
use tokio::time::Instant;

use penstock_metrics::Metrics;

/// The usage of clients under the current quotas.
pub struct Throttle {
    current: RwLock<Current>,
    quotas: Mutex<Quotas>,
    written: Mutex<SharedLimit>,
    metrics: Arc<Metrics>,
    started: Instant,
}

struct Current {
    changes: watch::Receiver<Arc<proto::SecurityState>>,
    state: Arc<proto::SecurityState>,
    in_force: InForce,
}

/// Which kinds of quotas exist.
#[derive(Clone, Copy)]
struct InForce {
    any: bool,
    of_time: bool,
}

impl InForce {
    fn of(quotas: &Quotas) -> Self {
        Self {
            any: !quotas.is_empty(),
            of_time: quotas.limit(Traffic::Handled),
        }
    }
}

impl Throttle {
    /// Follows the quotas in `cache`.
    #[must_use]
    pub fn new(cache: &ClusterCache, metrics: &Arc<Metrics>) -> Arc<Self> {
        let mut changes = cache.security();
        let state = Arc::clone(&changes.borrow_and_update());
        let quotas = Quotas::new(quotas_of(&state));
        let in_force = InForce::of(&quotas);
        Arc::new(Self {
            quotas: Mutex::new(quotas),
            written: Mutex::default(),
            current: RwLock::new(Current {
                changes,
                state,
                in_force,
            }),
            metrics: Arc::clone(metrics),
            started: Instant::now(),
        })
    }

    /// Counts bytes that a client sends or receives. Returns how long to throttle the client.
    pub fn take(&self, principal: &Principal, client_id: &str, traffic: Traffic, bytes: usize) -> Duration {
        #[allow(clippy::cast_precision_loss, reason = "requests are smaller than 2^53 bytes")]
        let amount = bytes as f64;
        self.take_amount(principal, client_id, traffic, amount)
    }

    /// Counts a thread's time for a client's request. Returns how long to throttle the client.
    pub fn take_time(&self, principal: &Principal, client_id: &str, time: Duration) -> Duration {
        self.take_amount(principal, client_id, Traffic::Handled, time.as_secs_f64())
    }

    /// Counts uncompressed bytes written. Returns how long to throttle the writer so that the whole cluster stays
    /// within the limit of its mode.
    pub fn take_written(&self, catalogue: &Catalogue, bytes: u64) -> Duration {
        let Some(share) = share_of_limit(catalogue) else {
            return Duration::ZERO;
        };
        let mut written = self.written.lock();
        #[allow(clippy::cast_precision_loss, reason = "requests are smaller than 2^53 bytes")]
        let held = written.take(bytes as f64, share, self.started.elapsed());
        drop(written);
        self.metrics.count_throttled_writes(held);
        held
    }

    fn take_amount(&self, principal: &Principal, client_id: &str, traffic: Traffic, amount: f64) -> Duration {
        if !self.in_force().any {
            return Duration::ZERO;
        }
        let mut quotas = self.quotas.lock();
        let held = quotas.take(principal.name(), client_id, traffic, amount, self.started.elapsed());
        drop(quotas);
        self.metrics.count_throttling(traffic, held);
        held
    }

    /// The most bytes that a client can use at once without being throttled; `u64::MAX` without a quota.
    pub fn most_at_once(&self, principal: &Principal, client_id: &str, traffic: Traffic) -> u64 {
        if !self.in_force().any {
            return u64::MAX;
        }
        let quotas = self.quotas.lock();
        let most = quotas.most_at_once(principal.name(), client_id, traffic);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "quotas are positive, and a conversion saturates"
        )]
        most.map_or(u64::MAX, |bytes| bytes as u64)
    }

    /// Returns true if any client's time is limited. Only then is it measured.
    pub fn limits_time(&self) -> bool {
        self.in_force().of_time
    }

    fn in_force(&self) -> InForce {
        let current = self.current.read();
        if !current.changes.has_changed().unwrap_or(false) {
            return current.in_force;
        }
        drop(current);
        let mut current = self.current.write();
        let state = Arc::clone(&current.changes.borrow_and_update());
        // Most changes concern other parts, such as ACLs.
        if state.quotas != current.state.quotas {
            let mut quotas = self.quotas.lock();
            quotas.replace(quotas_of(&state));
            current.in_force = InForce::of(&quotas);
        }
        current.state = state;
        current.in_force
    }
}

/// This agent's share of the cluster's write limit, in bytes per second; `None` without a limit.
fn share_of_limit(catalogue: &Catalogue) -> Option<f64> {
    let limit = catalogue.settings.max_written_bytes_per_second;
    // An agent with port 0 accepts no clients: it only merges files.
    let takes_clients = |agent: &&proto::Agent| agent.alive && agent.advertised_port != 0;
    let agents = catalogue.agents.iter().filter(takes_clients);
    #[allow(clippy::cast_precision_loss, reason = "limits are smaller than 2^53 bytes")]
    let share = limit as f64 / agents.count().max(1) as f64;
    (limit > 0).then_some(share)
}

fn quotas_of(state: &proto::SecurityState) -> Vec<Quota> {
    let quotas = state.quotas.iter().map(|quota| Quota {
        user: quota.user.clone(),
        client_id: quota.client_id.clone(),
        producer_byte_rate: quota.producer_byte_rate,
        consumer_byte_rate: quota.consumer_byte_rate,
        request_percentage: quota.request_percentage,
    });
    quotas.collect()
}

/// The throttle time in responses: whole milliseconds, rounded up, so that a throttled client never reads zero.
pub fn throttle_time_ms(held: Duration) -> i32 {
    i32::try_from(held.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use penstock_metrics::ThrottleLabels;

    fn limited(rate: f64, version: u64) -> proto::SecurityState {
        proto::SecurityState {
            version,
            quotas: vec![proto::ClientQuota {
                client_id: Some("app".to_owned()),
                consumer_byte_rate: Some(rate),
                ..Default::default()
            }],
            ..Default::default()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_changed_quota_applies_at_once_and_keeps_earlier_usage() {
        let (cache, _) = ClusterCache::new();
        let throttle = Throttle::new(&cache, &Arc::default());
        let take = |bytes| throttle.take(&Principal::user("alice"), "app", Traffic::Consumed, bytes);
        assert_eq!(take(1 << 30), Duration::ZERO);
        cache.set_security(limited(1000.0, 1));
        assert_eq!(take(12_000), Duration::from_secs(2));
        cache.set_security(limited(1000.0, 2));
        assert_eq!(take(1000), Duration::from_secs(3));
        cache.set_security(limited(4000.0, 3));
        assert_eq!(take(27_000), Duration::ZERO);
        assert_eq!(take(4000), Duration::from_secs(1));
        cache.set_security(proto::SecurityState::default());
        assert_eq!(take(1 << 30), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn time_is_measured_only_if_a_quota_limits_it() {
        let (cache, _) = ClusterCache::new();
        let metrics = Arc::default();
        let throttle = Throttle::new(&cache, &metrics);
        let handle = |time| throttle.take_time(&Principal::user("alice"), "app", time);
        cache.set_security(limited(1000.0, 1));
        assert!(!throttle.limits_time());
        assert_eq!(handle(Duration::from_secs(60)), Duration::ZERO);
        let mut of_time = limited(1000.0, 2);
        of_time.quotas[0].request_percentage = Some(50.0);
        cache.set_security(of_time);
        assert!(throttle.limits_time());
        assert_eq!(handle(Duration::from_secs(5)), Duration::ZERO);
        assert_eq!(handle(Duration::from_millis(250)), Duration::from_millis(500));
        let labels = ThrottleLabels {
            quota: "request_percentage",
        };
        assert_eq!(metrics.throttled_requests.get_or_create(&labels).get(), 1);
    }

    fn limited_cluster(max_written_bytes_per_second: u64, ports: &[u32]) -> Arc<ClusterCache> {
        let (cache, _) = ClusterCache::new();
        set_limit(&cache, max_written_bytes_per_second);
        let agents = ports.iter().map(|port| proto::Agent {
            agent_id: format!("agent-{port}"),
            advertised_port: *port,
            alive: true,
            ..Default::default()
        });
        // An agent that has left has no share.
        let left = proto::Agent {
            agent_id: "left".to_owned(),
            advertised_port: 9099,
            ..Default::default()
        };
        cache.set_agents(agents.chain([left]).collect());
        cache
    }

    fn set_limit(cache: &ClusterCache, max_written_bytes_per_second: u64) {
        cache.set_settings(proto::ClusterSettings {
            max_written_bytes_per_second,
            ..Default::default()
        });
    }

    #[tokio::test(start_paused = true)]
    async fn agents_that_accept_clients_share_the_limit_equally() {
        for (ports, burst) in [(&[9092][..], 10_000), (&[9092, 9093, 0], 5_000), (&[], 10_000)] {
            let cache = limited_cluster(1000, ports);
            let throttle = Throttle::new(&cache, &Arc::default());
            assert_eq!(throttle.take_written(&cache.catalogue(), burst), Duration::ZERO);
            let held = throttle.take_written(&cache.catalogue(), burst / 10);
            assert_eq!(held, Duration::from_secs(1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_starts_and_ends_with_the_mode_and_is_counted() {
        let cache = limited_cluster(0, &[9092]);
        let metrics: Arc<Metrics> = Arc::default();
        let throttle = Throttle::new(&cache, &metrics);
        let write = |bytes| throttle.take_written(&cache.catalogue(), bytes);
        assert_eq!(write(1 << 30), Duration::ZERO);
        set_limit(&cache, 1000);
        assert_eq!(write(10_000), Duration::ZERO);
        assert_eq!(write(1_500), Duration::from_millis(1_500));
        assert_eq!(metrics.throttled_writes_ms(), 1_500);
        set_limit(&cache, 0);
        assert_eq!(write(1 << 30), Duration::ZERO);
        assert_eq!(metrics.throttled_writes_ms(), 1_500);
    }

    #[test]
    fn a_throttled_client_never_reads_a_throttle_time_of_zero() {
        assert_eq!(throttle_time_ms(Duration::ZERO), 0);
        assert_eq!(throttle_time_ms(Duration::from_micros(1)), 1);
        assert_eq!(throttle_time_ms(Duration::from_millis(1500)), 1500);
    }
}
