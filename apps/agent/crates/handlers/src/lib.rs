//! Answers Kafka requests with data from the metadata service and object storage. `apis` has one file for each API.
//! Knows nothing of sockets.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[cfg(test)]
mod access_matrix_tests;
mod apis;
mod browse;
mod cluster;
mod configs;
mod context;
mod conversions;
mod handling_time;
mod record_checks;
mod requests;
mod security;
#[cfg(test)]
mod testing;

pub use browse::{
    BrowseError, BrowsePage, BrowseRequest, BrowsedHeader, BrowsedRecord, Field, Position, Stop, UnreadableBatch,
    browse,
};
pub use context::{AdvertisedListener, Caller, Client, Context, Node};
pub use record_checks::RecordChecks;
pub use requests::dispatch::{Answer, Dispatched, Refusal, Response, dispatch};
