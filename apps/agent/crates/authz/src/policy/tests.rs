use std::net::Ipv6Addr;

use super::*;

const HOST: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

/// Parses `type pattern:name permission operation principal host`.
fn acl(text: &str) -> Acl {
    let words: Vec<&str> = text.split(' ').collect();
    let [resource_type, pattern, permission, operation, principal, host] = words[..] else {
        panic!("{text}")
    };
    let (pattern_type, resource_name) = pattern.split_once(':').unwrap();
    let named = |name: &str| *ResourceType::VALUES.iter().find(|kind| kind.name() == name).unwrap();
    let does = |name: &str| *Operation::VALUES.iter().find(|op| op.name() == name).unwrap();
    Acl {
        resource_type: named(resource_type),
        resource_name: resource_name.to_owned(),
        pattern_type: if pattern_type == "literal" {
            PatternType::Literal
        } else {
            PatternType::Prefixed
        },
        principal: principal.to_owned(),
        host: host.to_owned(),
        operation: does(operation),
        permission: if permission == "allow" {
            Permission::Allow
        } else {
            Permission::Deny
        },
    }
}

fn policy(acls: &[&str]) -> Policy {
    Policy::new(Settings::default(), acls.iter().map(|text| acl(text)).collect())
}

fn may(policy: &Policy, user: &str, operation: Operation, topic: &str) -> bool {
    may_from(policy, user, HOST, operation, topic)
}

fn may_from(policy: &Policy, user: &str, host: IpAddr, operation: Operation, topic: &str) -> bool {
    let client = policy.client(&Arc::new(Principal::user(user)), host);
    policy.allowed(&client, Resource::topic(topic)).has(operation)
}

#[test]
fn nothing_is_allowed_without_a_rule() {
    assert!(!may(&policy(&[]), "alice", Operation::Read, "orders"));
}

#[test]
fn a_rule_allows_only_its_operation_resource_and_principal() {
    let policy = policy(&["TOPIC literal:orders allow READ User:alice *"]);
    assert!(may(&policy, "alice", Operation::Read, "orders"));
    assert!(may(&policy, "alice", Operation::Describe, "orders"));
    assert!(!may(&policy, "alice", Operation::Write, "orders"));
    assert!(!may(&policy, "alice", Operation::Read, "orders-eu"));
    assert!(!may(&policy, "bob", Operation::Read, "orders"));
    let group = policy.client(&Arc::new(Principal::user("alice")), HOST);
    assert!(!policy.allowed(&group, Resource::group("orders")).has(Operation::Read));
}

#[test]
fn a_denial_overrides_every_permission() {
    let policy = policy(&[
        "TOPIC literal:* allow ALL User:* *",
        "TOPIC prefixed:secret- deny READ User:alice *",
    ]);
    assert!(may(&policy, "alice", Operation::Read, "orders"));
    assert!(!may(&policy, "alice", Operation::Read, "secret-orders"));
    assert!(may(&policy, "alice", Operation::Describe, "secret-orders"));
    assert!(may(&policy, "bob", Operation::Read, "secret-orders"));
}

#[test]
fn prefixes_are_not_wildcards_and_literals_are_not_prefixes() {
    let policy = policy(&[
        "TOPIC prefixed:orders allow READ User:alice *",
        "TOPIC literal:users allow READ User:alice *",
        "TOPIC prefixed:* allow READ User:alice *",
    ]);
    assert!(may(&policy, "alice", Operation::Read, "orders"));
    assert!(may(&policy, "alice", Operation::Read, "orders-eu"));
    assert!(!may(&policy, "alice", Operation::Read, "order"));
    assert!(!may(&policy, "alice", Operation::Read, "users-eu"));
    assert!(!may(&policy, "alice", Operation::Read, "bills"));
}

#[test]
fn a_rule_for_an_address_applies_to_no_other() {
    let policy = policy(&[
        "TOPIC literal:orders allow READ User:alice 10.0.0.1",
        "TOPIC literal:orders allow READ User:alice 0:0:0:0:0:0:0:1",
        "TOPIC literal:orders allow READ User:alice agent.example",
    ]);
    assert!(may(&policy, "alice", Operation::Read, "orders"));
    let mapped = IpAddr::V6(Ipv4Addr::new(10, 0, 0, 1).to_ipv6_mapped());
    assert!(may_from(&policy, "alice", mapped, Operation::Read, "orders"));
    assert!(may_from(
        &policy,
        "alice",
        Ipv6Addr::LOCALHOST.into(),
        Operation::Read,
        "orders"
    ));
    assert!(!may_from(
        &policy,
        "alice",
        Ipv4Addr::new(10, 0, 0, 2).into(),
        Operation::Read,
        "orders"
    ));
}

#[test]
fn a_super_user_may_do_what_rules_deny() {
    let settings = Settings {
        super_users: vec!["User:admin ".to_owned()],
        ..Default::default()
    };
    let policy = Policy::new(settings, vec![acl("TOPIC literal:* deny ALL User:* *")]);
    assert!(may(&policy, "admin", Operation::Alter, "orders"));
    assert!(!may(&policy, "alice", Operation::Alter, "orders"));
}

#[test]
fn a_resource_is_open_to_everyone_only_while_no_rule_names_it() {
    let settings = Settings {
        allow_everyone_if_no_acl_found: true,
        ..Default::default()
    };
    let acls = [
        "TOPIC literal:orders allow READ User:alice 10.0.0.9",
        "TOPIC prefixed:app- allow READ User:alice *",
    ];
    let policy = Policy::new(settings, acls.iter().map(|text| acl(text)).collect());
    assert!(may(&policy, "bob", Operation::Write, "bills"));
    assert!(!may(&policy, "bob", Operation::Write, "orders"));
    assert!(!may(&policy, "alice", Operation::Read, "orders"));
    assert!(!may(&policy, "bob", Operation::Write, "app-orders"));
}

#[test]
fn write_access_to_some_topic_ignores_fully_denied_patterns() {
    for (acls, allows) in [
        (&[] as &[&str], false),
        (&["TOPIC literal:a allow WRITE User:alice *"], true),
        (&["TOPIC literal:a allow READ User:alice *"], false),
        (&["TOPIC literal:a allow WRITE User:bob *"], false),
        (&["GROUP literal:a allow ALL User:alice *"], false),
        (
            &[
                "TOPIC prefixed:ab allow WRITE User:alice *",
                "TOPIC prefixed:a deny WRITE User:alice *",
            ],
            false,
        ),
        (
            &[
                "TOPIC prefixed:a allow WRITE User:alice *",
                "TOPIC prefixed:ab deny WRITE User:alice *",
            ],
            true,
        ),
        (
            &[
                "TOPIC literal:a allow WRITE User:alice *",
                "TOPIC literal:a deny ALL User:* *",
            ],
            false,
        ),
        (
            &[
                "TOPIC literal:a allow WRITE User:alice *",
                "TOPIC literal:* deny WRITE User:* *",
            ],
            false,
        ),
        (
            &[
                "TOPIC literal:* allow WRITE User:alice *",
                "TOPIC prefixed:h deny WRITE User:* *",
            ],
            true,
        ),
    ] {
        let policy = policy(acls);
        let client = policy.client(&Arc::new(Principal::user("alice")), HOST);
        assert_eq!(
            policy.allows_some(&client, Operation::Write, ResourceType::Topic),
            allows,
            "{acls:?}"
        );
    }
}

#[test]
fn a_denial_is_explained_by_the_rule_that_denies() {
    let policy = policy(&[
        "TOPIC prefixed:or deny ALL User:* *",
        "TOPIC literal:orders allow READ User:alice *",
    ]);
    let alice = Principal::user("alice");
    let why = |topic| policy.denying_acl(&alice, HOST, Operation::Read, Resource::topic(topic));
    assert_eq!(why("orders").map(|acl| acl.resource_name.as_str()), Some("or"));
    assert_eq!(why("bills"), None);
}

#[test]
fn caches_rights_for_a_bounded_number_of_clients() {
    let policy = policy(&["TOPIC literal:* allow READ User:* 10.0.0.1"]);
    for host in 0..2 * MAX_REMEMBERED_CLIENTS as u32 {
        let _ = policy.client(&Principal::anonymous(), Ipv4Addr::from(host).into());
    }
    let remembered = policy.remembered.read();
    assert!(remembered.values().map(HashMap::len).sum::<usize>() <= MAX_REMEMBERED_CLIENTS);
}
