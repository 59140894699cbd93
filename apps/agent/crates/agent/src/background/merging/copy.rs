//! Copies the runs of a job into its file. Verifies every batch, so that no damaged batch enters a merged file.

use std::sync::Arc;

use penstock_handlers::Context;
use penstock_store::{FileWriter, Objects, StoreError};
use penstock_wire::record_batch::{BatchChecker, BatchError, EndMarker};
use thiserror::Error;
use uuid::Uuid;

use super::counters::JobCounters;
use super::merged_file::{MergedFile, RunSummary, WrittenRun};
use super::plan::{Piece, Plan, SourceRun, Target};
use super::sources::Sources;

/// Why a job failed to write its file.
#[derive(Debug, Error)]
pub(crate) enum CopyError {
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A source does not contain what was committed.
    #[error("data file {file_id} is damaged in the run at byte {position}: {reason}")]
    Damaged {
        file_id: Uuid,
        position: u64,
        reason: String,
    },
    /// The remaining records cannot be encoded.
    #[error("cannot encode a batch: {0}")]
    Encode(#[from] BatchError),
}

/// Executes a plan. Returns the file size and the positions of the target runs.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or is damaged. The caller must then abort the writer.
pub(crate) async fn copy(
    context: &Context,
    objects: &Arc<Objects>,
    counters: &Arc<JobCounters>,
    plan: &Plan,
    memory_bytes: usize,
    writer: &mut FileWriter,
) -> Result<(u64, Vec<WrittenRun>), CopyError> {
    let windows = plan.windows(&plan.targets, (memory_bytes / 3 * 2) as u64);
    let mut sources = Sources::new(objects, counters, &plan.sources, windows, memory_bytes);
    let mut file = MergedFile::new(context, plan, writer);
    for target in &plan.targets {
        let mut copied = CopiedRun::new(target, file.writer.position());
        for piece in &target.pieces {
            match piece {
                Piece::Run(run) => copied.copy(run, plan, &mut sources, file.writer).await?,
                Piece::Marker(marker) => copied.end_transaction(*marker, file.writer).await?,
            }
        }
        copied.check_offsets(plan)?;
        file.end_run(target, copied.summary);
    }
    Ok(file.finish().await?)
}

/// A target run that is being copied.
struct CopiedRun<'a> {
    target: &'a Target,
    checker: BatchChecker,
    summary: RunSummary,
}

impl<'a> CopiedRun<'a> {
    fn new(target: &'a Target, began: u64) -> Self {
        Self {
            target,
            checker: BatchChecker::default(),
            summary: RunSummary::new(began, target.base_offset),
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

    /// Adds the control batch that readers get for a marker.
    async fn end_transaction(&mut self, marker: EndMarker, writer: &mut FileWriter) -> Result<(), CopyError> {
        let batch = marker.batch();
        self.summary.add(&batch.header, batch.bytes.len());
        Ok(writer.write(&batch.bytes).await?)
    }

    fn check(&mut self, piece: &[u8]) -> Result<(), String> {
        let Self {
            target,
            checker,
            summary,
        } = self;
        let mut holds_too_much = false;
        let fed = checker.feed(piece, |header, bytes| {
            summary.add(header, bytes);
            holds_too_much |= header.last_offset_delta < 0 || summary.next_offset() > target.end_offset;
        });
        fed.map_err(|error| error.to_string())?;
        if holds_too_much {
            return Err("it holds more records than were committed".to_owned());
        }
        Ok(())
    }

    /// Checks that the run holds exactly the committed offsets.
    fn check_offsets(&self, plan: &Plan) -> Result<(), CopyError> {
        if self.summary.next_offset() == self.target.end_offset {
            return Ok(());
        }
        // The job has only the total, so the run that lacks records is unknown.
        let first = self.target.runs().next();
        Err(CopyError::Damaged {
            file_id: first.map_or(Uuid::nil(), |run| plan.sources[run.source].file_id),
            position: first.map_or(0, |run| run.position),
            reason: format!(
                "it and the {} runs after it hold other records of partition {} than were committed",
                self.target.runs().count().saturating_sub(1),
                self.target.partition
            ),
        })
    }
}
