//! Authorization of clients. All handlers use this module, and nothing else, to check rights.

mod policy;

use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use penstock_authz::{
    ClientRights, Denial, DenialLog, DeniedRequest, Mode, Operation, Operations, Policy, Principal, Remedy, Resource,
    ResourceType, allowing_acl,
};
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_metrics::{DenialLabels, Metrics};
use penstock_wire::ErrorCode;
use tokio::sync::watch;

pub use self::policy::acl_from_proto;

/// Response value if the client did not request its authorized operations.
pub const NOT_ASKED_FOR: i32 = i32::MIN;

/// Operations that an agent for consumers refuses to everyone, because its read-only key does not permit them.
/// Consumers still need offsets and groups.
const NEVER_READ_ONLY: [Operation; 7] = [
    Operation::Write,
    Operation::Create,
    Operation::Delete,
    Operation::Alter,
    Operation::AlterConfigs,
    Operation::ClusterAction,
    Operation::IdempotentWrite,
];

/// Authorizes requests by the rules last received from the metadata service, and records denials.
pub struct Authorizer {
    cache: Arc<ClusterCache>,
    metrics: Arc<Metrics>,
    current: RwLock<Current>,
    denials: Mutex<DenialLog>,
    is_read_only: bool,
}

/// The rules last received.
struct Current {
    changes: watch::Receiver<Arc<proto::SecurityState>>,
    policy: Arc<Policy>,
}

impl Authorizer {
    /// Follows the rules in `cache`.
    #[must_use]
    pub fn new(cache: Arc<ClusterCache>, metrics: Arc<Metrics>) -> Arc<Self> {
        Self::of_agent(cache, metrics, false)
    }

    /// Like [`Self::new`]. `is_read_only`: the agent serves only consumers.
    #[must_use]
    pub fn of_agent(cache: Arc<ClusterCache>, metrics: Arc<Metrics>, is_read_only: bool) -> Arc<Self> {
        let mut changes = cache.security();
        let policy = Arc::new(policy::from_proto(&changes.borrow_and_update()));
        Arc::new(Self {
            cache,
            metrics,
            current: RwLock::new(Current { changes, policy }),
            denials: Mutex::default(),
            is_read_only,
        })
    }

    /// The requests denied in the last hour, latest first. Includes those that shadow mode would have refused.
    #[must_use]
    pub fn denials(&self) -> Vec<Denial> {
        let denials = self.denials.lock();
        denials.recent(self.cache.clock.now_ms())
    }

    /// Increases with each denial, so that callers can detect changes in [`Self::denials`].
    #[must_use]
    pub fn denials_recorded(&self) -> u64 {
        self.denials.lock().recorded()
    }

    /// Returns the rights of a client under the current rules.
    pub fn access(self: &Arc<Self>, principal: &Arc<Principal>, host: IpAddr, client_id: &str) -> Access {
        let policy = self.policy();
        let checked = (policy.mode() != Mode::Disabled).then(|| Checked {
            rights: policy.client(principal, host),
            policy,
            authorizer: Arc::clone(self),
            principal: Arc::clone(principal),
            host,
            client_id: client_id.to_owned(),
        });
        Access {
            checked,
            is_read_only: self.is_read_only,
        }
    }

    fn policy(&self) -> Arc<Policy> {
        let current = self.current.read();
        if !current.has_changed() {
            return Arc::clone(&current.policy);
        }
        drop(current);
        let mut current = self.current.write();
        if current.has_changed() {
            let state = Arc::clone(&current.changes.borrow_and_update());
            current.policy = Arc::new(policy::from_proto(&state));
        }
        Arc::clone(&current.policy)
    }

    fn record(&self, policy: &Policy, denied: &DeniedRequest<'_>) {
        let labels = DenialLabels {
            resource_type: denied.resource.resource_type.name(),
            operation: denied.operation.name(),
            enforced: if denied.is_enforced { "true" } else { "false" },
        };
        self.metrics.denials.get_or_create(&labels).inc();
        let remedy = || {
            let denying = policy.denying_acl(denied.principal, denied.host, denied.operation, denied.resource);
            denying.map_or_else(
                || Remedy::Add(allowing_acl(denied.principal, denied.operation, denied.resource)),
                |acl| Remedy::Remove(acl.clone()),
            )
        };
        let mut denials = self.denials.lock();
        let is_new = denials.record(denied, self.cache.clock.now_ms(), remedy);
        drop(denials);
        if is_new {
            tracing::info!(
                principal = %denied.principal,
                host = %denied.host,
                client_id = denied.client_id,
                operation = %denied.operation,
                resource_type = %denied.resource.resource_type,
                resource = denied.resource.name,
                "{}",
                if denied.is_enforced {
                    "denied a request: no ACL allows it"
                } else {
                    "ACLs in shadow mode would deny a request"
                }
            );
        }
    }
}

impl Current {
    /// Also false if the cache is gone, since no change can arrive then.
    fn has_changed(&self) -> bool {
        self.changes.has_changed().unwrap_or(false)
    }
}

/// The rights of a client for the duration of a request.
pub struct Access {
    /// `None` if ACLs are disabled.
    checked: Option<Checked>,
    is_read_only: bool,
}

/// A client whose requests are checked.
struct Checked {
    authorizer: Arc<Authorizer>,
    policy: Arc<Policy>,
    rights: ClientRights,
    principal: Arc<Principal>,
    host: IpAddr,
    client_id: String,
}

impl Checked {
    fn grants(&self, operation: Operation, resource: Resource<'_>) -> bool {
        self.policy.allowed(&self.rights, resource).has(operation)
    }

    fn insists(&self, operation: Operation, resource: Resource<'_>) -> bool {
        let is_granted = self.grants(operation, resource);
        if !is_granted {
            self.record(operation, resource, true);
        }
        is_granted
    }

    fn is_enforced(&self) -> bool {
        self.policy.mode() == Mode::Enforced
    }

    /// Records a denial. Returns true if the client may do it anyway.
    fn deny(&self, operation: Operation, resource: Resource<'_>) -> bool {
        self.record(operation, resource, self.is_enforced());
        !self.is_enforced()
    }

    fn record(&self, operation: Operation, resource: Resource<'_>, is_enforced: bool) {
        let denied = DeniedRequest {
            principal: &self.principal,
            host: self.host,
            client_id: &self.client_id,
            operation,
            resource,
            is_enforced,
        };
        self.authorizer.record(&self.policy, &denied);
    }
}

impl Access {
    /// Returns true if this agent performs the operation for any client.
    fn is_served(&self, operation: Operation) -> bool {
        !(self.is_read_only && NEVER_READ_ONLY.contains(&operation))
    }

    /// Returns why nobody can write through this agent, if so.
    pub fn writes_refused(&self) -> Option<String> {
        self.is_read_only.then(|| {
            "this agent serves consumers only, because its key is read-only: connect producers to the cluster's other agents".to_owned()
        })
    }

    /// Returns true if ACLs are in shadow mode or enforced.
    pub fn has_acls(&self) -> bool {
        self.checked.is_some()
    }

    /// Like [`Self::allows`], but shadow mode refuses, too.
    pub fn insists(&self, operation: Operation, resource: Resource<'_>) -> bool {
        self.is_served(operation) && (self.checked.as_ref()).is_none_or(|checked| checked.insists(operation, resource))
    }

    /// Returns true if the client may perform the operation. Records a denial.
    pub fn allows(&self, operation: Operation, resource: Resource<'_>) -> bool {
        if !self.is_served(operation) {
            return false;
        }
        let Some(checked) = &self.checked else { return true };
        checked.grants(operation, resource) || checked.deny(operation, resource)
    }

    /// Like [`Self::allows`], but returns the error code for this type of resource.
    pub fn check(&self, operation: Operation, resource: Resource<'_>) -> Result<(), ErrorCode> {
        if self.allows(operation, resource) {
            return Ok(());
        }
        Err(refusal(resource.resource_type))
    }

    /// Returns true if a list for the client may include the resource. Omitting it does not count as a denial.
    pub fn shows(&self, operation: Operation, resource: Resource<'_>) -> bool {
        let Some(checked) = &self.checked else { return true };
        checked.grants(operation, resource) || !checked.is_enforced()
    }

    /// Returns true if rules grant this right. For alternatives of which one suffices; call [`Self::allows`] for the
    /// last one.
    pub fn grants(&self, operation: Operation, resource: Resource<'_>) -> bool {
        let Some(checked) = &self.checked else {
            return self.is_served(operation);
        };
        self.is_served(operation) && checked.grants(operation, resource)
    }

    /// Returns true if the client may get a producer id: it has that right, or may write to some topic.
    pub fn allows_idempotent_writes(&self) -> bool {
        if !self.is_served(Operation::IdempotentWrite) {
            return false;
        }
        let Some(checked) = &self.checked else { return true };
        checked.grants(Operation::IdempotentWrite, Resource::CLUSTER)
            || checked
                .policy
                .allows_some(&checked.rights, Operation::Write, ResourceType::Topic)
            || checked.deny(Operation::IdempotentWrite, Resource::CLUSTER)
    }

    /// The client's authorized operations on the resource as Kafka's bit field, if it requested them.
    pub fn operations(&self, is_asked_for: bool, resource: Resource<'_>) -> i32 {
        if !is_asked_for {
            return NOT_ASKED_FOR;
        }
        let known = resource.resource_type.operations();
        let allowed = match &self.checked {
            Some(checked) if checked.is_enforced() => checked.policy.allowed(&checked.rights, resource),
            _ => Operations::EVERY,
        };
        let served = match self.is_read_only {
            true => Operations::EVERY.without(Operations::of(&NEVER_READ_ONLY)),
            false => Operations::EVERY,
        };
        known.within(allowed).within(served).bit_field()
    }

    /// Like [`Self::operations`], for the cluster. Empty if the client may not describe it.
    pub fn cluster_operations(&self, is_asked_for: bool) -> i32 {
        if is_asked_for && !self.allows(Operation::Describe, Resource::CLUSTER) {
            return Operations::NONE.bit_field();
        }
        self.operations(is_asked_for, Resource::CLUSTER)
    }
}

/// The error code of a denied request.
pub fn refusal(resource_type: ResourceType) -> ErrorCode {
    match resource_type {
        ResourceType::Topic => ErrorCode::TOPIC_AUTHORIZATION_FAILED,
        ResourceType::Group => ErrorCode::GROUP_AUTHORIZATION_FAILED,
        ResourceType::TransactionalId => ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ResourceType::DelegationToken => ErrorCode::DELEGATION_TOKEN_AUTHORIZATION_FAILED,
        ResourceType::Cluster | ResourceType::User => ErrorCode::CLUSTER_AUTHORIZATION_FAILED,
    }
}

#[cfg(test)]
mod tests;
