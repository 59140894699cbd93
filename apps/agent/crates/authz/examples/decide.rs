//! Decides cases from standard input, for the comparison with Apache Kafka's own authorizer. Fields are separated by
//! tabs:
//!
//! - `C allow_everyone super_users`: starts a case without rules; super users are separated by semicolons
//! - `A type pattern name principal host operation permission`: adds a rule; types, patterns, operations and
//!   permissions are Kafka's numbers
//! - `R principal host type name operation`: asks whether the client may do it
//! - `T principal host type operation`: asks whether it may do it to any resource of the type
//!
//! Prints a line for each case, with one character per question: 1 or 0.

use std::error::Error;
use std::io::{self, BufWriter, Read as _, Write};
use std::net::IpAddr;
use std::sync::Arc;

use penstock_authz::{
    Acl, ClientRights, Operation, PatternType, Permission, Policy, Principal, Resource, ResourceType, Settings,
};

type Failure = Box<dyn Error>;

#[derive(Default)]
struct Case<'a> {
    settings: Settings,
    acls: Vec<Acl>,
    questions: Vec<Vec<&'a str>>,
}

fn main() -> Result<(), Failure> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut case: Option<Case<'_>> = None;
    for line in input.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match (fields.as_slice(), &mut case) {
            (["C", allow_everyone, super_users], _) => {
                if let Some(done) = case.replace(new_case(allow_everyone, super_users)) {
                    decide(done, &mut output)?;
                }
            }
            (["A", rule @ ..], Some(case)) => case.acls.push(acl(rule).ok_or(line)?),
            (["R" | "T", ..], Some(case)) => case.questions.push(fields),
            _ => return Err(line.into()),
        }
    }
    case.map_or(Ok(()), |done| decide(done, &mut output))
}

fn new_case<'a>(allow_everyone: &str, super_users: &str) -> Case<'a> {
    Case {
        settings: Settings {
            super_users: super_users.split(';').map(str::to_owned).collect(),
            allow_everyone_if_no_acl_found: allow_everyone == "1",
            ..Default::default()
        },
        ..Default::default()
    }
}

fn acl(fields: &[&str]) -> Option<Acl> {
    let [resource_type, pattern, name, principal, host, operation, permission] = fields else {
        return None;
    };
    Some(Acl {
        resource_type: ResourceType::from_code(resource_type.parse().ok()?)?,
        resource_name: (*name).to_owned(),
        pattern_type: PatternType::from_code(pattern.parse().ok()?)?,
        principal: (*principal).to_owned(),
        host: (*host).to_owned(),
        operation: Operation::from_code(operation.parse().ok()?)?,
        permission: Permission::from_code(permission.parse().ok()?)?,
    })
}

fn decide(case: Case<'_>, output: &mut impl Write) -> Result<(), Failure> {
    let policy = Policy::new(case.settings, case.acls);
    for question in case.questions {
        output.write_all(if answer(&policy, &question)? { b"1" } else { b"0" })?;
    }
    Ok(output.write_all(b"\n")?)
}

fn answer(policy: &Policy, question: &[&str]) -> Result<bool, Failure> {
    match question {
        ["R", principal, host, resource_type, name, operation] => {
            let resource = Resource {
                resource_type: resource_type_of(resource_type)?,
                name,
            };
            let client = client(policy, principal, host)?;
            Ok(policy.allowed(&client, resource).has(operation_of(operation)?))
        }
        ["T", principal, host, resource_type, operation] => {
            let client = client(policy, principal, host)?;
            Ok(policy.allows_some(&client, operation_of(operation)?, resource_type_of(resource_type)?))
        }
        _ => Err("no such question".into()),
    }
}

fn client(policy: &Policy, principal: &str, host: &str) -> Result<ClientRights, Failure> {
    let principal = Arc::new(Principal::parse(principal).ok_or("no principal")?);
    let host: IpAddr = host.parse()?;
    Ok(policy.client(&principal, host))
}

fn resource_type_of(code: &str) -> Result<ResourceType, Failure> {
    ResourceType::from_code(code.parse()?).ok_or_else(|| "no resource type".into())
}

fn operation_of(code: &str) -> Result<Operation, Failure> {
    Operation::from_code(code.parse()?).ok_or_else(|| "no operation".into())
}
