//! Topic ids in the formats of Kafka, the catalogue and the RPC.

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

/// Converts an id from the RPC; an empty one becomes zero.
pub(crate) fn rpc_to_wire(id: &[u8]) -> WireUuid {
    Uuid::from_slice(id).map_or(WireUuid::ZERO, to_wire)
}
