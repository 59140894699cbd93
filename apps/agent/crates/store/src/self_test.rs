//! Verifies at startup that the bucket supports everything that the agent needs, and says what to fix.

use std::time::Duration;

use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStoreExt as _, PutMode, PutPayload};
use penstock_runtime::time_ordered_uuid;
use thiserror::Error;

use crate::bucket::Bucket;
use crate::error::with_causes;
use crate::probes;
use crate::region::right_region;

const CREATE_ATTEMPTS: u32 = 5;
const CONFLICT_PAUSE: Duration = Duration::from_millis(200);
const PROBE: &[u8] = b"penstock start-up probe; may be deleted";

/// Why the bucket cannot be used.
#[derive(Debug, Error)]
pub enum SelfTestError {
    /// An operation on the bucket failed.
    #[error("cannot {operation} in {url}: {reason}. {remedy}")]
    Operation {
        /// The operation that was tried.
        operation: &'static str,
        /// The URL of the bucket.
        url: String,
        /// The error from object storage.
        reason: String,
        /// How to fix it.
        remedy: &'static str,
    },
    /// The agent is configured with another region, or none.
    #[error(
        "the bucket of {url} is in the region {region}: add ?region={region} to its URL, or set AWS_REGION={region}"
    )]
    Region {
        /// The URL of the bucket.
        url: String,
        /// The region of the bucket.
        region: String,
    },
    /// A second conditional write of the same name succeeded, or the bytes read differ from those written.
    #[error("{url} cannot be used as object storage: {reason}")]
    Semantics {
        /// The URL of the bucket.
        url: String,
        /// How the bucket misbehaved.
        reason: &'static str,
    },
}

/// Creates the probe object. Since no other agent uses its name, an existing object is the probe itself: the client
/// library retried a request whose response was lost. If none exists, S3 responded with 409, which the library reports
/// in the same way: another request was in progress, and this one must be retried.
async fn create_probe(bucket: &Bucket, path: &Path) -> Result<(), object_store::Error> {
    let mut attempt = 1;
    loop {
        let create = PutMode::Create.into();
        match bucket
            .store
            .put_opts(path, PutPayload::from_static(PROBE), create)
            .await
        {
            Ok(_) => return Ok(()),
            Err(conflict @ object_store::Error::AlreadyExists { .. }) => match bucket.store.head(path).await {
                Ok(_) => return Ok(()),
                Err(object_store::Error::NotFound { .. }) if attempt < CREATE_ATTEMPTS => {
                    attempt += 1;
                    tokio::time::sleep(CONFLICT_PAUSE).await;
                }
                Err(object_store::Error::NotFound { .. }) => return Err(conflict),
                Err(error) => return Err(error),
            },
            Err(error) => return Err(error),
        }
    }
}

/// Writes, reads and deletes a probe object.
///
/// # Errors
/// Returns the first operation that fails.
pub async fn self_test(bucket: &Bucket) -> Result<(), SelfTestError> {
    let path = probes::folder(bucket).join(time_ordered_uuid().to_string());
    let failed = |operation, remedy| {
        move |error: object_store::Error| SelfTestError::Operation {
            operation,
            url: bucket.url.clone(),
            reason: with_causes(&error),
            remedy,
        }
    };
    let wrong = |reason| SelfTestError::Semantics {
        url: bucket.url.clone(),
        reason,
    };
    if let Err(error) = create_probe(bucket, &path).await {
        let reason = with_causes(&error);
        let region = match &bucket.s3 {
            Some(s3) => right_region(s3, &reason).await,
            None => None,
        };
        return Err(match region {
            Some(region) => SelfTestError::Region {
                url: bucket.url.clone(),
                region,
            },
            None => failed(
                "create an object",
                "Check that the bucket exists, its region or endpoint, and that the agent's credentials may put objects.",
            )(error),
        });
    }
    let checked = async {
        match bucket
            .store
            .put_opts(&path, PutPayload::from_static(PROBE), PutMode::Create.into())
            .await
        {
            Err(object_store::Error::AlreadyExists { .. }) => {}
            Ok(_) => {
                return Err(wrong(
                    "it ignores conditional writes (If-None-Match), so a file could be overwritten",
                ));
            }
            Err(error) => {
                return Err(failed(
                    "create an object conditionally",
                    "Use a store with If-None-Match.",
                )(error));
            }
        }
        let readable = "Check that the agent's credentials may get objects.";
        let whole = bucket
            .store
            .get(&path)
            .await
            .map_err(failed("read an object", readable))?;
        let whole = whole.bytes().await.map_err(failed("read an object", readable))?;
        let options = GetOptions {
            range: Some(GetRange::Bounded(9..17)),
            ..Default::default()
        };
        let part = bucket
            .store
            .get_opts(&path, options)
            .await
            .map_err(failed("read part of an object", readable))?;
        let part = part.bytes().await.map_err(failed("read part of an object", readable))?;
        if whole != PROBE || part != PROBE[9..17] {
            Err(wrong("it returned different bytes than were written"))
        } else {
            Ok(())
        }
    }
    .await;
    let deleted = bucket.store.delete(&path).await;
    checked?;
    deleted.map_err(failed(
        "delete an object",
        "Check that the agent's credentials may delete objects.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FaultyStore, PutFault};

    #[tokio::test]
    async fn a_working_bucket_passes_and_is_left_clean() {
        let folder = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(&format!("file://{}", folder.path().display())).unwrap();
        self_test(&bucket).await.unwrap();
        let left: Vec<_> = std::fs::read_dir(folder.path().join("probes")).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[tokio::test]
    async fn a_lost_response_to_the_probe_does_not_prevent_startup() {
        let store = FaultyStore::failing([PutFault::MetItself]);
        self_test(&store.bucket()).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_conflict_with_another_request_does_not_prevent_startup() {
        let store = FaultyStore::failing([PutFault::Conflict, PutFault::Conflict]);
        self_test(&store.bucket()).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn refuses_a_bucket_that_answers_every_write_with_a_conflict() {
        let store = FaultyStore::failing([PutFault::Conflict; 10]);
        let error = self_test(&store.bucket()).await.unwrap_err().to_string();
        assert!(error.starts_with("cannot create an object"), "{error}");
    }

    #[tokio::test]
    async fn names_an_unreachable_bucket_and_the_remedy() {
        // Nothing listens on port 9 of the loopback interface.
        let mut bucket = Bucket::open("mem://").unwrap();
        let s3 = object_store::aws::AmazonS3Builder::new()
            .with_bucket_name("b")
            .with_access_key_id("a")
            .with_secret_access_key("b")
            .with_endpoint("http://127.0.0.1:9")
            .with_allow_http(true)
            .with_retry(object_store::RetryConfig {
                max_retries: 0,
                ..Default::default()
            });
        bucket.store = std::sync::Arc::new(s3.build().unwrap());
        bucket.url = "s3://b".into();
        let error = self_test(&bucket).await.unwrap_err().to_string();
        assert!(error.starts_with("cannot create an object in s3://b"), "{error}");
        assert!(error.contains("credentials"), "{error}");
    }

    #[tokio::test]
    async fn names_the_right_region_for_a_wrong_one() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("s3://b?endpoint=http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 8192]).await;
                let answer = "HTTP/1.1 301 Moved Permanently\r\nx-amz-bucket-region: eu-west-3\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        let mut bucket = Bucket::open(&url).unwrap();
        let s3 = object_store::aws::AmazonS3Builder::new()
            .with_bucket_name("b")
            .with_access_key_id("a")
            .with_secret_access_key("b")
            .with_endpoint(url.split_once('=').unwrap().1)
            .with_allow_http(true)
            .build()
            .unwrap();
        let s3 = std::sync::Arc::new(s3);
        bucket.store = std::sync::Arc::clone(&s3) as _;
        bucket.s3.as_mut().unwrap().store = s3;
        let error = self_test(&bucket).await.unwrap_err();
        assert!(
            matches!(&error, SelfTestError::Region { region, .. } if region == "eu-west-3"),
            "{error}"
        );
    }
}
