//! The task that keeps the cache current: holds a watch stream, declares interest, and reconnects when the stream
//! breaks.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use tokio::time::{Instant, interval_at, sleep};

use crate::backoff::Backoff;
use crate::cache::{ClusterCache, InterestReceiver, PartitionKey};
use crate::error::RpcError;
use crate::metadata::{DEFAULT_TIMEOUT, Metadata, WatchStream};
use crate::proto;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// Maximum number of partitions per declaration, so that a catalogue of 100,000 partitions does not make a message of
/// megabytes.
const PARTITIONS_PER_DECLARATION: usize = 4096;
/// Time after which an unused partition is no longer watched.
const IDLE_PARTITION: Duration = Duration::from_secs(300);
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

type Declaration = BoxFuture<'static, (Vec<PartitionKey>, Result<proto::UpdateInterestResponse, RpcError>)>;

/// Keeps a [`ClusterCache`] current.
pub struct Watcher {
    metadata: Arc<dyn Metadata>,
    cache: Arc<ClusterCache>,
    interest: InterestReceiver,
    agent_id: String,
}

impl Watcher {
    /// `interest` is the receiver that was created with `cache`.
    #[must_use]
    pub fn new(
        metadata: Arc<dyn Metadata>,
        cache: Arc<ClusterCache>,
        interest: InterestReceiver,
        agent_id: String,
    ) -> Self {
        Self {
            metadata,
            cache,
            interest,
            agent_id,
        }
    }

    /// Runs until the task is dropped.
    pub async fn run(mut self) {
        let mut backoff = Backoff::new(FIRST_PAUSE, MAX_PAUSE);
        loop {
            let started = Instant::now();
            let error = match self
                .metadata
                .watch(proto::WatchRequest {
                    agent_id: self.agent_id.clone(),
                })
                .await
            {
                Ok(stream) => self.follow(stream).await,
                Err(error) => error,
            };
            if self.cache.is_watching() {
                tracing::warn!(%error, "lost the watch stream of the metadata service; reopening it");
            } else {
                tracing::debug!(%error, "cannot open the watch stream of the metadata service yet");
            }
            self.cache.set_watching(false);
            if started.elapsed() > MAX_PAUSE {
                backoff = Backoff::new(FIRST_PAUSE, MAX_PAUSE);
            }
            sleep(backoff.pause()).await;
        }
    }

    /// Follows a stream to its end, and returns why it ended.
    async fn follow(&mut self, mut stream: WatchStream) -> RpcError {
        let mut watch_id = String::new();
        let mut to_add: HashSet<PartitionKey> = HashSet::new();
        let mut to_remove: HashSet<PartitionKey> = HashSet::new();
        let mut declaration: Option<Declaration> = None;
        let mut warned = false;
        let mut sweep = interval_at(Instant::now() + SWEEP_INTERVAL, SWEEP_INTERVAL);
        let mut silence = Silence::default();
        loop {
            if declaration.is_none() && !watch_id.is_empty() && !(to_add.is_empty() && to_remove.is_empty()) {
                declaration = Some(self.declare(&watch_id, &mut to_add, &mut to_remove));
            }
            tokio::select! {
                event = stream.next() => match event {
                    Some(Ok(event)) => {
                        if silence.ends_too_late(Instant::now(), Duration::from_millis(event.current_for_ms.into())) {
                            return RpcError::Unavailable("the watch stream was silent for too long, so its events may be old".to_owned());
                        }
                        if !event.watch_id.is_empty() {
                            watch_id.clone_from(&event.watch_id);
                            to_add.extend(self.cache.partitions().iter().map(|partition| partition.key));
                        }
                        self.cache.apply_event(event);
                    }
                    Some(Err(error)) => return error,
                    None => return RpcError::Unavailable("the watch stream ended".to_owned()),
                },
                Some(key) = self.interest.recv() => {
                    to_remove.remove(&key);
                    to_add.insert(key);
                    while let Ok(key) = self.interest.try_recv() {
                        to_remove.remove(&key);
                        to_add.insert(key);
                    }
                }
                (keys, outcome) = async { match &mut declaration { Some(call) => call.await, None => std::future::pending().await } } => {
                    declaration = None;
                    match outcome {
                        Ok(response) if response.unknown_watch => {
                            return RpcError::Unavailable("the service no longer knows this watch stream".to_owned());
                        }
                        Ok(response) => {
                            if !response.refusal.is_empty() && !warned {
                                warned = true;
                                tracing::warn!(refusal = response.refusal, "cannot watch some partitions; their fetches ask the owner for record locations");
                            }
                            self.cache.apply_states(&keys, &response.states);
                        }
                        Err(error) => return error,
                    }
                }
                _ = sweep.tick() => {
                    to_remove.extend(self.cache.drop_idle_partitions(IDLE_PARTITION));
                    to_add.retain(|key| !to_remove.contains(key));
                }
            }
        }
    }

    fn declare(
        &self,
        watch_id: &str,
        to_add: &mut HashSet<PartitionKey>,
        to_remove: &mut HashSet<PartitionKey>,
    ) -> Declaration {
        let added: Vec<PartitionKey> = take_some(to_add, PARTITIONS_PER_DECLARATION);
        let removed: Vec<PartitionKey> = take_some(to_remove, PARTITIONS_PER_DECLARATION);
        let request = proto::UpdateInterestRequest {
            watch_id: watch_id.to_owned(),
            add: added.iter().map(to_proto).collect(),
            remove: removed.iter().map(to_proto).collect(),
        };
        let metadata = Arc::clone(&self.metadata);
        Box::pin(async move { (added, metadata.update_interest(request, DEFAULT_TIMEOUT).await) })
    }
}

/// The time between two events. If this process or the network was paused for longer than an event's data counts as
/// current, the next events may have waited as long, and would pass for news. A new stream begins with what is current.
#[derive(Debug, Default)]
struct Silence(Option<(Instant, Duration)>);

impl Silence {
    /// Records an event. True: it came after the data of the one before had stopped counting as current.
    fn ends_too_late(&mut self, now: Instant, current_for: Duration) -> bool {
        let last = self.0.replace((now, current_for));
        last.is_some_and(|(heard, current_for)| !current_for.is_zero() && now.duration_since(heard) > current_for)
    }
}

fn take_some(from: &mut HashSet<PartitionKey>, most: usize) -> Vec<PartitionKey> {
    let some: Vec<PartitionKey> = from.iter().take(most).copied().collect();
    for key in &some {
        from.remove(key);
    }
    some
}

fn to_proto(key: &PartitionKey) -> proto::TopicPartition {
    proto::TopicPartition {
        topic_id: Bytes::copy_from_slice(key.topic_id.as_bytes()),
        partition: key.partition,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURRENT_FOR: Duration = Duration::from_secs(5);

    fn ends_too_late(waits_ms: &[u64], current_for: Duration) -> Vec<bool> {
        let mut silence = Silence::default();
        let mut now = Instant::now();
        let late = waits_ms.iter().map(|wait_ms| {
            now += Duration::from_millis(*wait_ms);
            silence.ends_too_late(now, current_for)
        });
        late.collect()
    }

    #[test]
    fn an_event_after_a_pause_may_have_waited() {
        assert_eq!(
            ends_too_late(&[12_000, 1_600, 5_000, 5_001], CURRENT_FOR),
            [false, false, false, true]
        );
    }

    #[test]
    fn an_owner_without_a_certain_lease_may_be_silent() {
        assert_eq!(ends_too_late(&[0, 60_000], Duration::ZERO), [false, false]);
    }
}
