//! OffsetCommit. Groups keep their offsets by topic name; from version 10 on clients send topic ids.

use std::sync::Arc;

use penstock_metadata_client::{DEFAULT_TIMEOUT, proto};
use penstock_wire::messages::offset_commit::{OffsetCommitResponsePartition, OffsetCommitResponseTopic};
use penstock_wire::messages::{OffsetCommitRequest, OffsetCommitResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::group_topics::{names_of, uses_ids};
use crate::{failure, ids};

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: OffsetCommitRequest,
) -> OffsetCommitResponse {
    let mut topics: Vec<OffsetCommitResponseTopic> = request
        .topics
        .iter()
        .map(|topic| OffsetCommitResponseTopic {
            name: topic.name.clone(),
            topic_id: topic.topic_id,
            partitions: topic
                .partitions
                .iter()
                .map(|partition| OffsetCommitResponsePartition {
                    partition_index: partition.partition_index,
                    ..Default::default()
                })
                .collect(),
        })
        .collect();
    let names = if uses_ids(caller.version) {
        let wanted: Vec<_> = request
            .topics
            .iter()
            .map(|topic| ids::from_wire(topic.topic_id))
            .collect();
        match names_of(&context, &wanted).await {
            Ok(names) => names,
            Err(error) => return all_failed(topics, failure::group_error(ApiKey::OffsetCommit, &error)),
        }
    } else {
        request
            .topics
            .iter()
            .map(|topic| Some(topic.name.as_str().into()))
            .collect()
    };

    let mut offsets = Vec::new();
    let mut places = Vec::new();
    for (topic_at, (topic, name)) in request.topics.into_iter().zip(names).enumerate() {
        for (partition_at, partition) in topic.partitions.into_iter().enumerate() {
            let error_code = &mut topics[topic_at].partitions[partition_at].error_code;
            match (&name, u32::try_from(partition.partition_index)) {
                (None, _) => *error_code = ErrorCode::UNKNOWN_TOPIC_ID,
                (_, Err(_)) => *error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
                (Some(name), Ok(index)) => {
                    places.push((topic_at, partition_at));
                    offsets.push(proto::OffsetToCommit {
                        topic: name.to_string(),
                        partition: index,
                        offset: partition.committed_offset,
                        leader_epoch: partition.committed_leader_epoch,
                        metadata: partition.committed_metadata.unwrap_or_default(),
                    });
                }
            }
        }
    }
    if offsets.is_empty() {
        return OffsetCommitResponse {
            topics,
            ..Default::default()
        };
    }
    let rpc = proto::CommitOffsetsRequest {
        group_id: request.group_id,
        generation_id: request.generation_id_or_member_epoch,
        member_id: request.member_id,
        group_instance_id: request.group_instance_id,
        offsets,
    };
    match context.metadata.commit_offsets(rpc, DEFAULT_TIMEOUT).await {
        Ok(answer) if answer.error_code != 0 => all_failed(topics, failure::code(answer.error_code)),
        Ok(answer) => {
            for ((topic_at, partition_at), error_code) in places.into_iter().zip(answer.offset_error_codes) {
                topics[topic_at].partitions[partition_at].error_code = failure::code(error_code);
            }
            OffsetCommitResponse {
                topics,
                ..Default::default()
            }
        }
        Err(error) => all_failed(topics, failure::group_error(ApiKey::OffsetCommit, &error)),
    }
}

fn all_failed(mut topics: Vec<OffsetCommitResponseTopic>, error_code: ErrorCode) -> OffsetCommitResponse {
    for partition in topics.iter_mut().flat_map(|topic| &mut topic.partitions) {
        partition.error_code = error_code;
    }
    OffsetCommitResponse {
        topics,
        ..Default::default()
    }
}
