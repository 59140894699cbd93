//! `penstock metrics`: one metric of a cluster over time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use serde::Deserialize;

use crate::{
    error::CliError,
    options::{ApiOptions, ClusterOption, cluster_id},
    output::Output,
    table::{Column, Table},
    units::{instant_of_ms, reading},
};

const HELP: &str = "\
Metric names are those of the API. latency.* in milliseconds: produce, produce_buffer, produce_put, produce_commit, fetch, \
fetch_metadata, fetch_cache, fetch_get, end_to_end. rate.* per second, such as rate.produced_bytes, rate.fetched_bytes, \
rate.produced_records. gauge.*, such as gauge.open_connections, gauge.resident_kib. Also requests, errors, \
cache_hit_ratio, cpu_cores and throttled_share. An unknown name prints the list of all metrics.

Times are the start of each step (UTC). A dash means no data.

Examples:
  penstock metrics latency.produce --cluster orders
  penstock metrics rate.produced_bytes --cluster orders --last 7d --points 28
  penstock metrics cpu_cores --cluster orders --by agent --last 10m --json";

const DEFAULT_POINTS: &str = "20";

/// Options of `penstock metrics`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct MetricsArgs {
    /// Metric name
    #[arg(value_name = "METRIC")]
    metric: String,

    #[command(flatten)]
    of: ClusterOption,

    /// Time range up to now, such as 10m, 6h or 30d
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = parse_duration)]
    last: Duration,

    /// Group by zone or agent, or show all agents together
    #[arg(long, value_parser = ["none", "zone", "agent"], default_value = "none")]
    by: String,

    /// Maximum number of steps
    #[arg(long, value_name = "COUNT", default_value = DEFAULT_POINTS, value_parser = clap::value_parser!(u16).range(1..=1000))]
    points: u16,

    #[command(flatten)]
    options: ApiOptions,
}

/// Parses `90s`, `10m`, `6h` or `30d`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a whole number with s, m, h or d, e.g. 10m".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let seconds_each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(expected()),
    };
    let count: u32 = text[..text.len() - 1].parse().map_err(|_| expected())?;
    if count == 0 {
        return Err(expected());
    }
    Ok(Duration::from_secs(u64::from(count) * seconds_each))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Series {
    unit: String,
    by: String,
    start_ms: u64,
    step_ms: u64,
    steps: usize,
    omitted_agents: u64,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    /// Empty, a zone, or an agent's id.
    group: String,
    /// One of `p50`, `p95`, `p99`, `api:<key>` and `value`.
    name: String,
    values: Vec<Option<f64>>,
}

pub(crate) async fn run(args: MetricsArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let id = cluster_id(&session.api, &args.of.cluster).await?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let from_ms = now.saturating_sub(args.last).as_millis().to_string();
    let to_ms = now.as_millis().to_string();
    let points = args.points.to_string();
    let query = [
        ("metric", args.metric.as_str()),
        ("fromMs", &from_ms),
        ("toMs", &to_ms),
        ("by", &args.by),
        ("maxPoints", &points),
    ];
    let answer = session.api.get_with(&["clusters", &id, "series"], &query).await?;
    session.out.answer(&answer, draw)
}

fn draw(out: Output, series: Series) -> String {
    if series.omitted_agents > 0 {
        out.say(&format!("{} agents are left out.", series.omitted_agents));
    }
    let nothing = "Nothing was measured in this time.";
    let is_latency = series.lines.iter().any(|line| line.name == "p50");
    let of = match series.by.as_str() {
        "zone" => "ZONE",
        "agent" => "AGENT",
        _ => "OF",
    };
    if is_latency {
        let columns = [
            Column::Left("TIME"),
            Column::Left(of),
            Column::Right("P50"),
            Column::Right("P95"),
            Column::Right("P99"),
        ];
        return out.table(&Table::new(columns, latency_rows(&series)), nothing);
    }
    let columns = [
        Column::Left("TIME"),
        Column::Left(of),
        Column::Left("LINE"),
        Column::Right("VALUE"),
    ];
    out.table(&Table::new(columns, value_rows(&series)), nothing)
}

/// One row per step and group, with the percentiles in columns.
fn latency_rows(series: &Series) -> Vec<[String; 5]> {
    let mut groups: Vec<&str> = Vec::new();
    for line in &series.lines {
        if !groups.contains(&line.group.as_str()) {
            groups.push(&line.group);
        }
    }
    let shown = |group: &str, name: &str, step: usize| {
        let line = series
            .lines
            .iter()
            .find(|line| line.group == group && line.name == name);
        reading(line.and_then(|line| value_at(line, step)), &series.unit)
    };
    let mut rows = Vec::new();
    for step in 0..series.steps {
        for group in &groups {
            let [p50, p95, p99] = ["p50", "p95", "p99"].map(|name| shown(group, name, step));
            rows.push([time_of(series, step), group_name(group), p50, p95, p99]);
        }
    }
    rows
}

/// One row per step and line.
fn value_rows(series: &Series) -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    for step in 0..series.steps {
        for line in &series.lines {
            rows.push([
                time_of(series, step),
                group_name(&line.group),
                line.name.clone(),
                reading(value_at(line, step), &series.unit),
            ]);
        }
    }
    rows
}

fn value_at(line: &Line, step: usize) -> Option<f64> {
    line.values.get(step).copied().flatten()
}

fn group_name(group: &str) -> String {
    if group.is_empty() { "all" } else { group }.to_owned()
}

fn time_of(series: &Series, step: usize) -> String {
    let passed_ms = u64::try_from(step).unwrap_or(0).saturating_mul(series.step_ms);
    instant_of_ms(series.start_ms.saturating_add(passed_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(lines: &str, unit: &str) -> Series {
        let text = format!(
            r#"{{"metric":"m","unit":"{unit}","by":"none","level":"10s","startMs":1795000000000,"stepMs":10000,"steps":2,
                "omittedAgents":0,"relativeError":null,"lines":{lines}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn shows_percentiles_of_a_step_in_columns_and_keeps_gaps() {
        let shown = series(
            r#"[{"group":"","name":"p50","values":[4.06,null]},{"group":"","name":"p95","values":[9.5,null]},
                {"group":"","name":"p99","values":[14.25,null]}]"#,
            "ms",
        );
        assert_eq!(
            draw(Output::plain(), shown),
            "TIME                     OF      P50     P95      P99\n\
             2026-11-18 11:06:40 UTC  all  4.1 ms  9.5 ms  14.2 ms\n\
             2026-11-18 11:06:50 UTC  all       -       -        -\n"
        );
    }

    #[test]
    fn other_metrics_have_a_row_per_line() {
        let shown = series(
            r#"[{"group":"a","name":"value","values":[1048576,0]},{"group":"b","name":"value","values":[null,512]}]"#,
            "B/s",
        );
        assert_eq!(
            draw(Output::plain(), shown),
            "TIME                     OF  LINE       VALUE\n\
             2026-11-18 11:06:40 UTC  a   value  1.0 MiB/s\n\
             2026-11-18 11:06:40 UTC  b   value          -\n\
             2026-11-18 11:06:50 UTC  a   value      0 B/s\n\
             2026-11-18 11:06:50 UTC  b   value    512 B/s\n"
        );
    }

    #[test]
    fn a_cluster_without_data_has_no_rows() {
        assert_eq!(draw(Output::plain(), series("[]", "ms")), "");
    }

    #[test]
    fn a_duration_is_a_whole_number_with_a_unit() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("30d"), Ok(Duration::from_secs(2_592_000)));
        for wrong in ["", "m", "10", "1.5h", "-1h", "0s", "10µ", "99999999999d"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
