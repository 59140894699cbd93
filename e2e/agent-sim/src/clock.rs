//! The simulation's time: tokio's paused clock, which starts at the metadata service's first moment.

use std::time::Duration;

use tokio::time::Instant;

/// Converts between tokio's clock and milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
    start_ms: i64,
}

impl Clock {
    pub(crate) fn starting_at(start_ms: i64) -> Self {
        Self {
            start: Instant::now(),
            start_ms,
        }
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.start_ms + self.elapsed_ms()
    }

    pub(crate) fn elapsed_ms(&self) -> i64 {
        i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    pub(crate) fn at(&self, time_ms: i64) -> Instant {
        let after = u64::try_from(time_ms - self.start_ms).unwrap_or(0);
        self.start + Duration::from_millis(after)
    }
}
