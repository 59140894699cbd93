//! Whether a failed attempt is made again, and after how long. Pure.

use std::time::Duration;

const MAX_ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Nobody watches a silent command for longer; the message says for how long to wait.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// How an attempt ended that did not succeed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Attempt {
    /// With an answer of this status; `retry_after` when it said one.
    Answered { status: u16, retry_after: Option<Duration> },
    /// Without an answer: it may have been carried out or not.
    Unanswered,
}

/// The pause before the next attempt; `None` when there is none.
///
/// * `made`: attempts so far, from 1
/// * `is_repeatable`: carrying it out twice is the same as once
/// * `jitter_percent`: 0 to 100, so that many clients do not come back at once
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
    fn only_what_can_be_repeated_is_repeated() {
        assert!(pause_before_next(1, true, Attempt::Unanswered, 50).is_some());
        assert!(pause_before_next(1, false, Attempt::Unanswered, 50).is_none());
        assert!(pause_before_next(1, false, answered(503, None), 50).is_none());
    }

    #[test]
    fn a_refusal_is_final_and_a_busy_service_is_not() {
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
    fn the_service_decides_how_long_to_wait_within_reason() {
        assert_eq!(
            pause_before_next(1, true, answered(429, Some(7)), 100),
            Some(Duration::from_secs(7))
        );
        assert_eq!(pause_before_next(1, true, answered(429, Some(58)), 100), None);
    }
}
