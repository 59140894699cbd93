//! Rejects unsupported request versions. Old versions whose encoding is known get UNSUPPORTED_VERSION for each item in
//! the request. Newer versions than those known cannot be answered.

use std::time::Duration;

use penstock_wire::messages::*;
use penstock_wire::{
    AnswerAll, ApiKey, DecodeError, EncodeError, ErrorCode, Frame, Message, Reader, Request, encode_response,
};

use crate::apis::api_versions;

const REFUSED: ErrorCode = ErrorCode::UNSUPPORTED_VERSION;

/// Delay before a refusal is sent. Some clients retry immediately, thousands of times per second.
const REFUSAL_DELAY: Duration = Duration::from_millis(100);

/// The delay of a refusal. None for ApiVersions, because that is how clients discover the versions.
pub(crate) fn delay(key: ApiKey) -> Duration {
    if key == ApiKey::ApiVersions {
        Duration::ZERO
    } else {
        REFUSAL_DELAY
    }
}

/// Returns the refusal of a request in an unsupported version; `None` if it has no response format.
///
/// # Errors
/// Returns an error if the body is not a valid request of that version.
pub(crate) fn answer(
    key: ApiKey,
    version: i16,
    correlation_id: i32,
    body: &mut Reader,
) -> Result<Option<Result<Frame, EncodeError>>, DecodeError> {
    if key == ApiKey::ApiVersions {
        // A client may send any version. The response, in version 0, lists the supported ones.
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
        ApiKey::AlterReplicaLogDirs => refused.each::<AlterReplicaLogDirsRequest>(),
        ApiKey::CreateAcls => refused.each::<CreateAclsRequest>(),
        ApiKey::CreateDelegationToken => refused.whole::<CreateDelegationTokenRequest>(),
        ApiKey::CreateTopics => refused.each::<CreateTopicsRequest>(),
        ApiKey::DeleteAcls => refused.each::<DeleteAclsRequest>(),
        ApiKey::DeleteTopics => refused.each::<DeleteTopicsRequest>(),
        ApiKey::DescribeAcls => refused.whole::<DescribeAclsRequest>(),
        ApiKey::DescribeConfigs => refused.each::<DescribeConfigsRequest>(),
        ApiKey::DescribeDelegationToken => refused.whole::<DescribeDelegationTokenRequest>(),
        ApiKey::DescribeLogDirs => refused.with(|_: DescribeLogDirsRequest| DescribeLogDirsResponse {
            results: vec![REFUSED.into()],
            ..Default::default()
        }),
        ApiKey::ExpireDelegationToken => refused.whole::<ExpireDelegationTokenRequest>(),
        ApiKey::Fetch => refused.each::<FetchRequest>(),
        ApiKey::ListOffsets => refused.each::<ListOffsetsRequest>(),
        ApiKey::OffsetCommit => refused.each::<OffsetCommitRequest>(),
        ApiKey::OffsetFetch => refused.each::<OffsetFetchRequest>(),
        ApiKey::OffsetForLeaderEpoch => refused.each::<OffsetForLeaderEpochRequest>(),
        ApiKey::Produce => refused.each::<ProduceRequest>(),
        ApiKey::RenewDelegationToken => refused.whole::<RenewDelegationTokenRequest>(),
        ApiKey::WriteTxnMarkers => refused.each::<WriteTxnMarkersRequest>(),
        // All others are supported from version 0.
        _ => Ok(None),
    }
}

/// A request in an unsupported version.
struct Refused<'a> {
    body: &'a mut Reader,
    version: i16,
    correlation_id: i32,
}

impl Refused<'_> {
    /// Encodes the response that `refusal` creates for the request.
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

    /// Encodes a response with the error for each item of the request.
    fn each<R>(self) -> Result<Option<Result<Frame, EncodeError>>, DecodeError>
    where
        R: AnswerAll,
        R::Item: From<ErrorCode>,
    {
        self.with(|request: R| request.answer_all(REFUSED))
    }

    /// Encodes a response that contains only the error.
    fn whole<R>(self) -> Result<Option<Result<Frame, EncodeError>>, DecodeError>
    where
        R: Request,
        R::Response: From<ErrorCode>,
    {
        self.with(|_: R| REFUSED.into())
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
    fn refuses_an_old_version_in_its_format_for_each_item() {
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
    fn every_api_with_old_versions_can_refuse_them() {
        for key in ApiKey::ALL {
            for version in 0..*key.versions().start() {
                // Zeros are an empty request in every such version; excess bytes are ignored.
                let answer = answer(*key, version, 1, &mut Reader::new(vec![0; 64].into())).unwrap();
                assert!(answer.is_some_and(|frame| frame.is_ok()), "{key:?} {version}");
            }
        }
    }

    #[test]
    fn an_unknown_newer_version_has_no_format_except_api_versions() {
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
    async fn a_refusal_is_delayed_but_api_versions_is_not() {
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
