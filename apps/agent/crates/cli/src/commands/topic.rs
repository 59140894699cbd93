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
    units::{size, thousands},
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
    /// Show one topic with its configuration and partitions
    #[command(after_help = "Examples:\n  penstock topic show greetings --cluster orders")]
    Show {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Make a topic
    #[command(after_help = "\
Examples:
  penstock topic create greetings --cluster orders
  penstock topic create greetings --cluster orders --partitions 12")]
    Create {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        /// How many partitions [default: the cluster's]
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
        partitions: Option<u32>,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Change the configuration of a topic, by Kafka's names; what is left out stays
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true).args(["set", "unset"]),
        after_help = "\
All changes are made or none. There are retention.ms, retention.bytes and max.message.bytes.

Examples:
  penstock topic configure greetings --cluster orders --set retention.ms=604800000
  penstock topic configure greetings --cluster orders --unset retention.ms --set retention.bytes=-1"
    )]
    Configure {
        /// Name of the topic
        #[arg(value_name = "TOPIC")]
        topic: String,
        /// A new value; may be given several times
        #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
        set: Vec<(String, String)>,
        /// Back to the default; may be given several times
        #[arg(long, value_name = "NAME")]
        unset: Vec<String>,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Delete a topic and all its records; this cannot be undone
    #[command(after_help = "\
On a terminal the topic's name has to be typed first; elsewhere --yes is needed.

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

/// `NAME=VALUE`, as an option.
pub(crate) fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE".to_owned()),
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
            let path = ["clusters", id.as_str(), "topics", topic.as_str(), "configuration"];
            let changed = api.patch(&path, &json!({ "configs": configs }), None).await?;
            out.say(&format!("The configuration of “{topic}” was changed."));
            out.json(&changed.body)
        }
        TopicCommand::Delete { topic, of, consent } => {
            let id = cluster_id(api, &of.cluster).await?;
            let consequence = format!(
                "The topic “{topic}” of the cluster “{}” is deleted with all its records, for good.",
                of.cluster
            );
            confirm(consent.yes, &consequence, &topic)?;
            let path = ["clusters", id.as_str(), "topics", topic.as_str()];
            let deleted = api.delete(&path, &[("confirmation", &topic)], None).await?;
            out.say(&format!("The topic “{topic}” is deleted."));
            out.json(&deleted.body)
        }
    }
}

/// Values to set and defaults to go back to, as the API takes them.
fn changes(set: Vec<(String, String)>, unset: Vec<String>) -> Result<Map<String, Value>, CliError> {
    let mut configs = Map::new();
    let all = set
        .into_iter()
        .map(|(name, value)| (name, Value::from(value)))
        .chain(unset.into_iter().map(|name| (name, Value::Null)));
    for (name, value) in all {
        if configs.insert(name.clone(), value).is_some() {
            return Err(CliError::usage(
                format!("{name} is given twice."),
                "Set it once, or unset it.",
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
        "There are no topics yet. Make one with `penstock topic create`, or write to one.",
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
    let partitions = out.table(&Table::new(columns, rows), "It has no partitions.");
    format!("{}\n{partitions}", out.facts(&facts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_name_and_may_hold_anything_behind_it() {
        assert_eq!(parse_setting("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(parse_setting("a="), Ok(("a".to_owned(), String::new())));
        assert!(parse_setting("a").is_err());
        assert!(parse_setting("=b").is_err());
    }

    #[test]
    fn nothing_is_both_set_and_unset() {
        let set = vec![("retention.ms".to_owned(), "1".to_owned())];
        assert!(changes(set.clone(), vec!["retention.ms".to_owned()]).is_err());
        let configs = changes(set, vec!["retention.bytes".to_owned()]).unwrap();
        assert_eq!(
            Value::from(configs),
            json!({"retention.ms": "1", "retention.bytes": null})
        );
    }
}
