//! What the agent answers to each Kafka request: one file per API, over the metadata service and the object store.
//! Knows nothing of sockets.

mod context;
mod dispatch;

pub use context::{Caller, Context, Node};
pub use dispatch::{Dispatched, Refusal, dispatch};
