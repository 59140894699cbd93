//! Metadata (key 3): versions 0 to 13. Topic ids since version 10; null names since version 12, for topics requested by
//! id; a top-level error since version 13.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { Metadata: MetadataRequest -> MetadataResponse, versions 0..=13, flexible from 9 }

fields! {
    MetadataRequest {
        topics: Option<Vec<MetadataRequestTopic>>, 0.., null 1..;
        allow_auto_topic_creation: bool, 4.., default true;
        include_cluster_authorized_operations: bool, 8..=10;
        include_topic_authorized_operations: bool, 8..;
    }
}

fields! {
    MetadataRequestTopic {
        topic_id: Uuid, 10..;
        name: Option<String>, 0.., null 10..;
    }
}

fields! {
    MetadataResponse {
        throttle_time_ms: i32, 3..;
        brokers: Vec<MetadataResponseBroker>, 0..;
        cluster_id: Option<String>, 2.., null 2..;
        controller_id: i32, 1.., default -1;
        topics: Vec<MetadataResponseTopic>, 0..;
        cluster_authorized_operations: i32, 8..=10, default i32::MIN;
        error_code: ErrorCode, 13..;
    }
}

fields! {
    MetadataResponseBroker {
        node_id: i32, 0..;
        host: String, 0..;
        port: i32, 0..;
        rack: Option<String>, 1.., null 1..;
    }
}

fields! {
    MetadataResponseTopic {
        error_code: ErrorCode, 0..;
        name: Option<String>, 0.., null 12..;
        topic_id: Uuid, 10..;
        is_internal: bool, 1..;
        partitions: Vec<MetadataResponsePartition>, 0..;
        topic_authorized_operations: i32, 8.., default i32::MIN;
    }
}

fields! {
    MetadataResponsePartition {
        error_code: ErrorCode, 0..;
        partition_index: i32, 0..;
        leader_id: i32, 0..;
        leader_epoch: i32, 7.., default -1;
        replica_nodes: Vec<i32>, 0..;
        isr_nodes: Vec<i32>, 0..;
        offline_replicas: Vec<i32>, 5..;
    }
}
