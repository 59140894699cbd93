//! Code shared by the APIs that change users, ACLs and quotas.

pub(crate) mod quota_entity;
pub(crate) mod security_changes;
