//! Compares messages of the new consumer group protocol with the bytes that Kafka 4.3.1's own classes write.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use bytes::Bytes;
use penstock_wire::messages::consumer_group_describe::{
    DescribedAssignment, DescribedConsumerGroup, DescribedConsumerGroupMember, DescribedTopicPartitions,
};
use penstock_wire::messages::consumer_group_heartbeat::{Assignment, TopicPartitions};
use penstock_wire::messages::{
    ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse, ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
};
use penstock_wire::{ErrorCode, Message, Nullable, Reader, Uuid, Writer};

/// Two different halves, so that a wrong byte order is detected.
const TOPIC_ID: Uuid = Uuid([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);

fn bytes(hex: &str) -> Bytes {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Checks that the message encodes to these bytes and decodes from them.
fn assert_bytes<M: Message + PartialEq + std::fmt::Debug>(message: &M, version: i16, hex: &str) {
    let mut writer = Writer::new();
    message.encode(&mut writer, version).unwrap();
    assert_eq!(writer.finish().to_bytes(), bytes(hex), "version {version}");
    assert_eq!(&M::decode(&mut Reader::new(bytes(hex)), version).unwrap(), message);
}

fn topic_partitions() -> Vec<TopicPartitions> {
    vec![TopicPartitions {
        topic_id: TOPIC_ID,
        partitions: vec![0, 7],
    }]
}

#[test]
fn a_member_joins_with_a_regex_since_version_1() {
    let join = ConsumerGroupHeartbeatRequest {
        group_id: "app".to_owned(),
        member_id: "m-1".to_owned(),
        member_epoch: 0,
        instance_id: Some("i".to_owned()),
        rack_id: Some("a".to_owned()),
        rebalance_timeout_ms: 300_000,
        subscribed_topic_names: Some(vec!["orders".to_owned(), "payments".to_owned()]),
        server_assignor: Some("uniform".to_owned()),
        topic_partitions: Some(Vec::new()),
        ..Default::default()
    };
    assert_bytes(
        &join,
        0,
        "04617070046d2d310000000002690261000493e003076f7264657273097061796d656e747308756e69666f726d0100",
    );
    let by_regex = ConsumerGroupHeartbeatRequest {
        subscribed_topic_regex: Some("o.*".to_owned()),
        ..join
    };
    assert_bytes(
        &by_regex,
        1,
        "04617070046d2d310000000002690261000493e003076f7264657273097061796d656e7473046f2e2a08756e69666f726d0100",
    );
}

#[test]
fn a_member_omits_unchanged_fields() {
    let beat = ConsumerGroupHeartbeatRequest {
        group_id: "app".to_owned(),
        member_id: "m-1".to_owned(),
        member_epoch: 5,
        ..Default::default()
    };
    assert_bytes(&beat, 1, "04617070046d2d31000000050000ffffffff0000000000");
    let owning = ConsumerGroupHeartbeatRequest {
        topic_partitions: Some(topic_partitions()),
        ..beat
    };
    assert_bytes(
        &owning,
        1,
        "04617070046d2d31000000050000ffffffff00000002010101010101010102020202020202020300000000000000070000",
    );
}

#[test]
fn a_heartbeat_response_has_an_assignment_null_or_an_error() {
    let unchanged = ConsumerGroupHeartbeatResponse {
        member_id: Some("m-1".to_owned()),
        member_epoch: 5,
        heartbeat_interval_ms: 5_000,
        ..Default::default()
    };
    assert_bytes(&unchanged, 1, "00000000000000046d2d310000000500001388ff00");
    let assigned = ConsumerGroupHeartbeatResponse {
        assignment: Nullable(Some(Assignment {
            topic_partitions: topic_partitions(),
        })),
        ..unchanged
    };
    assert_bytes(
        &assigned,
        1,
        "00000000000000046d2d310000000500001388010201010101010101010202020202020202030000000000000007000000",
    );
    let fenced = ConsumerGroupHeartbeatResponse {
        error_code: ErrorCode::FENCED_MEMBER_EPOCH,
        error_message: Some("old".to_owned()),
        ..Default::default()
    };
    assert_bytes(&fenced, 0, "00000000006e046f6c64000000000000000000ff00");
}

#[test]
fn describes_a_groups_member_protocol_since_version_1() {
    let request = ConsumerGroupDescribeRequest {
        group_ids: vec!["app".to_owned()],
        include_authorized_operations: true,
    };
    assert_bytes(&request, 0, "02046170700100");
    let assignment = DescribedAssignment {
        topic_partitions: vec![DescribedTopicPartitions {
            topic_id: TOPIC_ID,
            topic_name: "orders".to_owned(),
            partitions: vec![1],
        }],
    };
    let described = |member_type| ConsumerGroupDescribeResponse {
        groups: vec![DescribedConsumerGroup {
            group_id: "app".to_owned(),
            group_state: "Stable".to_owned(),
            group_epoch: 3,
            assignment_epoch: 3,
            assignor_name: "uniform".to_owned(),
            members: vec![DescribedConsumerGroupMember {
                member_id: "m-1".to_owned(),
                member_epoch: 3,
                client_id: "c".to_owned(),
                client_host: "/127.0.0.1".to_owned(),
                subscribed_topic_names: vec!["orders".to_owned()],
                subscribed_topic_regex: Some("o.*".to_owned()),
                assignment: assignment.clone(),
                target_assignment: assignment.clone(),
                member_type,
                ..Default::default()
            }],
            authorized_operations: 264,
            ..Default::default()
        }],
        ..Default::default()
    };
    assert_bytes(
        &described(-1),
        0,
        "00000000020000000461707007537461626c65000000030000000308756e69666f726d02046d2d3100000000000302630b2f3132372e302e302e3102076f7264657273046f2e2a0201010101010101010202020202020202076f7264657273020000000100000201010101010101010202020202020202076f72646572730200000001000000000001080000",
    );
    assert_bytes(
        &described(1),
        1,
        "00000000020000000461707007537461626c65000000030000000308756e69666f726d02046d2d3100000000000302630b2f3132372e302e302e3102076f7264657273046f2e2a0201010101010101010202020202020202076f7264657273020000000100000201010101010101010202020202020202076f7264657273020000000100000100000001080000",
    );
}
