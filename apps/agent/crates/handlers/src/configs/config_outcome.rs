//! What became of the change of a config.

use penstock_wire::ErrorCode;

use crate::conversions::failure;

/// Why a change cannot be made, for the client.
pub(crate) type Refusal = (ErrorCode, String);

/// What became of one change.
pub(crate) type Outcome = Result<(), Refusal>;

/// From the code and message of the owner.
pub(crate) fn outcome(error_code: i32, error_message: String) -> Outcome {
    match failure::code(error_code) {
        ErrorCode::NONE => Ok(()),
        refused => Err((refused, error_message)),
    }
}
