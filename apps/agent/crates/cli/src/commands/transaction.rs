//! `penstock transaction`: transactional producers of a cluster and their open transactions.

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
};

/// Options of `penstock transaction`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct TransactionArgs {
    #[command(subcommand)]
    command: TransactionCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum TransactionCommand {
    /// List transactional producers, those with an open transaction first
    #[command(after_help = "\
Examples:
  penstock transaction list --cluster orders
  penstock transaction list --cluster orders --state Ongoing --json")]
    List {
        /// Only producers in this state
        #[arg(long, value_parser = ["Ongoing", "Empty", "CompleteCommit", "CompleteAbort"])]
        state: Option<String>,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Show a transactional producer with the partitions and groups of its open transaction
    #[command(after_help = "Examples:\n  penstock transaction show billing-1 --cluster orders")]
    Show {
        /// Transactional ID
        #[arg(value_name = "TRANSACTIONAL_ID")]
        transactional_id: String,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Abort an open transaction and fence its producer; you can't undo this
    #[command(after_help = "\
In a terminal, you confirm by typing the transactional ID. Elsewhere, use --yes.

Examples:
  penstock transaction abort billing-1 --cluster orders
  penstock transaction abort billing-1 --cluster orders --yes")]
    Abort {
        /// Transactional ID
        #[arg(value_name = "TRANSACTIONAL_ID")]
        transactional_id: String,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    transactional_id: String,
    state: String,
    producer_id: i64,
    producer_epoch: i32,
    timeout_ms: u64,
    open_ms: Option<u64>,
    partitions: Vec<Partition>,
    group_ids: Vec<String>,
    client_id: String,
    agent_id: String,
}

#[derive(Deserialize)]
struct Partition {
    topic: String,
    partition: i32,
}

pub(crate) async fn run(args: TransactionArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        TransactionCommand::List { state, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let path = ["clusters", id.as_str(), "transactions"];
            let query: Vec<(&str, &str)> = state.iter().map(|state| ("state", state.as_str())).collect();
            out.answer(&api.list_with(&path, &query).await?, draw_transactions)
        }
        TransactionCommand::Show { transactional_id, of } => {
            let id = cluster_id(api, &of.cluster).await?;
            let path = ["clusters", id.as_str(), "transactions", transactional_id.as_str()];
            out.answer(&api.get(&path).await?, draw_transaction)
        }
        TransactionCommand::Abort {
            transactional_id,
            of,
            consent,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let consequence = format!(
                "The open transaction of “{transactional_id}” will be aborted: what it wrote is discarded, and its producer gets an error."
            );
            confirm(consent.yes, &consequence, &transactional_id)?;
            let path = [
                "clusters",
                id.as_str(),
                "transactions",
                transactional_id.as_str(),
                "abort",
            ];
            let aborted = api.post(&path, &json!({ "confirmation": transactional_id })).await?;
            out.say(&format!("The transaction of “{transactional_id}” was aborted."));
            out.json(&aborted.body)
        }
    }
}

/// Formats milliseconds as seconds with one decimal, or as a dash.
fn seconds(ms: Option<u64>) -> String {
    ms.map_or_else(|| "-".to_owned(), |ms| format!("{}.{} s", ms / 1_000, ms % 1_000 / 100))
}

fn draw_transactions(out: Output, Items { items }: Items<Transaction>) -> String {
    let columns = [
        Column::Left("TRANSACTIONAL ID"),
        Column::Left("STATE"),
        Column::Right("OPEN FOR"),
        Column::Right("TIMEOUT"),
        Column::Right("PARTITIONS"),
        Column::Right("PRODUCER"),
        Column::Right("EPOCH"),
        Column::Left("CLIENT"),
    ];
    let rows = items.into_iter().map(|transaction| {
        [
            transaction.transactional_id,
            transaction.state,
            seconds(transaction.open_ms),
            seconds(Some(transaction.timeout_ms)),
            transaction.partitions.len().to_string(),
            transaction.producer_id.to_string(),
            transaction.producer_epoch.to_string(),
            transaction.client_id,
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "There are no such transactional producers. One appears when it initializes a transactional.id.",
    )
}

fn draw_transaction(out: Output, transaction: Transaction) -> String {
    let facts = out.facts(&[
        ("Transactional ID", transaction.transactional_id),
        ("State", transaction.state),
        ("Open for", seconds(transaction.open_ms)),
        ("Timeout", seconds(Some(transaction.timeout_ms))),
        ("Producer ID", transaction.producer_id.to_string()),
        ("Epoch", transaction.producer_epoch.to_string()),
        ("Client", transaction.client_id),
        ("Agent", transaction.agent_id),
        ("Groups", transaction.group_ids.join(", ")),
    ]);
    let partitions = Table::new(
        [Column::Left("TOPIC"), Column::Right("PARTITION")],
        transaction
            .partitions
            .into_iter()
            .map(|partition| [partition.topic, partition.partition.to_string()]),
    );
    let drawn = out.table(&partitions, "No partitions are in an open transaction.");
    if drawn.is_empty() {
        return facts;
    }
    format!("{facts}\n{drawn}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_an_open_transaction_with_its_age_and_partitions() {
        let transaction: Transaction = serde_json::from_value(json!({
            "transactionalId": "billing-1", "state": "Ongoing", "producerId": 7, "producerEpoch": 2, "timeoutMs": 60_000,
            "startedAtMs": 1, "openMs": 4_260, "updatedAtMs": 1, "partitions": [{ "topic": "orders", "partition": 3 }],
            "groupIds": ["readers"], "clientId": "billing", "agentId": "agent-1"
        }))
        .unwrap();
        let text = draw_transaction(Output::plain(), transaction);
        assert!(text.contains("Open for          4.2 s\n"), "{text}");
        assert!(text.ends_with("TOPIC   PARTITION\norders          3\n"), "{text}");
        assert_eq!(seconds(None), "-");
    }
}
