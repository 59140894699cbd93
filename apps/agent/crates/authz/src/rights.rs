//! Rules indexed by resource, so that a decision reads no rule for another resource.

use std::collections::HashMap;

use crate::acl::{Acl, PatternType, Permission, WILDCARD};
use crate::operation::{Operation, Operations};
use crate::resource::{Resource, ResourceType};

/// The operations that rules allow and deny, without implied ones.
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

/// The rules for resources of one type.
#[derive(Debug, Default)]
struct Patterns {
    any: Option<Stated>,
    literal: HashMap<String, Stated>,
    prefixed: HashMap<String, Stated>,
    /// The lengths of the keys in `prefixed` in bytes, ascending and without duplicates.
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

    /// Returns `None` if no rule names the resource.
    fn stated(&self, name: &str) -> Option<Stated> {
        // Kafka treats the wildcard as a plain prefix of longer names that begin with an asterisk.
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

/// A set of indexed rules.
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

    /// Returns what the rules say about the resource, or `None` if no rule names it.
    pub(crate) fn stated(&self, resource: Resource<'_>) -> Option<Stated> {
        self.by_type.get(&resource.resource_type)?.stated(resource.name)
    }

    /// Returns true if the operation may be allowed on some resource of the type, by Kafka's method: some allowing
    /// pattern is not fully covered by a denying one. Operations imply no others here.
    pub(crate) fn allows_some(&self, operation: Operation, resource_type: ResourceType) -> bool {
        self.by_type
            .get(&resource_type)
            .is_some_and(|patterns| patterns.allows_some(operation))
    }
}
