//! The commit of a data file: its columns, and the answer per batch.

use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_wire::ErrorCode;
use uuid::Uuid;

use super::open_file::{SealedFile, count};
use super::outcome::{Accepted, Committed, FileOutcome};

impl SealedFile {
    /// What the metadata service is told of this file.
    pub(super) fn commit_request(&self, agent_id: &str) -> proto::CommitFileRequest {
        let mut request = proto::CommitFileRequest {
            file_id: id_bytes(self.file_id),
            file_bytes: self.file_bytes,
            topic_ids: self.topics.iter().copied().map(id_bytes).collect(),
            run_topic: self.run_topic.clone(),
            run_partition: self.runs.iter().map(|run| run.partition).collect(),
            run_batches: self.runs.iter().map(|run| count(run.batches.len())).collect(),
            agent_id: agent_id.to_owned(),
            ..Default::default()
        };
        let mut position = 0;
        for run in &self.runs {
            request.run_position.push(position);
            for batch in &run.batches {
                let header = &batch.batch.header;
                position += batch.batch.bytes.len() as u64;
                request.batch_bytes.push(count(batch.batch.bytes.len()));
                request.batch_records.push(header.last_offset_delta.unsigned_abs() + 1);
                request.batch_max_timestamp_ms.push(header.max_timestamp_ms);
                request.batch_uncompressed_bytes.push(batch.uncompressed_bytes);
            }
        }
        if self.headers().any(|header| header.producer_id >= 0) {
            for header in self.headers() {
                request.batch_producer_id.push(header.producer_id);
                request.batch_producer_epoch.push(i32::from(header.producer_epoch));
                request.batch_base_sequence.push(header.base_sequence);
            }
        }
        request
    }
}

/// Checks the answer's form and takes it in.
pub(super) fn read_response(sealed: &SealedFile, response: proto::CommitFileResponse) -> FileOutcome {
    if response.error_code != 0 {
        tracing::error!(
            file_id = %sealed.file_id,
            error_code = response.error_code,
            message = response.error_message,
            "the metadata service refused a data file"
        );
        return FileOutcome::failed(kafka_code(response.error_code), response.error_message);
    }
    let batches = sealed.batches().count();
    let codes = &response.batch_error_code;
    if response.batch_base_offset.len() != batches || !(codes.is_empty() || codes.len() == batches) {
        tracing::error!(file_id = %sealed.file_id, "the metadata service answered a commit in a form that does not fit it");
        return FileOutcome::failed(ErrorCode::UNKNOWN_SERVER_ERROR, "malformed commit answer".to_owned());
    }
    let mut first_batch = 0;
    let first_batch_of_run = sealed
        .runs
        .iter()
        .map(|run| {
            let first = first_batch;
            first_batch += run.batches.len();
            first
        })
        .collect();
    let batch_error_codes: Vec<ErrorCode> = codes.iter().copied().map(kafka_code).collect();
    let mut accepted = Accepted::default();
    for (index, batch) in sealed.batches().enumerate() {
        if batch_error_codes.get(index).is_none_or(|code| code.is_none()) {
            accepted.bytes += batch.batch.bytes.len() as u64;
            accepted.uncompressed_bytes += batch.uncompressed_bytes;
            accepted.records += u64::from(batch.batch.header.records_count.unsigned_abs());
        }
    }
    FileOutcome::Committed(Committed {
        unknown_topics: unknown_topics(sealed, &batch_error_codes),
        file_position_of_run: sealed.file_position_of_run.clone(),
        first_batch_of_run,
        batch_base_offsets: response.batch_base_offset,
        batch_error_codes,
        run_log_start_offsets: response.run_log_start_offset,
        accepted,
    })
}

/// Topics that the catalogue still had but that are gone.
fn unknown_topics(sealed: &SealedFile, batch_error_codes: &[ErrorCode]) -> Vec<Uuid> {
    let batch_topics = sealed
        .runs
        .iter()
        .flat_map(|run| run.batches.iter().map(|_| run.topic.id));
    let mut unknown: Vec<Uuid> = batch_topics
        .zip(batch_error_codes)
        .filter(|(_, code)| **code == ErrorCode::UNKNOWN_TOPIC_ID)
        .map(|(topic, _)| topic)
        .collect();
    unknown.dedup();
    unknown
}

fn kafka_code(code: i32) -> ErrorCode {
    i16::try_from(code).map_or(ErrorCode::UNKNOWN_SERVER_ERROR, ErrorCode)
}

fn id_bytes(id: Uuid) -> Bytes {
    Bytes::copy_from_slice(id.as_bytes())
}
