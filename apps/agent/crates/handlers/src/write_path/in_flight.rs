//! Files that are sealed and not done yet, and the order in which they are committed.

use std::collections::BTreeMap;

use tokio::sync::watch;
use tokio::time::Instant;

/// Resolves when a file is done: committed or given up.
#[derive(Debug, Clone)]
pub(super) struct Done(watch::Receiver<()>);

impl Done {
    pub(super) async fn wait(mut self) {
        // The file's task holds the sender and never sends: an error means that it has ended, which is what we wait for.
        while self.0.changed().await.is_ok() {}
    }
}

/// Held by the task of a file until it is done.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) number: u64,
    /// The files that must be done before this one is committed.
    pub(super) earlier: Vec<Done>,
    _done: watch::Sender<()>,
}

#[derive(Debug)]
struct File {
    opened: Instant,
    done: Done,
}

/// By number: files are numbered in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    files: BTreeMap<u64, File>,
}

impl InFlight {
    /// A file was sealed.
    pub(super) fn enter(&mut self, number: u64, opened: Instant) -> Flight {
        let (sender, receiver) = watch::channel(());
        let earlier = self.files.values().next_back().map(|file| file.done.clone());
        let done = Done(receiver);
        self.files.insert(number, File { opened, done });
        Flight {
            number,
            earlier: earlier.into_iter().collect(),
            _done: sender,
        }
    }

    /// A file is about to be done.
    pub(super) fn leave(&mut self, number: u64) {
        self.files.remove(&number);
    }

    /// All files that are not done.
    pub(super) fn all(&self) -> Vec<Done> {
        self.files.values().map(|file| file.done.clone()).collect()
    }

    /// When the oldest of them was opened.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.files.values().map(|file| file.opened).min()
    }
}
