//! The rights and limits of clients: ACLs and quotas, as last received from the metadata service.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod authorizer;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod throttle;

pub use authorizer::{Access, Authorizer, NOT_ASKED_FOR, acl_from_proto, refusal};
pub use throttle::{Throttle, throttle_time_ms};
