//! Which clients are to push metrics, which do, and what they pushed.

use crate::clients::client_instances::Instances;
use crate::clients::client_subscriptions::Subscriptions;
use crate::clients::pushed_metrics::PushedMetrics;

/// Which clients are to push metrics, which do, and what they pushed.
#[derive(Default)]
pub struct ClientMetrics {
    pub(crate) subscriptions: Subscriptions,
    pub(crate) instances: Instances,
    /// What was pushed since the last report.
    pub pushed: PushedMetrics,
}
