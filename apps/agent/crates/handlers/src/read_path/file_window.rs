//! Which data files one answer is read from. A consumer's partitions drift apart in a backlog, and each file holds a part of
//! every partition: were each partition served from wherever it stands, every file would be fetched again and again.

use std::time::SystemTime;

use penstock_metadata_client::cache::Run;
use penstock_store::is_fresh;
use uuid::Uuid;

/// The oldest files of which something is wanted: who is behind catches up, and the others wait for it. With files of
/// 8 MiB, several consumers at different places of a backlog fit the default cache.
const OLDEST_FILES: usize = 4;
/// The next files of the partition whose turn it is: it waits for nobody. Fewer, or partitions would run away from the others.
const TURN_FILES: usize = 2;
/// Files that were written just now: at the tail all consumers want the same ones, and nobody waits for a backlog.
const TAIL_FILES: usize = 8;

/// The files of one answer.
#[derive(Debug)]
pub struct FileWindow {
    /// In ascending order.
    oldest: Vec<Uuid>,
    turn: Vec<Uuid>,
    tail: Vec<Uuid>,
    now: SystemTime,
}

impl FileWindow {
    /// The window for partitions with these runs, each in offset order. It is the turn of the first that has any.
    pub fn new<'a>(partitions: impl Iterator<Item = &'a [Run]>, now: SystemTime) -> Self {
        let mut window = Self {
            oldest: Vec::with_capacity(OLDEST_FILES + 1),
            turn: Vec::with_capacity(TURN_FILES),
            tail: Vec::new(),
            now,
        };
        for runs in partitions {
            if window.turn.is_empty() {
                window.turn.extend(runs.iter().take(TURN_FILES).map(|run| run.file_id));
            }
            for run in runs {
                // As a rule the later runs of a partition lie in later files; merged files are younger than what they hold.
                if !window.note_old(run.file_id) {
                    break;
                }
            }
        }
        window
    }

    /// Ids begin with the time. Returns whether the file is among the oldest so far.
    fn note_old(&mut self, file_id: Uuid) -> bool {
        match self.oldest.binary_search(&file_id) {
            Ok(_) => true,
            Err(OLDEST_FILES) => false,
            Err(at) => {
                self.oldest.insert(at, file_id);
                self.oldest.truncate(OLDEST_FILES);
                true
            }
        }
    }

    /// Whether the answer may be read from this file.
    pub fn admits(&mut self, file_id: Uuid) -> bool {
        if self.oldest.contains(&file_id) || self.turn.contains(&file_id) || self.tail.contains(&file_id) {
            return true;
        }
        let admitted = self.tail.len() < TAIL_FILES && is_fresh(file_id, self.now);
        if admitted {
            self.tail.push(file_id);
        }
        admitted
    }

    /// How many of a partition's runs to read for about `bytes`.
    pub fn take(&mut self, runs: &[Run], bytes: usize) -> usize {
        let mut covered = 0;
        runs.iter()
            .take_while(|run| {
                let wanted = (covered == 0 || covered < bytes) && self.admits(run.file_id);
                covered += run.bytes as usize;
                wanted
            })
            .count()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    const NOW_S: u64 = 1_800_000_000;

    /// Written so many seconds ago.
    fn run(age_s: u64) -> Run {
        let timestamp = uuid::Timestamp::from_unix(uuid::NoContext, NOW_S - age_s, 0);
        let random_part = u128::from(u64::MAX) >> 2;
        let file_id = Uuid::from_u128(Uuid::new_v7(timestamp).as_u128() & !random_part | u128::from(age_s));
        Run {
            file_id,
            position: 0,
            bytes: 100,
            base_offset: 0,
            records: 1,
            file_bytes: 1 << 30,
        }
    }

    /// One run per second, the oldest first.
    fn runs(oldest_s: u64, newest_s: u64) -> Vec<Run> {
        (newest_s..=oldest_s).rev().map(run).collect()
    }

    fn window(partitions: &[Vec<Run>]) -> FileWindow {
        let now = UNIX_EPOCH + Duration::from_secs(NOW_S);
        FileWindow::new(partitions.iter().map(Vec::as_slice), now)
    }

    #[test]
    fn partitions_at_different_places_of_a_backlog_are_served_from_few_files() {
        let partitions: Vec<Vec<Run>> = (0..100).map(|ahead| runs(5000 - ahead, 1000)).collect();
        let mut window = window(&partitions);
        let mut files = std::collections::HashSet::new();
        for runs in &partitions {
            let taken = window.take(runs, usize::MAX);
            files.extend(runs[..taken].iter().map(|run| run.file_id));
        }
        assert!(files.len() <= OLDEST_FILES + TURN_FILES);
    }

    #[test]
    fn the_partition_that_is_furthest_behind_is_always_served() {
        let partitions = [runs(2000, 1000), runs(3000, 1000), runs(1500, 1000)];
        assert_eq!(window(&partitions).take(&partitions[1], usize::MAX), OLDEST_FILES);
        assert_eq!(window(&partitions).take(&partitions[2], usize::MAX), 0);
    }

    #[test]
    fn the_partition_whose_turn_it_is_waits_for_no_backlog() {
        let partitions = [Vec::new(), runs(1500, 1000), runs(3000, 1000)];
        let mut window = window(&partitions);
        assert_eq!(window.take(&partitions[1], usize::MAX), TURN_FILES);
        assert_eq!(window.take(&partitions[2], usize::MAX), OLDEST_FILES);
    }

    #[test]
    fn a_partition_at_the_tail_is_served_while_another_reads_a_backlog() {
        let partitions = [runs(3000, 1000), runs(3000, 1000), runs(3, 1)];
        assert_eq!(window(&partitions).take(&partitions[2], usize::MAX), 3);
    }

    #[test]
    fn no_more_runs_are_read_than_the_bytes_need() {
        let partitions = [runs(3000, 1000)];
        assert_eq!(window(&partitions).take(&partitions[0], 150), 2);
        assert_eq!(window(&partitions).take(&partitions[0], 0), 1);
    }
}
