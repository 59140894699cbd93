//! The connections that recently sent records, and whether waiting for more can gain anything.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::class::Class;
use super::sender::{Sender, Waiting};

/// Includes connections without batches in the open file: a client that was just answered is about to send, and its
/// batches belong in the same file.
#[derive(Debug)]
pub(super) struct RecentSenders {
    class: Class,
    senders: Vec<Arc<Sender>>,
    /// How long a file stays open at most, and how long a connection counts after its last request.
    interval: Duration,
    /// Number of connections at which closed ones are removed.
    pruned_at: usize,
}

/// Minimum number of connections worth pruning.
const FEWEST_PRUNED: usize = 64;

impl RecentSenders {
    pub(super) fn new(class: Class, interval: Duration) -> Self {
        Self {
            class,
            senders: Vec::new(),
            interval,
            pruned_at: FEWEST_PRUNED,
        }
    }

    pub(super) fn add(&mut self, sender: &Arc<Sender>, now: Instant) {
        self.senders.push(Arc::clone(sender));
        // Otherwise one busy client would keep all closed connections in the list, because the search ends at it.
        if self.senders.len() >= self.pruned_at {
            let (class, interval) = (self.class, self.interval);
            self.senders.retain(|sender| !sender.is_gone(class, now, interval));
            self.pruned_at = (self.senders.len() * 2).max(FEWEST_PRUNED);
        }
    }

    /// Returns whether to keep the open file open. Stops at the first connection that is worth waiting for, and starts
    /// there the next time, so that a busy client is found immediately.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn closed_connections_are_removed_even_if_one_is_always_busy() {
        let interval = Duration::from_millis(250);
        let mut recent = RecentSenders::new(Class::Standard, interval);
        let busy = Arc::<Sender>::default();
        busy.join(Class::Standard, 1);
        recent.add(&busy, Instant::now());
        for file in 2..10_000 {
            busy.reads();
            let passing = Arc::<Sender>::default();
            assert!(passing.join(Class::Standard, file).is_new);
            assert_eq!(passing.sealed(Class::Standard, Instant::now(), interval), 1);
            passing.answered(Class::Standard, 1);
            recent.add(&passing, Instant::now());
            assert_ne!(recent.waiting(Instant::now()), Waiting::Useless);
            tokio::time::advance(Duration::from_millis(10)).await;
        }
        assert!(
            recent.senders.len() <= FEWEST_PRUNED,
            "{} are kept",
            recent.senders.len()
        );
    }
}
