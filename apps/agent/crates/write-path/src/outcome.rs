//! The outcome of a data file and of each batch in it.

use std::sync::Arc;

use penstock_wire::ErrorCode;
use tokio::sync::watch;
use uuid::Uuid;

/// The error of a batch abandoned because an earlier batch of its producer was. Clients retry, and know that nothing
/// was written. (After OUT_OF_ORDER_SEQUENCE_NUMBER, librdkafka would request a new producer id, with which it could no
/// longer tell whether the earlier batch was written.)
pub(super) const GIVEN_UP: ErrorCode = ErrorCode::NOT_ENOUGH_REPLICAS;
pub(super) const GIVEN_UP_MESSAGE: &str = "an earlier batch of this producer was not stored";

/// The outcome of a file.
#[derive(Debug)]
pub(super) enum FileOutcome {
    Committed(Committed),
    /// No batch counts as accepted. (A commit without a response may have taken effect; idempotent producers detect
    /// that.)
    Failed {
        error_code: ErrorCode,
        message: String,
    },
}

impl FileOutcome {
    pub(super) fn failed(error_code: ErrorCode, message: String) -> Self {
        Self::Failed { error_code, message }
    }
}

/// The response to a commit, by batch and run in file order.
#[derive(Debug)]
pub(super) struct Committed {
    pub(super) file_position_of_run: Vec<usize>,
    pub(super) first_batch_of_run: Vec<usize>,
    pub(super) batch_base_offsets: Vec<i64>,
    pub(super) batch_error_codes: Vec<ErrorCode>,
    pub(super) run_log_start_offsets: Vec<i64>,
    pub(super) accepted: Accepted,
    pub(super) unknown_topics: Vec<Uuid>,
}

/// The accepted records, for metrics.
#[derive(Debug, Default)]
pub(super) struct Accepted {
    pub(super) bytes: u64,
    pub(super) uncompressed_bytes: u64,
    pub(super) records: u64,
}

/// The place of a batch: its run, by order of admission, and its index in the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) run: usize,
    pub(super) batch: usize,
}

/// The outcome of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchOutcome {
    /// The error code, or `NONE` if the batch was accepted.
    pub error_code: ErrorCode,
    /// Offset of its first record, or -1.
    pub base_offset: i64,
    /// First readable offset, or -1.
    pub log_start_offset: i64,
    /// A message for people, only with an error.
    pub message: Option<String>,
}

impl BatchOutcome {
    /// Creates the outcome of a refused batch.
    #[must_use]
    pub fn refused(error_code: ErrorCode, message: Option<String>) -> Self {
        Self {
            error_code,
            base_offset: -1,
            log_start_offset: -1,
            message,
        }
    }
}

/// Waits for the batches of a request, which may be in several files.
#[derive(Debug, Default)]
pub struct Ticket {
    files: Vec<watch::Receiver<Option<Arc<FileOutcome>>>>,
    /// The file and place of each batch, in order of admission.
    places: Vec<(usize, Place)>,
}

impl Ticket {
    /// Adds a file. Returns its index for [`Ticket::add`].
    pub(super) fn join(&mut self, file: watch::Receiver<Option<Arc<FileOutcome>>>) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// Adds the place of the next batch.
    pub(super) fn add(&mut self, file: usize, place: Place) {
        self.places.push((file, place));
    }

    /// Returns the outcome of each batch, in order of admission.
    pub async fn outcomes(mut self) -> Vec<BatchOutcome> {
        let mut outcomes = Vec::with_capacity(self.files.len());
        for file in &mut self.files {
            outcomes.push(match file.wait_for(Option::is_some).await {
                Ok(outcome) => outcome.clone(),
                // The file was dropped without an outcome, because the agent is shutting down.
                Err(_) => None,
            });
        }
        self.places
            .iter()
            .map(|(file, place)| outcome_of(outcomes[*file].as_deref(), *place))
            .collect()
    }

    /// The outcomes of a request that timed out.
    #[must_use]
    pub fn timed_out(batches: usize) -> Vec<BatchOutcome> {
        vec![BatchOutcome::refused(ErrorCode::REQUEST_TIMED_OUT, None); batches]
    }
}

fn outcome_of(outcome: Option<&FileOutcome>, place: Place) -> BatchOutcome {
    let committed = match outcome {
        Some(FileOutcome::Committed(committed)) => committed,
        Some(FileOutcome::Failed { error_code, message }) => {
            return BatchOutcome::refused(*error_code, Some(message.clone()));
        }
        None => return BatchOutcome::refused(ErrorCode::NOT_LEADER_OR_FOLLOWER, None),
    };
    let run = committed.file_position_of_run[place.run];
    let batch = committed.first_batch_of_run[run] + place.batch;
    let error_code = committed.batch_error_codes[batch];
    // A batch that was already committed is a success, but some brokers, and hence some tests, use this code.
    if !error_code.is_none() && error_code != ErrorCode::DUPLICATE_SEQUENCE_NUMBER {
        let message = (error_code == GIVEN_UP).then(|| GIVEN_UP_MESSAGE.to_owned());
        return BatchOutcome::refused(error_code, message);
    }
    BatchOutcome {
        error_code: ErrorCode::NONE,
        base_offset: committed.batch_base_offsets[batch],
        log_start_offset: committed.run_log_start_offsets.get(run).copied().unwrap_or(-1),
        message: None,
    }
}
