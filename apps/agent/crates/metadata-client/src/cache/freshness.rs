//! How long the news of the watch stream counts as current. If the stream is silent, the owner may be suspended, or this agent was. In the
//! meantime another process may have become the owner, and other agents may have newer watermarks.
use std::time::{Duration, Instant};

use parking_lot::RwLock;

#[derive(Debug, Default)]
pub(super) struct Freshness {
    /// `None`, with an older service: for as long as the stream is open.
    until: RwLock<Option<Instant>>,
}

impl Freshness {
    /// A stream was opened. Zero, from an older service, sets no limit.
    pub(super) fn begin(&self, current_for: Duration) {
        let until = (!current_for.is_zero()).then(|| Instant::now() + current_for);
        *self.until.write() = until;
    }

    /// An event came. Zero: the sender is not certain that it still is the owner.
    pub(super) fn extend(&self, current_for: Duration) {
        if !current_for.is_zero() {
            self.begin(current_for);
        }
    }

    pub(super) fn is_current(&self, now: Instant) -> bool {
        let until = *self.until.read();
        until.is_none_or(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn what_was_told_is_current_for_so_long_after_the_owner_was_last_heard() {
        let freshness = Freshness::default();
        let now = Instant::now();
        freshness.begin(LIMIT);
        assert!(freshness.is_current(now + LIMIT / 2));
        assert!(!freshness.is_current(Instant::now() + LIMIT));
        freshness.extend(2 * LIMIT);
        assert!(freshness.is_current(now + LIMIT));
    }

    #[test]
    fn an_owner_that_is_not_sure_of_its_lease_keeps_nothing_current() {
        let freshness = Freshness::default();
        freshness.begin(LIMIT);
        freshness.extend(Duration::ZERO);
        assert!(!freshness.is_current(Instant::now() + LIMIT));
    }

    #[test]
    fn a_service_that_sets_no_limit_keeps_its_stream_current_whatever_the_stream_before_it_said() {
        let freshness = Freshness::default();
        freshness.begin(LIMIT);
        freshness.begin(Duration::ZERO);
        assert!(freshness.is_current(Instant::now() + 100 * LIMIT));
    }
}
