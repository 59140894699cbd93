//! The client side of the metadata service: the RPC messages, a Connect client that follows the owner of the virtual
//! cluster, and a copy of the cluster's catalogue kept current by the watch stream. Knows nothing of the Kafka protocol
//! or object storage.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod backoff;
pub mod cache;
mod client;
mod endpoints;
mod error;
mod exchange;
mod metadata;
mod redacted;
mod service_clock;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod transport;
mod watch;
mod witness;

/// Messages of `penstock.metadata.v1`, generated from the contract.
#[allow(missing_docs, reason = "the contract documents its messages itself")]
pub mod proto {
    include!(concat!(env!("OUT_DIR"), "/penstock.metadata.v1.rs"));
}

pub use client::{ConnectClient, Credentials};
pub use endpoints::{EndpointError, parse_metadata_urls};
pub use error::RpcError;
pub use exchange::{Disconnected, Exchange, ResponseBody};
pub use metadata::{DEFAULT_TIMEOUT, Metadata, WatchStream};
pub use service_clock::{ServiceClock, writer_of};
pub use watch::Watcher;
