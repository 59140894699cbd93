//! Background tasks of the agent. Each runs until it is dropped.

mod access_report;
pub(crate) mod deletions;
pub(crate) mod heartbeat;
pub(crate) mod merging;
pub(crate) mod orphans;
pub(crate) mod telemetry;
