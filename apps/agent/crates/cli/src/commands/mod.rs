//! One file per noun, with its options, help, API calls and output.

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
