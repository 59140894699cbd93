//! The agent's cache of metadata: the catalogue (topics, agents, settings) and the tails of the partitions that its
//! consumers read. It may lag; only the owner's responses are authoritative.

mod catalogue;
mod freshness;
mod mode;
mod partition;
mod run;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use penstock_runtime::Instant;
use tokio::sync::{Notify, mpsc, watch};
use uuid::Uuid;

pub use catalogue::{Catalogue, DEFAULT_MAX_MESSAGE_BYTES, Timestamps, Topic};
pub use mode::Mode;
pub use partition::{CommittedRuns, Partition, PartitionKey, Watermarks};
pub use run::{Aborted, Marker, Run, uuid_from_bytes};

use self::freshness::Freshness;
use self::mode::SharedMode;
use crate::proto;
use crate::service_clock::ServiceClock;

const SHARDS: usize = 32;
/// Number of remembered deleted topics, which a late response must not restore.
const REMEMBERED_DELETIONS: usize = 1024;

/// The cache, shared by all connections of the agent.
#[derive(Debug)]
pub struct ClusterCache {
    /// The metadata service's time.
    pub clock: ServiceClock,
    catalogue: RwLock<Arc<Catalogue>>,
    mode: SharedMode,
    security: watch::Sender<Arc<proto::SecurityState>>,
    deleted_topics: Mutex<VecDeque<Uuid>>,
    shards: [RwLock<HashMap<PartitionKey, Arc<Partition>>>; SHARDS],
    interest: mpsc::UnboundedSender<PartitionKey>,
    freshness: Arc<Freshness>,
    watching: AtomicBool,
    /// When the watch stream was lost; `None` while it is open.
    unwatched_since: Mutex<Option<Instant>>,
    watching_changed: Notify,
}

/// Receives declared interest in partitions. Owned by the watch task.
pub type InterestReceiver = mpsc::UnboundedReceiver<PartitionKey>;

impl ClusterCache {
    /// Creates an empty cache, and the receiver for the watch task.
    #[must_use]
    pub fn new() -> (Arc<Self>, InterestReceiver) {
        let (interest, receiver) = mpsc::unbounded_channel();
        let cache = Self {
            clock: ServiceClock::default(),
            catalogue: RwLock::default(),
            mode: SharedMode::default(),
            security: watch::Sender::default(),
            deleted_topics: Mutex::default(),
            shards: std::array::from_fn(|_| RwLock::default()),
            interest,
            freshness: Arc::default(),
            watching: AtomicBool::new(false),
            unwatched_since: Mutex::new(Some(Instant::now())),
            watching_changed: Notify::new(),
        };
        (Arc::new(cache), receiver)
    }

    /// Returns a consistent snapshot of the current catalogue.
    #[must_use]
    pub fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.catalogue.read())
    }

    /// The cluster's mode as last received; `Standard` until then. Changes arrive within seconds.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode.get()
    }

    /// Returns true if the watch stream is open, so that the catalogue and tails are current.
    #[must_use]
    pub fn is_watching(&self) -> bool {
        self.watching.load(Ordering::Acquire)
    }

    /// How long the watch stream has been down, and so the maximum age of the cached data. Zero while it is open.
    #[must_use]
    pub fn unwatched_for(&self) -> Duration {
        self.unwatched_at(Instant::now())
    }

    fn unwatched_at(&self, now: Instant) -> Duration {
        self.unwatched_since
            .lock()
            .map_or(Duration::ZERO, |since| now.duration_since(since))
    }

    /// Waits until the watch stream is open and the catalogue is complete.
    pub async fn wait_until_watching(&self) {
        loop {
            let changed = self.watching_changed.notified();
            if self.is_watching() {
                return;
            }
            changed.await;
        }
    }

    /// Adds topics from a response of the owner to the catalogue, before the watch stream delivers them.
    pub fn upsert_topics(&self, topics: &[proto::Topic]) {
        if topics.is_empty() {
            return;
        }
        let deleted = self.deleted_topics.lock();
        let fresh: Vec<Topic> = topics
            .iter()
            .filter_map(Topic::from_proto)
            .filter(|topic| !deleted.contains(&topic.id))
            .collect();
        drop(deleted);
        self.change_catalogue(|catalogue| fresh.into_iter().for_each(|topic| catalogue.upsert(topic)));
    }

    /// Removes deleted topics and wakes fetches that wait for them.
    pub fn remove_topics(&self, ids: &[Uuid]) {
        if ids.is_empty() {
            return;
        }
        {
            let mut deleted = self.deleted_topics.lock();
            deleted.extend(ids);
            let excess = deleted.len().saturating_sub(REMEMBERED_DELETIONS);
            deleted.drain(..excess);
        }
        self.change_catalogue(|catalogue| ids.iter().for_each(|id| catalogue.remove(*id)));
        for shard in &self.shards {
            let mut shard = shard.write();
            shard.retain(|key, partition| {
                let keep = !ids.contains(&key.topic_id);
                if !keep {
                    partition.wake_waiters();
                }
                keep
            });
        }
    }

    /// Replaces the cluster settings, for example with those of a heartbeat response.
    pub fn set_settings(&self, settings: proto::ClusterSettings) {
        self.mode.set(settings.mode().into());
        self.change_catalogue(|catalogue| catalogue.settings = settings);
    }

    /// Replaces the users, ACLs and quotas with those of the owner. They stay unchanged while the watch stream is down.
    pub fn set_security(&self, security: proto::SecurityState) {
        self.security.send_replace(Arc::new(security));
    }

    /// Returns the users, ACLs and quotas and notifies about changes. Empty until the watch stream delivers them, and
    /// always with a service that does not support them; call [`Self::wait_until_watching`] before serving clients.
    #[must_use]
    pub fn security(&self) -> watch::Receiver<Arc<proto::SecurityState>> {
        self.security.subscribe()
    }

    /// Returns the partition's tail and marks it as used at `now`. The first call declares interest; the watermarks
    /// stay unknown until the watch stream responds.
    #[must_use]
    pub fn partition(&self, key: PartitionKey, now: Instant) -> Arc<Partition> {
        let shard = &self.shards[shard_of(key)];
        if let Some(found) = shard.read().get(&key) {
            found.touch(now);
            return Arc::clone(found);
        }
        let mut shard = shard.write();
        let partition = shard.entry(key).or_insert_with(|| {
            // Fails only if the watch task has ended, which means shutdown.
            let _ = self.interest.send(key);
            Arc::new(Partition::new(key, Arc::clone(&self.freshness)))
        });
        Arc::clone(partition)
    }

    /// Records that the owner has truncated a partition up to this offset.
    pub fn raise_log_start(&self, key: PartitionKey, log_start_offset: i64) {
        if let Some(partition) = self.existing_partition(key) {
            partition.raise_log_start(log_start_offset);
        }
    }

    pub(crate) fn existing_partition(&self, key: PartitionKey) -> Option<Arc<Partition>> {
        self.shards[shard_of(key)].read().get(&key).cloned()
    }

    pub(crate) fn forget_partition(&self, key: PartitionKey) {
        let removed = self.shards[shard_of(key)].write().remove(&key);
        if let Some(partition) = removed {
            partition.wake_waiters();
        }
    }

    /// All partitions of interest.
    pub(crate) fn partitions(&self) -> Vec<Arc<Partition>> {
        let mut all = Vec::new();
        for shard in &self.shards {
            all.extend(shard.read().values().cloned());
        }
        all
    }

    /// Removes and returns partitions that were not used for `idle`.
    pub(crate) fn drop_idle_partitions(&self, idle: Duration) -> Vec<PartitionKey> {
        let now = Instant::now();
        let mut dropped = Vec::new();
        for shard in &self.shards {
            shard.write().retain(|key, partition| {
                let keep = now.saturating_duration_since(partition.last_used()) < idle;
                if !keep {
                    dropped.push(*key);
                }
                keep
            });
        }
        dropped
    }

    /// Sets whether a watch stream is open that has delivered the whole catalogue. Without one, no partition is current.
    pub fn set_watching(&self, watching: bool) {
        self.set_watching_at(watching, Instant::now());
    }

    fn set_watching_at(&self, watching: bool, now: Instant) {
        let mut unwatched_since = self.unwatched_since.lock();
        *unwatched_since = match watching {
            true => None,
            false => unwatched_since.or(Some(now)),
        };
        drop(unwatched_since);
        self.watching.store(watching, Ordering::Release);
        if watching {
            self.watching_changed.notify_waiters();
        } else {
            for partition in self.partitions() {
                partition.lose_track();
            }
        }
    }

    /// Applies an event of the watch stream.
    pub fn apply_event(&self, mut event: proto::WatchEvent) {
        if let Some(settings) = event.settings.take() {
            self.set_settings(settings);
        }
        if let Some(security) = event.security.take() {
            self.set_security(security);
        }
        if let Some(catalogue) = event.catalogue.take() {
            let complete = catalogue.full;
            self.apply_catalogue(catalogue);
            if complete {
                self.set_watching(true);
            }
        }
        self.apply_partition_updates(&event.partitions);
        self.apply_freshness(&event);
    }

    /// Applies the states of partitions that the owner now watches for this agent.
    pub fn apply_states(&self, keys: &[PartitionKey], states: &[proto::PartitionState]) {
        for (key, state) in keys.iter().zip(states) {
            if state.error_code != 0 {
                self.forget_partition(*key);
            } else if let Some(partition) = self.existing_partition(*key) {
                partition.start_tracking(state);
            }
        }
    }

    /// Extends the time for which the stream's data is current.
    fn apply_freshness(&self, event: &proto::WatchEvent) {
        let current_for = Duration::from_millis(event.current_for_ms.into());
        if event.watch_id.is_empty() {
            self.freshness.extend(current_for);
        } else {
            self.freshness.begin(current_for);
        }
    }

    pub(crate) fn apply_catalogue(&self, change: proto::Catalogue) {
        let deleted: Vec<Uuid> = if change.full {
            let listed: std::collections::HashSet<Uuid> = change
                .topics
                .iter()
                .filter_map(|topic| uuid_from_bytes(&topic.topic_id))
                .collect();
            self.catalogue()
                .topics()
                .map(|topic| topic.id)
                .filter(|id| !listed.contains(id))
                .collect()
        } else {
            change
                .deleted_topic_ids
                .iter()
                .filter_map(|id| uuid_from_bytes(id))
                .collect()
        };
        self.remove_topics(&deleted);
        self.change_catalogue(|catalogue| {
            change
                .topics
                .iter()
                .filter_map(Topic::from_proto)
                .for_each(|topic| catalogue.upsert(topic));
            if change.agents_changed || change.full {
                catalogue.set_agents(change.agents);
            }
        });
    }

    /// Applies all updates of an event before waking waiters, so that a waiting fetch sees the whole file.
    pub(crate) fn apply_partition_updates(&self, updates: &[proto::PartitionUpdate]) {
        let touched: Vec<Arc<Partition>> = updates
            .iter()
            .filter_map(|update| {
                let topic_id = uuid_from_bytes(&update.topic_id)?;
                let partition = self.existing_partition(PartitionKey {
                    topic_id,
                    partition: update.partition,
                })?;
                partition.apply_update(update);
                Some(partition)
            })
            .collect();
        touched.iter().for_each(|partition| partition.wake_waiters());
    }

    /// Sets the live agents, as a watch event does.
    #[cfg(any(test, feature = "testing"))]
    pub fn set_agents(&self, agents: Vec<proto::Agent>) {
        self.change_catalogue(|catalogue| catalogue.set_agents(agents));
    }

    fn change_catalogue(&self, change: impl FnOnce(&mut Catalogue)) {
        let mut catalogue = self.catalogue.write();
        change(Arc::make_mut(&mut catalogue));
    }
}

fn shard_of(key: PartitionKey) -> usize {
    let id = key.topic_id.as_u128();
    let mixed = (id ^ (id >> 64)) as usize;
    mixed.wrapping_add(key.partition as usize) % SHARDS
}

#[cfg(test)]
mod tests;
