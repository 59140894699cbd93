//! The error that clients get when they ask for transactions.

use penstock_wire::ErrorCode;

/// Of the codes that a transactional producer may get, the one that every client takes as final instead of retrying.
pub(crate) const REFUSAL: ErrorCode = ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED;

pub(crate) const REASON: &str =
    "transactions are not supported: remove transactional.id from the producer's settings (idempotent producers work)";
