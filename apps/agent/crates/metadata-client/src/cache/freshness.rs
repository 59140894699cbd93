//! Tracks how long the data of the watch stream counts as current. While the stream is silent, the owner or this agent
//! may be suspended; another process may have become the owner, and other agents may have newer watermarks.
use std::time::Duration;

use parking_lot::RwLock;
use penstock_runtime::Instant;

#[derive(Debug, Default)]
pub(super) struct Freshness {
    /// `None` until the first stream is opened. Nothing is known then, except in tests.
    until: RwLock<Option<Instant>>,
}

impl Freshness {
    /// Records that a stream was opened.
    pub(super) fn begin(&self, current_for: Duration) {
        *self.until.write() = Some(Instant::now() + current_for);
    }

    /// Records an event. Zero means that the sender is not certain to be the owner still.
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
    fn data_is_current_for_a_limited_time_after_the_last_event() {
        let freshness = Freshness::default();
        let now = Instant::now();
        freshness.begin(LIMIT);
        assert!(freshness.is_current(now + LIMIT / 2));
        assert!(!freshness.is_current(Instant::now() + LIMIT));
        freshness.extend(2 * LIMIT);
        assert!(freshness.is_current(now + LIMIT));
    }

    #[test]
    fn an_owner_unsure_of_its_lease_keeps_nothing_current() {
        let freshness = Freshness::default();
        freshness.begin(LIMIT);
        freshness.extend(Duration::ZERO);
        assert!(!freshness.is_current(Instant::now() + LIMIT));
    }

    #[test]
    fn a_stream_by_an_owner_unsure_of_its_lease_is_not_current() {
        let freshness = Freshness::default();
        freshness.begin(LIMIT);
        freshness.begin(Duration::ZERO);
        assert!(!freshness.is_current(Instant::now()));
    }
}
