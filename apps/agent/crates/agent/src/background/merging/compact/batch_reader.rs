//! Reads the batches of consecutive runs, whole and checked, with their offsets. A batch that is too large for memory comes in parts.

use bytes::{Bytes, BytesMut};
use penstock_wire::record_batch::{Batch, BatchChecker, BatchError, BatchHeader, EndMarker, HEADER_BYTES};
use uuid::Uuid;

use super::super::copy::CopyError;
use super::super::plan::{Piece, Plan, SourceRun, Target};
use super::super::sources::Sources;

/// What comes next.
pub(super) enum BatchPart {
    /// A batch, and where it begins.
    Batch(i64, Batch),
    /// A batch that is too large to be held begins here: bytes follow.
    LargeBatch(i64, BatchHeader),
    /// Of the large batch.
    Bytes(Bytes),
    /// A run of a source ends here, or the batch of a marker.
    RunEnd,
}

/// Reads the runs of one target.
pub(super) struct BatchReader<'a> {
    plan: &'a Plan,
    target: &'a Target,
    sources: &'a mut Sources,
    max_batch_bytes: usize,
    /// Index into the target's pieces.
    piece: usize,
    /// The marker at this index was handed out.
    is_marker_out: bool,
    /// Where in the source the bytes after `rest` lie.
    position: u64,
    /// Bytes that are read but not handed out.
    rest: Bytes,
    next_offset: i64,
    /// Of the large batch that is under way.
    large: Option<LargeBatch>,
}

struct LargeBatch {
    checker: BatchChecker,
    bytes_left: usize,
}

impl<'a> BatchReader<'a> {
    pub(super) fn new(plan: &'a Plan, target: &'a Target, sources: &'a mut Sources, max_batch_bytes: usize) -> Self {
        Self {
            plan,
            target,
            sources,
            max_batch_bytes,
            piece: 0,
            is_marker_out: false,
            position: position_of(target, 0),
            rest: Bytes::new(),
            next_offset: target.base_offset,
            large: None,
        }
    }

    /// Where the next batch begins, or the target ends.
    pub(super) fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// `None` at the end of the target, whose batches then span exactly its offsets.
    ///
    /// # Errors
    /// A source cannot be read, or does not hold what was committed.
    pub(super) async fn next(&mut self) -> Result<Option<BatchPart>, CopyError> {
        if self.large.is_some() {
            return self.next_of_large().await.map(Some);
        }
        let run = match self.target.pieces.get(self.piece).copied() {
            Some(Piece::Run(run)) => run,
            Some(Piece::Marker(marker)) => return self.next_of_marker(marker).map(Some),
            None => return Ok(None),
        };
        if self.rest.is_empty() && self.position == run.position + run.bytes {
            self.end_piece()?;
            return Ok(Some(BatchPart::RunEnd));
        }
        self.read_at_least(HEADER_BYTES, &run).await?;
        let refused = |error: BatchError| self.damaged(&run, error.to_string());
        let header = BatchHeader::of(&self.rest).map_err(refused)?;
        let bytes = header.batch_bytes().map_err(refused)?;
        let base_offset = self.next_offset;
        let next_offset = base_offset + i64::from(header.last_offset_delta) + 1;
        if header.last_offset_delta < 0 || next_offset > self.target.end_offset {
            return Err(self.damaged(&run, "it holds more records than were committed".to_owned()));
        }
        self.next_offset = next_offset;
        if bytes > self.max_batch_bytes {
            self.large = Some(LargeBatch {
                checker: BatchChecker::default(),
                bytes_left: bytes,
            });
            return Ok(Some(BatchPart::LargeBatch(base_offset, header)));
        }
        self.read_at_least(bytes, &run).await?;
        let checked = Batch::split_off(&mut self.rest).and_then(|batch| batch.check_crc().map(|()| batch));
        let batch = checked.map_err(|error| self.damaged(&run, error.to_string()))?;
        Ok(Some(BatchPart::Batch(base_offset, batch)))
    }

    fn next_of_marker(&mut self, marker: EndMarker) -> Result<BatchPart, CopyError> {
        self.is_marker_out = !self.is_marker_out;
        if !self.is_marker_out {
            self.end_piece()?;
            return Ok(BatchPart::RunEnd);
        }
        let base_offset = self.next_offset;
        self.next_offset += 1;
        Ok(BatchPart::Batch(base_offset, marker.batch()))
    }

    async fn next_of_large(&mut self) -> Result<BatchPart, CopyError> {
        let Some(Piece::Run(run)) = self.target.pieces.get(self.piece).copied() else {
            return Ok(BatchPart::RunEnd);
        };
        self.read_at_least(1, &run).await?;
        let Some(large) = &mut self.large else {
            return Ok(BatchPart::Bytes(Bytes::new()));
        };
        let bytes = self.rest.split_to(self.rest.len().min(large.bytes_left));
        large.bytes_left -= bytes.len();
        let is_done = large.bytes_left == 0;
        let checked = large.checker.feed(&bytes, |_, _| {});
        if is_done {
            self.large = None;
        }
        match checked {
            Ok(()) => Ok(BatchPart::Bytes(bytes)),
            Err(error) => Err(self.damaged(&run, error.to_string())),
        }
    }

    fn end_piece(&mut self) -> Result<(), CopyError> {
        self.piece += 1;
        self.position = position_of(self.target, self.piece);
        if self.piece < self.target.pieces.len() || self.next_offset == self.target.end_offset {
            return Ok(());
        }
        let last = self.target.runs().last();
        Err(CopyError::Damaged {
            file_id: last.map_or(Uuid::nil(), |run| self.plan.sources[run.source].file_id),
            position: last.map_or(0, |run| run.position),
            reason: format!(
                "it and the {} runs before it hold other records of partition {} than were committed",
                self.target.runs().count().saturating_sub(1),
                self.target.partition
            ),
        })
    }

    /// Has the next `bytes` of the run in `rest`, and what came with them.
    async fn read_at_least(&mut self, bytes: usize, run: &SourceRun) -> Result<(), CopyError> {
        if self.rest.is_empty() {
            self.rest = self.take(run, run.position + run.bytes).await?;
        }
        if self.rest.len() >= bytes {
            return Ok(());
        }
        // No more than is needed is joined, so that what follows is not copied.
        let mut joined = BytesMut::with_capacity(bytes);
        joined.extend_from_slice(&self.rest);
        while joined.len() < bytes {
            let end = self.position + (bytes - joined.len()) as u64;
            let piece = self.take(run, end.min(run.position + run.bytes)).await?;
            joined.extend_from_slice(&piece);
        }
        self.rest = joined.freeze();
        Ok(())
    }

    /// The next bytes of the run, none of them behind `end`.
    async fn take(&mut self, run: &SourceRun, end: u64) -> Result<Bytes, CopyError> {
        if self.position == end {
            return Err(self.damaged(run, "it ends in the middle of a batch".to_owned()));
        }
        let piece = self.sources.take(run.source, self.position, end).await?;
        self.position += piece.len() as u64;
        Ok(piece)
    }

    fn damaged(&self, run: &SourceRun, reason: String) -> CopyError {
        CopyError::Damaged {
            file_id: self.plan.sources[run.source].file_id,
            position: run.position,
            reason,
        }
    }
}

/// Where in its source a piece begins.
fn position_of(target: &Target, piece: usize) -> u64 {
    match target.pieces.get(piece) {
        Some(Piece::Run(run)) => run.position,
        Some(Piece::Marker(_)) | None => 0,
    }
}
