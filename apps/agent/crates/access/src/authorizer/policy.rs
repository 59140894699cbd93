//! Converts messages of the metadata service to rules and back.

use penstock_authz::{Acl, Mode, Operation, PatternType, Permission, Policy, ResourceType, Settings};
use penstock_metadata_client::proto::{self, AclMode};

pub(super) fn from_proto(state: &proto::SecurityState) -> Policy {
    let settings = state.settings.clone().unwrap_or_default();
    let mode = match AclMode::try_from(settings.acl_mode) {
        Ok(AclMode::Unspecified | AclMode::Disabled) => Mode::Disabled,
        Ok(AclMode::Shadow) => Mode::Shadow,
        // An unknown mode of a later service must not open the cluster.
        Ok(AclMode::Enforced) | Err(_) => Mode::Enforced,
    };
    let settings = Settings {
        mode,
        super_users: settings.super_users,
        allow_everyone_if_no_acl_found: settings.allow_everyone_if_no_acl_found,
    };
    Policy::new(settings, state.acls.iter().filter_map(acl_from_proto).collect())
}

/// Returns `None` for types or operations of a later service that this agent does not support.
pub fn acl_from_proto(acl: &proto::AclBinding) -> Option<Acl> {
    Some(Acl {
        resource_type: ResourceType::from_code(acl.resource_type)?,
        resource_name: acl.resource_name.clone(),
        pattern_type: PatternType::from_code(acl.pattern_type)?,
        principal: acl.principal.clone(),
        host: acl.host.clone(),
        operation: Operation::from_code(acl.operation)?,
        permission: Permission::from_code(acl.permission_type)?,
    })
}
