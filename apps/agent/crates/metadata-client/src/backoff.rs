//! Exponential pauses with jitter between attempts.

use std::time::Duration;

use penstock_runtime::jitter;

/// Pauses that double from `first` up to `most`. Each is drawn from the upper half of its range, so that agents that
/// lost the same server do not reconnect all at once.
#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    next: Duration,
    most: Duration,
}

impl Backoff {
    pub(crate) fn new(first: Duration, most: Duration) -> Self {
        Self { next: first, most }
    }

    /// Returns the pause before the next attempt.
    pub(crate) fn pause(&mut self) -> Duration {
        let step = self.next;
        self.next = (step * 2).min(self.most);
        jitter(step, 0.5..1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_bound() {
        let mut backoff = Backoff::new(Duration::from_millis(50), Duration::from_millis(400));
        let pauses: Vec<Duration> = (0..8).map(|_| backoff.pause()).collect();
        assert!(pauses[0] < Duration::from_millis(50));
        assert!(pauses.iter().all(|pause| *pause <= Duration::from_millis(400)));
        assert!(pauses[7] >= Duration::from_millis(200));
    }
}
