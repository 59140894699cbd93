//! `penstock topic`: topics of a cluster.

use clap::{ArgGroup, Args, Subcommand};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, cluster_id},
    output::Output,
    prompt::confirm,
    table::{Column, Table},
    units::{size, thousands, yes_no},
};

/// Options of `penstock topic`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct TopicArgs {
    #[command(subcommand)]
    command: TopicCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum TopicCommand {
    /// List the topics of a cluster
    #[command(
        after_help = "Examples:\n  penstock topic list --cluster orders\n  penstock topic list --cluster orders --json"
    )]
    List {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Show a topic with its configuration and partitions
    #[command(after_help = "Examples:\n  penstock topic show greetings --cluster orders")]
    Show {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// List all configs of a topic with their meaning, and whether they have an effect
    #[command(after_help = "\
Examples:
  penstock topic configs greetings --cluster orders
  penstock topic configs greetings --cluster orders --json")]
    Configs {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// List the consumer groups that read a topic, with their lag
    #[command(after_help = "Examples:\n  penstock topic consumers greetings --cluster orders")]
    Consumers {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Create a topic
    #[command(after_help = "\
Examples:
  penstock topic create greetings --cluster orders
  penstock topic create greetings --cluster orders --partitions 12")]
    Create {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        /// Number of partitions [default: the cluster's default]
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
        partitions: Option<u32>,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Change the configuration of a topic
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true).args(["set", "unset"]),
        after_help = "\
Either all changes are made or none. `penstock topic configs` lists the configs.

Examples:
  penstock topic configure greetings --cluster orders --set retention.ms=604800000
  penstock topic configure greetings --cluster orders --unset retention.ms --set retention.bytes=-1"
    )]
    Configure {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        /// Set a config; can be repeated
        #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
        set: Vec<(String, String)>,
        /// Reset a config to its default; can be repeated
        #[arg(long, value_name = "NAME")]
        unset: Vec<String>,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Delete a topic and all its records; you can't undo this
    #[command(after_help = "\
In a terminal, you confirm by typing the topic's name. Elsewhere, use --yes.

Examples:
  penstock topic delete greetings --cluster orders
  penstock topic delete greetings --cluster orders --yes")]
    Delete {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

/// Parses an option of the form `NAME=VALUE`.
pub(crate) fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("use NAME=VALUE".to_owned()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Topic {
    topic_id: String,
    name: String,
    configs: Vec<Config>,
    partitions: Vec<Partition>,
    records: u64,
    stored_bytes: u64,
}

#[derive(Deserialize)]
struct Config {
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Partition {
    partition: i32,
    log_start_offset: u64,
    high_watermark: u64,
    stored_bytes: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ConfigRow {
    name: String,
    value: String,
    is_set: bool,
    has_effect: bool,
    meaning: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Consumer {
    group_id: String,
    #[serde(rename = "type")]
    group_type: String,
    state: String,
    members: u64,
    partitions: u64,
    lag_records: u64,
}

#[derive(Deserialize)]
struct Created {
    name: String,
    partitions: i64,
}

pub(crate) async fn run(args: TopicArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        TopicCommand::List { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "topics"]).await?, draw_topics)
        }
        TopicCommand::Show { topic, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.get(&["clusters", &id, "topics", &topic]).await?, draw_topic)
        }
        TopicCommand::Configs { topic, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let path = ["clusters", id.as_str(), "topics", topic.as_str(), "configuration"];
            out.answer(&api.list(&path).await?, draw_configs)
        }
        TopicCommand::Consumers { topic, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let path = ["clusters", id.as_str(), "topics", topic.as_str(), "consumers"];
            out.answer(&api.list(&path).await?, draw_consumers)
        }
        TopicCommand::Create { topic, partitions, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let mut body = Map::from_iter([("name".to_owned(), Value::from(topic))]);
            body.extend(partitions.map(|count| ("partitions".to_owned(), count.into())));
            let created = api.post(&["clusters", &id, "topics"], &body.into()).await?;
            out.answer(&created, |out, created: Created| {
                out.facts(&[("Name", created.name), ("Partitions", created.partitions.to_string())])
            })
        }
        TopicCommand::Configure { topic, set, unset, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let configs = changes(set, unset)?;
            let path = ["clusters", id.as_str(), "topics", topic.as_str()];
            let changed = api.patch(&path, &json!({ "configs": configs }), None).await?;
            out.say(&format!("The configuration of “{topic}” was changed."));
            out.json(&changed.body)
        }
        TopicCommand::Delete { topic, of, consent } => {
            let id = cluster_id(api, &of.cluster).await?;
            let consequence = format!(
                "The topic “{topic}” of the cluster “{}” and all its records will be permanently deleted.",
                of.cluster
            );
            confirm(consent.yes, &consequence, &topic)?;
            let path = ["clusters", id.as_str(), "topics", topic.as_str()];
            let deleted = api.delete(&path, &[("confirmation", &topic)], None).await?;
            out.say(&format!("The topic “{topic}” was deleted."));
            out.json(&deleted.body)
        }
    }
}

/// The API's fields for values to set and configs to reset.
fn changes(set: Vec<(String, String)>, unset: Vec<String>) -> Result<Map<String, Value>, CliError> {
    let mut configs = Map::new();
    let all = set
        .into_iter()
        .map(|(name, value)| (name, Value::from(value)))
        .chain(unset.into_iter().map(|name| (name, Value::Null)));
    for (name, value) in all {
        if configs.insert(name.clone(), value).is_some() {
            return Err(CliError::usage(
                format!("{name} is set twice."),
                "Either set it once or unset it.",
            ));
        }
    }
    Ok(configs)
}

fn draw_topics(out: Output, Items { items }: Items<Topic>) -> String {
    let columns = [
        Column::Left("NAME"),
        Column::Right("PARTITIONS"),
        Column::Right("RECORDS"),
        Column::Right("STORED"),
    ];
    let rows = items.into_iter().map(|topic| {
        [
            topic.name,
            topic.partitions.len().to_string(),
            thousands(&topic.records.to_string()),
            size(topic.stored_bytes.into()),
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "There are no topics yet. Create one with `penstock topic create`.",
    )
}

fn draw_configs(out: Output, Items { items }: Items<ConfigRow>) -> String {
    let columns = [
        Column::Left("CONFIG"),
        Column::Left("VALUE"),
        Column::Left("SET"),
        Column::Left("EFFECT"),
        Column::Left("MEANING"),
    ];
    let rows = items.into_iter().map(|config| {
        [
            config.name,
            config.value,
            yes_no(config.is_set),
            yes_no(config.has_effect),
            config.meaning,
        ]
    });
    out.table(&Table::new(columns, rows), "There are no configs.")
}

fn draw_consumers(out: Output, Items { items }: Items<Consumer>) -> String {
    let columns = [
        Column::Left("GROUP"),
        Column::Left("TYPE"),
        Column::Left("STATE"),
        Column::Right("MEMBERS"),
        Column::Right("PARTITIONS"),
        Column::Right("LAG (RECORDS)"),
    ];
    let rows = items.into_iter().map(|consumer| {
        [
            consumer.group_id,
            consumer.group_type,
            consumer.state,
            consumer.members.to_string(),
            consumer.partitions.to_string(),
            thousands(&consumer.lag_records.to_string()),
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "No group reads this topic. One appears when a consumer is assigned a partition or commits an offset.",
    )
}

fn draw_topic(out: Output, topic: Topic) -> String {
    let mut facts = vec![
        ("Name", topic.name),
        ("Id", topic.topic_id),
        ("Records", thousands(&topic.records.to_string())),
        ("Stored", size(topic.stored_bytes.into())),
    ];
    facts.extend(
        topic
            .configs
            .iter()
            .map(|config| (config.name.as_str(), config.value.clone())),
    );
    let columns = [
        Column::Right("PARTITION"),
        Column::Right("FIRST OFFSET"),
        Column::Right("HIGH WATERMARK"),
        Column::Right("STORED"),
    ];
    let rows = topic.partitions.iter().map(|partition| {
        [
            partition.partition.to_string(),
            partition.log_start_offset.to_string(),
            partition.high_watermark.to_string(),
            size(partition.stored_bytes.into()),
        ]
    });
    let partitions = out.table(&Table::new(columns, rows), "No partitions.");
    format!("{}\n{partitions}", out.facts(&facts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_name_and_any_value() {
        assert_eq!(parse_setting("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(parse_setting("a="), Ok(("a".to_owned(), String::new())));
        assert!(parse_setting("a").is_err());
        assert!(parse_setting("=b").is_err());
    }

    #[test]
    fn refuses_to_both_set_and_unset_a_config() {
        let set = vec![("retention.ms".to_owned(), "1".to_owned())];
        assert!(changes(set.clone(), vec!["retention.ms".to_owned()]).is_err());
        let configs = changes(set, vec!["retention.bytes".to_owned()]).unwrap();
        assert_eq!(
            Value::from(configs),
            json!({"retention.ms": "1", "retention.bytes": null})
        );
    }
}
