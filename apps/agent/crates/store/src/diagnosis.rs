//! Diagnoses the bucket while the agent runs: writes, reads, lists and deletes a small object, compares clocks, and
//! reads the lifecycle rules.

use std::time::Duration;

use futures_util::TryStreamExt as _;
use object_store::{ObjectStoreExt as _, PutPayload};
use penstock_runtime::since_unix_epoch;
use penstock_telemetry::{CleanText, Failure};
use tokio::time::{Instant, timeout};

use crate::bucket::Bucket;
use crate::failure::{classify, no_answer};
use crate::lifecycle::{Lifecycle, check_s3};
use crate::probes;

const PROBE: &[u8] = b"penstock diagnosis; may be deleted";
/// Timeout of an operation, including the client library's retries.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(15);
/// S3 reports write times in whole seconds, so the actual time is half a second later on average.
const HALF_SECOND_MS: i64 = 500;

/// A checked operation. The numbers are those of `BucketOperation` in the RPC contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    /// Writing a test object.
    Put = 1,
    /// Reading the test object.
    Get = 2,
    /// Finding the object in a list.
    List = 3,
    /// Deleting the test object.
    Delete = 4,
}

/// The outcome of an operation.
#[derive(Debug, Clone)]
pub struct Check {
    /// The operation that was tried.
    pub operation: Operation,
    /// How long the operation took.
    pub took: Duration,
    /// The failure; `None` if the operation works.
    pub failure: Option<Failure>,
}

/// The result of a diagnosis.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The operations tried. If the object cannot be written, the others are omitted.
    pub checks: Vec<Check>,
    /// This machine's clock minus object storage's, in milliseconds, accurate to half a second plus the time of a
    /// write. `None` if no object was written.
    pub store_clock_offset_ms: Option<i64>,
    /// The effect of the bucket's lifecycle rules.
    pub lifecycle: Lifecycle,
}

impl Diagnosis {
    /// Returns true if all operations succeeded.
    #[must_use]
    pub fn all_work(&self) -> bool {
        self.checks.iter().all(|check| check.failure.is_none())
    }
}

/// Tries all operations. `probe` names the test object, which only this agent may write; it is deleted afterwards if
/// deleting works. Lifecycle rules are checked against the data files of `cluster_id`.
pub async fn diagnose(bucket: &Bucket, cluster_id: &str, probe: &str) -> Diagnosis {
    let folder = probes::folder(bucket);
    let path = folder.clone().join(probe);
    let mut checks = Vec::new();
    let mut store_clock_offset_ms = None;
    let before_ms = wall_ms();
    let written = check(&mut checks, Operation::Put, async {
        bucket
            .store
            .put(&path, PutPayload::from_static(PROBE))
            .await
            .map_err(|error| classify(&error))
    })
    .await;
    if written.is_some() {
        let middle_ms = before_ms + (wall_ms() - before_ms) / 2;
        let read = check(&mut checks, Operation::Get, async {
            let found = bucket.store.get(&path).await.map_err(|error| classify(&error))?;
            let modified_ms = found.meta.last_modified.timestamp_millis();
            let bytes = found.bytes().await.map_err(|error| classify(&error))?;
            if bytes == PROBE {
                Ok(modified_ms)
            } else {
                Err(wrong("it returned different bytes than were written"))
            }
        })
        .await;
        store_clock_offset_ms = read.map(|modified_ms| {
            let is_whole = modified_ms % 1000 == 0;
            middle_ms - modified_ms - if is_whole { HALF_SECOND_MS } else { 0 }
        });
        check(&mut checks, Operation::List, async {
            let listed: Vec<_> = bucket
                .store
                .list(Some(&folder))
                .try_collect()
                .await
                .map_err(|error| classify(&error))?;
            let is_listed = listed.iter().any(|object| object.location == path);
            if is_listed {
                Ok(())
            } else {
                Err(wrong("an object that was just written is not in the list"))
            }
        })
        .await;
        check(&mut checks, Operation::Delete, async {
            bucket.store.delete(&path).await.map_err(|error| classify(&error))
        })
        .await;
    }
    let root = format!("{}/", bucket.data_root(cluster_id));
    let lifecycle = match &bucket.s3 {
        None => Lifecycle::NotChecked("lifecycle rules are checked on S3 only"),
        Some(s3) => timeout(OPERATION_TIMEOUT, check_s3(&s3.store, &s3.http, &root))
            .await
            .unwrap_or_else(|_| Lifecycle::Failed(no_answer(None))),
    };
    Diagnosis {
        checks,
        store_clock_offset_ms,
        lifecycle,
    }
}

async fn check<T>(
    checks: &mut Vec<Check>,
    operation: Operation,
    attempt: impl Future<Output = Result<T, Failure>>,
) -> Option<T> {
    let started = Instant::now();
    let outcome = timeout(OPERATION_TIMEOUT, attempt)
        .await
        .unwrap_or_else(|_| Err(no_answer(None)));
    let (done, failure) = match outcome {
        Ok(done) => (Some(done), None),
        Err(failure) => (None, Some(failure)),
    };
    checks.push(Check {
        operation,
        took: started.elapsed(),
        failure,
    });
    done
}

fn wrong(message: &str) -> Failure {
    Failure {
        class: "wrong-answer",
        code: CleanText::default(),
        message: CleanText::clean(message),
    }
}

fn wall_ms() -> i64 {
    let since = since_unix_epoch();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
