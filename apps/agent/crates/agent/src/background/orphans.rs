//! Deletes orphans: data files that were written but never committed, because the agent died or the commit was refused.
//! Deletes test objects of agents that died, too.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use penstock_handlers::Context;
use penstock_metadata_client::{DEFAULT_TIMEOUT, Metadata, RpcError, proto};
use penstock_store::{Bucket, ListedFile, Objects, StoreError, delete_old_probes};
use thiserror::Error;
use uuid::Uuid;

const PERIOD: Duration = Duration::from_secs(6 * 3600);
/// Minimum age of an orphan, as required by the service, which checks it by its own clock. The service refuses to
/// commit files older than ten minutes. The rest of the time lets operators turn collection off when they restore a
/// backup.
const ORPHAN_AGE_MS: u64 = 2 * 24 * 3_600_000;
/// Maximum number of candidates in memory and in one request.
const FILES_PER_QUESTION: usize = 2000;

/// Why a round ended early.
#[derive(Debug, Error)]
pub enum CollectError {
    /// The bucket cannot be listed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The metadata service did not answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// The service's response does not match the request.
    #[error("the metadata service's response does not match the request")]
    Answer,
}

/// The outcome of a round.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Collected {
    /// Data files in the bucket.
    pub listed: u64,
    /// Data files that were old enough to check.
    pub candidates: u64,
    /// Data files that were never committed and are deleted now.
    pub deleted: u64,
}

/// Runs a round every six hours if this agent is the cluster's collector. `buckets` are all buckets that agents test.
pub(crate) async fn run(context: Arc<Context>, objects: Arc<Objects>, buckets: Vec<Bucket>) {
    loop {
        tokio::time::sleep(PERIOD).await;
        if !is_collector(&context) {
            continue;
        }
        match collect_orphans(context.metadata.as_ref(), &objects, context.cache.clock.now_ms()).await {
            Ok(Collected { deleted: 0, .. }) => {}
            Ok(collected) => tracing::info!(
                listed = collected.listed,
                deleted = collected.deleted,
                "deleted uncommitted data files"
            ),
            Err(error) => tracing::warn!(%error, "cannot collect orphaned data files"),
        }
        let before_ms = context.cache.clock.now_ms().saturating_sub(ORPHAN_AGE_MS);
        for bucket in &buckets {
            if let Err(error) = delete_old_probes(bucket, before_ms).await {
                tracing::warn!(%error, url = bucket.url, "cannot delete old test objects");
            }
        }
    }
}

/// Returns true if this agent has the lowest node id of all live agents.
fn is_collector(context: &Context) -> bool {
    let catalogue = context.cache.catalogue();
    let lowest = catalogue
        .agents
        .iter()
        .filter(|agent| agent.alive)
        .map(|agent| agent.node_id)
        .min();
    lowest.is_none_or(|lowest| context.node.node_id <= lowest)
}

/// Goes through all data files once and deletes orphans. `now_ms` is the service's time. Memory is bounded by the size
/// of one request, regardless of the number of files and their order. Landing buckets come last, each separately: a
/// failure in one does not keep orphans in the others.
///
/// # Errors
/// Returns an error if listing fails or the metadata service cannot be reached. Files deleted so far stay deleted, and
/// the next round starts over.
pub async fn collect_orphans(
    metadata: &dyn Metadata,
    objects: &Objects,
    now_ms: u64,
) -> Result<Collected, CollectError> {
    let mut collected = Collected::default();
    let mut round = Round {
        metadata,
        objects,
        now_ms,
        collected: &mut collected,
    };
    let mut outcome = round.collect(|spread| objects.list(spread)).await;
    for zone in objects.landing_zones() {
        let in_zone = round.collect(|spread| objects.list_landed(zone, spread)).await;
        outcome = outcome.and(in_zone);
    }
    outcome.map(|()| collected)
}

struct Round<'a> {
    metadata: &'a dyn Metadata,
    objects: &'a Objects,
    now_ms: u64,
    collected: &'a mut Collected,
}

impl<'a> Round<'a> {
    /// Collects orphans in one bucket.
    async fn collect(
        &mut self,
        list: impl Fn(u8) -> BoxStream<'a, Result<ListedFile, StoreError>>,
    ) -> Result<(), CollectError> {
        let mut candidates = Vec::with_capacity(FILES_PER_QUESTION);
        for spread in 0..=u8::MAX {
            let mut files = list(spread);
            while let Some(file) = files.try_next().await? {
                self.collected.listed += 1;
                if is_old(&file, self.now_ms) {
                    self.collected.candidates += 1;
                    candidates.push(file.file_id);
                }
                if candidates.len() == FILES_PER_QUESTION {
                    self.collected.deleted += delete_unknown(self.metadata, self.objects, &candidates).await?;
                    candidates.clear();
                }
            }
        }
        if !candidates.is_empty() {
            self.collected.deleted += delete_unknown(self.metadata, self.objects, &candidates).await?;
        }
        Ok(())
    }
}

async fn delete_unknown(metadata: &dyn Metadata, objects: &Objects, asked: &[Uuid]) -> Result<u64, CollectError> {
    let file_ids = asked.iter().map(|id| Bytes::copy_from_slice(id.as_bytes())).collect();
    let request = proto::KnownFilesRequest { file_ids };
    let answer = metadata.known_files(request, DEFAULT_TIMEOUT).await?;
    if answer.known.len() != asked.len() {
        return Err(CollectError::Answer);
    }
    let unknown = asked.iter().zip(&answer.known).filter(|(_, known)| !**known);
    let orphans: Vec<Uuid> = unknown.map(|(id, _)| *id).collect();
    Ok(objects.delete(&orphans).await.len() as u64)
}

/// Compares the age by two clocks: the writer's, from the id, and object storage's.
fn is_old(file: &ListedFile, now_ms: u64) -> bool {
    let written_ms = file.file_id.get_timestamp().map_or(u64::MAX, |timestamp| {
        let (seconds, nanoseconds) = timestamp.to_unix();
        seconds
            .saturating_mul(1000)
            .saturating_add(u64::from(nanoseconds / 1_000_000))
    });
    let limit_ms = now_ms.saturating_sub(ORPHAN_AGE_MS);
    let modified_ms = u64::try_from(file.modified_ms).unwrap_or(0);
    written_ms < limit_ms && modified_ms < limit_ms
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::ServiceClock;
    use penstock_metadata_client::testing::InMemoryMetadata;
    use penstock_store::testing::FaultyStore;
    use penstock_store::{Bucket, LandingBucket};
    use tokio::time::Instant;
    use uuid::{NoContext, Timestamp};

    use super::*;

    const HOUR_MS: u64 = 3_600_000;
    /// When the files of these tests are old enough to be orphans.
    const AHEAD_MS: u64 = 49 * HOUR_MS;

    #[test]
    fn a_file_counts_as_old_only_by_both_clocks() {
        let now_ms = 10 * ORPHAN_AGE_MS;
        let id_at = |ms: u64| Uuid::new_v7(Timestamp::from_unix(NoContext, ms / 1000, 0));
        let old_ms = now_ms - ORPHAN_AGE_MS - 1000;
        for (id_ms, modified_ms, old) in [(old_ms, old_ms, true), (old_ms, now_ms, false), (now_ms, old_ms, false)] {
            let file = ListedFile {
                file_id: id_at(id_ms),
                modified_ms: modified_ms.cast_signed(),
            };
            assert_eq!(is_old(&file, now_ms), old, "id of {id_ms}, written {modified_ms}");
        }
        assert!(!is_old(
            &ListedFile {
                file_id: Uuid::new_v4(),
                modified_ms: old_ms.cast_signed()
            },
            now_ms
        ));
    }

    /// A bucket with files that were just written and never committed.
    async fn bucket_of(files: usize) -> (InMemoryMetadata, Objects, u64) {
        let objects = Objects::new(&Bucket::open("mem://").unwrap(), "cluster");
        let clock = ServiceClock::default();
        for _ in 0..files {
            let deadline = Instant::now() + Duration::from_secs(60);
            objects
                .put(clock.new_file_id(), vec![Bytes::from_static(b"x")], deadline)
                .await
                .unwrap();
        }
        (InMemoryMetadata::default(), objects, clock.now_ms())
    }

    #[tokio::test]
    async fn never_asks_about_files_younger_than_two_days() {
        let (metadata, objects, now_ms) = bucket_of(3).await;
        let collected = collect_orphans(&metadata, &objects, now_ms + 47 * HOUR_MS)
            .await
            .unwrap();
        assert_eq!((collected.listed, collected.candidates), (3, 0));
        assert_eq!(metadata.calls("KnownFiles"), 0);
    }

    #[tokio::test]
    async fn deletes_any_number_of_orphans_in_bounded_requests() {
        let files = 2 * FILES_PER_QUESTION + 1;
        let (metadata, objects, now_ms) = bucket_of(files).await;
        metadata.set_clock_ahead(AHEAD_MS.cast_signed());
        let collected = collect_orphans(&metadata, &objects, now_ms + AHEAD_MS).await.unwrap();
        assert_eq!(collected.deleted, files as u64);
        assert_eq!(metadata.calls("KnownFiles"), 3);
        let again = collect_orphans(&metadata, &objects, now_ms + AHEAD_MS).await.unwrap();
        assert_eq!(again, Collected::default());
    }

    #[tokio::test]
    async fn deletes_nothing_while_the_service_knows_all_files() {
        let (metadata, objects, now_ms) = bucket_of(3).await;
        metadata.set_knows_all_files();
        let collected = collect_orphans(&metadata, &objects, now_ms + AHEAD_MS).await.unwrap();
        assert_eq!((collected.candidates, collected.deleted), (3, 0));
    }

    #[tokio::test]
    async fn one_failing_landing_bucket_keeps_no_orphans_in_others() {
        let stores = ["a", "b", "c"].map(|zone| (zone, FaultyStore::failing([])));
        let landing = stores.each_ref().map(|(zone, store)| LandingBucket {
            zone: (*zone).to_owned(),
            bucket: store.bucket(),
        });
        let objects = Objects::new(&Bucket::open("mem://").unwrap(), "cluster").with_landing(&landing, "a", "cluster");
        let clock = ServiceClock::default();
        for _ in 0..20 {
            let file_id = objects.landed_id(clock.new_file_id()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            let content = vec![Bytes::from_static(b"x")];
            objects.put(file_id, content, deadline).await.unwrap();
        }
        let (metadata, now_ms) = (InMemoryMetadata::default(), clock.now_ms() + AHEAD_MS);
        metadata.set_clock_ahead(AHEAD_MS.cast_signed());
        stores[1].1.set_gone(true);
        assert!(collect_orphans(&metadata, &objects, now_ms).await.is_err());
        stores[1].1.set_gone(false);
        // Only files in the unreachable bucket are left.
        let left = collect_orphans(&metadata, &objects, now_ms).await.unwrap();
        assert!(left.listed > 0 && left.deleted == left.listed, "{left:?}");
        for zone in ["a", "b", "c"] {
            for spread in 0..=u8::MAX {
                let mut files = objects.list_landed(zone, spread);
                assert_eq!(files.try_next().await.unwrap(), None);
            }
        }
    }
}
