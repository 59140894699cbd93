//! Decides whether a client is authorized, like Kafka's StandardAuthorizer.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use parking_lot::RwLock;

use crate::acl::{Acl, PatternType, Permission, WILDCARD, WILDCARD_PRINCIPAL};
use crate::operation::{Operation, Operations};
use crate::principal::Principal;
use crate::resource::{Resource, ResourceType};
use crate::rights::Rights;

/// Maximum number of clients with cached rights. An entry holds only the few rules for the client.
const MAX_REMEMBERED_CLIENTS: usize = 4096;
/// Stands for every address if no rule restricts addresses.
const ANY_HOST: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
/// A name that only rules for all resources match, as in Kafka's authorizer.
const SOME_NAME: &str = "hardcode";

/// How to treat requests that rules don't allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Requests are not checked.
    #[default]
    Disabled,
    /// Requests are checked and counted, but allowed.
    Shadow,
    /// Denied requests are refused.
    Enforced,
}

/// The authorization settings of a cluster.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How to treat requests that rules don't allow.
    pub mode: Mode,
    /// Principals that may do everything, such as `User:admin`.
    pub super_users: Vec<String>,
    /// True if everyone may access a resource that no rule names: Kafka's `allow.everyone.if.no.acl.found`.
    pub allow_everyone_if_no_acl_found: bool,
}

/// All rules of a cluster at one version.
#[derive(Debug, Default)]
pub struct Policy {
    mode: Mode,
    super_users: HashSet<String>,
    allow_everyone_if_no_acl_found: bool,
    by_principal: HashMap<String, Vec<Acl>>,
    /// The rules for all principals together.
    everyones: Rights,
    has_hosts: bool,
    remembered: RwLock<HashMap<Arc<Principal>, RightsByHost>>,
}

type RightsByHost = HashMap<IpAddr, Arc<Rights>>;

impl Policy {
    /// Creates a policy and indexes its rules.
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

    /// How to treat requests that rules don't allow. The other functions return the same in every mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The rights of a client, to be checked for each resource in a request.
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

    /// The operations that a client may perform on a resource.
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

    /// Returns true if a client may perform the operation on at least one resource of the type: Kafka's
    /// authorizeByResourceType.
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

    /// Returns a rule that denies the operation, regardless of other rules. `None` if the operation is allowed, or
    /// denied only because no rule allows it.
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

/// Kafka compares the rule's text with Java's format of the client's address, which for IPv6 is the long form
/// (`0:0:0:0:0:0:0:1`). Comparing addresses matches the same rules, and also those in another format.
fn is_about_host(acl: &Acl, host: IpAddr) -> bool {
    acl.host == WILDCARD
        || acl
            .host
            .parse()
            .is_ok_and(|address: IpAddr| address.to_canonical() == host)
}

/// The rights of a client; `None` for a super user. Valid only for the policy that created them.
#[derive(Debug, Clone)]
pub struct ClientRights(Option<Arc<Rights>>);

/// Returns the rule that would allow a principal the operation on exactly this resource, from any host.
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
