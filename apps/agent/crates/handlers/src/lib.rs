//! Answers Kafka requests from the metadata service and object storage. `apis` has one file for each API.
//! Knows nothing of sockets.

mod access;
mod apis;
mod browse;
mod clients;
mod cluster;
mod configs;
mod context;
mod conversions;
mod handling_time;
mod metrics;
mod read_path;
mod record_checks;
mod requests;
mod security;
#[cfg(test)]
mod testing;
mod throttle;
mod write_path;

pub use access::Authorizer;
pub use browse::{
    BrowseError, BrowsePage, BrowseRequest, BrowsedHeader, BrowsedRecord, Field, Position, Stop, UnreadableBatch,
    browse,
};
pub use clients::client_metrics_state::ClientMetrics;
pub use clients::client_software::ClientSoftware;
pub use clients::pushed_metrics::PushedMetrics;
pub use context::{AdvertisedListener, Caller, Client, Context, Node};
pub use metrics::Metrics;
pub use read_path::ReadPath;
pub use record_checks::RecordChecks;
pub use requests::dispatch::{Answer, Dispatched, Refusal, Response, dispatch};
pub use throttle::Throttle;
pub use write_path::{LaneSettings, Sender, WritePath, WriteSettings};
