//! Limits the number of log lines that a hostile or broken client can cause.
use std::time::Duration;

use parking_lot::Mutex;
use penstock_runtime::Instant;

const LINES_PER_PERIOD: u32 = 20;
const PERIOD: Duration = Duration::from_secs(10);

/// Allows 20 lines per 10 seconds, and then logs how many it suppressed.
#[derive(Debug, Default)]
pub(super) struct LogLimit(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    period_start: Option<Instant>,
    passed: u32,
    kept_back: u64,
}

impl LogLimit {
    /// Logs a warning, unless the limit is reached.
    pub(super) fn warn(&self, line: impl FnOnce() -> String) {
        let (passes, kept_back) = self.admit(Instant::now());
        if kept_back > 0 {
            tracing::warn!(lines = kept_back, "suppressed further warnings about connections");
        }
        if passes {
            tracing::warn!("{}", line());
        }
    }

    /// Returns whether a line is allowed now, and how many were suppressed in the previous period if a new one begins.
    fn admit(&self, now: Instant) -> (bool, u64) {
        let mut state = self.0.lock();
        let mut kept_back = 0;
        if state
            .period_start
            .is_none_or(|start| now.duration_since(start) >= PERIOD)
        {
            kept_back = state.kept_back;
            *state = State {
                period_start: Some(now),
                passed: 0,
                kept_back: 0,
            };
        }
        if state.passed < LINES_PER_PERIOD {
            state.passed += 1;
            return (true, kept_back);
        }
        state.kept_back += 1;
        (false, kept_back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_lines_per_period_and_counts_the_rest() {
        let limit = LogLimit::default();
        let start = Instant::now();
        let passed = (0..100).filter(|_| limit.admit(start).0).count();
        assert_eq!(passed, 20);
        assert_eq!(limit.admit(start + PERIOD), (true, 80));
        assert_eq!(limit.admit(start + PERIOD), (true, 0));
    }
}
