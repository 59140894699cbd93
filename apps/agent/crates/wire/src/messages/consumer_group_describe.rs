//! ConsumerGroupDescribe (key 69): versions 0 and 1.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { ConsumerGroupDescribe: ConsumerGroupDescribeRequest -> ConsumerGroupDescribeResponse, versions 0..=1, flexible from 0 }

fields! {
    ConsumerGroupDescribeRequest {
        group_ids: Vec<String>, 0..;
        include_authorized_operations: bool, 0..;
    }
}

fields! {
    ConsumerGroupDescribeResponse {
        throttle_time_ms: i32, 0..;
        groups: Vec<DescribedConsumerGroup>, 0..;
    }
}

fields! {
    DescribedConsumerGroup {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        group_id: String, 0..;
        group_state: String, 0..;
        group_epoch: i32, 0..;
        assignment_epoch: i32, 0..;
        assignor_name: String, 0..;
        members: Vec<DescribedConsumerGroupMember>, 0..;
        authorized_operations: i32, 0.., default i32::MIN;
    }
}

fields! {
    DescribedConsumerGroupMember {
        member_id: String, 0..;
        instance_id: Option<String>, 0.., null 0..;
        rack_id: Option<String>, 0.., null 0..;
        member_epoch: i32, 0..;
        client_id: String, 0..;
        client_host: String, 0..;
        subscribed_topic_names: Vec<String>, 0..;
        subscribed_topic_regex: Option<String>, 0.., null 0..;
        assignment: DescribedAssignment, 0..;
        target_assignment: DescribedAssignment, 0..;
        member_type: i8, 1.., default -1;
    }
}

fields! {
    DescribedAssignment {
        topic_partitions: Vec<DescribedTopicPartitions>, 0..;
    }
}

fields! {
    DescribedTopicPartitions {
        topic_id: Uuid, 0..;
        topic_name: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}
