//! The outcome of a data file and of each batch in it.

use std::sync::Arc;

use penstock_wire::ErrorCode;
use tokio::sync::watch;
use uuid::Uuid;

/// The error of a batch that was given up because an earlier batch of its producer was. Clients retry it, and know that it was
/// not written. (OUT_OF_ORDER_SEQUENCE_NUMBER would make librdkafka take a new producer id, with which it can no longer tell
/// whether the earlier batch was written.)
pub(super) const GIVEN_UP: ErrorCode = ErrorCode::NOT_ENOUGH_REPLICAS;
pub(super) const GIVEN_UP_MESSAGE: &str = "an earlier batch of this producer was not stored";

/// The outcome of a file.
#[derive(Debug)]
pub(super) enum FileOutcome {
    Committed(Committed),
    /// None of it counts as accepted. (A commit without an answer may have been carried out; idempotent producers notice.)
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

/// The answer to a commit, by batch and run in the order of the file.
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

/// What counts as produced.
#[derive(Debug, Default)]
pub(super) struct Accepted {
    pub(super) bytes: u64,
    pub(super) uncompressed_bytes: u64,
    pub(super) records: u64,
}

/// Where a batch was put: its run, counted in the order of admission, and its number within the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) run: usize,
    pub(super) batch: usize,
}

/// The outcome of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchOutcome {
    /// `NONE` if it was accepted.
    pub error_code: ErrorCode,
    /// Offset of its first record, or -1.
    pub base_offset: i64,
    /// First offset that can be read, or -1.
    pub log_start_offset: i64,
    /// For people; only with an error.
    pub message: Option<String>,
}

impl BatchOutcome {
    /// A refusal.
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

/// Waits for the batches of one request. They may be in several files.
#[derive(Debug, Default)]
pub struct Ticket {
    files: Vec<watch::Receiver<Option<Arc<FileOutcome>>>>,
    /// Per batch, in the order of admission: which of the files, and where in it.
    places: Vec<(usize, Place)>,
}

impl Ticket {
    /// Takes in a file. Returns its number for [`Ticket::add`].
    pub(super) fn join(&mut self, file: watch::Receiver<Option<Arc<FileOutcome>>>) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// The next batch is at this place.
    pub(super) fn add(&mut self, file: usize, place: Place) {
        self.places.push((file, place));
    }

    /// The outcome of each batch, in the order of admission.
    pub async fn outcomes(mut self) -> Vec<BatchOutcome> {
        let mut outcomes = Vec::with_capacity(self.files.len());
        for file in &mut self.files {
            outcomes.push(match file.wait_for(Option::is_some).await {
                Ok(outcome) => outcome.clone(),
                // The file was dropped without an outcome: the agent is shutting down.
                Err(_) => None,
            });
        }
        self.places
            .iter()
            .map(|(file, place)| outcome_of(outcomes[*file].as_deref(), *place))
            .collect()
    }

    /// The same for a request whose time is up.
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
    // A batch that was committed before is a success; some brokers and so some tests know it by this code.
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
