//! One file per noun: its options and help, the calls that it makes, and how the answers are drawn.

pub(crate) mod acl;
pub(crate) mod agent_key;
pub(crate) mod cluster;
pub(crate) mod group;
pub(crate) mod metrics;
pub(crate) mod security;
pub(crate) mod session;
pub(crate) mod tco;
pub(crate) mod topic;
pub(crate) mod transaction;
pub(crate) mod usage;
pub(crate) mod user;
