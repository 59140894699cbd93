//! The one log directory that tools see: the bucket.

/// The path of the directory. It contains all records, because agents store none on disk.
pub(crate) const LOG_DIR: &str = "/object-storage";
