//! A member of the new protocol (KIP-848): heartbeats by which the coordinator assigns partitions one by one.

use std::collections::BTreeMap;
use std::time::Duration;

use penstock_wire::messages::ConsumerGroupHeartbeatRequest;
use penstock_wire::messages::consumer_group_heartbeat::TopicPartitions;
use penstock_wire::{ErrorCode, Uuid};
use tokio::time::sleep;

use crate::client::Client;
use crate::clock::Clock;
use crate::groups::{ClaimId, Group};
use crate::history::TOPIC;

/// The group's config `consumer.session.timeout.ms`.
pub(crate) const SESSION_TIMEOUT_MS: i64 = 9_000;
/// Longer than the session and the owner's wrong clock, so that a member is never fenced for a revocation that it did not
/// hear of.
const REBALANCE_TIMEOUT_MS: i32 = 60_000;
const LEAVES: i32 = -1;
const PAUSE: Duration = Duration::from_millis(200);

/// The membership of one client.
#[derive(Debug)]
pub(crate) struct Modern {
    pub(crate) member_id: String,
    pub(crate) epoch: i32,
    topic_id: Uuid,
    claims: BTreeMap<i32, ClaimId>,
    /// An answer is missing, so the next request says everything.
    is_unsure: bool,
    clock: Clock,
}

impl Modern {
    pub(crate) fn new(member_id: String, clock: Clock) -> Self {
        Self {
            member_id,
            epoch: 0,
            topic_id: Uuid::ZERO,
            claims: BTreeMap::new(),
            is_unsure: true,
            clock,
        }
    }

    /// The partitions that it holds, as far as it knows.
    pub(crate) fn claims(&self) -> BTreeMap<i32, ClaimId> {
        self.claims.clone()
    }

    /// Sends heartbeats until the coordinator has nothing new to say.
    pub(crate) async fn keep(&mut self, client: &mut Client, group: &Group) {
        while self.beat(client, group).await {}
    }

    /// Has to join again, under its id.
    pub(crate) fn is_fenced(&mut self, group: &Group) {
        group.releases(&self.member_id, std::mem::take(&mut self.claims).into_keys());
        self.epoch = 0;
        self.is_unsure = true;
    }

    fn owned(&self) -> Vec<TopicPartitions> {
        if self.claims.is_empty() {
            return Vec::new();
        }
        vec![TopicPartitions {
            topic_id: self.topic_id,
            partitions: self.claims.keys().copied().collect(),
        }]
    }

    /// Returns true if the assignment changed, which the coordinator wants to hear at once.
    async fn beat(&mut self, client: &mut Client, group: &Group) -> bool {
        let sent_ms = self.clock.elapsed_ms();
        let request = ConsumerGroupHeartbeatRequest {
            group_id: group.name.clone(),
            member_id: self.member_id.clone(),
            member_epoch: self.epoch,
            rebalance_timeout_ms: if self.is_unsure { REBALANCE_TIMEOUT_MS } else { -1 },
            subscribed_topic_names: self.is_unsure.then(|| vec![TOPIC.to_owned()]),
            topic_partitions: Some(self.owned()),
            ..Default::default()
        };
        let Ok(response) = client.call(&request, 1).await else {
            self.is_unsure = true;
            return false;
        };
        match response.error_code {
            ErrorCode::NONE => {}
            ErrorCode::UNKNOWN_MEMBER_ID | ErrorCode::FENCED_MEMBER_EPOCH | ErrorCode::GROUP_ID_NOT_FOUND => {
                self.is_fenced(group);
                sleep(PAUSE).await;
                return false;
            }
            code => {
                if code.is_retriable() {
                    client.reconnect();
                } else {
                    group.fault(format!("a heartbeat was refused with {}", code.name()));
                }
                self.is_unsure = true;
                sleep(PAUSE).await;
                return false;
            }
        }
        self.is_unsure = false;
        self.epoch = response.member_epoch;
        let until_ms = sent_ms + SESSION_TIMEOUT_MS;
        group.renews(&self.member_id, until_ms);
        match response.assignment.0 {
            None => false,
            Some(assignment) => self.reconcile(group, &assignment.topic_partitions, until_ms),
        }
    }

    fn reconcile(&mut self, group: &Group, topics: &[TopicPartitions], until_ms: i64) -> bool {
        if let Some(topic) = topics.first() {
            self.topic_id = topic.topic_id;
        }
        let target: Vec<i32> = topics.iter().flat_map(|topic| topic.partitions.clone()).collect();
        let revoked: Vec<i32> = self
            .claims
            .keys()
            .copied()
            .filter(|held| !target.contains(held))
            .collect();
        self.claims.retain(|held, _| target.contains(held));
        group.releases(&self.member_id, revoked.iter().copied());
        let mut is_changed = !revoked.is_empty();
        for partition in target {
            if !self.claims.contains_key(&partition) {
                let claim = group.takes(&self.member_id, partition, self.clock.elapsed_ms(), until_ms);
                self.claims.insert(partition, claim);
                is_changed = true;
            }
        }
        is_changed
    }

    pub(crate) async fn leave(&mut self, client: &mut Client, group: &Group) {
        group.releases(&self.member_id, std::mem::take(&mut self.claims).into_keys());
        let request = ConsumerGroupHeartbeatRequest {
            group_id: group.name.clone(),
            member_id: self.member_id.clone(),
            member_epoch: LEAVES,
            ..Default::default()
        };
        // Its session ends without the answer, too.
        let _ = client.call(&request, 1).await;
    }
}
