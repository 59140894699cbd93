//! OffsetFetch: one group before version 8, several since; topics by id since version 10.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::offset_fetch::{
    OffsetFetchRequestGroup, OffsetFetchRequestTopics, OffsetFetchResponseGroup, OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions, OffsetFetchResponseTopic, OffsetFetchResponseTopics,
};
use penstock_wire::messages::{OffsetFetchRequest, OffsetFetchResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::group_topics::{names_of, uses_ids};
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;

/// First version that requests several groups at once.
const BATCHED_FROM: i16 = 8;
/// First version with a field for an error of the whole group.
const GROUP_ERROR_FROM: i16 = 2;

/// How a client wants its offsets.
#[derive(Clone, Copy)]
struct WantedForm {
    /// True if topics are given by id.
    by_id: bool,
    /// True if offsets that an open transaction will change are refused.
    stable: bool,
}

pub(crate) async fn handle(context: Arc<Context>, caller: Caller, request: OffsetFetchRequest) -> OffsetFetchResponse {
    let access = context.access(&caller);
    let wanted = WantedForm {
        by_id: uses_ids(caller.version),
        stable: request.require_stable,
    };
    if caller.version >= BATCHED_FROM {
        let mut groups = Vec::with_capacity(request.groups.len());
        for group in request.groups {
            groups.push(fetch_group(&context, &access, group, wanted).await);
        }
        return OffsetFetchResponse {
            groups,
            ..Default::default()
        };
    }
    let topics = request.topics.map(|topics| {
        topics
            .into_iter()
            .map(|topic| OffsetFetchRequestTopics {
                name: topic.name,
                partition_indexes: topic.partition_indexes,
                ..Default::default()
            })
            .collect()
    });
    let group = OffsetFetchRequestGroup {
        group_id: request.group_id,
        topics,
        ..Default::default()
    };
    let mut answer = fetch_group(&context, &access, group.clone(), wanted).await;
    if caller.version < GROUP_ERROR_FROM && !answer.error_code.is_none() {
        answer.topics = failed_topics(group.topics.as_deref().unwrap_or_default(), answer.error_code);
    }
    OffsetFetchResponse {
        topics: answer.topics.into_iter().map(single_group_topic).collect(),
        error_code: answer.error_code,
        ..Default::default()
    }
}

async fn fetch_group(
    context: &Context,
    access: &Access,
    group: OffsetFetchRequestGroup,
    WantedForm { by_id, stable }: WantedForm,
) -> OffsetFetchResponseGroup {
    let group_id = group.group_id.clone();
    let failed = |error_code: ErrorCode| OffsetFetchResponseGroup {
        group_id,
        ..error_code.into()
    };
    if let Err(error_code) = access.check(Operation::Describe, Resource::group(&group.group_id)) {
        return failed(error_code);
    }
    let all = group.topics.is_none();
    let mut wanted = group.topics.unwrap_or_default();
    let mut unknown = Vec::new();
    if by_id {
        let topic_ids: Vec<_> = wanted.iter().map(|topic| ids::from_wire(topic.topic_id)).collect();
        let names = match names_of(context, &topic_ids).await {
            Ok(names) => names,
            Err(error) => return failed(failure::coordinator_error(ApiKey::OffsetFetch, &error)),
        };
        let mut known = Vec::with_capacity(wanted.len());
        for (mut topic, name) in wanted.into_iter().zip(names) {
            match name {
                Some(name) => {
                    topic.name = name.to_string();
                    known.push(topic);
                }
                None => unknown.push(topic),
            }
        }
        wanted = known;
    }
    let (wanted, denied): (Vec<_>, Vec<_>) = wanted
        .into_iter()
        .partition(|topic| access.allows(Operation::Describe, Resource::topic(&topic.name)));
    let partitions = wanted.iter().flat_map(|topic| {
        let indexes = topic
            .partition_indexes
            .iter()
            .filter_map(|index| u32::try_from(*index).ok());
        indexes.map(|partition| proto::NamedPartition {
            topic: topic.name.clone(),
            partition,
        })
    });
    let rpc = proto::FetchOffsetsRequest {
        group_id: group.group_id.clone(),
        all,
        partitions: partitions.collect(),
        require_stable: stable,
        member_id: group.member_id,
        member_epoch: Some(group.member_epoch),
    };
    let answer = match context.metadata.fetch_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => return failed(failure::code(answer.error_code)),
        Ok(answer) => answer,
        Err(error) => return failed(failure::coordinator_error(ApiKey::OffsetFetch, &error)),
    };
    let mut topics = by_topic(answer.offsets);
    if all {
        topics.retain(|topic| access.shows(Operation::Describe, Resource::topic(&topic.name)));
    }
    if by_id {
        topics = with_ids(context, topics).await;
    }
    topics.extend(failed_topics(&unknown, ErrorCode::UNKNOWN_TOPIC_ID));
    topics.extend(failed_topics(&denied, ErrorCode::TOPIC_AUTHORIZATION_FAILED));
    OffsetFetchResponseGroup {
        group_id: group.group_id,
        topics,
        ..Default::default()
    }
}

/// Groups consecutive offsets of a topic. The owner responds in request order.
fn by_topic(offsets: Vec<proto::CommittedOffset>) -> Vec<OffsetFetchResponseTopics> {
    let mut topics: Vec<OffsetFetchResponseTopics> = Vec::new();
    for offset in offsets {
        if topics.last().is_none_or(|topic| topic.name != offset.topic) {
            topics.push(OffsetFetchResponseTopics {
                name: offset.topic,
                ..Default::default()
            });
        }
        let partition = match failure::code(offset.error_code) {
            ErrorCode::NONE => OffsetFetchResponsePartitions {
                partition_index: offset.partition.cast_signed(),
                committed_offset: offset.offset,
                committed_leader_epoch: offset.leader_epoch,
                metadata: Some(offset.metadata),
                error_code: ErrorCode::NONE,
            },
            error_code => failed_partition(offset.partition.cast_signed(), error_code),
        };
        if let Some(topic) = topics.last_mut() {
            topic.partitions.push(partition);
        }
    }
    topics
}

/// Adds topic ids. Omits offsets of topics that were deleted meanwhile, which have no id.
async fn with_ids(context: &Context, topics: Vec<OffsetFetchResponseTopics>) -> Vec<OffsetFetchResponseTopics> {
    let names: Vec<&str> = topics.iter().map(|topic| topic.name.as_str()).collect();
    let found = match context.topics_by_name(&names).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "left out offsets of topics that are not in the cache");
            let catalogue = context.cache.catalogue();
            names
                .iter()
                .map(|name| catalogue.topic_by_name(name).cloned())
                .collect()
        }
    };
    let with_id = |(topic, found): (OffsetFetchResponseTopics, Option<Arc<_>>)| {
        let found: Arc<penstock_metadata_client::cache::Topic> = found?;
        Some(OffsetFetchResponseTopics {
            topic_id: ids::to_wire(found.id),
            ..topic
        })
    };
    topics.into_iter().zip(found).filter_map(with_id).collect()
}

fn failed_partition(partition_index: i32, error_code: ErrorCode) -> OffsetFetchResponsePartitions {
    OffsetFetchResponsePartitions {
        partition_index,
        ..error_code.into()
    }
}

fn failed_topics(topics: &[OffsetFetchRequestTopics], error_code: ErrorCode) -> Vec<OffsetFetchResponseTopics> {
    let failed = |index: &i32| failed_partition(*index, error_code);
    topics
        .iter()
        .map(|topic| OffsetFetchResponseTopics {
            name: topic.name.clone(),
            topic_id: topic.topic_id,
            partitions: topic.partition_indexes.iter().map(failed).collect(),
        })
        .collect()
}

fn single_group_topic(topic: OffsetFetchResponseTopics) -> OffsetFetchResponseTopic {
    OffsetFetchResponseTopic {
        name: topic.name,
        partitions: topic
            .partitions
            .into_iter()
            .map(|partition| OffsetFetchResponsePartition {
                partition_index: partition.partition_index,
                committed_offset: partition.committed_offset,
                committed_leader_epoch: partition.committed_leader_epoch,
                metadata: partition.metadata,
                error_code: partition.error_code,
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::offset_fetch::OffsetFetchRequestTopic;

    use super::*;
    use crate::testing::{TestAgent, caller, topic, wire_id};

    fn committed(topic: &str, partition: u32, offset: i64) -> proto::CommittedOffset {
        proto::CommittedOffset {
            topic: topic.into(),
            partition,
            offset,
            leader_epoch: -1,
            ..Default::default()
        }
    }

    fn single(topics: Option<&[(&str, &[i32])]>) -> OffsetFetchRequest {
        let topics = topics.map(|topics| {
            topics
                .iter()
                .map(|(name, indexes)| OffsetFetchRequestTopic {
                    name: (*name).to_owned(),
                    partition_indexes: indexes.to_vec(),
                })
                .collect()
        });
        OffsetFetchRequest {
            group_id: "g".to_owned(),
            topics,
            ..Default::default()
        }
    }

    #[tokio::test]
    async fn groups_offsets_by_topic() {
        let agent = TestAgent::new();
        let offsets = vec![committed("a", 0, 5), committed("a", 1, -1), committed("b", 0, 7)];
        agent
            .metadata
            .answer("FetchOffsets", &proto::FetchOffsetsResponse { error_code: 0, offsets });
        let request = single(Some(&[("a", &[0, 1]), ("b", &[0])]));
        let answer = handle(agent.context(), caller(7), request).await;
        assert_eq!(answer.topics.len(), 2);
        let offsets: Vec<i64> = answer.topics[0]
            .partitions
            .iter()
            .map(|partition| partition.committed_offset)
            .collect();
        assert_eq!((answer.topics[0].name.as_str(), offsets), ("a", vec![5, -1]));
        assert_eq!(answer.topics[1].partitions[0].committed_offset, 7);
    }

    #[tokio::test]
    async fn stable_reads_omit_offsets_of_open_transactions() {
        let agent = TestAgent::new();
        let pending = proto::CommittedOffset {
            error_code: 88,
            ..committed("a", 1, 5)
        };
        let offsets = vec![committed("a", 0, 5), pending];
        let answer = proto::FetchOffsetsResponse { error_code: 0, offsets };
        agent.metadata.answer("FetchOffsets", &answer);
        let request = OffsetFetchRequest {
            require_stable: true,
            ..single(Some(&[("a", &[0, 1])]))
        };
        let answer = handle(agent.context(), caller(7), request).await;
        let told = answer.topics[0].partitions.iter();
        let told: Vec<_> = told
            .map(|partition| (partition.committed_offset, partition.error_code))
            .collect();
        assert_eq!(told, [(5, ErrorCode::NONE), (-1, ErrorCode::UNSTABLE_OFFSET_COMMIT)]);
        assert!(agent.metadata.requests::<proto::FetchOffsetsRequest>("FetchOffsets")[0].require_stable);
    }

    #[tokio::test]
    async fn null_topics_mean_all() {
        let agent = TestAgent::new();
        agent.metadata.answer(
            "FetchOffsets",
            &proto::FetchOffsetsResponse {
                error_code: 0,
                offsets: vec![committed("a", 0, 5)],
            },
        );
        handle(agent.context(), caller(2), single(None)).await;
        assert!(agent.metadata.requests::<proto::FetchOffsetsRequest>("FetchOffsets")[0].all);
    }

    #[tokio::test]
    async fn a_group_error_is_in_the_field_of_its_version() {
        let denied = proto::FetchOffsetsResponse {
            error_code: 30,
            offsets: vec![],
        };
        let agent = TestAgent::new();
        for _ in 0..3 {
            agent.metadata.answer("FetchOffsets", &denied);
        }
        let request = single(Some(&[("a", &[0, 1])]));
        let first = handle(agent.context(), caller(1), request.clone()).await;
        let codes: Vec<ErrorCode> = first.topics[0]
            .partitions
            .iter()
            .map(|partition| partition.error_code)
            .collect();
        assert_eq!(codes, [ErrorCode::GROUP_AUTHORIZATION_FAILED; 2]);
        let second = handle(agent.context(), caller(2), request).await;
        assert_eq!(second.error_code, ErrorCode::GROUP_AUTHORIZATION_FAILED);
        let groups = vec![OffsetFetchRequestGroup {
            group_id: "g".to_owned(),
            ..Default::default()
        }];
        let batched = handle(
            agent.context(),
            caller(8),
            OffsetFetchRequest {
                groups,
                ..Default::default()
            },
        )
        .await;
        assert_eq!(batched.groups[0].error_code, ErrorCode::GROUP_AUTHORIZATION_FAILED);
    }

    #[tokio::test]
    async fn a_member_identifies_itself_and_only_its_group_refuses_it() {
        let agent = TestAgent::new();
        let stale = proto::FetchOffsetsResponse {
            error_code: 113,
            offsets: vec![],
        };
        agent.metadata.answer("FetchOffsets", &stale);
        let answer = proto::FetchOffsetsResponse {
            error_code: 0,
            offsets: vec![committed("a", 0, 5)],
        };
        agent.metadata.answer("FetchOffsets", &answer);
        let of_member = OffsetFetchRequestGroup {
            group_id: "g".to_owned(),
            member_id: Some("m".to_owned()),
            member_epoch: 4,
            ..Default::default()
        };
        let of_nobody = OffsetFetchRequestGroup {
            group_id: "h".to_owned(),
            ..Default::default()
        };
        let request = OffsetFetchRequest {
            groups: vec![of_member, of_nobody],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(9), request).await;
        let codes: Vec<_> = answer.groups.iter().map(|group| group.error_code).collect();
        assert_eq!(codes, [ErrorCode::STALE_MEMBER_EPOCH, ErrorCode::NONE]);
        let asked = agent.metadata.requests::<proto::FetchOffsetsRequest>("FetchOffsets");
        let members: Vec<_> = asked
            .iter()
            .map(|request| (request.member_id.as_deref(), request.member_epoch))
            .collect();
        assert_eq!(members, [(Some("m"), Some(4)), (None, Some(-1))]);
    }

    #[tokio::test]
    async fn requests_and_responses_can_use_topic_ids() {
        let agent = TestAgent::with_topics(&[topic(1, "orders", 1)]);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        agent.metadata.answer(
            "FetchOffsets",
            &proto::FetchOffsetsResponse {
                error_code: 0,
                offsets: vec![committed("orders", 0, 5)],
            },
        );
        let by_id = |id| OffsetFetchRequestTopics {
            topic_id: wire_id(id),
            partition_indexes: vec![0],
            ..Default::default()
        };
        let topics = Some(vec![by_id(1), by_id(9)]);
        let groups = vec![OffsetFetchRequestGroup {
            group_id: "g".to_owned(),
            topics,
            ..Default::default()
        }];
        let answer = handle(
            agent.context(),
            caller(10),
            OffsetFetchRequest {
                groups,
                ..Default::default()
            },
        )
        .await;
        let topics = &answer.groups[0].topics;
        assert_eq!(
            (topics[0].topic_id, topics[0].partitions[0].committed_offset),
            (wire_id(1), 5)
        );
        assert_eq!(
            (topics[1].topic_id, topics[1].partitions[0].error_code),
            (wire_id(9), ErrorCode::UNKNOWN_TOPIC_ID)
        );
    }

    #[tokio::test]
    async fn an_unreachable_owner_is_an_error_that_javas_consumer_retries() {
        let groups = vec![OffsetFetchRequestGroup {
            group_id: "g".to_owned(),
            ..Default::default()
        }];
        let request = OffsetFetchRequest {
            groups,
            ..Default::default()
        };
        let answer = handle(TestAgent::new().context(), caller(9), request).await;
        assert_eq!(answer.groups[0].error_code, ErrorCode::NOT_COORDINATOR);
    }
}
