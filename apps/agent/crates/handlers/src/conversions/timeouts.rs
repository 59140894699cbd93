//! Time limits for calls to the metadata service, derived from the Kafka request.

use std::time::Duration;

use penstock_metadata_client::DEFAULT_TIMEOUT;

const MIN: Duration = Duration::from_secs(1);
const MAX: Duration = Duration::from_secs(60);
/// Between the owner's deadline of a rebalance and ours, so that its answer wins.
const REBALANCE_MARGIN: Duration = Duration::from_secs(10);
const MAX_REBALANCE: Duration = Duration::from_secs(3600);
/// SyncGroup names no time-out; the owner answers when the rebalance time-out of its group, which we do not know, ends.
pub(crate) const SYNC: Duration = Duration::from_secs(600);

/// From the time-out in a request about topics; it may be any number.
pub(crate) fn of_request(timeout_ms: i32) -> Duration {
    match u64::try_from(timeout_ms) {
        Ok(timeout_ms) => Duration::from_millis(timeout_ms).clamp(MIN, MAX),
        Err(_) => DEFAULT_TIMEOUT,
    }
}

/// From the rebalance time-out of a member.
pub(crate) fn of_rebalance(rebalance_timeout_ms: u32) -> Duration {
    Duration::from_millis(rebalance_timeout_ms.into()).min(MAX_REBALANCE) + REBALANCE_MARGIN
}
