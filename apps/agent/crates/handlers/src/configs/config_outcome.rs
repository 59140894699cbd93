//! The outcome of a config change.

use penstock_wire::ErrorCode;

use crate::conversions::failure;

/// Why a change is refused, for the client.
pub(crate) type Refusal = (ErrorCode, String);

/// The outcome of one change.
pub(crate) type Outcome = Result<(), Refusal>;

/// Converts the owner's code and message.
pub(crate) fn outcome(error_code: i32, error_message: String) -> Outcome {
    match failure::code(error_code) {
        ErrorCode::NONE => Ok(()),
        refused => Err((refused, error_message)),
    }
}
