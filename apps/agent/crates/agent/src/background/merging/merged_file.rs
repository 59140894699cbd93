//! The merged file: its runs, their places, and its index.

use penstock_handlers::Context;
use penstock_store::{FileIndex, FileWriter, IndexedRun, Place, StoreError, encode_index, encode_places};
use penstock_wire::record_batch::BatchHeader;
use uuid::Uuid;

use super::plan::{Plan, Target};

/// A place in a run is noted about each so many bytes.
const PLACE_INTERVAL_BYTES: u64 = 1 << 20;

/// Where a target run lies in the new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenRun {
    pub(crate) position: u64,
    pub(crate) bytes: u64,
}

/// A file in the making.
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

    /// All batches of the run are written. Returns where it lies.
    pub(crate) fn end_run(&mut self, target: &Target, mut summary: RunSummary) -> WrittenRun {
        let written = WrittenRun {
            position: summary.began,
            bytes: self.writer.position() - summary.began,
        };
        self.index.runs.push(IndexedRun {
            topic: target.topic,
            partition: target.partition,
            // The plan admits none that is larger.
            bytes: u32::try_from(written.bytes).unwrap_or(u32::MAX),
            batches: summary.batches,
        });
        self.runs.push(written);
        self.places.append(&mut summary.places);
        written
    }

    /// Makes the file visible. Returns its size, and where in it the runs lie.
    pub(crate) async fn finish(self) -> Result<(u64, Vec<WrittenRun>), StoreError> {
        self.writer.write(&encode_places(&self.places)).await?;
        self.writer.write(&encode_index(&self.index)).await?;
        Ok((self.writer.finish().await?, self.runs))
    }
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

/// What a merged file records about a run, collected batch by batch.
#[derive(Debug)]
pub(crate) struct RunSummary {
    /// Where in the file it begins.
    began: u64,
    /// Of the next batch, in the file.
    next_position: u64,
    /// Of the next batch.
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

    /// The offset behind the last batch.
    pub(crate) fn next_offset(&self) -> i64 {
        self.next_offset
    }

    /// The latest timestamp of the records; `i64::MIN` without any.
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
