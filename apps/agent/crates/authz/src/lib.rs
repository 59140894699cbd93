//! The identity and permissions of Kafka clients: ACLs with the same semantics as in Apache Kafka. Pure: no clock, no
//! network, no I/O.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod acl;
mod denials;
mod kafka_enum;
mod operation;
mod policy;
mod principal;
mod quotas;
mod rate;
mod resource;
mod rights;
mod shared_limit;

pub use acl::{Acl, AclFilter, PatternType, Permission, WILDCARD, WILDCARD_PRINCIPAL};
pub use denials::{Denial, DenialLog, DeniedRequest, Remedy};
pub use operation::{Operation, Operations};
pub use policy::{ClientRights, Mode, Policy, Settings, allowing_acl};
pub use principal::Principal;
pub use quotas::{Quota, Quotas, Traffic};
pub use resource::{CLUSTER_NAME, Resource, ResourceType};
pub use shared_limit::SharedLimit;
