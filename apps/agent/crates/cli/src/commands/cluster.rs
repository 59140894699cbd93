//! `penstock cluster`: virtual clusters and their health.

use clap::{ArgGroup, Args, Subcommand};
use serde_json::{Map, Value, json};

use crate::{
    error::CliError,
    options::{ApiOptions, ConsentOption, Session, cluster_id, id_among, is_id},
    prompt::confirm,
};

mod draw;

use draw::{
    Cluster, Updated, draw_agents, draw_cluster, draw_clusters, draw_deleted_clusters, draw_events, draw_health,
    draw_modes,
};

/// Options of `penstock cluster`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct ClusterArgs {
    #[command(subcommand)]
    command: ClusterCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum ClusterCommand {
    /// List the clusters of the organization
    #[command(
        after_help = "Examples:\n  penstock cluster list\n  penstock cluster list --deleted\n  penstock cluster list --json"
    )]
    List {
        /// Show deleted clusters that can still be restored
        #[arg(long)]
        deleted: bool,
    },
    /// Show a cluster and its configuration
    #[command(after_help = "Examples:\n  penstock cluster show orders\n  penstock cluster show orders --json")]
    Show {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
    /// Create a virtual cluster; it costs nothing without agents
    #[command(after_help = "\
Omitted options use the API's defaults.

Examples:
  penstock cluster create orders --cloud aws --region eu-central-1
  penstock cluster create trial --cloud aws --region eu-central-1 --mode dev
  penstock cluster create orders --cloud aws --region eu-central-1 \\
    --default-partitions 24 --deletion-protection true")]
    Create(CreateArgs),
    /// Rename a cluster or change its configuration
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true)
            .args([
                "name",
                "mode",
                "default_partitions",
                "auto_create_topics",
                "deletion_protection",
                "offsets_retention_minutes",
                "max_uncompressed_batch_bytes",
            ]),
        after_help = "\
If someone else changes the cluster at the same time, the command fails and overwrites nothing.

Examples:
  penstock cluster update orders --name orders-eu
  penstock cluster update trial --mode standard
  penstock cluster update orders --deletion-protection true --default-partitions 24"
    )]
    Update {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
        /// New name
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        configuration: Configuration,
        /// Minutes that committed offsets are kept after their last use
        #[arg(long, value_name = "MINUTES")]
        offsets_retention_minutes: Option<u32>,
        /// What a compressed batch may decompress to in topics that don't set max.uncompressed.batch.bytes
        #[arg(long, value_name = "BYTES")]
        max_uncompressed_batch_bytes: Option<u32>,
    },
    /// Delete a cluster; it can be restored for 30 days
    #[command(after_help = "\
In a terminal, you confirm by typing the cluster's name. Elsewhere, use --yes.

Examples:
  penstock cluster delete orders
  penstock cluster delete orders --yes")]
    Delete {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
        #[command(flatten)]
        consent: ConsentOption,
    },
    /// Restore a deleted cluster
    #[command(after_help = "Examples:\n  penstock cluster list --deleted\n  penstock cluster restore orders")]
    Restore {
        /// Name or id of a deleted cluster
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
    /// Show the health of a cluster, open issues and what to do
    #[command(after_help = "Examples:\n  penstock cluster health orders\n  penstock cluster health orders --json")]
    Health {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
    /// Compare the modes for a cluster: prices, limits, and whether it fits
    #[command(after_help = "\
Writes are billed separately and cost the same in each mode.

Examples:
  penstock cluster modes orders
  penstock cluster modes orders --json")]
    Modes {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
    /// List the agents of a cluster
    #[command(after_help = "Examples:\n  penstock cluster agents orders\n  penstock cluster agents orders --json")]
    Agents {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
    /// List the events of a cluster, newest first
    #[command(
        after_help = "Examples:\n  penstock cluster events orders\n  penstock cluster events orders --limit 200 --json"
    )]
    Events {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
        /// Maximum number of events
        #[arg(long, default_value_t = 50, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=200))]
        limit: u16,
    },
    /// Print the metrics of a cluster in the OpenMetrics format for Prometheus
    #[command(after_help = "The output is text, even with --json.\n\nExamples:\n  penstock cluster metrics orders")]
    Metrics {
        /// Name or id
        #[arg(value_name = "CLUSTER")]
        cluster: String,
    },
}

#[derive(Debug, Args)]
struct CreateArgs {
    /// Name of the cluster
    #[arg(value_name = "NAME")]
    name: String,
    /// Where the agents run
    #[arg(long, value_parser = ["aws", "gcp", "azure", "other"])]
    cloud: String,
    /// Region of the agents, as a label
    #[arg(long, value_name = "REGION")]
    region: String,
    #[command(flatten)]
    configuration: Configuration,
}

#[derive(Debug, Args)]
struct Configuration {
    /// What a cluster-minute costs and what is limited
    #[arg(long, value_parser = ["dev", "standard", "low-latency"])]
    mode: Option<String>,
    /// Partitions of topics that are created without a number
    #[arg(long, value_name = "COUNT")]
    default_partitions: Option<u32>,
    /// Create a topic when a client writes to one that doesn't exist
    #[arg(long, value_name = "true|false")]
    auto_create_topics: Option<bool>,
    /// Prevent deletion of the cluster
    #[arg(long, value_name = "true|false")]
    deletion_protection: Option<bool>,
}

impl Configuration {
    fn fields(&self) -> Map<String, Value> {
        let configured = [
            ("mode", self.mode.as_deref().map(Value::from)),
            ("defaultPartitions", self.default_partitions.map(Value::from)),
            ("autoCreateTopics", self.auto_create_topics.map(Value::from)),
            ("deletionProtection", self.deletion_protection.map(Value::from)),
        ];
        configured
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

pub(crate) async fn run(args: ClusterArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        ClusterCommand::List { deleted: false } => out.answer(&api.list(&["clusters"]).await?, draw_clusters),
        ClusterCommand::List { deleted: true } => {
            out.answer(&api.list(&["deleted-clusters"]).await?, draw_deleted_clusters)
        }
        ClusterCommand::Show { cluster } => {
            let id = cluster_id(api, &cluster).await?;
            out.answer(&api.get(&["clusters", &id]).await?, draw_cluster)
        }
        ClusterCommand::Create(create) => {
            let mut body = create.configuration.fields();
            body.insert("name".to_owned(), create.name.into());
            body.insert("cloud".to_owned(), create.cloud.into());
            body.insert("region".to_owned(), create.region.into());
            out.answer(&api.post(&["clusters"], &body.into()).await?, draw_cluster)
        }
        ClusterCommand::Update {
            cluster,
            name,
            configuration,
            offsets_retention_minutes,
            max_uncompressed_batch_bytes,
        } => {
            let id = cluster_id(api, &cluster).await?;
            let mut fields = configuration.fields();
            if let Some(minutes) = offsets_retention_minutes {
                fields.insert("offsetsRetentionMinutes".to_owned(), minutes.into());
            }
            if let Some(bytes) = max_uncompressed_batch_bytes {
                fields.insert("maxUncompressedBatchBytes".to_owned(), bytes.into());
            }
            fields.extend(name.map(|name| ("name".to_owned(), name.into())));
            update(&session, &id, fields).await
        }
        ClusterCommand::Delete { cluster, consent } => {
            let id = cluster_id(api, &cluster).await?;
            let before = api.get(&["clusters", &id]).await?;
            let name = before.read::<Cluster>()?.name;
            let consequence = format!("Clients lose access to the cluster “{name}” ({id}) immediately.");
            confirm(consent.yes, &consequence, &name)?;
            let query = [("confirmation", name.as_str())];
            let path = ["clusters", id.as_str()];
            // Deletes only the state that the user saw and confirmed.
            let deleted = api.delete(&path, &query, before.etag.as_deref()).await?;
            out.answer(&deleted, draw_cluster)
        }
        ClusterCommand::Restore { cluster } => {
            let id = if is_id(&cluster) {
                cluster
            } else {
                let deleted = api.list(&["deleted-clusters"]).await?;
                let remedy = "List clusters that can be restored with `penstock cluster list --deleted`.";
                id_among(&deleted, &cluster, "deleted cluster", remedy)?
            };
            out.answer(
                &api.post(&["clusters", &id, "restore"], &json!({})).await?,
                draw_cluster,
            )
        }
        ClusterCommand::Health { cluster } => {
            let id = cluster_id(api, &cluster).await?;
            out.answer(&api.get(&["clusters", &id, "health"]).await?, draw_health)
        }
        ClusterCommand::Modes { cluster } => {
            let id = cluster_id(api, &cluster).await?;
            out.answer(&api.list(&["clusters", &id, "modes"]).await?, draw_modes)
        }
        ClusterCommand::Agents { cluster } => {
            let id = cluster_id(api, &cluster).await?;
            out.answer(&api.list(&["clusters", &id, "agents"]).await?, draw_agents)
        }
        ClusterCommand::Events { cluster, limit } => {
            let id = cluster_id(api, &cluster).await?;
            let path = ["clusters", id.as_str(), "events"];
            let events = api.get_with(&path, &[("limit", &limit.to_string())]).await?;
            out.answer(&events, draw_events)
        }
        ClusterCommand::Metrics { cluster } => {
            let id = cluster_id(api, &cluster).await?;
            out.text(&api.get(&["clusters", &id, "metrics"]).await?.body)
        }
    }
}

/// Sends the ETag of what was read, so that the command does not overwrite a change made meanwhile.
async fn update(Session { api, out }: &Session, id: &str, fields: Map<String, Value>) -> Result<(), CliError> {
    let path = ["clusters", id];
    let before = api.get(&path).await?;
    let updated = api.patch(&path, &fields.into(), before.etag.as_deref()).await?;
    if let Some(warning) = updated.read::<Updated>()?.warning {
        out.say(&format!("Warning: {warning}"));
    }
    out.answer(&updated, draw_cluster)
}
