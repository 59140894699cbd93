//! Chooses the stretches of data files from which a response is read. In a backlog, a consumer's partitions drift
//! apart, and each stretch contains data of many partitions: serving each partition from its own position would fetch
//! the same stretches repeatedly.

use std::time::SystemTime;

use penstock_store::{MERGED_FILE_BYTES, STRETCH_BYTES, is_fresh};
use uuid::Uuid;

use super::portion::{Portion, Stretch};

/// The oldest stretches with needed data go first, so that partitions that are behind catch up while the others wait. A
/// response uses enough of them to leave this many bytes in them.
const ENOUGH_BYTES: u64 = 8 << 20;
/// Maximum total size of these stretches, including data that is not needed. Several consumers at different positions
/// fit in the default cache: each needs a stretch of a merged file and the next one, or four files of 8 MiB.
const MAX_BYTES: u64 = 40 << 20;
const MAX_STRETCHES: usize = 8;
/// Stretches for the partition whose turn it is, which does not wait for the others. Few, so that it does not get far
/// ahead of them.
const TURN_STRETCHES: usize = 2;
/// Number of newest files that count as the tail. All consumers read them there, so partitions need not wait for each
/// other.
const TAIL_FILES: usize = 8;

/// A stretch with needed data.
#[derive(Debug)]
struct Old {
    stretch: Stretch,
    /// Number of bytes that are needed from it.
    left_bytes: u64,
    /// Number of those bytes that one response takes.
    next_bytes: u64,
    /// Size of the stretch in bytes.
    bytes: u64,
}

/// The stretches of one response.
#[derive(Debug)]
pub struct StretchWindow {
    /// In ascending order. The last may be the one after those of this response.
    oldest: Vec<Old>,
    /// How many of these are for this response.
    admitted: usize,
    /// True if the one after that will be needed soon.
    reads_ahead: bool,
    turn: Vec<Stretch>,
    tail: Vec<Uuid>,
    now: SystemTime,
}

impl StretchWindow {
    /// Creates the window for partitions with these portions, each in offset order. The first partition with any has
    /// its turn. In merged files this applies only if `has_long_turn`, because a turn there costs a request that other
    /// partitions do not share yet.
    pub fn new<Portions: Iterator<Item = Portion>>(
        partitions: impl Iterator<Item = Portions>,
        now: SystemTime,
        has_long_turn: bool,
    ) -> Self {
        let mut window = Self {
            oldest: Vec::with_capacity(MAX_STRETCHES + 2),
            admitted: 0,
            reads_ahead: false,
            turn: Vec::with_capacity(TURN_STRETCHES),
            tail: Vec::new(),
            now,
        };
        let mut has_turn = false;
        for portions in partitions {
            let is_its_turn = !has_turn;
            let mut is_old = true;
            for (number, portion) in portions.filter(|portion| !portion.is_marker).enumerate() {
                has_turn = true;
                let takes_turn = is_its_turn
                    && number < TURN_STRETCHES
                    && (has_long_turn || portion.file_bytes <= MERGED_FILE_BYTES);
                if takes_turn {
                    window.turn.push(portion.stretch);
                }
                // Later runs of a partition are usually in later files; merged files are newer than their contents.
                is_old = is_old && window.note_old(&portion);
                let goes_on = is_old || (is_its_turn && number + 1 < TURN_STRETCHES);
                if !goes_on {
                    break;
                }
            }
        }
        window.admit_oldest();
        window
    }

    /// Returns true if the portion's stretch is among the oldest so far.
    fn note_old(&mut self, portion: &Portion) -> bool {
        let left_bytes = portion.range.end - portion.range.start;
        let stretch = portion.stretch;
        match self.oldest.binary_search_by_key(&stretch, |old| old.stretch) {
            Ok(at) => {
                self.oldest[at].left_bytes += left_bytes;
                self.oldest[at].next_bytes += portion.next_bytes;
                true
            }
            Err(at) if at > MAX_STRETCHES => false,
            Err(at) => {
                let file_rest = portion.file_bytes.saturating_sub(stretch.number * STRETCH_BYTES);
                let old = Old {
                    stretch,
                    left_bytes,
                    next_bytes: portion.next_bytes,
                    bytes: file_rest.min(STRETCH_BYTES),
                };
                self.oldest.insert(at, old);
                self.oldest.truncate(MAX_STRETCHES + 1);
                true
            }
        }
    }

    fn admit_oldest(&mut self) {
        let (mut left_bytes, mut next_bytes, mut bytes) = (0, 0, 0);
        for old in self.oldest.iter().take(MAX_STRETCHES) {
            let is_too_much = left_bytes >= ENOUGH_BYTES || bytes + old.bytes > MAX_BYTES;
            if self.admitted > 0 && is_too_much {
                break;
            }
            left_bytes += old.left_bytes;
            next_bytes += old.next_bytes;
            bytes += old.bytes;
            self.admitted += 1;
        }
        self.reads_ahead = left_bytes.saturating_sub(next_bytes) < ENOUGH_BYTES;
    }

    /// Returns true if this response may read the portion.
    pub fn admits(&mut self, portion: &Portion) -> bool {
        if portion.is_marker {
            return true;
        }
        let Portion {
            stretch, file_bytes, ..
        } = portion;
        let is_oldest = self.oldest[..self.admitted].iter().any(|old| old.stretch == *stretch);
        if is_oldest || self.turn.contains(stretch) || self.tail.contains(&stretch.file_id) {
            return true;
        }
        let is_tail = *file_bytes <= MERGED_FILE_BYTES && is_fresh(stretch.file_id, self.now);
        let admitted = self.tail.len() < TAIL_FILES && is_tail;
        if admitted {
            self.tail.push(stretch.file_id);
        }
        admitted
    }

    /// Returns true if the portion should be loaded now, for this response or the next ones.
    pub fn loads(&mut self, portion: &Portion) -> bool {
        if portion.is_marker {
            return false;
        }
        let ahead = self.oldest.get(self.admitted).filter(|_| self.reads_ahead);
        ahead.is_some_and(|ahead| ahead.stretch == portion.stretch) || self.admits(portion)
    }

    /// Returns how many of a partition's runs to read for about `bytes`.
    pub fn take(&mut self, portions: impl Iterator<Item = Portion>, bytes: usize) -> usize {
        let mut covered = 0;
        portions
            .take_while(|portion| {
                let wanted = (covered == 0 || covered < bytes as u64) && self.admits(portion);
                covered += portion.next_bytes;
                wanted
            })
            .count()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use penstock_metadata_client::cache::{Marker, Run};

    use super::super::portion::portions;
    use super::*;

    const NOW_S: u64 = 1_800_000_000;
    const MIB: u64 = 1 << 20;

    /// A run in a file of this size that was written this many seconds ago.
    fn run_in(age_s: u64, file_bytes: u64, position: u64, bytes: u64) -> Run {
        let timestamp = uuid::Timestamp::from_unix(uuid::NoContext, NOW_S - age_s, 0);
        let random_part = u128::from(u64::MAX) >> 2;
        let file_id = Uuid::from_u128(Uuid::new_v7(timestamp).as_u128() & !random_part | u128::from(age_s));
        Run {
            file_id,
            position,
            bytes: u32::try_from(bytes).unwrap(),
            base_offset: 0,
            records: 1,
            file_bytes,
            marker: None,
        }
    }

    fn run(age_s: u64) -> Run {
        run_in(age_s, 8 * MIB, 0, 100)
    }

    /// One run per second, the oldest first.
    fn runs(oldest_s: u64, newest_s: u64) -> Vec<Run> {
        (newest_s..=oldest_s).rev().map(run).collect()
    }

    fn of(runs: &[Run]) -> impl Iterator<Item = Portion> {
        portions(runs, runs.first().map_or(0, |run| run.position), MIB as usize)
    }

    fn window(partitions: &[Vec<Run>]) -> StretchWindow {
        let now = UNIX_EPOCH + Duration::from_secs(NOW_S);
        StretchWindow::new(partitions.iter().map(|runs| of(runs)), now, false)
    }

    #[test]
    fn scattered_partitions_of_a_backlog_are_served_from_few_files() {
        let partitions: Vec<Vec<Run>> = (0..100).map(|ahead| runs(5000 - ahead, 1000)).collect();
        let mut window = window(&partitions);
        let mut files = std::collections::HashSet::new();
        for runs in &partitions {
            let taken = window.take(of(runs), usize::MAX);
            files.extend(runs[..taken].iter().map(|run| run.file_id));
        }
        assert!(files.len() as u64 <= MAX_BYTES / (8 * MIB) + TURN_STRETCHES as u64);
    }

    #[test]
    fn the_partition_furthest_behind_is_always_served() {
        let partitions = [runs(2000, 1000), runs(3000, 1000), runs(1500, 1000)];
        assert_eq!(window(&partitions).take(of(&partitions[1]), usize::MAX), 5);
        assert_eq!(window(&partitions).take(of(&partitions[2]), usize::MAX), 0);
    }

    #[test]
    fn the_partition_whose_turn_it_is_waits_for_no_backlog() {
        let partitions = [Vec::new(), runs(1500, 1000), runs(3000, 1000)];
        let mut window = window(&partitions);
        assert_eq!(window.take(of(&partitions[1]), usize::MAX), TURN_STRETCHES);
        assert_eq!(window.take(of(&partitions[2]), usize::MAX), 5);
    }

    #[test]
    fn a_partition_at_the_tail_does_not_wait_for_a_backlog() {
        let partitions = [runs(3000, 1000), runs(3000, 1000), runs(3, 1)];
        assert_eq!(window(&partitions).take(of(&partitions[2]), usize::MAX), 3);
    }

    #[test]
    fn reads_no_more_runs_than_the_bytes_need() {
        let partitions = [runs(3000, 1000)];
        assert_eq!(window(&partitions).take(of(&partitions[0]), 150), 2);
        assert_eq!(window(&partitions).take(of(&partitions[0]), 0), 1);
    }

    #[test]
    fn a_transaction_end_loads_nothing() {
        let end = Run {
            file_id: Uuid::nil(),
            file_bytes: 0,
            marker: Some(Marker {
                producer_id: 1,
                producer_epoch: 0,
                is_commit: true,
                timestamp_ms: 0,
                first_offset: 0,
            }),
            ..run(0)
        };
        let partitions = [vec![run(2000), end, run(1999)], vec![end], runs(3000, 1000)];
        let mut window = window(&partitions);
        assert_eq!(window.take(of(&partitions[0]), usize::MAX), 3);
        assert_eq!(window.take(of(&partitions[1]), usize::MAX), 1);
        assert!(of(&partitions[1]).all(|portion| !window.loads(&portion)));
    }

    /// Partitions with consecutive runs of 2 MiB in a merged file.
    fn merged(partitions: u64) -> Vec<Vec<Run>> {
        let first = run_in(9000, 512 * MIB, 0, 2 * MIB);
        let position = |number| number * 2 * MIB;
        (0..partitions)
            .map(|number| {
                vec![Run {
                    position: position(number),
                    ..first
                }]
            })
            .collect()
    }

    #[test]
    fn reads_a_merged_file_by_stretch_and_loads_the_next_ahead() {
        let partitions = merged(100);
        let mut first = window(&partitions);
        let served = |window: &mut StretchWindow, partitions: &[Vec<Run>]| {
            let of_each = partitions.iter().map(|runs| window.take(of(runs), MIB as usize));
            of_each.filter(|taken| *taken > 0).count()
        };
        assert_eq!(served(&mut first, &partitions), 8);
        // Half of the stretch is left after this response.
        assert_eq!(
            partitions
                .iter()
                .filter(|runs| of(runs).all(|portion| first.loads(&portion)))
                .count(),
            8
        );
        let started: Vec<_> = partitions.iter().skip(1).cloned().collect();
        let mut second = window(&started);
        assert_eq!(served(&mut second, &started), 7);
        assert_eq!(
            started
                .iter()
                .filter(|runs| of(runs).all(|portion| second.loads(&portion)))
                .count(),
            15
        );
    }

    #[test]
    fn a_read_across_two_stretches_waits_for_the_second() {
        let run = run_in(9000, 512 * MIB, STRETCH_BYTES - MIB, 4 * MIB);
        let portion = |start, max_bytes| portions(&[run], start, max_bytes).next().unwrap();
        let first = portion(run.position, MIB as usize);
        assert_eq!(
            (first.stretch.number, first.range),
            (0, STRETCH_BYTES - MIB..STRETCH_BYTES)
        );
        let second = portion(STRETCH_BYTES - 1, MIB as usize);
        assert_eq!(
            (second.stretch.number, second.range),
            (1, STRETCH_BYTES - 1..STRETCH_BYTES + 3 * MIB)
        );
    }
}
