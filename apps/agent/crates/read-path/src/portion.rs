//! The part of a partition that a consumer reads next, and the stretch of the file that contains it.

use std::ops::Range;

use penstock_metadata_client::cache::Run;
use penstock_store::{FileRange, STRETCH_BYTES};
use uuid::Uuid;

/// A part of a data file that is read in one request if all of it is needed. Ordered by file id, which begins with the
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// The id of the file.
    pub file_id: Uuid,
    /// Its index in the file, counted in stretches from the beginning.
    pub number: u64,
}

/// The rest of a run within a stretch.
#[derive(Debug, Clone)]
pub struct Portion {
    /// The stretch that contains the portion, except possibly its beginning.
    pub stretch: Stretch,
    /// The range in the file. It can begin in the previous stretch: everything that one response takes is in one
    /// portion.
    pub range: Range<u64>,
    /// The most that one response takes of it, in bytes.
    pub next_bytes: u64,
    /// Size of the whole file, in bytes.
    pub file_bytes: u64,
    /// True for the end of a transaction, which is in no file.
    pub is_marker: bool,
}

impl Portion {
    /// The range of bytes to read.
    #[must_use]
    pub fn file_range(&self) -> FileRange {
        FileRange {
            file_id: self.stretch.file_id,
            file_bytes: self.file_bytes,
            start: self.range.start,
            end: self.range.end,
        }
    }
}

/// The next portion of each run of a partition. The first run is read from `start`.
pub fn portions(runs: &[Run], start: u64, max_bytes: usize) -> impl Iterator<Item = Portion> {
    let starts = std::iter::once(start).chain(runs.iter().skip(1).map(|run| run.position));
    runs.iter().zip(starts).map(move |(run, start)| {
        let end = run.position + u64::from(run.bytes);
        let next_end = end.min(start + max_bytes as u64).max(start + 1);
        let number = (next_end - 1) / STRETCH_BYTES;
        Portion {
            stretch: Stretch {
                file_id: run.file_id,
                number,
            },
            range: start..end.min((number + 1) * STRETCH_BYTES).max(start),
            next_bytes: next_end - start,
            file_bytes: run.file_bytes,
            is_marker: run.marker.is_some(),
        }
    })
}
