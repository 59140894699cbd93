//! Kafka error codes for failed calls to the metadata service. Logs the cause.

use penstock_metadata_client::RpcError;
use penstock_wire::{ApiKey, ErrorCode};

/// For requests about groups, offsets and transactions: clients look for the coordinator again and retry. So they do when the service
/// refuses this agent, because another one may be theirs; the codes of authorization would send people to their ACLs.
pub(crate) fn coordinator_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    log(api, error);
    match error {
        RpcError::InvalidArgument(_) => ErrorCode::INVALID_REQUEST,
        _ if error.is_unimplemented() => ErrorCode::UNSUPPORTED_VERSION,
        // Java's consumer retries a fetch of offsets after this code only.
        _ if api == ApiKey::OffsetFetch => ErrorCode::NOT_COORDINATOR,
        RpcError::Unauthenticated(_)
        | RpcError::PermissionDenied(_)
        | RpcError::NotFound(_)
        | RpcError::Unavailable(_)
        | RpcError::ClusterStopped(_)
        | RpcError::AddressUnconfirmed(_)
        | RpcError::DeadlineExceeded(_) => ErrorCode::COORDINATOR_NOT_AVAILABLE,
        RpcError::Failed { .. } => ErrorCode::UNKNOWN_SERVER_ERROR,
    }
}

/// For requests that look up topics: clients refresh their metadata and retry.
pub(crate) fn lookup_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    match cluster_error(api, error) {
        ErrorCode::REQUEST_TIMED_OUT => ErrorCode::LEADER_NOT_AVAILABLE,
        other => other,
    }
}

/// For everything else. Most of these answers say in words that it is the agent's key that is refused.
pub(crate) fn cluster_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    log(api, error);
    match error {
        RpcError::Unauthenticated(_) | RpcError::PermissionDenied(_) | RpcError::NotFound(_) => {
            ErrorCode::CLUSTER_AUTHORIZATION_FAILED
        }
        RpcError::InvalidArgument(_) => ErrorCode::INVALID_REQUEST,
        // Of an earlier release, which does not have the call.
        _ if error.is_unimplemented() => ErrorCode::UNSUPPORTED_VERSION,
        RpcError::Unavailable(_)
        | RpcError::ClusterStopped(_)
        | RpcError::AddressUnconfirmed(_)
        | RpcError::DeadlineExceeded(_) => ErrorCode::REQUEST_TIMED_OUT,
        RpcError::Failed { .. } => ErrorCode::UNKNOWN_SERVER_ERROR,
    }
}

fn log(api: ApiKey, error: &RpcError) {
    tracing::warn!(api = api.name(), %error, "request failed: no answer from the metadata service");
}

/// An error code that the metadata service sent.
pub(crate) fn code(error_code: i32) -> ErrorCode {
    i16::try_from(error_code).map_or(ErrorCode::UNKNOWN_SERVER_ERROR, ErrorCode)
}

/// The same for a request that names its topics: the service is asked by id, and clients that never sent an id do not
/// retry an error about one.
pub(crate) fn code_by_name(error_code: i32) -> ErrorCode {
    by_name(code(error_code))
}

/// Replaces an error about a topic id for clients that sent the topic's name.
pub(crate) fn by_name(error_code: ErrorCode) -> ErrorCode {
    match error_code {
        ErrorCode::UNKNOWN_TOPIC_ID => ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
        other => other,
    }
}

/// A message for the client, if there is anything to say.
pub(crate) fn message(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_of_groups_and_transactions_look_for_another_agent_when_this_one_is_refused() {
        for error in [
            RpcError::Unauthenticated("revoked".to_owned()),
            RpcError::PermissionDenied("another cluster's".to_owned()),
            RpcError::NotFound("deleted".to_owned()),
        ] {
            for (api, expected) in [
                (ApiKey::JoinGroup, ErrorCode::COORDINATOR_NOT_AVAILABLE),
                (ApiKey::OffsetFetch, ErrorCode::NOT_COORDINATOR),
                (ApiKey::EndTxn, ErrorCode::COORDINATOR_NOT_AVAILABLE),
            ] {
                assert_eq!(coordinator_error(api, &error), expected, "{error}");
            }
        }
    }
}
