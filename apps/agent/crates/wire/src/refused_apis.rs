//! APIs of share groups (KIP-932) and streams groups (KIP-1071), which Penstock does not support. Requests get
//! UNSUPPORTED_VERSION, as from a Kafka broker with the feature disabled. Like such a broker, ApiVersions announces the
//! APIs of share consumers, because librdkafka would otherwise search for a coordinator forever. Only the parts of the
//! messages that a refusal needs are declared. All versions are flexible.

use crate::error::{DecodeError, EncodeError};
use crate::error_code::ErrorCode;
use crate::field::{Form, Wire};
use crate::header::RequestHeader;
use crate::reader::Reader;
use crate::tagged;
use crate::uuid::Uuid;
use crate::writer::{Frame, Writer};

const REFUSED: ErrorCode = ErrorCode::UNSUPPORTED_VERSION;
const SHARE_GROUPS: &str = "Share groups are not supported.";
const STREAMS_GROUPS: &str = "Streams groups are not supported: set group.protocol to classic.";
/// Marks a null struct.
const NULL_STRUCT: i8 = -1;

macro_rules! declare_refused_apis {
    ($($name:ident = $key:literal, versions $first:literal..=$last:literal, $refusal:expr;)*) => {
        /// Returns the API's name and the response frame, if the header belongs to one of these APIs in a version of
        /// Kafka 4.3. `body` starts after the header's client id.
        ///
        /// # Errors
        /// Returns an error if the body is not a valid request.
        pub fn refuse(
            header: &RequestHeader,
            body: &mut Reader,
        ) -> Result<Option<(&'static str, Result<Frame, EncodeError>)>, DecodeError> {
            let form = Form::new(header.api_version, true);
            match (header.api_key, header.api_version) {
                $(($key, $first..=$last) => {
                    tagged::read(body, |_, _| Ok(false)).map_err(|error| error.within("RequestHeader (tagged fields)"))?;
                    let refusal: fn(&mut Reader, Form) -> Result<_, DecodeError> = $refusal;
                    Ok(Some((stringify!($name), frame(&refusal(body, form)?, header.correlation_id, form))))
                })*
                _ => Ok(None),
            }
        }

        const KEYS_AND_VERSIONS: &[(i16, i16, i16)] = &[$(($key, $first, $last),)*];
    };
}

declare_refused_apis! {
    ShareGroupHeartbeat = 76, versions 1..=1, |_, _| Ok(ShareGroupHeartbeatRefusal::default());
    ShareGroupDescribe = 77, versions 1..=1, |body, form| {
        let groups = Vec::<String>::read(body, form)?.into_iter();
        Ok(ShareGroupDescribeRefusal {
            groups: groups.map(|group_id| ShareGroupRefusal { group_id, ..Default::default() }).collect(),
            ..Default::default()
        })
    };
    ShareFetch = 78, versions 1..=2, |_, _| Ok(ShareFetchRefusal::default());
    ShareAcknowledge = 79, versions 1..=2, |_, _| Ok(ShareAcknowledgeRefusal::default());
    InitializeShareGroupState = 83, versions 0..=0, |body, form| Ok(InitializeStateRequest::read(body, form)?.refusal());
    ReadShareGroupState = 84, versions 0..=0, |body, form| Ok(ReadStateRequest::read(body, form)?.refusal());
    WriteShareGroupState = 85, versions 0..=1, |body, form| Ok(WriteStateRequest::read(body, form)?.refusal());
    DeleteShareGroupState = 86, versions 0..=0, |body, form| Ok(DeleteStateRequest::read(body, form)?.refusal());
    ReadShareGroupStateSummary = 87, versions 0..=1, |body, form| Ok(ReadStateSummaryRequest::read(body, form)?.refusal());
    StreamsGroupHeartbeat = 88, versions 0..=0, |_, _| Ok(StreamsGroupHeartbeatRefusal::default());
    StreamsGroupDescribe = 89, versions 0..=0, |body, form| {
        let groups = Vec::<String>::read(body, form)?.into_iter();
        Ok(StreamsGroupDescribeRefusal {
            groups: groups.map(|group_id| StreamsGroupRefusal { group_id, ..Default::default() }).collect(),
            ..Default::default()
        })
    };
    DescribeShareGroupOffsets = 90, versions 0..=1, |body, form| {
        let groups = Vec::<ShareOffsetsOfGroup>::read(body, form)?.into_iter();
        Ok(DescribeShareGroupOffsetsRefusal {
            groups: groups.map(|group| ShareOffsetsRefusal { group_id: group.group_id, ..Default::default() }).collect(),
            ..Default::default()
        })
    };
    AlterShareGroupOffsets = 91, versions 0..=0, |_, _| Ok(ShareGroupOffsetsRefusal::default());
    DeleteShareGroupOffsets = 92, versions 0..=0, |_, _| Ok(ShareGroupOffsetsRefusal::default());
}

const SHARE_GROUP_HEARTBEAT: i16 = 76;
const SHARE_FETCH: i16 = 78;
const SHARE_ACKNOWLEDGE: i16 = 79;

/// The key and the first and last version of each refused API that ApiVersions announces.
pub fn announced_refusals() -> impl Iterator<Item = (i16, i16, i16)> {
    let are_announced =
        |(key, _, _): &(i16, i16, i16)| matches!(*key, SHARE_GROUP_HEARTBEAT | SHARE_FETCH | SHARE_ACKNOWLEDGE);
    KEYS_AND_VERSIONS.iter().copied().filter(are_announced)
}

fn frame<M: Wire>(refusal: &M, correlation_id: i32, form: Form) -> Result<Frame, EncodeError> {
    let mut writer = Writer::for_frame();
    writer.put_i32(correlation_id);
    writer.put_uvarint(0);
    refusal.write(&mut writer, form)?;
    writer.finish_frame()
}

fn message(text: &str) -> Option<String> {
    Some(text.to_owned())
}

// Arrays that a refusal leaves empty or null are declared as bytes: without elements, all types look alike.

fields! {
    ShareGroupHeartbeatRefusal {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 1.., default REFUSED;
        error_message: Option<String>, 1.., null 1.., default message(SHARE_GROUPS);
        member_id: Option<String>, 1.., null 1..;
        member_epoch: i32, 1..;
        heartbeat_interval_ms: i32, 1..;
        assignment: i8, 1.., default NULL_STRUCT;
    }
}

fields! {
    ShareGroupDescribeRefusal {
        throttle_time_ms: i32, 1..;
        groups: Vec<ShareGroupRefusal>, 1..;
    }
}

fields! {
    ShareGroupRefusal {
        error_code: ErrorCode, 1.., default REFUSED;
        error_message: Option<String>, 1.., null 1.., default message(SHARE_GROUPS);
        group_id: String, 1..;
        group_state: String, 1..;
        group_epoch: i32, 1..;
        assignment_epoch: i32, 1..;
        assignor_name: String, 1..;
        members: Vec<i8>, 1..;
        authorized_operations: i32, 1.., default i32::MIN;
    }
}

fields! {
    ShareFetchRefusal {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 1.., default REFUSED;
        error_message: Option<String>, 1.., null 1.., default message(SHARE_GROUPS);
        acquisition_lock_timeout_ms: i32, 1..;
        responses: Vec<i8>, 1..;
        node_endpoints: Vec<i8>, 1..;
    }
}

fields! {
    ShareAcknowledgeRefusal {
        throttle_time_ms: i32, 1..;
        error_code: ErrorCode, 1.., default REFUSED;
        error_message: Option<String>, 1.., null 1.., default message(SHARE_GROUPS);
        acquisition_lock_timeout_ms: i32, 2..;
        responses: Vec<i8>, 1..;
        node_endpoints: Vec<i8>, 1..;
    }
}

fields! {
    ShareOffsetsOfGroup {
        group_id: String, 0..;
        topics: Option<Vec<ShareOffsetsOfTopic>>, 0.., null 0..;
    }
}

fields! {
    ShareOffsetsOfTopic {
        topic_name: String, 0..;
        partitions: Vec<i32>, 0..;
    }
}

fields! {
    DescribeShareGroupOffsetsRefusal {
        throttle_time_ms: i32, 0..;
        groups: Vec<ShareOffsetsRefusal>, 0..;
    }
}

fields! {
    ShareOffsetsRefusal {
        group_id: String, 0..;
        topics: Vec<i8>, 0..;
        error_code: ErrorCode, 0.., default REFUSED;
        error_message: Option<String>, 0.., null 0.., default message(SHARE_GROUPS);
    }
}

fields! {
    ShareGroupOffsetsRefusal {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0.., default REFUSED;
        error_message: Option<String>, 0.., null 0.., default message(SHARE_GROUPS);
        responses: Vec<i8>, 0..;
    }
}

fields! {
    StreamsGroupHeartbeatRefusal {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0.., default REFUSED;
        error_message: Option<String>, 0.., null 0.., default message(STREAMS_GROUPS);
        member_id: String, 0..;
        member_epoch: i32, 0..;
        heartbeat_interval_ms: i32, 0..;
        acceptable_recovery_lag: i32, 0..;
        task_offset_interval_ms: i32, 0..;
        status: Option<Vec<i8>>, 0.., null 0..;
        active_tasks: Option<Vec<i8>>, 0.., null 0..;
        standby_tasks: Option<Vec<i8>>, 0.., null 0..;
        warmup_tasks: Option<Vec<i8>>, 0.., null 0..;
        endpoint_information_epoch: i32, 0..;
        partitions_by_user_endpoint: Option<Vec<i8>>, 0.., null 0..;
    }
}

fields! {
    StreamsGroupDescribeRefusal {
        throttle_time_ms: i32, 0..;
        groups: Vec<StreamsGroupRefusal>, 0..;
    }
}

fields! {
    StreamsGroupRefusal {
        error_code: ErrorCode, 0.., default REFUSED;
        error_message: Option<String>, 0.., null 0.., default message(STREAMS_GROUPS);
        group_id: String, 0..;
        group_state: String, 0..;
        group_epoch: i32, 0..;
        assignment_epoch: i32, 0..;
        topology: i8, 0.., default NULL_STRUCT;
        members: Vec<i8>, 0..;
        authorized_operations: i32, 0.., default i32::MIN;
    }
}

/// Declares the request and refusal of an API with which brokers store share group state. All have a group, topics and
/// partitions, and differ in the partition fields.
macro_rules! share_state {
    (
        $request:ident, $topic:ident, $partition:ident { $($field:ident: $ty:ty, $versions:expr;)* }
        -> $refusal:ident, $refused_topic:ident, $refused_partition:ident {
            $($answered:ident: $answered_ty:ty, $answered_versions:expr $(, default $default:expr)?;)*
        }
    ) => {
        fields! { $request { group_id: String, 0..; topics: Vec<$topic>, 0..; } }
        fields! { $topic { topic_id: Uuid, 0..; partitions: Vec<$partition>, 0..; } }
        fields! { $partition { partition: i32, 0..; $($field: $ty, $versions;)* } }
        fields! { $refusal { results: Vec<$refused_topic>, 0..; } }
        fields! { $refused_topic { topic_id: Uuid, 0..; partitions: Vec<$refused_partition>, 0..; } }
        fields! {
            $refused_partition {
                partition: i32, 0..;
                error_code: ErrorCode, 0.., default REFUSED;
                error_message: Option<String>, 0.., null 0.., default message(SHARE_GROUPS);
                $($answered: $answered_ty, $answered_versions $(, default $default)?;)*
            }
        }

        impl $request {
            fn refusal(self) -> $refusal {
                let refuse = |asked: $partition| $refused_partition { partition: asked.partition, ..Default::default() };
                let results = self.topics.into_iter().map(|topic| $refused_topic {
                    topic_id: topic.topic_id,
                    partitions: topic.partitions.into_iter().map(refuse).collect(),
                });
                $refusal { results: results.collect() }
            }
        }
    };
}

share_state! {
    InitializeStateRequest, InitializeStateTopic, InitializeStatePartition { state_epoch: i32, 0..; start_offset: i64, 0..; }
    -> InitializeStateRefusal, InitializeStateRefusedTopic, InitializeStateRefusedPartition {}
}

share_state! {
    ReadStateRequest, ReadStateTopic, ReadStatePartition { leader_epoch: i32, 0..; }
    -> ReadStateRefusal, ReadStateRefusedTopic, ReadStateRefusedPartition {
        state_epoch: i32, 0..;
        start_offset: i64, 0..;
        state_batches: Vec<i8>, 0..;
    }
}

share_state! {
    WriteStateRequest, WriteStateTopic, WriteStatePartition {
        state_epoch: i32, 0..;
        leader_epoch: i32, 0..;
        start_offset: i64, 0..;
        delivery_complete_count: i32, 1..;
        state_batches: Vec<StateBatch>, 0..;
    }
    -> WriteStateRefusal, WriteStateRefusedTopic, WriteStateRefusedPartition {}
}

fields! {
    StateBatch {
        first_offset: i64, 0..;
        last_offset: i64, 0..;
        delivery_state: i8, 0..;
        delivery_count: i16, 0..;
    }
}

share_state! {
    DeleteStateRequest, DeleteStateTopic, DeleteStatePartition {}
    -> DeleteStateRefusal, DeleteStateRefusedTopic, DeleteStateRefusedPartition {}
}

share_state! {
    ReadStateSummaryRequest, ReadStateSummaryTopic, ReadStateSummaryPartition { leader_epoch: i32, 0..; }
    -> ReadStateSummaryRefusal, ReadStateSummaryRefusedTopic, ReadStateSummaryRefusedPartition {
        state_epoch: i32, 0..;
        leader_epoch: i32, 0..;
        start_offset: i64, 0..;
        delivery_complete_count: i32, 1.., default -1;
    }
}

#[cfg(test)]
mod tests;
