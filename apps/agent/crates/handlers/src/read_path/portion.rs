//! What a consumer reads next of its partition, and in which stretch of which file that lies.

use std::ops::Range;

use penstock_metadata_client::cache::Run;
use penstock_store::{FileRange, STRETCH_BYTES};
use uuid::Uuid;

/// A part of a data file that comes with one request if all of it is wanted. In the order of the files' ids, which begin with the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stretch {
    pub(crate) file_id: Uuid,
    pub(crate) number: u64,
}

/// What is left of a run within one stretch.
#[derive(Debug, Clone)]
pub(crate) struct Portion {
    pub(crate) stretch: Stretch,
    /// Within the file. It may begin in the stretch before: what one answer takes lies in one portion.
    pub(crate) range: Range<u64>,
    /// What one answer takes of it at most.
    pub(crate) next_bytes: u64,
    pub(crate) file_bytes: u64,
    /// The end of a transaction, which lies in no file.
    pub(crate) is_marker: bool,
}

impl Portion {
    pub(crate) fn file_range(&self) -> FileRange {
        FileRange {
            file_id: self.stretch.file_id,
            file_bytes: self.file_bytes,
            start: self.range.start,
            end: self.range.end,
        }
    }
}

/// The next portion of each of a partition's runs. The first run is read from `start` on.
pub(crate) fn portions(runs: &[Run], start: u64, max_bytes: usize) -> impl Iterator<Item = Portion> {
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
