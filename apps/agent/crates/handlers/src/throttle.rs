//! Holds clients to their quotas. Quotas are those of this agent: a client of several agents has one at each.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use penstock_authz::{Principal, Quota, Quotas, Traffic};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use tokio::sync::watch;
use tokio::time::Instant;

/// What clients took of the quotas that the metadata service told last.
pub struct Throttle {
    current: RwLock<Current>,
    quotas: Mutex<Quotas>,
    started: Instant,
}

struct Current {
    told: watch::Receiver<Arc<proto::SecurityState>>,
    state: Arc<proto::SecurityState>,
}

impl Throttle {
    /// Follows the quotas in `cache`.
    #[must_use]
    pub fn new(cache: &ClusterCache) -> Arc<Self> {
        let mut told = cache.security();
        let state = Arc::clone(&told.borrow_and_update());
        Arc::new(Self {
            quotas: Mutex::new(quotas_of(&state)),
            current: RwLock::new(Current { told, state }),
            started: Instant::now(),
        })
    }

    /// Counts bytes that a client sent or gets. Returns how long the client must be held for them.
    pub(crate) fn take(&self, principal: &Principal, client_id: &str, traffic: Traffic, bytes: usize) -> Duration {
        if !self.has_quotas() {
            return Duration::ZERO;
        }
        let mut quotas = self.quotas.lock().unwrap_or_else(PoisonError::into_inner);
        quotas.take(principal.name(), client_id, traffic, bytes, self.started.elapsed())
    }

    fn has_quotas(&self) -> bool {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        if !current.told.has_changed().unwrap_or(false) {
            return !current.state.quotas.is_empty();
        }
        drop(current);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let state = Arc::clone(&current.told.borrow_and_update());
        // Another change, such as of an ACL, is no reason to forget what clients took.
        if state.quotas != current.state.quotas {
            *self.quotas.lock().unwrap_or_else(PoisonError::into_inner) = quotas_of(&state);
        }
        current.state = state;
        !current.state.quotas.is_empty()
    }
}

fn quotas_of(state: &proto::SecurityState) -> Quotas {
    let quotas = state.quotas.iter().map(|quota| Quota {
        user: quota.user.clone(),
        client_id: quota.client_id.clone(),
        producer_byte_rate: quota.producer_byte_rate,
        consumer_byte_rate: quota.consumer_byte_rate,
    });
    Quotas::new(quotas.collect())
}

/// As in responses: whole milliseconds, rounded up, so that a held client never reads zero.
pub(crate) fn throttle_time_ms(held: Duration) -> i32 {
    i32::try_from(held.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rate: f64, version: u64) -> proto::SecurityState {
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
    async fn a_changed_quota_counts_at_once_and_another_change_forgets_nothing() {
        let (cache, _) = ClusterCache::new();
        let throttle = Throttle::new(&cache);
        let take = |bytes| throttle.take(&Principal::user("alice"), "app", Traffic::Consumed, bytes);
        assert_eq!(take(1 << 30), Duration::ZERO);
        cache.set_security(told(1000.0, 1));
        assert_eq!(take(3000), Duration::from_secs(2));
        cache.set_security(told(1000.0, 2));
        assert_eq!(take(1000), Duration::from_secs(3));
        cache.set_security(told(4000.0, 3));
        assert_eq!(take(4000), Duration::ZERO);
        cache.set_security(proto::SecurityState::default());
        assert_eq!(take(1 << 30), Duration::ZERO);
    }

    #[test]
    fn a_client_that_is_held_is_told_at_least_a_millisecond() {
        assert_eq!(throttle_time_ms(Duration::ZERO), 0);
        assert_eq!(throttle_time_ms(Duration::from_micros(1)), 1);
        assert_eq!(throttle_time_ms(Duration::from_millis(1500)), 1500);
    }
}
