//! Compares every version of every message with the independent `kafka-protocol` crate, in both directions.

use bytes::{Bytes, BytesMut};
use kafka_protocol::messages as theirs;
use kafka_protocol::protocol::{Decodable, Encodable, Message as _};
use proptest::prelude::*;

use crate::field::Form;
use crate::message::{Message, Request};
use crate::messages as ours;
use crate::reader::Reader;
use crate::sampler::Sampler;
use crate::writer::Writer;
use crate::{ApiKey, DecodeReason, EncodeError, RequestHeader, encode_request, encode_response};

/// Checks that the oracle decodes our message, encodes it to the same bytes, and that we decode those to the same
/// message.
fn agree<Ours, Theirs>(seed: u64)
where
    Ours: Message + PartialEq + std::fmt::Debug,
    Theirs: Encodable + Decodable + kafka_protocol::protocol::Message,
{
    let last = Ours::LAST_VERSION.min(Theirs::VERSIONS.max);
    for version in Theirs::VERSIONS.min..=last {
        let context = format!("{} version {version}", std::any::type_name::<Ours>());
        let form = Form::new(version, version >= Ours::FLEXIBLE_FROM);
        let message = Ours::sample(&mut Sampler::new(seed), form);
        let mut writer = Writer::new();
        message.encode(&mut writer, version).unwrap();
        let ours = writer.finish().to_bytes();

        let mut unread = ours.clone();
        let read = Theirs::decode(&mut unread, version).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(unread.is_empty(), "{context}: {} bytes left", unread.len());
        let mut written = BytesMut::new();
        read.encode(&mut written, version)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(ours, written, "{context}");

        let mut reader = Reader::new(written.freeze());
        assert_eq!(Ours::decode(&mut reader, version).unwrap(), message, "{context}");
        assert_eq!(reader.remaining(), 0, "{context}");
    }
}

/// Checks all versions, including those that the oracle does not know.
fn reads_back<M: Message + PartialEq + std::fmt::Debug>(seed: u64) {
    for version in 0..=M::LAST_VERSION {
        let message = M::sample(&mut Sampler::new(seed), Form::new(version, version >= M::FLEXIBLE_FROM));
        let mut writer = Writer::new();
        message.encode(&mut writer, version).unwrap();
        let mut reader = Reader::new(writer.finish().to_bytes());
        assert_eq!(M::decode(&mut reader, version).unwrap(), message);
        assert_eq!(reader.remaining(), 0);
    }
}

macro_rules! agree_on {
    ($($test:ident: $request:ident, $response:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(48))]
            $(
                #[test]
                fn $test(seed in any::<u64>()) {
                    agree::<ours::$request, theirs::$request>(seed);
                    agree::<ours::$response, theirs::$response>(seed);
                }
            )*
        }

        proptest! {
            #[test]
            fn every_message_version_round_trips(seed in any::<u64>()) {
                $(
                    reads_back::<ours::$request>(seed);
                    reads_back::<ours::$response>(seed);
                )*
            }
        }

        #[test]
        fn compares_every_served_version_that_the_oracle_knows() {
            let mut newer = Vec::new();
            $(
                if *ours::$request::VERSIONS.end() > theirs::$request::VERSIONS.max {
                    newer.push((ours::$request::KEY, *ours::$request::VERSIONS.end()));
                }
            )*
            // Stable since Kafka 4.2, or new in 4.3.
            assert_eq!(
                newer,
                [
                    (ApiKey::ListOffsets, 11),
                    (ApiKey::OffsetCommit, 10),
                    (ApiKey::OffsetFetch, 10),
                    (ApiKey::WriteTxnMarkers, 2),
                    (ApiKey::DescribeLogDirs, 5)
                ]
            );
            assert_eq!([$(ours::$request::KEY),*].len(), ApiKey::ALL.len());
        }
    };
}

agree_on! {
    api_versions_agrees: ApiVersionsRequest, ApiVersionsResponse;
    create_partitions_agrees: CreatePartitionsRequest, CreatePartitionsResponse;
    create_topics_agrees: CreateTopicsRequest, CreateTopicsResponse;
    delete_groups_agrees: DeleteGroupsRequest, DeleteGroupsResponse;
    delete_records_agrees: DeleteRecordsRequest, DeleteRecordsResponse;
    delete_topics_agrees: DeleteTopicsRequest, DeleteTopicsResponse;
    describe_cluster_agrees: DescribeClusterRequest, DescribeClusterResponse;
    describe_configs_agrees: DescribeConfigsRequest, DescribeConfigsResponse;
    describe_groups_agrees: DescribeGroupsRequest, DescribeGroupsResponse;
    fetch_agrees: FetchRequest, FetchResponse;
    find_coordinator_agrees: FindCoordinatorRequest, FindCoordinatorResponse;
    heartbeat_agrees: HeartbeatRequest, HeartbeatResponse;
    incremental_alter_configs_agrees: IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse;
    init_producer_id_agrees: InitProducerIdRequest, InitProducerIdResponse;
    join_group_agrees: JoinGroupRequest, JoinGroupResponse;
    leave_group_agrees: LeaveGroupRequest, LeaveGroupResponse;
    list_groups_agrees: ListGroupsRequest, ListGroupsResponse;
    list_offsets_agrees: ListOffsetsRequest, ListOffsetsResponse;
    metadata_agrees: MetadataRequest, MetadataResponse;
    offset_commit_agrees: OffsetCommitRequest, OffsetCommitResponse;
    offset_delete_agrees: OffsetDeleteRequest, OffsetDeleteResponse;
    offset_fetch_agrees: OffsetFetchRequest, OffsetFetchResponse;
    offset_for_leader_epoch_agrees: OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse;
    produce_agrees: ProduceRequest, ProduceResponse;
    sasl_authenticate_agrees: SaslAuthenticateRequest, SaslAuthenticateResponse;
    sasl_handshake_agrees: SaslHandshakeRequest, SaslHandshakeResponse;
    sync_group_agrees: SyncGroupRequest, SyncGroupResponse;
    add_partitions_to_txn_agrees: AddPartitionsToTxnRequest, AddPartitionsToTxnResponse;
    add_offsets_to_txn_agrees: AddOffsetsToTxnRequest, AddOffsetsToTxnResponse;
    end_txn_agrees: EndTxnRequest, EndTxnResponse;
    write_txn_markers_agrees: WriteTxnMarkersRequest, WriteTxnMarkersResponse;
    txn_offset_commit_agrees: TxnOffsetCommitRequest, TxnOffsetCommitResponse;
    describe_producers_agrees: DescribeProducersRequest, DescribeProducersResponse;
    describe_transactions_agrees: DescribeTransactionsRequest, DescribeTransactionsResponse;
    list_transactions_agrees: ListTransactionsRequest, ListTransactionsResponse;
    describe_acls_agrees: DescribeAclsRequest, DescribeAclsResponse;
    create_acls_agrees: CreateAclsRequest, CreateAclsResponse;
    delete_acls_agrees: DeleteAclsRequest, DeleteAclsResponse;
    describe_client_quotas_agrees: DescribeClientQuotasRequest, DescribeClientQuotasResponse;
    alter_client_quotas_agrees: AlterClientQuotasRequest, AlterClientQuotasResponse;
    describe_user_scram_credentials_agrees: DescribeUserScramCredentialsRequest, DescribeUserScramCredentialsResponse;
    alter_user_scram_credentials_agrees: AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse;
    alter_configs_agrees: AlterConfigsRequest, AlterConfigsResponse;
    alter_replica_log_dirs_agrees: AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse;
    describe_log_dirs_agrees: DescribeLogDirsRequest, DescribeLogDirsResponse;
    create_delegation_token_agrees: CreateDelegationTokenRequest, CreateDelegationTokenResponse;
    renew_delegation_token_agrees: RenewDelegationTokenRequest, RenewDelegationTokenResponse;
    expire_delegation_token_agrees: ExpireDelegationTokenRequest, ExpireDelegationTokenResponse;
    describe_delegation_token_agrees: DescribeDelegationTokenRequest, DescribeDelegationTokenResponse;
    elect_leaders_agrees: ElectLeadersRequest, ElectLeadersResponse;
    alter_partition_reassignments_agrees: AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse;
    list_partition_reassignments_agrees: ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse;
    describe_quorum_agrees: DescribeQuorumRequest, DescribeQuorumResponse;
    update_features_agrees: UpdateFeaturesRequest, UpdateFeaturesResponse;
    get_telemetry_subscriptions_agrees: GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse;
    push_telemetry_agrees: PushTelemetryRequest, PushTelemetryResponse;
    consumer_group_heartbeat_agrees: ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse;
    consumer_group_describe_agrees: ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse;
    list_config_resources_agrees: ListConfigResourcesRequest, ListConfigResourcesResponse;
    describe_topic_partitions_agrees: DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse;
}

/// Checks headers in both directions, in the version that Kafka defines for each API version.
#[test]
fn headers_agree_for_every_api_and_version() {
    for key in ApiKey::ALL {
        let their_key = theirs::ApiKey::try_from(key.code()).unwrap();
        for version in key.versions() {
            assert_eq!(
                their_key.request_header_version(version),
                1 + i16::from(key.is_flexible(version)),
                "{key:?}"
            );
            assert_eq!(
                their_key.response_header_version(version),
                i16::from(key.has_flexible_response_header(version)),
                "{key:?}"
            );
        }
    }
}

#[test]
fn a_request_frame_round_trips_with_its_header() {
    for version in [1, 12] {
        let joined = encode_request(&ours::MetadataRequest::default(), version, 7, Some("me"))
            .unwrap()
            .to_bytes();
        assert_eq!(joined[..4], u32::try_from(joined.len() - 4).unwrap().to_be_bytes());
        let mut reader = Reader::new(joined.slice(4..));
        let header = RequestHeader::decode(&mut reader).unwrap();
        let expected = RequestHeader {
            api_key: 3,
            api_version: version,
            correlation_id: 7,
            client_id: Some("me".into()),
        };
        assert_eq!(header, expected);
        let body = ours::MetadataRequest::decode(&mut reader, version).unwrap();
        assert_eq!(body, ours::MetadataRequest::default());
    }
}

#[test]
fn refuses_null_where_a_version_does_not_allow_it() {
    let unnamed = ours::MetadataRequest {
        topics: Some(vec![Default::default()]),
        ..Default::default()
    };
    assert!(unnamed.encode(&mut Writer::new(), 12).is_ok());
    assert_eq!(
        unnamed.encode(&mut Writer::new(), 9),
        Err(EncodeError::NullNotAllowed(9))
    );
    let null_array = Bytes::from_static(&[0xff, 0xff, 0xff, 0xff]);
    let refused = ours::MetadataRequest::decode(&mut Reader::new(null_array.clone()), 0).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "field MetadataRequest.topics: is null, which this version does not allow"
    );
    assert!(ours::MetadataRequest::decode(&mut Reader::new(null_array), 1).is_ok());
}

#[test]
fn skips_unknown_tagged_fields_and_refuses_misordered_ones() {
    let body = |tags: &[u8]| {
        let mut bytes = vec![1, 1]; // two empty compact strings
        bytes.extend_from_slice(tags);
        ours::ApiVersionsRequest::decode(&mut Reader::new(bytes.into()), 3)
    };
    assert_eq!(body(&[2, 5, 1, 0xaa, 9, 0]), Ok(ours::ApiVersionsRequest::default()));
    assert_eq!(body(&[2, 9, 0, 5, 0]).unwrap_err().reason, DecodeReason::TagsOutOfOrder);
}

#[test]
fn an_api_versions_response_never_has_a_flexible_header() {
    let frame = encode_response(&ours::ApiVersionsResponse::default(), 3, 9)
        .unwrap()
        .to_bytes();
    // After the length and correlation id, the error code follows directly.
    assert_eq!(frame.slice(4..10), Bytes::from_static(&[0, 0, 0, 9, 0, 0]));
}

#[test]
fn sends_fetched_records_without_copying_them() {
    let records = Bytes::from(vec![1u8; 100_000]);
    let partition = ours::fetch::PartitionData {
        records: crate::RecordChunks(vec![records.clone(), records.slice(..50_000)]),
        ..Default::default()
    };
    let topic = ours::fetch::FetchableTopicResponse {
        partitions: vec![partition],
        ..Default::default()
    };
    let body = ours::FetchResponse {
        responses: vec![topic],
        ..Default::default()
    };
    let frame = encode_response(&body, 16, 1).unwrap();
    assert!(
        frame
            .chunks
            .iter()
            .any(|chunk| chunk.as_ptr() == records.as_ptr() && chunk.len() == records.len())
    );
    assert!(
        frame
            .chunks
            .iter()
            .any(|chunk| chunk.as_ptr() == records.as_ptr() && chunk.len() == 50_000)
    );
    let (_, read) =
        crate::decode_response::<ours::FetchRequest>(&mut Reader::new(frame.to_bytes().slice(4..)), 16).unwrap();
    assert_eq!(read, body);
}
