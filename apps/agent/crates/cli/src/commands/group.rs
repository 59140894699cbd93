//! `penstock group`: consumer groups of a cluster and their lag.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, cluster_id},
    output::Output,
    prompt::confirm,
    table::{Column, Table},
    units::{parse_instant, thousands},
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
    /// Reset a group's offsets in a topic: to its start, its end, a time, an offset, or by a number of records
    #[command(after_help = "\
Stop the group's consumers first. In a terminal, you confirm by typing the group ID. Elsewhere, use --yes.
--dry-run shows what would be set and changes nothing.

Examples:
  penstock group reset-offsets billing --cluster orders --topic greetings --to earliest --dry-run
  penstock group reset-offsets billing --cluster orders --topic greetings \\
    --to-time 2026-11-23T20:00:00Z
  penstock group reset-offsets billing --cluster orders --topic greetings --shift-by=-100
  penstock group reset-offsets billing --cluster orders --topic greetings \\
    --to-offset 42 --partition 0
  penstock group reset-offsets billing --cluster orders --topic greetings --to latest --yes")]
    ResetOffsets {
        /// Group ID
        #[arg(value_name = "GROUP")]
        group: String,
        /// Topic whose offsets are reset
        #[arg(long, value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        target: Target,
        /// Only this partition [default: all partitions]
        #[arg(long, value_name = "NUMBER")]
        partition: Option<u32>,
        /// Show what would be set, and change nothing
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
    /// Delete a group without members and its committed offsets; you can't undo this
    #[command(after_help = "\
Stop the group's consumers first. In a terminal, you confirm by typing the group ID. Elsewhere, use --yes.

Examples:
  penstock group delete billing --cluster orders
  penstock group delete billing --cluster orders --yes")]
    Delete {
        /// Group ID
        #[arg(value_name = "GROUP")]
        group: String,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

/// The target of a reset.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// Read all existing records, or only new ones
    #[arg(long, value_parser = ["earliest", "latest"])]
    to: Option<String>,
    /// Read records from this time on
    #[arg(long, value_name = "RFC3339", value_parser = parse_instant)]
    to_time: Option<u64>,
    /// Go to this offset; needs --partition
    #[arg(long, value_name = "OFFSET", requires = "partition")]
    to_offset: Option<u64>,
    /// Move each committed offset by this many records, back if negative
    #[arg(long, value_name = "RECORDS", allow_negative_numbers = true)]
    shift_by: Option<i64>,
}

impl Target {
    /// Returns the request fields of the API, and a description for people.
    fn inputs(&self) -> (Map<String, Value>, String) {
        let (inputs, words) = match *self {
            Self {
                to_time: Some(time), ..
            } => (json!({ "to": "time", "timeMs": time }), "the given time".to_owned()),
            Self {
                to_offset: Some(offset),
                ..
            } => (json!({ "to": "offset", "offset": offset }), format!("offset {offset}")),
            Self {
                shift_by: Some(records),
                ..
            } => (
                json!({ "to": "shift", "shiftBy": records }),
                format!("{records:+} records from where they are"),
            ),
            Self { ref to, .. } => {
                let to = to.as_deref().unwrap_or("latest");
                let words = if to == "earliest" { "the beginning" } else { "the end" };
                (json!({ "to": to }), words.to_owned())
            }
        };
        match inputs {
            Value::Object(inputs) => (inputs, words),
            _ => (Map::new(), words),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    group_id: String,
    #[serde(rename = "type")]
    group_type: String,
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
    assignment: Vec<TopicPartitions>,
    member_epoch: Option<i32>,
}

#[derive(Deserialize)]
struct TopicPartitions {
    topic: String,
    partitions: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offset {
    topic: String,
    partition: i32,
    committed_offset: i64,
    lag_records: u64,
}

/// The response to a reset or its preview.
#[derive(Deserialize)]
struct Reset {
    changes: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    partition: i32,
    before: Option<i64>,
    after: i64,
    lag_records: u64,
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
            target,
            partition,
            dry_run,
            of,
            consent,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let (mut inputs, words) = target.inputs();
            inputs.insert("topic".to_owned(), topic.clone().into());
            inputs.extend(partition.map(|partition| ("partition".to_owned(), partition.into())));
            let reset = if dry_run {
                let texts: Vec<(&String, String)> = inputs.iter().map(|(name, value)| (name, text_of(value))).collect();
                let query: Vec<(&str, &str)> = texts
                    .iter()
                    .map(|(name, text)| (name.as_str(), text.as_str()))
                    .collect();
                let path = [
                    "clusters",
                    id.as_str(),
                    "consumer-groups",
                    group.as_str(),
                    "reset-preview",
                ];
                out.say("Nothing was changed.");
                api.get_with(&path, &query).await?
            } else {
                let consequence = format!(
                    "The offsets of the group “{group}” in the topic “{topic}” will be set to {words}, replacing its current offsets."
                );
                confirm(consent.yes, &consequence, &group)?;
                let path = ["clusters", id.as_str(), "consumer-groups", group.as_str(), "reset"];
                api.post(&path, &inputs.into()).await?
            };
            out.answer(&reset, |out, Reset { changes }| draw_changes(out, &topic, changes))
        }
        GroupCommand::Delete { group, of, consent } => {
            let id = cluster_id(api, &of.cluster).await?;
            let consequence = format!(
                "The group “{group}” of the cluster “{}” and its committed offsets will be deleted.",
                of.cluster
            );
            confirm(consent.yes, &consequence, &group)?;
            let path = ["clusters", id.as_str(), "consumer-groups", group.as_str()];
            let deleted = api.delete(&path, &[("confirmation", &group)], None).await?;
            out.say(&format!("The group “{group}” was deleted."));
            out.json(&deleted.body)
        }
    }
}

/// A query value: text without JSON's quotes.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn draw_changes(out: Output, topic: &str, changes: Vec<Change>) -> String {
    let columns = [
        Column::Left("TOPIC"),
        Column::Right("PARTITION"),
        Column::Right("BEFORE"),
        Column::Right("AFTER"),
        Column::Right("TO READ"),
    ];
    let rows = changes.into_iter().map(|change| {
        [
            topic.to_owned(),
            change.partition.to_string(),
            change
                .before
                .map_or_else(|| "-".to_owned(), |offset| offset.to_string()),
            change.after.to_string(),
            thousands(&change.lag_records.to_string()),
        ]
    });
    out.table(&Table::new(columns, rows), "No offsets.")
}

fn draw_groups(out: Output, Items { items }: Items<Group>) -> String {
    let columns = [
        Column::Left("GROUP"),
        Column::Left("TYPE"),
        Column::Left("STATE"),
        Column::Right("MEMBERS"),
        Column::Right("LAG (RECORDS)"),
    ];
    let rows = items.into_iter().map(|group| {
        [
            group.group_id,
            group.group_type,
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
        ("Type", group.group_type),
        ("State", group.state),
        ("Assignment", group.protocol_name),
        ("Lag (records)", thousands(&group.total_lag_records.to_string())),
    ]);
    let readers: BTreeMap<(&str, i32), &Member> = group
        .members
        .iter()
        .flat_map(|member| {
            member.assignment.iter().flat_map(move |own| {
                own.partitions
                    .iter()
                    .map(move |partition| ((own.topic.as_str(), *partition), member))
            })
        })
        .collect();
    let committed: BTreeMap<(&str, i32), &Offset> = group
        .offsets
        .iter()
        .map(|offset| ((offset.topic.as_str(), offset.partition), offset))
        .collect();
    let all: BTreeSet<(&str, i32)> = readers.keys().chain(committed.keys()).copied().collect();
    let members = Table::new(
        [
            Column::Left("MEMBER"),
            Column::Left("CLIENT"),
            Column::Left("HOST"),
            Column::Left("STATIC ID"),
            Column::Right("PARTITIONS"),
            Column::Right("EPOCH"),
        ],
        group.members.iter().map(|member| {
            let partitions: usize = member.assignment.iter().map(|own| own.partitions.len()).sum();
            [
                member.member_id.clone(),
                member.client_id.clone(),
                member.client_host.clone(),
                member.group_instance_id.clone().unwrap_or_default(),
                partitions.to_string(),
                member
                    .member_epoch
                    .map_or_else(|| "-".to_owned(), |epoch| epoch.to_string()),
            ]
        }),
    );
    let dash = || "-".to_owned();
    let partitions = Table::new(
        [
            Column::Left("TOPIC"),
            Column::Right("PARTITION"),
            Column::Right("COMMITTED"),
            Column::Right("LAG"),
            Column::Left("CLIENT"),
            Column::Left("HOST"),
        ],
        all.into_iter().map(|key| {
            let offset = committed.get(&key);
            let member = readers.get(&key);
            [
                key.0.to_owned(),
                key.1.to_string(),
                offset.map_or_else(dash, |offset| offset.committed_offset.to_string()),
                offset.map_or_else(dash, |offset| thousands(&offset.lag_records.to_string())),
                member.map_or_else(dash, |member| member.client_id.clone()),
                member.map_or_else(dash, |member| member.client_host.clone()),
            ]
        }),
    );
    let tables = [
        out.table(&members, "No active members."),
        out.table(&partitions, "No partitions assigned and no committed offsets."),
    ];
    let tables: String = tables
        .iter()
        .filter(|table| !table.is_empty())
        .map(|table| format!("\n{table}"))
        .collect();
    facts + &tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_each_partition_with_its_offset_and_member() {
        let group: Group = serde_json::from_value(json!({
            "groupId": "billing", "type": "Consumer", "state": "Stable", "protocolName": "uniform", "totalLagRecords": 1_200,
            "members": [{
                "memberId": "m", "clientId": "reader", "clientHost": "10.0.0.7", "groupInstanceId": null,
                "assignment": [{ "topic": "orders", "partitions": [0, 1] }], "memberEpoch": 3
            }],
            "offsets": [
                { "topic": "orders", "partition": 2, "committedOffset": 5, "lagRecords": 1_200 },
                { "topic": "orders", "partition": 0, "committedOffset": 7, "lagRecords": 0 }
            ]
        }))
        .unwrap();
        let text = draw_group(Output::plain(), group);
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with("orders"))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(
            rows,
            [
                vec!["orders", "0", "7", "0", "reader", "10.0.0.7"],
                vec!["orders", "1", "-", "-", "reader", "10.0.0.7"],
                vec!["orders", "2", "5", "1,200", "-", "-"],
            ]
        );
    }

    #[test]
    fn sends_a_reset_in_the_apis_format() {
        let target = |to: Option<&str>, to_time, to_offset, shift_by| Target {
            to: to.map(str::to_owned),
            to_time,
            to_offset,
            shift_by,
        };
        let inputs = |target: &Target| Value::from(target.inputs().0);
        assert_eq!(
            inputs(&target(Some("earliest"), None, None, None)),
            json!({ "to": "earliest" })
        );
        assert_eq!(
            inputs(&target(None, Some(1_000), None, None)),
            json!({ "to": "time", "timeMs": 1_000 })
        );
        assert_eq!(
            inputs(&target(None, None, Some(4), None)),
            json!({ "to": "offset", "offset": 4 })
        );
        assert_eq!(
            inputs(&target(None, None, None, Some(-9))),
            json!({ "to": "shift", "shiftBy": -9 })
        );
    }
}
