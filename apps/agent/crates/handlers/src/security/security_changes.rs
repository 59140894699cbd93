//! Authorization and error responses shared by the APIs for users, ACLs and quotas.

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::RpcError;
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::Caller;
use crate::conversions::failure;

/// An error code and its reason.
pub(crate) type Refused = (ErrorCode, String);

const NO_ACLS: &str =
    "ACLs are turned off for this cluster: `penstock security set --acl-mode shadow` or `enforced` turns them on";
const NOT_SIGNED_IN: &str = "without ACLs, only clients that have signed in may change users and quotas: sign in with SASL or a client certificate";

/// Returns an error while the cluster checks no ACLs, like a Kafka broker without an authorizer.
pub(crate) fn demand_acls(access: &Access) -> Result<(), Refused> {
    if access.has_acls() {
        Ok(())
    } else {
        Err((ErrorCode::SECURITY_DISABLED, NO_ACLS.to_owned()))
    }
}

/// Returns an error unless the client may read users, ACLs or quotas.
pub(crate) fn authorize_reading(access: &Access, operation: Operation) -> Result<(), Refused> {
    access
        .check(operation, Resource::CLUSTER)
        .map_err(|error_code| (error_code, denied(operation)))
}

/// Returns an error unless the client may change users, ACLs or quotas. Shadow mode makes no exception: the rules must
/// protect themselves from the first day. Without ACLs, the client must be authenticated, so that nobody can lock all
/// others out of an open cluster.
pub(crate) fn authorize_change(access: &Access, caller: &Caller, operation: Operation) -> Result<(), Refused> {
    if !access.has_acls() {
        return if caller.client.is_authenticated {
            Ok(())
        } else {
            Err((ErrorCode::CLUSTER_AUTHORIZATION_FAILED, NOT_SIGNED_IN.to_owned()))
        };
    }
    if access.insists(operation, Resource::CLUSTER) {
        Ok(())
    } else {
        Err((ErrorCode::CLUSTER_AUTHORIZATION_FAILED, denied(operation)))
    }
}

fn denied(operation: Operation) -> String {
    format!("the client is not authorized for {operation} on the cluster")
}

/// The response to a client whose call failed.
pub(crate) fn call_failed(api: ApiKey, error: &RpcError) -> Refused {
    (failure::cluster_error(api, error), error.to_string())
}

/// Converts a code of Kafka's enums. Negative ones are invalid.
pub(crate) fn enum_code(code: i8) -> u32 {
    u32::try_from(code).unwrap_or(0)
}

/// Converts a code for a response. Numbers that do not fit are unknown to Kafka.
pub(crate) fn wire_code(code: u32) -> i8 {
    i8::try_from(code).unwrap_or(0)
}
