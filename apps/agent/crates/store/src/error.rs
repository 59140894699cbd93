//! Errors of writing, reading and deleting data files.

use thiserror::Error;
use uuid::Uuid;

/// A failed operation on object storage. Cheap to clone, because all readers of a block share its failure.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The object does not exist.
    #[error("data file {0} is not in the bucket")]
    NotFound(Uuid),
    /// Another object already has this name.
    #[error("another object of {found_bytes} bytes lies where data file {file_id} of {expected_bytes} bytes belongs")]
    Occupied {
        /// The file that was to be written.
        file_id: Uuid,
        /// The size of that file in bytes.
        expected_bytes: u64,
        /// The size of the existing object in bytes.
        found_bytes: u64,
    },
    /// The object is shorter than its index entry says.
    #[error("data file {file_id} ends before byte {end}")]
    Truncated {
        /// The id of the file.
        file_id: Uuid,
        /// The position up to which the file should have data.
        end: u64,
    },
    /// The deadline passed without success. Contains the last failure, if any.
    #[error("no answer from object storage in time{}", .0.as_ref().map(|last| format!(" (last failure: {last})")).unwrap_or_default())]
    DeadlineExceeded(Option<String>),
    /// Fewer than two landing buckets stored the file.
    #[error("data file {file_id} is not in two landing buckets: {reason}")]
    NotLanded {
        /// The id of the file.
        file_id: Uuid,
        /// The reason for the last failure.
        reason: String,
    },
    /// Object storage refused the operation or failed.
    #[error("object storage failed: {0}")]
    Failed(String),
}

impl StoreError {
    /// The kind of failure, in one word.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Occupied { .. } => "occupied",
            Self::Truncated { .. } => "truncated",
            Self::DeadlineExceeded(_) => "timeout",
            Self::NotLanded { .. } => "not_landed",
            Self::Failed(_) => "failed",
        }
    }
}

/// Joins an error's message with those of its causes, which `object_store` reports separately.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
