//! Runs compaction jobs. Reads each partition once to find the latest record of each key, then rewrites its runs
//! without superseded records, into as many files as needed.
//!
//! Memory: the key map takes half of a job's memory. The rest is shared by file parts being uploaded, read-ahead, and
//! batches being rewritten (see [`Shares`]).

mod batch_reader;
mod key_map;
mod retention;
mod transactions;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use penstock_handlers::Context;
use penstock_metadata_client::proto;
use penstock_runtime::run_blocking;
use penstock_store::{FileWriter, Objects, Parts, StoreError};
use penstock_wire::record_batch::{
    Batch, BatchError, BatchRewriter, FilterOutcome, RecordView, RewriteRules, view_records,
};
use tokio::time::Instant;

use self::batch_reader::{BatchPart, BatchReader};
use self::key_map::KeyMap;
use self::retention::Retention;
use self::transactions::{AbortedRanges, EndFate, Transactions};
use super::copy::CopyError;
use super::counters::JobCounters;
use super::merged_file::{MergedFile, RunSummary, WrittenRun};
use super::plan::{MalformedJob, Piece, Plan, Target};
use super::sources::Sources;

/// Maximum age of an open file. The service refuses old files, so a file ends with the run that reaches this age.
const FILE_AGE: Duration = Duration::from_secs(120);
/// Dirty bytes above which the key scan takes too long to run while a file is open.
const LARGE_DIRTY_BYTES: u64 = 64 << 20;
/// Maximum uncompressed size of a batch that is joined from smaller ones.
const JOINED_BYTES: usize = 1 << 20;
/// Latest delete horizon that the service can store: it accepts times of 53 bits.
const LATEST_HORIZON_MS: i64 = (1 << 53) - 1;

/// How a job's memory is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shares {
    map_bytes: u64,
    parts: Parts,
    read_bytes: usize,
    /// Maximum size of a batch that is rewritten, compressed or not. Larger batches are copied unchanged. A rewrite
    /// holds at most part of the batch as stored, its content, the joined records, and those once more before and after
    /// compression.
    batch_bytes: usize,
}

impl Shares {
    fn of(memory_bytes: u64) -> Self {
        let share = |parts: u64| usize::try_from(memory_bytes / parts).unwrap_or(usize::MAX >> 3);
        Self {
            map_bytes: memory_bytes / 2,
            // Object storage requires parts of at least 5 MiB.
            parts: Parts {
                bytes: share(16).clamp(5 << 20, 64 << 20),
                most: 2,
            },
            read_bytes: share(8),
            batch_bytes: share(32),
        }
    }
}

/// Everything that a job depends on.
#[derive(Clone, Copy)]
pub(crate) struct JobContext<'a> {
    pub(crate) context: &'a Context,
    pub(crate) objects: &'a Arc<Objects>,
    pub(crate) counters: &'a Arc<JobCounters>,
}

/// A running compaction job.
pub(crate) struct Compaction {
    pub(crate) plan: Plan,
    topics: Vec<TopicRules>,
    /// The first dirty offset of each target.
    first_dirty_offsets: Vec<i64>,
    /// The aborted ranges of each partition, by the index of its first target.
    aborted: HashMap<usize, Arc<AbortedRanges>>,
    now_ms: i64,
    shares: Shares,
    file_bytes: u64,
    next_target: usize,
    partition: Option<OpenPartition>,
}

#[derive(Debug, Clone, Copy)]
struct TopicRules {
    delete_retention_ms: i64,
    max_message_bytes: usize,
}

/// The partition that is being rewritten.
struct OpenPartition {
    /// The partition's targets in the job.
    targets: Range<usize>,
    retention: Arc<Retention>,
    /// End offset of the last run whose keys are known.
    cleaned_end: i64,
    sources: Sources,
    /// True if the keys of some kept records are unknown, so that tombstones may still hide them.
    keeps_tombstones: bool,
    transactions: Transactions,
}

/// A target that was written to a finished file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CleanedTarget {
    /// Index of the target in the job.
    pub(crate) target: usize,
    /// End offset of what was cleaned. Lower than the target's own if the map was full.
    pub(crate) end_offset: i64,
    pub(crate) source_bytes: u64,
    pub(crate) run: WrittenRun,
    pub(crate) max_timestamp_ms: i64,
    /// Earliest time at which one of its tombstones can be removed.
    pub(crate) delete_horizon_ms: Option<i64>,
}

/// A file that was completed.
#[derive(Debug)]
pub(crate) struct CompactedFile {
    pub(crate) file_bytes: u64,
    pub(crate) targets: Vec<CleanedTarget>,
}

impl Compaction {
    /// Parses a job that may use `memory_bytes`. A file ends with the run that brings it to `file_bytes`.
    ///
    /// # Errors
    /// Returns an error if the job is inconsistent.
    pub(crate) fn new(job: &proto::MergeJob, memory_bytes: u64, file_bytes: u64) -> Result<Self, MalformedJob> {
        let plan = Plan::new(job)?;
        let is_complete = job.topic_delete_retention_ms.len() == plan.topics.len()
            && job.topic_max_message_bytes.len() == plan.topics.len()
            && job.target_first_dirty_offset.len() == plan.targets.len();
        if !is_complete {
            return Err(MalformedJob("its columns differ in length"));
        }
        let topics = job.topic_delete_retention_ms.iter().zip(&job.topic_max_message_bytes);
        let topics = topics.map(|(retention_ms, max_message_bytes)| TopicRules {
            delete_retention_ms: i64::try_from(*retention_ms).unwrap_or(i64::MAX),
            max_message_bytes: *max_message_bytes as usize,
        });
        let first_dirty_offsets = job.target_first_dirty_offset.iter();
        Ok(Self {
            topics: topics.collect(),
            first_dirty_offsets: first_dirty_offsets
                .map(|offset| i64::try_from(*offset).unwrap_or(i64::MAX))
                .collect(),
            aborted: aborted_ranges(job)?,
            now_ms: i64::try_from(job.now_ms).unwrap_or(i64::MAX),
            shares: Shares::of(memory_bytes),
            file_bytes,
            next_target: 0,
            partition: None,
            plan,
        })
    }

    /// The part sizes in which files are written.
    pub(crate) fn parts(&self) -> Parts {
        self.shares.parts
    }

    /// Returns true if there is another file to write. Reads the keys of the next partition if necessary.
    ///
    /// # Errors
    /// Returns an error if a source cannot be read or is damaged.
    pub(crate) async fn prepare(&mut self, job_context: JobContext<'_>) -> Result<bool, CopyError> {
        while self.partition.is_none() && self.has_more() {
            self.open_partition(job_context).await?;
        }
        Ok(self.partition.is_some())
    }

    /// Returns true if the job has targets left.
    pub(crate) fn has_more(&self) -> bool {
        self.next_target < self.plan.targets.len()
    }

    /// Writes the next file. Call [`Self::prepare`] first.
    ///
    /// # Errors
    /// Returns an error if a source cannot be read or is damaged, or if the file cannot be written. The caller must
    /// then abort the writer.
    pub(crate) async fn next_file(
        &mut self,
        job_context: JobContext<'_>,
        writer: &mut FileWriter,
    ) -> Result<CompactedFile, CopyError> {
        let began = Instant::now();
        let mut file = MergedFile::new(job_context.context, &self.plan, writer);
        let mut targets = Vec::new();
        while self.has_more() {
            if self.partition.is_none() {
                if self.dirty_bytes(&self.targets_of_partition()) > LARGE_DIRTY_BYTES {
                    break;
                }
                self.open_partition(job_context).await?;
            }
            let Some(partition) = &mut self.partition else { continue };
            let work = RewriteSettings {
                plan: &self.plan,
                rules: self.topics[self.plan.targets[self.next_target].topic as usize],
                now_ms: self.now_ms,
                shares: self.shares,
            };
            targets.push(rewrite(job_context, work, self.next_target, partition, &mut file).await?);
            self.next_target += 1;
            let is_through = partition.targets.end == self.next_target
                || self.plan.targets[self.next_target].base_offset >= partition.cleaned_end;
            if is_through {
                self.next_target = partition.targets.end;
                self.partition = None;
            }
            if file.writer.position() >= self.file_bytes || began.elapsed() >= FILE_AGE {
                break;
            }
        }
        let (file_bytes, _) = file.finish().await?;
        Ok(CompactedFile { file_bytes, targets })
    }

    /// The targets of the next partition.
    fn targets_of_partition(&self) -> Range<usize> {
        let partition_of = |at: usize| (self.plan.targets[at].topic, self.plan.targets[at].partition);
        let start = self.next_target;
        let end = (start..self.plan.targets.len()).find(|at| partition_of(*at) != partition_of(start));
        start..end.unwrap_or(self.plan.targets.len())
    }

    /// Returns those targets that hold dirty records, and always the last one, because the last record of a partition
    /// is never removed.
    fn dirty_targets(&self, targets: &Range<usize>) -> Range<usize> {
        let first_dirty_offset = self.first_dirty_offsets[targets.start];
        let first = targets
            .clone()
            .find(|at| self.plan.targets[*at].end_offset > first_dirty_offset);
        first.unwrap_or(targets.end - 1)..targets.end
    }

    fn dirty_bytes(&self, targets: &Range<usize>) -> u64 {
        let dirty = &self.plan.targets[self.dirty_targets(targets)];
        dirty.iter().flat_map(Target::runs).map(|run| run.bytes).sum()
    }

    /// Reads the keys of the next partition. Skips the partition if it has too many.
    async fn open_partition(&mut self, job_context: JobContext<'_>) -> Result<(), CopyError> {
        let targets = self.targets_of_partition();
        let first_dirty_offset = self.first_dirty_offsets[targets.start];
        let dirty = self.dirty_targets(&targets);
        let end_offset = self.plan.targets[targets.end - 1].end_offset;
        let dirty_offsets = u64::try_from(end_offset.saturating_sub(first_dirty_offset)).unwrap_or(0);
        let map = KeyMap::new(dirty_offsets, self.shares.map_bytes);
        let retention = Retention::new(map, first_dirty_offset, end_offset, self.now_ms);
        let aborted = self.aborted.get(&targets.start).cloned().unwrap_or_default();
        let (retention, run_ends) = self.read_keys(job_context, dirty.clone(), retention, &aborted).await?;
        let keys = retention.keys();
        JobCounters::set(&job_context.counters.map_keys, keys as u64);
        let mut cleaned_end = end_offset;
        if retention.is_full() {
            JobCounters::add(&job_context.counters.maps_full, 1);
            let known = run_ends.partition_point(|end| *end <= retention.mapped_end());
            let last_known = known.checked_sub(1).map(|last| run_ends[last]);
            cleaned_end = last_known.filter(|end| *end > first_dirty_offset).unwrap_or(0);
        }
        if cleaned_end == 0 {
            let target = &self.plan.targets[targets.start];
            let (topic, partition) = (self.plan.topics[target.topic as usize], target.partition);
            tracing::warn!(
                %topic, partition, keys,
                "a run of a compacted partition was not compacted: its keys do not fit into the memory of a job. Raise --job-memory-bytes"
            );
            self.next_target = targets.end;
            return Ok(());
        }
        self.partition = Some(OpenPartition {
            sources: self.sources(job_context, targets.clone()),
            targets,
            retention: Arc::new(retention),
            cleaned_end,
            keeps_tombstones: false,
            transactions: Transactions::new(aborted, cleaned_end, self.now_ms),
        });
        Ok(())
    }

    fn sources(&self, job_context: JobContext<'_>, targets: Range<usize>) -> Sources {
        let read_bytes = self.shares.read_bytes;
        let windows = self
            .plan
            .windows(&self.plan.targets[targets], (read_bytes / 3 * 2) as u64);
        Sources::new(
            job_context.objects,
            job_context.counters,
            &self.plan.sources,
            windows,
            read_bytes,
        )
    }

    /// Reads the keys of the dirty targets. Also returns the offsets at which source runs end.
    async fn read_keys(
        &mut self,
        job_context: JobContext<'_>,
        targets: Range<usize>,
        mut retention: Retention,
        aborted: &Arc<AbortedRanges>,
    ) -> Result<(Retention, Vec<i64>), CopyError> {
        let mut sources = self.sources(job_context, targets.clone());
        let batch_bytes = self.shares.batch_bytes;
        let mut run_ends = Vec::new();
        for target in &self.plan.targets[targets] {
            let mut reader = BatchReader::new(&self.plan, target, &mut sources, batch_bytes);
            let mut chunk = Chunk::default();
            loop {
                let piece = reader.next().await?;
                let is_end = piece.is_none();
                match piece {
                    Some(BatchPart::Batch(base_offset, batch)) => chunk.push(base_offset, batch),
                    Some(BatchPart::RunEnd) => run_ends.push(reader.next_offset()),
                    Some(BatchPart::LargeBatch(..) | BatchPart::Bytes(_)) | None => {}
                }
                if is_end || chunk.bytes >= batch_bytes {
                    let batches = std::mem::take(&mut chunk).batches;
                    let aborted = Arc::clone(aborted);
                    retention = off_thread(job_context.counters, move || {
                        note_records(&mut retention, &aborted, &batches, batch_bytes as u64);
                        retention
                    })
                    .await?;
                }
                if retention.is_full() {
                    return Ok((retention, run_ends));
                }
                if is_end {
                    break;
                }
            }
        }
        Ok((retention, run_ends))
    }
}

fn aborted_ranges(job: &proto::MergeJob) -> Result<HashMap<usize, Arc<AbortedRanges>>, MalformedJob> {
    let mut ranges: HashMap<usize, AbortedRanges> = HashMap::new();
    for aborted in &job.aborted {
        let Some(transaction) = &aborted.transaction else {
            return Err(MalformedJob("an aborted transaction is missing"));
        };
        ranges.entry(aborted.target as usize).or_default().add(
            transaction.producer_id,
            transaction.first_offset,
            transaction.last_offset,
        );
    }
    Ok(ranges
        .into_iter()
        .map(|(target, ranges)| (target, Arc::new(ranges)))
        .collect())
}

/// Batches that are rewritten together.
#[derive(Default)]
struct Chunk {
    batches: Vec<(i64, Batch)>,
    bytes: usize,
}

impl Chunk {
    fn push(&mut self, base_offset: i64, batch: Batch) {
        self.bytes += batch.bytes.len();
        self.batches.push((base_offset, batch));
    }
}

fn note_records(retention: &mut Retention, aborted: &AbortedRanges, batches: &[(i64, Batch)], max_content_bytes: u64) {
    for (base_offset, batch) in batches {
        // Records that no consumer sees supersede nothing.
        if batch.header.is_control() || aborted.hold(&batch.header, *base_offset) {
            continue;
        }
        // A batch that cannot be read is copied unchanged, so it supersedes nothing.
        let _ = view_records(*base_offset, batch, max_content_bytes, |record| retention.note(record));
    }
}

/// Runs CPU-bound work on a blocking thread so that it delays no client, and counts its CPU time.
async fn off_thread<T: Send + 'static>(
    counters: &Arc<JobCounters>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let counters = Arc::clone(counters);
    let done = run_blocking(move || counters.timed_call(work)).await;
    done.map_err(|error| StoreError::Failed(error.to_string()))
}

/// The settings for rewriting a target.
#[derive(Clone, Copy)]
struct RewriteSettings<'a> {
    plan: &'a Plan,
    rules: TopicRules,
    now_ms: i64,
    shares: Shares,
}

impl RewriteSettings<'_> {
    fn rules(&self) -> RewriteRules {
        RewriteRules {
            joined_bytes: JOINED_BYTES.min(self.shares.batch_bytes),
            max_batch_bytes: self.rules.max_message_bytes,
            max_content_bytes: self.shares.batch_bytes as u64,
            new_delete_horizon_ms: self.now_ms.saturating_add(self.rules.delete_retention_ms),
        }
    }
}

/// Writes the records of a target that remain.
async fn rewrite(
    job_context: JobContext<'_>,
    work: RewriteSettings<'_>,
    target_index: usize,
    partition: &mut OpenPartition,
    file: &mut MergedFile<'_>,
) -> Result<CleanedTarget, CopyError> {
    let target = &work.plan.targets[target_index];
    let end_offset = target.end_offset.min(partition.cleaned_end);
    let mut out = Output {
        job_context,
        retention: &partition.retention,
        keeps_tombstones: &mut partition.keeps_tombstones,
        transactions: &mut partition.transactions,
        rewriter: BatchRewriter::new(work.rules(), target.base_offset),
        summary: RunSummary::new(file.writer.position(), target.base_offset),
        file,
        new_delete_horizon_ms: work.rules().new_delete_horizon_ms,
        delete_horizon_ms: None,
    };
    let mut reader = BatchReader::new(work.plan, target, &mut partition.sources, work.shares.batch_bytes);
    let (mut chunk, mut source_bytes, mut pieces) = (Chunk::default(), 0, target.pieces.iter());
    let mut is_large_aborted = false;
    while let Some(piece) = reader.next().await? {
        match piece {
            BatchPart::Batch(base_offset, batch) => {
                chunk.push(base_offset, batch);
                if chunk.bytes >= work.shares.batch_bytes {
                    out = out.take(std::mem::take(&mut chunk)).await?;
                }
            }
            BatchPart::LargeBatch(base_offset, header) => {
                out = out.take(std::mem::take(&mut chunk)).await?;
                is_large_aborted = out.transactions.meet(&header, base_offset);
                if !is_large_aborted {
                    out.skip(base_offset, reader.next_offset()).await?;
                    out.summary.add(&header, header.batch_bytes()?);
                    *out.keeps_tombstones = true;
                }
            }
            BatchPart::Bytes(_) if is_large_aborted => {}
            BatchPart::Bytes(bytes) => out.file.writer.write(&bytes).await?,
            BatchPart::RunEnd => {
                source_bytes += pieces.next().map_or(0, Piece::bytes);
                if reader.next_offset() >= end_offset {
                    break;
                }
            }
        }
    }
    out = out.take(chunk).await?;
    out.skip(end_offset, end_offset).await?;
    let (max_timestamp_ms, delete_horizon_ms) = (out.summary.max_timestamp_ms(), out.delete_horizon_ms);
    let run = out.file.end_run(target, out.summary);
    JobCounters::add(
        &job_context.counters.dropped_bytes,
        source_bytes.saturating_sub(run.bytes),
    );
    Ok(CleanedTarget {
        target: target_index,
        end_offset,
        source_bytes,
        run,
        max_timestamp_ms,
        delete_horizon_ms,
    })
}

/// A run that is being written.
struct Output<'a, 'file> {
    job_context: JobContext<'a>,
    retention: &'a Arc<Retention>,
    /// The partition's flag, updated as batches are copied.
    keeps_tombstones: &'a mut bool,
    /// The transactions of the partition.
    transactions: &'a mut Transactions,
    rewriter: BatchRewriter,
    summary: RunSummary,
    file: &'a mut MergedFile<'file>,
    /// The delete horizon for tombstones that have none.
    new_delete_horizon_ms: i64,
    /// The earliest horizon of all tombstones in the run that a later cleaning can remove.
    delete_horizon_ms: Option<i64>,
}

impl Output<'_, '_> {
    /// Adds a chunk. Takes `self` by value because the rewriter runs on another thread.
    async fn take(mut self, chunk: Chunk) -> Result<Self, CopyError> {
        let (retention, mut keeps) = (Arc::clone(self.retention), *self.keeps_tombstones);
        let (new_horizon_ms, mut first_horizon_ms) = (self.new_delete_horizon_ms, self.delete_horizon_ms);
        let mut rewriter = self.rewriter;
        let mut transactions = std::mem::take(self.transactions);
        let rewriting = off_thread(self.job_context.counters, move || {
            let (mut written, mut dropped) = (Vec::new(), 0u64);
            for (base_offset, batch) in chunk.batches {
                if batch.header.is_control() {
                    let horizon_ms = match transactions.end(&batch.header, base_offset, new_horizon_ms) {
                        EndFate::Goes => continue,
                        EndFate::Stays => None,
                        EndFate::StaysUntil(horizon_ms) => Some(horizon_ms),
                    };
                    first_horizon_ms = earlier(first_horizon_ms, horizon_ms);
                    rewriter.take_marker(base_offset, &batch, horizon_ms, &mut written)?;
                    continue;
                }
                if transactions.meet(&batch.header, base_offset) {
                    dropped += u64::from(batch.header.records_count.unsigned_abs());
                    continue;
                }
                let mut batch_horizon_ms = None;
                let keep = |record: &RecordView<'_>| {
                    let stays = retention.keeps(record, keeps);
                    // Other records are never removed by time alone.
                    if stays && record.is_tombstone && !keeps && !retention.is_last(record) {
                        let horizon_ms = record.delete_horizon_ms.unwrap_or(new_horizon_ms);
                        batch_horizon_ms = earlier(batch_horizon_ms, Some(horizon_ms));
                    }
                    stays
                };
                match rewriter.take(base_offset, &batch, keep, &mut written)? {
                    FilterOutcome::Filtered { dropped: records } => {
                        dropped += u64::from(records);
                        first_horizon_ms = earlier(first_horizon_ms, batch_horizon_ms);
                    }
                    FilterOutcome::Copied(error) => {
                        keeps = true;
                        tracing::debug!(base_offset, %error, "a batch of a compacted partition was not compacted: it cannot be read");
                    }
                }
            }
            Ok::<_, BatchError>((rewriter, transactions, written, dropped, keeps, first_horizon_ms))
        });
        let (rewriter, transactions, written, dropped, keeps, first_horizon_ms) = rewriting.await??;
        *self.keeps_tombstones = keeps;
        *self.transactions = transactions;
        self.delete_horizon_ms = first_horizon_ms;
        JobCounters::add(&self.job_context.counters.dropped_records, dropped);
        self.rewriter = rewriter;
        self.write(written).await?;
        Ok(self)
    }

    /// Finishes the records before `offset`. The following ones begin at `next_offset`.
    async fn skip(&mut self, offset: i64, next_offset: i64) -> Result<(), CopyError> {
        let mut written = Vec::new();
        self.rewriter.skip(offset, next_offset, &mut written)?;
        Ok(self.write(written).await?)
    }

    async fn write(&mut self, written: Vec<Batch>) -> Result<(), StoreError> {
        for batch in written {
            self.summary.add(&batch.header, batch.bytes.len());
            self.file.writer.write(&batch.bytes).await?;
        }
        Ok(())
    }
}

/// The earlier of two optional times, ignoring `None`.
fn earlier(one_ms: Option<i64>, other_ms: Option<i64>) -> Option<i64> {
    one_ms.into_iter().chain(other_ms).min()
}

/// The completion message for a finished file.
pub(crate) fn completion(
    job: &proto::MergeJob,
    compaction: &Compaction,
    file: &CompactedFile,
) -> proto::CompleteJobRequest {
    let plan = &compaction.plan;
    let targets = || file.targets.iter();
    let target = |cleaned: &CleanedTarget| &plan.targets[cleaned.target];
    let sources: BTreeSet<usize> = targets()
        .flat_map(|cleaned| target(cleaned).runs().map(|run| run.source))
        .collect();
    proto::CompleteJobRequest {
        job_id: plan.job_id.clone(),
        file_bytes: file.file_bytes,
        level: plan.level,
        source_file_ids: sources.into_iter().map(|at| job.source_file_ids[at].clone()).collect(),
        topic_ids: job.topic_ids.clone(),
        target_topic: targets().map(|cleaned| target(cleaned).topic).collect(),
        target_partition: targets().map(|cleaned| target(cleaned).partition).collect(),
        target_base_offset: targets()
            .map(|cleaned| job.target_base_offset[cleaned.target])
            .collect(),
        target_end_offset: targets().map(|cleaned| cleaned.end_offset.cast_unsigned()).collect(),
        target_position: targets().map(|cleaned| cleaned.run.position).collect(),
        target_bytes: targets().map(|cleaned| cleaned.run.bytes).collect(),
        compact: true,
        aborted_removed: !job.aborted.is_empty(),
        has_more: compaction.has_more(),
        target_source_bytes: targets().map(|cleaned| cleaned.source_bytes).collect(),
        target_max_timestamp_ms: targets().map(|cleaned| cleaned.max_timestamp_ms.max(-1)).collect(),
        target_delete_horizon_ms: targets()
            .map(|cleaned| cleaned.delete_horizon_ms)
            .map(|horizon_ms| horizon_ms.map_or(0, |ms| ms.clamp(1, LATEST_HORIZON_MS).cast_unsigned()))
            .collect(),
        plan: job.plan.clone(),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests;
