//! The one log directory that tools see: the bucket.

/// Its path. All records are there, and no agent keeps any on a disk.
pub(crate) const LOG_DIR: &str = "/object-storage";
