//! Rules of a cluster, for tests.

use penstock_authz::{Operation, PatternType, Permission, ResourceType};
use penstock_metadata_client::proto;

/// The security state of a cluster with these rules. `User:admin` is a super user.
#[must_use]
pub fn security(mode: proto::AclMode, acls: &[proto::AclBinding]) -> proto::SecurityState {
    proto::SecurityState {
        version: 1,
        settings: Some(proto::SecuritySettings {
            super_users: vec!["User:admin".to_owned()],
            acl_mode: mode.into(),
            ..Default::default()
        }),
        acls: acls.to_vec(),
        ..Default::default()
    }
}

/// A rule that allows everyone an operation on the resource with this name.
#[must_use]
pub fn rule(resource_type: ResourceType, name: &str, operation: Operation) -> proto::AclBinding {
    proto::AclBinding {
        resource_type: resource_type.code().into(),
        resource_name: name.to_owned(),
        pattern_type: PatternType::Literal as u32,
        principal: "User:*".to_owned(),
        host: "*".to_owned(),
        operation: operation.code().into(),
        permission_type: Permission::Allow as u32,
    }
}
