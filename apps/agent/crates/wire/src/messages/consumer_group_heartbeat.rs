//! ConsumerGroupHeartbeat (key 68): versions 0 and 1.

use crate::error_code::ErrorCode;
use crate::nullable::Nullable;
use crate::uuid::Uuid;

api! { ConsumerGroupHeartbeat: ConsumerGroupHeartbeatRequest -> ConsumerGroupHeartbeatResponse, versions 0..=1, flexible from 0 }

fields! {
    ConsumerGroupHeartbeatRequest {
        group_id: String, 0..;
        member_id: String, 0..;
        member_epoch: i32, 0..;
        instance_id: Option<String>, 0.., null 0..;
        rack_id: Option<String>, 0.., null 0..;
        rebalance_timeout_ms: i32, 0.., default -1;
        subscribed_topic_names: Option<Vec<String>>, 0.., null 0..;
        subscribed_topic_regex: Option<String>, 1.., null 1..;
        server_assignor: Option<String>, 0.., null 0..;
        topic_partitions: Option<Vec<TopicPartitions>>, 0.., null 0..;
    }
}

fields! {
    ConsumerGroupHeartbeatResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        member_id: Option<String>, 0.., null 0..;
        member_epoch: i32, 0..;
        heartbeat_interval_ms: i32, 0..;
        assignment: Nullable<Assignment>, 0..;
    }
}

fields! {
    Assignment {
        topic_partitions: Vec<TopicPartitions>, 0..;
    }
}

fields! {
    TopicPartitions {
        topic_id: Uuid, 0..;
        partitions: Vec<i32>, 0..;
    }
}
