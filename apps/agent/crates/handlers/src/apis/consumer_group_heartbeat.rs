//! ConsumerGroupHeartbeat: a member of a group of the new protocol (KIP-848) joins, stays, acknowledges its assignment
//! or leaves. The metadata service makes all decisions.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_runtime::random_uuid;
use penstock_wire::messages::consumer_group_heartbeat::{Assignment, TopicPartitions};
use penstock_wire::messages::{ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse};
use penstock_wire::{ApiKey, ErrorCode, Nullable};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// First version in which members choose their ids.
const OWN_MEMBER_ID_FROM: i16 = 1;
/// The epoch of a member that joins.
const JOINING: i32 = 0;

/// In UTF-16 code units, like the metadata service: MAX_REGEX_CHARS in packages/metadata-core/src/model/limits.ts.
const MAX_REGEX_CHARS: usize = 4096;

type Refusal = (ErrorCode, Option<String>);

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ConsumerGroupHeartbeatRequest,
) -> ConsumerGroupHeartbeatResponse {
    if let Err(error_code) = check_access(&context.access(&caller), &request) {
        return refused((error_code, None));
    }
    match beat(&context, caller, request).await {
        Ok(response) => response,
        Err(refusal) => refused(refusal),
    }
}

/// A member must not learn of topics that it may not describe. The service filters the matches of regular expressions.
fn check_access(access: &Access, request: &ConsumerGroupHeartbeatRequest) -> Result<(), ErrorCode> {
    access.check(Operation::Read, Resource::group(&request.group_id))?;
    let mut topics = request.subscribed_topic_names.iter().flatten();
    topics.try_for_each(|name| access.check(Operation::Describe, Resource::topic(name)))
}

async fn beat(
    context: &Context,
    caller: Caller,
    request: ConsumerGroupHeartbeatRequest,
) -> Result<ConsumerGroupHeartbeatResponse, Refusal> {
    check_regex(request.subscribed_topic_regex.as_deref().unwrap_or_default())?;
    let api_version = u32::try_from(caller.version).unwrap_or_default();
    let rpc = proto::ConsumerGroupHeartbeatRequest {
        member_id: member_id(&request, caller.version),
        group_id: request.group_id,
        member_epoch: request.member_epoch,
        instance_id: request.instance_id,
        rack_id: request.rack_id,
        rebalance_timeout_ms: request.rebalance_timeout_ms,
        subscribed_topic_names: request.subscribed_topic_names.map(|names| proto::TopicNames { names }),
        subscribed_topic_regex: request.subscribed_topic_regex,
        server_assignor: request.server_assignor,
        topic_partitions: request.topic_partitions.map(owned),
        api_version,
        client_id: caller.client_id,
        client_host: format!("/{}", caller.client.host),
        principal: caller.client.principal.to_string(),
    };
    let answer = match context.metadata.consumer_group_heartbeat(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer,
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::ConsumerGroupHeartbeat, &error);
            return Err((error_code, Some(error.to_string())));
        }
    };
    let error_code = failure::code(answer.error_code);
    if !error_code.is_none() {
        return Err((error_code, failure::message(answer.error_message)));
    }
    Ok(ConsumerGroupHeartbeatResponse {
        member_id: Some(answer.member_id),
        member_epoch: answer.member_epoch,
        heartbeat_interval_ms: i32::try_from(answer.heartbeat_interval_ms).unwrap_or(i32::MAX),
        assignment: Nullable(answer.assignment.map(assigned)),
        ..Default::default()
    })
}

/// Refuses an expression that the service would refuse, rather than sending it with every heartbeat.
fn check_regex(regex: &str) -> Result<(), Refusal> {
    let chars = regex.encode_utf16().count();
    if chars <= MAX_REGEX_CHARS {
        return Ok(());
    }
    Err((
        ErrorCode::INVALID_REGULAR_EXPRESSION,
        Some(format!(
            "the regular expression of topics has {chars} characters, and at most {MAX_REGEX_CHARS} are accepted"
        )),
    ))
}

/// Assigns an id to a version 0 member without one here rather than in the service, so that a retried call adds only
/// one member.
fn member_id(request: &ConsumerGroupHeartbeatRequest, version: i16) -> String {
    if version < OWN_MEMBER_ID_FROM && request.member_epoch == JOINING && request.member_id.is_empty() {
        return random_uuid().to_string();
    }
    request.member_id.clone()
}

fn owned(topics: Vec<TopicPartitions>) -> proto::TopicPartitionLists {
    let list = |topic: TopicPartitions| proto::TopicPartitionList {
        topic_id: ids::to_rpc(ids::from_wire(topic.topic_id)),
        partitions: topic.partitions,
        ..Default::default()
    };
    proto::TopicPartitionLists {
        topics: topics.into_iter().map(list).collect(),
    }
}

fn assigned(lists: proto::TopicPartitionLists) -> Assignment {
    let topic = |list: proto::TopicPartitionList| TopicPartitions {
        topic_id: ids::rpc_to_wire(&list.topic_id),
        partitions: list.partitions,
    };
    Assignment {
        topic_partitions: lists.topics.into_iter().map(topic).collect(),
    }
}

fn refused((error_code, error_message): Refusal) -> ConsumerGroupHeartbeatResponse {
    ConsumerGroupHeartbeatResponse {
        error_code,
        error_message,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, rpc_id, wire_id};

    fn joining() -> ConsumerGroupHeartbeatRequest {
        ConsumerGroupHeartbeatRequest {
            group_id: "app".to_owned(),
            member_id: "m".to_owned(),
            rebalance_timeout_ms: 60_000,
            subscribed_topic_names: Some(vec!["orders".to_owned()]),
            topic_partitions: Some(Vec::new()),
            ..Default::default()
        }
    }

    async fn asked(version: i16, request: ConsumerGroupHeartbeatRequest) -> proto::ConsumerGroupHeartbeatRequest {
        let agent = TestAgent::new();
        handle(agent.context(), caller(version), request).await;
        agent.metadata.requests("ConsumerGroupHeartbeat").remove(0)
    }

    #[tokio::test]
    async fn omitted_fields_are_not_passed_on_as_empty() {
        let joined = asked(1, joining()).await;
        assert_eq!(joined.subscribed_topic_names.unwrap().names, ["orders"]);
        assert_eq!(joined.topic_partitions.unwrap().topics, []);
        assert_eq!(
            (joined.client_id.as_str(), joined.client_host.as_str()),
            ("tests", "/127.0.0.1")
        );
        assert_eq!((joined.principal.as_str(), joined.api_version), ("User:ANONYMOUS", 1));
        let unchanged = ConsumerGroupHeartbeatRequest {
            group_id: "app".to_owned(),
            member_id: "m".to_owned(),
            member_epoch: 3,
            ..Default::default()
        };
        let stayed = asked(1, unchanged).await;
        assert_eq!((stayed.subscribed_topic_names, stayed.topic_partitions), (None, None));
        assert_eq!((stayed.subscribed_topic_regex, stayed.server_assignor), (None, None));
        assert_eq!((stayed.member_epoch, stayed.rebalance_timeout_ms), (3, -1));
    }

    #[tokio::test]
    async fn refuses_a_pattern_over_the_limit_before_the_service_does() {
        let with_regex = |regex: String| ConsumerGroupHeartbeatRequest {
            subscribed_topic_regex: Some(regex),
            ..joining()
        };
        let agent = TestAgent::new();
        // The second takes two UTF-16 code units per letter.
        for regex in ["a".repeat(4097), "\u{1f980}".repeat(2049)] {
            let refused = handle(agent.context(), caller(1), with_regex(regex)).await;
            assert_eq!(refused.error_code, ErrorCode::INVALID_REGULAR_EXPRESSION);
            assert!(refused.error_message.unwrap().contains("at most 4096"));
        }
        let asked_of_service: Vec<proto::ConsumerGroupHeartbeatRequest> =
            agent.metadata.requests("ConsumerGroupHeartbeat");
        assert_eq!(asked_of_service, []);
        let longest = asked(1, with_regex("a".repeat(4096))).await;
        assert_eq!(longest.subscribed_topic_regex.unwrap().len(), 4096);
    }

    #[tokio::test]
    async fn assigns_an_id_only_to_joining_members_of_version_0() {
        let nameless = |member_epoch| ConsumerGroupHeartbeatRequest {
            member_id: String::new(),
            member_epoch,
            ..joining()
        };
        assert!(uuid::Uuid::parse_str(&asked(0, nameless(0)).await.member_id).is_ok());
        assert_eq!(asked(0, nameless(4)).await.member_id, "");
        assert_eq!(asked(1, nameless(0)).await.member_id, "");
        assert_eq!(asked(0, joining()).await.member_id, "m");
    }

    #[tokio::test]
    async fn sends_an_assignment_only_when_it_changed() {
        let agent = TestAgent::new();
        let list = proto::TopicPartitionList {
            topic_id: rpc_id(1),
            partitions: vec![0, 7],
            ..Default::default()
        };
        let unchanged = proto::ConsumerGroupHeartbeatResponse {
            member_id: "m".to_owned(),
            member_epoch: 2,
            heartbeat_interval_ms: 5_000,
            ..Default::default()
        };
        let assignment = Some(proto::TopicPartitionLists { topics: vec![list] });
        let changed = proto::ConsumerGroupHeartbeatResponse {
            assignment,
            ..unchanged.clone()
        };
        agent.metadata.answer("ConsumerGroupHeartbeat", &changed);
        agent.metadata.answer("ConsumerGroupHeartbeat", &unchanged);
        let first = handle(agent.context(), caller(1), joining()).await;
        assert_eq!((first.member_id.as_deref(), first.member_epoch), (Some("m"), 2));
        assert_eq!(first.heartbeat_interval_ms, 5_000);
        let topics = first.assignment.0.unwrap().topic_partitions;
        assert_eq!(
            (topics[0].topic_id, topics[0].partitions.clone()),
            (wire_id(1), vec![0, 7])
        );
        let second = handle(agent.context(), caller(1), joining()).await;
        assert_eq!(second.assignment, Nullable(None));
    }

    #[tokio::test]
    async fn a_refusal_contains_only_its_reason() {
        let agent = TestAgent::new();
        let fenced = proto::ConsumerGroupHeartbeatResponse {
            error_code: 110,
            error_message: "the member's epoch is 5".to_owned(),
            ..Default::default()
        };
        agent.metadata.answer("ConsumerGroupHeartbeat", &fenced);
        let answer = handle(agent.context(), caller(1), joining()).await;
        let expected = ConsumerGroupHeartbeatResponse {
            error_code: ErrorCode::FENCED_MEMBER_EPOCH,
            error_message: Some("the member's epoch is 5".to_owned()),
            ..Default::default()
        };
        assert_eq!(answer, expected);
    }

    #[tokio::test]
    async fn an_unreachable_service_redirects_the_member() {
        let agent = TestAgent::new();
        // Nothing is scripted, so the service is unreachable.
        let unreachable = handle(agent.context(), caller(1), joining()).await;
        assert_eq!(unreachable.error_code, ErrorCode::COORDINATOR_NOT_AVAILABLE);
    }
}
