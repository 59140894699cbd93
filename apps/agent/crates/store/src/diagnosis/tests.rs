//! Tests with a store that refuses individual operations, and with a server that returns lifecycle rules like S3.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::aws::AmazonS3Builder;
use object_store::client::{HttpConnector as _, ReqwestConnector};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    ClientOptions, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutResult, Result,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::bucket::S3Access;
use crate::lifecycle::{HarmfulRule, RuleAction};

#[derive(Debug)]
struct DenyingStore {
    inner: InMemory,
    denied: Option<Operation>,
}

impl DenyingStore {
    fn allow(&self, operation: Operation) -> Result<()> {
        if self.denied != Some(operation) {
            return Ok(());
        }
        Err(object_store::Error::PermissionDenied {
            path: "x".to_owned(),
            source: "status code: 403: <Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>".into(),
        })
    }
}

impl fmt::Display for DenyingStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("denying")
    }
}

#[async_trait]
impl ObjectStore for DenyingStore {
    async fn put_opts(&self, location: &Path, payload: PutPayload, opts: PutOptions) -> Result<PutResult> {
        self.allow(Operation::Put)?;
        self.inner.put_opts(location, payload, opts).await
    }

    async fn put_multipart_opts(&self, path: &Path, opts: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.allow(Operation::Get)?;
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        match self.allow(Operation::Delete) {
            Ok(()) => self.inner.delete_stream(locations),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.allow(Operation::List) {
            Ok(()) => self.inner.list(prefix),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

fn bucket(denied: Option<Operation>) -> Bucket {
    Bucket {
        store: Arc::new(DenyingStore {
            inner: InMemory::new(),
            denied,
        }),
        prefix: Path::from("p"),
        url: "test".into(),
        s3: None,
        is_folder: false,
    }
}

async fn objects_left(bucket: &Bucket) -> usize {
    let listed = bucket.store.list(None);
    listed.filter(|object| std::future::ready(object.is_ok())).count().await
}

#[tokio::test]
async fn a_healthy_bucket_passes_and_is_left_clean() {
    let bucket = bucket(None);
    let diagnosis = diagnose(&bucket, "c1", "agent-1").await;
    assert!(diagnosis.all_work(), "{diagnosis:?}");
    let tried: Vec<_> = diagnosis.checks.iter().map(|check| check.operation).collect();
    assert_eq!(
        tried,
        [Operation::Put, Operation::Get, Operation::List, Operation::Delete]
    );
    assert!(diagnosis.store_clock_offset_ms.unwrap().abs() < 1_000, "{diagnosis:?}");
    assert!(matches!(diagnosis.lifecycle, Lifecycle::NotChecked(_)));
    assert_eq!(objects_left(&bucket).await, 0);
}

#[tokio::test]
async fn names_a_refused_operation_and_still_tries_the_others() {
    for denied in [Operation::Get, Operation::List, Operation::Delete] {
        let bucket = bucket(Some(denied));
        let diagnosis = diagnose(&bucket, "c1", "agent-1").await;
        assert_eq!(diagnosis.checks.len(), 4);
        for check in &diagnosis.checks {
            let class = check
                .failure
                .as_ref()
                .map(|failure| (failure.class, failure.code.as_str()));
            let expected = (check.operation == denied).then_some(("access-denied", "AccessDenied"));
            assert_eq!(class, expected, "{denied:?} {check:?}");
        }
        // Repeated runs do not accumulate objects that cannot be deleted.
        diagnose(&bucket, "c1", "agent-1").await;
        assert_eq!(
            objects_left(&bucket).await,
            usize::from(denied == Operation::Delete),
            "{denied:?}"
        );
    }
}

#[tokio::test]
async fn reports_no_other_operation_if_the_write_fails() {
    let diagnosis = diagnose(&bucket(Some(Operation::Put)), "c1", "agent-1").await;
    assert_eq!(diagnosis.checks.len(), 1);
    assert!(!diagnosis.all_work());
    assert_eq!(diagnosis.store_clock_offset_ms, None);
}

/// Answers one request. Returns the bucket and a task that yields the first line of the request.
async fn s3_that_answers(status: &'static str, body: &'static str) -> (Bucket, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let asked = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(socket.read_u8().await.unwrap());
        }
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(answer.as_bytes()).await.unwrap();
        let request = String::from_utf8(request).unwrap();
        request.lines().next().unwrap_or_default().to_owned()
    });
    let _ = rustls::crypto::ring::default_provider().install_default();
    let s3 = AmazonS3Builder::new()
        .with_bucket_name("records")
        .with_access_key_id("id")
        .with_secret_access_key("secret")
        .with_region("eu-central-1")
        .with_endpoint(endpoint)
        .with_allow_http(true)
        .build()
        .unwrap();
    let http = ReqwestConnector::default()
        .connect(&ClientOptions::new().with_allow_http(true))
        .unwrap();
    let mut bucket = bucket(None);
    bucket.s3 = Some(S3Access {
        store: Arc::new(s3),
        http,
    });
    (bucket, asked)
}

async fn lifecycle_of(status: &'static str, body: &'static str) -> (Lifecycle, String) {
    let (bucket, asked) = s3_that_answers(status, body).await;
    let diagnosis = diagnose(&bucket, "c1", "agent-1").await;
    (diagnosis.lifecycle, asked.await.unwrap())
}

#[tokio::test]
async fn finds_a_rule_that_deletes_data_files_by_signed_request() {
    let (lifecycle, request) = lifecycle_of(
        "200 OK",
        "<LifecycleConfiguration><Rule><ID>tidy</ID><Filter><Prefix>p/clusters/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>7</Days></Expiration></Rule></LifecycleConfiguration>",
    )
    .await;
    assert!(
        matches!(
            &lifecycle,
            Lifecycle::Harmful(HarmfulRule {
                action: RuleAction::Expires,
                days: Some(7),
                ..
            })
        ),
        "{lifecycle:?}"
    );
    assert!(request.starts_with("GET /records"), "{request}");
    assert!(
        request.contains("lifecycle=") && request.contains("X-Amz-Signature="),
        "{request}"
    );
}

#[tokio::test]
async fn reports_a_response_without_rules_as_what_it_is() {
    let none = "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>None</Message></Error>";
    assert_eq!(lifecycle_of("404 Not Found", none).await.0, Lifecycle::NoRules);
    let denied = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
    assert!(
        matches!(lifecycle_of("403 Forbidden", denied).await.0, Lifecycle::NotAllowed(failure) if failure.class == "access-denied")
    );
    let unknown = "<Error><Code>NotImplemented</Code></Error>";
    assert!(matches!(
        lifecycle_of("501 Not Implemented", unknown).await.0,
        Lifecycle::NotChecked(_)
    ));
    assert!(matches!(
        lifecycle_of("500 Internal Server Error", "").await.0,
        Lifecycle::Failed(_)
    ));
    assert!(matches!(lifecycle_of("200 OK", "<html>").await.0, Lifecycle::Failed(_)));
}
