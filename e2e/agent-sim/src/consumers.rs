//! The consumer groups of a seed: which there are, and how they end.

use std::time::Duration;

use penstock_wire::messages::IncrementalAlterConfigsRequest;
use penstock_wire::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::client::Client;
use crate::clock::Clock;
use crate::copier::{COPIES, Copier, judge_copies};
use crate::exchange;
use crate::fleet::Fleet;
use crate::group_member::{Member, Protocol};
use crate::group_modern::SESSION_TIMEOUT_MS;
use crate::groups::Group;
use crate::history::History;
use crate::readers::{Isolation, Log, Reader};
use crate::trace::Trace;
use crate::weather::Weather;

/// Name, protocol and members of each group.
const GROUPS: [(&str, Protocol, usize); 2] = [("classic", Protocol::Classic, 3), ("modern", Protocol::Modern, 3)];
const COPIERS: usize = 2;
/// Kafka's resource type of a group.
const GROUP_RESOURCE: i8 = 32;
/// How long the groups get to finish after everything is written: longer than a rebalance, a session and a
/// transaction's time-out together.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(120);

/// The groups and their running members.
pub(crate) struct Consumers {
    groups: Vec<Group>,
    members: Vec<JoinHandle<()>>,
}

impl Consumers {
    /// Starts all groups and their members.
    pub(crate) async fn start(fleet: &Fleet, weather: &Weather, clock: Clock, trace: &Trace) -> Self {
        let copiers = if weather.below(2) == 0 {
            Protocol::Classic
        } else {
            Protocol::Modern
        };
        let mut consumers = Self {
            groups: Vec::new(),
            members: Vec::new(),
        };
        for (name, protocol, count) in GROUPS.into_iter().chain([("copiers", copiers, COPIERS)]) {
            if protocol == Protocol::Modern {
                shorten_sessions(fleet, weather, name).await;
            }
            let group = Group::new(name, trace);
            for number in 0..count {
                let client = Client::new(format!("{name}-{number}"), fleet, weather);
                let copier = (name == "copiers").then(|| Copier::new(format!("copier-{number}"), clock));
                let member = Member::new(client, &group, protocol, copier, clock);
                consumers.members.push(tokio::spawn(member.run()));
            }
            consumers.groups.push(group);
        }
        consumers
    }

    /// Waits until each group has consumed and committed the whole source. Returns what is broken.
    pub(crate) async fn settle(&mut self, source: &[Log], fleet: &Fleet, weather: &Weather, history: &History) {
        for group in &self.groups {
            group.set_ends(source.iter().map(|log| log.high_watermark).collect());
        }
        let settled = timeout(SETTLE_TIMEOUT, async {
            for member in &mut self.members {
                if member.await.is_err() {
                    history.fault("a member of a group failed".to_owned());
                }
            }
        });
        if settled.await.is_err() {
            for group in self.groups.iter().filter(|group| !group.is_finished()) {
                history.fault(format!("the group {} does not settle", group.name));
            }
            for member in &self.members {
                member.abort();
            }
            return;
        }
        let client = Client::new("reader-of-copies".to_owned(), fleet, weather);
        let reader = Reader::new(client, history, Isolation::Committed).of_topic(COPIES);
        let copies = reader.read_all().await;
        for fault in judge_copies(source, &copies) {
            history.fault(fault);
        }
    }

    /// Returns what is broken in the groups.
    pub(crate) fn judge(&self, source: &[Log], facts: &Value) -> Vec<String> {
        let expected: Vec<Vec<i64>> = source
            .iter()
            .map(|log| log.committed.iter().map(|record| record.offset).collect())
            .collect();
        self.groups
            .iter()
            .flat_map(|group| group.judge(&expected, facts))
            .collect()
    }

    /// Counts for the outcome of the seed.
    pub(crate) fn counts(&self) -> Value {
        let counts = self.groups.iter().map(|group| {
            let counts = group.counts();
            let value = json!({
                "claims": counts.claims,
                "commits": counts.commits,
                "refusedCommits": counts.refused_commits,
                "unknownCommits": counts.unknown_commits,
            });
            (group.name.clone(), value)
        });
        Value::Object(counts.collect())
    }
}

/// Lets the coordinator fence silent members of a group within seconds.
async fn shorten_sessions(fleet: &Fleet, weather: &Weather, group: &str) {
    let mut client = Client::new("operator".to_owned(), fleet, weather);
    let config = |name: &str, value: i64| AlterableConfig {
        name: name.to_owned(),
        config_operation: 0,
        value: Some(value.to_string()),
    };
    let request = IncrementalAlterConfigsRequest {
        resources: vec![AlterConfigsResource {
            resource_type: GROUP_RESOURCE,
            resource_name: group.to_owned(),
            configs: vec![
                config("consumer.session.timeout.ms", SESSION_TIMEOUT_MS),
                config("consumer.heartbeat.interval.ms", 2_000),
            ],
        }],
        ..Default::default()
    };
    loop {
        if let Ok(response) = client.call(&request, 1).await
            && response.responses.iter().all(|one| one.error_code.is_none())
        {
            return;
        }
        sleep(exchange::RETRY).await;
    }
}
