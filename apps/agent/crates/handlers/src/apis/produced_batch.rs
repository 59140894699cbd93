//! Checks a produced batch: its size, header and checksum, and its records while they are decompressed.

use std::ops::RangeInclusive;
use std::sync::Arc;

use bytes::Bytes;
use penstock_metadata_client::cache::{Timestamps, Topic};
use penstock_wire::ErrorCode;
use penstock_wire::messages::produce::BatchIndexAndErrorMessage;
use penstock_wire::record_batch::{Batch, BatchError, HEADER_BYTES, RecordRules, check_records, window_bytes};
use penstock_write_path::{BatchOutcome, CheckedBatch, Transaction};

/// A batch as received, and the rules for it.
pub(super) struct ProducedBatch {
    pub(super) topic: Arc<Topic>,
    pub(super) partition: u32,
    /// Kafka allows one batch per partition and request in this format.
    pub(super) records: Bytes,
    pub(super) max_uncompressed_bytes: u64,
    pub(super) transaction: Option<Arc<Transaction>>,
    /// The batch's arrival time.
    pub(super) now_ms: i64,
}

/// Why a partition is refused, and because of which records.
pub(super) struct Refused {
    pub(super) outcome: BatchOutcome,
    pub(super) records: Vec<BatchIndexAndErrorMessage>,
}

impl From<BatchOutcome> for Refused {
    fn from(outcome: BatchOutcome) -> Self {
        Self {
            outcome,
            records: Vec::new(),
        }
    }
}

impl From<BatchError> for Refused {
    fn from(error: BatchError) -> Self {
        let outcome = BatchOutcome::refused(error.error_code(), Some(error.to_string()));
        let named = match error {
            BatchError::Records(refused) => refused.first,
            _ => Vec::new(),
        };
        let records = named.into_iter().map(|record| BatchIndexAndErrorMessage {
            batch_index: record.index,
            batch_index_error_message: Some(record.fault.to_string()),
        });
        Self {
            outcome,
            records: records.collect(),
        }
    }
}

/// The outcome of a check with a byte budget.
pub(super) enum Reading {
    Done(Result<CheckedBatch, Refused>),
    /// The budget is exhausted.
    Lengthy,
}

impl ProducedBatch {
    /// Checks the batch if it has at most `budget_bytes`, both as stored and uncompressed. Subtracts the bytes read
    /// from the budget.
    pub(super) fn check_within(&self, budget_bytes: &mut u64) -> Reading {
        if self.records.len() as u64 > *budget_bytes {
            return Reading::Lengthy;
        }
        match self.check_up_to(*budget_bytes) {
            Ok(checked) => {
                *budget_bytes = budget_bytes.saturating_sub(checked.uncompressed_bytes);
                Reading::Done(Ok(checked))
            }
            Err(Unchecked::TooLong) => Reading::Lengthy,
            Err(Unchecked::Refused(refused)) => {
                // It may have been read to its end first.
                *budget_bytes = 0;
                Reading::Done(Err(refused))
            }
        }
    }

    /// Checks the batch, whatever its size.
    pub(super) fn check(&self) -> Result<CheckedBatch, Refused> {
        self.check_up_to(u64::MAX).map_err(|unchecked| match unchecked {
            Unchecked::Refused(refused) => refused,
            Unchecked::TooLong => BatchError::TooLarge { limit_bytes: u64::MAX }.into(),
        })
    }

    /// The memory needed for the check, in bytes.
    pub(super) fn window_bytes(&self) -> u64 {
        let batch = Batch::split_off(&mut self.records.clone());
        // An invalid batch is refused before anything is decompressed.
        batch.and_then(|batch| window_bytes(&batch)).unwrap_or(0)
    }

    fn check_up_to(&self, most_bytes: u64) -> Result<CheckedBatch, Unchecked> {
        let topic = &self.topic;
        let mut records = self.records.clone();
        if records.len() > topic.max_message_bytes as usize {
            return Err(BatchOutcome::refused(
                ErrorCode::MESSAGE_TOO_LARGE,
                Some(format!(
                    "the batch has {} bytes, more than the topic's max.message.bytes of {}",
                    records.len(),
                    topic.max_message_bytes
                )),
            )
            .into());
        }
        let batch = Batch::split_off(&mut records)?;
        if !records.is_empty() {
            return Err(BatchError::Invalid("a Produce request may hold only one batch per partition").into());
        }
        batch.check_produced()?;
        // Batches that compression did not shrink are limited only by max.message.bytes.
        let limit_bytes = self
            .max_uncompressed_bytes
            .max((batch.bytes.len() - HEADER_BYTES) as u64);
        let rules = RecordRules::new(topic.is_compacted, self.allowed_timestamps());
        let checked = check_records(&batch, &rules, limit_bytes.min(most_bytes)).map_err(|error| match error {
            BatchError::TooLarge { .. } if most_bytes < limit_bytes => Unchecked::TooLong,
            BatchError::TooLarge { .. } => BatchOutcome::refused(
                ErrorCode::MESSAGE_TOO_LARGE,
                Some(format!(
                    "the batch decompresses to more than the topic's max.uncompressed.batch.bytes of {limit_bytes}: send smaller batches, or raise it for the topic (its config max.uncompressed.batch.bytes) or for the cluster (its settings in the dashboard, or the default of all brokers)"
                )),
            )
            .into(),
            error => error.into(),
        })?;
        let batch = match topic.timestamps {
            Timestamps::LogAppendTime => batch.with_max_timestamp(self.now_ms, true),
            // Lookups by time and retention use only this field. Kafka corrects it, too.
            Timestamps::CreateTime { .. } if checked.max_timestamp_ms != batch.header.max_timestamp_ms => {
                batch.with_max_timestamp(checked.max_timestamp_ms, false)
            }
            Timestamps::CreateTime { .. } => batch,
        };
        let transaction = self.transaction.clone().filter(|_| batch.header.is_transactional());
        Ok(CheckedBatch {
            batch,
            uncompressed_bytes: checked.uncompressed_bytes,
            transaction,
        })
    }

    /// Returns `None` if the records' own timestamps are not stored.
    fn allowed_timestamps(&self) -> Option<RangeInclusive<i64>> {
        match self.topic.timestamps {
            Timestamps::LogAppendTime => None,
            Timestamps::CreateTime {
                before_max_ms,
                after_max_ms,
            } => Some(self.now_ms.saturating_sub(before_max_ms)..=self.now_ms.saturating_add(after_max_ms)),
        }
    }
}

/// Why there is no checked batch.
enum Unchecked {
    /// There is more to read than this check may.
    TooLong,
    Refused(Refused),
}

impl<Reason: Into<Refused>> From<Reason> for Unchecked {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}
