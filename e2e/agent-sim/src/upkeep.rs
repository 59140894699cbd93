//! The topics that agents and the service clean up: a compacted one and two with retention.

use std::time::Duration;

use penstock_wire::ErrorCode;
use penstock_wire::messages::CreateTopicsRequest;
use penstock_wire::messages::create_topics::{CreatableTopic, CreatableTopicConfig};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::client::Client;
use crate::clock::Clock;
use crate::exchange::RETRY;
use crate::fleet::Fleet;
use crate::history::History;
use crate::keyed::{self, KeyedTopic, Moment};
use crate::retained::{self, RetainedTopic};
use crate::weather::Weather;

/// For cleanings that became due in the days after the storm.
const CLEANING: Duration = Duration::from_secs(60);

/// The topics and their histories.
pub(crate) struct Upkeep {
    fleet: Fleet,
    weather: Weather,
    history: History,
    bridge: Bridge,
    keyed: KeyedTopic,
    retained: [RetainedTopic; 2],
}

impl Upkeep {
    /// Creates the topics, without clients.
    pub(crate) async fn create(
        fleet: &Fleet,
        weather: &Weather,
        history: &History,
        bridge: &Bridge,
        clock: Clock,
    ) -> Self {
        let mut client = Client::new("upkeep".to_owned(), fleet, weather);
        create(&mut client, keyed::TOPIC, keyed::PARTITIONS, &keyed::CONFIGS).await;
        for (name, configs) in retained::CONFIGS {
            create(&mut client, name, 1, configs).await;
        }
        Self {
            fleet: fleet.clone(),
            weather: weather.clone(),
            history: history.clone(),
            bridge: bridge.clone(),
            keyed: KeyedTopic::default(),
            retained: [retained::BY_TIME, retained::BY_BYTES].map(|name| RetainedTopic::new(name, bridge, clock)),
        }
    }

    fn client(&self, name: String) -> Client {
        Client::new(name, &self.fleet, &self.weather)
    }

    /// Starts the clients. They end after the storm.
    pub(crate) fn start(&self, clock: Clock) -> Vec<JoinHandle<()>> {
        let mut clients = Vec::new();
        for partition in 0..keyed::PARTITIONS {
            let client = self.client(format!("keyed-writer-{partition}"));
            let writing = self.keyed.clone().write(partition, client, self.history.clone(), clock);
            clients.push(tokio::spawn(writing));
        }
        let client = self.client("keyed-reader".to_owned());
        clients.push(tokio::spawn(self.keyed.clone().read(client, self.history.clone())));
        for topic in &self.retained {
            let client = self.client(format!("{}-writer", topic.name));
            clients.push(tokio::spawn(topic.clone().write(client, self.history.clone())));
            let client = self.client(format!("{}-reader", topic.name));
            clients.push(tokio::spawn(topic.clone().read(client)));
        }
        clients
    }

    /// Reads everything when nobody writes any more.
    pub(crate) async fn settle(&self) {
        let mut client = self.client("upkeep-reader".to_owned());
        self.keyed.read_all(&mut client, &self.history, Moment::Calm).await;
        for topic in &self.retained {
            topic.read_all(&mut client).await;
        }
    }

    /// Reads everything again after days. Returns what is broken.
    pub(crate) async fn judge(&self, before: &Value) -> Vec<String> {
        let mut client = self.client("upkeep-days-later".to_owned());
        sleep(CLEANING).await;
        self.keyed.read_all(&mut client, &self.history, Moment::DaysLater).await;
        let now = self.bridge.facts();
        let mut faults = self.keyed.judge();
        for topic in &self.retained {
            faults.extend(topic.judge(before));
            faults.extend(topic.judge_days(&now));
        }
        faults
    }

    /// Numbers for the outcome.
    pub(crate) fn counts(&self) -> Value {
        let (keyed, left) = self.keyed.counts();
        let [by_time, by_bytes] = self.retained.each_ref().map(RetainedTopic::counts);
        json!({
            "keyed": keyed,
            "keyedLeft": left,
            "removedByTime": by_time.1,
            "removedByBytes": by_bytes.1,
        })
    }
}

async fn create(client: &mut Client, name: &str, partitions: usize, configs: &[(&str, &str)]) {
    let configs = configs.iter().map(|(name, value)| CreatableTopicConfig {
        name: (*name).to_owned(),
        value: Some((*value).to_owned()),
    });
    let request = CreateTopicsRequest {
        topics: vec![CreatableTopic {
            name: name.to_owned(),
            num_partitions: partitions as i32,
            replication_factor: -1,
            configs: configs.collect(),
            ..Default::default()
        }],
        ..Default::default()
    };
    loop {
        if let Ok(response) = client.call(&request, 5).await {
            let code = response.topics.first().map(|topic| topic.error_code);
            if code.is_some_and(|code| code.is_none() || code == ErrorCode::TOPIC_ALREADY_EXISTS) {
                return;
            }
        }
        sleep(RETRY).await;
    }
}
