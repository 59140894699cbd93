//! `penstock tco`: the monthly cost of a workload with Penstock and its alternatives. Needs no key.

use std::cmp::Ordering;

use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    address::parse_origin,
    client::Api,
    commands::topic::parse_setting,
    config::ConfigFile,
    credentials::{Environment, resolve_origin},
    error::CliError,
    options::ApiOptions,
    output::Output,
    table::{Column, Table},
    units::{dollars, micro_dollars},
};

const HELP: &str = "\
You don't need to sign in. Omitted options use the calculator's defaults. All inputs, prices and their sources are at \
GET /api/v1/tco/catalogue and on the pricing page.

Examples:
  penstock tco --url https://app.example.com
  penstock tco --throughput 250 --throughput-unit MiB/s --compression-ratio 4 \\
    --fan-out 3 --retention-days 7
  penstock tco --cloud gcp --express true --system penstock-express
  penstock tco --assume zones=2 --assume commitment=reserved --json";

/// Options of `penstock tco`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct TcoArgs {
    /// Average write throughput of all producers
    #[arg(long, value_name = "NUMBER", help_heading = "Workload")]
    throughput: Option<String>,

    /// Throughput unit; MB is 10^6 bytes, MiB is 2^20
    #[arg(long, value_parser = ["KiB/s", "MB/s", "MiB/s", "GB/s", "GiB/s"], help_heading = "Workload")]
    throughput_unit: Option<String>,

    /// Whether the throughput is before or after compression
    #[arg(long, value_parser = ["uncompressed", "compressed"], help_heading = "Workload")]
    throughput_basis: Option<String>,

    /// Uncompressed size divided by compressed size
    #[arg(long, value_name = "NUMBER", help_heading = "Workload")]
    compression_ratio: Option<String>,

    /// Number of consumer groups that read all data
    #[arg(long, value_name = "NUMBER", help_heading = "Workload")]
    fan_out: Option<String>,

    /// How long to keep records, in days
    #[arg(long, value_name = "DAYS", help_heading = "Workload")]
    retention_days: Option<String>,

    /// Number of partitions
    #[arg(long, value_name = "COUNT", help_heading = "Workload")]
    partitions: Option<String>,

    /// Peak throughput divided by average throughput
    #[arg(long, value_name = "NUMBER", help_heading = "Workload")]
    peak_to_average: Option<String>,

    /// Cloud provider
    #[arg(long, value_parser = ["aws", "gcp", "azure"], help_heading = "Deployment")]
    cloud: Option<String>,

    /// Use S3 Express One Zone for lower latency at a higher price
    #[arg(long, value_name = "true|false", help_heading = "Deployment")]
    express: Option<bool>,

    /// Set another calculator input; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting, help_heading = "Calculator")]
    assume: Vec<(String, String)>,

    /// Override a computed value; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting, help_heading = "Calculator")]
    pin: Vec<(String, String)>,

    /// Override a price; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_setting, help_heading = "Calculator")]
    price: Vec<(String, String)>,

    /// Use the prices of this day
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = "Calculator")]
    as_of: Option<String>,

    /// Show the bill of one system line by line
    #[arg(long, value_name = "ID")]
    system: Option<String>,

    /// Address of the dashboard [default: the profile's]
    #[arg(long, env = "PENSTOCK_URL", value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Estimate {
    per: String,
    prices_as_of: String,
    systems: Vec<System>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct System {
    id: String,
    name: String,
    total_usd: Option<String>,
    reason: Option<String>,
    #[serde(default)]
    lines: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    component: String,
    label: String,
    quantity: String,
    unit: String,
    amount_usd: String,
}

impl System {
    fn total_micro_usd(&self) -> Option<i128> {
        self.total_usd.as_deref().and_then(micro_dollars)
    }
}

pub(crate) async fn run(args: TcoArgs) -> Result<(), CliError> {
    let origin = match &args.url {
        Some(url) => parse_origin(url)?,
        None => {
            let config = ConfigFile::of_user()?.load()?;
            resolve_origin(&Environment::default(), &config, &args.options.profile.profile)?
        }
    };
    let answer = Api::new(origin, None)?
        .post(&["tco", "estimates"], &body(&args))
        .await?;
    let out = Output::new(args.options.json);
    let ours = if args.express == Some(true) {
        "penstock-express"
    } else {
        "penstock"
    };
    if let Some(id) = args.system.as_deref().filter(|_| !out.is_json) {
        let estimate: Estimate = answer.read()?;
        return out.text(&draw_lines(out, &estimate, id)?);
    }
    out.answer(&answer, |out, estimate| draw(out, estimate, ours))
}

fn body(args: &TcoArgs) -> Value {
    let configured = |fields: &[(&str, &Option<String>)]| -> Map<String, Value> {
        fields
            .iter()
            .filter_map(|(key, value)| Some(((*key).to_owned(), value.as_ref()?.as_str().into())))
            .collect()
    };
    let settings = |settings: &[(String, String)]| -> Map<String, Value> {
        settings
            .iter()
            .map(|(key, value)| (key.clone(), value.as_str().into()))
            .collect()
    };
    let mut assumptions = configured(&[("cloud", &args.cloud)]);
    if let Some(express) = args.express {
        let mode = if express { "express" } else { "standard" };
        assumptions.insert("latencyMode".to_owned(), mode.into());
    }
    assumptions.extend(settings(&args.assume));
    let mut body = Map::new();
    let sections = [
        (
            "workload",
            configured(&[
                ("throughput", &args.throughput),
                ("throughputUnit", &args.throughput_unit),
                ("throughputBasis", &args.throughput_basis),
                ("compressionRatio", &args.compression_ratio),
                ("fanout", &args.fan_out),
                ("retentionDays", &args.retention_days),
                ("partitions", &args.partitions),
                ("peakToAverage", &args.peak_to_average),
            ]),
        ),
        ("assumptions", assumptions),
        ("pins", settings(&args.pin)),
        ("prices", settings(&args.price)),
    ];
    for (name, section) in sections.into_iter().filter(|(_, section)| !section.is_empty()) {
        body.insert(name.to_owned(), section.into());
    }
    body.extend(args.as_of.as_ref().map(|day| ("asOf".to_owned(), day.as_str().into())));
    body.into()
}

/// Lists the cheapest system first, and unavailable ones last with the reason.
fn draw(out: Output, mut estimate: Estimate, ours: &str) -> String {
    let own_total = estimate
        .systems
        .iter()
        .find(|system| system.id == ours)
        .and_then(System::total_micro_usd);
    estimate
        .systems
        .sort_by(|one, other| match (one.total_micro_usd(), other.total_micro_usd()) {
            (Some(one), Some(other)) => one.cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        });
    let columns = [
        Column::Left("SYSTEM"),
        Column::Right("USD PER MONTH"),
        Column::Right("RELATIVE"),
        Column::Left("ID"),
    ];
    let unavailable: String = estimate
        .systems
        .iter()
        .filter_map(|system| Some(format!("{}: {}\n", system.name, system.reason.as_ref()?)))
        .collect();
    let rows = estimate.systems.into_iter().filter_map(|system| {
        let total = system.total_micro_usd()?;
        let share = own_total.map_or_else(String::new, |own| percent(total, own));
        Some([system.name, dollars(total), share, system.id])
    });
    let table = out.table(&Table::new(columns, rows), "No system is available in this setting.");
    let footer = format!("\nPer {}, at the prices of {}.\n", estimate.per, estimate.prices_as_of);
    format!("{table}{footer}{}", crate::error::visible_lines(&unavailable))
}

/// The percentage of `part` in `whole`, rounded down to a whole number.
fn percent(part: i128, whole: i128) -> String {
    if whole <= 0 {
        return String::new();
    }
    format!("{} %", part * 100 / whole)
}

fn draw_lines(out: Output, estimate: &Estimate, id: &str) -> Result<String, CliError> {
    let Some(system) = estimate.systems.iter().find(|system| system.id == id) else {
        let ids: Vec<&str> = estimate.systems.iter().map(|system| system.id.as_str()).collect();
        return Err(CliError::usage(
            format!("There is no system {id:?}."),
            format!("Name one of these: {}.", ids.join(", ")),
        ));
    };
    if let Some(reason) = &system.reason {
        return Err(CliError::refused(
            format!("{} is not available: {reason}", system.name),
            "Choose another cloud or system.",
        ));
    }
    let columns = [
        Column::Left("COMPONENT"),
        Column::Left("LINE"),
        Column::Right("QUANTITY"),
        Column::Left("UNIT"),
        Column::Right("USD PER MONTH"),
    ];
    let shown = |text: &str| micro_dollars(text).map_or_else(|| text.to_owned(), dollars);
    let total = [
        "TOTAL".to_owned(),
        system.name.clone(),
        String::new(),
        String::new(),
        shown(system.total_usd.as_deref().unwrap_or_default()),
    ];
    let rows = system.lines.iter().map(|line| {
        [
            line.component.clone(),
            line.label.clone(),
            line.quantity.clone(),
            line.unit.clone(),
            shown(&line.amount_usd),
        ]
    });
    Ok(out.table(&Table::new(columns, rows.chain([total])), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_whole_percentage_and_empty_for_a_zero_total() {
        assert_eq!(percent(1_500_000, 1_000_000), "150 %");
        assert_eq!(percent(1, 0), "");
    }

    #[test]
    fn lists_the_cheapest_first_and_unavailable_systems_below() {
        let estimate: Estimate = serde_json::from_str(
            r#"{"per":"month of 730 h","pricesAsOf":"2026-11-01","systems":[
                {"id":"msk","name":"MSK","totalUsd":"30.000000","lines":[]},
                {"id":"x","name":"X","available":false,"reason":"Not on this cloud."},
                {"id":"penstock","name":"Penstock","totalUsd":"10.000000","lines":[]}]}"#,
        )
        .unwrap();
        assert_eq!(
            draw(Output::plain(), estimate, "penstock"),
            "SYSTEM    USD PER MONTH  RELATIVE  ID\nPenstock         $10.00     100 %  penstock\n\
             MSK              $30.00     300 %  msk\n\nPer month of 730 h, at the prices of 2026-11-01.\n\
             X: Not on this cloud.\n"
        );
    }
}
