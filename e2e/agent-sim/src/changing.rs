//! A value that somebody changes while agents must keep to it.

/// How old an agent's view may be: the watch stream counts as current for less. The agent that made a change knows it
/// at once.
pub(crate) const STALE_MS: i64 = 10_000;

/// A value that changes. While a change has no answer, either value may be in effect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changing<T> {
    pub(crate) value: T,
    /// When the last change was acknowledged; `None` while one is on its way.
    since_ms: Option<i64>,
}

impl<T: Copy> Changing<T> {
    pub(crate) fn new(value: T, now_ms: i64) -> Self {
        Self {
            value,
            since_ms: Some(now_ms),
        }
    }

    /// A change is about to be sent.
    pub(crate) fn changes(&mut self) {
        self.since_ms = None;
    }

    /// The value that every agent must know in a request sent at this time, if its view is at most this old.
    pub(crate) fn certain(&self, sent_ms: i64, stale_ms: i64) -> Option<T> {
        self.since_ms
            .is_some_and(|since_ms| since_ms + stale_ms <= sent_ms)
            .then_some(self.value)
    }
}
