//! The connections that have batches in a file.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::class::Class;
use super::sender::{Joined, Sender};

/// Of the open file.
#[derive(Debug, Default)]
pub(super) struct FileSenders {
    class: Class,
    senders: Vec<Arc<Sender>>,
    /// How many of them are not at their limit.
    may_send_more: usize,
    requests: u32,
}

impl FileSenders {
    /// Those of a new file.
    pub(super) fn new(class: Class) -> Self {
        Self {
            class,
            ..Self::default()
        }
    }

    /// A request was added to the file of this number.
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

    /// Whether every one of them stands at its limit of unanswered requests.
    pub(super) fn are_at_limit(&self) -> bool {
        self.may_send_more == 0
    }

    /// The file is sealed.
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

/// Of a sealed file. Their requests count as answered when it is dropped.
#[derive(Debug)]
pub(super) struct SealedSenders {
    class: Class,
    senders: Vec<(Arc<Sender>, u32)>,
    /// Of all of them.
    pub(super) requests: u32,
}

impl Drop for SealedSenders {
    fn drop(&mut self) {
        for (sender, requests) in &self.senders {
            sender.answered(self.class, *requests);
        }
    }
}
