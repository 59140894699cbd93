//! Reads the batches of consecutive runs with their offsets, and verifies them. A batch that is too large for memory is
//! returned in parts.

use bytes::{Bytes, BytesMut};
use penstock_wire::record_batch::{Batch, BatchChecker, BatchError, BatchHeader, EndMarker, HEADER_BYTES};
use uuid::Uuid;

use super::super::copy::CopyError;
use super::super::plan::{Piece, Plan, SourceRun, Target};
use super::super::sources::Sources;

/// The next part of the runs being read.
pub(super) enum BatchPart {
    /// A whole batch and its base offset.
    Batch(i64, Batch),
    /// The header of a batch that is too large to hold in memory, and its base offset. Its bytes follow.
    LargeBatch(i64, BatchHeader),
    /// More bytes of the large batch.
    Bytes(Bytes),
    /// The end of a source run, or of a marker's batch.
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
    /// True if the marker at this index was already returned.
    is_marker_out: bool,
    /// Position in the source of the first byte after `rest`.
    position: u64,
    /// Bytes read but not returned yet.
    rest: Bytes,
    next_offset: i64,
    /// The large batch being returned in parts.
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

    /// The base offset of the next batch, or the end offset of the target.
    pub(super) fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// Returns the next part, or `None` at the end of the target. The batches then cover exactly the target's offsets.
    ///
    /// # Errors
    /// A source cannot be read, or does not contain what was committed.
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

    /// Fills `rest` with at least the next `bytes` of the run.
    async fn read_at_least(&mut self, bytes: usize, run: &SourceRun) -> Result<(), CopyError> {
        if self.rest.is_empty() {
            self.rest = self.take(run, run.position + run.bytes).await?;
        }
        if self.rest.len() >= bytes {
            return Ok(());
        }
        // Joins only as much as needed, to avoid copying the bytes that follow.
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

    /// Returns the next bytes of the run, at most up to `end`.
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

/// Returns the position in its source at which a piece begins.
fn position_of(target: &Target, piece: usize) -> u64 {
    match target.pieces.get(piece) {
        Some(Piece::Run(run)) => run.position,
        Some(Piece::Marker(_)) | None => 0,
    }
}
