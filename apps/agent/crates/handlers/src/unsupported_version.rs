//! Rejects request versions that we do not support. Old versions whose encoding we know get UNSUPPORTED_VERSION for each item of the
//! request. Newer versions than we know cannot be answered.

use std::time::Duration;

use penstock_wire::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopicResult,
};
use penstock_wire::messages::create_acls::AclCreationResult;
use penstock_wire::messages::create_topics::CreatableTopicResult;
use penstock_wire::messages::delete_acls::DeleteAclsFilterResult;
use penstock_wire::messages::delete_topics::DeletableTopicResult;
use penstock_wire::messages::describe_configs::DescribeConfigsResult;
use penstock_wire::messages::describe_log_dirs::DescribeLogDirsResult;
use penstock_wire::messages::fetch::{FetchableTopicResponse, PartitionData};
use penstock_wire::messages::list_offsets::{ListOffsetsPartitionResponse, ListOffsetsTopicResponse};
use penstock_wire::messages::offset_commit::{OffsetCommitResponsePartition, OffsetCommitResponseTopic};
use penstock_wire::messages::offset_fetch::{OffsetFetchResponsePartition, OffsetFetchResponseTopic};
use penstock_wire::messages::offset_for_leader_epoch::{EpochEndOffset, OffsetForLeaderTopicResult};
use penstock_wire::messages::produce::{PartitionProduceResponse, TopicProduceResponse};
use penstock_wire::messages::write_txn_markers::{
    WritableTxnMarkerPartitionResult, WritableTxnMarkerResult, WritableTxnMarkerTopicResult,
};
use penstock_wire::messages::*;
use penstock_wire::{ApiKey, DecodeError, EncodeError, ErrorCode, Frame, Message, Reader, Request, encode_response};

use crate::apis::api_versions;

const REFUSED: ErrorCode = ErrorCode::UNSUPPORTED_VERSION;

/// Before a refusal is sent. Some clients ask again at once, thousands of times a second.
const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// How long the refusal of such a request waits. That of ApiVersions is how clients find out which version to use.
pub(crate) fn delay(key: ApiKey) -> Duration {
    if key == ApiKey::ApiVersions {
        Duration::ZERO
    } else {
        REFUSAL_DELAY
    }
}

/// The refusal of a request in a version outside of those served; `None` if there is no form for it.
///
/// # Errors
/// The body is no request of that version.
pub(crate) fn answer(
    key: ApiKey,
    version: i16,
    correlation_id: i32,
    body: &mut Reader,
) -> Result<Option<Result<Frame, EncodeError>>, DecodeError> {
    if key == ApiKey::ApiVersions {
        // A client may send any version; the response, in version 0, lists those it may use.
        return Ok(Some(encode_response(
            &api_versions::versions(REFUSED),
            0,
            correlation_id,
        )));
    }
    if !(0..*key.versions().start()).contains(&version) {
        return Ok(None);
    }
    match key {
        ApiKey::Produce => refuse(body, version, correlation_id, produce),
        ApiKey::Fetch => refuse(body, version, correlation_id, fetch),
        ApiKey::ListOffsets => refuse(body, version, correlation_id, list_offsets),
        ApiKey::OffsetForLeaderEpoch => refuse(body, version, correlation_id, offset_for_leader_epoch),
        ApiKey::CreateTopics => refuse(body, version, correlation_id, create_topics),
        ApiKey::DeleteTopics => refuse(body, version, correlation_id, delete_topics),
        ApiKey::DescribeConfigs => refuse(body, version, correlation_id, describe_configs),
        ApiKey::OffsetCommit => refuse(body, version, correlation_id, offset_commit),
        ApiKey::OffsetFetch => refuse(body, version, correlation_id, offset_fetch),
        ApiKey::WriteTxnMarkers => refuse(body, version, correlation_id, write_txn_markers),
        ApiKey::DescribeAcls => refuse(body, version, correlation_id, describe_acls),
        ApiKey::CreateAcls => refuse(body, version, correlation_id, create_acls),
        ApiKey::DeleteAcls => refuse(body, version, correlation_id, delete_acls),
        ApiKey::AlterReplicaLogDirs => refuse(body, version, correlation_id, alter_replica_log_dirs),
        ApiKey::DescribeLogDirs => refuse(body, version, correlation_id, describe_log_dirs),
        ApiKey::CreateDelegationToken => refuse(body, version, correlation_id, create_delegation_token),
        ApiKey::RenewDelegationToken => refuse(body, version, correlation_id, renew_delegation_token),
        ApiKey::ExpireDelegationToken => refuse(body, version, correlation_id, expire_delegation_token),
        ApiKey::DescribeDelegationToken => refuse(body, version, correlation_id, describe_delegation_token),
        // All others are served from version 0 on.
        _ => Ok(None),
    }
}

fn refuse<R: Request>(
    body: &mut Reader,
    version: i16,
    correlation_id: i32,
    refusal: fn(R) -> R::Response,
) -> Result<Option<Result<Frame, EncodeError>>, DecodeError> {
    let request = <R as Message>::decode(body, version)?;
    Ok(Some(encode_response(&refusal(request), version, correlation_id)))
}

fn describe_acls(_: DescribeAclsRequest) -> DescribeAclsResponse {
    DescribeAclsResponse {
        error_code: REFUSED,
        ..Default::default()
    }
}

fn alter_replica_log_dirs(request: AlterReplicaLogDirsRequest) -> AlterReplicaLogDirsResponse {
    let partition = |partition_index| AlterReplicaLogDirPartitionResult {
        partition_index,
        error_code: REFUSED,
    };
    let topics = request.dirs.into_iter().flat_map(|dir| dir.topics);
    let results = topics
        .map(|topic| AlterReplicaLogDirTopicResult {
            topic_name: topic.name,
            partitions: topic.partitions.into_iter().map(partition).collect(),
        })
        .collect();
    AlterReplicaLogDirsResponse {
        results,
        ..Default::default()
    }
}

fn describe_log_dirs(_: DescribeLogDirsRequest) -> DescribeLogDirsResponse {
    DescribeLogDirsResponse {
        results: vec![DescribeLogDirsResult {
            error_code: REFUSED,
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn create_delegation_token(_: CreateDelegationTokenRequest) -> CreateDelegationTokenResponse {
    CreateDelegationTokenResponse {
        error_code: REFUSED,
        ..Default::default()
    }
}

fn renew_delegation_token(_: RenewDelegationTokenRequest) -> RenewDelegationTokenResponse {
    RenewDelegationTokenResponse {
        error_code: REFUSED,
        ..Default::default()
    }
}

fn expire_delegation_token(_: ExpireDelegationTokenRequest) -> ExpireDelegationTokenResponse {
    ExpireDelegationTokenResponse {
        error_code: REFUSED,
        ..Default::default()
    }
}

fn describe_delegation_token(_: DescribeDelegationTokenRequest) -> DescribeDelegationTokenResponse {
    DescribeDelegationTokenResponse {
        error_code: REFUSED,
        ..Default::default()
    }
}

fn create_acls(request: CreateAclsRequest) -> CreateAclsResponse {
    let refused = AclCreationResult {
        error_code: REFUSED,
        ..Default::default()
    };
    CreateAclsResponse {
        results: vec![refused; request.creations.len()],
        ..Default::default()
    }
}

fn delete_acls(request: DeleteAclsRequest) -> DeleteAclsResponse {
    let refused = DeleteAclsFilterResult {
        error_code: REFUSED,
        ..Default::default()
    };
    DeleteAclsResponse {
        filter_results: vec![refused; request.filters.len()],
        ..Default::default()
    }
}

fn produce(request: ProduceRequest) -> ProduceResponse {
    let partition = |index| PartitionProduceResponse {
        index,
        error_code: REFUSED,
        base_offset: -1,
        ..Default::default()
    };
    let responses = request
        .topic_data
        .into_iter()
        .map(|topic| TopicProduceResponse {
            name: topic.name,
            partition_responses: topic.partition_data.iter().map(|data| partition(data.index)).collect(),
            ..Default::default()
        })
        .collect();
    ProduceResponse {
        responses,
        ..Default::default()
    }
}

fn fetch(request: FetchRequest) -> FetchResponse {
    let partition = |partition_index| PartitionData {
        partition_index,
        error_code: REFUSED,
        high_watermark: -1,
        ..Default::default()
    };
    let responses = request
        .topics
        .into_iter()
        .map(|topic| FetchableTopicResponse {
            topic: topic.topic,
            partitions: topic
                .partitions
                .iter()
                .map(|asked| partition(asked.partition))
                .collect(),
            ..Default::default()
        })
        .collect();
    FetchResponse {
        responses,
        ..Default::default()
    }
}

fn list_offsets(request: ListOffsetsRequest) -> ListOffsetsResponse {
    let partition = |partition_index| ListOffsetsPartitionResponse {
        partition_index,
        error_code: REFUSED,
        ..Default::default()
    };
    let topics = request
        .topics
        .into_iter()
        .map(|topic| ListOffsetsTopicResponse {
            name: topic.name,
            partitions: topic
                .partitions
                .iter()
                .map(|asked| partition(asked.partition_index))
                .collect(),
        })
        .collect();
    ListOffsetsResponse {
        topics,
        ..Default::default()
    }
}

fn offset_for_leader_epoch(request: OffsetForLeaderEpochRequest) -> OffsetForLeaderEpochResponse {
    let partition = |partition| EpochEndOffset {
        partition,
        error_code: REFUSED,
        ..Default::default()
    };
    let topics = request
        .topics
        .into_iter()
        .map(|topic| OffsetForLeaderTopicResult {
            topic: topic.topic,
            partitions: topic
                .partitions
                .iter()
                .map(|asked| partition(asked.partition))
                .collect(),
        })
        .collect();
    OffsetForLeaderEpochResponse {
        topics,
        ..Default::default()
    }
}

fn create_topics(request: CreateTopicsRequest) -> CreateTopicsResponse {
    let refused = |name| CreatableTopicResult {
        name,
        error_code: REFUSED,
        ..Default::default()
    };
    let topics = request.topics.into_iter().map(|topic| refused(topic.name)).collect();
    CreateTopicsResponse {
        topics,
        ..Default::default()
    }
}

fn delete_topics(request: DeleteTopicsRequest) -> DeleteTopicsResponse {
    let refused = |name| DeletableTopicResult {
        name: Some(name),
        error_code: REFUSED,
        ..Default::default()
    };
    DeleteTopicsResponse {
        responses: request.topic_names.into_iter().map(refused).collect(),
        ..Default::default()
    }
}

fn describe_configs(request: DescribeConfigsRequest) -> DescribeConfigsResponse {
    let results = request
        .resources
        .into_iter()
        .map(|resource| DescribeConfigsResult {
            error_code: REFUSED,
            resource_type: resource.resource_type,
            resource_name: resource.resource_name,
            ..Default::default()
        })
        .collect();
    DescribeConfigsResponse {
        results,
        ..Default::default()
    }
}

fn offset_commit(request: OffsetCommitRequest) -> OffsetCommitResponse {
    let partition = |partition_index| OffsetCommitResponsePartition {
        partition_index,
        error_code: REFUSED,
    };
    let topics = request
        .topics
        .into_iter()
        .map(|topic| OffsetCommitResponseTopic {
            name: topic.name,
            partitions: topic
                .partitions
                .iter()
                .map(|asked| partition(asked.partition_index))
                .collect(),
            ..Default::default()
        })
        .collect();
    OffsetCommitResponse {
        topics,
        ..Default::default()
    }
}

fn offset_fetch(request: OffsetFetchRequest) -> OffsetFetchResponse {
    let partition = |partition_index| OffsetFetchResponsePartition {
        partition_index,
        committed_offset: -1,
        metadata: Some(String::new()),
        error_code: REFUSED,
        ..Default::default()
    };
    let topics = request
        .topics
        .unwrap_or_default()
        .into_iter()
        .map(|topic| OffsetFetchResponseTopic {
            name: topic.name,
            partitions: topic.partition_indexes.into_iter().map(partition).collect(),
        })
        .collect();
    OffsetFetchResponse {
        topics,
        ..Default::default()
    }
}

fn write_txn_markers(request: WriteTxnMarkersRequest) -> WriteTxnMarkersResponse {
    let partition = |partition_index| WritableTxnMarkerPartitionResult {
        partition_index,
        error_code: REFUSED,
    };
    let markers = request.markers.into_iter().map(|marker| WritableTxnMarkerResult {
        producer_id: marker.producer_id,
        topics: marker
            .topics
            .into_iter()
            .map(|topic| WritableTxnMarkerTopicResult {
                name: topic.name,
                partitions: topic.partition_indexes.into_iter().map(partition).collect(),
            })
            .collect(),
    });
    WriteTxnMarkersResponse {
        markers: markers.collect(),
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::create_topics::CreatableTopic;
    use penstock_wire::messages::fetch::{FetchPartition, FetchTopic};
    use penstock_wire::{Writer, decode_response};
    use tokio::time::Instant;

    use super::*;
    use crate::context::Client;
    use crate::dispatch::{Dispatched, dispatch};
    use crate::testing::TestAgent;

    fn body<R: Request>(request: &R, version: i16) -> Reader {
        let mut writer = Writer::new();
        request.encode(&mut writer, version).unwrap();
        Reader::new(writer.finish().to_bytes())
    }

    fn refused<R: Request>(request: &R, version: i16) -> R::Response {
        let frame = answer(R::KEY, version, 3, &mut body(request, version))
            .unwrap()
            .unwrap()
            .unwrap()
            .to_bytes();
        let (correlation_id, response) = decode_response::<R>(&mut Reader::new(frame.slice(4..)), version).unwrap();
        assert_eq!(correlation_id, 3);
        response
    }

    #[test]
    fn an_old_version_is_refused_in_its_own_form_for_each_thing_asked() {
        let partitions = vec![FetchPartition {
            partition: 4,
            ..Default::default()
        }];
        let topics = vec![FetchTopic {
            topic: "a".to_owned(),
            partitions,
            ..Default::default()
        }];
        for version in 0..4 {
            let answer = refused(
                &FetchRequest {
                    topics: topics.clone(),
                    ..Default::default()
                },
                version,
            );
            let partition = &answer.responses[0].partitions[0];
            assert_eq!(
                (partition.partition_index, partition.error_code),
                (4, ErrorCode::UNSUPPORTED_VERSION)
            );
        }
        let topics = vec![CreatableTopic {
            name: "a".to_owned(),
            ..Default::default()
        }];
        let answer = refused(
            &CreateTopicsRequest {
                topics,
                ..Default::default()
            },
            0,
        );
        assert_eq!(answer.topics[0].error_code, ErrorCode::UNSUPPORTED_VERSION);
    }

    #[test]
    fn every_api_with_old_versions_has_a_form_in_which_to_refuse_them() {
        for key in ApiKey::ALL {
            for version in 0..*key.versions().start() {
                // Zeros are an empty request of every such version; what is left over is ignored.
                let answer = answer(*key, version, 1, &mut Reader::new(vec![0; 64].into())).unwrap();
                assert!(answer.is_some_and(|frame| frame.is_ok()), "{key:?} {version}");
            }
        }
    }

    #[test]
    fn a_version_newer_than_all_that_we_know_has_no_form_except_for_api_versions() {
        for key in ApiKey::ALL {
            let newer = key.versions().end() + 1;
            let answer = answer(*key, newer, 1, &mut Reader::new(vec![0; 64].into())).unwrap();
            assert_eq!(answer.is_some(), *key == ApiKey::ApiVersions, "{key:?}");
        }
        let frame = answer(ApiKey::ApiVersions, 99, 1, &mut Reader::new(Vec::new().into()))
            .unwrap()
            .unwrap()
            .unwrap();
        let mut reader = Reader::new(frame.to_bytes().slice(4..));
        let (_, list) = decode_response::<ApiVersionsRequest>(&mut reader, 0).unwrap();
        assert_eq!(
            (list.error_code, list.api_keys),
            (
                ErrorCode::UNSUPPORTED_VERSION,
                api_versions::versions(ErrorCode::NONE).api_keys
            )
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_comes_late_and_the_versions_to_use_at_once() {
        let agent = TestAgent::new();
        let client = Client::anonymous(([127, 0, 0, 1], 1).into(), "tests".into());
        for (key, version, expected) in [
            (ApiKey::Fetch, 3, REFUSAL_DELAY),
            (ApiKey::ApiVersions, 99, Duration::ZERO),
        ] {
            let header = [key.code(), version, 0, 1, -1].map(i16::to_be_bytes).concat();
            let frame = [header, vec![0; 64]].concat().into();
            let sent = Instant::now();
            match dispatch(&agent.context(), frame, None, &client).unwrap() {
                Dispatched::Alone(answer) => assert!(answer.await.unwrap().frame.is_some()),
                Dispatched::Admitted(_) | Dispatched::Admitting(_) => panic!("only writes are admitted"),
            }
            assert_eq!(sent.elapsed(), expected, "{key:?}");
        }
    }
}
