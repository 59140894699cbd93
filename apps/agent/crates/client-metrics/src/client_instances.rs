//! The clients that recently requested subscriptions or pushed metrics, and when they may do so again. Modeled on
//! Kafka's ClientMetricsManager and ClientMetricsInstance.

use std::collections::HashMap;
use std::sync::{OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use penstock_wire::{ErrorCode, Uuid};
use tokio::time::Instant;

use crate::client_software::ClientSoftware;
use crate::client_subscriptions::Wanted;

/// Size of a generation. Two are kept, so at most 16,384 instances, like Kafka's ClientMetricsManager.CACHE_MAX_SIZE.
const GENERATION: usize = 8_192;
/// Minimum time after which an instance without requests expires; at least three intervals. Kafka:
/// DEFAULT_CACHE_EXPIRY_MS.
const LEAST_EXPIRY: Duration = Duration::from_secs(60);
const EXPIRY_INTERVALS: u32 = 3;

/// A client, since it connected or since its subscriptions changed.
pub struct Instance {
    /// The metrics that it was last asked to push.
    pub wanted: Wanted,
    /// Version of the subscriptions from which `wanted` was computed.
    pub version: u64,
    /// Dangling once the connection is closed.
    connection: Weak<OnceLock<ClientSoftware>>,
    last_request: Instant,
    last_get: Option<Instant>,
    last_push: Option<Instant>,
    last_error: ErrorCode,
    is_terminating: bool,
}

impl Instance {
    /// Creates an instance that has neither asked nor pushed. It ends with its `connection`.
    #[must_use]
    pub fn new(wanted: Wanted, version: u64, connection: Weak<OnceLock<ClientSoftware>>, now: Instant) -> Self {
        Self {
            wanted,
            version,
            connection,
            last_request: now,
            last_get: None,
            last_push: None,
            last_error: ErrorCode::NONE,
            is_terminating: false,
        }
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.wanted.interval_ms).unwrap_or(0))
    }

    fn is_forgotten(&self, now: Instant) -> bool {
        let expiry = LEAST_EXPIRY.max(self.interval() * EXPIRY_INTERVALS);
        now.duration_since(self.last_request) > expiry || self.connection.strong_count() == 0
    }

    /// Returns true if the client may request its subscriptions: once per interval, and after an error that asks it to.
    pub fn admit_get(&mut self, now: Instant) -> bool {
        let is_due = self
            .last_get
            .max(self.last_push)
            .is_none_or(|last| now - last >= self.interval());
        if is_due {
            self.last_get = Some(now);
        }
        let is_told_to = [
            ErrorCode::UNKNOWN_SUBSCRIPTION_ID,
            ErrorCode::UNSUPPORTED_COMPRESSION_TYPE,
        ]
        .contains(&self.last_error);
        let is_admitted = is_due || is_told_to;
        if is_admitted {
            self.last_error = ErrorCode::NONE;
        }
        is_admitted
    }

    /// Checks a push against the instance's state, then with `check`: once per interval, right after the client
    /// requested its subscriptions, and not after its last push.
    pub fn admit_push(
        &mut self,
        now: Instant,
        is_terminating: bool,
        check: impl FnOnce(&Wanted) -> ErrorCode,
    ) -> ErrorCode {
        let outcome = if self.is_terminating {
            ErrorCode::INVALID_REQUEST
        } else if !self.is_push_due(now) && !is_terminating {
            ErrorCode::THROTTLING_QUOTA_EXCEEDED
        } else {
            check(&self.wanted)
        };
        self.is_terminating = is_terminating;
        self.last_error = outcome;
        outcome
    }

    fn is_push_due(&mut self, now: Instant) -> bool {
        // Clients randomize the interval of the first push, so one is due right after they requested their
        // subscriptions.
        let is_due = self.last_get > self.last_push || self.last_push.is_none_or(|last| now - last >= self.interval());
        if is_due {
            self.last_push = Some(now);
        }
        is_due
    }
}

/// The instances by id. The least recently used are evicted first.
#[derive(Default)]
pub struct Instances {
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashMap<Uuid, Instance>,
    old: HashMap<Uuid, Instance>,
}

impl Instances {
    /// Calls `work` with the instance of this id. Creates one with `fresh` if there is none or it has another version
    /// of the subscriptions.
    pub fn with<T>(
        &self,
        id: Uuid,
        version: u64,
        now: Instant,
        fresh: impl FnOnce() -> Instance,
        work: impl FnOnce(&mut Instance) -> T,
    ) -> T {
        let mut generations = self.generations.lock();
        let known = generations.young.remove(&id).or_else(|| generations.old.remove(&id));
        let current = known.filter(|instance| instance.version == version && !instance.is_forgotten(now));
        let mut instance = current.unwrap_or_else(fresh);
        instance.last_request = now;
        let result = work(&mut instance);
        if generations.young.len() >= GENERATION {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(id, instance);
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(30);
    const UNKNOWN: ErrorCode = ErrorCode::UNKNOWN_SUBSCRIPTION_ID;

    fn instance(connection: &Arc<OnceLock<ClientSoftware>>, now: Instant) -> Instance {
        let wanted = Wanted {
            subscription_id: 1,
            metrics: Vec::new(),
            interval_ms: 30_000,
        };
        Instance::new(wanted, 1, Arc::downgrade(connection), now)
    }

    #[test]
    fn a_client_asks_once_per_interval_or_after_an_error() {
        let (connection, start) = (Arc::default(), Instant::now());
        let mut instance = instance(&connection, start);
        assert!(instance.admit_get(start));
        assert!(!instance.admit_get(start + INTERVAL / 2));
        assert_eq!(instance.admit_push(start + INTERVAL / 2, false, |_| UNKNOWN), UNKNOWN);
        assert!(instance.admit_get(start + INTERVAL / 2));
        assert!(!instance.admit_get(start + INTERVAL / 2));
        assert!(instance.admit_get(start + INTERVAL * 2));
    }

    #[test]
    fn a_client_pushes_once_per_interval_and_right_after_asking() {
        let (connection, start) = (Arc::default(), Instant::now());
        let mut instance = instance(&connection, start);
        let mut push = |at: Instant| instance.admit_push(at, false, |_| ErrorCode::NONE);
        assert_eq!(push(start), ErrorCode::NONE);
        assert_eq!(push(start + INTERVAL / 2), ErrorCode::THROTTLING_QUOTA_EXCEEDED);
        assert_eq!(push(start + INTERVAL), ErrorCode::NONE);
        assert!(instance.admit_get(start + INTERVAL * 2));
        let soon = start + INTERVAL * 2 + Duration::from_millis(1);
        assert_eq!(instance.admit_push(soon, false, |_| ErrorCode::NONE), ErrorCode::NONE);
    }

    #[test]
    fn the_last_push_can_be_early_and_none_follows_it() {
        let (connection, start) = (Arc::default(), Instant::now());
        let mut instance = instance(&connection, start);
        let mut push = |is_terminating| instance.admit_push(start, is_terminating, |_| ErrorCode::NONE);
        assert_eq!(push(false), ErrorCode::NONE);
        assert_eq!(push(true), ErrorCode::NONE);
        assert_eq!(push(true), ErrorCode::INVALID_REQUEST);
    }

    #[test]
    fn an_instance_expires_or_is_replaced_on_new_subscriptions() {
        let (instances, start) = (Instances::default(), Instant::now());
        let connection = Arc::default();
        let is_new = |version, at| {
            let mut is_new = false;
            instances.with(
                Uuid([1; 16]),
                version,
                at,
                || {
                    is_new = true;
                    let mut fresh = instance(&connection, at);
                    fresh.version = version;
                    fresh
                },
                |_| (),
            );
            is_new
        };
        assert!(is_new(1, start));
        assert!(!is_new(1, start + INTERVAL * 3));
        assert!(is_new(2, start + INTERVAL * 3));
        assert!(is_new(2, start + INTERVAL * 6 + Duration::from_millis(1)));
        let other = Arc::default();
        instances.with(Uuid([2; 16]), 2, start, || instance(&other, start), |_| ());
        drop(other);
        let mut is_new = false;
        let fresh = || {
            is_new = true;
            instance(&connection, start)
        };
        instances.with(Uuid([2; 16]), 2, start, fresh, |_| ());
        assert!(is_new);
    }

    #[test]
    fn the_number_of_instances_is_bounded() {
        let (instances, start) = (Instances::default(), Instant::now());
        let connection = Arc::default();
        for number in 0..3 * GENERATION as u128 {
            let id = Uuid(number.to_be_bytes());
            instances.with(id, 1, start, || instance(&connection, start), |_| ());
        }
        let generations = instances.generations.lock();
        assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
        assert!(
            generations
                .young
                .contains_key(&Uuid((3 * GENERATION as u128 - 1).to_be_bytes()))
        );
    }
}
