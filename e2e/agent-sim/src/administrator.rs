//! Creates, changes and deletes topics during the storm, one at a time, and checks each change on the agent that made
//! it. The agent and the client repeat a change whose answer is lost, so an answer that it was made before means success.

use std::time::Duration;

use penstock_wire::messages::create_partitions::CreatePartitionsTopic;
use penstock_wire::messages::create_topics::{CreatableTopic, CreatableTopicConfig};
use penstock_wire::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use penstock_wire::messages::delete_topics::DeleteTopicState;
use penstock_wire::messages::incremental_alter_configs::{AlterConfigsResource, AlterableConfig};
use penstock_wire::messages::{
    CreatePartitionsRequest, CreateTopicsRequest, DeleteRecordsRequest, DeleteTopicsRequest,
    IncrementalAlterConfigsRequest,
};
use penstock_wire::{ErrorCode, Request};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::history::History;
use crate::scratch_topics::{Asked, Picked, ScratchTopics};
use crate::visitor::{Visitor, inspect};
use crate::weather::Weather;

const MOST_TOPICS: usize = 3;
const MOST_PARTITIONS: i32 = 5;
const BATCH_LIMITS: [i32; 2] = [1_000, 1_000_000];
/// Clients that together send more than an agent with little memory holds.
const CROWD: usize = 4;
const PAUSE: Duration = Duration::from_millis(200);
/// Kafka's resource type of a topic.
const TOPIC_RESOURCE: i8 = 2;
/// Long enough that nothing expires.
const RETENTIONS_MS: [i64; 3] = [86_400_000, 604_800_000, -1];

/// How long its clients get to finish after the storm: longer than a request and its repetition.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(90);

/// The administrator and the clients of its topics.
pub(crate) struct Administration {
    pub(crate) topics: ScratchTopics,
    running: Vec<JoinHandle<()>>,
}

impl Administration {
    /// Starts them. A crowd of clients sends large batches, too.
    pub(crate) fn start(fleet: &Fleet, weather: &Weather, clock: Clock, is_crowded: bool) -> Self {
        let topics = ScratchTopics::default();
        let client = |name: &str| Client::new(name.to_owned(), fleet, weather);
        let administrator = Administrator::new(client("administrator"), &topics, clock);
        let mut running = vec![tokio::spawn(administrator.run())];
        for number in 0..if is_crowded { CROWD } else { 1 } {
            let visitor = Visitor::new(client(&format!("visitor-{number}")), &topics, clock, is_crowded);
            running.push(tokio::spawn(visitor.run()));
        }
        Self { topics, running }
    }

    /// Waits until the changes have ended, and reads all topics at all agents.
    pub(crate) async fn settle(&mut self, fleet: &Fleet, weather: &Weather, clock: Clock, history: &History) {
        for running in &mut self.running {
            match timeout(SETTLE_TIMEOUT, &mut *running).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => history.fault("the administrator or its visitor failed".to_owned()),
                Err(_) => {
                    running.abort();
                    history.fault("a change of topics does not end".to_owned());
                }
            }
        }
        inspect(fleet, weather, clock, &self.topics).await;
    }
}

struct Administrator {
    client: Client,
    topics: ScratchTopics,
    clock: Clock,
    created: usize,
}

impl Administrator {
    fn new(client: Client, topics: &ScratchTopics, clock: Clock) -> Self {
        Self {
            client,
            topics: topics.clone(),
            clock,
            created: 0,
        }
    }

    /// Changes topics until the storm is over.
    async fn run(mut self) {
        while self.client.weather.is_stormy() {
            let mut alive = self.topics.alive();
            if alive.is_empty() || (alive.len() < MOST_TOPICS && self.client.weather.below(3) == 0) {
                self.create().await;
            } else {
                let topic = alive.swap_remove(self.client.weather.below(alive.len()));
                match self.client.weather.below(7) {
                    0 => self.delete(&topic).await,
                    1 => self.widen(&topic).await,
                    2 | 3 => self.configure(&topic).await,
                    _ => self.shorten(&topic).await,
                }
            }
            sleep(self.client.weather.millis(300, 4_000)).await;
        }
    }

    /// Sends a request until an answer has no code that says to try again. Returns that answer and its code.
    async fn ask<R: Request>(
        &mut self,
        request: &R,
        version: i16,
        code: impl Fn(&R::Response) -> Option<ErrorCode>,
    ) -> (R::Response, ErrorCode) {
        loop {
            if let Ok(response) = self.client.call(request, version).await {
                match code(&response) {
                    Some(code) if !code.is_retriable() || code == ErrorCode::UNKNOWN_TOPIC_OR_PARTITION => {
                        return (response, code);
                    }
                    Some(_) => self.client.reconnect(),
                    None => self.topics.fault("an answer names no topic".to_owned()),
                }
            }
            sleep(PAUSE).await;
        }
    }

    fn unexpected(&self, what: &str, topic: &str, code: ErrorCode) {
        self.topics
            .fault(format!("{topic}: {what} failed with {}", code.name()));
    }

    async fn create(&mut self) {
        self.created += 1;
        let name = format!("scratch-{}", self.created);
        let partitions = 1 + self.client.weather.below(3) as i32;
        let limit = BATCH_LIMITS[self.client.weather.below(BATCH_LIMITS.len())];
        let request = CreateTopicsRequest {
            topics: vec![CreatableTopic {
                name: name.clone(),
                num_partitions: partitions,
                replication_factor: -1,
                configs: vec![CreatableTopicConfig {
                    name: "max.message.bytes".to_owned(),
                    value: Some(limit.to_string()),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let asked = self.ask(&request, 5, |response| {
            response.topics.first().map(|topic| topic.error_code)
        });
        match asked.await {
            (_, ErrorCode::NONE | ErrorCode::TOPIC_ALREADY_EXISTS) => {
                self.topics.created(name, partitions, limit, self.clock.elapsed_ms());
                let number = self.created - 1;
                self.check(number, 0).await;
            }
            (_, code) => {
                self.unexpected("its creation", &name, code);
                self.created -= 1;
            }
        }
    }

    async fn delete(&mut self, topic: &Picked) {
        self.topics.deletes(topic.number);
        let request = DeleteTopicsRequest {
            topics: vec![DeleteTopicState {
                name: Some(topic.name.clone()),
                ..Default::default()
            }],
            timeout_ms: 20_000,
            ..Default::default()
        };
        let asked = self.ask(&request, 6, |response| {
            response.responses.first().map(|topic| topic.error_code)
        });
        match asked.await {
            (_, ErrorCode::NONE | ErrorCode::UNKNOWN_TOPIC_OR_PARTITION) => {
                self.topics.deleted(topic.number, self.clock.elapsed_ms());
                self.check(topic.number, 0).await;
            }
            (_, code) => self.unexpected("its deletion", &topic.name, code),
        }
    }

    async fn widen(&mut self, topic: &Picked) {
        let count = topic.partitions + 1;
        if count > MOST_PARTITIONS {
            return;
        }
        self.topics.widens(topic.number);
        let request = CreatePartitionsRequest {
            topics: vec![CreatePartitionsTopic {
                name: topic.name.clone(),
                count,
                assignments: None,
            }],
            timeout_ms: 20_000,
            ..Default::default()
        };
        let asked = self.ask(&request, 3, |response| {
            response.results.first().map(|topic| topic.error_code)
        });
        match asked.await {
            (_, ErrorCode::NONE | ErrorCode::INVALID_PARTITIONS) => {
                self.topics.widened(topic.number, count, self.clock.elapsed_ms());
                self.check(topic.number, count - 1).await;
            }
            (_, code) => self.unexpected("adding a partition", &topic.name, code),
        }
    }

    async fn configure(&mut self, topic: &Picked) {
        let limit = BATCH_LIMITS[self.client.weather.below(BATCH_LIMITS.len())];
        let retention_ms = RETENTIONS_MS[self.client.weather.below(RETENTIONS_MS.len())];
        self.topics.configures(topic.number);
        let config = |name: &str, value: String| AlterableConfig {
            name: name.to_owned(),
            config_operation: 0,
            value: Some(value),
        };
        let request = IncrementalAlterConfigsRequest {
            resources: vec![AlterConfigsResource {
                resource_type: TOPIC_RESOURCE,
                resource_name: topic.name.clone(),
                configs: vec![
                    config("max.message.bytes", limit.to_string()),
                    config("retention.ms", retention_ms.to_string()),
                ],
            }],
            ..Default::default()
        };
        let asked = self.ask(&request, 1, |response| {
            response.responses.first().map(|resource| resource.error_code)
        });
        match asked.await {
            (_, ErrorCode::NONE) => self.topics.configured(topic.number, limit, self.clock.elapsed_ms()),
            (_, code) => self.unexpected("a change of its configs", &topic.name, code),
        }
    }

    async fn shorten(&mut self, topic: &Picked) {
        let partition = self
            .client
            .weather
            .below(usize::try_from(topic.partitions).unwrap_or(1)) as i32;
        let end = self.topics.end(topic.number, partition);
        if end == 0 {
            return;
        }
        let offset = 1 + self.client.weather.below(usize::try_from(end).unwrap_or(1)) as i64;
        let request = DeleteRecordsRequest {
            topics: vec![DeleteRecordsTopic {
                name: topic.name.clone(),
                partitions: vec![DeleteRecordsPartition {
                    partition_index: partition,
                    offset,
                }],
            }],
            timeout_ms: 20_000,
        };
        let asked = self.ask(&request, 2, |response| {
            let partition = response.topics.first()?.partitions.first()?;
            Some(partition.error_code)
        });
        let (response, code) = asked.await;
        if !code.is_none() {
            self.unexpected("DeleteRecords", &topic.name, code);
            return;
        }
        let low = response
            .topics
            .first()
            .and_then(|topic| topic.partitions.first())
            .map_or(-1, |partition| partition.low_watermark);
        if low < offset {
            let fault = format!("{}: DeleteRecords up to {offset} left {low}", topic.name);
            self.topics.fault(fault);
        }
        self.topics
            .shortened(topic.number, partition, low, self.clock.elapsed_ms());
        self.check(topic.number, partition).await;
    }

    /// Reads a partition over the connection on which the change was acknowledged.
    async fn check(&mut self, topic: usize, partition: i32) {
        if !self.client.is_connected() {
            return;
        }
        let asked = Asked {
            topic,
            partition,
            sent_ms: self.clock.elapsed_ms(),
            knows_all: true,
        };
        Visitor::fetch(&mut self.client, &self.topics, asked, 0).await;
    }
}
