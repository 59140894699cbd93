//! Rewrites the batches of a compacted partition: leaves out records, and joins what is left. Records that stay keep their offset,
//! timestamp, key, value and headers.
//!
//! Offsets of records that are gone are holes. Batches follow each other without gaps all the same: each spans `last_offset_delta + 1`
//! offsets from the end of the batch before it to its own last record, so a hole lies in front of the records of the batch after it. (Were
//! it behind those of the batch before it, a consumer in the hole would get that whole batch again, for nothing.) What is left at the end
//! is spanned by a batch without records.

use std::ops::Range;

use bytes::Bytes;

use super::compress::compress;
use super::error::BatchError;
use super::header::{Batch, BatchHeader, Compression, DELETE_HORIZON_BIT, HEADER_BYTES, TRANSACTIONAL_BIT};
use super::payload::decompressed_records;
use super::raw_record::{RawRecord, put_record};

const NO_TIMESTAMP: i64 = -1;
/// Offsets that one batch can span.
const MAX_OFFSETS: i64 = i32::MAX as i64 + 1;
/// The overhead of a record in memory and in a batch, without its fields.
const RECORD_OVERHEAD_BYTES: usize = 40;

/// How batches are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteRules {
    /// Batches are joined up to about so many bytes without compression.
    pub joined_bytes: usize,
    /// No batch of more than one record is larger, header included: the topic's `max.message.bytes`.
    pub max_batch_bytes: usize,
    /// A batch that decompresses to more is copied as it is.
    pub max_content_bytes: u64,
    /// The delete horizon of tombstones that have none, in milliseconds since the Unix epoch.
    pub new_delete_horizon_ms: i64,
}

/// What decides whether a record stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView<'a> {
    /// In its partition.
    pub offset: i64,
    /// The key, if it has one.
    pub key: Option<&'a [u8]>,
    /// It has no value.
    pub is_tombstone: bool,
    /// Of its batch.
    pub delete_horizon_ms: Option<i64>,
}

/// How a batch was rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterOutcome {
    /// Its records were filtered.
    Filtered {
        /// Records that were left out.
        dropped: u32,
    },
    /// The batch was copied unchanged: what its producer wrote cannot be read, or is too large.
    Copied(BatchError),
}

/// Shows the records of a batch that begins at `base_offset`, if all of them can be read.
///
/// # Errors
/// The batch cannot be decompressed to at most `max_content_bytes`, or does not hold the records that its header counts.
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

/// The records in order, with offsets that ascend within what the batch spans.
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

/// Rewrites consecutive batches of one partition.
#[derive(Debug)]
pub struct BatchRewriter {
    rules: RewriteRules,
    /// Where the batch after the joined one, or after what was written, begins.
    next_offset: i64,
    joined: Option<JoinedBatch>,
}

/// A batch in the making.
#[derive(Debug)]
struct JoinedBatch {
    kind: Kind,
    base_offset: i64,
    records: Vec<JoinedRecord>,
    fields: Vec<u8>,
    /// Of all tombstones in it.
    delete_horizon_ms: Option<i64>,
}

/// What the records of a batch have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    compression: Compression,
    /// But for the bits of the delete horizon and of transactions.
    attributes: i16,
    append_time_ms: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
struct JoinedRecord {
    offset: i64,
    timestamp_ms: i64,
    /// Where its fields end.
    fields_end: usize,
}

impl BatchRewriter {
    /// A rewriter whose first batch begins at `base_offset`.
    #[must_use]
    pub fn new(rules: RewriteRules, base_offset: i64) -> Self {
        Self {
            rules,
            next_offset: base_offset,
            joined: None,
        }
    }

    /// Takes the next batch of records, which begins at `base_offset`, and appends to `out` what is finished by it. `keep` is asked for
    /// each record that can be read. A batch of a transaction must be committed: what is left of it is joined with others, as if it had
    /// been written without a transaction. One that is aborted is not to be taken at all.
    ///
    /// # Errors
    /// What is left cannot be encoded.
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

    /// Takes the control batch that ends a transaction at `base_offset`; it stays a batch of its own. `delete_horizon_ms`: from when on it
    /// may go, unless it says so already.
    ///
    /// # Errors
    /// What was begun before cannot be encoded, or it is no control batch of one record.
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

    /// Makes room for a batch that the caller copies: it spans the offsets from `base_offset` to before `end_offset`.
    ///
    /// # Errors
    /// As above.
    pub fn skip(&mut self, base_offset: i64, end_offset: i64, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        self.finish(base_offset, out)?;
        self.next_offset = end_offset;
        Ok(())
    }

    /// Finishes what was begun, so that the batches reach to `end_offset`.
    ///
    /// # Errors
    /// As above.
    pub fn finish(&mut self, end_offset: i64, out: &mut Vec<Batch>) -> Result<(), BatchError> {
        self.write_joined(out)?;
        while self.next_offset < end_offset {
            self.write_empty(end_offset.min(self.next_offset + MAX_OFFSETS), out)?;
        }
        Ok(())
    }

    /// What is kept of each record, once it is known that all can be read.
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
        // Its records count from its own base offset.
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
            // Wrapping, as clients add them: whatever a producer wrote, it reads back the same.
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
                // Hardly ever: what is joined is no larger, unless its codec makes it so.
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
    /// In the order of the records.
    keeps: Vec<bool>,
    dropped: u32,
    /// Some that stay have no value.
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

    /// A batch of some of the records, which spans the offsets from `base_offset` on.
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

/// A control batch that may go from some time on. As in batches with tombstones, that is its base timestamp; its record keeps its own.
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

/// The header of a batch by no producer, without compression and timestamps.
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
        // Each takes some bytes of a batch below 2 GiB.
        records_count: i32::try_from(records).unwrap_or(i32::MAX),
    }
}
