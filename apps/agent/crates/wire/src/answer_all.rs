//! Responses in which every requested item has the same outcome, declared as a table that maps the lists of each
//! request to those of its response. An item is created from its error, and takes from the request the fields that
//! identify it to the client.

use crate::message::Request;
use crate::messages::{
    AlterReplicaLogDirsRequest, CreateAclsRequest, CreateTopicsRequest, DeleteAclsRequest, DeleteRecordsRequest,
    DeleteTopicsRequest, DescribeConfigsRequest, DescribeProducersRequest, ElectLeadersRequest, FetchRequest,
    ListOffsetsRequest, OffsetCommitRequest, OffsetDeleteRequest, OffsetFetchRequest, OffsetForLeaderEpochRequest,
    ProduceRequest, TxnOffsetCommitRequest, WriteTxnMarkersRequest, alter_replica_log_dirs, create_acls, create_topics,
    delete_acls, delete_records, delete_topics, describe_configs, describe_producers, elect_leaders, fetch,
    list_offsets, offset_commit, offset_delete, offset_fetch, offset_for_leader_epoch, produce, txn_offset_commit,
    write_txn_markers,
};

/// A request whose response has a result for each item.
pub trait AnswerAll: Request {
    /// The part of the response that has its own error.
    type Item;

    /// Returns the response with this error for every item, in request order. With `ErrorCode::NONE`, the caller fills
    /// it in.
    fn answer_all<Error: Clone>(&self, error: Error) -> Self::Response
    where
        Self::Item: From<Error>;
}

/// A row consists of a request, a list in its response and the list in the request from which it is made, then the
/// lists in their items, and so on. An item takes the request's field of the same name, the field after `=`, or with `=
/// item` the whole item.
macro_rules! answers {
    (@item $api:ident::$item:ident {$($fields:tt)*}) => { $api::$item };
    (@item $api:ident::$item:ident {$($fields:tt)*} / $list:ident: [$of:ident] $($items:tt)*) => {
        answers!(@item $($items)*)
    };
    (@take $asked:ident $to:ident) => { $asked.$to.clone() };
    (@take $asked:ident $to:ident item) => { $asked.clone().into() };
    (@take $asked:ident $to:ident $from:ident) => { $asked.$from.clone() };
    (@items $asked:expr, $error:ident, $api:ident::$item:ident {$($to:ident $(= $from:ident)?),*}) => {
        $asked
            .map(|asked| $api::$item {
                $($to: answers!(@take asked $to $($from)?),)*
                ..$api::$item::from($error.clone())
            })
            .collect()
    };
    (@items $asked:expr, $error:ident, $api:ident::$item:ident {$($to:ident $(= $from:ident)?),*}
        / $list:ident: [$of:ident] $($items:tt)*) => {
        $asked
            .map(|asked| $api::$item {
                $($to: answers!(@take asked $to $($from)?),)*
                $list: answers!(@items asked.$of.iter(), $error, $($items)*),
                ..Default::default()
            })
            .collect()
    };
    ($($request:ident($asked:ident) -> $list:ident: [$of:expr] $api:ident::$item:ident {$($fields:tt)*}
        $(/ $inner:ident: [$inner_of:ident] $inner_api:ident::$inner_item:ident {$($inner_fields:tt)*})*;)*) => {
        $(impl AnswerAll for $request {
            type Item = answers!(@item $api::$item {$($fields)*}
                $(/ $inner: [$inner_of] $inner_api::$inner_item {$($inner_fields)*})*);

            #[allow(
                clippy::clone_on_copy,
                clippy::field_reassign_with_default,
                clippy::needless_update,
                clippy::useless_conversion,
                unused_variables,
                reason = "true of some rows only"
            )]
            fn answer_all<Error: Clone>(&self, error: Error) -> Self::Response
            where
                Self::Item: From<Error>,
            {
                let $asked = self;
                let mut response = Self::Response::default();
                response.$list = answers!(@items $of, error, $api::$item {$($fields)*}
                    $(/ $inner: [$inner_of] $inner_api::$inner_item {$($inner_fields)*})*);
                response
            }
        })*
    };
}

answers! {
    AlterReplicaLogDirsRequest(request) -> results: [request.dirs.iter().flat_map(|dir| &dir.topics)]
        alter_replica_log_dirs::AlterReplicaLogDirTopicResult {topic_name = name}
        / partitions: [partitions] alter_replica_log_dirs::AlterReplicaLogDirPartitionResult {partition_index = item};
    CreateAclsRequest(request) -> results: [request.creations.iter()] create_acls::AclCreationResult {};
    CreateTopicsRequest(request) -> topics: [request.topics.iter()] create_topics::CreatableTopicResult {name};
    DeleteAclsRequest(request) -> filter_results: [request.filters.iter()] delete_acls::DeleteAclsFilterResult {};
    DeleteRecordsRequest(request) -> topics: [request.topics.iter()] delete_records::DeleteRecordsTopicResult {name}
        / partitions: [partitions] delete_records::DeleteRecordsPartitionResult {partition_index};
    // Up to version 5, topics are given by name.
    DeleteTopicsRequest(request) -> responses: [request.topic_names.iter()]
        delete_topics::DeletableTopicResult {name = item};
    DescribeConfigsRequest(request) -> results: [request.resources.iter()]
        describe_configs::DescribeConfigsResult {resource_type, resource_name};
    DescribeProducersRequest(request) -> topics: [request.topics.iter()] describe_producers::TopicResponse {name}
        / partitions: [partition_indexes] describe_producers::PartitionResponse {partition_index = item};
    ElectLeadersRequest(request) -> replica_election_results: [request.topic_partitions.iter().flatten()]
        elect_leaders::ReplicaElectionResult {topic}
        / partition_result: [partitions] elect_leaders::PartitionResult {partition_id = item};
    FetchRequest(request) -> responses: [request.topics.iter()] fetch::FetchableTopicResponse {topic, topic_id}
        / partitions: [partitions] fetch::PartitionData {partition_index = partition};
    ListOffsetsRequest(request) -> topics: [request.topics.iter()] list_offsets::ListOffsetsTopicResponse {name}
        / partitions: [partitions] list_offsets::ListOffsetsPartitionResponse {partition_index};
    OffsetCommitRequest(request) -> topics: [request.topics.iter()]
        offset_commit::OffsetCommitResponseTopic {name, topic_id}
        / partitions: [partitions] offset_commit::OffsetCommitResponsePartition {partition_index};
    OffsetDeleteRequest(request) -> topics: [request.topics.iter()] offset_delete::OffsetDeleteResponseTopic {name}
        / partitions: [partitions] offset_delete::OffsetDeleteResponsePartition {partition_index};
    // Up to version 7, there is only one group.
    OffsetFetchRequest(request) -> topics: [request.topics.iter().flatten()]
        offset_fetch::OffsetFetchResponseTopic {name}
        / partitions: [partition_indexes] offset_fetch::OffsetFetchResponsePartition {partition_index = item};
    OffsetForLeaderEpochRequest(request) -> topics: [request.topics.iter()]
        offset_for_leader_epoch::OffsetForLeaderTopicResult {topic}
        / partitions: [partitions] offset_for_leader_epoch::EpochEndOffset {partition};
    ProduceRequest(request) -> responses: [request.topic_data.iter()] produce::TopicProduceResponse {name, topic_id}
        / partition_responses: [partition_data] produce::PartitionProduceResponse {index};
    TxnOffsetCommitRequest(request) -> topics: [request.topics.iter()]
        txn_offset_commit::TxnOffsetCommitResponseTopic {name}
        / partitions: [partitions] txn_offset_commit::TxnOffsetCommitResponsePartition {partition_index};
    WriteTxnMarkersRequest(request) -> markers: [request.markers.iter()]
        write_txn_markers::WritableTxnMarkerResult {producer_id}
        / topics: [topics] write_txn_markers::WritableTxnMarkerTopicResult {name}
        / partitions: [partition_indexes] write_txn_markers::WritableTxnMarkerPartitionResult {partition_index = item};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_code::ErrorCode;

    #[test]
    fn each_partition_has_the_error_under_the_names_of_the_request() {
        let topic = |name: &str, partition_indexes: &[i32]| write_txn_markers::WritableTxnMarkerTopic {
            name: name.to_owned(),
            partition_indexes: partition_indexes.to_vec(),
        };
        let request = WriteTxnMarkersRequest {
            markers: vec![write_txn_markers::WritableTxnMarker {
                producer_id: 7,
                topics: vec![topic("a", &[0, 2]), topic("b", &[])],
                ..Default::default()
            }],
        };
        let answer = request.answer_all(ErrorCode::INVALID_REQUEST);
        let marker = &answer.markers[0];
        let names: Vec<&str> = marker.topics.iter().map(|topic| topic.name.as_str()).collect();
        assert_eq!((marker.producer_id, names), (7, vec!["a", "b"]));
        let partitions = marker.topics.iter().flat_map(|topic| &topic.partitions);
        let partitions: Vec<(i32, ErrorCode)> = partitions
            .map(|partition| (partition.partition_index, partition.error_code))
            .collect();
        let refused = ErrorCode::INVALID_REQUEST;
        assert_eq!(partitions, [(0, refused), (2, refused)]);
    }

    #[test]
    fn an_item_with_room_for_it_has_the_reason_too() {
        let request = CreateAclsRequest {
            creations: vec![Default::default(); 2],
        };
        let refusal = (ErrorCode::SECURITY_DISABLED, "ACLs are off".to_owned());
        let answer = request.answer_all(refusal);
        assert_eq!(answer.results.len(), 2);
        assert_eq!(answer.results[1].error_message.as_deref(), Some("ACLs are off"));
        let without = request.answer_all((ErrorCode::SECURITY_DISABLED, String::new()));
        assert_eq!(without.results[0].error_message, None);
    }
}
