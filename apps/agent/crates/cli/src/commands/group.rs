//! `penstock group`: consumer groups of a cluster and how far behind they are.

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, cluster_id},
    output::Output,
    prompt::confirm,
    table::{Column, Table},
    units::thousands,
};

/// Options of `penstock group`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct GroupArgs {
    #[command(subcommand)]
    command: GroupCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum GroupCommand {
    /// List the consumer groups of a cluster with their lag
    #[command(
        after_help = "Examples:\n  penstock group list --cluster orders\n  penstock group list --cluster orders --json"
    )]
    List {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Show a group with its members, committed offsets and lag by partition
    #[command(after_help = "Examples:\n  penstock group show billing --cluster orders")]
    Show {
        /// Group ID
        #[arg(value_name = "GROUP")]
        group: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Reset a group's offsets to the start or end of a topic
    #[command(after_help = "\
Stop the group's consumers first. In a terminal, you confirm by typing the group ID. Elsewhere, use --yes.

Examples:
  penstock group reset-offsets billing --cluster orders --topic greetings --to earliest
  penstock group reset-offsets billing --cluster orders --topic greetings --to latest --yes")]
    ResetOffsets {
        /// Group ID
        #[arg(value_name = "GROUP")]
        group: String,
        /// Topic whose offsets are reset, in all partitions
        #[arg(long, value_name = "TOPIC")]
        topic: String,
        /// Read all existing records, or only new ones
        #[arg(long, value_parser = ["earliest", "latest"])]
        to: String,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    group_id: String,
    state: String,
    protocol_name: String,
    members: Vec<Member>,
    offsets: Vec<Offset>,
    total_lag_records: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Member {
    member_id: String,
    client_id: String,
    client_host: String,
    group_instance_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offset {
    topic: String,
    partition: i32,
    committed_offset: i64,
    lag_records: u64,
}

#[derive(Deserialize)]
struct Reset {
    partitions: u64,
}

pub(crate) async fn run(args: GroupArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        GroupCommand::List { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "consumer-groups"]).await?, draw_groups)
        }
        GroupCommand::Show { group, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(
                &api.get(&["clusters", &id, "consumer-groups", &group]).await?,
                draw_group,
            )
        }
        GroupCommand::ResetOffsets {
            group,
            topic,
            to,
            of,
            consent,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let end = if to == "earliest" { "beginning" } else { "end" };
            let consequence = format!(
                "The offsets of the group “{group}” will be set to the {end} of the topic “{topic}”, replacing its current offsets."
            );
            confirm(consent.yes, &consequence, &group)?;
            let path = ["clusters", id.as_str(), "consumer-groups", group.as_str(), "reset"];
            let reset = api.post(&path, &json!({ "topic": topic, "to": to })).await?;
            out.answer(&reset, |out, Reset { partitions }| {
                out.facts(&[
                    ("Group", group),
                    ("Topic", topic),
                    ("Set to", to),
                    ("Partitions", partitions.to_string()),
                ])
            })
        }
    }
}

fn draw_groups(out: Output, Items { items }: Items<Group>) -> String {
    let columns = [
        Column::Left("GROUP"),
        Column::Left("STATE"),
        Column::Right("MEMBERS"),
        Column::Right("LAG (RECORDS)"),
    ];
    let rows = items.into_iter().map(|group| {
        [
            group.group_id,
            group.state,
            group.members.len().to_string(),
            thousands(&group.total_lag_records.to_string()),
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "There are no consumer groups yet. A group appears when its first consumer joins.",
    )
}

fn draw_group(out: Output, group: Group) -> String {
    let facts = out.facts(&[
        ("Group", group.group_id),
        ("State", group.state),
        ("Assignment", group.protocol_name),
        ("Lag (records)", thousands(&group.total_lag_records.to_string())),
    ]);
    let members = Table::new(
        [
            Column::Left("MEMBER"),
            Column::Left("CLIENT"),
            Column::Left("HOST"),
            Column::Left("STATIC ID"),
        ],
        group.members.into_iter().map(|member| {
            [
                member.member_id,
                member.client_id,
                member.client_host,
                member.group_instance_id.unwrap_or_default(),
            ]
        }),
    );
    let offsets = Table::new(
        [
            Column::Left("TOPIC"),
            Column::Right("PARTITION"),
            Column::Right("COMMITTED"),
            Column::Right("LAG"),
        ],
        group.offsets.into_iter().map(|offset| {
            [
                offset.topic,
                offset.partition.to_string(),
                offset.committed_offset.to_string(),
                thousands(&offset.lag_records.to_string()),
            ]
        }),
    );
    let tables = [
        out.table(&members, "No active members."),
        out.table(&offsets, "No committed offsets."),
    ];
    let tables: String = tables
        .iter()
        .filter(|table| !table.is_empty())
        .map(|table| format!("\n{table}"))
        .collect();
    facts + &tables
}
