//! Data files by id: writes each exactly once, reads ranges, deletes and lists.

mod hedged_put;
mod landed_get;
mod landed_put;
mod put_times;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutPayload};
use penstock_runtime::run_blocking;
use penstock_telemetry::{CleanText, Failure, LastErrors, LatencyHistogram};
use penstock_traces::{KeyValue, SpanKind, child_of_current};
use tokio::time::Instant;
use uuid::Uuid;

use crate::bucket::Bucket;
use crate::buffer_pool::BufferPool;
use crate::error::{StoreError, with_causes};
use crate::failure::{classify, kind_of};
use crate::landing::{Landing, LandingBucket, is_landed};
use hedged_put::HedgedPut;
use put_times::PutTimes;

/// Extension of data files. For the format, see [`crate::FileIndex`].
const EXTENSION: &str = ".batches";
/// Size of the buffers for cached blocks.
const BLOCK_BUFFER_BYTES: usize = 4 << 20;
/// Few are needed, because the cache evicts about as much as it loads.
const UNUSED_BLOCK_BUFFERS: usize = 8;
/// Size of the buffers for jobs. Small, because jobs consume windows of files piece by piece.
const JOB_BUFFER_BYTES: usize = 256 << 10;

/// Counts requests to object storage as they would be billed. Excludes retries within the client library.
#[derive(Debug, Default)]
pub struct ObjectCounters {
    /// Number of objects written.
    pub puts: AtomicU64,
    /// Number of reads of objects or ranges.
    pub gets: AtomicU64,
    /// Number of objects deleted.
    pub deletes: AtomicU64,
    /// Total size of the objects written, in bytes.
    pub put_bytes: AtomicU64,
    /// Number of write attempts that failed or hung.
    pub put_errors: AtomicU64,
    /// Number of second attempts after a slow first one; included in `puts`.
    pub hedged_puts: AtomicU64,
    /// Number of bytes read.
    pub get_bytes: AtomicU64,
    /// Number of failed reads from the standard bucket.
    pub get_errors: AtomicU64,
    /// Latency of successful reads.
    pub get_latency: LatencyHistogram,
    /// Number of objects written to landing buckets: at least two per file.
    pub landing_puts: AtomicU64,
    /// Total size of these objects, in bytes.
    pub landing_put_bytes: AtomicU64,
    /// Number of these writes that failed or were abandoned.
    pub landing_put_errors: AtomicU64,
    /// Number of reads from landing buckets.
    pub landing_gets: AtomicU64,
    /// Number of failed reads from a landing bucket, whether or not another had the file.
    pub landing_get_errors: AtomicU64,
    /// Number of reads that did not find the file in the first landing bucket.
    pub landing_misses: AtomicU64,
    /// Number of low-latency files written to the standard bucket because fewer than two landing buckets accepted them.
    pub landing_fallbacks: AtomicU64,
    /// The last failure, and the last refusal of this agent.
    pub last_errors: LastErrors,
}

impl ObjectCounters {
    pub(crate) fn failed(&self, error: &object_store::Error) {
        self.keep(classify(error));
    }

    fn keep(&self, failure: Failure) {
        self.last_errors.record(kind_of(&failure), failure);
    }
}

/// A data file found by listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedFile {
    /// The id in the file's name.
    pub file_id: Uuid,
    /// When object storage last saw it written, in milliseconds since the Unix epoch.
    pub modified_ms: i64,
}

/// The data files of a virtual cluster. A file's name depends only on its id: `<prefix>/clusters/<cluster
/// id>/data/<last two hex digits of the id>/<id>.batches`. Since ids begin with the time and object stores scale by
/// prefix, the two digits spread the names over the key space.
#[derive(Debug)]
pub struct Objects {
    pub(crate) store: Arc<dyn ObjectStore>,
    root: Path,
    landing: Option<Landing>,
    block_buffers: Arc<BufferPool>,
    pub(crate) job_buffers: Arc<BufferPool>,
    /// True if files are written to a folder.
    is_folder: bool,
    put_times: PutTimes,
    /// Counts of the requests sent so far.
    pub counters: ObjectCounters,
}

impl Objects {
    /// Creates access to the data files of `cluster_id` in `bucket`.
    #[must_use]
    pub fn new(bucket: &Bucket, cluster_id: &str) -> Self {
        Self {
            store: Arc::clone(&bucket.store),
            root: bucket.data_root(cluster_id),
            landing: None,
            block_buffers: Arc::new(BufferPool::new(BLOCK_BUFFER_BYTES, UNUSED_BLOCK_BUFFERS)),
            job_buffers: Arc::new(BufferPool::new(JOB_BUFFER_BYTES, 0)),
            is_folder: bucket.is_folder,
            put_times: PutTimes::default(),
            counters: ObjectCounters::default(),
        }
    }

    /// Adds landing buckets for an agent in `own_zone`. Has no effect with fewer than two.
    #[must_use]
    pub fn with_landing(mut self, buckets: &[LandingBucket], own_zone: &str, cluster_id: &str) -> Self {
        self.landing = Landing::new(buckets, own_zone, cluster_id);
        self
    }

    /// The zones of the landing buckets.
    #[must_use]
    pub fn landing_zones(&self) -> Vec<&str> {
        let places = self.landing.iter().flat_map(Landing::places);
        places.map(|place| place.zone.as_str()).collect()
    }

    /// Returns true if this agent has landing buckets.
    #[must_use]
    pub fn has_landing(&self) -> bool {
        self.landing.is_some()
    }

    /// Returns true if enough landing buckets work.
    #[must_use]
    pub fn can_land(&self) -> bool {
        self.landing.as_ref().is_some_and(Landing::works)
    }

    /// Records that a file falls back to the standard bucket, in the log, the metrics, and the last errors shown in the
    /// dashboard.
    pub fn note_fallback(&self, error: &StoreError) {
        self.counters.landing_fallbacks.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(%error, "writing data files to the standard bucket until two landing buckets work");
        self.counters.keep(Failure {
            class: "landing-fallback",
            code: CleanText::default(),
            message: CleanText::clean(&format!(
                "Files go to the standard bucket, because no two landing buckets take them: {error}"
            )),
        });
    }

    /// Returns the id with which a new file goes to the landing buckets. Returns `None` if fewer than two work: the
    /// file then goes to the standard bucket with its original id.
    #[must_use]
    pub fn landed_id(&self, file_id: Uuid) -> Option<Uuid> {
        self.landing.as_ref()?.landed_id(file_id)
    }

    /// Sets how many bytes of job buffers are kept between jobs, and frees the excess. Initially none are kept.
    pub fn keep_job_buffers(&self, bytes: usize) {
        self.job_buffers.keep_unused(bytes);
    }

    pub(crate) fn path(&self, file_id: Uuid) -> Path {
        path_below(&self.root, file_id)
    }

    /// Writes a file completely or not at all. Files with an id from [`Objects::landed_id`] go to two landing buckets.
    /// Retries until `deadline`, and starts a second attempt in parallel if the first one hangs. If a file of the same
    /// size exists, an earlier attempt wrote it and its response was lost, since no other agent has this id. Writes are
    /// conditional, so a late attempt changes nothing.
    ///
    /// # Errors
    /// Returns an error if the file is not written before the deadline, or (never seen in practice) if another object
    /// has its name. After [`StoreError::NotLanded`], the file can be written to the standard bucket with a new id.
    pub async fn put(&self, file_id: Uuid, chunks: Vec<Bytes>, deadline: Instant) -> Result<(), StoreError> {
        let mut span = child_of_current("PUT data file", SpanKind::Client);
        let payload: PutPayload = chunks.into_iter().collect();
        span.describe(|| {
            vec![
                KeyValue::new("penstock.file.id", file_id.to_string()),
                KeyValue::new("penstock.file.bytes", amount(payload.content_length() as u64)),
            ]
        });
        let written = match &self.landing {
            Some(landing) if is_landed(file_id) => self.land(landing, file_id, payload, deadline, &mut span).await,
            _ => HedgedPut::new(self, file_id, payload).run(deadline, &mut span).await,
        };
        if let Err(error) = &written {
            span.fail(|| error.kind().to_owned());
        }
        written
    }

    /// Reads `start .. end` of a file as consecutive pieces.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or is too short, or if object storage fails despite the client
    /// library's retries.
    pub async fn get(&self, file_id: Uuid, start: u64, end: u64) -> Result<Vec<Bytes>, StoreError> {
        self.get_into(&self.block_buffers, file_id, start, end).await
    }

    /// Like [`Objects::get`], but reads to job buffers.
    ///
    /// # Errors
    /// Returns the same errors as [`Objects::get`].
    pub async fn get_for_job(&self, file_id: Uuid, start: u64, end: u64) -> Result<Vec<Bytes>, StoreError> {
        self.get_into(&self.job_buffers, file_id, start, end).await
    }

    async fn get_into(
        &self,
        buffers: &Arc<BufferPool>,
        file_id: Uuid,
        start: u64,
        end: u64,
    ) -> Result<Vec<Bytes>, StoreError> {
        let mut span = child_of_current("GET data file", SpanKind::Client);
        let started = Instant::now();
        let read = match &self.landing {
            Some(landing) if is_landed(file_id) => self.get_landed(landing, buffers, file_id, start..end).await,
            _ => self.get_standard(buffers, file_id, start..end).await,
        };
        span.describe(|| {
            vec![
                KeyValue::new("penstock.file.id", file_id.to_string()),
                KeyValue::new("penstock.read.bytes", amount(end - start)),
            ]
        });
        if let Err(error) = &read {
            span.fail(|| error.kind().to_owned());
        }
        if read.is_ok() {
            self.counters.get_latency.record(started.elapsed());
            self.counters.get_bytes.fetch_add(end - start, Ordering::Relaxed);
        }
        read
    }

    async fn get_standard(
        &self,
        buffers: &Arc<BufferPool>,
        file_id: Uuid,
        range: Range<u64>,
    ) -> Result<Vec<Bytes>, StoreError> {
        self.counters.gets.fetch_add(1, Ordering::Relaxed);
        self.get_at(self.store.as_ref(), &self.root, buffers, file_id, range)
            .await
            .inspect_err(|_| {
                self.counters.get_errors.fetch_add(1, Ordering::Relaxed);
            })
    }

    async fn get_at(
        &self,
        store: &dyn ObjectStore,
        root: &Path,
        buffers: &Arc<BufferPool>,
        file_id: Uuid,
        wanted: Range<u64>,
    ) -> Result<Vec<Bytes>, StoreError> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(wanted.clone())),
            ..Default::default()
        };
        let failed = |error: object_store::Error| {
            self.counters.failed(&error);
            match error {
                object_store::Error::NotFound { .. } => StoreError::NotFound(file_id),
                error => StoreError::Failed(with_causes(&error)),
            }
        };
        let found = store
            .get_opts(&path_below(root, file_id), options)
            .await
            .map_err(failed)?;
        let (range, bytes) = (found.range.clone(), wanted.end - wanted.start);
        let truncated = StoreError::Truncated {
            file_id,
            end: wanted.end,
        };
        if range != wanted {
            return Err(truncated);
        }
        let chunks = match found.payload {
            GetResultPayload::File(file, _) => read_local(file, range, Arc::clone(buffers)).await?,
            GetResultPayload::Stream(stream) => gather(stream, bytes, buffers).await.map_err(failed)?,
        };
        if chunks.iter().map(|chunk| chunk.len() as u64).sum::<u64>() == bytes {
            Ok(chunks)
        } else {
            Err(truncated)
        }
    }

    /// Deletes files; landed ones from all landing buckets. Missing files count as deleted. Returns the files that are
    /// now deleted everywhere.
    ///
    /// If an agent without landing buckets deletes a landed file, its copies stay until an agent with landing buckets
    /// collects orphans.
    pub async fn delete(&self, file_ids: &[Uuid]) -> Vec<Uuid> {
        self.counters
            .deletes
            .fetch_add(file_ids.len() as u64, Ordering::Relaxed);
        let deletions = futures_util::stream::iter(file_ids.to_vec()).map(|file_id| async move {
            let landing = self.landing.as_ref().filter(|_| is_landed(file_id));
            let landed = landing.into_iter().flat_map(Landing::places);
            let copies = landed
                .map(|place| (&place.store, &place.root))
                .chain([(&self.store, &self.root)]);
            let deleted = copies.map(|(store, root)| self.delete_at(store.as_ref(), root, file_id));
            let is_gone = join_all(deleted).await.into_iter().all(|is_gone| is_gone);
            is_gone.then_some(file_id)
        });
        deletions
            .buffer_unordered(8)
            .filter_map(std::future::ready)
            .collect()
            .await
    }

    async fn delete_at(&self, store: &dyn ObjectStore, root: &Path, file_id: Uuid) -> bool {
        match store.delete(&path_below(root, file_id)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => true,
            Err(error) => {
                self.counters.failed(&error);
                tracing::warn!(%file_id, error = with_causes(&error), "cannot delete a data file; will retry");
                false
            }
        }
    }

    /// Lists the data files of the standard bucket with one of the 256 name prefixes (the last two hex digits of the
    /// id), with one page in memory at a time. Object stores list by name, so the ids are in time order; S3 directory
    /// buckets and folders list in no order. Skips objects with other names.
    pub fn list(&self, spread: u8) -> BoxStream<'_, Result<ListedFile, StoreError>> {
        self.list_at(self.store.as_ref(), &self.root, spread)
    }

    /// Like [`Self::list`], for the landing bucket of a zone. Lists nothing for a zone without one.
    pub fn list_landed(&self, zone: &str, spread: u8) -> BoxStream<'_, Result<ListedFile, StoreError>> {
        let mut places = self.landing.iter().flat_map(Landing::places);
        match places.find(|place| place.zone == zone) {
            Some(place) => self.list_at(place.store.as_ref(), &place.root, spread),
            None => futures_util::stream::empty().boxed(),
        }
    }

    fn list_at(
        &self,
        store: &dyn ObjectStore,
        root: &Path,
        spread: u8,
    ) -> BoxStream<'_, Result<ListedFile, StoreError>> {
        let prefix = root.clone().join(format!("{spread:02x}"));
        let listed = store.list(Some(&prefix)).filter_map(|object| {
            std::future::ready(match object {
                Ok(object) => listed_file(&object).map(Ok),
                Err(error) => {
                    self.counters.failed(&error);
                    Some(Err(StoreError::Failed(with_causes(&error))))
                }
            })
        });
        listed.boxed()
    }
}

/// Reads a local file to pooled buffers. The client library would allocate and zero new ones.
async fn read_local(file: File, range: Range<u64>, buffers: Arc<BufferPool>) -> Result<Vec<Bytes>, StoreError> {
    let most = buffers.buffer_bytes();
    let reading = run_blocking(move || {
        let mut chunks = Vec::new();
        let mut position = range.start;
        while position < range.end {
            let len = usize::try_from(range.end - position).map_or(most, |left| left.min(most));
            let mut buffer = buffers.take(len);
            file.read_exact_at(buffer.as_mut(), position)?;
            chunks.push(buffer.freeze());
            position += len as u64;
        }
        Ok(chunks)
    });
    let read: io::Result<Vec<Bytes>> = reading.await.unwrap_or_else(|error| Err(io::Error::other(error)));
    read.map_err(|error| StoreError::Failed(with_causes(&error)))
}

/// Collects a stream in pooled buffers. Each buffer of the cache holds at most one block, so that evicting a block
/// frees its memory, even if it arrived with others in one request. The caller compares the total length with `bytes`,
/// because a stream may have fewer or more.
async fn gather(
    mut stream: BoxStream<'static, object_store::Result<Bytes>>,
    bytes: u64,
    buffers: &Arc<BufferPool>,
) -> object_store::Result<Vec<Bytes>> {
    let mut rest = usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut chunks = Vec::new();
    let mut buffer = None;
    while let Some(piece) = stream.next().await {
        let mut piece = piece?;
        if buffer.is_none() && piece.len() >= rest {
            chunks.push(piece);
            return Ok(chunks);
        }
        while !piece.is_empty() {
            let (filling, filled) = buffer.get_or_insert_with(|| (buffers.take(rest.min(buffers.buffer_bytes())), 0));
            let room = &mut filling.as_mut()[*filled..];
            let taken = piece.split_to(piece.len().min(room.len()));
            room[..taken.len()].copy_from_slice(&taken);
            *filled += taken.len();
            if taken.len() == room.len() {
                rest -= *filled;
                chunks.extend(buffer.take().map(|(full, _)| full.freeze()));
            }
            if rest == 0 {
                chunks.extend((!piece.is_empty()).then_some(piece));
                return Ok(chunks);
            }
        }
    }
    Ok(chunks)
}

fn path_below(root: &Path, file_id: Uuid) -> Path {
    let name = file_id.hyphenated().to_string();
    let spread = name[name.len() - 2..].to_owned();
    root.clone().join(spread).join(format!("{name}{EXTENSION}"))
}

fn listed_file(object: &ObjectMeta) -> Option<ListedFile> {
    let name = object.location.filename()?.strip_suffix(EXTENSION)?;
    Some(ListedFile {
        file_id: Uuid::try_parse(name).ok()?,
        modified_ms: object.last_modified.timestamp_millis(),
    })
}

/// Converts an amount to a trace attribute value.
fn amount(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod landed_tests;
#[cfg(test)]
mod tests;
