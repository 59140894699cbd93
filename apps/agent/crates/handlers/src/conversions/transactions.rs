//! Error codes shared by the transaction APIs.

use penstock_wire::ErrorCode;

/// The code for a fenced producer in this request version. `known_from` is the first version whose clients know
/// PRODUCER_FENCED.
pub(crate) fn fenced_by_version(error_code: ErrorCode, version: i16, known_from: i16) -> ErrorCode {
    match error_code {
        ErrorCode::PRODUCER_FENCED if version < known_from => ErrorCode::INVALID_PRODUCER_EPOCH,
        other => other,
    }
}

/// The code for records or offsets whose partition or group is not in the transaction. `abortable` is the version whose
/// clients know that aborting the transaction is enough; later versions add what is missing instead.
pub(crate) fn missing_by_version(error_code: ErrorCode, version: i16, abortable: i16) -> ErrorCode {
    match error_code {
        ErrorCode::INVALID_TXN_STATE if version == abortable => ErrorCode::TRANSACTION_ABORTABLE,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_only_codes_that_its_version_knows() {
        let fenced = ErrorCode::PRODUCER_FENCED;
        assert_eq!(fenced_by_version(fenced, 1, 2), ErrorCode::INVALID_PRODUCER_EPOCH);
        assert_eq!(fenced_by_version(fenced, 2, 2), fenced);
        let missing = ErrorCode::INVALID_TXN_STATE;
        assert_eq!(missing_by_version(missing, 3, 4), missing);
        assert_eq!(missing_by_version(missing, 4, 4), ErrorCode::TRANSACTION_ABORTABLE);
        assert_eq!(missing_by_version(missing, 5, 4), missing);
    }
}
