//! Client metrics (KIP-714): which clients should push metrics, which do, and what they pushed.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod client_instances;
mod client_metrics_state;
mod client_software;
pub mod client_subscriptions;
mod pushed_metrics;

pub use client_instances::{Instance, Instances};
pub use client_metrics_state::ClientMetrics;
pub use client_software::ClientSoftware;
pub use client_subscriptions::{Subscriptions, Wanted};
pub use pushed_metrics::{PushedMetrics, Pusher, Unreadable};
