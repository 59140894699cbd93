//! Access control lists as Kafka has them: one rule each, and filters that find rules.

use crate::operation::Operation;
use crate::resource::ResourceType;

/// As a resource's name or a host: any.
pub const WILDCARD: &str = "*";
/// As a principal: any.
pub const WILDCARD_PRINCIPAL: &str = "User:*";

/// In filters: any.
const ANY: u32 = 1;
/// In filters: every pattern that affects the named resource.
const MATCH: u32 = 2;

/// How a rule names resources. The numbers are those of Kafka's PatternType.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PatternType {
    /// The resource of this name, or with the name `*` all resources of the type.
    Literal = 3,
    /// All resources whose names begin so.
    Prefixed = 4,
}

impl PatternType {
    /// The type of this number. `None`: there is none, or it is one of a filter only.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            3 => Some(Self::Literal),
            4 => Some(Self::Prefixed),
            _ => None,
        }
    }
}

/// What a rule does. The numbers are those of Kafka's AclPermissionType.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Permission {
    /// Denies, whatever other rules allow.
    Deny = 2,
    /// Allows, if no rule denies.
    Allow = 3,
}

impl Permission {
    /// The permission of this number. `None`: there is none, or it is one of a filter only.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        match code {
            2 => Some(Self::Deny),
            3 => Some(Self::Allow),
            _ => None,
        }
    }
}

/// One rule: Kafka's AclBinding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Acl {
    /// The kind of resources it is about.
    pub resource_type: ResourceType,
    /// Their name, or how it begins.
    pub resource_name: String,
    /// Which of both.
    pub pattern_type: PatternType,
    /// Whom it is about, e.g. `User:alice`, or `User:*`.
    pub principal: String,
    /// The address of the clients it is about, or `*`.
    pub host: String,
    /// What it allows or denies.
    pub operation: Operation,
    /// Which of both.
    pub permission: Permission,
}

/// Finds rules: Kafka's AclBindingFilter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AclFilter {
    /// A resource type, or 1 for any.
    pub resource_type: u32,
    /// `None`: any.
    pub resource_name: Option<String>,
    /// A pattern type, 1 for any, or 2 for every pattern that affects the named resource.
    pub pattern_type: u32,
    /// `None`: any.
    pub principal: Option<String>,
    /// `None`: any.
    pub host: Option<String>,
    /// An operation, or 1 for any.
    pub operation: u32,
    /// A permission, or 1 for any.
    pub permission_type: u32,
}

impl AclFilter {
    /// Whether every number of the filter is one that Kafka knows.
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

    /// Whether the filter finds the rule.
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
    fn a_filter_finds_by_each_of_its_fields() {
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
    fn a_match_filter_finds_every_pattern_that_affects_the_resource() {
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
