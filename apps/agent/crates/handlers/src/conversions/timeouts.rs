//! Timeouts for calls to the metadata service, derived from Kafka requests.

use std::time::Duration;

use penstock_metadata_client::DEFAULT_TIMEOUT;

const MIN: Duration = Duration::from_secs(1);
const MAX: Duration = Duration::from_secs(60);
/// Added to the owner's rebalance deadline, so that its response arrives first.
const REBALANCE_MARGIN: Duration = Duration::from_secs(10);
const MAX_REBALANCE: Duration = Duration::from_secs(3600);
/// Timeout for SyncGroup, which specifies none. The owner responds at the rebalance timeout of the group, which the
/// agent does not know.
pub(crate) const SYNC: Duration = Duration::from_secs(600);

/// Converts the timeout in a request about topics, which may be any number.
pub(crate) fn of_request(timeout_ms: i32) -> Duration {
    match u64::try_from(timeout_ms) {
        Ok(timeout_ms) => Duration::from_millis(timeout_ms).clamp(MIN, MAX),
        Err(_) => DEFAULT_TIMEOUT,
    }
}

/// Converts a member's rebalance timeout.
pub(crate) fn of_rebalance(rebalance_timeout_ms: u32) -> Duration {
    Duration::from_millis(rebalance_timeout_ms.into()).min(MAX_REBALANCE) + REBALANCE_MARGIN
}
