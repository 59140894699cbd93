//! The state of client metrics: subscriptions, pushing clients and pushed metrics.

use crate::client_instances::Instances;
use crate::client_subscriptions::Subscriptions;
use crate::pushed_metrics::PushedMetrics;

/// The state of client metrics: subscriptions, pushing clients and pushed metrics.
#[derive(Default)]
pub struct ClientMetrics {
    /// The subscriptions, as last matched with clients.
    pub subscriptions: Subscriptions,
    /// The clients that recently asked or pushed.
    pub instances: Instances,
    /// The metrics pushed since the last report.
    pub pushed: PushedMetrics,
}
