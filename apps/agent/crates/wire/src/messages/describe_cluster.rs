//! DescribeCluster (key 60): versions 0 to 2.

use crate::error_code::ErrorCode;

api! { DescribeCluster: DescribeClusterRequest -> DescribeClusterResponse, versions 0..=2, flexible from 0 }

fields! {
    DescribeClusterRequest {
        include_cluster_authorized_operations: bool, 0..;
        endpoint_type: i8, 1.., default 1;
        include_fenced_brokers: bool, 2..;
    }
}

fields! {
    DescribeClusterResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        endpoint_type: i8, 1.., default 1;
        cluster_id: String, 0..;
        controller_id: i32, 0.., default -1;
        brokers: Vec<DescribeClusterBroker>, 0..;
        cluster_authorized_operations: i32, 0.., default i32::MIN;
    }
}

fields! {
    DescribeClusterBroker {
        broker_id: i32, 0..;
        host: String, 0..;
        port: i32, 0..;
        rack: Option<String>, 0.., null 0..;
        is_fenced: bool, 2..;
    }
}
