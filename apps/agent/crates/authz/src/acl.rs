//! Kafka's access control lists: rules, and filters that find rules.

use crate::operation::Operation;
use crate::resource::ResourceType;

/// Matches any resource name or host.
pub const WILDCARD: &str = "*";
/// Matches any principal in a rule.
pub const WILDCARD_PRINCIPAL: &str = "User:*";

/// Matches any value in a filter.
const ANY: u32 = 1;
/// In a filter, matches every pattern that affects the named resource.
const MATCH: u32 = 2;

/// How a rule names resources. The numbers are those of Kafka's PatternType.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PatternType {
    /// The resource with this name, or all resources of the type if the name is `*`.
    Literal = 3,
    /// All resources whose names begin with this prefix.
    Prefixed = 4,
}

impl PatternType {
    /// Returns the type with this number, or `None` if there is none or only filters use it.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            3 => Some(Self::Literal),
            4 => Some(Self::Prefixed),
            _ => None,
        }
    }
}

/// The effect of a rule. The numbers are those of Kafka's AclPermissionType.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Permission {
    /// Denies the operation, regardless of other rules.
    Deny = 2,
    /// Allows the operation, unless another rule denies it.
    Allow = 3,
}

impl Permission {
    /// Returns the permission with this number, or `None` if there is none or only filters use it.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            2 => Some(Self::Deny),
            3 => Some(Self::Allow),
            _ => None,
        }
    }
}

/// A rule: Kafka's AclBinding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Acl {
    /// The type of the resources.
    pub resource_type: ResourceType,
    /// The name of the resource, or the prefix of names.
    pub resource_name: String,
    /// How `resource_name` is matched.
    pub pattern_type: PatternType,
    /// The principal, such as `User:alice`, or `User:*`.
    pub principal: String,
    /// The address of the clients, or `*`.
    pub host: String,
    /// The allowed or denied operation.
    pub operation: Operation,
    /// Whether the rule allows or denies.
    pub permission: Permission,
}

/// A filter that finds rules: Kafka's AclBindingFilter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AclFilter {
    /// A resource type, or 1 for any.
    pub resource_type: u32,
    /// The resource name; `None` for any.
    pub resource_name: Option<String>,
    /// A pattern type, 1 for any, or 2 for every pattern that affects the named resource.
    pub pattern_type: u32,
    /// The principal; `None` for any.
    pub principal: Option<String>,
    /// The host; `None` for any.
    pub host: Option<String>,
    /// An operation, or 1 for any.
    pub operation: u32,
    /// A permission, or 1 for any.
    pub permission_type: u32,
}

impl AclFilter {
    /// Returns true if Kafka defines every number in the filter.
    #[must_use]
    pub fn is_known(&self) -> bool {
        let is_any = |code| code == ANY;
        (is_any(self.resource_type) || ResourceType::from_code(self.resource_type).is_some())
            && (is_any(self.pattern_type)
                || self.pattern_type == MATCH
                || PatternType::from_code(self.pattern_type).is_some())
            && (is_any(self.operation) || Operation::from_code(self.operation).is_some())
            && (is_any(self.permission_type) || Permission::from_code(self.permission_type).is_some())
    }

    /// Returns true if the filter matches the rule.
    #[must_use]
    pub fn matches(&self, acl: &Acl) -> bool {
        let is = |wanted: u32, code: u8| wanted == ANY || wanted == u32::from(code);
        let names = |wanted: &Option<String>, text: &str| wanted.as_deref().is_none_or(|wanted| wanted == text);
        is(self.resource_type, acl.resource_type.code())
            && self.matches_pattern(acl)
            && names(&self.principal, &acl.principal)
            && names(&self.host, &acl.host)
            && is(self.operation, acl.operation.code())
            && is(self.permission_type, acl.permission as u8)
    }

    fn matches_pattern(&self, acl: &Acl) -> bool {
        let is_of_type = self.pattern_type == acl.pattern_type as u32;
        if !is_of_type && self.pattern_type != ANY && self.pattern_type != MATCH {
            return false;
        }
        let Some(name) = self.resource_name.as_deref() else {
            return true;
        };
        match acl.pattern_type {
            _ if self.pattern_type != MATCH => name == acl.resource_name,
            PatternType::Literal => name == acl.resource_name || acl.resource_name == WILDCARD,
            PatternType::Prefixed => name.starts_with(&acl.resource_name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acl(resource_name: &str, pattern_type: PatternType) -> Acl {
        Acl {
            resource_type: ResourceType::Topic,
            resource_name: resource_name.to_owned(),
            pattern_type,
            principal: "User:alice".to_owned(),
            host: WILDCARD.to_owned(),
            operation: Operation::Read,
            permission: Permission::Allow,
        }
    }

    fn any() -> AclFilter {
        AclFilter {
            resource_type: ANY,
            pattern_type: ANY,
            operation: ANY,
            permission_type: ANY,
            ..Default::default()
        }
    }

    #[test]
    fn a_filter_matches_by_each_of_its_fields() {
        let alices = acl("orders", PatternType::Literal);
        let some = |text: &str| Some(text.to_owned());
        for (filter, finds) in [
            (any(), true),
            (
                AclFilter {
                    resource_type: 2,
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    resource_type: 3,
                    ..any()
                },
                false,
            ),
            (
                AclFilter {
                    resource_name: some("orders"),
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    resource_name: some("order"),
                    ..any()
                },
                false,
            ),
            (
                AclFilter {
                    pattern_type: 3,
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    pattern_type: 4,
                    ..any()
                },
                false,
            ),
            (
                AclFilter {
                    principal: some("User:alice"),
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    principal: some("User:*"),
                    ..any()
                },
                false,
            ),
            (
                AclFilter {
                    host: some("*"),
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    host: some("10.0.0.1"),
                    ..any()
                },
                false,
            ),
            (AclFilter { operation: 3, ..any() }, true),
            (AclFilter { operation: 2, ..any() }, false),
            (
                AclFilter {
                    permission_type: 3,
                    ..any()
                },
                true,
            ),
            (
                AclFilter {
                    permission_type: 2,
                    ..any()
                },
                false,
            ),
        ] {
            assert_eq!(filter.matches(&alices), finds, "{filter:?}");
        }
    }

    #[test]
    fn a_match_filter_finds_every_pattern_for_the_resource() {
        let affects = |pattern: &Acl| {
            let filter = AclFilter {
                pattern_type: MATCH,
                resource_name: Some("orders-eu".to_owned()),
                ..any()
            };
            filter.matches(pattern)
        };
        assert!(affects(&acl("orders-eu", PatternType::Literal)));
        assert!(affects(&acl(WILDCARD, PatternType::Literal)));
        assert!(affects(&acl("orders-", PatternType::Prefixed)));
        assert!(!affects(&acl("orders", PatternType::Literal)));
        assert!(!affects(&acl(WILDCARD, PatternType::Prefixed)));
        assert!(!affects(&acl("users-", PatternType::Prefixed)));
    }
}
