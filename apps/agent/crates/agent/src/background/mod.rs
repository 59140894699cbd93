//! What the agent does beside serving requests. Each task runs until it is dropped.

pub(crate) mod deletions;
pub(crate) mod heartbeat;
pub(crate) mod merging;
pub(crate) mod orphans;
pub(crate) mod telemetry;
