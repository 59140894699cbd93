//! Copies the runs of a job into its file, and checks every batch on the way: what is damaged must not get into a file that takes the
//! place of others.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt as _};
use penstock_handlers::Context;
use penstock_store::{FileIndex, FileWriter, IndexedRun, Objects, Place, StoreError, encode_index, encode_places};
use penstock_wire::record_batch::BatchChecker;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::counters::JobCounters;
use super::plan::{Plan, SourceRun, Target, Window};

/// Requests under way at once.
const READS_IN_FLIGHT: usize = 8;
/// A place in a run is noted about each so many bytes.
const PLACE_INTERVAL_BYTES: u64 = 1 << 20;

/// Why a job ends without a file.
#[derive(Debug, Error)]
pub(crate) enum CopyError {
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A source does not hold what was committed.
    #[error("data file {file_id} is damaged in the run at byte {position}: {reason}")]
    Damaged {
        file_id: Uuid,
        position: u64,
        reason: String,
    },
}

/// Where a target run lies in the new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenRun {
    pub(crate) position: u64,
    pub(crate) bytes: u64,
}

/// Carries out a plan. Returns the size of the file, and where in it the target runs lie.
///
/// # Errors
/// The writer is to be aborted.
pub(crate) async fn copy(
    context: &Context,
    objects: &Arc<Objects>,
    counters: &Arc<JobCounters>,
    plan: &Plan,
    memory_bytes: usize,
    writer: &mut FileWriter,
) -> Result<(u64, Vec<WrittenRun>), CopyError> {
    let mut sources = Sources::new(objects, counters, plan, memory_bytes);
    let mut index = FileIndex {
        file_id: writer.file_id(),
        topics: topics(context, plan),
        runs: Vec::with_capacity(plan.targets.len()),
    };
    let (mut written, mut places) = (Vec::with_capacity(plan.targets.len()), Vec::new());
    for target in &plan.targets {
        let mut copied = CopiedRun::new(target, writer.position());
        for run in &target.runs {
            copied.copy(run, plan, &mut sources, writer).await?;
        }
        copied.check_offsets(plan)?;
        let bytes = writer.position() - copied.began;
        index.runs.push(IndexedRun {
            topic: target.topic,
            partition: target.partition,
            // The plan admits none that is larger.
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            batches: copied.batches,
        });
        written.push(WrittenRun {
            position: copied.began,
            bytes,
        });
        places.append(&mut copied.places);
    }
    writer.write(&encode_places(&places)).await?;
    writer.write(&encode_index(&index)).await?;
    Ok((writer.finish().await?, written))
}

/// By id, with the names that they have now; a topic that is gone has none.
fn topics(context: &Context, plan: &Plan) -> Vec<(Uuid, String)> {
    let catalogue = context.cache.catalogue();
    let name = |id: Uuid| catalogue.topic_by_id(id).map(|topic| topic.name.to_string());
    plan.topics
        .iter()
        .map(|id| (*id, name(*id).unwrap_or_default()))
        .collect()
}

/// A target run in the making.
struct CopiedRun<'a> {
    target: &'a Target,
    /// Where in the file it begins.
    began: u64,
    checker: BatchChecker,
    /// Of the next batch, in the file.
    next_position: u64,
    /// Of the next batch.
    next_offset: i64,
    max_timestamp_ms: i64,
    batches: u32,
    places: Vec<Place>,
}

impl<'a> CopiedRun<'a> {
    fn new(target: &'a Target, began: u64) -> Self {
        Self {
            target,
            began,
            checker: BatchChecker::default(),
            next_position: began,
            next_offset: target.base_offset,
            max_timestamp_ms: i64::MIN,
            batches: 0,
            places: Vec::new(),
        }
    }

    async fn copy(
        &mut self,
        run: &SourceRun,
        plan: &Plan,
        sources: &mut Sources,
        writer: &mut FileWriter,
    ) -> Result<(), CopyError> {
        let damaged = |reason: String| CopyError::Damaged {
            file_id: plan.sources[run.source].file_id,
            position: run.position,
            reason,
        };
        let (mut position, end) = (run.position, run.position + run.bytes);
        while position < end {
            let piece = sources.take(run.source, position, end).await?;
            position += piece.len() as u64;
            self.check(&piece).map_err(damaged)?;
            writer.write(&piece).await?;
        }
        if self.checker.is_between_batches() {
            Ok(())
        } else {
            Err(damaged("it ends in the middle of a batch".to_owned()))
        }
    }

    fn check(&mut self, piece: &[u8]) -> Result<(), String> {
        let Self {
            target,
            began,
            checker,
            next_position,
            next_offset,
            max_timestamp_ms,
            batches,
            places,
        } = self;
        let mut holds_too_much = false;
        let fed = checker.feed(piece, |header, bytes| {
            let last = places.last().map_or(*began, |place| place.position);
            if *next_position - last >= PLACE_INTERVAL_BYTES {
                places.push(Place {
                    position: *next_position,
                    offset: *next_offset,
                    max_timestamp_before_ms: *max_timestamp_ms,
                });
            }
            holds_too_much |= header.last_offset_delta < 0;
            *next_offset += i64::from(header.last_offset_delta) + 1;
            holds_too_much |= *next_offset > target.end_offset;
            *next_position += bytes as u64;
            *max_timestamp_ms = (*max_timestamp_ms).max(header.max_timestamp_ms);
            *batches += 1;
        });
        fed.map_err(|error| error.to_string())?;
        if holds_too_much {
            return Err("it holds more records than were committed".to_owned());
        }
        Ok(())
    }

    /// All records of the run have come.
    fn check_offsets(&self, plan: &Plan) -> Result<(), CopyError> {
        if self.next_offset == self.target.end_offset {
            return Ok(());
        }
        // Which of them lacks some cannot be told: the job says how many there are together.
        let first = self.target.runs.first();
        Err(CopyError::Damaged {
            file_id: first.map_or(Uuid::nil(), |run| plan.sources[run.source].file_id),
            position: first.map_or(0, |run| run.position),
            reason: format!(
                "it and the {} runs after it hold fewer records of partition {} than were committed",
                self.target.runs.len() - 1,
                self.target.partition
            ),
        })
    }
}

/// Reads the windows of a plan, some of them ahead.
struct Sources {
    windows: BoxStream<'static, Result<LoadedWindow, StoreError>>,
    open: HashMap<usize, LoadedWindow>,
}

struct LoadedWindow {
    source: usize,
    /// Where `rest` begins in the source.
    position: u64,
    rest: VecDeque<Bytes>,
    _memory: OwnedSemaphorePermit,
}

impl Sources {
    /// The windows that are open at once take two thirds of the memory; what is read ahead takes the rest.
    fn new(objects: &Arc<Objects>, counters: &Arc<JobCounters>, plan: &Plan, memory_bytes: usize) -> Self {
        let memory = Arc::new(Semaphore::new(memory_bytes));
        let file_ids: Vec<Uuid> = plan.sources.iter().map(|source| source.file_id).collect();
        let (objects, counters) = (Arc::clone(objects), Arc::clone(counters));
        let windows = futures_util::stream::iter(plan.windows.clone())
            .map(move |window| {
                let load = load(
                    Arc::clone(&objects),
                    Arc::clone(&counters),
                    Arc::clone(&memory),
                    file_ids[window.source],
                    window,
                );
                // In a task of its own, so that it goes on while others are copied.
                let loading = tokio::spawn(load);
                async move {
                    loading
                        .await
                        .unwrap_or_else(|error| Err(StoreError::Failed(error.to_string())))
                }
            })
            .buffered(READS_IN_FLIGHT)
            .boxed();
        Self {
            windows,
            open: HashMap::new(),
        }
    }

    /// The bytes of a source from `position` on: at least one, none from `end` on.
    async fn take(&mut self, source: usize, position: u64, end: u64) -> Result<Bytes, StoreError> {
        loop {
            if let Some(window) = self.open.get_mut(&source)
                && let Some(piece) = window.take(position, end)
            {
                if window.rest.is_empty() {
                    self.open.remove(&source);
                }
                return Ok(piece);
            }
            // Windows come in the order in which they are needed, so the next one is this source's. Its former one is done with, and
            // has to give its memory back first.
            self.open.remove(&source);
            match self.windows.next().await {
                Some(window) => {
                    let window = window?;
                    self.open.insert(window.source, window);
                }
                None => return Err(StoreError::Failed("a job's plan reads too little".to_owned())),
            }
        }
    }
}

impl LoadedWindow {
    fn take(&mut self, position: u64, end: u64) -> Option<Bytes> {
        let mut to_skip = position.checked_sub(self.position)?;
        while let Some(mut front) = self.rest.pop_front() {
            let len = front.len() as u64;
            if len <= to_skip {
                to_skip -= len;
                self.position += len;
                continue;
            }
            // Both are at most the length of a piece in memory.
            #[expect(clippy::cast_possible_truncation, reason = "within a piece in memory")]
            let (skipped, wanted) = (to_skip as usize, (end - position).min(len - to_skip) as usize);
            let _ = front.split_to(skipped);
            let piece = front.split_to(wanted);
            if !front.is_empty() {
                self.rest.push_front(front);
            }
            self.position = position + wanted as u64;
            return Some(piece);
        }
        None
    }
}

async fn load(
    objects: Arc<Objects>,
    counters: Arc<JobCounters>,
    memory: Arc<Semaphore>,
    file_id: Uuid,
    window: Window,
) -> Result<LoadedWindow, StoreError> {
    let bytes = window.end - window.start;
    let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
    let memory = memory.acquire_many_owned(permits).await;
    let memory = memory.map_err(|closed| StoreError::Failed(closed.to_string()))?;
    JobCounters::add(&counters.gets, 1);
    let rest = objects.get(file_id, window.start, window.end).await?;
    JobCounters::add(&counters.read_bytes, bytes);
    Ok(LoadedWindow {
        source: window.source,
        position: window.start,
        rest: rest.into(),
        _memory: memory,
    })
}
