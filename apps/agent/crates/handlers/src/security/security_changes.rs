//! What the APIs for users, ACLs and quotas share: who may use them, and what failed calls are answered with.

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::RpcError;
use penstock_wire::{ApiKey, ErrorCode};

use crate::access::Access;
use crate::context::Caller;
use crate::conversions::failure;

/// An error code and its reason.
pub(crate) type Refused = (ErrorCode, String);

const NO_ACLS: &str =
    "ACLs are turned off for this cluster: `penstock security set --acl-mode shadow` or `enforced` turns them on";
const NOT_SIGNED_IN: &str = "without ACLs, only clients that have signed in may change users and quotas: sign in with SASL or a client certificate";
const OLD_SERVICE: &str = "the metadata service is too old to keep users, ACLs and quotas: upgrade it";

/// The ACL APIs answer as on a Kafka broker without an authorizer while the cluster checks no ACLs.
pub(crate) fn demand_acls(access: &Access) -> Result<(), Refused> {
    if access.has_acls() {
        Ok(())
    } else {
        Err((ErrorCode::SECURITY_DISABLED, NO_ACLS.to_owned()))
    }
}

/// Whether the client may read users, ACLs or quotas.
pub(crate) fn authorize_reading(access: &Access, operation: Operation) -> Result<(), Refused> {
    access
        .check(operation, Resource::CLUSTER)
        .map_err(|error_code| (error_code, denied(operation)))
}

/// Whether the client may change users, ACLs or quotas. Shadow mode opens these to nobody: who may change the rules must be decided by the
/// rules from their first day. Without ACLs a client must have signed in, so that nobody can lock out all others of an open cluster.
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

/// The answer to a client whose call failed.
pub(crate) fn call_failed(api: ApiKey, error: &RpcError) -> Refused {
    let error_code = failure::cluster_error(api, error);
    match error {
        RpcError::Failed { code, .. } if code == "unimplemented" => {
            (ErrorCode::UNSUPPORTED_VERSION, OLD_SERVICE.to_owned())
        }
        _ => (error_code, error.to_string()),
    }
}

/// A number of Kafka's enums. Negative ones are none.
pub(crate) fn enum_code(code: i8) -> u32 {
    u32::try_from(code).unwrap_or(0)
}

/// As the wire has it. Numbers beyond it are none that Kafka knows.
pub(crate) fn wire_code(code: u32) -> i8 {
    i8::try_from(code).unwrap_or(0)
}
