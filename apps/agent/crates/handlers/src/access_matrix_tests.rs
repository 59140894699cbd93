//! Calls every Kafka API as a client that lacks a required right, as one with exactly the required rights, and as a
//! super user.

use std::net::Ipv4Addr;
use std::sync::Arc;

use bytes::Bytes;
use penstock_access::NOT_ASKED_FOR;
use penstock_access::testing::{rule, security};
use penstock_authz::{Operation, Operations, Principal, ResourceType};
use penstock_metadata_client::proto;
use penstock_wire::messages::add_partitions_to_txn::AddPartitionsToTxnTopic;
use penstock_wire::messages::alter_client_quotas::{QuotaAlteration, QuotaEntity};
use penstock_wire::messages::alter_replica_log_dirs::{AlterReplicaLogDir, AlterReplicaLogDirTopic};
use penstock_wire::messages::alter_user_scram_credentials::ScramCredentialDeletion;
use penstock_wire::messages::create_partitions::CreatePartitionsTopic;
use penstock_wire::messages::create_topics::CreatableTopic;
use penstock_wire::messages::delete_records::{DeleteRecordsPartition, DeleteRecordsTopic};
use penstock_wire::messages::delete_topics::DeleteTopicState;
use penstock_wire::messages::describe_configs::DescribeConfigsResource;
use penstock_wire::messages::describe_producers::TopicRequest as ProducersTopic;
use penstock_wire::messages::describe_topic_partitions::TopicRequest;
use penstock_wire::messages::fetch::{FetchPartition, FetchTopic};
use penstock_wire::messages::incremental_alter_configs::AlterConfigsResource;
use penstock_wire::messages::list_offsets::{ListOffsetsPartition, ListOffsetsTopic};
use penstock_wire::messages::metadata::MetadataRequestTopic;
use penstock_wire::messages::offset_commit::{OffsetCommitRequestPartition, OffsetCommitRequestTopic};
use penstock_wire::messages::offset_delete::{OffsetDeleteRequestPartition, OffsetDeleteRequestTopic};
use penstock_wire::messages::offset_fetch::{OffsetFetchRequestGroup, OffsetFetchRequestTopics};
use penstock_wire::messages::offset_for_leader_epoch::{OffsetForLeaderPartition, OffsetForLeaderTopic};
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::txn_offset_commit::TxnOffsetCommitRequestTopic;
use penstock_wire::messages::write_txn_markers::{WritableTxnMarker, WritableTxnMarkerTopic};
use penstock_wire::messages::*;
use penstock_wire::record_batch::HEADER_BYTES;
use penstock_wire::{ApiKey, ErrorCode, Reader, Request, decode_response, encode_request};

use crate::context::Client;
use crate::requests::dispatch::{Dispatched, dispatch};
use crate::testing::{LISTENER, TestAgent, topic, wire_id};

const TOPIC: &str = "orders";
const TOPIC_ID: u8 = 1;
const GROUP: &str = "app";
const TRANSACTION: &str = "tx";
const CLUSTER: &str = penstock_authz::CLUSTER_NAME;
/// Resource types of configs.
const TOPIC_CONFIGS: i8 = 2;
const BROKER_CONFIGS: i8 = 4;
const GROUP_CONFIGS: i8 = 32;

const TOPIC_DENIED: ErrorCode = ErrorCode::TOPIC_AUTHORIZATION_FAILED;
const GROUP_DENIED: ErrorCode = ErrorCode::GROUP_AUTHORIZATION_FAILED;
const CLUSTER_DENIED: ErrorCode = ErrorCode::CLUSTER_AUTHORIZATION_FAILED;
const TRANSACTION_DENIED: ErrorCode = ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
const DENIED: [ErrorCode; 5] = [
    TOPIC_DENIED,
    GROUP_DENIED,
    CLUSTER_DENIED,
    TRANSACTION_DENIED,
    ErrorCode::DELEGATION_TOKEN_AUTHORIZATION_FAILED,
];

/// A right that a request needs, and the error without it.
type Need = (ResourceType, &'static str, Operation, ErrorCode);

struct Row {
    key: ApiKey,
    what: &'static str,
    frame: Bytes,
    needs: Vec<Need>,
}

fn row<R: Request>(what: &'static str, version: i16, request: &R, needs: &[Need]) -> Row {
    Row {
        key: R::KEY,
        what,
        frame: frame(version, request),
        needs: needs.to_vec(),
    }
}

/// Encodes a request frame without its length.
fn frame<R: Request>(version: i16, request: &R) -> Bytes {
    encode_request(request, version, 1, Some("app"))
        .unwrap()
        .to_bytes()
        .slice(4..)
}

fn on_topic(operation: Operation) -> Need {
    (ResourceType::Topic, TOPIC, operation, TOPIC_DENIED)
}

fn on_group(operation: Operation) -> Need {
    (ResourceType::Group, GROUP, operation, GROUP_DENIED)
}

fn on_transaction(operation: Operation) -> Need {
    (
        ResourceType::TransactionalId,
        TRANSACTION,
        operation,
        TRANSACTION_DENIED,
    )
}

fn on_cluster(operation: Operation) -> Need {
    (ResourceType::Cluster, CLUSTER, operation, CLUSTER_DENIED)
}

fn named() -> String {
    TOPIC.to_owned()
}

fn group_id() -> String {
    GROUP.to_owned()
}

fn transactional_id() -> String {
    TRANSACTION.to_owned()
}

/// Rows for APIs that change nothing security-related. Topics are named, unless the row says that it uses ids.
fn rows() -> Vec<Row> {
    let mut rows = data_rows();
    rows.extend(group_rows());
    rows.extend(transaction_rows());
    rows.extend(admin_rows());
    rows.extend(config_rows());
    rows.extend(operator_rows());
    rows.extend(security_rows());
    rows.extend(security_change_rows());
    rows
}

fn security_rows() -> Vec<Row> {
    vec![
        row(
            "",
            3,
            &DescribeAclsRequest {
                resource_type_filter: 1,
                pattern_type_filter: 1,
                operation: 1,
                permission_type: 1,
                ..Default::default()
            },
            &[on_cluster(Operation::Describe)],
        ),
        row(
            "",
            0,
            &DescribeUserScramCredentialsRequest::default(),
            &[on_cluster(Operation::Describe)],
        ),
        row(
            "",
            1,
            &DescribeClientQuotasRequest::default(),
            &[on_cluster(Operation::DescribeConfigs)],
        ),
    ]
}

/// Rows for security changes, which shadow mode also refuses.
fn security_change_rows() -> Vec<Row> {
    let create_acls = CreateAclsRequest {
        creations: vec![Default::default()],
    };
    let delete_acls = DeleteAclsRequest {
        filters: vec![Default::default()],
    };
    vec![
        row("", 3, &create_acls, &[on_cluster(Operation::Alter)]),
        row("", 3, &delete_acls, &[on_cluster(Operation::Alter)]),
        row("", 0, &alter_credentials(), &[on_cluster(Operation::Alter)]),
        row("", 1, &alter_quotas(), &[on_cluster(Operation::AlterConfigs)]),
    ]
}

fn alter_credentials() -> AlterUserScramCredentialsRequest {
    AlterUserScramCredentialsRequest {
        deletions: vec![ScramCredentialDeletion {
            name: "bob".to_owned(),
            mechanism: 1,
        }],
        ..Default::default()
    }
}

fn alter_quotas() -> AlterClientQuotasRequest {
    AlterClientQuotasRequest {
        entries: vec![QuotaAlteration {
            entity: vec![QuotaEntity {
                entity_type: "user".to_owned(),
                entity_name: None,
            }],
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn data_rows() -> Vec<Row> {
    let produce = |name: String, topic_id| ProduceRequest {
        acks: 1,
        topic_data: vec![TopicProduceData {
            name,
            topic_id,
            partition_data: vec![PartitionProduceData::default()],
        }],
        ..Default::default()
    };
    let fetch = |topic: String, topic_id| FetchRequest {
        topics: vec![FetchTopic {
            topic,
            topic_id,
            partitions: vec![FetchPartition::default()],
        }],
        ..Default::default()
    };
    let metadata = |name, topic_id| MetadataRequest {
        topics: Some(vec![MetadataRequestTopic { name, topic_id }]),
        ..Default::default()
    };
    let no_id = Default::default;
    let list_offsets = ListOffsetsRequest {
        topics: vec![ListOffsetsTopic {
            name: named(),
            partitions: vec![ListOffsetsPartition::default()],
        }],
        ..Default::default()
    };
    let epochs = OffsetForLeaderEpochRequest {
        topics: vec![OffsetForLeaderTopic {
            topic: named(),
            partitions: vec![OffsetForLeaderPartition::default()],
        }],
        ..Default::default()
    };
    vec![
        row("by name", 12, &produce(named(), no_id()), &[on_topic(Operation::Write)]),
        row(
            "by id",
            13,
            &produce(String::new(), wire_id(TOPIC_ID)),
            &[on_topic(Operation::Write)],
        ),
        row("by name", 12, &fetch(named(), no_id()), &[on_topic(Operation::Read)]),
        row(
            "by id",
            13,
            &fetch(String::new(), wire_id(TOPIC_ID)),
            &[on_topic(Operation::Read)],
        ),
        row(
            "by name",
            12,
            &metadata(Some(named()), no_id()),
            &[on_topic(Operation::Describe)],
        ),
        row(
            "by id",
            12,
            &metadata(None, wire_id(TOPIC_ID)),
            &[on_topic(Operation::Describe)],
        ),
        row("", 9, &list_offsets, &[on_topic(Operation::Describe)]),
        row("", 4, &epochs, &[on_topic(Operation::Describe)]),
        row(
            "",
            4,
            &InitProducerIdRequest::default(),
            &[on_cluster(Operation::IdempotentWrite)],
        ),
    ]
}

fn group_rows() -> Vec<Row> {
    let commit = |name: String, topic_id| OffsetCommitRequest {
        group_id: group_id(),
        topics: vec![OffsetCommitRequestTopic {
            name,
            topic_id,
            partitions: vec![OffsetCommitRequestPartition::default()],
        }],
        ..Default::default()
    };
    let fetch = |name: String, topic_id| OffsetFetchRequest {
        groups: vec![OffsetFetchRequestGroup {
            group_id: group_id(),
            topics: Some(vec![OffsetFetchRequestTopics {
                name,
                topic_id,
                partition_indexes: vec![0],
            }]),
            ..Default::default()
        }],
        ..Default::default()
    };
    let delete = OffsetDeleteRequest {
        group_id: group_id(),
        topics: vec![OffsetDeleteRequestTopic {
            name: named(),
            partitions: vec![OffsetDeleteRequestPartition::default()],
        }],
    };
    let coordinator = FindCoordinatorRequest {
        coordinator_keys: vec![group_id()],
        ..Default::default()
    };
    let old_coordinator = FindCoordinatorRequest {
        key: group_id(),
        ..Default::default()
    };
    let no_id = Default::default;
    let reads_both = [on_group(Operation::Read), on_topic(Operation::Read)];
    let describes_both = [on_group(Operation::Describe), on_topic(Operation::Describe)];
    let join = JoinGroupRequest {
        group_id: group_id(),
        ..Default::default()
    };
    let sync = SyncGroupRequest {
        group_id: group_id(),
        ..Default::default()
    };
    let heartbeat = HeartbeatRequest {
        group_id: group_id(),
        ..Default::default()
    };
    let leave = LeaveGroupRequest {
        group_id: group_id(),
        ..Default::default()
    };
    let describe = DescribeGroupsRequest {
        groups: vec![group_id()],
        ..Default::default()
    };
    let member = ConsumerGroupHeartbeatRequest {
        group_id: group_id(),
        subscribed_topic_names: Some(vec![named()]),
        ..Default::default()
    };
    let describe_members = ConsumerGroupDescribeRequest {
        group_ids: vec![group_id()],
        ..Default::default()
    };
    let delete_group = DeleteGroupsRequest {
        groups_names: vec![group_id()],
    };
    vec![
        row("by name", 9, &commit(named(), no_id()), &reads_both),
        row("by id", 10, &commit(String::new(), wire_id(TOPIC_ID)), &reads_both),
        row("by name", 9, &fetch(named(), no_id()), &describes_both),
        row("by id", 10, &fetch(String::new(), wire_id(TOPIC_ID)), &describes_both),
        row(
            "",
            0,
            &delete,
            &[on_group(Operation::Delete), on_topic(Operation::Read)],
        ),
        row("of many", 4, &coordinator, &[on_group(Operation::Describe)]),
        row("of one", 3, &old_coordinator, &[on_group(Operation::Describe)]),
        row("", 9, &join, &[on_group(Operation::Read)]),
        row("", 5, &sync, &[on_group(Operation::Read)]),
        row("", 4, &heartbeat, &[on_group(Operation::Read)]),
        row("", 5, &leave, &[on_group(Operation::Read)]),
        row("", 5, &describe, &[on_group(Operation::Describe)]),
        row(
            "",
            1,
            &member,
            &[on_group(Operation::Read), on_topic(Operation::Describe)],
        ),
        row("of members", 1, &describe_members, &describes_both),
        row("", 2, &delete_group, &[on_group(Operation::Delete)]),
    ]
}

/// The part of a transactional batch that is read before the client's rights are checked.
fn transactional_batch() -> Bytes {
    let mut batch = vec![0; HEADER_BYTES];
    batch[16] = 2;
    batch[22] = 0x10;
    batch.into()
}

fn transaction_rows() -> Vec<Row> {
    let produce = ProduceRequest {
        transactional_id: Some(transactional_id()),
        acks: 1,
        topic_data: vec![TopicProduceData {
            name: named(),
            partition_data: vec![PartitionProduceData {
                index: 0,
                records: Some(transactional_batch()),
            }],
            ..Default::default()
        }],
        ..Default::default()
    };
    let init = InitProducerIdRequest {
        transactional_id: Some(transactional_id()),
        ..Default::default()
    };
    let coordinator = FindCoordinatorRequest {
        key_type: 1,
        coordinator_keys: vec![transactional_id()],
        ..Default::default()
    };
    let topics = vec![AddPartitionsToTxnTopic {
        name: named(),
        partitions: vec![0],
    }];
    let add_partitions = AddPartitionsToTxnRequest {
        v3_and_below_transactional_id: transactional_id(),
        v3_and_below_topics: topics,
        ..Default::default()
    };
    let add_offsets = AddOffsetsToTxnRequest {
        transactional_id: transactional_id(),
        group_id: group_id(),
        ..Default::default()
    };
    let commit_offsets = TxnOffsetCommitRequest {
        transactional_id: transactional_id(),
        group_id: group_id(),
        topics: vec![TxnOffsetCommitRequestTopic {
            name: named(),
            partitions: vec![Default::default()],
        }],
        ..Default::default()
    };
    let end = EndTxnRequest {
        transactional_id: transactional_id(),
        ..Default::default()
    };
    let write_markers = WriteTxnMarkersRequest {
        markers: vec![WritableTxnMarker {
            topics: vec![WritableTxnMarkerTopic {
                name: named(),
                partition_indexes: vec![0],
            }],
            ..Default::default()
        }],
    };
    let describe = DescribeTransactionsRequest {
        transactional_ids: vec![transactional_id()],
    };
    let describe_producers = DescribeProducersRequest {
        topics: vec![ProducersTopic {
            name: named(),
            partition_indexes: vec![0],
        }],
    };
    let writes = on_transaction(Operation::Write);
    vec![
        row("in a transaction", 12, &produce, &[writes, on_topic(Operation::Write)]),
        row("of a transactional id", 5, &init, &[writes]),
        row(
            "of a transaction",
            4,
            &coordinator,
            &[on_transaction(Operation::Describe)],
        ),
        row("of a client", 3, &add_partitions, &[writes, on_topic(Operation::Write)]),
        row(
            "of a broker",
            5,
            &AddPartitionsToTxnRequest::default(),
            &[on_cluster(Operation::ClusterAction)],
        ),
        row("", 4, &add_offsets, &[writes, on_group(Operation::Read)]),
        row(
            "",
            5,
            &commit_offsets,
            &[writes, on_group(Operation::Read), on_topic(Operation::Read)],
        ),
        row("", 5, &end, &[writes]),
        row("", 2, &write_markers, &[on_cluster(Operation::ClusterAction)]),
        row("", 0, &describe, &[on_transaction(Operation::Describe)]),
        row("", 0, &describe_producers, &[on_topic(Operation::Read)]),
    ]
}

fn admin_rows() -> Vec<Row> {
    let create = CreateTopicsRequest {
        topics: vec![CreatableTopic {
            name: named(),
            num_partitions: 1,
            replication_factor: 1,
            ..Default::default()
        }],
        ..Default::default()
    };
    let delete = |name, topic_id| DeleteTopicsRequest {
        topics: vec![DeleteTopicState { name, topic_id }],
        ..Default::default()
    };
    let delete_records = DeleteRecordsRequest {
        topics: vec![DeleteRecordsTopic {
            name: named(),
            partitions: vec![DeleteRecordsPartition::default()],
        }],
        ..Default::default()
    };
    let grow = CreatePartitionsRequest {
        topics: vec![CreatePartitionsTopic {
            name: named(),
            count: 2,
            ..Default::default()
        }],
        ..Default::default()
    };
    let no_id = Default::default;
    vec![
        row("", 7, &create, &[on_topic(Operation::Create)]),
        row(
            "by name",
            6,
            &delete(Some(named()), no_id()),
            &[on_topic(Operation::Delete)],
        ),
        row(
            "by id",
            6,
            &delete(None, wire_id(TOPIC_ID)),
            &[on_topic(Operation::Delete)],
        ),
        row("", 2, &delete_records, &[on_topic(Operation::Delete)]),
        row("", 3, &grow, &[on_topic(Operation::Alter)]),
    ]
}

fn config_rows() -> Vec<Row> {
    let describe_configs = |resource_type, name: &str| DescribeConfigsRequest {
        resources: vec![DescribeConfigsResource {
            resource_type,
            resource_name: name.to_owned(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let alter_configs = |resource_type, name: &str| IncrementalAlterConfigsRequest {
        resources: vec![AlterConfigsResource {
            resource_type,
            resource_name: name.to_owned(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let replace_configs = AlterConfigsRequest {
        resources: vec![alter_configs::AlterConfigsResource {
            resource_type: TOPIC_CONFIGS,
            resource_name: named(),
            ..Default::default()
        }],
        ..Default::default()
    };
    vec![
        row("", 2, &replace_configs, &[on_topic(Operation::AlterConfigs)]),
        row(
            "",
            1,
            &ListConfigResourcesRequest::default(),
            &[on_cluster(Operation::DescribeConfigs)],
        ),
        row(
            "of a group",
            4,
            &describe_configs(GROUP_CONFIGS, GROUP),
            &[on_group(Operation::DescribeConfigs)],
        ),
        row(
            "of a group",
            1,
            &alter_configs(GROUP_CONFIGS, GROUP),
            &[on_group(Operation::AlterConfigs)],
        ),
        row(
            "of a topic",
            4,
            &describe_configs(TOPIC_CONFIGS, TOPIC),
            &[on_topic(Operation::DescribeConfigs)],
        ),
        row(
            "of a broker",
            4,
            &describe_configs(BROKER_CONFIGS, "7"),
            &[on_cluster(Operation::DescribeConfigs)],
        ),
        row(
            "of a topic",
            1,
            &alter_configs(TOPIC_CONFIGS, TOPIC),
            &[on_topic(Operation::AlterConfigs)],
        ),
        row(
            "of a broker",
            1,
            &alter_configs(BROKER_CONFIGS, "7"),
            &[on_cluster(Operation::AlterConfigs)],
        ),
    ]
}

fn operator_rows() -> Vec<Row> {
    let move_logs = AlterReplicaLogDirsRequest {
        dirs: vec![AlterReplicaLogDir {
            path: "/data".to_owned(),
            topics: vec![AlterReplicaLogDirTopic {
                name: named(),
                partitions: vec![0],
            }],
        }],
    };
    let describe_partitions = DescribeTopicPartitionsRequest {
        topics: vec![TopicRequest { name: named() }],
        ..Default::default()
    };
    let token_of_bob = CreateDelegationTokenRequest {
        owner_principal_type: Some("User".to_owned()),
        owner_principal_name: Some("bob".to_owned()),
        ..Default::default()
    };
    let alters = [on_cluster(Operation::Alter)];
    let describes = [on_cluster(Operation::Describe)];
    vec![
        row("", 2, &move_logs, &alters),
        row("", 5, &DescribeLogDirsRequest::default(), &describes),
        row("", 0, &describe_partitions, &[on_topic(Operation::Describe)]),
        row("", 2, &ElectLeadersRequest::default(), &alters),
        row("", 1, &AlterPartitionReassignmentsRequest::default(), &alters),
        row("", 0, &ListPartitionReassignmentsRequest::default(), &describes),
        row("", 2, &DescribeQuorumRequest::default(), &describes),
        row("", 2, &UpdateFeaturesRequest::default(), &alters),
        row(
            "for another user",
            3,
            &token_of_bob,
            &[(
                ResourceType::User,
                "User:bob",
                Operation::CreateTokens,
                ErrorCode::DELEGATION_TOKEN_AUTHORIZATION_FAILED,
            )],
        ),
    ]
}

/// APIs that never refuse a client for a missing right: their responses are shorter or the same for everyone. See the
/// tests below and those of the APIs.
const NEVER_REFUSED: [ApiKey; 9] = [
    ApiKey::ApiVersions,
    ApiKey::ListGroups,
    ApiKey::DescribeCluster,
    ApiKey::ListTransactions,
    ApiKey::RenewDelegationToken,
    ApiKey::ExpireDelegationToken,
    ApiKey::DescribeDelegationToken,
    ApiKey::GetTelemetrySubscriptions,
    ApiKey::PushTelemetry,
];

/// APIs that the connection answers itself, before the client is known.
const SIGN_IN: [ApiKey; 2] = [ApiKey::SaslHandshake, ApiKey::SaslAuthenticate];

/// An agent that knows the topic, with a metadata service that has no groups.
fn agent() -> TestAgent {
    let agent = TestAgent::with_topics(&[topic(TOPIC_ID, TOPIC, 1)]);
    agent
        .metadata
        .answer("FetchOffsets", &proto::FetchOffsetsResponse::default());
    agent
        .metadata
        .answer("DeleteOffsets", &proto::DeleteOffsetsResponse::default());
    agent.metadata.answer("DescribeConsumerGroups", &group_of_one_member());
    agent
}

/// A group of the new protocol with a member that owns a partition of the topic.
fn group_of_one_member() -> proto::DescribeConsumerGroupsResponse {
    let list = proto::TopicPartitionList {
        topic_name: named(),
        ..Default::default()
    };
    let member = proto::DescribedConsumerGroupMember {
        target_assignment: vec![list],
        ..Default::default()
    };
    proto::DescribeConsumerGroupsResponse {
        groups: vec![proto::DescribedConsumerGroup {
            group_id: group_id(),
            members: vec![member],
            ..Default::default()
        }],
    }
}

fn enforce(agent: &TestAgent, needs: &[Need]) {
    let acls: Vec<proto::AclBinding> = needs
        .iter()
        .map(|(resource_type, name, operation, _)| rule(*resource_type, name, *operation))
        .collect();
    agent.secure(security(proto::AclMode::Enforced, &acls));
}

async fn ask(agent: &TestAgent, frame: &Bytes, principal: &str) -> penstock_wire::Frame {
    let client = Client {
        principal: Arc::new(Principal::user(principal)),
        is_authenticated: true,
        ..Client::anonymous((Ipv4Addr::LOCALHOST, 1).into(), LISTENER.into())
    };
    ask_as(agent, frame, &client).await
}

async fn ask_as(agent: &TestAgent, frame: &Bytes, client: &Client) -> penstock_wire::Frame {
    let answer = match dispatch(&agent.context(), frame.clone(), None, client).unwrap() {
        Dispatched::Admitted(answer) | Dispatched::Alone(answer) => answer,
        Dispatched::Admitting(admitting) => admitting.await,
    };
    answer.await.unwrap().frame.unwrap()
}

async fn denials(agent: &TestAgent, frame: &Bytes, principal: &str) -> Vec<ErrorCode> {
    let mut codes = ask(agent, frame, principal).await.error_codes;
    codes.retain(|code| DENIED.contains(code));
    codes
}

async fn answer<R: Request>(agent: &TestAgent, version: i16, request: &R, principal: &str) -> R::Response {
    let frame = ask(agent, &frame(version, request), principal).await.to_bytes();
    decode_response::<R>(&mut Reader::new(frame.slice(4..)), version)
        .unwrap()
        .1
}

#[test]
fn every_api_has_a_row() {
    let listed = rows().iter().map(|row| row.key).collect::<Vec<_>>();
    let mut keys: Vec<ApiKey> = listed.into_iter().chain(NEVER_REFUSED).chain(SIGN_IN).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys, ApiKey::ALL);
}

#[tokio::test(start_paused = true)]
async fn refuses_a_client_that_lacks_a_required_right() {
    for row in rows() {
        for missing in 0..row.needs.len() {
            let mut others = row.needs.clone();
            let (.., error_code) = others.remove(missing);
            let agent = agent();
            enforce(&agent, &others);
            let refused = denials(&agent, &row.frame, "alice").await;
            assert_eq!(refused, [error_code], "{:?} {}", row.key, row.what);
            assert!(!agent.context.authorizer.denials().is_empty(), "{:?}", row.key);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn serves_a_client_with_exactly_the_required_rights() {
    for row in rows() {
        let agent = agent();
        enforce(&agent, &row.needs);
        let refused = denials(&agent, &row.frame, "alice").await;
        assert!(refused.is_empty(), "{:?} {}: {refused:?}", row.key, row.what);
    }
}

#[tokio::test(start_paused = true)]
async fn a_super_user_needs_no_rights() {
    for row in rows() {
        let agent = agent();
        enforce(&agent, &[]);
        let refused = denials(&agent, &row.frame, "admin").await;
        assert!(refused.is_empty(), "{:?} {}: {refused:?}", row.key, row.what);
        assert!(agent.context.authorizer.denials().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn shadow_mode_allows_and_records_every_use_of_the_cluster() {
    for row in rows() {
        if security_change_rows().iter().any(|change| change.key == row.key) {
            continue;
        }
        let agent = agent();
        agent.secure(security(proto::AclMode::Shadow, &[]));
        let refused = denials(&agent, &row.frame, "alice").await;
        assert!(refused.is_empty(), "{:?} {}: {refused:?}", row.key, row.what);
        assert!(!agent.context.authorizer.denials().is_empty(), "{:?}", row.key);
    }
}

#[tokio::test(start_paused = true)]
async fn shadow_mode_protects_the_rules_themselves() {
    for row in security_change_rows() {
        let agent = agent();
        agent.secure(security(proto::AclMode::Shadow, &[]));
        assert_eq!(
            denials(&agent, &row.frame, "alice").await,
            [CLUSTER_DENIED],
            "{:?}",
            row.key
        );
        assert!(denials(&agent, &row.frame, "admin").await.is_empty(), "{:?}", row.key);
    }
}

#[tokio::test(start_paused = true)]
async fn without_acls_only_authenticated_clients_change_security() {
    let agent = agent();
    for row in security_rows().into_iter().chain(security_change_rows()) {
        let is_about_acls = [ApiKey::DescribeAcls, ApiKey::CreateAcls, ApiKey::DeleteAcls].contains(&row.key);
        let is_change = security_change_rows().iter().any(|change| change.key == row.key);
        for signed_in in [false, true] {
            let client = Client {
                is_authenticated: signed_in,
                ..Client::anonymous((Ipv4Addr::LOCALHOST, 1).into(), LISTENER.into())
            };
            let codes = ask_as(&agent, &row.frame, &client).await.error_codes;
            let expected = match (is_about_acls, is_change, signed_in) {
                (true, ..) => ErrorCode::SECURITY_DISABLED,
                (false, true, false) => CLUSTER_DENIED,
                // The metadata service in this test does not respond.
                _ => ErrorCode::REQUEST_TIMED_OUT,
            };
            assert_eq!(codes, [expected], "{:?} {signed_in}", row.key);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn does_not_disclose_topics_to_clients_without_describe() {
    let agent = agent();
    agent.settings(true);
    enforce(&agent, &[]);
    for version in [1, 12] {
        let asked = |name: &str| MetadataRequest {
            topics: Some(vec![MetadataRequestTopic {
                name: Some(name.to_owned()),
                ..Default::default()
            }]),
            allow_auto_topic_creation: true,
            include_topic_authorized_operations: version >= 8,
            ..Default::default()
        };
        let known = answer(&agent, version, &asked(TOPIC), "alice").await.topics.remove(0);
        let mut unknown = answer(&agent, version, &asked("absent"), "alice")
            .await
            .topics
            .remove(0);
        unknown.name.clone_from(&known.name);
        assert_eq!(known, unknown);
        assert_eq!(known.error_code, TOPIC_DENIED);
    }
    for _ in 0..2 {
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
    }
    let all = MetadataRequest::default();
    assert!(answer(&agent, 12, &all, "alice").await.topics.is_empty());
    assert_eq!(answer(&agent, 12, &all, "admin").await.topics.len(), 1);
    assert!(
        agent
            .metadata
            .requests::<proto::CreateTopicsRequest>("CreateTopics")
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn creates_topics_on_demand_only_for_clients_with_create() {
    let absent = "absent";
    for (right, error_code) in [
        ((ResourceType::Topic, absent, Operation::Describe), TOPIC_DENIED),
        (
            (ResourceType::Topic, absent, Operation::Create),
            ErrorCode::LEADER_NOT_AVAILABLE,
        ),
        (
            (ResourceType::Cluster, CLUSTER, Operation::Create),
            ErrorCode::LEADER_NOT_AVAILABLE,
        ),
    ] {
        let agent = agent();
        agent.settings(true);
        agent
            .metadata
            .answer("DescribeCluster", &proto::DescribeClusterResponse::default());
        let (resource_type, name, operation) = right;
        let describe = (ResourceType::Topic, absent, Operation::Describe, TOPIC_DENIED);
        enforce(&agent, &[describe, (resource_type, name, operation, TOPIC_DENIED)]);
        let request = MetadataRequest {
            topics: Some(vec![MetadataRequestTopic {
                name: Some(absent.to_owned()),
                ..Default::default()
            }]),
            allow_auto_topic_creation: true,
            ..Default::default()
        };
        let metadata = answer(&agent, 12, &request, "alice").await;
        assert_eq!(metadata.topics[0].error_code, error_code, "{right:?}");
        let created = agent.metadata.requests::<proto::CreateTopicsRequest>("CreateTopics");
        assert_eq!(created.len(), usize::from(error_code != TOPIC_DENIED), "{right:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_sees_only_groups_that_it_may_describe() {
    for (needs, seen) in [
        (vec![], vec![]),
        (vec![on_group(Operation::Read)], vec![GROUP]),
        (vec![on_cluster(Operation::Describe)], vec![GROUP, "other"]),
    ] {
        let agent = agent();
        let groups = [GROUP, "other"].map(|group_id| proto::ListedGroup {
            group_id: group_id.to_owned(),
            ..Default::default()
        });
        let listed = proto::ListGroupsResponse {
            groups: groups.to_vec(),
        };
        agent.metadata.answer("ListGroups", &listed);
        enforce(&agent, &needs);
        let answer = answer(&agent, 5, &ListGroupsRequest::default(), "alice").await;
        let groups: Vec<&str> = answer.groups.iter().map(|group| group.group_id.as_str()).collect();
        assert_eq!(groups, seen);
        assert!(agent.context.authorizer.denials().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_sees_only_transactions_that_it_may_describe() {
    for (needs, seen) in [
        (vec![], vec![]),
        (vec![on_transaction(Operation::Write)], vec![TRANSACTION]),
    ] {
        let agent = agent();
        let transactions = [TRANSACTION, "other"].map(|transactional_id| proto::DescribedTransaction {
            transactional_id: transactional_id.to_owned(),
            ..Default::default()
        });
        let listed = proto::ListTransactionsResponse {
            transactions: transactions.to_vec(),
        };
        agent.metadata.answer("ListTransactions", &listed);
        enforce(&agent, &needs);
        let answer = answer(&agent, 2, &ListTransactionsRequest::default(), "alice").await;
        let states = answer.transaction_states.iter();
        let ids: Vec<&str> = states.map(|state| state.transactional_id.as_str()).collect();
        assert_eq!(ids, seen);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_with_alter_on_the_cluster_can_abort_transactions() {
    let agent = agent();
    enforce(&agent, &[on_cluster(Operation::Alter)]);
    let abort = transaction_rows()
        .into_iter()
        .find(|row| row.key == ApiKey::WriteTxnMarkers);
    let refused = denials(&agent, &abort.unwrap().frame, "alice").await;
    assert!(refused.is_empty(), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn authorized_operations_are_returned_only_on_request() {
    let operations = |operations: &[Operation]| Operations::of(operations).bit_field();
    let agent = agent();
    enforce(
        &agent,
        &[
            on_topic(Operation::Write),
            on_group(Operation::Delete),
            on_cluster(Operation::AlterConfigs),
        ],
    );
    let metadata = |asked| MetadataRequest {
        topics: Some(vec![MetadataRequestTopic {
            name: Some(named()),
            ..Default::default()
        }]),
        include_topic_authorized_operations: asked,
        ..Default::default()
    };
    let of_topic = answer(&agent, 12, &metadata(true), "alice").await.topics.remove(0);
    assert_eq!(
        of_topic.topic_authorized_operations,
        operations(&[Operation::Write, Operation::Describe])
    );
    let not_asked = answer(&agent, 12, &metadata(false), "alice").await.topics.remove(0);
    assert_eq!(not_asked.topic_authorized_operations, NOT_ASKED_FOR);

    let cluster = |asked| DescribeClusterRequest {
        include_cluster_authorized_operations: asked,
        endpoint_type: 1,
        ..Default::default()
    };
    // A client without describe on the cluster does not learn its other rights.
    let hidden = answer(&agent, 1, &cluster(true), "alice").await;
    assert_eq!(hidden.cluster_authorized_operations, 0);
    let not_asked = answer(&agent, 1, &cluster(false), "alice").await;
    assert_eq!(not_asked.cluster_authorized_operations, NOT_ASKED_FOR);
    let of_admin = answer(&agent, 1, &cluster(true), "admin").await;
    assert_eq!(
        of_admin.cluster_authorized_operations,
        ResourceType::Cluster.operations().bit_field()
    );

    let described = proto::DescribeGroupsResponse {
        groups: vec![proto::DescribedGroup {
            group_id: group_id(),
            state: "Empty".to_owned(),
            ..Default::default()
        }],
    };
    agent.metadata.answer("DescribeGroups", &described);
    let request = DescribeGroupsRequest {
        groups: vec![group_id()],
        include_authorized_operations: true,
    };
    let of_group = answer(&agent, 5, &request, "alice").await.groups.remove(0);
    assert_eq!(
        of_group.authorized_operations,
        operations(&[Operation::Delete, Operation::Describe])
    );
}
