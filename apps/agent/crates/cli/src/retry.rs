//! Decides whether and when to retry a failed attempt. Pure.

use std::time::Duration;

const MAX_ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Maximum pause. Nobody watches a silent command for longer, and the error says how long to wait.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// How an attempt failed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Attempt {
    /// The server responded with this status, and with a `Retry-After` if set.
    Answered { status: u16, retry_after: Option<Duration> },
    /// No response arrived, so the request may or may not have taken effect.
    Unanswered,
}

/// The pause before the next attempt, or `None` for no retry.
///
/// * `made`: number of attempts so far, from 1
/// * `is_repeatable`: true if sending it twice has the same effect as once
/// * `jitter_percent`: 0 to 100, so that many clients do not retry at once
pub(crate) fn pause_before_next(
    made: u32,
    is_repeatable: bool,
    attempt: Attempt,
    jitter_percent: u32,
) -> Option<Duration> {
    if !is_repeatable || made >= MAX_ATTEMPTS {
        return None;
    }
    let backoff = FIRST_PAUSE * 2_u32.pow(made.saturating_sub(1));
    let spread = backoff / 2 + backoff / 2 * jitter_percent.min(100) / 100;
    match attempt {
        Attempt::Unanswered => Some(spread),
        Attempt::Answered {
            status: 429 | 503,
            retry_after,
        } => match retry_after {
            Some(wait) if wait > MAX_PAUSE => None,
            Some(wait) => Some(wait.max(spread)),
            None => Some(spread),
        },
        Attempt::Answered { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, retry_after_s: Option<u64>) -> Attempt {
        Attempt::Answered {
            status,
            retry_after: retry_after_s.map(Duration::from_secs),
        }
    }

    #[test]
    fn retries_only_what_is_repeatable() {
        assert!(pause_before_next(1, true, Attempt::Unanswered, 50).is_some());
        assert!(pause_before_next(1, false, Attempt::Unanswered, 50).is_none());
        assert!(pause_before_next(1, false, answered(503, None), 50).is_none());
    }

    #[test]
    fn retries_a_busy_service_but_not_a_refusal() {
        for status in [429, 503] {
            assert!(
                pause_before_next(1, true, answered(status, None), 50).is_some(),
                "{status}"
            );
        }
        for status in [400, 401, 403, 404, 409, 412, 422, 500] {
            assert!(
                pause_before_next(1, true, answered(status, None), 50).is_none(),
                "{status}"
            );
        }
    }

    #[test]
    fn attempts_are_bounded_and_pauses_grow() {
        let pauses: Vec<_> = (1..)
            .map_while(|made| pause_before_next(made, true, Attempt::Unanswered, 100))
            .collect();
        assert_eq!(pauses, [250, 500, 1_000].map(Duration::from_millis));
        assert_eq!(
            pause_before_next(1, true, Attempt::Unanswered, 0),
            Some(Duration::from_millis(125))
        );
    }

    #[test]
    fn the_service_sets_the_pause_within_limits() {
        assert_eq!(
            pause_before_next(1, true, answered(429, Some(7)), 100),
            Some(Duration::from_secs(7))
        );
        assert_eq!(pause_before_next(1, true, answered(429, Some(58)), 100), None);
    }
}
