//! The connections that have batches in a file.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::class::Class;
use super::sender::{Joined, Sender};

/// The senders of the open file.
#[derive(Debug, Default)]
pub(super) struct FileSenders {
    class: Class,
    senders: Vec<Arc<Sender>>,
    /// Number of senders below their limit.
    may_send_more: usize,
    requests: u32,
}

impl FileSenders {
    /// Creates the senders of a new file.
    pub(super) fn new(class: Class) -> Self {
        Self {
            class,
            ..Self::default()
        }
    }

    /// Records that a request was added to this file.
    pub(super) fn join(&mut self, sender: &Arc<Sender>, file: u64) -> Joined {
        self.requests += 1;
        let joined = sender.join(self.class, file);
        if joined.was_at_limit.is_none() {
            self.senders.push(Arc::clone(sender));
        }
        match (joined.was_at_limit, joined.is_at_limit) {
            (None | Some(true), false) => self.may_send_more += 1,
            (Some(false), true) => self.may_send_more -= 1,
            (Some(false), false) | (None | Some(true), true) => {}
        }
        joined
    }

    /// Returns true if every sender is at its limit of unanswered requests.
    pub(super) fn are_at_limit(&self) -> bool {
        self.may_send_more == 0
    }

    /// Records that the file is sealed.
    pub(super) fn seal(self, now: Instant, interval: Duration) -> SealedSenders {
        let counted = self.senders.into_iter().map(|sender| {
            let requests = sender.sealed(self.class, now, interval);
            (sender, requests)
        });
        SealedSenders {
            class: self.class,
            senders: counted.collect(),
            requests: self.requests,
        }
    }
}

/// The senders of a sealed file. Dropping it counts their requests as answered.
#[derive(Debug)]
pub(super) struct SealedSenders {
    class: Class,
    senders: Vec<(Arc<Sender>, u32)>,
    /// Total number of requests in the file.
    pub(super) requests: u32,
}

impl Drop for SealedSenders {
    fn drop(&mut self) {
        for (sender, requests) in &self.senders {
            sender.answered(self.class, *requests);
        }
    }
}
