//! `penstock usage`: the usage of the current month.

use clap::Args;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, Session, cluster_id},
    output::Output,
    table::{Column, Table},
    units::{instant, size_of_text, thousands},
};

const HELP: &str = "\
The figures match the invoice: bytes before compression, and the minutes in which clusters had an agent alive, since the \
first of the month (UTC).

Examples:
  penstock usage
  penstock usage --cluster orders --json
  penstock usage --by-cluster";

/// Options of `penstock usage`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct UsageArgs {
    /// Cluster name or ID [default: the whole organization]
    #[arg(long, short = 'c', value_name = "NAME|ID", conflicts_with = "by_cluster")]
    cluster: Option<String>,

    /// Show one row per cluster and the organization's total
    #[arg(long)]
    by_cluster: bool,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    month_start: String,
    month_end: String,
    uncompressed_bytes: String,
    stored_bytes: String,
    records: String,
    files: String,
    cluster_minutes: u64,
    counted_until: String,
}

#[derive(Deserialize)]
struct Cluster {
    id: String,
    name: String,
}

pub(crate) async fn run(args: UsageArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    if args.by_cluster {
        return by_cluster(&session).await;
    }
    let answer = match args.cluster {
        Some(cluster) => {
            let id = cluster_id(&session.api, &cluster).await?;
            session.api.get_with(&["usage"], &[("clusterId", &id)]).await?
        }
        None => session.api.get(&["usage"]).await?,
    };
    session.out.answer(&answer, |out, usage: Usage| {
        out.facts(&[
            ("From", instant(&usage.month_start)),
            ("To (exclusive)", instant(&usage.month_end)),
            ("Written, uncompressed", size_of_text(&usage.uncompressed_bytes)),
            ("Stored", size_of_text(&usage.stored_bytes)),
            ("Records", thousands(&usage.records)),
            ("Data files", thousands(&usage.files)),
            ("Cluster minutes", thousands(&usage.cluster_minutes.to_string())),
            ("Counted until", instant(&usage.counted_until)),
        ])
    })
}

async fn by_cluster(Session { api, out }: &Session) -> Result<(), CliError> {
    let clusters = api.list(&["clusters"]).await?;
    let mut rows: Vec<(String, String)> = Vec::new();
    for Cluster { id, name } in clusters.read::<Items<Cluster>>()?.items {
        rows.push((name, api.get_with(&["usage"], &[("clusterId", &id)]).await?.body));
    }
    let total = api.get(&["usage"]).await?;
    if out.is_json {
        let clusters = clusters.read::<Items<Box<RawValue>>>()?.items;
        let items: Vec<String> = std::iter::zip(&clusters, &rows)
            .map(|(cluster, (_, usage))| format!(r#"{{"cluster":{cluster},"usage":{usage}}}"#))
            .collect();
        return out.json(&format!(r#"{{"items":[{}],"total":{}}}"#, items.join(","), total.body));
    }
    rows.push(("TOTAL".to_owned(), total.body));
    let rows = rows
        .iter()
        .map(|(name, usage)| Ok(row(name, &serde_json::from_str(usage)?)))
        .collect::<Result<Vec<_>, serde_json::Error>>()
        .map_err(|error| crate::client::unexpected(&error))?;
    out.text(&draw(*out, rows))?;
    out.say("The total includes deleted clusters.");
    Ok(())
}

fn row(name: &str, usage: &Usage) -> [String; 5] {
    [
        name.to_owned(),
        size_of_text(&usage.uncompressed_bytes),
        size_of_text(&usage.stored_bytes),
        thousands(&usage.records),
        thousands(&usage.cluster_minutes.to_string()),
    ]
}

fn draw(out: Output, rows: Vec<[String; 5]>) -> String {
    let columns = [
        Column::Left("CLUSTER"),
        Column::Right("WRITTEN"),
        Column::Right("STORED"),
        Column::Right("RECORDS"),
        Column::Right("MINUTES"),
    ];
    out.table(&Table::new(columns, rows), "No usage yet.")
}
