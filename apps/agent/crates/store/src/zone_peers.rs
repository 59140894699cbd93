//! The interface through which the block cache reads blocks from other agents in the zone, so that the zone fetches
//! each block only once. Implemented by the crate `peers`.

use std::fmt::Debug;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::error::StoreError;

/// The node id of another agent in the zone.
pub type PeerId = i32;

/// Consecutive bytes of a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRange {
    /// The id of the file.
    pub file_id: Uuid,
    /// Size of the whole file, in bytes.
    pub file_bytes: u64,
    /// Position of the first byte.
    pub start: u64,
    /// Position after the last byte.
    pub end: u64,
}

/// The other agents in the zone.
pub trait ZonePeers: Debug + Send + Sync {
    /// Returns the agent that fetches and caches `position` of a file for the zone, or `None` if it is this agent.
    fn peer_for(&self, file_id: Uuid, position: u64) -> Option<PeerId>;

    /// Reads a range from its owner. If the owner fails or is slow, uses `bucket`, which costs a request once it is
    /// polled.
    fn read<'a>(
        &'a self,
        owner: PeerId,
        range: FileRange,
        bucket: BoxFuture<'a, Result<Vec<Bytes>, StoreError>>,
    ) -> BoxFuture<'a, Result<Vec<Bytes>, StoreError>>;
}

/// The peers of an agent without a zone: none.
#[derive(Debug)]
pub(crate) struct NoPeers;

impl ZonePeers for NoPeers {
    fn peer_for(&self, _: Uuid, _: u64) -> Option<PeerId> {
        None
    }

    fn read<'a>(
        &'a self,
        _: PeerId,
        _: FileRange,
        bucket: BoxFuture<'a, Result<Vec<Bytes>, StoreError>>,
    ) -> BoxFuture<'a, Result<Vec<Bytes>, StoreError>> {
        bucket
    }
}
