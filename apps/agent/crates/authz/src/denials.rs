//! The requests that rules denied in the last hour, for the authors of the rules.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use crate::acl::Acl;
use crate::operation::Operation;
use crate::principal::Principal;
use crate::resource::{Resource, ResourceType};

/// How long a denial is kept after its last occurrence.
const REMEMBERED_MS: u64 = 3_600_000;
/// Maximum number of distinct denials. The one that occurred longest ago is evicted.
const MAX_REMEMBERED: usize = 1000;
/// Maximum number of new denials logged per minute.
const MAX_LOGGED: u32 = 20;
const MINUTE_MS: u64 = 60_000;

/// A change that would allow a denied request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Adding this rule would allow the request.
    Add(Acl),
    /// Removing this rule, and possibly others that deny, would allow the request.
    Remove(Acl),
}

/// A principal was denied an operation on a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The principal that was denied.
    pub principal: Arc<Principal>,
    /// The client's address at the last occurrence.
    pub host: IpAddr,
    /// The client id at the last occurrence.
    pub client_id: String,
    /// The operation that was denied.
    pub operation: Operation,
    /// The type of the resource.
    pub resource_type: ResourceType,
    /// The name of the resource.
    pub resource_name: String,
    /// True if the last request was refused, false if it only would have been.
    pub is_enforced: bool,
    /// A change that would allow the request.
    pub remedy: Remedy,
    /// Number of occurrences since `first_ms`.
    pub count: u64,
    /// First occurrence, in milliseconds since the Unix epoch.
    pub first_ms: u64,
    /// Last occurrence, in milliseconds since the Unix epoch.
    pub last_ms: u64,
}

/// A request that is denied.
#[derive(Debug)]
pub struct DeniedRequest<'a> {
    /// The principal that sent it.
    pub principal: &'a Arc<Principal>,
    /// The address of the client.
    pub host: IpAddr,
    /// The id of the client.
    pub client_id: &'a str,
    /// The operation that was requested.
    pub operation: Operation,
    /// The resource that it affects.
    pub resource: Resource<'a>,
    /// True if the request is refused.
    pub is_enforced: bool,
}

/// Keeps the denials of the last hour.
#[derive(Debug, Default)]
pub struct DenialLog {
    denials: HashMap<(Arc<Principal>, Operation, ResourceType, String), Denial>,
    logged_in_minute: (u64, u32),
    recorded: u64,
}

impl DenialLog {
    /// Counts a denial. Returns true if it should be logged: it is new, and few were logged recently. Calls `remedy`
    /// only for a new one.
    pub fn record(&mut self, request: &DeniedRequest<'_>, now_ms: u64, remedy: impl FnOnce() -> Remedy) -> bool {
        self.recorded += 1;
        let Resource { resource_type, name } = request.resource;
        let key = (
            Arc::clone(request.principal),
            request.operation,
            resource_type,
            name.to_owned(),
        );
        if let Some(known) = self.denials.get_mut(&key)
            && known.last_ms + REMEMBERED_MS >= now_ms
            && known.is_enforced == request.is_enforced
        {
            known.count += 1;
            known.last_ms = now_ms;
            known.host = request.host;
            request.client_id.clone_into(&mut known.client_id);
            return false;
        }
        self.make_room(now_ms);
        self.denials.insert(
            key,
            Denial {
                principal: Arc::clone(request.principal),
                host: request.host,
                client_id: request.client_id.to_owned(),
                operation: request.operation,
                resource_type,
                resource_name: name.to_owned(),
                is_enforced: request.is_enforced,
                remedy: remedy(),
                count: 1,
                first_ms: now_ms,
                last_ms: now_ms,
            },
        );
        self.may_log(now_ms)
    }

    /// Number of denials recorded since the log was created, including repeated ones.
    #[must_use]
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// The denials of the last hour, latest first.
    #[must_use]
    pub fn recent(&self, now_ms: u64) -> Vec<Denial> {
        let mut recent: Vec<Denial> = self
            .denials
            .values()
            .filter(|denial| denial.last_ms + REMEMBERED_MS >= now_ms)
            .cloned()
            .collect();
        recent.sort_by_key(|denial| std::cmp::Reverse(denial.last_ms));
        recent
    }

    fn make_room(&mut self, now_ms: u64) {
        if self.denials.len() < MAX_REMEMBERED {
            return;
        }
        self.denials
            .retain(|_, denial| denial.last_ms + REMEMBERED_MS >= now_ms);
        if self.denials.len() >= MAX_REMEMBERED {
            let oldest = self.denials.iter().min_by_key(|(_, denial)| denial.last_ms);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.denials.remove(&oldest);
            }
        }
    }

    fn may_log(&mut self, now_ms: u64) -> bool {
        let minute = now_ms / MINUTE_MS;
        if self.logged_in_minute.0 != minute {
            self.logged_in_minute = (minute, 0);
        }
        self.logged_in_minute.1 += 1;
        self.logged_in_minute.1 <= MAX_LOGGED
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::policy::allowing_acl;

    const START_MS: u64 = 1_700_000_000_000;

    fn deny(log: &mut DenialLog, topic: &str, now_ms: u64) -> bool {
        let principal = Arc::new(Principal::user("alice"));
        let resource = Resource::topic(topic);
        let request = DeniedRequest {
            principal: &principal,
            host: Ipv4Addr::LOCALHOST.into(),
            client_id: "app",
            operation: Operation::Read,
            resource,
            is_enforced: true,
        };
        log.record(&request, now_ms, || {
            Remedy::Add(allowing_acl(&principal, Operation::Read, resource))
        })
    }

    #[test]
    fn repeated_denials_are_one_entry_with_a_count() {
        let mut log = DenialLog::default();
        assert!(deny(&mut log, "orders", START_MS));
        assert!(!deny(&mut log, "orders", START_MS + 5));
        assert!(deny(&mut log, "bills", START_MS + 9));
        let recent = log.recent(START_MS + 10);
        let seen: Vec<(&str, u64, u64)> = recent
            .iter()
            .map(|denial| (denial.resource_name.as_str(), denial.count, denial.last_ms))
            .collect();
        assert_eq!(seen, [("bills", 1, START_MS + 9), ("orders", 2, START_MS + 5)]);
    }

    #[test]
    fn a_denial_is_forgotten_after_an_hour() {
        let mut log = DenialLog::default();
        deny(&mut log, "orders", START_MS);
        assert_eq!(log.recent(START_MS + REMEMBERED_MS).len(), 1);
        assert!(log.recent(START_MS + REMEMBERED_MS + 1).is_empty());
        assert!(deny(&mut log, "orders", START_MS + REMEMBERED_MS + 1));
        assert_eq!(log.recent(START_MS + REMEMBERED_MS + 1)[0].count, 1);
    }

    #[test]
    fn probing_every_name_fills_neither_memory_nor_log() {
        let mut log = DenialLog::default();
        let tried = 3 * MAX_REMEMBERED as u64;
        let logged = (0..tried)
            .filter(|n| deny(&mut log, &format!("topic-{n}"), START_MS + n))
            .count();
        assert_eq!(logged, MAX_LOGGED as usize);
        assert_eq!(log.recent(START_MS + tried).len(), MAX_REMEMBERED);
        assert_eq!(
            log.recent(START_MS + tried)[0].resource_name,
            format!("topic-{}", tried - 1)
        );
    }
}
