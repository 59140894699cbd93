//! ConsumerGroupDescribe: groups of the new protocol (KIP-848) with their members, current assignments and target
//! assignments.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::consumer_group_describe::{
    DescribedAssignment, DescribedConsumerGroup, DescribedConsumerGroupMember, DescribedTopicPartitions,
};
use penstock_wire::messages::{ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// Kafka's codes for the protocols of members.
const CLASSIC: i8 = 0;
const CONSUMER: i8 = 1;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: ConsumerGroupDescribeRequest,
) -> ConsumerGroupDescribeResponse {
    let access = context.access(&caller);
    let (allowed, denied): (Vec<String>, Vec<String>) = request
        .group_ids
        .into_iter()
        .partition(|group_id| access.allows(Operation::Describe, Resource::group(group_id)));
    let mut groups = all_failed(denied, ErrorCode::GROUP_AUTHORIZATION_FAILED, None);
    if !allowed.is_empty() {
        let wants_operations = request.include_authorized_operations;
        groups.extend(describe(&context, &access, allowed, wants_operations).await);
    }
    ConsumerGroupDescribeResponse {
        groups,
        ..Default::default()
    }
}

async fn describe(
    context: &Context,
    access: &Access,
    group_ids: Vec<String>,
    wants_operations: bool,
) -> Vec<DescribedConsumerGroup> {
    let rpc = proto::DescribeConsumerGroupsRequest {
        group_ids: group_ids.clone(),
    };
    match context.metadata.describe_consumer_groups(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) => answer
            .groups
            .into_iter()
            .map(|group| described(access, group, wants_operations))
            .collect(),
        Err(error) => {
            let error_code = failure::coordinator_error(ApiKey::ConsumerGroupDescribe, &error);
            all_failed(group_ids, error_code, Some(&error.to_string()))
        }
    }
}

fn described(access: &Access, group: proto::DescribedConsumerGroup, wants_operations: bool) -> DescribedConsumerGroup {
    let error_code = failure::code(group.error_code);
    if !error_code.is_none() {
        return failed(group.group_id, error_code, failure::message(group.error_message));
    }
    let lists = group
        .members
        .iter()
        .flat_map(|member| member.assignment.iter().chain(&member.target_assignment));
    let mut topics: Vec<&str> = lists
        .map(|list| list.topic_name.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    topics.sort_unstable();
    topics.dedup();
    let shows_all = topics
        .into_iter()
        .all(|topic| access.allows(Operation::Describe, Resource::topic(topic)));
    if !shows_all {
        let reason = "The client is not authorized to describe a topic that is assigned in the group.";
        return failed(
            group.group_id,
            ErrorCode::TOPIC_AUTHORIZATION_FAILED,
            Some(reason.to_owned()),
        );
    }
    DescribedConsumerGroup {
        authorized_operations: access.operations(wants_operations, Resource::group(&group.group_id)),
        group_id: group.group_id,
        group_state: group.state,
        group_epoch: group.group_epoch,
        assignment_epoch: group.assignment_epoch,
        assignor_name: group.assignor_name,
        members: group.members.into_iter().map(member).collect(),
        ..Default::default()
    }
}

fn member(member: proto::DescribedConsumerGroupMember) -> DescribedConsumerGroupMember {
    DescribedConsumerGroupMember {
        member_id: member.member_id,
        instance_id: member.instance_id,
        rack_id: member.rack_id,
        member_epoch: member.member_epoch,
        client_id: member.client_id,
        client_host: member.client_host,
        subscribed_topic_names: member.subscribed_topic_names,
        subscribed_topic_regex: member.subscribed_topic_regex,
        assignment: assignment(member.assignment),
        target_assignment: assignment(member.target_assignment),
        member_type: if member.is_classic { CLASSIC } else { CONSUMER },
    }
}

/// Omits deleted topics, which have no name.
fn assignment(lists: Vec<proto::TopicPartitionList>) -> DescribedAssignment {
    let topic_partitions = lists
        .into_iter()
        .filter(|list| !list.topic_name.is_empty())
        .map(|list| DescribedTopicPartitions {
            topic_id: ids::rpc_to_wire(&list.topic_id),
            topic_name: list.topic_name,
            partitions: list.partitions,
        });
    DescribedAssignment {
        topic_partitions: topic_partitions.collect(),
    }
}

fn all_failed(group_ids: Vec<String>, error_code: ErrorCode, reason: Option<&str>) -> Vec<DescribedConsumerGroup> {
    group_ids
        .into_iter()
        .map(|group_id| failed(group_id, error_code, reason.map(str::to_owned)))
        .collect()
}

fn failed(group_id: String, error_code: ErrorCode, error_message: Option<String>) -> DescribedConsumerGroup {
    DescribedConsumerGroup {
        error_code,
        error_message,
        group_id,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use penstock_access::NOT_ASKED_FOR;
    use penstock_access::testing::{rule, security};
    use penstock_authz::ResourceType;

    use super::*;
    use crate::testing::{TestAgent, caller, rpc_id, wire_id};

    fn list(id: u8, topic_name: &str) -> proto::TopicPartitionList {
        proto::TopicPartitionList {
            topic_id: rpc_id(id),
            partitions: vec![1],
            topic_name: topic_name.to_owned(),
        }
    }

    fn group(group_id: &str, topic_name: &str) -> proto::DescribedConsumerGroup {
        let member = proto::DescribedConsumerGroupMember {
            member_id: "m".to_owned(),
            member_epoch: 3,
            assignment: vec![list(1, topic_name), list(2, "")],
            target_assignment: vec![list(1, topic_name)],
            is_classic: group_id == "migrating",
            ..Default::default()
        };
        proto::DescribedConsumerGroup {
            group_id: group_id.to_owned(),
            state: "Stable".to_owned(),
            group_epoch: 3,
            assignment_epoch: 3,
            assignor_name: "uniform".to_owned(),
            members: vec![member],
            ..Default::default()
        }
    }

    fn request(groups: &[&str]) -> ConsumerGroupDescribeRequest {
        ConsumerGroupDescribeRequest {
            group_ids: groups.iter().map(|group| (*group).to_owned()).collect(),
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn describes_members_with_protocol_and_existing_topics() {
        let agent = TestAgent::new();
        let missing = proto::DescribedConsumerGroup {
            error_code: 69,
            error_message: "no such group".to_owned(),
            group_id: "missing".to_owned(),
            ..Default::default()
        };
        let groups = vec![group("app", "orders"), group("migrating", "orders"), missing];
        let answer = proto::DescribeConsumerGroupsResponse { groups };
        agent.metadata.answer("DescribeConsumerGroups", &answer);
        let answer = handle(agent.context(), caller(1), request(&["app", "migrating", "missing"])).await;
        let [app, migrating, missing] = &answer.groups[..] else {
            panic!("{} groups", answer.groups.len());
        };
        assert_eq!((app.group_state.as_str(), app.group_epoch), ("Stable", 3));
        assert_eq!(app.authorized_operations, NOT_ASKED_FOR);
        let topics = &app.members[0].assignment.topic_partitions;
        assert_eq!((topics.len(), topics[0].topic_id), (1, wire_id(1)));
        assert_eq!((app.members[0].member_type, migrating.members[0].member_type), (1, 0));
        assert_eq!(missing.error_code, ErrorCode::GROUP_ID_NOT_FOUND);
        assert_eq!(missing.error_message.as_deref(), Some("no such group"));
    }

    #[tokio::test]
    async fn refuses_a_group_with_a_topic_that_may_not_be_described() {
        let agent = TestAgent::new();
        let acls = [
            rule(ResourceType::Group, "app", Operation::Describe),
            rule(ResourceType::Group, "other", Operation::Describe),
            rule(ResourceType::Topic, "orders", Operation::Describe),
        ];
        agent.secure(security(proto::AclMode::Enforced, &acls));
        let groups = vec![group("app", "orders"), group("other", "payments")];
        let answer = proto::DescribeConsumerGroupsResponse { groups };
        agent.metadata.answer("DescribeConsumerGroups", &answer);
        let answer = handle(agent.context(), caller(1), request(&["hidden", "app", "other"])).await;
        let told: Vec<_> = answer
            .groups
            .iter()
            .map(|group| (group.group_id.as_str(), group.error_code, group.members.len()))
            .collect();
        let expected = [
            ("hidden", ErrorCode::GROUP_AUTHORIZATION_FAILED, 0),
            ("app", ErrorCode::NONE, 1),
            ("other", ErrorCode::TOPIC_AUTHORIZATION_FAILED, 0),
        ];
        assert_eq!(told, expected);
    }
}
