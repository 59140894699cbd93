//! Formats clusters and their health for people.

use serde::Deserialize;

use crate::{
    client::Items,
    output::Output,
    table::{Column, Table},
    units::{instant, instant_or, yes_no},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cluster {
    id: String,
    pub(super) name: String,
    cloud: String,
    region: String,
    mode: String,
    auto_create_topics: bool,
    default_partitions: u32,
    offsets_retention_minutes: u32,
    max_uncompressed_batch_bytes: u32,
    deletion_protection: bool,
    created_at: String,
    deleted_at: Option<String>,
    purge_at: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Mode {
    mode: String,
    usd_per_minute: String,
    usd_per_month: String,
    max_written_mib_per_second: Option<f64>,
    max_partitions: Option<f64>,
    is_current: bool,
    refusal: Option<String>,
    warning: Option<String>,
}

/// The fields that the response to a configuration change has in addition to the cluster.
#[derive(Deserialize)]
pub(super) struct Updated {
    /// The effect of the new mode on clients.
    pub(super) warning: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Health {
    level: String,
    since: Option<String>,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    title: String,
    severity: String,
    cause: String,
    remedy: String,
    since: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Agent {
    agent_id: String,
    node_id: i32,
    zone: String,
    version: String,
    advertised_host: String,
    advertised_port: u16,
    alive: bool,
    bucket: String,
}

#[derive(Deserialize)]
pub(super) struct Event {
    time: String,
    #[serde(rename = "type")]
    kind: String,
    subject: Option<String>,
}

pub(super) fn draw_clusters(out: Output, Items { items }: Items<Cluster>) -> String {
    let columns = [
        Column::Left("NAME"),
        Column::Left("CLOUD"),
        Column::Left("REGION"),
        Column::Left("CREATED"),
        Column::Left("ID"),
    ];
    let rows = items.into_iter().map(|cluster| {
        [
            cluster.name,
            cluster.cloud,
            cluster.region,
            instant(&cluster.created_at),
            cluster.id,
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "There are no clusters yet. Create one with `penstock cluster create`.",
    )
}

pub(super) fn draw_deleted_clusters(out: Output, Items { items }: Items<Cluster>) -> String {
    let columns = [
        Column::Left("NAME"),
        Column::Left("DELETED"),
        Column::Left("PERMANENTLY DELETED"),
        Column::Left("ID"),
    ];
    let rows = items.into_iter().map(|cluster| {
        [
            cluster.name,
            instant_or(cluster.deleted_at.as_ref(), ""),
            instant_or(cluster.purge_at.as_ref(), ""),
            cluster.id,
        ]
    });
    out.table(&Table::new(columns, rows), "There are no deleted clusters to restore.")
}

pub(super) fn draw_cluster(out: Output, cluster: Cluster) -> String {
    let mut facts = vec![
        ("Name", cluster.name),
        ("Id", cluster.id),
        ("Cloud", cluster.cloud),
        ("Region", cluster.region),
        ("Mode", cluster.mode),
        ("Default partitions", cluster.default_partitions.to_string()),
        (
            "Offset retention",
            format!("{} minutes", cluster.offsets_retention_minutes),
        ),
        (
            "Largest batch, uncompressed",
            format!("{} bytes", cluster.max_uncompressed_batch_bytes),
        ),
        ("Auto-create topics", yes_no(cluster.auto_create_topics)),
        ("Deletion protection", yes_no(cluster.deletion_protection)),
        ("Created", instant(&cluster.created_at)),
    ];
    if let Some(deleted_at) = &cluster.deleted_at {
        facts.push(("Deleted", instant(deleted_at)));
        facts.push(("Can be restored until", instant_or(cluster.purge_at.as_ref(), "")));
    }
    out.facts(&facts)
}

pub(super) fn draw_modes(out: Output, Items { items }: Items<Mode>) -> String {
    let columns = [
        Column::Left("MODE"),
        Column::Right("USD PER MINUTE"),
        Column::Right("PER MONTH"),
        Column::Right("MIB/S"),
        Column::Right("PARTITIONS"),
        Column::Left("NOTE"),
    ];
    let limit = |limit: Option<f64>| limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string());
    let rows = items.into_iter().map(|mode| {
        let current = mode.is_current.then(|| "current".to_owned());
        [
            mode.mode,
            mode.usd_per_minute,
            mode.usd_per_month,
            limit(mode.max_written_mib_per_second),
            limit(mode.max_partitions),
            current.or(mode.refusal).or(mode.warning).unwrap_or_default(),
        ]
    });
    out.table(&Table::new(columns, rows), "There are no modes.")
}

pub(super) fn draw_health(out: Output, health: Health) -> String {
    let mut text = out.facts(&[
        ("Health", health.level),
        ("Since", instant_or(health.since.as_ref(), "not known")),
    ]);
    for finding in health.findings {
        text.push('\n');
        text.push_str(&out.facts(&[
            ("Finding", format!("{} ({})", finding.title, finding.severity)),
            ("Since", instant(&finding.since)),
            ("Cause", finding.cause),
            ("What to do", finding.remedy),
        ]));
    }
    text
}

pub(super) fn draw_agents(out: Output, Items { items }: Items<Agent>) -> String {
    let columns = [
        Column::Left("AGENT"),
        Column::Right("NODE"),
        Column::Left("ZONE"),
        Column::Left("ADDRESS"),
        Column::Left("ALIVE"),
        Column::Left("VERSION"),
        Column::Left("BUCKET"),
    ];
    let rows = items.into_iter().map(|agent| {
        [
            agent.agent_id,
            agent.node_id.to_string(),
            agent.zone,
            format!("{}:{}", agent.advertised_host, agent.advertised_port),
            yes_no(agent.alive),
            agent.version,
            agent.bucket,
        ]
    });
    out.table(
        &Table::new(columns, rows),
        "This cluster has no agents. To start one, see `penstock agent --help`.",
    )
}

pub(super) fn draw_events(out: Output, Items { items }: Items<Event>) -> String {
    let columns = [Column::Left("TIME"), Column::Left("EVENT"), Column::Left("SUBJECT")];
    let rows = items
        .into_iter()
        .map(|event| [instant(&event.time), event.kind, event.subject.unwrap_or_default()]);
    out.table(&Table::new(columns, rows), "This cluster has no events yet.")
}
