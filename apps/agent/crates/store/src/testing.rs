//! A bucket in memory whose writes fail in the ways that those of object storage fail.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions,
    PutOptions, PutPayload, PutResult, Result,
};

use crate::bucket::Bucket;

/// How a write goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutFault {
    /// Nothing is written.
    Refused,
    /// Nothing is written, and no answer ever comes.
    Hangs,
    /// The object is written, but the answer is lost.
    AnswerLost,
    /// The object is written, but no answer ever comes.
    WrittenAndHangs,
    /// The object is written; the client library tries the write once more by itself and meets what it wrote.
    MetItself,
}

/// Writes go wrong as scripted: first `next`, one fault per write, then as `standing` says.
#[derive(Debug, Default)]
pub struct FaultyStore {
    inner: InMemory,
    faults: Mutex<Faults>,
}

#[derive(Debug, Default)]
struct Faults {
    next: VecDeque<PutFault>,
    standing: Option<PutFault>,
}

impl FaultyStore {
    /// The first writes go wrong like this, one after the other.
    #[must_use]
    pub fn failing(next: impl IntoIterator<Item = PutFault>) -> Arc<Self> {
        let store = Self::default();
        store.lock().next.extend(next);
        Arc::new(store)
    }

    /// From now on every write goes wrong like this, or none does.
    pub fn set_standing(&self, fault: Option<PutFault>) {
        self.lock().standing = fault;
    }

    /// The bucket that this store is.
    #[must_use]
    pub fn bucket(self: &Arc<Self>) -> Bucket {
        Bucket {
            store: Arc::clone(self) as _,
            prefix: Path::from("p"),
            url: "test".into(),
            s3: None,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_fault(&self) -> Option<PutFault> {
        let mut faults = self.lock();
        faults.next.pop_front().or(faults.standing)
    }
}

impl fmt::Display for FaultyStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("faulty")
    }
}

fn connection_reset() -> object_store::Error {
    object_store::Error::Generic {
        store: "faulty",
        source: "connection reset".into(),
    }
}

#[async_trait]
impl ObjectStore for FaultyStore {
    async fn put_opts(&self, location: &Path, payload: PutPayload, opts: PutOptions) -> Result<PutResult> {
        let put = |opts| self.inner.put_opts(location, payload.clone(), opts);
        match self.next_fault() {
            None => put(opts).await,
            Some(PutFault::Refused) => Err(connection_reset()),
            Some(PutFault::Hangs) => std::future::pending().await,
            Some(PutFault::AnswerLost) => {
                put(opts).await?;
                Err(connection_reset())
            }
            Some(PutFault::WrittenAndHangs) => {
                put(opts).await?;
                std::future::pending().await
            }
            Some(PutFault::MetItself) => {
                put(opts.clone()).await?;
                put(opts).await
            }
        }
    }

    async fn put_multipart_opts(&self, path: &Path, opts: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
