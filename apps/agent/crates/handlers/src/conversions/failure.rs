//! Kafka error codes for failed calls to the metadata service. Logs the cause.

use penstock_metadata_client::RpcError;
use penstock_wire::{ApiKey, ErrorCode};

/// The code for requests about groups, offsets and transactions: clients find the coordinator again and retry. This
/// also applies if the service refuses this agent, because another agent may work; authorization codes would mislead
/// people to their ACLs.
pub(crate) fn coordinator_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    log(api, error);
    match error {
        RpcError::InvalidArgument(_) => ErrorCode::INVALID_REQUEST,
        // Java's consumer retries OffsetFetch only after this code.
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

/// The code for requests that look up topics: clients refresh their metadata and retry.
pub(crate) fn lookup_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    match cluster_error(api, error) {
        ErrorCode::REQUEST_TIMED_OUT => ErrorCode::LEADER_NOT_AVAILABLE,
        other => other,
    }
}

/// The code for all other requests. Most of these responses include a message that says that the agent's key is
/// refused.
pub(crate) fn cluster_error(api: ApiKey, error: &RpcError) -> ErrorCode {
    log(api, error);
    match error {
        RpcError::Unauthenticated(_) | RpcError::PermissionDenied(_) | RpcError::NotFound(_) => {
            ErrorCode::CLUSTER_AUTHORIZATION_FAILED
        }
        RpcError::InvalidArgument(_) => ErrorCode::INVALID_REQUEST,
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

/// Converts an error code from the metadata service.
pub(crate) fn code(error_code: i32) -> ErrorCode {
    i16::try_from(error_code).map_or(ErrorCode::UNKNOWN_SERVER_ERROR, ErrorCode)
}

/// Like [`code`], for a request with topic names. The service is asked by id, and clients that never sent an id do not
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

/// Returns a message for the client, unless it is empty.
pub(crate) fn message(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_agent_redirects_group_and_transaction_clients() {
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
