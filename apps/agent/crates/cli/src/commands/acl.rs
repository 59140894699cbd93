//! `penstock acl`: the ACLs of a cluster, in Kafka's terms.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, cluster_id},
    output::Output,
    prompt::confirm,
    table::{Column, Table},
    units::instant,
};

/// Options of `penstock acl`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct AclArgs {
    #[command(subcommand)]
    command: AclCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum AclCommand {
    /// List the ACLs of a cluster, oldest first
    #[command(
        after_help = "Examples:\n  penstock acl list --cluster orders\n  penstock acl list --cluster orders --json"
    )]
    List {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Allow or deny a principal operations on a resource
    #[command(
        group = ArgGroup::new("resource").required(true).args(["topic", "group", "transactional_id", "kafka_cluster"]),
        after_help = "\
ACLs have an effect once the access settings say so: see `penstock security set`.

Examples:
  penstock acl create --cluster orders --principal User:billing --topic orders --operation read
  penstock acl create --cluster orders --principal User:billing --group billing --operation read
  penstock acl create --cluster orders --principal User:app --topic app- --prefixed \\
    --operation read --operation write
  penstock acl create --cluster orders --principal User:app --kafka-cluster --operation create"
    )]
    Create {
        #[command(flatten)]
        resource: ResourceOptions,
        /// Principal, such as User:billing, or User:* for everyone
        #[arg(long, value_name = "PRINCIPAL")]
        principal: String,
        /// Operation; can be repeated
        #[arg(long, value_enum, required = true)]
        operation: Vec<Operation>,
        /// Address of clients, or * for all
        #[arg(long, value_name = "ADDRESS", default_value = "*")]
        host: String,
        /// Deny the operations instead of allowing them
        #[arg(long)]
        deny: bool,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// List the requests of the last hour that ACLs denied, latest first
    #[command(after_help = "\
Shadow mode denies nothing, but requests that it would have denied are listed. Agents report every
10 seconds. The JSON output has the ACL that would allow each request.

Examples:
  penstock acl denials --cluster orders
  penstock acl denials --cluster orders --json")]
    Denials {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Delete all ACLs that match every given option
    #[command(
        group = ArgGroup::new("filter").required(true).multiple(true)
            .args(["topic", "group", "transactional_id", "kafka_cluster", "principal", "operation", "host"]),
        after_help = "\
Omitted options match everything. In a terminal, you confirm by typing the cluster's name or ID.
Elsewhere, use --yes.

Examples:
  penstock acl delete --cluster orders --principal User:billing
  penstock acl delete --cluster orders --topic orders --operation read --yes"
    )]
    Delete {
        #[command(flatten)]
        resource: ResourceOptions,
        /// Principal, such as User:billing
        #[arg(long, value_name = "PRINCIPAL")]
        principal: Option<String>,
        /// Operation
        #[arg(long, value_enum)]
        operation: Option<Operation>,
        /// Address of clients
        #[arg(long, value_name = "ADDRESS")]
        host: Option<String>,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

/// The resource of an ACL.
#[derive(Debug, Args)]
struct ResourceOptions {
    /// Topic, or * for all
    #[arg(long, value_name = "NAME", conflicts_with_all = ["group", "transactional_id", "kafka_cluster"])]
    topic: Option<String>,
    /// Consumer group, or * for all
    #[arg(long, value_name = "ID", conflicts_with_all = ["transactional_id", "kafka_cluster"])]
    group: Option<String>,
    /// Transactional ID, or * for all
    #[arg(long, value_name = "ID", conflicts_with = "kafka_cluster")]
    transactional_id: Option<String>,
    /// The cluster itself, for operations that are about no topic or group
    #[arg(long)]
    kafka_cluster: bool,
    /// The name is a prefix of all names that it stands for
    #[arg(long)]
    prefixed: bool,
}

/// An operation in Kafka's ACLs.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Operation {
    All,
    Read,
    Write,
    Create,
    Delete,
    Alter,
    Describe,
    ClusterAction,
    DescribeConfigs,
    AlterConfigs,
    IdempotentWrite,
    CreateTokens,
    DescribeTokens,
    TwoPhaseCommit,
}

impl Operation {
    /// The name in Kafka and in the API.
    fn name(self) -> String {
        let value = self.to_possible_value();
        let name = value.as_ref().map_or("", clap::builder::PossibleValue::get_name);
        name.to_uppercase().replace('-', "_")
    }
}

impl ResourceOptions {
    /// Resource type, name and pattern type; `None` if no resource is named.
    fn named(&self) -> Option<(&'static str, &str, &'static str)> {
        let pattern = if self.prefixed { "PREFIXED" } else { "LITERAL" };
        let of = |kind, name: &'_ Option<String>| name.as_ref().map(|_| kind);
        let kind = of("TOPIC", &self.topic)
            .or_else(|| of("GROUP", &self.group))
            .or_else(|| of("TRANSACTIONAL_ID", &self.transactional_id));
        let name = self
            .topic
            .as_deref()
            .or(self.group.as_deref())
            .or(self.transactional_id.as_deref());
        match (kind, name) {
            (Some(kind), Some(name)) => Some((kind, name, pattern)),
            _ => self.kafka_cluster.then_some(("CLUSTER", "kafka-cluster", "LITERAL")),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Acl {
    resource_type: String,
    resource_name: String,
    pattern_type: String,
    principal: String,
    host: String,
    operation: String,
    permission: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Denied {
    principal: String,
    host: String,
    operation: String,
    resource_type: String,
    resource_name: String,
    is_enforced: bool,
    count: u64,
    last_at: String,
    denying_acl: Option<Acl>,
}

#[derive(Deserialize)]
struct Created {
    created: Vec<Acl>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    message: String,
}

#[derive(Deserialize)]
struct Deleted {
    deleted: Vec<Acl>,
}

pub(crate) async fn run(args: AclArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        AclCommand::List { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "acls"]).await?, |out, Items { items }| {
                draw_acls(
                    out,
                    &items,
                    "There are no ACLs yet. Create one with `penstock acl create`.",
                )
            })
        }
        AclCommand::Denials { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "denied-requests"]).await?, draw_denials)
        }
        AclCommand::Create {
            resource,
            principal,
            operation,
            host,
            deny,
            of,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let acls = new_acls(&resource, &principal, &operation, &host, deny);
            let created = api.post(&["clusters", &id, "acls"], &json!({ "acls": acls })).await?;
            out.answer(&created, |out, answer: Created| {
                for refused in &answer.refused {
                    out.say(&format!("One ACL was refused: {}", refused.message));
                }
                draw_acls(out, &answer.created, "No ACL was created.")
            })
        }
        AclCommand::Delete {
            resource,
            principal,
            operation,
            host,
            of,
            consent,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let operation = operation.map(Operation::name);
            let mut query: Vec<(&str, &str)> = Vec::new();
            if let Some((kind, name, pattern)) = resource.named() {
                query.extend([("resourceType", kind), ("resourceName", name), ("patternType", pattern)]);
            }
            query.extend(principal.as_deref().map(|principal| ("principal", principal)));
            query.extend(operation.as_deref().map(|operation| ("operation", operation)));
            query.extend(host.as_deref().map(|host| ("host", host)));
            let consequence = format!("All matching ACLs of the cluster “{}” will be deleted.", of.cluster);
            confirm(consent.yes, &consequence, &of.cluster)?;
            let deleted = api.delete(&["clusters", &id, "acls"], &query, None).await?;
            out.answer(&deleted, |out, answer: Deleted| {
                draw_acls(out, &answer.deleted, "No ACL matches.")
            })
        }
    }
}

/// Creates one ACL per operation.
fn new_acls(
    resource: &ResourceOptions,
    principal: &str,
    operations: &[Operation],
    host: &str,
    deny: bool,
) -> Vec<Value> {
    // The options require a resource.
    let (kind, name, pattern) = resource.named().unwrap_or_default();
    operations
        .iter()
        .map(|operation| {
            json!({
                "resourceType": kind,
                "resourceName": name,
                "patternType": pattern,
                "principal": principal,
                "host": host,
                "operation": operation.name(),
                "permission": if deny { "DENY" } else { "ALLOW" },
            })
        })
        .collect()
}

fn draw_denials(out: Output, Items { items }: Items<Denied>) -> String {
    let columns = [
        Column::Left("PRINCIPAL"),
        Column::Left("OPERATION"),
        Column::Left("RESOURCE"),
        Column::Left("NAME"),
        Column::Left("HOST"),
        Column::Right("COUNT"),
        Column::Left("LAST"),
        Column::Left("RESULT"),
        Column::Left("BECAUSE"),
    ];
    let rows = items.iter().map(|denied| {
        let result = if denied.is_enforced {
            "refused"
        } else {
            "allowed (shadow)"
        };
        let because = match &denied.denying_acl {
            None => "no ACL allows it".to_owned(),
            Some(acl) => format!(
                "ACL: DENY {} {} {}:{}",
                acl.principal, acl.operation, acl.pattern_type, acl.resource_name
            ),
        };
        [
            denied.principal.clone(),
            denied.operation.clone(),
            denied.resource_type.clone(),
            denied.resource_name.clone(),
            denied.host.clone(),
            denied.count.to_string(),
            instant(&denied.last_at),
            result.to_owned(),
            because,
        ]
    });
    out.table(&Table::new(columns, rows), "ACLs denied no request in the last hour.")
}

fn draw_acls(out: Output, acls: &[Acl], when_empty: &str) -> String {
    let columns = [
        Column::Left("PRINCIPAL"),
        Column::Left("PERMISSION"),
        Column::Left("OPERATION"),
        Column::Left("RESOURCE"),
        Column::Left("NAME"),
        Column::Left("PATTERN"),
        Column::Left("HOST"),
    ];
    let rows = acls.iter().map(|acl| {
        [
            acl.principal.clone(),
            acl.permission.clone(),
            acl.operation.clone(),
            acl.resource_type.clone(),
            acl.resource_name.clone(),
            acl.pattern_type.clone(),
            acl.host.clone(),
        ]
    });
    out.table(&Table::new(columns, rows), when_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource() -> ResourceOptions {
        ResourceOptions {
            topic: None,
            group: None,
            transactional_id: None,
            kafka_cluster: false,
            prefixed: false,
        }
    }

    #[test]
    fn each_resource_has_kafkas_type() {
        let name = || Some("a".to_owned());
        let topic = ResourceOptions {
            topic: name(),
            prefixed: true,
            ..resource()
        };
        assert_eq!(topic.named(), Some(("TOPIC", "a", "PREFIXED")));
        let group = ResourceOptions {
            group: name(),
            ..resource()
        };
        assert_eq!(group.named(), Some(("GROUP", "a", "LITERAL")));
        let transactional_id = ResourceOptions {
            transactional_id: name(),
            ..resource()
        };
        assert_eq!(transactional_id.named(), Some(("TRANSACTIONAL_ID", "a", "LITERAL")));
        let cluster = ResourceOptions {
            kafka_cluster: true,
            ..resource()
        };
        assert_eq!(cluster.named(), Some(("CLUSTER", "kafka-cluster", "LITERAL")));
        assert_eq!(resource().named(), None);
    }

    #[test]
    fn each_operation_becomes_its_own_acl() {
        let topic = ResourceOptions {
            topic: Some("*".to_owned()),
            ..resource()
        };
        let acls = new_acls(
            &topic,
            "User:app",
            &[Operation::Read, Operation::DescribeConfigs],
            "*",
            true,
        );
        assert_eq!(acls.len(), 2);
        assert_eq!(
            acls[1],
            json!({
                "resourceType": "TOPIC", "resourceName": "*", "patternType": "LITERAL", "principal": "User:app",
                "host": "*", "operation": "DESCRIBE_CONFIGS", "permission": "DENY",
            })
        );
    }
}
