//! The connections that have sent records lately, and whether waiting for more of theirs can gain anything.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::class::Class;
use super::sender::{Sender, Waiting};

/// Also those without batches in the open file: a client that has just been answered is about to send, and belongs into the same file.
#[derive(Debug)]
pub(super) struct RecentSenders {
    class: Class,
    senders: Vec<Arc<Sender>>,
    /// For how long a file is open at most, and a connection counts after its last request.
    interval: Duration,
}

impl RecentSenders {
    pub(super) fn new(class: Class, interval: Duration) -> Self {
        Self {
            class,
            senders: Vec::new(),
            interval,
        }
    }

    pub(super) fn add(&mut self, sender: &Arc<Sender>) {
        self.senders.push(Arc::clone(sender));
    }

    /// Whether the open file should be kept open. Looks at them until one is found for which it should, and at that one first the next
    /// time: while clients are busy it looks at one.
    pub(super) fn waiting(&mut self, now: Instant) -> Waiting {
        let mut at = 0;
        while let Some(sender) = self.senders.get(at) {
            if sender.is_gone(self.class, now, self.interval) {
                self.senders.swap_remove(at);
                continue;
            }
            let waiting = sender.waiting(self.class, now, self.interval);
            if waiting != Waiting::Useless {
                self.senders.swap(0, at);
                return waiting;
            }
            at += 1;
        }
        Waiting::Useless
    }
}
