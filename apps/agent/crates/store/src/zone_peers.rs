//! The interface through which the block cache reads blocks from other agents of the zone, so that the zone fetches each block once.
//! The crate `peers` implements it.

use std::fmt::Debug;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::error::StoreError;

/// Another agent of the zone, by its node id.
pub type PeerId = i32;

/// Consecutive bytes of a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRange {
    /// The file.
    pub file_id: Uuid,
    /// Size of the whole file.
    pub file_bytes: u64,
    /// The first byte.
    pub start: u64,
    /// Behind the last byte.
    pub end: u64,
}

/// The other agents of the zone.
pub trait ZonePeers: Debug + Send + Sync {
    /// The agent that fetches and caches what lies at `position` of a file for the zone. `None`: this one does.
    fn peer_for(&self, file_id: Uuid, position: u64) -> Option<PeerId>;

    /// Reads a range from its owner; or from `bucket`, which costs a request once it is polled, if the owner is slow or fails.
    fn read<'a>(
        &'a self,
        owner: PeerId,
        range: FileRange,
        bucket: BoxFuture<'a, Result<Vec<Bytes>, StoreError>>,
    ) -> BoxFuture<'a, Result<Vec<Bytes>, StoreError>>;
}

/// An agent on its own.
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
