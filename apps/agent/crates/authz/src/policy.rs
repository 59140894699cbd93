//! The decision whether a client may do something: Kafka's StandardAuthorizer.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use parking_lot::RwLock;

use crate::acl::{Acl, PatternType, Permission, WILDCARD, WILDCARD_PRINCIPAL};
use crate::operation::{Operation, Operations};
use crate::principal::Principal;
use crate::resource::{Resource, ResourceType};
use crate::rights::Rights;

/// How many clients' rights are kept. Each has what the rules say about this client, which is little.
const MAX_REMEMBERED_CLIENTS: usize = 4096;
/// Stands for every address where no rule is about one.
const ANY_HOST: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
/// A resource that no rule but those about all resources names, as in Kafka's authorizer.
const SOME_NAME: &str = "hardcode";

/// What is done about requests that rules don't allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Nothing is checked.
    #[default]
    Disabled,
    /// Requests are checked, counted and allowed.
    Shadow,
    /// Requests are refused.
    Enforced,
}

/// What the rules of a cluster are made from.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What is done about requests that rules don't allow.
    pub mode: Mode,
    /// Principals that may do everything, e.g. `User:admin`.
    pub super_users: Vec<String>,
    /// Whether everyone may do everything to a resource that no rule is about: Kafka's `allow.everyone.if.no.acl.found`.
    pub allow_everyone_if_no_acl_found: bool,
}

/// All rules of a cluster at one version.
#[derive(Debug, Default)]
pub struct Policy {
    mode: Mode,
    super_users: HashSet<String>,
    allow_everyone_if_no_acl_found: bool,
    by_principal: HashMap<String, Vec<Acl>>,
    /// Of all rules together, for any principal.
    everyones: Rights,
    has_hosts: bool,
    remembered: RwLock<HashMap<Arc<Principal>, RightsByHost>>,
}

type RightsByHost = HashMap<IpAddr, Arc<Rights>>;

impl Policy {
    /// Indexes rules.
    #[must_use]
    pub fn new(settings: Settings, acls: Vec<Acl>) -> Self {
        let everyones = Rights::of(&acls);
        let has_hosts = acls.iter().any(|acl| acl.host != WILDCARD);
        let mut by_principal: HashMap<String, Vec<Acl>> = HashMap::new();
        for acl in acls {
            by_principal.entry(acl.principal.clone()).or_default().push(acl);
        }
        Self {
            mode: settings.mode,
            super_users: settings.super_users.iter().map(|user| user.trim().to_owned()).collect(),
            allow_everyone_if_no_acl_found: settings.allow_everyone_if_no_acl_found,
            by_principal,
            everyones,
            has_hosts,
            remembered: RwLock::default(),
        }
    }

    /// What is done about requests that rules don't allow. The other functions answer the same in any mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What `client` may do: to be asked for each resource that a request names.
    #[must_use]
    pub fn client(&self, principal: &Arc<Principal>, host: IpAddr) -> ClientRights {
        if self.super_users.contains(principal.as_str()) {
            return ClientRights(None);
        }
        let host = if self.has_hosts { host.to_canonical() } else { ANY_HOST };
        let remembered = self.remembered.read();
        let found = remembered
            .get(principal)
            .and_then(|by_host| by_host.get(&host))
            .cloned();
        drop(remembered);
        ClientRights(Some(found.unwrap_or_else(|| self.remember(principal, host))))
    }

    /// The operations that a client may do to a resource.
    #[must_use]
    pub fn allowed(&self, client: &ClientRights, resource: Resource<'_>) -> Operations {
        let Some(rights) = &client.0 else {
            return Operations::EVERY;
        };
        match rights.stated(resource) {
            Some(stated) => stated.allowed.with_implied().without(stated.denied),
            None if self.allow_everyone_if_no_acl_found && self.everyones.stated(resource).is_none() => {
                Operations::EVERY
            }
            None => Operations::NONE,
        }
    }

    /// Whether a client may do the operation to at least one resource of the type: Kafka's authorizeByResourceType.
    #[must_use]
    pub fn allows_some(&self, client: &ClientRights, operation: Operation, resource_type: ResourceType) -> bool {
        let some = Resource {
            resource_type,
            name: SOME_NAME,
        };
        self.allowed(client, some).has(operation)
            || client
                .0
                .as_ref()
                .is_some_and(|rights| rights.allows_some(operation, resource_type))
    }

    /// A rule that denies the operation, whatever else is allowed. `None`: the operation is denied for want of a rule that allows it, if at all.
    #[must_use]
    pub fn denying_acl(
        &self,
        principal: &Principal,
        host: IpAddr,
        operation: Operation,
        resource: Resource<'_>,
    ) -> Option<&Acl> {
        self.rules_about(principal, host.to_canonical()).find(|acl| {
            acl.permission == Permission::Deny
                && (acl.operation == operation || acl.operation == Operation::All)
                && Rights::of([*acl]).stated(resource).is_some()
        })
    }

    fn remember(&self, principal: &Arc<Principal>, host: IpAddr) -> Arc<Rights> {
        let rights = Arc::new(Rights::of(self.rules_about(principal, host)));
        let mut remembered = self.remembered.write();
        if remembered.values().map(HashMap::len).sum::<usize>() >= MAX_REMEMBERED_CLIENTS {
            remembered.clear();
        }
        let by_host = remembered.entry(Arc::clone(principal)).or_default();
        Arc::clone(by_host.entry(host).or_insert(rights))
    }

    fn rules_about(&self, principal: &Principal, host: IpAddr) -> impl Iterator<Item = &Acl> {
        let own = self.by_principal.get(principal.as_str());
        let of_all = self.by_principal.get(WILDCARD_PRINCIPAL);
        own.into_iter()
            .chain(of_all)
            .flatten()
            .filter(move |acl| is_about_host(acl, host))
    }
}

/// Kafka compares the rule's text with Java's form of the client's address, which for IPv6 is the long one (`0:0:0:0:0:0:0:1`). Comparing
/// addresses finds the same rules, and those that write the address in another form.
fn is_about_host(acl: &Acl, host: IpAddr) -> bool {
    acl.host == WILDCARD
        || acl
            .host
            .parse()
            .is_ok_and(|address: IpAddr| address.to_canonical() == host)
}

/// What the rules say about a client; `None` for a super user. Valid for the policy that it comes from.
#[derive(Debug, Clone)]
pub struct ClientRights(Option<Arc<Rights>>);

/// The rule that would allow an operation on exactly one resource to a principal from anywhere.
#[must_use]
pub fn allowing_acl(principal: &Principal, operation: Operation, resource: Resource<'_>) -> Acl {
    Acl {
        resource_type: resource.resource_type,
        resource_name: resource.name.to_owned(),
        pattern_type: PatternType::Literal,
        principal: principal.as_str().to_owned(),
        host: WILDCARD.to_owned(),
        operation,
        permission: Permission::Allow,
    }
}

#[cfg(test)]
mod tests;
