//! CreatePartitions (key 37): versions 0 to 3.

use crate::error_code::ErrorCode;

api! { CreatePartitions: CreatePartitionsRequest -> CreatePartitionsResponse, versions 0..=3, flexible from 2 }

fields! {
    CreatePartitionsRequest {
        topics: Vec<CreatePartitionsTopic>, 0..;
        timeout_ms: i32, 0..;
        validate_only: bool, 0..;
    }
}

fields! {
    CreatePartitionsTopic {
        name: String, 0..;
        count: i32, 0..;
        assignments: Option<Vec<CreatePartitionsAssignment>>, 0.., null 0..;
    }
}

fields! {
    CreatePartitionsAssignment {
        broker_ids: Vec<i32>, 0..;
    }
}

fields! {
    CreatePartitionsResponse {
        throttle_time_ms: i32, 0..;
        results: Vec<CreatePartitionsTopicResult>, 0..;
    }
}

fields! {
    CreatePartitionsTopicResult {
        name: String, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
    }
}
