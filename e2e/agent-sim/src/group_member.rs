//! A client in a consumer group, of either protocol: it joins, consumes, commits, pauses, leaves and crashes.

use std::collections::BTreeMap;
use std::time::Duration;

use penstock_wire::ErrorCode;
use penstock_wire::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};
use penstock_wire::messages::offset_fetch::OffsetFetchRequestTopic;
use penstock_wire::messages::{OffsetCommitRequest, OffsetFetchRequest};
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::clock::Clock;
use crate::copier::Copier;
use crate::group_classic::Classic;
use crate::group_modern::Modern;
use crate::groups::{ClaimId, CommitOutcome, Group, Position};
use crate::history::TOPIC;
use crate::readers::fetch_committed;

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(200);

/// The protocol of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Classic,
    Modern,
}

pub(crate) enum Membership {
    Classic(Classic),
    Modern(Modern),
}

impl Membership {
    pub(crate) fn member_id(&self) -> &str {
        match self {
            Self::Classic(member) => &member.member_id,
            Self::Modern(member) => &member.member_id,
        }
    }

    /// Its generation, or its epoch.
    pub(crate) fn epoch(&self) -> i32 {
        match self {
            Self::Classic(member) => member.generation,
            Self::Modern(member) => member.epoch,
        }
    }

    /// The generation that fences it. Epochs are a member's own and fence nobody else.
    pub(crate) fn generation(&self) -> Option<i32> {
        match self {
            Self::Classic(member) => Some(member.generation),
            Self::Modern(_) => None,
        }
    }

    fn claims(&self) -> BTreeMap<i32, ClaimId> {
        match self {
            Self::Classic(member) => member.claims(),
            Self::Modern(member) => member.claims(),
        }
    }

    async fn keep(&mut self, client: &mut Client, group: &Group) {
        match self {
            Self::Classic(member) => member.keep(client, group).await,
            Self::Modern(member) => member.keep(client, group).await,
        }
    }

    async fn leave(&mut self, client: &mut Client, group: &Group) {
        match self {
            Self::Classic(member) => member.leave(client, group).await,
            Self::Modern(member) => member.leave(client, group).await,
        }
    }

    /// The coordinator refused a commit with this code.
    pub(crate) fn is_refused(&mut self, group: &Group, code: ErrorCode) {
        match (self, code) {
            (Self::Classic(member), _) => member.is_fenced(code),
            // The next heartbeat brings the epoch.
            (Self::Modern(_), ErrorCode::STALE_MEMBER_EPOCH | ErrorCode::ILLEGAL_GENERATION) => {}
            (Self::Modern(member), _) => member.is_fenced(group),
        }
    }
}

/// A client that consumes in a group.
pub(crate) struct Member {
    pub(crate) client: Client,
    pub(crate) group: Group,
    pub(crate) membership: Membership,
    protocol: Protocol,
    clock: Clock,
    /// Where it goes on, by partition, under which claim.
    pub(crate) positions: BTreeMap<i32, (ClaimId, i64)>,
    /// Copies what it consumes in transactions, which commit its offsets, too.
    copier: Option<Copier>,
    incarnation: usize,
    beat_at: Instant,
}

impl Member {
    pub(crate) fn new(client: Client, group: &Group, protocol: Protocol, copier: Option<Copier>, clock: Clock) -> Self {
        Self {
            client,
            group: group.clone(),
            membership: Membership::Classic(Classic::default()),
            protocol,
            clock,
            positions: BTreeMap::new(),
            copier,
            incarnation: 0,
            beat_at: Instant::now(),
        }
    }

    /// Consumes until the group has committed everything.
    pub(crate) async fn run(mut self) {
        while !self.group.is_finished() {
            self.begin();
            self.live().await;
        }
    }

    /// Starts as a new process.
    fn begin(&mut self) {
        self.incarnation += 1;
        self.positions.clear();
        self.beat_at = Instant::now();
        self.client.reconnect();
        self.membership = match self.protocol {
            Protocol::Classic => Membership::Classic(Classic::default()),
            Protocol::Modern => {
                let member_id = format!("{}.{}", self.client.name, self.incarnation);
                Membership::Modern(Modern::new(member_id, self.clock))
            }
        };
        if let Some(copier) = &mut self.copier {
            copier.restart();
        }
    }

    /// Consumes until this process ends.
    async fn live(&mut self) {
        while !self.group.is_finished() {
            self.keep().await;
            self.consume().await;
            if self.client.weather.strikes(60) {
                self.membership.leave(&mut self.client, &self.group).await;
                sleep(self.client.weather.millis(100, 6_000)).await;
                return;
            }
            if self.client.weather.strikes(60) {
                // A crash. Its partitions are free when its session ends.
                if let Membership::Modern(member) = &mut self.membership {
                    member.is_fenced(&self.group);
                }
                sleep(self.client.weather.millis(100, 6_000)).await;
                return;
            }
            let longest_ms = if self.client.weather.is_stormy() { 1_500 } else { 4_000 };
            sleep(self.client.weather.millis(200, longest_ms)).await;
        }
        self.membership.leave(&mut self.client, &self.group).await;
    }

    /// Sends the heartbeat if it is due, and takes up the partitions that are new.
    async fn keep(&mut self) {
        let claims = self.membership.claims();
        if claims.is_empty() || Instant::now() >= self.beat_at {
            self.membership.keep(&mut self.client, &self.group).await;
            self.beat_at = Instant::now() + HEARTBEAT_INTERVAL;
        }
        let claims = self.membership.claims();
        self.positions
            .retain(|partition, (claim, _)| claims.get(partition) == Some(claim));
        let new: Vec<(i32, ClaimId)> = claims
            .into_iter()
            .filter(|(partition, _)| !self.positions.contains_key(partition))
            .collect();
        if !new.is_empty() {
            self.find_positions(&new).await;
        }
    }

    /// Asks for the committed offsets of new partitions. Makes one attempt.
    async fn find_positions(&mut self, new: &[(i32, ClaimId)]) {
        let request = OffsetFetchRequest {
            group_id: self.group.name.clone(),
            topics: Some(vec![OffsetFetchRequestTopic {
                name: TOPIC.to_owned(),
                partition_indexes: new.iter().map(|(partition, _)| *partition).collect(),
            }]),
            require_stable: true,
            ..Default::default()
        };
        let Ok(response) = self.client.call(&request, 7).await else {
            return;
        };
        if !response.error_code.is_none() {
            self.cannot_find(response.error_code).await;
            return;
        }
        for found in response.topics.iter().flat_map(|topic| &topic.partitions) {
            if !found.error_code.is_none() {
                self.cannot_find(found.error_code).await;
                return;
            }
            let Some((partition, claim)) = new.iter().find(|(partition, _)| *partition == found.partition_index) else {
                self.group.fault("an offset that nobody asked for".to_owned());
                continue;
            };
            let offset = Some(found.committed_offset).filter(|offset| *offset >= 0);
            self.group.finds(*partition, offset);
            self.positions.insert(*partition, (*claim, offset.unwrap_or(0)));
        }
    }

    async fn cannot_find(&mut self, code: ErrorCode) {
        if !code.is_retriable() {
            self.group.fault(format!("offsets cannot be read: {}", code.name()));
        }
        if code != ErrorCode::UNSTABLE_OFFSET_COMMIT {
            self.client.reconnect();
        }
        sleep(PAUSE).await;
    }

    async fn consume(&mut self) {
        if self.positions.is_empty() {
            sleep(PAUSE).await;
            return;
        }
        let from: Vec<(i32, i64)> = self
            .positions
            .iter()
            .map(|(partition, (_, offset))| (*partition, *offset))
            .collect();
        let fetched = match fetch_committed(&mut self.client, TOPIC, &from).await {
            Ok(fetched) => fetched,
            Err(fault) => {
                self.group.fault(fault);
                return;
            }
        };
        if self.client.weather.strikes(40) {
            // The process stops with records in hand, and may be fenced when it continues.
            sleep(self.client.weather.millis(2_000, 25_000)).await;
        }
        let progress: Vec<Position> = fetched
            .iter()
            .filter_map(|part| {
                let (claim, offset) = self.positions.get(&part.partition)?;
                (part.next > *offset).then_some(Position {
                    partition: part.partition,
                    claim: *claim,
                    offset: part.next,
                })
            })
            .collect();
        if let Some(copier) = &mut self.copier {
            if progress.is_empty() {
                return;
            }
            let is_committed = copier
                .copy(&mut self.client, &self.group, &mut self.membership, &fetched, &progress)
                .await;
            if !is_committed {
                // It goes on from what is committed.
                self.positions.clear();
                return;
            }
        }
        for part in &fetched {
            for record in &part.records {
                self.group.consumes(part.partition, record.offset);
            }
        }
        for position in &progress {
            self.positions
                .insert(position.partition, (position.claim, position.offset));
        }
        let is_due = !progress.is_empty() || self.client.weather.below(4) == 0;
        if self.copier.is_none() && is_due && !self.client.weather.strikes(5) {
            self.commit().await;
        }
    }

    /// Commits all positions. Makes one attempt.
    async fn commit(&mut self) {
        let positions: Vec<Position> = self
            .positions
            .iter()
            .filter(|(_, (_, offset))| *offset > 0)
            .map(|(partition, (claim, offset))| Position {
                partition: *partition,
                claim: *claim,
                offset: *offset,
            })
            .collect();
        if positions.is_empty() {
            return;
        }
        let partitions = positions.iter().map(|position| OffsetCommitRequestPartition {
            partition_index: position.partition,
            committed_offset: position.offset,
            ..Default::default()
        });
        let request = OffsetCommitRequest {
            group_id: self.group.name.clone(),
            generation_id_or_member_epoch: self.membership.epoch(),
            member_id: self.membership.member_id().to_owned(),
            topics: vec![OffsetCommitRequestTopic {
                name: TOPIC.to_owned(),
                partitions: partitions.collect(),
                ..Default::default()
            }],
            ..Default::default()
        };
        let numbers = self.group.commits(self.membership.generation(), &positions);
        let Ok(response) = self.client.call(&request, 9).await else {
            // It stays unknown.
            return;
        };
        let mut codes = response
            .topics
            .iter()
            .flat_map(|topic| &topic.partitions)
            .map(|partition| partition.error_code);
        match codes.find(|code| !code.is_none()) {
            None => self.group.committed(&numbers, CommitOutcome::Acknowledged),
            // The agent may have lost the answer of the service.
            Some(code) if code.is_retriable() => {
                self.client.reconnect();
                sleep(PAUSE).await;
            }
            Some(
                code @ (ErrorCode::ILLEGAL_GENERATION
                | ErrorCode::UNKNOWN_MEMBER_ID
                | ErrorCode::REBALANCE_IN_PROGRESS
                | ErrorCode::FENCED_MEMBER_EPOCH
                | ErrorCode::STALE_MEMBER_EPOCH),
            ) => {
                self.group.committed(&numbers, CommitOutcome::Refused);
                self.membership.is_refused(&self.group, code);
                self.beat_at = Instant::now();
            }
            Some(code) => self.group.fault(format!("a commit was refused with {}", code.name())),
        }
    }
}
