use std::net::Ipv4Addr;

use super::*;
use crate::testing::{rule, security};

fn authorizer(state: proto::SecurityState) -> Arc<Authorizer> {
    let (cache, _) = ClusterCache::new();
    cache.set_security(state);
    Authorizer::new(cache, Arc::default())
}

fn access(authorizer: &Arc<Authorizer>) -> Access {
    authorizer.access(&Principal::anonymous(), Ipv4Addr::LOCALHOST.into(), "tests")
}

#[test]
fn without_acls_every_client_may_do_everything() {
    let authorizer = authorizer(proto::SecurityState::default());
    let access = access(&authorizer);
    assert!(access.allows(Operation::Alter, Resource::CLUSTER));
    assert_eq!(access.operations(false, Resource::CLUSTER), NOT_ASKED_FOR);
    // READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE, DESCRIBE_CONFIGS and ALTER_CONFIGS.
    assert_eq!(access.operations(true, Resource::topic("orders")), 0b1101_1111_1000);
    assert!(authorizer.denials().is_empty());
}

#[test]
fn an_agent_with_a_read_only_key_refuses_all_writes() {
    let (cache, _) = ClusterCache::new();
    let authorizer = Authorizer::of_agent(cache, Arc::default(), true);
    let access = access(&authorizer);
    assert!(access.allows(Operation::Read, Resource::topic("orders")));
    assert!(access.allows(Operation::Read, Resource::group("readers")));
    let denied = ErrorCode::TOPIC_AUTHORIZATION_FAILED;
    assert_eq!(access.check(Operation::Write, Resource::topic("orders")), Err(denied));
    assert_eq!(access.check(Operation::Delete, Resource::topic("orders")), Err(denied));
    assert!(!access.allows_idempotent_writes());
    assert!(!access.insists(Operation::Alter, Resource::CLUSTER));
    assert!(access.writes_refused().is_some());
    // READ, DESCRIBE and DESCRIBE_CONFIGS.
    assert_eq!(access.operations(true, Resource::topic("orders")), 0b101_0000_1000);
    assert!(authorizer.denials().is_empty());
}

#[test]
fn a_changed_rule_applies_from_the_next_request() {
    let authorizer = authorizer(security(proto::AclMode::Enforced, &[]));
    let reads = || access(&authorizer).allows(Operation::Read, Resource::topic("orders"));
    assert!(!reads());
    authorizer.cache.set_security(security(
        proto::AclMode::Enforced,
        &[rule(ResourceType::Topic, "orders", Operation::Read)],
    ));
    assert!(reads());
    authorizer.cache.set_security(security(proto::AclMode::Enforced, &[]));
    assert!(!reads());
}

#[test]
fn shadow_mode_counts_and_allows_what_it_would_deny() {
    let authorizer = authorizer(security(proto::AclMode::Shadow, &[]));
    let access = access(&authorizer);
    for _ in 0..3 {
        assert!(access.allows(Operation::Read, Resource::topic("orders")));
    }
    assert!(access.shows(Operation::Describe, Resource::topic("bills")));
    assert_ne!(access.operations(true, Resource::topic("orders")), 0);
    let denials = authorizer.denials();
    assert_eq!(denials.len(), 1);
    assert_eq!((denials[0].count, denials[0].is_enforced), (3, false));
    let labels = DenialLabels {
        resource_type: "TOPIC",
        operation: "READ",
        enforced: "false",
    };
    assert_eq!(authorizer.metrics.denials.get_or_create(&labels).get(), 3);
}

#[test]
fn a_denial_names_the_rule_that_would_allow_the_request() {
    let mut denial = rule(ResourceType::Group, "*", Operation::All);
    denial.permission_type = 2;
    let authorizer = authorizer(security(proto::AclMode::Enforced, &[denial.clone()]));
    let access = access(&authorizer);
    assert!(!access.allows(Operation::Write, Resource::topic("orders")));
    assert!(!access.allows(Operation::Read, Resource::group("app")));
    let denials = authorizer.denials();
    let remedy = |operation| {
        let denial = denials.iter().find(|denial| denial.operation == operation);
        denial.map(|denial| denial.remedy.clone())
    };
    assert_eq!(
        remedy(Operation::Write),
        Some(Remedy::Add(allowing_acl(
            &Principal::anonymous(),
            Operation::Write,
            Resource::topic("orders")
        )))
    );
    assert_eq!(
        remedy(Operation::Read),
        policy::acl_from_proto(&denial).map(Remedy::Remove)
    );
    assert_eq!(denials[0].host, IpAddr::V4(Ipv4Addr::LOCALHOST));
}

#[test]
fn an_unknown_acl_mode_does_not_open_the_cluster() {
    let mut state = security(proto::AclMode::Enforced, &[]);
    state.settings.as_mut().unwrap().acl_mode = 99;
    let access = access(&authorizer(state));
    assert!(!access.allows(Operation::Read, Resource::topic("orders")));
}
