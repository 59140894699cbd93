//! How an answer's bytes are shared among the partitions that have some: evenly, so that a consumer of many partitions moves
//! through the data files at one pace and each file is read once for all of them.

use std::collections::HashSet;

use penstock_metadata_client::cache::Run;

/// Data files that one answer may touch. With files of 8 MiB, an answer needs at most 64 MiB of the cache, so that the
/// default cache serves several consumers at different places.
const FILES_PER_ANSWER: usize = 8;

/// What is left of an answer.
#[derive(Debug)]
pub struct Share {
    bytes_left: usize,
    partitions_left: usize,
    files: HashSet<uuid::Uuid>,
    empty: bool,
}

impl Share {
    /// An answer of `max_bytes` for `partitions` partitions that have something.
    #[must_use]
    pub fn new(max_bytes: usize, partitions: usize) -> Self {
        Self {
            bytes_left: max_bytes,
            partitions_left: partitions.max(1),
            files: HashSet::new(),
            empty: true,
        }
    }

    /// The next partition's part, when it wants at most `wanted_bytes`: how many bytes, and which of its runs.
    #[must_use]
    pub fn next<'a>(&mut self, wanted_bytes: usize, runs: &'a [Run]) -> (usize, &'a [Run]) {
        let even = self.bytes_left / self.partitions_left.max(1);
        self.partitions_left = self.partitions_left.saturating_sub(1);
        let bytes = wanted_bytes.min(even);
        let mut covered = 0;
        let mut taken = 0;
        for run in runs {
            let new_file = !self.files.contains(&run.file_id);
            if taken > 0 && covered >= bytes || new_file && self.files.len() >= FILES_PER_ANSWER {
                break;
            }
            self.files.insert(run.file_id);
            covered += run.bytes as usize;
            taken += 1;
        }
        (bytes, &runs[..taken])
    }

    /// Whether the next batch must be sent even if it is larger than all limits: else its consumer would never get on.
    #[must_use]
    pub fn must_send(&self) -> bool {
        self.empty
    }

    /// A partition got this much.
    pub fn sent(&mut self, bytes: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        self.empty &= bytes == 0;
    }

    /// What may still be sent in all.
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.bytes_left
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn run(file: u128, bytes: u32) -> Run {
        Run {
            file_id: Uuid::from_u128(file),
            position: 0,
            bytes,
            base_offset: 0,
            records: 1,
            file_bytes: 1 << 30,
        }
    }

    #[test]
    fn partitions_share_evenly_and_what_one_leaves_goes_to_the_others() {
        let mut share = Share::new(1000, 4);
        assert_eq!(share.next(10_000, &[run(1, 600)]).0, 250);
        share.sent(100);
        assert_eq!(share.next(10_000, &[run(1, 600)]).0, 300);
        share.sent(300);
        assert_eq!(share.next(50, &[run(1, 600)]).0, 50);
    }

    #[test]
    fn an_answer_touches_few_files() {
        let mut share = Share::new(1 << 30, 2);
        let runs: Vec<Run> = (0..20).map(|file| run(file, 100)).collect();
        assert_eq!(share.next(1 << 20, &runs).1.len(), FILES_PER_ANSWER);
        assert_eq!(share.next(1 << 20, &runs[..3]).1.len(), 3);
        assert!(share.next(1 << 20, &runs[12..]).1.is_empty());
    }

    #[test]
    fn the_first_batch_is_always_sent() {
        let mut share = Share::new(0, 1);
        assert!(share.must_send());
        assert_eq!(share.next(100, &[run(1, 600)]).1.len(), 1);
        share.sent(600);
        assert!(!share.must_send());
    }
}
