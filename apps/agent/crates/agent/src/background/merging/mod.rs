//! Runs merge jobs one at a time: gets a job from the metadata service, writes the runs of many files to one file, and
//! asks the service to swap them. Compacts partitions in the same way. Never changes the sources; the service queues
//! them for deletion once they are unreferenced.

mod compact;
mod copy;
mod counters;
mod merged_file;
mod plan;
mod sources;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_handlers::Context;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_store::{FileWriter, Objects, Parts, StoreError};
use penstock_telemetry::{CleanText, ErrorKind, Failure};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use compact::{Compaction, JobContext};
use copy::{CopyError, copy};
pub(crate) use counters::JobCounters;
use merged_file::WrittenRun;
use plan::{MalformedJob, Plan};

/// Minimum size of an uploaded part of a merged file.
const LEAST_PART_BYTES: u64 = 16 << 20;
/// Maximum size of an uploaded part. Larger parts would save little: a 1 GiB file takes 16 of this size.
const MOST_PART_BYTES: u64 = 64 << 20;
/// Job memory above which several parts are uploaded at once, because one connection is slower than a job.
const MEMORY_FOR_MORE_PARTS: u64 = 512 << 20;
const COMPACTED_FILE_BYTES: u64 = 512 << 20;
/// Minimum memory for a job: its parts, and as much again for what it reads.
pub(crate) const MIN_MEMORY_BYTES: u64 = 64 << 20;
/// Interval between lease renewals. Leases last 60 s.
const RENEWAL: Duration = Duration::from_secs(20);
/// Time limit for a copy. The service refuses files whose id is more than ten minutes old.
const COPY_TIMEOUT: Duration = Duration::from_secs(8 * 60);
const COMPLETE_UNTIL: Duration = Duration::from_secs(10 * 60);
/// Pause before the next job request if the service names none or is unreachable.
const PAUSE: Duration = Duration::from_secs(10);
/// Pause before asking again if the service refuses the agent.
const PAUSE_WHEN_REFUSED: Duration = Duration::from_secs(60);
const MIN_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// How long the buffers of jobs are kept without a job before they are freed.
const BUFFERS_UNUSED: Duration = Duration::from_secs(10 * 60);
/// Maximum number of damaged files to remember until the agent stops.
const MAX_DAMAGED: usize = 10_000;

/// Why a job was not completed.
#[derive(Debug, Error)]
enum GiveUp {
    #[error("the job belongs to another agent by now, or there is nothing left to do")]
    Lost,
    #[error("the agent is stopping")]
    Stopping,
    #[error("it would take longer than the metadata service admits")]
    TooLate,
    #[error("data file {0} was found damaged before")]
    KnownDamage(Uuid),
    #[error(transparent)]
    Malformed(#[from] MalformedJob),
    #[error(transparent)]
    Copy(#[from] CopyError),
}

/// Takes and runs one job, as an agent with the role `jobs` does repeatedly. Used to measure the cost of a job.
pub async fn take_one_job(context: Arc<Context>, objects: Arc<Objects>, memory_bytes: u64) {
    let (_running, stopping) = watch::channel(false);
    let mut merging = Merging::new(context, objects, Arc::default(), memory_bytes, stopping);
    merging.turn().await;
}

/// The part sizes for a merged file: an eighth of the job's memory, or half if it has little.
fn merged_parts(memory_bytes: u64) -> Parts {
    let most = if memory_bytes < MEMORY_FOR_MORE_PARTS { 2 } else { 4 };
    let bytes = (memory_bytes / (8 * most)).clamp(LEAST_PART_BYTES, MOST_PART_BYTES);
    let of_memory = |share: u64| usize::try_from(share).unwrap_or(usize::MAX);
    Parts {
        bytes: of_memory(bytes),
        most: of_memory(most),
    }
}

/// Runs the jobs of an agent with the role `jobs`.
pub(crate) struct Merging {
    context: Arc<Context>,
    objects: Arc<Objects>,
    counters: Arc<JobCounters>,
    memory_bytes: u64,
    /// Target size of compacted files. A file ends with the run that reaches it.
    compacted_file_bytes: u64,
    stopping: watch::Receiver<bool>,
    last_job_ended: Instant,
    /// Files that were found damaged. Jobs that name them are not retried.
    damaged: HashSet<Uuid>,
}

impl Merging {
    /// Creates a runner whose jobs use at most `memory_bytes` each. `stopping` becomes true when the agent stops.
    pub(crate) fn new(
        context: Arc<Context>,
        objects: Arc<Objects>,
        counters: Arc<JobCounters>,
        memory_bytes: u64,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            context,
            objects,
            counters,
            memory_bytes: memory_bytes.max(MIN_MEMORY_BYTES),
            compacted_file_bytes: COMPACTED_FILE_BYTES,
            stopping,
            last_job_ended: Instant::now(),
            damaged: HashSet::new(),
        }
    }

    /// Runs jobs until the agent stops.
    pub(crate) async fn run(mut self) {
        let mut stopping = self.stopping.clone();
        loop {
            let pause = self.turn().await;
            tokio::select! {
                () = sleep(pause) => {}
                () = stopped(&mut stopping) => return,
            }
        }
    }

    /// Takes and runs a job. Returns how long to wait before requesting the next one.
    pub(crate) async fn turn(&mut self) -> Duration {
        let request = proto::TakeJobRequest {
            agent_id: self.context.node.agent_id.clone(),
            wants_job: true,
            can_compact: true,
            can_read_landed: self.objects.has_landing(),
            ..Default::default()
        };
        let answer = match self.context.metadata.take_job(request, DEFAULT_TIMEOUT).await {
            Ok(answer) => answer,
            Err(error) => {
                tracing::debug!(%error, "cannot request a merge job");
                return if error.is_retriable() {
                    PAUSE
                } else {
                    PAUSE_WHEN_REFUSED
                };
            }
        };
        let pause = match answer.ask_again_ms {
            0 => PAUSE,
            pause_ms => Duration::from_millis(pause_ms.into()),
        };
        let pause = pause.clamp(MIN_PAUSE, MAX_PAUSE);
        let Some(job) = answer.job else {
            if self.last_job_ended.elapsed() >= BUFFERS_UNUSED {
                self.objects.keep_job_buffers(0);
            }
            return pause;
        };
        let is_done = if job.compact {
            // The other half is for the key map.
            self.keep_buffers(self.memory_bytes / 2);
            self.compact(&job).await
        } else {
            self.keep_buffers(self.memory_bytes);
            self.merge(&job).await
        };
        self.last_job_ended = Instant::now();
        if is_done {
            // More jobs may be waiting.
            MIN_PAUSE
        } else {
            pause.max(PAUSE)
        }
    }

    /// Keeps up to `bytes` of buffers for the next job.
    fn keep_buffers(&self, bytes: u64) {
        self.objects
            .keep_job_buffers(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// Runs a merge job. Returns true if it was completed.
    async fn merge(&mut self, job: &proto::MergeJob) -> bool {
        let began = Instant::now();
        // The id is drawn when writing starts, because the service checks the file's age by it on completion.
        let mut writer = FileWriter::new(
            Arc::clone(&self.objects),
            self.context.cache.clock.new_file_id(),
            merged_parts(self.memory_bytes),
        );
        let copied = self.copy_while_leased(job, &mut writer).await;
        JobCounters::add(&self.counters.puts, writer.puts());
        match copied {
            Ok((plan, file_bytes, runs)) => {
                JobCounters::add(&self.counters.written_bytes, file_bytes);
                let request = self.completion(job, &plan, writer.file_id(), file_bytes, &runs);
                self.complete(request, writer.file_id(), began).await
            }
            Err(reason) => {
                writer.abort().await;
                self.give_up(&reason);
                false
            }
        }
    }

    /// Runs a compaction job. Returns true if all its files replaced their sources.
    async fn compact(&mut self, job: &proto::MergeJob) -> bool {
        let begun = Compaction::new(job, self.memory_bytes, self.compacted_file_bytes).map_err(GiveUp::from);
        let begun = begun.and_then(|compaction| self.check_damage(&compaction.plan).map(|()| compaction));
        let mut compaction = match begun {
            Ok(compaction) => compaction,
            Err(reason) => {
                self.give_up(&reason);
                return false;
            }
        };
        loop {
            let (context, objects) = (Arc::clone(&self.context), Arc::clone(&self.objects));
            let job_context = JobContext {
                context: &context,
                objects: &objects,
                counters: &self.counters,
            };
            let job_id = &job.job_id;
            let prepared = self.while_leased(job_id, compaction.prepare(job_context)).await;
            match prepared {
                Ok(true) => {}
                Ok(false) => return true,
                Err(reason) => {
                    self.give_up(&reason);
                    return false;
                }
            }
            let began = Instant::now();
            let file_id = context.cache.clock.new_file_id();
            let mut writer = FileWriter::new(Arc::clone(&objects), file_id, compaction.parts());
            let writing = within_copy_timeout(compaction.next_file(job_context, &mut writer));
            let written = self.while_leased(job_id, writing).await;
            JobCounters::add(&self.counters.puts, writer.puts());
            let file = match written {
                Ok(file) => file,
                Err(reason) => {
                    writer.abort().await;
                    self.give_up(&reason);
                    return false;
                }
            };
            JobCounters::add(&self.counters.written_bytes, file.file_bytes);
            let request = proto::CompleteJobRequest {
                agent_id: self.context.node.agent_id.clone(),
                file_id: Bytes::copy_from_slice(file_id.as_bytes()),
                ..compact::completion(job, &compaction, &file)
            };
            // Correctness depends on this order: a tombstone can be removed only after the records that it hides.
            let has_more = request.has_more;
            if !self.complete(request, file_id, began).await {
                return false;
            }
            if !has_more {
                return true;
            }
        }
    }

    /// Counts and logs the failure, and remembers damaged files.
    fn give_up(&mut self, reason: &GiveUp) {
        self.count_and_log(reason);
        if let GiveUp::Copy(CopyError::Damaged { file_id, .. }) = reason
            && self.damaged.len() < MAX_DAMAGED
        {
            self.damaged.insert(*file_id);
        }
    }

    fn check_damage(&self, plan: &Plan) -> Result<(), GiveUp> {
        let mut files = plan.sources.iter().map(|source| source.file_id);
        files
            .find(|file_id| self.damaged.contains(file_id))
            .map_or(Ok(()), |known| Err(GiveUp::KnownDamage(known)))
    }

    /// Runs `work` until the job's lease is lost or the agent stops.
    async fn while_leased<T, E>(&self, job_id: &Bytes, work: impl Future<Output = Result<T, E>>) -> Result<T, GiveUp>
    where
        GiveUp: From<E>,
    {
        let mut stopping = self.stopping.clone();
        tokio::select! {
            done = self.counters.timed(work) => Ok(done?),
            () = self.until_lease_lost(job_id) => Err(GiveUp::Lost),
            () = stopped(&mut stopping) => Err(GiveUp::Stopping),
        }
    }

    async fn copy_while_leased(
        &self,
        job: &proto::MergeJob,
        writer: &mut FileWriter,
    ) -> Result<(Plan, u64, Vec<WrittenRun>), GiveUp> {
        let for_reading = self.memory_bytes - merged_parts(self.memory_bytes).memory_bytes() as u64;
        let plan = Plan::new(job)?;
        self.check_damage(&plan)?;
        let reads = usize::try_from(for_reading).unwrap_or(usize::MAX >> 3);
        let copying = copy(&self.context, &self.objects, &self.counters, &plan, reads, writer);
        let (file_bytes, runs) = self.while_leased(&plan.job_id, within_copy_timeout(copying)).await?;
        Ok((plan, file_bytes, runs))
    }

    /// Renews the job's lease, and returns when it is lost. Work continues while the service is unreachable: if the
    /// lease has expired by then, the service checks the sources before it swaps them.
    async fn until_lease_lost(&self, job_id: &Bytes) {
        loop {
            sleep(RENEWAL).await;
            let request = proto::TakeJobRequest {
                agent_id: self.context.node.agent_id.clone(),
                running_job_ids: vec![job_id.clone()],
                ..Default::default()
            };
            match self.context.metadata.take_job(request, DEFAULT_TIMEOUT).await {
                Ok(answer) if answer.lost_job_ids.contains(job_id) => return,
                Ok(_) => {}
                Err(error) => tracing::debug!(%error, "cannot renew the lease of a job"),
            }
        }
    }

    fn completion(
        &self,
        job: &proto::MergeJob,
        plan: &Plan,
        file_id: Uuid,
        file_bytes: u64,
        runs: &[WrittenRun],
    ) -> proto::CompleteJobRequest {
        proto::CompleteJobRequest {
            agent_id: self.context.node.agent_id.clone(),
            job_id: plan.job_id.clone(),
            file_id: Bytes::copy_from_slice(file_id.as_bytes()),
            file_bytes,
            level: plan.level,
            source_file_ids: job.source_file_ids.clone(),
            topic_ids: job.topic_ids.clone(),
            target_topic: job.target_topic.clone(),
            target_partition: job.target_partition.clone(),
            target_base_offset: job.target_base_offset.clone(),
            target_end_offset: job.target_end_offset.clone(),
            target_position: runs.iter().map(|run| run.position).collect(),
            target_bytes: runs.iter().map(|run| run.bytes).collect(),
            plan: job.plan.clone(),
            ..Default::default()
        }
    }

    /// Asks the service to replace the sources with the file. Deletes the file only if the service refuses it: while
    /// the outcome is unknown, the file may hold the only copy of its records.
    async fn complete(&self, request: proto::CompleteJobRequest, file_id: Uuid, began: Instant) -> bool {
        let remaining = COMPLETE_UNTIL.saturating_sub(began.elapsed());
        let (sources, file_bytes, has_more) = (request.source_file_ids.len(), request.file_bytes, request.has_more);
        match self.context.metadata.complete_job(request, remaining).await {
            Ok(answer) if answer.applied => {
                JobCounters::add(&self.counters.done, u64::from(!has_more));
                tracing::debug!(%file_id, file_bytes, sources, "merged data files");
                true
            }
            Ok(answer) => {
                JobCounters::add(&self.counters.given_up, 1);
                tracing::debug!(%file_id, reason = answer.reason, "the metadata service rejected a merged file; deleting it");
                self.objects.delete(&[file_id]).await;
                false
            }
            Err(error) => {
                JobCounters::add(&self.counters.failed, 1);
                self.context.metrics.metadata_failed(&error);
                self.keep_unconfirmed(file_id, &error);
                false
            }
        }
    }

    fn keep_unconfirmed(&self, file_id: Uuid, error: &RpcError) {
        tracing::warn!(%file_id, %error, "cannot tell whether a merged file was committed; keeping it. If it was not, it will be deleted as an orphan");
    }

    /// Counts and logs the end of a job. Only damaged records and storage failures need an operator.
    fn count_and_log(&self, reason: &GiveUp) {
        let counter = match reason {
            GiveUp::Lost | GiveUp::Stopping | GiveUp::Copy(CopyError::Store(StoreError::NotFound(_))) => {
                tracing::debug!(%reason, "gave up a merge job");
                &self.counters.given_up
            }
            GiveUp::Copy(CopyError::Damaged { .. }) => {
                tracing::error!(
                    %reason,
                    "records in object storage are damaged; the file is kept and will not be merged. Restore it from an object version or a backup of the bucket"
                );
                let failure = Failure {
                    class: "damaged",
                    code: CleanText::default(),
                    message: CleanText::clean(&reason.to_string()),
                };
                self.objects.counters.last_errors.record(ErrorKind::Store, failure);
                &self.counters.failed
            }
            _ => {
                tracing::warn!(%reason, "merge job failed");
                &self.counters.failed
            }
        };
        JobCounters::add(counter, 1);
    }
}

/// Aborts a copy before the service would refuse its file as too old.
async fn within_copy_timeout<T>(work: impl Future<Output = Result<T, CopyError>>) -> Result<T, GiveUp> {
    Ok(timeout(COPY_TIMEOUT, work).await.map_err(|_| GiveUp::TooLate)??)
}

/// Returns when the agent stops.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // An error means that the agent is gone.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

#[cfg(test)]
mod tests;
