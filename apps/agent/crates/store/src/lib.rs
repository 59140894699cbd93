//! Data files in object storage: names, format, exactly-once writes, and reads through a bounded cache. Knows nothing
//! of the Kafka protocol or the metadata service.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod block_cache;
mod bucket;
mod buffer_pool;
mod clock_map;
mod container_credentials;
mod diagnosis;
mod error;
mod failure;
mod file_index;
mod file_writer;
mod kept_credentials;
mod landing;
mod lifecycle;
mod objects;
mod place_cache;
mod places;
mod probes;
mod region;
mod self_test;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod zone_peers;

pub use block_cache::{
    BLOCK_BYTES, BlockCache, MERGED_FILE_BYTES, OLD_BLOCK_BYTES as MIN_BLOCK_BYTES, STRETCH_BYTES, is_fresh,
};
pub use bucket::{Bucket, BucketError};
pub use clock_map::ClockMap;
pub use diagnosis::{Check, Diagnosis, Operation, diagnose};
pub use error::StoreError;
pub use file_index::{FileIndex, FormatError, IndexedRun, MAGIC, TRAILER_BYTES, decode_index, encode_index};
pub use file_writer::{FileWriter, Parts};
pub use landing::{LANDED_COPIES, LandingBucket, is_landed};
pub use lifecycle::{HarmfulRule, Lifecycle, RuleAction};
pub use objects::{ListedFile, ObjectCounters, Objects};
pub use place_cache::PlaceCache;
pub use places::{Place, decode_places, encode_places};
pub use probes::delete_old_probes;
pub use self_test::{SelfTestError, self_test};
pub use zone_peers::{FileRange, PeerId, ZonePeers};
