//! Reports access control activity: denied requests of the last hour and the credentials that clients use. This is the
//! only place where resource names leave the customer's account.

use std::cmp::Reverse;
use std::sync::Arc;

use penstock_access::Authorizer;
use penstock_authn::{Authority, CredentialUse, ScramHash};
use penstock_authz::{Acl, Denial, Remedy};
use penstock_metadata_client::proto::{self, ScramMechanism};

/// Maximum number of latest denials in a report, and of most frequent denials.
const MAX_LATEST: usize = 50;
const MAX_MOST_OFTEN: usize = 50;
/// Maximum number of credential uses in a report. The rest follow in later reports.
const MAX_USES: usize = 200;
/// Maximum length of a principal or resource name in an ACL. Longer names are not reported.
const MAX_NAME_CHARS: usize = 1024;
const MAX_CLIENT_ID_CHARS: usize = 255;

/// Tracks which denials and uses the service already has.
pub(super) struct AccessReporter {
    authority: Arc<Authority>,
    reported_revision: u64,
}

/// A report that the service has not yet acknowledged.
pub(super) struct PendingAccess {
    pub(super) message: proto::AccessReport,
    uses: Vec<CredentialUse>,
}

impl AccessReporter {
    pub(super) fn new(authority: Arc<Authority>) -> Self {
        Self {
            authority,
            reported_revision: 0,
        }
    }

    /// Returns the next report, or `None` if nothing has changed.
    pub(super) fn pending(&self, authorizer: &Authorizer) -> Option<PendingAccess> {
        // Read before the denials, so that a denial recorded meanwhile is reported again.
        let revision = authorizer.denials_recorded();
        let uses = self.authority.uses().unreported(MAX_USES);
        if revision == self.reported_revision && uses.is_empty() {
            return None;
        }
        let now_ms = self.authority.now_ms();
        let denied = most_telling(authorizer.denials());
        let message = proto::AccessReport {
            denied: denied.iter().map(|denial| denied_request(denial, now_ms)).collect(),
            used: uses.iter().map(|used| credential_use(used, now_ms)).collect(),
            revision,
        };
        Some(PendingAccess { message, uses })
    }

    /// Marks a report as received by the service.
    pub(super) fn confirmed(&mut self, pending: &PendingAccess) {
        self.reported_revision = pending.message.revision;
        self.authority.uses().reported(&pending.uses);
    }
}

/// Returns the latest denials, then the most frequent of the rest. Omits names that no ACL can have.
fn most_telling(latest_first: Vec<Denial>) -> Vec<Denial> {
    let is_short = |name: &str| name.chars().count() <= MAX_NAME_CHARS;
    let mut telling: Vec<Denial> = latest_first
        .into_iter()
        .filter(|denial| is_short(denial.principal.as_str()) && is_short(&denial.resource_name))
        .collect();
    let mut others = telling.split_off(telling.len().min(MAX_LATEST));
    others.sort_by_key(|denial| Reverse(denial.count));
    telling.extend(others.into_iter().take(MAX_MOST_OFTEN));
    telling
}

fn denied_request(denial: &Denial, now_ms: u64) -> proto::DeniedRequest {
    let has_short_client_id = denial.client_id.chars().count() <= MAX_CLIENT_ID_CHARS;
    proto::DeniedRequest {
        principal: denial.principal.as_str().to_owned(),
        host: denial.host.to_canonical().to_string(),
        client_id: if has_short_client_id {
            denial.client_id.clone()
        } else {
            String::new()
        },
        resource_type: denial.resource_type.code().into(),
        resource_name: denial.resource_name.clone(),
        operation: denial.operation.code().into(),
        enforced: denial.is_enforced,
        count: denial.count,
        first_age_ms: now_ms.saturating_sub(denial.first_ms),
        last_age_ms: now_ms.saturating_sub(denial.last_ms),
        denying_acl: match &denial.remedy {
            Remedy::Add(_) => None,
            Remedy::Remove(acl) => Some(binding(acl)),
        },
    }
}

fn binding(acl: &Acl) -> proto::AclBinding {
    proto::AclBinding {
        resource_type: acl.resource_type.code().into(),
        resource_name: acl.resource_name.clone(),
        pattern_type: acl.pattern_type as u32,
        principal: acl.principal.clone(),
        host: acl.host.clone(),
        operation: acl.operation.code().into(),
        permission_type: acl.permission as u32,
    }
}

fn credential_use(used: &CredentialUse, now_ms: u64) -> proto::CredentialUse {
    let mechanism = match used.hash {
        ScramHash::Sha256 => ScramMechanism::Sha256,
        ScramHash::Sha512 => ScramMechanism::Sha512,
    };
    proto::CredentialUse {
        user: used.user.clone(),
        mechanism: mechanism.into(),
        host: used.host.to_canonical().to_string(),
        age_ms: now_ms.saturating_sub(used.last_ms),
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use penstock_authz::{DenialLog, DeniedRequest, Operation, Principal, Resource, allowing_acl};

    use super::*;

    fn denials(log: &mut DenialLog, topic: &str, times: u64, at_ms: u64) {
        let principal = Arc::new(Principal::user("alice"));
        let resource = Resource::topic(topic);
        for _ in 0..times {
            let request = DeniedRequest {
                principal: &principal,
                host: Ipv4Addr::LOCALHOST.into(),
                client_id: &"c".repeat(MAX_CLIENT_ID_CHARS + 1),
                operation: Operation::Read,
                resource,
                is_enforced: true,
            };
            log.record(&request, at_ms, || {
                Remedy::Add(allowing_acl(&principal, Operation::Read, resource))
            });
        }
    }

    #[test]
    fn probing_many_names_does_not_hide_frequent_denials() {
        let mut log = DenialLog::default();
        denials(&mut log, "orders", 20, 1_000);
        for n in 0..500 {
            denials(&mut log, &format!("guess-{n}"), 1, 2_000 + n);
        }
        let telling = most_telling(log.recent(3_000));
        assert_eq!(telling.len(), MAX_LATEST + MAX_MOST_OFTEN);
        assert_eq!(telling[0].resource_name, "guess-499");
        assert_eq!(
            (telling[MAX_LATEST].resource_name.as_str(), telling[MAX_LATEST].count),
            ("orders", 20)
        );
    }

    #[test]
    fn a_report_stays_small_even_with_long_names() {
        let mut log = DenialLog::default();
        denials(&mut log, &"t".repeat(MAX_NAME_CHARS + 1), 1, 1_000);
        denials(&mut log, &"t".repeat(MAX_NAME_CHARS), 2, 1_000);
        let telling = most_telling(log.recent(4_000));
        assert_eq!(telling.len(), 1);
        let message = denied_request(&telling[0], 4_000);
        assert_eq!(
            (message.client_id.as_str(), message.count, message.last_age_ms),
            ("", 2, 3_000)
        );
        assert_eq!((message.resource_type, message.operation), (2, 3));
    }
}
