//! Commits a data file: selects the batches, builds the request, and reads the outcome of each batch.

use std::collections::HashMap;
use std::ops::Range;

use bytes::Bytes;
use penstock_metadata_client::proto;
use penstock_wire::ErrorCode;
use uuid::Uuid;

use super::open_file::{SealedFile, count};
use super::outcome::{Accepted, Committed, FileOutcome, GIVEN_UP};
use super::{CheckedBatch, Transaction};

/// The batches of a file to commit, as consecutive stretches within runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Selection {
    stretches: Vec<Stretch>,
    batches: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Stretch {
    run: usize,
    /// Position of the stretch in the file.
    position: u64,
    /// Batch numbers, counted over the whole file.
    batches: Range<usize>,
}

impl Selection {
    /// Selects the batches for which `keeps` returns true. It is called once per batch, in file order.
    pub(super) fn of(sealed: &SealedFile, mut keeps: impl FnMut() -> bool) -> Self {
        let (mut stretches, mut batches) = (Vec::<Stretch>::with_capacity(sealed.runs.len()), 0);
        let (mut position, mut number) = (0, 0);
        for (run_number, run) in sealed.runs.iter().enumerate() {
            for batch in &run.batches {
                if keeps() {
                    batches += 1;
                    match stretches.last_mut() {
                        Some(last) if last.run == run_number && last.batches.end == number => last.batches.end += 1,
                        _ => stretches.push(Stretch {
                            run: run_number,
                            position,
                            batches: number..number + 1,
                        }),
                    }
                }
                position += batch.batch.bytes.len() as u64;
                number += 1;
            }
        }
        Self { stretches, batches }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.batches == 0
    }
}

impl SealedFile {
    /// Creates the commit request of this file.
    pub(super) fn commit_request(&self, agent_id: &str, selection: &Selection) -> proto::CommitFileRequest {
        let stretches = &selection.stretches;
        let mut request = proto::CommitFileRequest {
            file_id: id_bytes(self.file_id),
            file_bytes: self.file_bytes,
            topic_ids: self.topics.iter().copied().map(id_bytes).collect(),
            run_topic: stretches.iter().map(|stretch| self.run_topic[stretch.run]).collect(),
            run_partition: stretches
                .iter()
                .map(|stretch| self.runs[stretch.run].partition)
                .collect(),
            run_position: stretches.iter().map(|stretch| stretch.position).collect(),
            run_batches: stretches.iter().map(|stretch| count(stretch.batches.len())).collect(),
            agent_id: agent_id.to_owned(),
            ..Default::default()
        };
        let mut has_producers = false;
        for batch in self.selected(selection) {
            let header = &batch.batch.header;
            request.batch_bytes.push(count(batch.batch.bytes.len()));
            request.batch_records.push(header.last_offset_delta.unsigned_abs() + 1);
            request.batch_max_timestamp_ms.push(header.max_timestamp_ms);
            request.batch_uncompressed_bytes.push(batch.uncompressed_bytes);
            has_producers |= header.producer_id >= 0;
        }
        if has_producers {
            for batch in self.selected(selection) {
                let header = &batch.batch.header;
                request.batch_producer_id.push(header.producer_id);
                request.batch_producer_epoch.push(i32::from(header.producer_epoch));
                request.batch_base_sequence.push(header.base_sequence);
            }
        }
        self.add_transactions(selection, &mut request);
        request
    }

    fn add_transactions(&self, selection: &Selection, request: &mut proto::CommitFileRequest) {
        let mut numbers: HashMap<&Transaction, u32> = HashMap::new();
        let batches = self.selected(selection).map(|batch| batch.transaction.as_deref());
        let column: Vec<u32> = batches
            .map(|transaction| {
                let Some(transaction) = transaction else { return 0 };
                *numbers.entry(transaction).or_insert_with(|| {
                    request.transactions.push(proto::FileTransaction {
                        transactional_id: transaction.transactional_id.clone(),
                        adds_partitions: transaction.adds_partitions,
                    });
                    count(request.transactions.len())
                })
            })
            .collect();
        if !numbers.is_empty() {
            request.batch_transaction = column;
        }
    }

    fn selected(&self, selection: &Selection) -> impl Iterator<Item = &CheckedBatch> {
        let mut stretches = selection.stretches.iter().peekable();
        self.batches().enumerate().filter_map(move |(number, batch)| {
            stretches.next_if(|stretch| stretch.batches.end <= number);
            stretches
                .peek()
                .is_some_and(|stretch| stretch.batches.contains(&number))
                .then_some(batch)
        })
    }
}

/// Validates and applies the response. Batches that were not selected are abandoned.
pub(super) fn read_response(
    sealed: &SealedFile,
    selection: &Selection,
    response: proto::CommitFileResponse,
) -> FileOutcome {
    if response.error_code != 0 {
        tracing::error!(
            file_id = %sealed.file_id,
            error_code = response.error_code,
            message = response.error_message,
            "the metadata service refused a data file"
        );
        let error_code = if is_agents_fault(&response) {
            // Clients retry after this code, know that nothing was written, and look for another agent.
            ErrorCode::NOT_LEADER_OR_FOLLOWER
        } else {
            kafka_code(response.error_code)
        };
        return FileOutcome::failed(error_code, response.error_message);
    }
    let codes = &response.batch_error_code;
    if response.batch_base_offset.len() != selection.batches || !(codes.is_empty() || codes.len() == selection.batches)
    {
        tracing::error!(file_id = %sealed.file_id, "the metadata service's answer to a commit is malformed");
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
    let mut batch_base_offsets = vec![-1; first_batch];
    let mut batch_error_codes = vec![GIVEN_UP; first_batch];
    let mut run_log_start_offsets = vec![-1; sealed.runs.len()];
    let mut answered = 0;
    for (number, stretch) in selection.stretches.iter().enumerate() {
        for batch in stretch.batches.clone() {
            batch_base_offsets[batch] = response.batch_base_offset[answered];
            batch_error_codes[batch] = codes.get(answered).copied().map_or(ErrorCode::NONE, kafka_code);
            answered += 1;
        }
        if let Some(offset) = response.run_log_start_offset.get(number) {
            run_log_start_offsets[stretch.run] = *offset;
        }
    }
    let mut accepted = Accepted::default();
    for (batch, code) in sealed.batches().zip(&batch_error_codes) {
        if code.is_none() {
            accepted.bytes += batch.batch.bytes.len() as u64;
            accepted.uncompressed_bytes += batch.uncompressed_bytes;
            accepted.records += u64::from(batch.batch.header.records_count.unsigned_abs());
        }
    }
    FileOutcome::Committed(Committed {
        unknown_topics: unknown_topics(sealed, &batch_error_codes),
        file_position_of_run: sealed.file_position_of_run.clone(),
        first_batch_of_run,
        batch_base_offsets,
        batch_error_codes,
        run_log_start_offsets,
        accepted,
    })
}

/// Returns true if the service refused the file because of the agent, for example because of an id with a wrong time.
/// Its batches are valid.
pub(super) fn is_agents_fault(response: &proto::CommitFileResponse) -> bool {
    kafka_code(response.error_code) == ErrorCode::INVALID_REQUEST
}

/// Topics in the catalogue that no longer exist.
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
