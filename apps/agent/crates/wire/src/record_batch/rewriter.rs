//! Rewrites the batches of a compacted partition: removes records and joins the remaining ones, which keep their
//! offset, timestamp, key, value and headers.
//!
//! Removed records leave gaps in the offsets. Batches still follow each other without gaps: each spans
//! `last_offset_delta + 1` offsets, from the end of the previous batch to its own last record, so a gap precedes the
//! records of the batch after it. If the gap were at the end of the previous batch, a consumer at an offset in the gap
//! would fetch that whole batch again for nothing. A batch without records spans a gap at the end.

use std::ops::Range;

use bytes::Bytes;

use super::compress::compress;
use super::error::BatchError;
use super::header::{Batch, BatchHeader, Compression, DELETE_HORIZON_BIT, HEADER_BYTES, TRANSACTIONAL_BIT};
use super::payload::decompressed_records;
use super::raw_record::{RawRecord, put_record};

const NO_TIMESTAMP: i64 = -1;
/// Maximum number of offsets that one batch can span.
const MAX_OFFSETS: i64 = i32::MAX as i64 + 1;
/// Overhead of a record in memory and in a batch, excluding its fields.
const RECORD_OVERHEAD_BYTES: usize = 40;

/// The settings for rewriting batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteRules {
    /// Approximate uncompressed size up to which batches are joined.
    pub joined_bytes: usize,
    /// Maximum size of a batch of more than one record, including its header: the topic's `max.message.bytes`.
    pub max_batch_bytes: usize,
    /// Batches that decompress to more are copied unchanged.
    pub max_content_bytes: u64,
    /// The delete horizon for tombstones that have none, in milliseconds since the Unix epoch.
    pub new_delete_horizon_ms: i64,
}

/// The properties that decide whether a record is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView<'a> {
    /// The record's offset in its partition.
    pub offset: i64,
    /// The key, if there is one.
    pub key: Option<&'a [u8]>,
    /// True if the record has no value.
    pub is_tombstone: bool,
    /// The delete horizon of the record's batch.
    pub delete_horizon_ms: Option<i64>,
}

/// The outcome of rewriting a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterOutcome {
    /// The records were filtered.
    Filtered {
        /// Number of records removed.
        dropped: u32,
    },
    /// The batch was copied unchanged, because it is unreadable or too large.
    Copied(BatchError),
}

/// Calls `visit` with each record of a batch that begins at `base_offset`, if all of them can be read.
///
/// # Errors
/// Returns an error if the batch cannot be decompressed to at most `max_content_bytes`, or does not match its header's
/// record count.
pub fn view_records(
    base_offset: i64,
    batch: &Batch,
    max_content_bytes: u64,
    mut view: impl FnMut(&RecordView<'_>),
) -> Result<(), BatchError> {
    let content = decompressed_records(batch, max_content_bytes)?;
    walk(base_offset, &batch.header, &content, |_, _| {})?;
    walk(base_offset, &batch.header, &content, |_, record| view(record))
}

/// Reads the records in order. Their offsets must ascend within the batch's span.
fn walk(
    base_offset: i64,
    header: &BatchHeader,
    mut content: &[u8],
    mut visit: impl FnMut(&RawRecord<'_>, &RecordView<'_>),
) -> Result<(), BatchError> {
    let mut least_delta = 0;
    for _ in 0..header.records_count {
        let record = RawRecord::split_off(&mut content)?;
        let delta = i64::from(record.offset_delta);
        if delta < least_delta || delta > i64::from(header.last_offset_delta) {
            return Err(BatchError::Invalid(
                "the offsets of the records do not count up within what the batch spans",
            ));
        }
        least_delta = delta + 1;
        let view = RecordView {
            offset: base_offset + delta,
            key: record.key,
            is_tombstone: !record.has_value,
            delete_horizon_ms: header.delete_horizon_ms(),
        };
        visit(&record, &view);
    }
    if content.is_empty() && header.records_count >= 0 {
        Ok(())
    } else {
        Err(BatchError::Invalid(
            "there are bytes after the last record that the batch counts",
        ))
    }
}

/// Rewrites consecutive batches of a partition.
#[derive(Debug)]
pub struct BatchRewriter {
    rules: RewriteRules,
    /// The base offset of the next batch, after the open or the last written one.
    next_offset: i64,
    joined: Option<JoinedBatch>,
}

/// A batch that is being joined.
#[derive(Debug)]
struct JoinedBatch {
    kind: Kind,
    base_offset: i64,
    records: Vec<JoinedRecord>,
    fields: Vec<u8>,
    /// The delete horizon of all its tombstones.
    delete_horizon_ms: Option<i64>,
}

/// The properties that all records of a batch share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    compression: Compression,
    /// The attributes, excluding the delete horizon and transaction bits.
    attributes: i16,
    append_time_ms: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
struct JoinedRecord {
    offset: i64,
    timestamp_ms: i64,
    /// End of the record's fields.
    fields_end: usize,
}

impl BatchRewriter {
    /// Creates a rewriter whose first batch begins at `base_offset`.
    #[must_use]
    pub fn new(rules: RewriteRules, base_offset: i64) -> Self {
        Self {
            rules,
            next_offset: base_offset,
            joined: None,
        }
    }

    /// Processes the next batch of records, which begins at `base_offset`, and appends finished batches to `out`. Calls
    /// `keep` for each readable record. A transactional batch must be committed: its remaining records are joined with
    /// others as if written without a transaction. Do not pass batches of aborted transactions.
    ///
    /// # Errors
    /// Returns an error if the remaining records cannot be encoded.
    pub fn take(
        &mut self,
        base_offset: i64,
        batch: &Batch,
        keep: impl FnMut(&RecordView<'_>) -> bool,
        out: &mut Vec<Batch>,
    ) -> Result<FilterOutcome, BatchError> {
        match self.verdicts(base_offset, batch, keep) {
            Ok((content, verdicts)) => self.filter(base_offset, batch, &content, &verdicts, out),
            Err(error) => {
                self.copy(base_offset, batch.clone(), out)?;
                Ok(FilterOutcome::Copied(error))
            }
        }
    }

    /// Processes the control batch that ends a transaction at `base_offset`. It stays a separate batch.
    /// `delete_horizon_ms` is the time from which it can be removed, if it has none yet.
    ///
    /// # Errors
    /// Returns an error if the open batch cannot be encoded, or if this is not a control batch of one record.
    pub fn take_marker(
        &mut self,
        base_offset: i64,
        batch: &Batch,
        delete_horizon_ms: Option<i64>,
        out: &mut Vec<Batch>,
    ) -> Result<(), BatchError> {
        let marker = match delete_horizon_ms {
            Some(horizon_ms) if batch.header.delete_horizon_ms().is_none() => with_horizon(batch, horizon_ms)?,
            _ => batch.clone(),
        };
        self.copy(base_offset, marker, out)
    }

    /// Leaves room for a batch that the caller copies, which spans the offsets from `base_offset` to before
    /// `end_offset`.
    ///
    /// # Errors
    /// Returns an error if the open batch cannot be encoded.
    pub fn skip(&mut self, base_offset: i64, end_offset: i64, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        self.finish(base_offset, out)?;
        self.next_offset = end_offset;
        Ok(())
    }

    /// Writes the open batch, so that the batches reach `end_offset`.
    ///
    /// # Errors
    /// Returns an error if the open batch cannot be encoded.
    pub fn finish(&mut self, end_offset: i64, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        self.write_joined(out)?;
        while self.next_offset < end_offset {
            self.write_empty(end_offset.min(self.next_offset + MAX_OFFSETS), out)?;
        }
        Ok(())
    }

    /// Decides which records to keep, once all of them are known to be readable.
    fn verdicts(
        &self,
        base_offset: i64,
        batch: &Batch,
        mut keep: impl FnMut(&RecordView<'_>) -> bool,
    ) -> Result<(Bytes, KeptRecords), BatchError> {
        let content = decompressed_records(batch, self.rules.max_content_bytes)?;
        let mut verdicts = KeptRecords::default();
        walk(base_offset, &batch.header, &content, |_, record| {
            let keeps = keep(record);
            verdicts.keeps.push(keeps);
            verdicts.dropped += u32::from(!keeps);
            verdicts.tombstones |= keeps && record.is_tombstone;
        })?;
        Ok((content, verdicts))
    }

    fn filter(
        &mut self,
        base_offset: i64,
        batch: &Batch,
        content: &[u8],
        verdicts: &KeptRecords,
        out: &mut Vec<Batch>,
    ) -> Result<FilterOutcome, BatchError> {
        let header = &batch.header;
        let dropped = verdicts.dropped;
        let is_complete = dropped == 0 && header.records_count > 0;
        let needs_horizon = verdicts.tombstones && header.delete_horizon_ms().is_none();
        // Record offsets are relative to the batch's own base offset.
        let is_in_place = self.joined.is_some() || self.next_offset == base_offset;
        let is_large = |bytes: usize| bytes >= self.rules.joined_bytes() / 2;
        let leaves_large = self.joined.as_ref().is_none_or(|joined| is_large(joined.bytes()));
        if is_complete && !needs_horizon && is_in_place && is_large(content.len()) && leaves_large {
            self.copy(base_offset, batch.clone(), out)?;
            return Ok(FilterOutcome::Filtered { dropped });
        }
        let kind = Kind {
            compression: header.compression()?,
            attributes: header.attributes & !(DELETE_HORIZON_BIT | TRANSACTIONAL_BIT),
            append_time_ms: header.is_log_append_time().then_some(header.max_timestamp_ms),
        };
        let mut keeps = verdicts.keeps.iter();
        let mut joined = Ok(());
        walk(base_offset, header, content, |record, view| {
            if joined.is_ok() && keeps.next() == Some(&true) {
                joined = self.join(kind, record, view, header.base_timestamp_ms, out);
            }
        })?;
        joined?;
        Ok(FilterOutcome::Filtered { dropped })
    }

    fn join(
        &mut self,
        kind: Kind,
        record: &RawRecord<'_>,
        view: &RecordView<'_>,
        base_timestamp_ms: i64,
        out: &mut Vec<Batch>,
    ) -> Result<(), BatchError> {
        let horizon_ms = view
            .is_tombstone
            .then(|| view.delete_horizon_ms.unwrap_or(self.rules.new_delete_horizon_ms));
        let fits = self.joined.as_ref().is_some_and(|joined| {
            joined.kind == kind
                && view.offset - joined.base_offset < MAX_OFFSETS
                && (horizon_ms.is_none() || joined.delete_horizon_ms.is_none_or(|its_ms| horizon_ms == Some(its_ms)))
                && joined.bytes() + RECORD_OVERHEAD_BYTES + record.fields.len() <= self.rules.joined_bytes()
        });
        if !fits {
            self.write_joined(out)?;
            while view.offset - self.next_offset >= MAX_OFFSETS {
                self.write_empty(self.next_offset + MAX_OFFSETS, out)?;
            }
        }
        let base_offset = self.next_offset;
        let joined = self.joined.get_or_insert_with(|| JoinedBatch {
            kind,
            base_offset,
            records: Vec::new(),
            fields: Vec::new(),
            delete_horizon_ms: None,
        });
        joined.fields.extend_from_slice(record.fields);
        joined.records.push(JoinedRecord {
            offset: view.offset,
            // Wrapping, like the addition in clients, so that any value reads back unchanged.
            timestamp_ms: base_timestamp_ms.wrapping_add(record.timestamp_delta_ms),
            fields_end: joined.fields.len(),
        });
        joined.delete_horizon_ms = joined.delete_horizon_ms.or(horizon_ms);
        Ok(())
    }

    fn copy(&mut self, base_offset: i64, batch: Batch, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        self.finish(base_offset, out)?;
        self.next_offset = base_offset + i64::from(batch.header.last_offset_delta) + 1;
        out.push(batch);
        Ok(())
    }

    fn write_joined(&mut self, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        let Some(joined) = self.joined.take() else {
            return Ok(());
        };
        let mut parts = vec![(0, joined.records.len())];
        // The next part is the last one.
        while let Some((start, end)) = parts.pop() {
            let batch = joined.encode(self.next_offset, start..end)?;
            if batch.bytes.len() > self.rules.max_batch_bytes && end - start > 1 {
                // Rare: a joined batch exceeds the limit only if its codec enlarges it.
                let middle = start.midpoint(end);
                parts.push((middle, end));
                parts.push((start, middle));
                continue;
            }
            self.next_offset += i64::from(batch.header.last_offset_delta) + 1;
            out.push(batch);
        }
        Ok(())
    }

    fn write_empty(&mut self, end_offset: i64, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        let header = header_of(0, delta(end_offset - 1 - self.next_offset)?);
        out.push(Batch::encode(header, &[])?);
        self.next_offset = end_offset;
        Ok(())
    }
}

#[derive(Debug, Default)]
struct KeptRecords {
    /// The decision for each record, in order.
    keeps: Vec<bool>,
    dropped: u32,
    /// True if some remaining records are tombstones.
    tombstones: bool,
}

impl RewriteRules {
    fn joined_bytes(&self) -> usize {
        self.joined_bytes.min(self.max_batch_bytes.saturating_sub(HEADER_BYTES))
    }
}

impl JoinedBatch {
    fn bytes(&self) -> usize {
        self.fields.len() + self.records.len() * RECORD_OVERHEAD_BYTES
    }

    /// Encodes a batch of some of the records that spans the offsets from `base_offset`.
    fn encode(&self, base_offset: i64, part: Range<usize>) -> Result<Batch, BatchError> {
        let mut fields_start = part
            .start
            .checked_sub(1)
            .map_or(0, |before| self.records[before].fields_end);
        let records = &self.records[part];
        let first_ms = records.first().map_or(NO_TIMESTAMP, |record| record.timestamp_ms);
        let base_timestamp_ms = self.delete_horizon_ms.unwrap_or(first_ms);
        let mut section = Vec::with_capacity(self.bytes());
        for record in records {
            put_record(
                &mut section,
                record.timestamp_ms.wrapping_sub(base_timestamp_ms),
                delta(record.offset - base_offset)?,
                &self.fields[fields_start..record.fields_end],
            );
            fields_start = record.fields_end;
        }
        let latest_ms = records.iter().map(|record| record.timestamp_ms).max();
        let last_offset = records.last().map_or(base_offset, |record| record.offset);
        let mut header = header_of(records.len(), delta(last_offset - base_offset)?);
        header.attributes = self.kind.attributes;
        if self.delete_horizon_ms.is_some() {
            header.attributes |= DELETE_HORIZON_BIT;
        }
        header.base_timestamp_ms = base_timestamp_ms;
        header.max_timestamp_ms = self.kind.append_time_ms.or(latest_ms).unwrap_or(NO_TIMESTAMP);
        Batch::encode(header, &compress(self.kind.compression, section)?)
    }
}

/// Sets the time from which a control batch can be removed. As in batches with tombstones, it is stored as the base
/// timestamp. The record keeps its own timestamp.
fn with_horizon(batch: &Batch, horizon_ms: i64) -> Result<Batch, BatchError> {
    let content = batch.records();
    let mut rest = &content[..];
    let record = RawRecord::split_off(&mut rest)?;
    if !rest.is_empty() {
        return Err(BatchError::Invalid("a control batch holds more than one record"));
    }
    let timestamp_ms = batch.header.base_timestamp_ms.wrapping_add(record.timestamp_delta_ms);
    let mut section = Vec::with_capacity(content.len() + size_of::<i64>());
    put_record(
        &mut section,
        timestamp_ms.wrapping_sub(horizon_ms),
        record.offset_delta,
        record.fields,
    );
    let header = BatchHeader {
        attributes: batch.header.attributes | DELETE_HORIZON_BIT,
        base_timestamp_ms: horizon_ms,
        ..batch.header
    };
    Batch::encode(header, &section)
}

fn delta(offsets: i64) -> Result<i32, BatchError> {
    i32::try_from(offsets).map_err(|_| BatchError::Invalid("a batch cannot span so many offsets"))
}

/// The header of an uncompressed batch without producer and timestamps.
fn header_of(records: usize, last_offset_delta: i32) -> BatchHeader {
    BatchHeader {
        base_offset: 0,
        batch_length: 0,
        partition_leader_epoch: -1,
        magic: 2,
        crc: 0,
        attributes: 0,
        last_offset_delta,
        base_timestamp_ms: NO_TIMESTAMP,
        max_timestamp_ms: NO_TIMESTAMP,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        // Each record takes several bytes of a batch smaller than 2 GiB.
        records_count: i32::try_from(records).unwrap_or(i32::MAX),
    }
}
