//! Buckets for tests: one whose writes fail in the ways of object storage, and one with more files than would fit in
//! memory.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions,
    PutOptions, PutPayload, PutResult, Result,
};
use parking_lot::Mutex;
use uuid::Uuid;

use crate::bucket::Bucket;

/// A bucket with any number of data files, which exist only while they are listed. Deletes succeed and change nothing.
#[derive(Debug)]
pub struct ManyObjects {
    per_spread: u64,
    written_ms: u64,
}

impl ManyObjects {
    /// Creates a bucket of 256 times `per_spread` files, all written at `written_ms` (milliseconds since the Unix
    /// epoch).
    #[must_use]
    pub fn bucket(per_spread: u64, written_ms: u64) -> Bucket {
        Bucket {
            store: Arc::new(Self { per_spread, written_ms }),
            prefix: Path::default(),
            url: "many".into(),
            s3: None,
            is_folder: false,
        }
    }

    fn object(&self, folder: &Path, number: u64) -> ObjectMeta {
        let spread = folder.filename().and_then(|name| u8::from_str_radix(name, 16).ok());
        let unique = (number << 8) | u64::from(spread.unwrap_or_default());
        let id = Uuid::from_u64_pair((self.written_ms << 16) | 0x7000, (1 << 63) | unique);
        ObjectMeta {
            location: folder.clone().join(format!("{id}.batches")),
            last_modified: (UNIX_EPOCH + Duration::from_millis(self.written_ms)).into(),
            size: 1,
            e_tag: None,
            version: None,
        }
    }
}

impl fmt::Display for ManyObjects {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("many objects")
    }
}

fn only_listed() -> object_store::Error {
    object_store::Error::NotImplemented {
        operation: "anything but listing and deleting".to_owned(),
        implementer: "ManyObjects".to_owned(),
    }
}

#[async_trait]
impl ObjectStore for ManyObjects {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        Err(only_listed())
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        Err(only_listed())
    }

    async fn get_opts(&self, _: &Path, _: GetOptions) -> Result<GetResult> {
        Err(only_listed())
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        locations
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let folder = prefix.cloned().unwrap_or_default();
        let this = Self { ..*self };
        let objects = (0..this.per_spread).map(move |number| Ok(this.object(&folder, number)));
        futures_util::stream::iter(objects).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        Err(only_listed())
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        Err(only_listed())
    }
}

/// A way in which a write fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutFault {
    /// Nothing is written; the request fails.
    Refused,
    /// Nothing is written, and no response arrives.
    Hangs,
    /// The object is written, but the response is lost.
    AnswerLost,
    /// The object is written, but no response arrives.
    WrittenAndHangs,
    /// The object is written, and then the client library retries and finds its own object.
    MetItself,
    /// Nothing is written, but the response says that it was.
    Lies,
    /// Nothing is written: S3 responds with 409 while it processes another request for the name, such as a delete.
    Conflict,
    /// The object is written after this delay.
    Slow(Duration),
}

/// A store with scripted faults. Reads may hang. Writes fail with the faults in `next`, one per write, then with
/// `always`. The store may also be unavailable or slow.
#[derive(Debug, Default)]
pub struct FaultyStore {
    inner: InMemory,
    faults: Mutex<Faults>,
    gets_hang: AtomicBool,
    gets_fail: AtomicBool,
    is_gone: AtomicBool,
    delay_ms: AtomicU64,
}

#[derive(Debug, Default)]
struct Faults {
    next: VecDeque<PutFault>,
    always: Option<PutFault>,
}

impl FaultyStore {
    /// Creates a store whose first writes fail in these ways, in order.
    #[must_use]
    pub fn failing(next: impl IntoIterator<Item = PutFault>) -> Arc<Self> {
        let store = Self::default();
        store.lock().next.extend(next);
        Arc::new(store)
    }

    /// Makes every later write fail in this way, or none.
    pub fn set_fault(&self, fault: Option<PutFault>) {
        self.lock().always = fault;
    }

    /// Makes the next writes fail in these ways, in order.
    pub fn fail_next(&self, next: impl IntoIterator<Item = PutFault>) {
        self.lock().next.extend(next);
    }

    /// Makes every later read fail.
    pub fn fail_gets(&self) {
        self.gets_fail.store(true, Ordering::Relaxed);
    }

    /// Makes every later read hang.
    pub fn hang_gets(&self) {
        self.gets_hang.store(true, Ordering::Relaxed);
    }

    /// Makes all operations fail, or work again. Stored objects are kept.
    pub fn set_gone(&self, is_gone: bool) {
        self.is_gone.store(is_gone, Ordering::Relaxed);
    }

    /// Delays every later read and write by this much.
    pub fn set_delay(&self, delay: Duration) {
        let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
        self.delay_ms.store(delay_ms, Ordering::Relaxed);
    }

    async fn travel(&self) -> Result<()> {
        let delay_ms = self.delay_ms.load(Ordering::Relaxed);
        if delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
        }
        match self.is_gone.load(Ordering::Relaxed) {
            true => Err(connection_reset()),
            false => Ok(()),
        }
    }

    /// The bucket backed by this store.
    #[must_use]
    pub fn bucket(self: &Arc<Self>) -> Bucket {
        Bucket {
            store: Arc::clone(self) as _,
            prefix: Path::from("p"),
            url: "test".into(),
            s3: None,
            is_folder: false,
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Faults> {
        self.faults.lock()
    }

    fn next_fault(&self) -> Option<PutFault> {
        let mut faults = self.lock();
        faults.next.pop_front().or(faults.always)
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
        self.travel().await?;
        let put = |opts| self.inner.put_opts(location, payload.clone(), opts);
        match self.next_fault() {
            None => put(opts).await,
            Some(PutFault::Refused) => Err(connection_reset()),
            Some(PutFault::Hangs) => std::future::pending().await,
            Some(PutFault::Slow(time)) => {
                tokio::time::sleep(time).await;
                put(opts).await
            }
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
            Some(PutFault::Lies) => Ok(PutResult {
                e_tag: None,
                version: None,
                extensions: Default::default(),
            }),
            Some(PutFault::Conflict) => Err(object_store::Error::AlreadyExists {
                path: location.to_string(),
                source: "409 Conflict".into(),
            }),
        }
    }

    async fn put_multipart_opts(&self, path: &Path, opts: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, opts).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if self.gets_fail.load(Ordering::Relaxed) {
            return Err(connection_reset());
        }
        if self.gets_hang.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        self.travel().await?;
        self.inner.get_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        match self.is_gone.load(Ordering::Relaxed) {
            true => locations.map(|_| Err(connection_reset())).boxed(),
            false => self.inner.delete_stream(locations),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.is_gone.load(Ordering::Relaxed) {
            true => futures_util::stream::iter([Err(connection_reset())]).boxed(),
            false => self.inner.list(prefix),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
