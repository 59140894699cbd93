//! Collects data files that were written but never committed: an agent died, or the commit was refused.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use penstock_handlers::Context;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_store::{ListedFile, Objects, StoreError};
use thiserror::Error;
use uuid::Uuid;

const PERIOD: Duration = Duration::from_secs(3600);
/// The service refuses to commit a file older than 10 minutes, so an unknown file of this age can never become known.
const ORPHAN_AGE_MS: i64 = 3_600_000;
const FILES_PER_QUESTION: usize = 2000;

/// Why a round ended early.
#[derive(Debug, Error)]
pub(crate) enum CollectError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Rpc(#[from] RpcError),
    #[error("the metadata service's answer does not fit the question")]
    Answer,
}

/// Collects once an hour, if this is the agent of the cluster whose turn it is.
pub(crate) async fn run(context: Arc<Context>, objects: Arc<Objects>) {
    loop {
        tokio::time::sleep(PERIOD).await;
        if !is_collector(&context) {
            continue;
        }
        match collect(&context, &objects, now_ms()).await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(deleted, "deleted data files that were never committed"),
            Err(error) => tracing::warn!(%error, "cannot look for data files that were never committed"),
        }
    }
}

/// Of the living agents, the one with the lowest node id.
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

fn now_ms() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX)
}

/// Deletes the orphans and returns how many there were.
pub(crate) async fn collect(context: &Context, objects: &Objects, now_ms: i64) -> Result<usize, CollectError> {
    let old: Vec<Uuid> = objects
        .list()
        .await?
        .into_iter()
        .filter(|file| is_old(file, now_ms))
        .map(|file| file.file_id)
        .collect();
    let mut deleted = 0;
    for asked in old.chunks(FILES_PER_QUESTION) {
        let file_ids = asked.iter().map(|id| Bytes::copy_from_slice(id.as_bytes())).collect();
        let answer = context
            .metadata
            .known_files(proto::KnownFilesRequest { file_ids }, DEFAULT_TIMEOUT)
            .await?;
        if answer.known.len() != asked.len() {
            return Err(CollectError::Answer);
        }
        let orphans: Vec<Uuid> = asked
            .iter()
            .zip(&answer.known)
            .filter(|(_, known)| !**known)
            .map(|(id, _)| *id)
            .collect();
        deleted += objects.delete(&orphans).await.len();
    }
    Ok(deleted)
}

/// By both clocks: the writer's, which is in the id, and object storage's.
fn is_old(file: &ListedFile, now_ms: i64) -> bool {
    let written_ms = file.file_id.get_timestamp().map_or(i64::MAX, |timestamp| {
        let (seconds, nanoseconds) = timestamp.to_unix();
        i64::try_from(seconds)
            .unwrap_or(i64::MAX)
            .saturating_mul(1000)
            .saturating_add(i64::from(nanoseconds / 1_000_000))
    });
    let limit_ms = now_ms - ORPHAN_AGE_MS;
    written_ms < limit_ms && file.modified_ms < limit_ms
}

#[cfg(test)]
mod tests {
    use uuid::{NoContext, Timestamp};

    use super::*;

    #[test]
    fn a_file_is_old_only_by_both_clocks() {
        let now_ms = 10_000_000;
        let id_at = |ms: i64| Uuid::new_v7(Timestamp::from_unix(NoContext, (ms / 1000).unsigned_abs(), 0));
        let old_ms = now_ms - ORPHAN_AGE_MS - 1000;
        for (id_ms, modified_ms, old) in [(old_ms, old_ms, true), (old_ms, now_ms, false), (now_ms, old_ms, false)] {
            let file = ListedFile {
                file_id: id_at(id_ms),
                modified_ms,
            };
            assert_eq!(is_old(&file, now_ms), old, "id of {id_ms}, written {modified_ms}");
        }
        assert!(!is_old(
            &ListedFile {
                file_id: Uuid::new_v4(),
                modified_ms: old_ms
            },
            now_ms
        ));
    }
}
