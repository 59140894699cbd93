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
    /// With so many of them, those that are gone are taken out.
    pruned_at: usize,
}

/// Fewer are not worth looking at.
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
        // Otherwise one client that is always busy would keep all that are gone: the look at the rest ends there.
        if self.senders.len() >= self.pruned_at {
            let (class, interval) = (self.class, self.interval);
            self.senders.retain(|sender| !sender.is_gone(class, now, interval));
            self.pruned_at = (self.senders.len() * 2).max(FEWEST_PRUNED);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn connections_that_are_gone_are_let_go_of_also_while_one_is_always_busy() {
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
