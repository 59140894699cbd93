//! Topic ids in the three forms that meet here: Kafka's, the catalogue's and the RPC's.

use bytes::Bytes;
use penstock_wire::Uuid as WireUuid;
use uuid::Uuid;

pub(crate) fn from_wire(id: WireUuid) -> Uuid {
    Uuid::from_bytes(id.0)
}

pub(crate) fn to_wire(id: Uuid) -> WireUuid {
    WireUuid(id.into_bytes())
}

pub(crate) fn to_rpc(id: Uuid) -> Bytes {
    Bytes::copy_from_slice(id.as_bytes())
}

/// An id from the RPC; zero where it has none.
pub(crate) fn rpc_to_wire(id: &[u8]) -> WireUuid {
    Uuid::from_slice(id).map_or(WireUuid::ZERO, to_wire)
}
