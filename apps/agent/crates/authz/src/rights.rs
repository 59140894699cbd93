//! What rules state about resources, indexed so that a decision looks at no rule that is about another resource.

use std::collections::HashMap;

use crate::acl::{Acl, PatternType, Permission, WILDCARD};
use crate::operation::{Operation, Operations};
use crate::resource::{Resource, ResourceType};

/// What rules allow and deny, without what allowed operations imply.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stated {
    pub(crate) allowed: Operations,
    pub(crate) denied: Operations,
}

impl Stated {
    fn add(&mut self, acl: &Acl) {
        let operations = Operations::stated_by(acl.operation);
        match acl.permission {
            Permission::Allow => self.allowed = self.allowed.and(operations),
            Permission::Deny => self.denied = self.denied.and(operations),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            allowed: self.allowed.and(other.allowed),
            denied: self.denied.and(other.denied),
        }
    }
}

/// The rules about resources of one type.
#[derive(Debug, Default)]
struct Patterns {
    any: Option<Stated>,
    literal: HashMap<String, Stated>,
    prefixed: HashMap<String, Stated>,
    /// Of the keys of `prefixed`, ascending, each once, in bytes.
    prefix_lengths: Vec<usize>,
}

impl Patterns {
    fn add(&mut self, acl: &Acl) {
        let stated = match acl.pattern_type {
            PatternType::Literal if acl.resource_name == WILDCARD => self.any.get_or_insert_default(),
            PatternType::Literal => self.literal.entry(acl.resource_name.clone()).or_default(),
            PatternType::Prefixed => {
                let length = acl.resource_name.len();
                if let Err(place) = self.prefix_lengths.binary_search(&length) {
                    self.prefix_lengths.insert(place, length);
                }
                self.prefixed.entry(acl.resource_name.clone()).or_default()
            }
        };
        stated.add(acl);
    }

    /// The prefixed patterns that a name begins with.
    fn prefixes(&self, name: &str) -> impl Iterator<Item = Stated> {
        self.prefix_lengths
            .iter()
            .map_while(move |length| (*length <= name.len()).then(|| name.get(..*length)))
            .filter_map(|prefix| self.prefixed.get(prefix?).copied())
    }

    /// `None`: no rule is about the resource.
    fn stated(&self, name: &str) -> Option<Stated> {
        // Kafka takes the wildcard for a mere prefix of a longer name that begins with an asterisk.
        let is_wildcard_blind = name.starts_with(WILDCARD) && name != WILDCARD;
        let any = self.any.filter(|_| !is_wildcard_blind);
        any.into_iter()
            .chain(self.literal.get(name).copied())
            .chain(self.prefixes(name))
            .reduce(Stated::and)
    }

    fn allows_some(&self, operation: Operation) -> bool {
        let any = self.any.unwrap_or_default();
        if any.denied.has(operation) {
            return false;
        }
        let is_open = |name: &str, stated: &Stated| {
            stated.allowed.has(operation) && !self.prefixes(name).any(|prefix| prefix.denied.has(operation))
        };
        any.allowed.has(operation)
            || self
                .literal
                .iter()
                .any(|(name, stated)| is_open(name, stated) && !stated.denied.has(operation))
            || self.prefixed.iter().any(|(prefix, stated)| is_open(prefix, stated))
    }
}

/// A set of rules.
#[derive(Debug, Default)]
pub(crate) struct Rights {
    by_type: HashMap<ResourceType, Patterns>,
}

impl Rights {
    pub(crate) fn of<'a>(acls: impl IntoIterator<Item = &'a Acl>) -> Self {
        let mut rights = Self::default();
        for acl in acls {
            rights.by_type.entry(acl.resource_type).or_default().add(acl);
        }
        rights
    }

    /// What the rules say about the resource. `None`: nothing.
    pub(crate) fn stated(&self, resource: Resource<'_>) -> Option<Stated> {
        self.by_type.get(&resource.resource_type)?.stated(resource.name)
    }

    /// Whether there may be a resource of the type on which the operation is allowed, by what Kafka looks at: each allowing pattern that
    /// no denying pattern covers whole. Operations imply none here.
    pub(crate) fn allows_some(&self, operation: Operation, resource_type: ResourceType) -> bool {
        self.by_type
            .get(&resource_type)
            .is_some_and(|patterns| patterns.allows_some(operation))
    }
}
