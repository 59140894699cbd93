//! The folder of the small objects with which agents test a bucket. An agent that dies during a test leaves one.

use futures_util::TryStreamExt as _;
use object_store::ObjectStoreExt as _;
use object_store::path::Path;

use crate::bucket::Bucket;
use crate::error::{StoreError, with_causes};

/// The folder of the test objects.
pub(crate) fn folder(bucket: &Bucket) -> Path {
    bucket.prefix.clone().join("probes")
}

/// Deletes test objects that were written before `before_ms` (milliseconds since the Unix epoch, by object storage's
/// clock). Returns how many were deleted.
///
/// # Errors
/// Returns an error if listing or deleting fails.
pub async fn delete_old_probes(bucket: &Bucket, before_ms: u64) -> Result<u64, StoreError> {
    let failed = |error: object_store::Error| StoreError::Failed(with_causes(&error));
    let mut deleted = 0;
    let mut listed = bucket.store.list(Some(&folder(bucket)));
    while let Some(probe) = listed.try_next().await.map_err(failed)? {
        let written_ms = u64::try_from(probe.last_modified.timestamp_millis()).unwrap_or(0);
        if written_ms < before_ms {
            bucket.store.delete(&probe.location).await.map_err(failed)?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use object_store::PutPayload;

    use super::*;

    #[tokio::test]
    async fn deletes_old_probes_and_nothing_else() {
        let bucket = Bucket::open("mem://bucket/prefix").unwrap();
        let probe = folder(&bucket).join("left by a dead agent");
        let file = bucket.data_root("cluster").join("a.batches");
        for path in [&probe, &file] {
            bucket.store.put(path, PutPayload::from_static(b"x")).await.unwrap();
        }
        assert_eq!(delete_old_probes(&bucket, 1_000).await.unwrap(), 0);
        assert_eq!(delete_old_probes(&bucket, u64::MAX).await.unwrap(), 1);
        assert!(bucket.store.head(&probe).await.is_err());
        assert!(bucket.store.head(&file).await.is_ok());
    }
}
