//! Sealed files that are not yet committed or abandoned, and the order of their commits. Batches of a partition are
//! committed in order of arrival: a file waits for earlier files that share a partition with it and for no others, so a
//! slow PUT or commit delays only files that must follow it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tokio::sync::watch;
use tokio::time::Instant;

use super::partition_name::PartitionName;

/// Resolves when a file is committed or abandoned.
#[derive(Debug, Clone)]
pub(super) struct Done(watch::Receiver<()>);

impl Done {
    pub(super) async fn wait(mut self) {
        // The file's task holds the sender and never sends: an error means that the task has ended, which is what we
        // wait for.
        while self.0.changed().await.is_ok() {}
    }
}

/// Held by the task of a file until it is done.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) number: u64,
    partitions: Vec<PartitionName>,
    /// The files that must be done before this one is committed.
    pub(super) earlier: Vec<Done>,
    _done: watch::Sender<()>,
}

#[derive(Debug)]
struct File {
    opened: Instant,
    done: Done,
}

/// Unfinished files by number, in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    files: BTreeMap<u64, File>,
    /// The newest file with batches of each partition.
    newest: HashMap<PartitionName, u64>,
}

impl InFlight {
    /// Records that a file with batches of these partitions was sealed.
    pub(super) fn enter(&mut self, number: u64, opened: Instant, partitions: Vec<PartitionName>) -> Flight {
        let (sender, receiver) = watch::channel(());
        let shared: BTreeSet<u64> = partitions
            .iter()
            .filter_map(|partition| self.newest.insert(partition.clone(), number))
            .collect();
        let earlier = shared.iter().filter_map(|number| self.files.get(number));
        let flight = Flight {
            number,
            partitions,
            earlier: earlier.map(|file| file.done.clone()).collect(),
            _done: sender,
        };
        let done = Done(receiver);
        self.files.insert(number, File { opened, done });
        flight
    }

    /// Records that a file is about to be done.
    pub(super) fn leave(&mut self, flight: &Flight) {
        self.files.remove(&flight.number);
        for partition in &flight.partitions {
            if self.newest.get(partition) == Some(&flight.number) {
                self.newest.remove(partition);
            }
        }
    }

    /// All files that are not done.
    pub(super) fn all(&self) -> Vec<Done> {
        self.files.values().map(|file| file.done.clone()).collect()
    }

    /// When the oldest unfinished file was opened.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.files.values().map(|file| file.opened).min()
    }
}
