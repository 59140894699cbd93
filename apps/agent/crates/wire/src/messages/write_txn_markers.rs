//! WriteTxnMarkers (key 27): versions 1 to 2. Version 0 is decoded only to be refused.

use crate::error_code::ErrorCode;

api! { WriteTxnMarkers: WriteTxnMarkersRequest -> WriteTxnMarkersResponse, versions 1..=2, flexible from 1 }

fields! {
    WriteTxnMarkersRequest {
        markers: Vec<WritableTxnMarker>, 0..;
    }
}

fields! {
    WritableTxnMarker {
        producer_id: i64, 0..;
        producer_epoch: i16, 0..;
        transaction_result: bool, 0..;
        topics: Vec<WritableTxnMarkerTopic>, 0..;
        coordinator_epoch: i32, 0..;
        transaction_version: i8, 2..;
    }
}

fields! {
    WritableTxnMarkerTopic {
        name: String, 0..;
        partition_indexes: Vec<i32>, 0..;
    }
}

fields! {
    WriteTxnMarkersResponse {
        markers: Vec<WritableTxnMarkerResult>, 0..;
    }
}

fields! {
    WritableTxnMarkerResult {
        producer_id: i64, 0..;
        topics: Vec<WritableTxnMarkerTopicResult>, 0..;
    }
}

fields! {
    WritableTxnMarkerTopicResult {
        name: String, 0..;
        partitions: Vec<WritableTxnMarkerPartitionResult>, 0..;
    }
}

fields! {
    WritableTxnMarkerPartitionResult {
        partition_index: i32, 0..;
        error_code: ErrorCode, 0..;
    }
}
