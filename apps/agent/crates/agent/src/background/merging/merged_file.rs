//! Builds the merged file: its runs, their positions and its index.

use penstock_handlers::Context;
use penstock_store::{FileIndex, FileWriter, IndexedRun, Place, StoreError, encode_index, encode_places};
use penstock_wire::record_batch::BatchHeader;
use uuid::Uuid;

use super::plan::{Plan, Target};

/// Bytes between the indexed positions within a run.
const PLACE_INTERVAL_BYTES: u64 = 1 << 20;

/// The position of a target run in the new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenRun {
    pub(crate) position: u64,
    pub(crate) bytes: u64,
}

/// A merged file that is being written.
pub(crate) struct MergedFile<'a> {
    pub(crate) writer: &'a mut FileWriter,
    index: FileIndex,
    places: Vec<Place>,
    runs: Vec<WrittenRun>,
}

impl<'a> MergedFile<'a> {
    pub(crate) fn new(context: &Context, plan: &Plan, writer: &'a mut FileWriter) -> Self {
        let index = FileIndex {
            file_id: writer.file_id(),
            topics: topics(context, plan),
            runs: Vec::with_capacity(plan.targets.len()),
        };
        Self {
            writer,
            index,
            places: Vec::new(),
            runs: Vec::with_capacity(plan.targets.len()),
        }
    }

    /// Ends the run after its last batch. Returns its position.
    pub(crate) fn end_run(&mut self, target: &Target, mut summary: RunSummary) -> WrittenRun {
        let written = WrittenRun {
            position: summary.began,
            bytes: self.writer.position() - summary.began,
        };
        self.index.runs.push(IndexedRun {
            topic: target.topic,
            partition: target.partition,
            // The plan admits no run larger than `u32::MAX`.
            bytes: u32::try_from(written.bytes).unwrap_or(u32::MAX),
            batches: summary.batches,
        });
        self.runs.push(written);
        self.places.append(&mut summary.places);
        written
    }

    /// Completes the file, which makes it visible. Returns its size and the positions of its runs.
    pub(crate) async fn finish(self) -> Result<(u64, Vec<WrittenRun>), StoreError> {
        self.writer.write(&encode_places(&self.places)).await?;
        self.writer.write(&encode_index(&self.index)).await?;
        Ok((self.writer.finish().await?, self.runs))
    }
}

/// The topics by id, with their current names. Deleted topics have no name.
fn topics(context: &Context, plan: &Plan) -> Vec<(Uuid, String)> {
    let catalogue = context.cache.catalogue();
    let name = |id: Uuid| catalogue.topic_by_id(id).map(|topic| topic.name.to_string());
    plan.topics
        .iter()
        .map(|id| (*id, name(*id).unwrap_or_default()))
        .collect()
}

/// The metadata of a run in a merged file, collected batch by batch.
#[derive(Debug)]
pub(crate) struct RunSummary {
    /// Position in the file at which the run begins.
    began: u64,
    /// Position of the next batch in the file.
    next_position: u64,
    /// Base offset of the next batch.
    next_offset: i64,
    max_timestamp_ms: i64,
    batches: u32,
    places: Vec<Place>,
}

impl RunSummary {
    pub(crate) fn new(began: u64, base_offset: i64) -> Self {
        Self {
            began,
            next_position: began,
            next_offset: base_offset,
            max_timestamp_ms: i64::MIN,
            batches: 0,
            places: Vec::new(),
        }
    }

    /// The offset after the last batch.
    pub(crate) fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// The maximum timestamp of the records; `i64::MIN` if there are none.
    pub(crate) fn max_timestamp_ms(&self) -> i64 {
        self.max_timestamp_ms
    }

    /// Adds the next batch.
    pub(crate) fn add(&mut self, header: &BatchHeader, bytes: usize) {
        let last = self.places.last().map_or(self.began, |place| place.position);
        if self.next_position - last >= PLACE_INTERVAL_BYTES {
            self.places.push(Place {
                position: self.next_position,
                offset: self.next_offset,
                max_timestamp_before_ms: self.max_timestamp_ms,
            });
        }
        self.next_offset += i64::from(header.last_offset_delta) + 1;
        self.next_position += bytes as u64;
        if !header.is_control() {
            self.max_timestamp_ms = self.max_timestamp_ms.max(header.max_timestamp_ms);
        }
        self.batches += 1;
    }
}
