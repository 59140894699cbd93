//! DeleteTopics (key 20): versions 1 to 6. Version 6 adds deletion by topic id.

use crate::error_code::ErrorCode;
use crate::uuid::Uuid;

api! { DeleteTopics: DeleteTopicsRequest -> DeleteTopicsResponse, versions 1..=6, flexible from 4 }

fields! {
    DeleteTopicsRequest {
        topics: Vec<DeleteTopicState>, 6..;
        topic_names: Vec<String>, 0..=5;
        timeout_ms: i32, 0..;
    }
}

fields! {
    DeleteTopicState {
        name: Option<String>, 6.., null 6..;
        topic_id: Uuid, 6..;
    }
}

fields! {
    DeleteTopicsResponse {
        throttle_time_ms: i32, 1..;
        responses: Vec<DeletableTopicResult>, 0..;
    }
}

fields! {
    DeletableTopicResult {
        name: Option<String>, 0.., null 6..;
        topic_id: Uuid, 6..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 5.., null 5..;
    }
}
