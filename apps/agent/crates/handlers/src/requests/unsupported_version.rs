//! Rejects request versions that we do not support. Old versions whose encoding we know get UNSUPPORTED_VERSION for each item of the
//! request. Newer versions than we know cannot be answered.

use std::time::Duration;

use penstock_wire::messages::alter_replica_log_dirs::{
    AlterReplicaLogDirPartitionResult, AlterReplicaLogDirTopicResult,
};
use penstock_wire::messages::create_topics::CreatableTopicResult;
use penstock_wire::messages::delete_topics::DeletableTopicResult;
use penstock_wire::messages::describe_configs::DescribeConfigsResult;
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
    let refused = Refused {
        body,
        version,
        correlation_id,
    };
    match key {
        ApiKey::AlterReplicaLogDirs => refused.with(|request: AlterReplicaLogDirsRequest| {
            let topics: Vec<_> = request.dirs.into_iter().flat_map(|dir| dir.topics).collect();
            AlterReplicaLogDirsResponse {
                results: each(topics, |topic| AlterReplicaLogDirTopicResult {
                    topic_name: topic.name,
                    partitions: each(topic.partitions, |partition_index| AlterReplicaLogDirPartitionResult {
                        partition_index,
                        error_code: REFUSED,
                    }),
                }),
                ..Default::default()
            }
        }),
        ApiKey::CreateAcls => refused.with(|request: CreateAclsRequest| CreateAclsResponse {
            results: each(request.creations, |_| REFUSED.into()),
            ..Default::default()
        }),
        ApiKey::CreateDelegationToken => refused.whole::<CreateDelegationTokenRequest>(),
        ApiKey::CreateTopics => refused.with(|request: CreateTopicsRequest| CreateTopicsResponse {
            topics: each(request.topics, |topic| CreatableTopicResult {
                name: topic.name,
                ..REFUSED.into()
            }),
            ..Default::default()
        }),
        ApiKey::DeleteAcls => refused.with(|request: DeleteAclsRequest| DeleteAclsResponse {
            filter_results: each(request.filters, |_| REFUSED.into()),
            ..Default::default()
        }),
        ApiKey::DeleteTopics => refused.with(|request: DeleteTopicsRequest| DeleteTopicsResponse {
            responses: each(request.topic_names, |name| DeletableTopicResult {
                name: Some(name),
                ..REFUSED.into()
            }),
            ..Default::default()
        }),
        ApiKey::DescribeAcls => refused.whole::<DescribeAclsRequest>(),
        ApiKey::DescribeConfigs => refused.with(|request: DescribeConfigsRequest| DescribeConfigsResponse {
            results: each(request.resources, |resource| DescribeConfigsResult {
                resource_type: resource.resource_type,
                resource_name: resource.resource_name,
                ..REFUSED.into()
            }),
            ..Default::default()
        }),
        ApiKey::DescribeDelegationToken => refused.whole::<DescribeDelegationTokenRequest>(),
        ApiKey::DescribeLogDirs => refused.with(|_: DescribeLogDirsRequest| DescribeLogDirsResponse {
            results: vec![REFUSED.into()],
            ..Default::default()
        }),
        ApiKey::ExpireDelegationToken => refused.whole::<ExpireDelegationTokenRequest>(),
        ApiKey::Fetch => refused.with(|request: FetchRequest| FetchResponse {
            responses: each(request.topics, |topic| FetchableTopicResponse {
                topic: topic.topic,
                partitions: each(topic.partitions, |partition| PartitionData {
                    partition_index: partition.partition,
                    high_watermark: -1,
                    ..REFUSED.into()
                }),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ApiKey::ListOffsets => refused.with(|request: ListOffsetsRequest| ListOffsetsResponse {
            topics: each(request.topics, |topic| ListOffsetsTopicResponse {
                name: topic.name,
                partitions: each(topic.partitions, |partition| ListOffsetsPartitionResponse {
                    partition_index: partition.partition_index,
                    ..REFUSED.into()
                }),
            }),
            ..Default::default()
        }),
        ApiKey::OffsetCommit => refused.with(|request: OffsetCommitRequest| OffsetCommitResponse {
            topics: each(request.topics, |topic| OffsetCommitResponseTopic {
                name: topic.name,
                partitions: each(topic.partitions, |partition| OffsetCommitResponsePartition {
                    partition_index: partition.partition_index,
                    error_code: REFUSED,
                }),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ApiKey::OffsetFetch => refused.with(|request: OffsetFetchRequest| OffsetFetchResponse {
            topics: each(request.topics.unwrap_or_default(), |topic| OffsetFetchResponseTopic {
                name: topic.name,
                partitions: each(topic.partition_indexes, |partition_index| {
                    OffsetFetchResponsePartition {
                        partition_index,
                        committed_offset: -1,
                        metadata: Some(String::new()),
                        ..REFUSED.into()
                    }
                }),
            }),
            ..Default::default()
        }),
        ApiKey::OffsetForLeaderEpoch => {
            refused.with(|request: OffsetForLeaderEpochRequest| OffsetForLeaderEpochResponse {
                topics: each(request.topics, |topic| OffsetForLeaderTopicResult {
                    topic: topic.topic,
                    partitions: each(topic.partitions, |partition| EpochEndOffset {
                        partition: partition.partition,
                        ..REFUSED.into()
                    }),
                }),
                ..Default::default()
            })
        }
        ApiKey::Produce => refused.with(|request: ProduceRequest| ProduceResponse {
            responses: each(request.topic_data, |topic| TopicProduceResponse {
                name: topic.name,
                partition_responses: each(topic.partition_data, |partition| PartitionProduceResponse {
                    index: partition.index,
                    base_offset: -1,
                    ..REFUSED.into()
                }),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ApiKey::RenewDelegationToken => refused.whole::<RenewDelegationTokenRequest>(),
        ApiKey::WriteTxnMarkers => refused.with(|request: WriteTxnMarkersRequest| WriteTxnMarkersResponse {
            markers: each(request.markers, |marker| WritableTxnMarkerResult {
                producer_id: marker.producer_id,
                topics: each(marker.topics, |topic| WritableTxnMarkerTopicResult {
                    name: topic.name,
                    partitions: each(topic.partition_indexes, |partition_index| {
                        WritableTxnMarkerPartitionResult {
                            partition_index,
                            error_code: REFUSED,
                        }
                    }),
                }),
            }),
        }),
        // All others are served from version 0 on.
        _ => Ok(None),
    }
}

/// A request whose version is refused.
struct Refused<'a> {
    body: &'a mut Reader,
    version: i16,
    correlation_id: i32,
}

impl Refused<'_> {
    /// Encodes the refusal that `refusal` makes of the request.
    fn with<R: Request>(
        self,
        refusal: impl FnOnce(R) -> R::Response,
    ) -> Result<Option<Result<Frame, EncodeError>>, DecodeError> {
        let request = <R as Message>::decode(self.body, self.version)?;
        Ok(Some(encode_response(
            &refusal(request),
            self.version,
            self.correlation_id,
        )))
    }

    /// Encodes a response that holds nothing but the error.
    fn whole<R>(self) -> Result<Option<Result<Frame, EncodeError>>, DecodeError>
    where
        R: Request,
        R::Response: From<ErrorCode>,
    {
        self.with(|_: R| REFUSED.into())
    }
}

/// An answer for each item of the request.
fn each<A, B>(items: Vec<A>, answer: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(answer).collect()
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::create_topics::CreatableTopic;
    use penstock_wire::messages::fetch::{FetchPartition, FetchTopic};
    use penstock_wire::{Writer, decode_response};
    use tokio::time::Instant;

    use super::*;
    use crate::context::Client;
    use crate::requests::dispatch::{Dispatched, dispatch};
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
