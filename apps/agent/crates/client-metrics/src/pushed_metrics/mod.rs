//! Pushed client metrics by client id, until the next report. Everything is bounded, because clients choose their ids
//! and what they push.

mod names;
mod otlp;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use penstock_metadata_client::proto;
use penstock_wire::Uuid;
use penstock_wire::record_batch::{Compression, decompressed};
use tokio::time::Instant;

use crate::client_software::ClientSoftware;
use names::Combining;

/// Maximum number of client ids per agent within an hour.
const MAX_CLIENT_IDS: usize = 100;
/// Time without a push after which an id makes room for another.
const CLIENT_ID_EXPIRY: Duration = Duration::from_secs(3600);
/// Maximum number of instances named per client id and report.
const MAX_INSTANCES: usize = 50;
/// Maximum length of a client id. Longer ones are not kept.
const MAX_CLIENT_ID_CHARS: usize = 255;
const MAX_SOFTWARE_CHARS: usize = 64;

/// The payload is unreadable or too large.
#[derive(Debug, thiserror::Error)]
#[error("the pushed metrics cannot be read")]
pub struct Unreadable;

/// The client that pushes metrics.
pub struct Pusher<'a> {
    /// The client id under which its metrics are kept.
    pub client_id: &'a str,
    /// `None` if the client has not named its software.
    pub software: Option<&'a ClientSoftware>,
    /// One of the processes that share the client id.
    pub instance: Uuid,
}

/// The metrics pushed since the last report.
#[derive(Default)]
pub struct PushedMetrics {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    clients: BTreeMap<String, PushedByClient>,
    last_pushes: HashMap<String, Instant>,
    left_out_pushes: u64,
}

#[derive(Default)]
struct PushedByClient {
    software: (String, String),
    instances: BTreeSet<Uuid>,
    metrics: BTreeMap<i32, Readings>,
}

struct Readings {
    count: u32,
    sum: f64,
    max: f64,
}

impl PushedMetrics {
    /// Adds a client's push. Skips metrics that are not kept.
    ///
    /// # Errors
    /// Returns an error, and keeps nothing, if the payload cannot be decompressed to at most `max_bytes` or is not OTLP
    /// metrics data.
    pub fn add(
        &self,
        pusher: &Pusher<'_>,
        (compression, payload): (Compression, &[u8]),
        max_bytes: u64,
    ) -> Result<(), Unreadable> {
        let data = decompressed(compression, payload, max_bytes).map_err(|_| Unreadable)?;
        let pushed = readings(&data).map_err(|_| Unreadable)?;
        let client_id = printable(pusher.client_id);
        let mut state = self.state.lock();
        if !state.admit(&client_id, Instant::now()) {
            state.left_out_pushes += 1;
            return Ok(());
        }
        let client = state.clients.entry(client_id).or_default();
        client.describe(pusher.software);
        if client.instances.len() < MAX_INSTANCES {
            client.instances.insert(pusher.instance);
        }
        for (metric, value) in pushed {
            let readings = client.metrics.entry(metric).or_insert(Readings {
                count: 0,
                sum: 0.0,
                max: f64::NEG_INFINITY,
            });
            let sum = readings.sum + value;
            if sum.is_finite() {
                readings.count = readings.count.saturating_add(1);
                readings.sum = sum;
                readings.max = readings.max.max(value);
            }
        }
        Ok(())
    }

    /// Returns and removes the metrics pushed since the last call, by client id.
    #[must_use]
    pub fn drain(&self) -> Vec<proto::ClientTelemetry> {
        let mut state = self.state.lock();
        let clients = std::mem::take(&mut state.clients).into_iter();
        clients.map(|(client_id, pushed)| pushed.message(client_id)).collect()
    }

    /// Returns and resets the number of omitted pushes.
    #[must_use]
    pub fn take_left_out(&self) -> u64 {
        let mut state = self.state.lock();
        let left_out = std::mem::take(&mut state.left_out_pushes);
        if left_out > 0 {
            tracing::warn!(
                pushes = left_out,
                "metrics of clients were left out: an agent keeps those of {MAX_CLIENT_IDS} client ids"
            );
        }
        left_out
    }
}

impl State {
    /// Returns true if metrics of this client id are kept.
    fn admit(&mut self, client_id: &str, now: Instant) -> bool {
        if !is_short(client_id, MAX_CLIENT_ID_CHARS) {
            return false;
        }
        if let Some(last) = self.last_pushes.get_mut(client_id) {
            *last = now;
            return true;
        }
        if self.last_pushes.len() >= MAX_CLIENT_IDS {
            self.last_pushes
                .retain(|_, last| now.duration_since(*last) < CLIENT_ID_EXPIRY);
        }
        let has_room = self.last_pushes.len() < MAX_CLIENT_IDS;
        if has_room {
            self.last_pushes.insert(client_id.to_owned(), now);
        }
        has_room
    }
}

impl PushedByClient {
    fn describe(&mut self, software: Option<&ClientSoftware>) {
        let short = |text: &str| {
            let is_short = is_short(text, MAX_SOFTWARE_CHARS);
            if is_short { printable(text) } else { String::new() }
        };
        if let Some(software) = software {
            self.software = (short(&software.name), short(&software.version));
        }
    }

    fn message(self, client_id: String) -> proto::ClientTelemetry {
        let (software_name, software_version) = self.software;
        let metrics = self.metrics.into_iter().filter(|(_, readings)| readings.count > 0);
        proto::ClientTelemetry {
            client_id,
            software_name,
            software_version,
            instance_ids: self.instances.iter().map(|id| Bytes::copy_from_slice(&id.0)).collect(),
            metrics: metrics
                .map(|(metric, readings)| proto::ClientMetricReadings {
                    metric,
                    readings: readings.count,
                    sum: readings.sum,
                    max: readings.max,
                })
                .collect(),
        }
    }
}

fn is_short(text: &str, max_chars: usize) -> bool {
    text.chars().count() <= max_chars
}

/// Removes control characters. The service replaces a few more unprintable ones, such as direction marks.
fn printable(text: &str) -> String {
    let shown = |letter: char| {
        if letter.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            letter
        }
    };
    text.chars().map(shown).collect()
}

/// One reading of each kept metric.
fn readings(data: &[u8]) -> Result<BTreeMap<i32, f64>, otlp::Malformed> {
    let mut values: BTreeMap<i32, (Combining, Vec<f64>)> = BTreeMap::new();
    otlp::read(data, |name, points| {
        let Some(metric) = names::metric_of(name) else { return };
        let whole = points.into_iter().filter(|point| !point.is_of_topic);
        // Java's averages are NaN if there was nothing to measure.
        let measured = whole.map(|point| point.value).filter(|value| value.is_finite());
        let (_, kept) = values
            .entry(metric.into())
            .or_insert_with(|| (names::combining(name), Vec::new()));
        kept.extend(measured);
    })?;
    let combined =
        values
            .into_iter()
            .filter(|(_, (_, values))| !values.is_empty())
            .map(|(metric, (combining, values))| {
                let sum: f64 = values.iter().sum();
                let value = match combining {
                    Combining::Mean => sum / values.len() as f64,
                    Combining::Highest => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
                    Combining::Sum => sum,
                };
                (metric, value)
            });
    Ok(combined.filter(|(_, value)| value.is_finite()).collect())
}

#[cfg(test)]
mod tests;
