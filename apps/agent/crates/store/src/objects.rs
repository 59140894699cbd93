//! Data files by id: writing each exactly once, reading ranges, deleting and listing.

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

/// What record batches lie in; see [`crate::FileIndex`] for the format.
const EXTENSION: &str = ".batches";
/// Of buffers for blocks of the cache.
const BLOCK_BUFFER_BYTES: usize = 4 << 20;
/// The cache evicts about as much as it loads.
const UNUSED_BLOCK_BUFFERS: usize = 8;
/// Small, because a job uses windows of files up piece by piece.
const JOB_BUFFER_BYTES: usize = 256 << 10;

/// Requests sent to object storage, as they would be billed. Retries inside the client library are not seen.
#[derive(Debug, Default)]
pub struct ObjectCounters {
    /// Objects written.
    pub puts: AtomicU64,
    /// Reads of objects or of ranges.
    pub gets: AtomicU64,
    /// Objects deleted.
    pub deletes: AtomicU64,
    /// Bytes of the objects written.
    pub put_bytes: AtomicU64,
    /// Attempts to write that failed or hung.
    pub put_errors: AtomicU64,
    /// Second attempts to write a file whose first was slow; included in `puts`.
    pub hedged_puts: AtomicU64,
    /// Bytes read.
    pub get_bytes: AtomicU64,
    /// Reads in the standard bucket that failed.
    pub get_errors: AtomicU64,
    /// How long reads took that succeeded.
    pub get_latency: LatencyHistogram,
    /// Objects written to landing buckets: at least two for each file.
    pub landing_puts: AtomicU64,
    /// Bytes of these.
    pub landing_put_bytes: AtomicU64,
    /// Attempts of these that failed, or were not waited for.
    pub landing_put_errors: AtomicU64,
    /// Reads in landing buckets.
    pub landing_gets: AtomicU64,
    /// Reads in one landing bucket that failed, whether or not another had the file.
    pub landing_get_errors: AtomicU64,
    /// Reads that did not find a file in the landing bucket where they looked first.
    pub landing_misses: AtomicU64,
    /// Files of the low-latency class that were written to the standard bucket, because no two landing buckets took them.
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

/// A data file that was found by listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedFile {
    /// From its name.
    pub file_id: Uuid,
    /// When object storage last saw it written, in milliseconds since the Unix epoch.
    pub modified_ms: i64,
}

/// The data files of one virtual cluster. The name of a file follows from its id alone:
/// `<prefix>/clusters/<cluster id>/data/<last two hex digits of the id>/<id>.batches`. The digits spread the names over
/// the key space, because ids begin with the time and object stores scale by prefix.
#[derive(Debug)]
pub struct Objects {
    pub(crate) store: Arc<dyn ObjectStore>,
    root: Path,
    landing: Option<Landing>,
    block_buffers: Arc<BufferPool>,
    pub(crate) job_buffers: Arc<BufferPool>,
    /// Files are written to a folder.
    is_folder: bool,
    put_times: PutTimes,
    /// What was sent to object storage so far.
    pub counters: ObjectCounters,
}

impl Objects {
    /// The data files of `cluster_id` in `bucket`.
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

    /// The same, with landing buckets for an agent in `own_zone`. Fewer than two are as good as none.
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

    /// Whether this agent has landing buckets.
    #[must_use]
    pub fn has_landing(&self) -> bool {
        self.landing.is_some()
    }

    /// Whether enough of them work.
    #[must_use]
    pub fn can_land(&self) -> bool {
        self.landing.as_ref().is_some_and(Landing::works)
    }

    /// A file goes to the standard bucket after all: for the log, the metrics, and the last errors that the dashboard shows.
    pub fn note_fallback(&self, error: &StoreError) {
        self.counters.landing_fallbacks.fetch_add(1, Ordering::Relaxed);
        tracing::warn!(%error, "writing it to the standard bucket, as all files until two landing buckets work");
        self.counters.keep(Failure {
            class: "landing-fallback",
            code: CleanText::default(),
            message: CleanText::clean(&format!(
                "Files go to the standard bucket, because no two landing buckets take them: {error}"
            )),
        });
    }

    /// The id under which a new file goes to the landing buckets. None without landing buckets, and while fewer than two work: then the file
    /// belongs into the standard bucket, under the id that it has.
    #[must_use]
    pub fn landed_id(&self, file_id: Uuid) -> Option<Uuid> {
        self.landing.as_ref()?.landed_id(file_id)
    }

    /// Buffers that jobs read into and write from are kept between them, up to so many bytes; what is above is freed at once. None are until
    /// this is called.
    pub fn keep_job_buffers(&self, bytes: usize) {
        self.job_buffers.keep_unused(bytes);
    }

    pub(crate) fn path(&self, file_id: Uuid) -> Path {
        path_below(&self.root, file_id)
    }

    /// Writes a file whole, or not at all. One whose id comes from [`Objects::landed_id`] goes to two landing buckets. Tries until `deadline`, and does not wait for an attempt that hangs: a second one runs
    /// beside it. A file that turns out to be there already with the same size is the one that an earlier attempt wrote without
    /// a response, because no other agent has this id. Writes are conditional, so a late attempt changes nothing.
    ///
    /// # Errors
    /// Not written before the deadline, or (never seen in practice) the name is taken by something else. [`StoreError::NotLanded`]: no two
    /// landing buckets took it soon; it can be written under a new id to the standard bucket.
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

    /// Reads `start .. end` of a file, as consecutive pieces.
    ///
    /// # Errors
    /// The file is not there or shorter, or object storage failed although the client library tried again.
    pub async fn get(&self, file_id: Uuid, start: u64, end: u64) -> Result<Vec<Bytes>, StoreError> {
        self.get_into(&self.block_buffers, file_id, start, end).await
    }

    /// The same for a job: into buffers of jobs.
    ///
    /// # Errors
    /// As [`Objects::get`].
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
        let read = self
            .get_at(self.store.as_ref(), &self.root, buffers, file_id, range)
            .await;
        // What lay in landing buckets need not be here.
        let may_lack = self.landing.is_some() && is_landed(file_id);
        read.inspect_err(|error| {
            if !(may_lack && matches!(error, StoreError::NotFound(_))) {
                self.counters.get_errors.fetch_add(1, Ordering::Relaxed);
            }
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

    /// Deletes files, those that landed from all landing buckets. One that is gone already counts as deleted. Returns those that are gone
    /// everywhere now.
    ///
    /// A landed file that an agent without landing buckets deletes stays in them until one with landing buckets collects orphans.
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

    /// The data files of the standard bucket whose names lie under one of the 256 spreads (the last two hex digits of the id), one listed
    /// page in memory at a time. Object stores list by name, so the ids come in order of their times; S3's directory buckets and folders
    /// list in no order. Objects with other names are not ours and are passed over.
    pub fn list(&self, spread: u8) -> BoxStream<'_, Result<ListedFile, StoreError>> {
        self.list_at(self.store.as_ref(), &self.root, spread)
    }

    /// The same for the landing bucket of a zone; nothing for a zone without one.
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

/// Reads a file of this machine into buffers that are used again; the client library would make new ones and zero them.
async fn read_local(file: File, range: Range<u64>, buffers: Arc<BufferPool>) -> Result<Vec<Bytes>, StoreError> {
    let most = buffers.buffer_bytes();
    let reading = tokio::task::spawn_blocking(move || {
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

/// Gathers a stream in buffers that are used again. Each of the cache's holds at most a block, so a block that the cache lets go of frees its memory,
/// whatever came with it in one request. The caller compares the sum of the lengths with `bytes`: a stream may have fewer or more.
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

/// Amounts as attributes of traces have them.
fn amount(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod landed_tests;
#[cfg(test)]
mod tests;
