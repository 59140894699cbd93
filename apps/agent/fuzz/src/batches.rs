//! Record batches of each codec, damaged before or after they were compressed. What the check accepts, every reader reads
//! alike, and compaction writes it back unchanged.

use arbitrary::Arbitrary;
use bytes::Bytes;
use penstock_wire::record_batch::{
    Batch, BatchRewriter, Compression, FilterOutcome, FoundRecord, HEADER_BYTES, Record, RecordRules, Records,
    RewriteRules, check_records, compress, decompressed_records, first_record_at_or_after, latest_record, view_records,
    window_bytes,
};

use super::{Damage, peak_of};

/// As little as real topics allow, so that a bomb takes little time.
const LIMIT_BYTES: u64 = 4 << 20;
/// Memory for reading beyond the window that `window_bytes` announces: errors, and buffers of the codecs' libraries.
const ALLOWED_BYTES: usize = 256 << 10;
const NO_TIMESTAMP: i64 = -1;

/// A batch, and how it is read.
#[derive(Arbitrary, Debug)]
pub struct Input<'a> {
    codec: u8,
    header: Header,
    records: Vec<Written<'a>>,
    /// Applied to the records before they are compressed.
    section_damage: Damage<'a>,
    /// Instead of compressed records.
    payload: Option<&'a [u8]>,
    damage: Damage<'a>,
    is_sealed: bool,
    search: Search,
    compaction: Compaction,
}

#[derive(Arbitrary, Debug)]
struct Header {
    attributes: u8,
    base_timestamp_ms: i64,
    max_timestamp_ms: i64,
    producer_id: i64,
    producer_epoch: i16,
    base_sequence: i32,
    /// Instead of the number of records.
    count: Option<i32>,
}

#[derive(Arbitrary, Debug)]
struct Written<'a> {
    timestamp_delta_ms: i32,
    key: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    /// How often the value repeats, so that it compresses.
    repeats: u8,
    headers: Vec<(&'a [u8], Option<&'a [u8]>)>,
}

#[derive(Arbitrary, Debug)]
struct Search {
    least_offset_delta: u8,
    timestamp_ms: i64,
}

#[derive(Arbitrary, Debug)]
struct Compaction {
    base_offset: u32,
    joined_bytes: u16,
    max_batch_bytes: u16,
    /// A bit per record, from the lowest on.
    kept: u64,
}

/// Reads the batch in every way.
///
/// # Panics
/// Panics if readers disagree, a valid batch is refused, or reading takes more memory than announced.
pub fn run(input: &Input<'_>) {
    let Some(compression) = Compression::from_code((input.codec % 5).cast_signed()) else {
        return;
    };
    let mut section = section_of(&input.records);
    let is_section_valid = input.section_damage.is_none();
    input.section_damage.apply(&mut section);
    let payload = match input.payload {
        Some(payload) => payload.to_vec(),
        None => compress(compression, section.clone()).expect("every section can be compressed"),
    };
    let mut bytes = batch_of(input, compression, &payload);
    input.damage.apply(&mut bytes);
    if input.is_sealed {
        seal(&mut bytes);
    }
    let is_valid = is_section_valid
        && !input.records.is_empty()
        && input.payload.is_none()
        && input.header.count.is_none()
        && input.damage.is_none();
    read(input, &bytes.into(), is_valid.then_some(&section));
}

fn read(input: &Input<'_>, bytes: &Bytes, written: Option<&Vec<u8>>) {
    let Ok(batch) = Batch::split_off(&mut bytes.clone()) else {
        assert!(written.is_none(), "a valid batch is not found");
        return;
    };
    let window = window_bytes(&batch).unwrap_or(0);
    let rules = RecordRules::new(false, None);
    let (peak, checked) = peak_of(|| check_records(&batch, &rules, LIMIT_BYTES));
    let most = usize::try_from(window)
        .unwrap_or(usize::MAX)
        .saturating_add(ALLOWED_BYTES);
    assert!(peak <= most, "the check held {peak} bytes, and announced {window}");
    let (found, latest) = (
        first_record_at_or_after(
            &batch,
            input.search.least_offset_delta.into(),
            input.search.timestamp_ms,
        ),
        latest_record(&batch, input.search.least_offset_delta.into()),
    );
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => {
            assert!(written.is_none(), "a valid batch is refused: {error}");
            return drop(decompressed_records(&batch, LIMIT_BYTES).map(|content| Records::new(content).count()));
        }
    };
    let content = decompressed_records(&batch, LIMIT_BYTES).expect("what was accepted can be decompressed");
    assert_eq!(checked.uncompressed_bytes, (HEADER_BYTES + content.len()) as u64);
    if let Some(written) = written {
        assert_eq!(&content, written, "the records are not those that were written");
    }
    let records: Result<Vec<_>, _> = Records::new(content).collect();
    let records = records.expect("what was accepted can be read");
    let deltas: Vec<_> = records.iter().map(|record| record.offset_delta).collect();
    assert!(
        deltas.into_iter().eq(0..batch.header.records_count),
        "the offsets do not count up"
    );
    let largest = records.iter().map(|record| produced_ms(&batch, record)).max();
    assert_eq!(
        checked.max_timestamp_ms,
        largest.unwrap_or(NO_TIMESTAMP).max(NO_TIMESTAMP)
    );
    search(
        input,
        &batch,
        &records,
        (found.expect("readable"), latest.expect("readable")),
    );
    if batch.check_produced().is_ok() {
        compact(&input.compaction, &batch, &records);
    }
}

/// The timestamp that the producer gave a record.
fn produced_ms(batch: &Batch, record: &Record) -> i64 {
    batch.header.base_timestamp_ms.saturating_add(record.timestamp_delta_ms)
}

/// Compares the search, which holds no content, with a search of all records.
fn search(
    input: &Input<'_>,
    batch: &Batch,
    records: &[Record],
    (found, latest): (Option<FoundRecord>, Option<FoundRecord>),
) {
    let is_append_time = batch.header.is_log_append_time();
    let all = || {
        records
            .iter()
            .filter(|record| record.offset_delta >= i32::from(input.search.least_offset_delta))
            .map(|record| FoundRecord {
                offset_delta: record.offset_delta,
                timestamp_ms: match is_append_time {
                    true => batch.header.max_timestamp_ms,
                    false => produced_ms(batch, record),
                },
            })
    };
    let wanted_ms = input.search.timestamp_ms;
    let expected = all().find(|record| record.timestamp_ms >= wanted_ms);
    assert_eq!(found, expected.filter(|_| batch.header.max_timestamp_ms >= wanted_ms));
    let largest = all().map(|record| record.timestamp_ms).max();
    assert_eq!(latest, all().find(|record| Some(record.timestamp_ms) == largest));
}

/// A record as a consumer sees it.
#[derive(Debug, PartialEq)]
struct Seen {
    offset: i64,
    timestamp_ms: i64,
    record: Record,
}

fn seen(base_offset: i64, batch: &Batch, records: &[Record]) -> Vec<Seen> {
    let one = |record: &Record| Seen {
        offset: base_offset + i64::from(record.offset_delta),
        timestamp_ms: batch.header.base_timestamp_ms.wrapping_add(record.timestamp_delta_ms),
        record: Record {
            offset_delta: 0,
            timestamp_delta_ms: 0,
            ..record.clone()
        },
    };
    records.iter().map(one).collect()
}

/// Compacts the batch and a copy of it. The kept records are there unchanged, and the offsets have no gap.
fn compact(compaction: &Compaction, batch: &Batch, records: &[Record]) {
    let rules = RewriteRules {
        joined_bytes: compaction.joined_bytes.into(),
        max_batch_bytes: usize::from(compaction.max_batch_bytes) + 2 * HEADER_BYTES,
        max_content_bytes: LIMIT_BYTES,
        new_delete_horizon_ms: 5,
    };
    let start = i64::from(compaction.base_offset);
    let span = i64::from(batch.header.last_offset_delta) + 1;
    let keeps = |offset: i64| (compaction.kept >> ((offset - start) % 64)) & 1 == 1;
    let mut rewriter = BatchRewriter::new(rules, start);
    let mut written = Vec::new();
    let mut expected = Vec::new();
    for base_offset in [start, start + span] {
        let mut viewed = 0;
        view_records(base_offset, batch, LIMIT_BYTES, |_| viewed += 1).expect("accepted records can be viewed");
        assert_eq!(viewed, records.len());
        let outcome = rewriter.take(base_offset, batch, |record| keeps(record.offset), &mut written);
        let outcome = outcome.expect("accepted records can be rewritten");
        assert!(matches!(outcome, FilterOutcome::Filtered { .. }), "{outcome:?}");
        expected.extend(
            seen(base_offset, batch, records)
                .into_iter()
                .filter(|seen| keeps(seen.offset)),
        );
    }
    let end = start + 2 * span;
    rewriter.finish(end, &mut written).expect("the rest can be written");
    let mut next_offset = start;
    let mut found = Vec::new();
    for batch in &written {
        batch.check_crc().expect("a checksum of its own bytes");
        let again =
            Batch::split_off(&mut batch.served(next_offset).concat().into()).expect("a batch as consumers get it");
        assert_eq!(again.header.base_offset, next_offset);
        let content = decompressed_records(&again, LIMIT_BYTES).expect("compressed by us");
        let records: Result<Vec<_>, _> = Records::new(content).collect();
        let records = records.expect("written by us");
        assert_eq!(i32::try_from(records.len()), Ok(again.header.records_count));
        found.extend(seen(next_offset, &again, &records));
        next_offset += i64::from(batch.header.last_offset_delta) + 1;
    }
    assert_eq!(next_offset, end);
    assert_eq!(found, expected);
}

fn varint(value: i64, to: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        to.push(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    to.push(rest.to_le_bytes()[0]);
}

fn length(bytes: usize, to: &mut Vec<u8>) {
    varint(i64::try_from(bytes).unwrap_or(i64::MAX), to);
}

fn nullable(bytes: Option<&[u8]>, times: usize, to: &mut Vec<u8>) {
    match bytes {
        None => varint(-1, to),
        Some(bytes) => {
            length(bytes.len() * times, to);
            (0..times).for_each(|_| to.extend_from_slice(bytes));
        }
    }
}

/// The records in the format of version 2.
fn section_of(records: &[Written<'_>]) -> Vec<u8> {
    let mut section = Vec::new();
    for (delta, record) in (0..).zip(records) {
        let mut body = vec![0];
        varint(record.timestamp_delta_ms.into(), &mut body);
        varint(delta, &mut body);
        nullable(record.key, 1, &mut body);
        nullable(record.value, 1 + usize::from(record.repeats), &mut body);
        length(record.headers.len(), &mut body);
        for (key, value) in &record.headers {
            nullable(Some(key), 1, &mut body);
            nullable(*value, 1, &mut body);
        }
        length(body.len(), &mut section);
        section.append(&mut body);
    }
    section
}

fn batch_of(input: &Input<'_>, compression: Compression, payload: &[u8]) -> Vec<u8> {
    let header = &input.header;
    let records = i32::try_from(input.records.len()).unwrap_or(i32::MAX);
    let mut bytes = vec![0; HEADER_BYTES];
    let batch_length = i32::try_from(HEADER_BYTES - 12 + payload.len()).unwrap_or(i32::MAX);
    bytes[8..12].copy_from_slice(&batch_length.to_be_bytes());
    bytes[16] = 2;
    bytes[22] = (header.attributes & !7) | compression as u8;
    bytes[23..27].copy_from_slice(&(records - 1).to_be_bytes());
    bytes[27..35].copy_from_slice(&header.base_timestamp_ms.to_be_bytes());
    bytes[35..43].copy_from_slice(&header.max_timestamp_ms.to_be_bytes());
    bytes[43..51].copy_from_slice(&header.producer_id.to_be_bytes());
    bytes[51..53].copy_from_slice(&header.producer_epoch.to_be_bytes());
    bytes[53..57].copy_from_slice(&header.base_sequence.to_be_bytes());
    bytes[57..61].copy_from_slice(&header.count.unwrap_or(records).to_be_bytes());
    bytes.extend_from_slice(payload);
    seal(&mut bytes);
    bytes
}

/// Writes the checksum of whatever the batch contains.
fn seal(bytes: &mut [u8]) {
    if let Some((head, body)) = bytes.split_at_mut_checked(21) {
        head[17..21].copy_from_slice(&crc32c::crc32c(body).to_be_bytes());
    }
}
