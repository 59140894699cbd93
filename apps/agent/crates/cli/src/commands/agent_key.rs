//! `penstock agent-key`: the keys with which agents access a cluster.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, Session, cluster_id, id_among, is_id},
    output::Output,
    prompt::confirm,
    table::{Column, Table},
    units::{instant, instant_or},
};

/// Options of `penstock agent-key`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct AgentKeyArgs {
    #[command(subcommand)]
    command: AgentKeyCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum AgentKeyCommand {
    /// List the agent keys of a cluster, newest first, including revoked keys
    #[command(
        after_help = "Examples:\n  penstock agent-key list --cluster orders\n  penstock agent-key list --cluster orders --json"
    )]
    List {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Create an agent key; its secret is shown once
    #[command(after_help = "\
Only the secret is written to standard output. Everything else goes to standard error.

Examples:
  penstock agent-key create production --cluster orders
  penstock agent-key create production --cluster orders --lifetime-days 365 --network 203.0.113.0/24
  penstock agent-key create compaction --cluster orders --scope jobs
  PENSTOCK_AGENT_KEY=$(penstock agent-key create production --cluster orders)")]
    Create {
        /// Name of the key, such as the place where it is used
        #[arg(value_name = "NAME")]
        name: String,
        /// Days until the key expires [default: it doesn't expire]
        #[arg(long, value_name = "DAYS")]
        lifetime_days: Option<u32>,
        /// IP address or CIDR range that the key may be used from; can be repeated [default: any]
        #[arg(long, value_name = "NETWORK")]
        network: Vec<String>,
        /// Host that agents with this key may advertise: a name, a suffix such as *.agents.internal, an IP address or a CIDR range; can be
        /// repeated [default: the cluster's configuration decides]
        #[arg(long, value_name = "HOST")]
        address: Vec<String>,
        /// What the key may do
        #[arg(long, value_enum, default_value_t = Scope::Agent)]
        scope: Scope,
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Change the name, expiry, networks, addresses or scope of an agent key
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true)
            .args(["rename", "lifetime_days", "no_expiry", "network", "any_network", "address", "any_address", "scope"]),
        after_help = "\
What you omit doesn't change. The metadata service applies changes within seconds. A scope can only be narrowed: to \
widen it, create another key.

Examples:
  penstock agent-key update production --cluster orders --lifetime-days 90
  penstock agent-key update prod --cluster orders --network 203.0.113.0/24 --network 2001:db8::/48
  penstock agent-key update production --cluster orders --no-expiry --any-network
  penstock agent-key update compaction --cluster orders --scope jobs"
    )]
    Update(UpdateArgs),
    /// Revoke an agent key; agents that use it lose access
    #[command(after_help = "\
In a terminal, you confirm by typing the key's name or ID. Elsewhere, use --yes.

Examples:
  penstock agent-key revoke production --cluster orders
  penstock agent-key revoke 0199e0f3-1b2c-7d3e-8f40-516273849506 --yes")]
    Revoke {
        /// Key name or ID
        #[arg(value_name = "KEY")]
        key: String,
        /// Cluster name or ID; required if you use the key's name
        #[arg(long, short = 'c', env = "PENSTOCK_CLUSTER", value_name = "NAME|ID")]
        cluster: Option<String>,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

#[derive(Debug, Args)]
struct UpdateArgs {
    /// Key name or ID
    #[arg(value_name = "KEY")]
    key: String,
    /// Cluster name or ID; required if you use the key's name
    #[arg(long, short = 'c', env = "PENSTOCK_CLUSTER", value_name = "NAME|ID")]
    cluster: Option<String>,
    /// New name of the key
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    /// Days from now until the key expires
    #[arg(long, value_name = "DAYS", conflicts_with = "no_expiry")]
    lifetime_days: Option<u32>,
    /// Let the key be valid until it is revoked
    #[arg(long)]
    no_expiry: bool,
    /// IP address or CIDR range that the key may be used from; can be repeated, and replaces the list
    #[arg(long, value_name = "NETWORK", conflicts_with = "any_network")]
    network: Vec<String>,
    /// Let the key be used from any address
    #[arg(long)]
    any_network: bool,
    /// Host that agents with this key may advertise; can be repeated, and replaces the list
    #[arg(long, value_name = "HOST", conflicts_with = "any_address")]
    address: Vec<String>,
    /// Let the cluster's configuration decide which hosts agents with this key may advertise
    #[arg(long)]
    any_address: bool,
    /// Narrow what the key may do
    #[arg(long, value_enum)]
    scope: Option<Scope>,
}

/// The permissions of an agent key.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scope {
    /// Everything that agents need
    Agent,
    /// Merging, compaction and deletions, for agents with --roles jobs
    Jobs,
    /// Serving consumers, with their groups and offsets, for agents with --roles consume
    ReadOnly,
}

impl Scope {
    /// The name in the API.
    fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Jobs => "jobs",
            Self::ReadOnly => "read_only",
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AgentKey {
    id: String,
    name: String,
    display_prefix: String,
    display_last4: String,
    created_at: String,
    expires_at: Option<String>,
    networks: Vec<String>,
    addresses: Vec<String>,
    scope: String,
    last_used_at: Option<String>,
    revoked_at: Option<String>,
}

impl AgentKey {
    fn displayed(&self) -> String {
        format!("{}…{}", self.display_prefix, self.display_last4)
    }

    fn state(&self) -> String {
        self.revoked_at
            .as_deref()
            .map_or_else(|| "active".to_owned(), |at| format!("revoked {}", instant(at)))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    agent_key: AgentKey,
    plaintext: String,
}

pub(crate) async fn run(args: AgentKeyArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        AgentKeyCommand::List { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "agent-keys"]).await?, draw_keys)
        }
        AgentKeyCommand::Create {
            name,
            lifetime_days,
            network,
            address,
            scope,
            of,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let limits = json!({
                "name": name,
                "lifetimeDays": lifetime_days,
                "networks": network,
                "addresses": address,
                "scope": scope.name(),
            });
            let created = api.post(&["clusters", &id, "agent-keys"], &limits).await?;
            out.answer(&created, |out, created: Created| {
                out.say(&format!(
                    "Created the key “{}” ({}) for the cluster “{}”. It won't be shown again:",
                    created.agent_key.name, created.agent_key.id, of.cluster
                ));
                format!("{}\n", created.plaintext)
            })
        }
        AgentKeyCommand::Update(args) => {
            let id = key_id(&session, &args.key, args.cluster.as_deref()).await?;
            let changed = api
                .patch(&["agent-keys", &id], &Value::Object(change_of(args)), None)
                .await?;
            out.answer(&changed, draw_key)
        }
        AgentKeyCommand::Revoke { key, cluster, consent } => {
            let id = key_id(&session, &key, cluster.as_deref()).await?;
            let consequence = format!("Agents that use the key “{key}” lose access. You can't undo this.");
            confirm(consent.yes, &consequence, &key)?;
            out.answer(&api.delete(&["agent-keys", &id], &[], None).await?, draw_key)
        }
    }
}

/// The request body of the API.
fn change_of(change: UpdateArgs) -> Map<String, Value> {
    let mut body = Map::new();
    if let Some(name) = change.rename {
        body.insert("name".to_owned(), name.into());
    }
    if change.no_expiry || change.lifetime_days.is_some() {
        body.insert("lifetimeDays".to_owned(), change.lifetime_days.into());
    }
    if change.any_network || !change.network.is_empty() {
        body.insert("networks".to_owned(), change.network.into());
    }
    if change.any_address || !change.address.is_empty() {
        body.insert("addresses".to_owned(), change.address.into());
    }
    if let Some(scope) = change.scope {
        body.insert("scope".to_owned(), scope.name().into());
    }
    body
}

/// Finds a key by name among the cluster's active keys, or by id.
async fn key_id(Session { api, .. }: &Session, given: &str, cluster: Option<&str>) -> Result<String, CliError> {
    if is_id(given) {
        return Ok(given.to_owned());
    }
    let Some(cluster) = cluster else {
        return Err(CliError::usage(
            format!("“{given}” is a key name, but no cluster is set."),
            "Use --cluster as well, or use the key's ID.",
        ));
    };
    let id = cluster_id(api, cluster).await?;
    let keys = api.list(&["clusters", &id, "agent-keys"]).await?;
    id_among(
        &keys,
        given,
        "active agent key",
        "List keys with `penstock agent-key list`.",
    )
}

fn draw_keys(out: Output, Items { items }: Items<AgentKey>) -> String {
    let columns = [
        Column::Left("NAME"),
        Column::Left("KEY"),
        Column::Left("STATE"),
        Column::Left("SCOPE"),
        Column::Left("CREATED"),
        Column::Left("EXPIRES"),
        Column::Left("LAST USED"),
        Column::Left("ID"),
    ];
    let rows = items.iter().map(|key| {
        [
            key.name.clone(),
            key.displayed(),
            key.state(),
            key.scope.clone(),
            instant(&key.created_at),
            instant_or(key.expires_at.as_ref(), "never"),
            instant_or(key.last_used_at.as_ref(), "never"),
            key.id.clone(),
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "There are no agent keys yet. Create one with `penstock agent-key create`.",
    )
}

fn draw_key(out: Output, key: AgentKey) -> String {
    out.facts(&[
        ("Key", key.displayed()),
        ("State", key.state()),
        ("Scope", key.scope.clone()),
        ("Created", instant(&key.created_at)),
        ("Expires", instant_or(key.expires_at.as_ref(), "never")),
        ("Networks", listed(&key.networks, "any")),
        (
            "Addresses",
            listed(&key.addresses, "as the cluster's configuration decides"),
        ),
        ("Last used", instant_or(key.last_used_at.as_ref(), "never")),
        ("Name", key.name),
        ("Id", key.id),
    ])
}

fn listed(patterns: &[String], none: &str) -> String {
    if patterns.is_empty() {
        none.to_owned()
    } else {
        patterns.join(", ")
    }
}
