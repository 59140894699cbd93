//! Why a data file could not be written, read or deleted.

use thiserror::Error;
use uuid::Uuid;

/// A failed operation on object storage. Cheap to clone, because all readers of one block share its failure.
#[derive(Debug, Clone, Error)]
pub enum StoreError {
    /// The object is not there.
    #[error("data file {0} is not in the bucket")]
    NotFound(Uuid),
    /// Another object already has this name.
    #[error("another object of {found_bytes} bytes lies where data file {file_id} of {expected_bytes} bytes belongs")]
    Occupied {
        /// The file that was to be written.
        file_id: Uuid,
        /// Its size.
        expected_bytes: u64,
        /// The size of what is there.
        found_bytes: u64,
    },
    /// The object is shorter than its index entry says.
    #[error("data file {file_id} ends before byte {end}")]
    Truncated {
        /// The file.
        file_id: Uuid,
        /// Where it should not have ended yet.
        end: u64,
    },
    /// No success before the deadline; the last failure, if one was seen.
    #[error("no answer from object storage in time{}", .0.as_ref().map(|last| format!(" (last failure: {last})")).unwrap_or_default())]
    DeadlineExceeded(Option<String>),
    /// No two landing buckets took it.
    #[error("data file {file_id} is not in two landing buckets: {reason}")]
    NotLanded {
        /// The file.
        file_id: Uuid,
        /// What failed last.
        reason: String,
    },
    /// Object storage refused or failed.
    #[error("object storage failed: {0}")]
    Failed(String),
}

impl StoreError {
    /// What kind of failure it is, in one word.
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

/// An error's own words and those of its causes, which `object_store` keeps apart.
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
