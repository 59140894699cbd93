//! A member of the classic protocol: JoinGroup, SyncGroup with the range assignor, Heartbeat, LeaveGroup.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use penstock_wire::ErrorCode;
use penstock_wire::messages::join_group::{JoinGroupRequestProtocol, JoinGroupResponseMember};
use penstock_wire::messages::leave_group::MemberIdentity;
use penstock_wire::messages::sync_group::SyncGroupRequestAssignment;
use penstock_wire::messages::{HeartbeatRequest, JoinGroupRequest, LeaveGroupRequest, SyncGroupRequest};
use tokio::time::sleep;

use crate::client::Client;
use crate::groups::{ClaimId, Group};
use crate::history::{PARTITIONS, TOPIC};

const SESSION_TIMEOUT_MS: i32 = 8_000;
const REBALANCE_TIMEOUT_MS: i32 = 12_000;
const PROTOCOL_TYPE: &str = "consumer";
const ASSIGNOR: &str = "range";
const PAUSE: Duration = Duration::from_millis(200);

/// The membership of one client.
#[derive(Debug, Default)]
pub(crate) struct Classic {
    pub(crate) member_id: String,
    pub(crate) generation: i32,
    /// None: it has to join.
    claims: Option<BTreeMap<i32, ClaimId>>,
}

impl Classic {
    /// The partitions that it holds, as far as it knows.
    pub(crate) fn claims(&self) -> BTreeMap<i32, ClaimId> {
        self.claims.clone().unwrap_or_default()
    }

    /// Sends a heartbeat, or makes one attempt to join.
    pub(crate) async fn keep(&mut self, client: &mut Client, group: &Group) {
        if self.claims.is_some() {
            self.beat(client, group).await;
        }
        if self.claims.is_none() {
            self.claims = self.join(client, group).await;
        }
    }

    /// Has to join again, as a new member if it was removed.
    pub(crate) fn is_fenced(&mut self, code: ErrorCode) {
        if code == ErrorCode::UNKNOWN_MEMBER_ID {
            self.member_id.clear();
        }
        self.claims = None;
    }

    async fn beat(&mut self, client: &mut Client, group: &Group) {
        let request = HeartbeatRequest {
            group_id: group.name.clone(),
            generation_id: self.generation,
            member_id: self.member_id.clone(),
            ..Default::default()
        };
        let Ok(response) = client.call(&request, 4).await else {
            return;
        };
        match response.error_code {
            ErrorCode::NONE => {}
            ErrorCode::REBALANCE_IN_PROGRESS | ErrorCode::ILLEGAL_GENERATION | ErrorCode::UNKNOWN_MEMBER_ID => {
                self.is_fenced(response.error_code);
            }
            code if code.is_retriable() => {
                client.reconnect();
                sleep(PAUSE).await;
            }
            code => group.fault(format!("a heartbeat was refused with {}", code.name())),
        }
    }

    async fn join(&mut self, client: &mut Client, group: &Group) -> Option<BTreeMap<i32, ClaimId>> {
        let request = JoinGroupRequest {
            group_id: group.name.clone(),
            session_timeout_ms: SESSION_TIMEOUT_MS,
            rebalance_timeout_ms: REBALANCE_TIMEOUT_MS,
            member_id: self.member_id.clone(),
            protocol_type: PROTOCOL_TYPE.to_owned(),
            protocols: vec![JoinGroupRequestProtocol {
                name: ASSIGNOR.to_owned(),
                metadata: subscription(),
            }],
            ..Default::default()
        };
        let response = client.call(&request, 7).await.ok()?;
        match response.error_code {
            ErrorCode::NONE => {}
            ErrorCode::MEMBER_ID_REQUIRED => {
                self.member_id = response.member_id;
                return None;
            }
            code => {
                self.cannot_join(client, group, code).await;
                return None;
            }
        }
        self.member_id = response.member_id;
        self.generation = response.generation_id;
        group.sees_generation(self.generation);
        let is_leader = response.leader == self.member_id;
        let assignments = if is_leader {
            range(&response.members)
        } else {
            Vec::new()
        };
        self.sync(client, group, assignments).await
    }

    async fn sync(
        &mut self,
        client: &mut Client,
        group: &Group,
        assignments: Vec<SyncGroupRequestAssignment>,
    ) -> Option<BTreeMap<i32, ClaimId>> {
        let request = SyncGroupRequest {
            group_id: group.name.clone(),
            generation_id: self.generation,
            member_id: self.member_id.clone(),
            protocol_type: Some(PROTOCOL_TYPE.to_owned()),
            protocol_name: Some(ASSIGNOR.to_owned()),
            assignments,
            ..Default::default()
        };
        let response = client.call(&request, 5).await.ok()?;
        if !response.error_code.is_none() {
            self.cannot_join(client, group, response.error_code).await;
            return None;
        }
        let partitions = assigned(response.assignment);
        Some(group.assigned(&self.member_id, self.generation, &partitions))
    }

    async fn cannot_join(&mut self, client: &mut Client, group: &Group, code: ErrorCode) {
        match code {
            ErrorCode::UNKNOWN_MEMBER_ID => self.member_id.clear(),
            ErrorCode::ILLEGAL_GENERATION | ErrorCode::REBALANCE_IN_PROGRESS => {}
            code if code.is_retriable() => client.reconnect(),
            code => group.fault(format!("a member cannot join: {}", code.name())),
        }
        sleep(PAUSE).await;
    }

    pub(crate) async fn leave(&mut self, client: &mut Client, group: &Group) {
        let request = LeaveGroupRequest {
            group_id: group.name.clone(),
            members: vec![MemberIdentity {
                member_id: self.member_id.clone(),
                ..Default::default()
            }],
            ..Default::default()
        };
        // Its session ends without the answer, too.
        let _ = client.call(&request, 5).await;
    }
}

/// The subscription to the topic, as consumers write it.
fn subscription() -> Bytes {
    let mut out = BytesMut::new();
    out.put_i16(0);
    out.put_i32(1);
    put_text(&mut out, TOPIC);
    out.put_i32(-1);
    out.freeze()
}

fn put_text(out: &mut BytesMut, text: &str) {
    out.put_i16(i16::try_from(text.len()).unwrap_or(i16::MAX));
    out.extend_from_slice(text.as_bytes());
}

/// Gives each member a run of partitions, in the order of the members' ids.
fn range(members: &[JoinGroupResponseMember]) -> Vec<SyncGroupRequestAssignment> {
    let mut ids: Vec<&String> = members.iter().map(|member| &member.member_id).collect();
    ids.sort();
    let count = PARTITIONS as usize;
    let bound = |number: usize| number * count / ids.len().max(1);
    let partitions: Vec<i32> = (0..PARTITIONS).collect();
    ids.iter()
        .enumerate()
        .map(|(number, id)| SyncGroupRequestAssignment {
            member_id: (*id).clone(),
            assignment: assignment(&partitions[bound(number)..bound(number + 1)]),
        })
        .collect()
}

fn assignment(partitions: &[i32]) -> Bytes {
    let mut out = BytesMut::new();
    out.put_i16(0);
    out.put_i32(i32::from(!partitions.is_empty()));
    if !partitions.is_empty() {
        put_text(&mut out, TOPIC);
        out.put_i32(i32::try_from(partitions.len()).unwrap_or(i32::MAX));
        for partition in partitions {
            out.put_i32(*partition);
        }
    }
    out.put_i32(-1);
    out.freeze()
}

/// The partitions of an assignment; none if it is empty, as for a member that the leader did not know.
fn assigned(mut bytes: Bytes) -> Vec<i32> {
    let skipped = 2 + 4 + 2 + TOPIC.len();
    if bytes.len() < skipped + 4 {
        return Vec::new();
    }
    bytes.advance(skipped);
    let count = usize::try_from(bytes.get_i32()).unwrap_or(0);
    (0..count).filter_map(|_| bytes.try_get_i32().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_assignor_covers_all_partitions_once() {
        for count in 1..6 {
            let members: Vec<JoinGroupResponseMember> = (0..count)
                .map(|number| JoinGroupResponseMember {
                    member_id: format!("member-{number}"),
                    ..Default::default()
                })
                .collect();
            let all: Vec<i32> = range(&members)
                .into_iter()
                .flat_map(|member| assigned(member.assignment))
                .collect();
            assert_eq!(all, (0..PARTITIONS).collect::<Vec<_>>());
        }
    }
}
