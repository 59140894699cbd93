//! Rewriting of batches for key compaction, compared with a model that knows nothing of batches: random logs with
//! random batch boundaries and codecs, compacted repeatedly.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::collections::BTreeMap;

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_wire::record_batch::{
    Batch, BatchChecker, BatchRewriter, Batches, EndMarker, FilterOutcome, HEADER_BYTES, Header,
    MAX_UNCOMPRESSED_BYTES, Record, RecordView, Records, RewriteRules, check_records, decompressed_records,
    first_record_at_or_after, latest_record, view_records,
};
use proptest::prelude::*;
use support::{CODECS, attributes, compress, encode};

const BASE_OFFSET: i64 = 1_000;
const TIME_MS: i64 = 1_700_000_000_000;
const LOG_APPEND_TIME: i16 = 0x08;
const TRANSACTIONAL: i16 = 0x10;

/// A record as a consumer sees it, and its tombstone horizon.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    offset: i64,
    timestamp_ms: i64,
    key: Option<Bytes>,
    value: Option<Bytes>,
    headers: Vec<Header>,
    horizon_ms: Option<i64>,
}

fn rules(new_delete_horizon_ms: i64) -> RewriteRules {
    RewriteRules {
        joined_bytes: 3_000,
        max_batch_bytes: 2_500,
        max_content_bytes: 1 << 20,
        new_delete_horizon_ms,
    }
}

/// A batch of these entries that spans the offsets from `base` to `last`.
fn batch(codec: &str, more_attributes: i16, base: i64, last: i64, entries: &[Entry]) -> Batch {
    let first_ms = entries.first().map_or(-1, |entry| entry.timestamp_ms);
    let records: Vec<Record> = entries
        .iter()
        .map(|entry| Record {
            offset_delta: (entry.offset - base).try_into().unwrap(),
            timestamp_delta_ms: entry.timestamp_ms - first_ms,
            key: entry.key.clone(),
            value: entry.value.clone(),
            headers: entry.headers.clone(),
        })
        .collect();
    let latest_ms = entries.iter().map(|entry| entry.timestamp_ms).max().unwrap_or(-1);
    let payload = compress(codec, &encode(&records));
    raw_batch(
        attributes(codec) | more_attributes,
        last - base,
        (first_ms, latest_ms),
        entries.len(),
        &payload,
    )
}

fn raw_batch(
    attributes: i16,
    last_delta: i64,
    (first_ms, latest_ms): (i64, i64),
    count: usize,
    payload: &[u8],
) -> Batch {
    let mut out = BytesMut::new();
    out.put_i64(0);
    out.put_i32((HEADER_BYTES - 12 + payload.len()).try_into().unwrap());
    out.put_i32(-1);
    out.put_i8(2);
    out.put_u32(0);
    out.put_i16(attributes);
    out.put_i32(last_delta.try_into().unwrap());
    out.put_i64(first_ms);
    out.put_i64(latest_ms);
    out.put_i64(77);
    out.put_i16(5);
    out.put_i32(0);
    out.put_i32(count.try_into().unwrap());
    out.extend_from_slice(payload);
    let crc = crc32c::crc32c(&out[21..]);
    out[17..21].copy_from_slice(&crc.to_be_bytes());
    Batch::split_off(&mut out.freeze()).unwrap()
}

/// The records that a consumer reads in these batches, with their offsets. Checks invariants of every batch.
fn read(batches: &[Batch], end_offset: i64) -> Vec<Entry> {
    let (mut next_offset, mut entries) = (BASE_OFFSET, Vec::new());
    for batch in batches {
        let header = &batch.header;
        batch.check_crc().unwrap();
        let content = decompressed_records(batch, 1 << 20).unwrap();
        let mut latest_ms = i64::MIN;
        let count_before = entries.len();
        for record in Records::new(content) {
            let record = record.unwrap();
            let own_ms = header.base_timestamp_ms + record.timestamp_delta_ms;
            latest_ms = latest_ms.max(own_ms);
            entries.push(Entry {
                offset: next_offset + i64::from(record.offset_delta),
                timestamp_ms: if header.is_log_append_time() {
                    header.max_timestamp_ms
                } else {
                    own_ms
                },
                horizon_ms: header.delete_horizon_ms().filter(|_| record.value.is_none()),
                key: record.key,
                value: record.value,
                headers: record.headers,
            });
        }
        let count = entries.len() - count_before;
        assert_eq!(header.records_count, i32::try_from(count).unwrap());
        assert!(header.is_log_append_time() || latest_ms == i64::MIN || header.max_timestamp_ms == latest_ms);
        next_offset += i64::from(header.last_offset_delta) + 1;
        assert!(entries.last().is_none_or(|last| last.offset < next_offset));
    }
    assert_eq!(next_offset, end_offset, "the batches span the offsets without a gap");
    assert!(entries.is_sorted_by(|one, other| one.offset < other.offset));
    entries
}

/// Rewrites consecutive batches that start at [`BASE_OFFSET`].
fn rewrite(
    batches: &[Batch],
    rules: RewriteRules,
    mut keep: impl FnMut(&RecordView<'_>) -> bool,
) -> (Vec<Batch>, Vec<FilterOutcome>) {
    let (mut rewriter, mut out, mut taken) = (BatchRewriter::new(rules, BASE_OFFSET), Vec::new(), Vec::new());
    let mut base = BASE_OFFSET;
    for batch in batches {
        taken.push(rewriter.take(base, batch, &mut keep, &mut out).unwrap());
        base += i64::from(batch.header.last_offset_delta) + 1;
    }
    rewriter.finish(base, &mut out).unwrap();
    (out, taken)
}

prop_compose! {
    /// A record with one of a few keys.
    fn any_entry()(
        key in prop::option::weighted(0.9, 0u8..8),
        value in prop::option::weighted(0.8, prop_oneof![3 => 0usize..60, 1 => 200usize..900]),
        late_ms in -5_000i64..5_000,
        headers in 0u8..3,
        fill: u8,
    ) -> Entry {
        Entry {
            offset: 0,
            timestamp_ms: TIME_MS + late_ms,
            key: key.map(|key| Bytes::from(format!("key-{key}"))),
            value: value.map(|bytes| (0..bytes).map(|at| fill.wrapping_mul(at as u8) ^ 0x5a).collect()),
            headers: (0..headers).map(|at| Header {
                key: Bytes::from(vec![b'h', at]),
                value: (at > 0).then(|| Bytes::from_static(b"v")),
            }).collect(),
            horizon_ms: None,
        }
    }
}

/// A batch as a producer wrote it: codec, timestamp type, records.
fn any_batch() -> impl Strategy<Value = (usize, bool, Vec<Entry>)> {
    (
        0..CODECS.len(),
        prop::bool::weighted(0.2),
        prop::collection::vec(any_entry(), 1..20),
    )
}

/// The batches of the log, and the records that a consumer reads in them.
fn log_of(batches: Vec<(usize, bool, Vec<Entry>)>) -> (Vec<Batch>, Vec<Entry>) {
    let (mut log, mut entries, mut next_offset) = (Vec::new(), Vec::new(), BASE_OFFSET);
    for (codec, is_log_append_time, mut records) in batches {
        let base = next_offset;
        for record in &mut records {
            record.offset = next_offset;
            next_offset += 1;
        }
        let time = if is_log_append_time { LOG_APPEND_TIME } else { 0 };
        log.push(batch(CODECS[codec], time, base, next_offset - 1, &records));
        if is_log_append_time {
            let append_ms = log.last().unwrap().header.max_timestamp_ms;
            records.iter_mut().for_each(|record| record.timestamp_ms = append_ms);
        }
        entries.append(&mut records);
    }
    (log, entries)
}

/// Compacts the model. All records before `dirty_end` are known.
fn clean(entries: &mut Vec<Entry>, dirty_end: i64, now_ms: i64, new_horizon_ms: i64) {
    let mut latest = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.offset < dirty_end) {
        latest.insert(entry.key.clone(), entry.offset);
    }
    entries.retain(|entry| {
        let is_gone = entry.value.is_none() && entry.horizon_ms.is_some_and(|horizon_ms| horizon_ms <= now_ms);
        entry.offset >= dirty_end || (entry.key.is_some() && latest[&entry.key] == entry.offset && !is_gone)
    });
    for entry in entries.iter_mut().filter(|entry| entry.value.is_none()) {
        entry.horizon_ms = entry.horizon_ms.or(Some(new_horizon_ms));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn repeated_compaction_keeps_what_the_model_keeps(
        written in prop::collection::vec(any_batch(), 1..12),
        cleanings in prop::collection::vec((0.0f64..=1.0, 0i64..4), 1..5),
    ) {
        let (mut log, mut model) = log_of(written);
        let end_offset = read_end(&log);
        prop_assert_eq!(&read(&log, end_offset), &model);
        let mut now_ms = TIME_MS;
        for (reach, later) in cleanings {
            now_ms += later * 1_000;
            let new_horizon_ms = now_ms + 2_000;
            let dirty_end = BASE_OFFSET + ((end_offset - BASE_OFFSET) as f64 * reach) as i64;
            let mut latest: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
            let mut base = BASE_OFFSET;
            for batch in &log {
                view_records(base, batch, 1 << 20, |record| {
                    if let Some(key) = record.key && record.offset < dirty_end {
                        latest.insert(key.to_vec(), record.offset);
                    }
                }).unwrap();
                base += i64::from(batch.header.last_offset_delta) + 1;
            }
            let keep = |record: &RecordView<'_>| {
                let is_gone = record.is_tombstone && record.delete_horizon_ms.is_some_and(|horizon_ms| horizon_ms <= now_ms);
                record.offset >= dirty_end
                    || record.key.is_some_and(|key| latest[key] == record.offset && !is_gone)
            };
            let before = model.len();
            clean(&mut model, dirty_end, now_ms, new_horizon_ms);
            let (rewritten, taken) = rewrite(&log, rules(new_horizon_ms), keep);
            prop_assert_eq!(&read(&rewritten, end_offset), &model);
            let dropped: u32 = taken.iter().map(|taken| match taken {
                FilterOutcome::Filtered { dropped } => *dropped,
                FilterOutcome::Copied(reason) => panic!("{reason:?}"),
            }).sum();
            prop_assert_eq!(dropped as usize, before - model.len());
            for batch in &rewritten {
                prop_assert!(batch.bytes.len() <= 2_500 || batch.header.records_count == 1 || log.contains(batch));
            }
            log = rewritten;
        }
    }

    #[test]
    fn arbitrary_batches_are_rewritten_or_kept_unchanged(
        codec in 0..5i16,
        count in 0usize..5,
        last_delta in 0i64..10,
        payload in prop::collection::vec(any::<u8>(), 0..200),
        keeps: bool,
    ) {
        let hostile = raw_batch(codec, last_delta, (0, 0), count, &payload);
        let (out, taken) = rewrite(std::slice::from_ref(&hostile), rules(0), |_| keeps);
        if let FilterOutcome::Copied(_) = &taken[0] {
            prop_assert_eq!(out, [hostile]);
        } else {
            prop_assert_eq!(read(&out, BASE_OFFSET + last_delta + 1).len(), if keeps { count } else { 0 });
        }
    }
}

fn read_end(log: &[Batch]) -> i64 {
    BASE_OFFSET
        + log
            .iter()
            .map(|batch| i64::from(batch.header.last_offset_delta) + 1)
            .sum::<i64>()
}

fn entry(offset: i64, key: &str, value: Option<&'static str>) -> Entry {
    Entry {
        offset,
        timestamp_ms: TIME_MS + offset,
        key: Some(Bytes::copy_from_slice(key.as_bytes())),
        value: value.map(|value| Bytes::from_static(value.as_bytes())),
        headers: Vec::new(),
        horizon_ms: None,
    }
}

/// A log of batches with one record each.
fn singles(codecs: &[&str]) -> Vec<Batch> {
    let offsets = BASE_OFFSET..;
    let batches = offsets
        .zip(codecs)
        .map(|(offset, codec)| batch(codec, 0, offset, offset, &[entry(offset, "k", Some("v"))]));
    batches.collect()
}

#[test]
fn joins_batches_of_one_codec_without_a_producer() {
    let log = singles(&["zstd", "zstd", "zstd", "lz4", "lz4-linked", "none"]);
    let (out, _) = rewrite(&log, rules(0), |_| true);
    let codecs: Vec<_> = out
        .iter()
        .map(|batch| batch.header.compression().unwrap().name())
        .collect();
    assert_eq!(codecs, ["zstd", "lz4", "none"]);
    for batch in &out {
        let header = &batch.header;
        assert_eq!(
            (header.producer_id, header.producer_epoch, header.base_sequence),
            (-1, -1, -1)
        );
    }
}

#[test]
fn a_gap_precedes_the_next_records_or_ends_in_an_empty_batch() {
    let log = singles(&["none"; 6]);
    let (out, _) = rewrite(&log, rules(0), |record| record.offset == BASE_OFFSET + 2);
    let spans: Vec<_> = out
        .iter()
        .map(|batch| (batch.header.records_count, batch.header.last_offset_delta))
        .collect();
    assert_eq!(spans, [(1, 2), (0, 2)]);
    assert_eq!(read(&out, BASE_OFFSET + 6)[0].offset, BASE_OFFSET + 2);
    assert_eq!(out[1].bytes.len(), HEADER_BYTES);
    let found = |batch, least_delta| first_record_at_or_after(batch, least_delta, 0).unwrap();
    assert_eq!(found(&out[0], 0).map(|found| found.offset_delta), Some(2));
    assert_eq!((found(&out[0], 3), found(&out[1], 0)), (None, None));
    assert_eq!(latest_record(&out[0], 0).unwrap(), found(&out[0], 0));
    assert_eq!(latest_record(&out[1], 0), Ok(None));
    let mut seen = Vec::new();
    let bytes: Vec<u8> = out.iter().flat_map(|batch| batch.bytes.to_vec()).collect();
    let fed = BatchChecker::default().feed(&bytes, |header, bytes| seen.push((header.records_count, bytes)));
    assert_eq!((fed, seen), (Ok(()), vec![(1, out[0].bytes.len()), (0, HEADER_BYTES)]));
    let (nothing, _) = rewrite(&out, rules(0), |_| false);
    assert_eq!(nothing.len(), 1);
    assert_eq!(read(&nothing, BASE_OFFSET + 6), []);
}

#[test]
fn a_gap_wider_than_a_batch_takes_several_batches() {
    let wide = |records: &[Entry], base: i64, last: i64| batch("none", 0, base, last, records);
    let far = BASE_OFFSET + 2 * i64::from(i32::MAX) - 10;
    let log = [
        wide(&[], BASE_OFFSET, BASE_OFFSET + i64::from(i32::MAX) - 1),
        wide(
            &[entry(far + 5, "k", Some("v"))],
            BASE_OFFSET + i64::from(i32::MAX),
            far + 5,
        ),
        wide(&[], far + 6, far + 3_000),
    ];
    let (out, _) = rewrite(&log, rules(0), |_| true);
    let entries = read(&out, far + 3_001);
    assert_eq!(entries.iter().map(|entry| entry.offset).collect::<Vec<_>>(), [far + 5]);
    assert_eq!(out.len(), 3);
}

#[test]
fn keeps_a_large_batch_unchanged_if_nothing_is_removed() {
    let entries: Vec<_> = (0..50)
        .map(|at| entry(BASE_OFFSET + at, "k", Some("forty bytes of a value that is not new")))
        .collect();
    let log = [batch("gzip", 0, BASE_OFFSET, BASE_OFFSET + 49, &entries)];
    let (out, _) = rewrite(&log, rules(0), |_| true);
    assert_eq!(out, log);
}

#[test]
fn a_tombstone_gets_one_horizon_and_joins_only_its_equals() {
    let tombstone = |offset| [entry(offset, "k", None)];
    let log = [batch("none", 0, BASE_OFFSET, BASE_OFFSET, &tombstone(BASE_OFFSET))];
    let (first, _) = rewrite(&log, rules(5_000), |_| true);
    assert_eq!(first[0].header.delete_horizon_ms(), Some(5_000));
    assert_eq!(read(&first, BASE_OFFSET + 1)[0].timestamp_ms, TIME_MS + BASE_OFFSET);
    let next = BASE_OFFSET + 1;
    let log = [first[0].clone(), batch("none", 0, next, next, &tombstone(next))];
    let (second, _) = rewrite(&log, rules(9_000), |_| true);
    let horizons: Vec<_> = second.iter().map(|batch| batch.header.delete_horizon_ms()).collect();
    assert_eq!(horizons, [Some(5_000), Some(9_000)]);
}

#[test]
fn keeps_unreadable_batches_unchanged() {
    let records = [entry(BASE_OFFSET + 1, "k", Some("v"))];
    let broken = raw_batch(4, 9, (0, 0), 3, b"no zstd");
    let large = batch(
        "none",
        0,
        BASE_OFFSET + 12,
        BASE_OFFSET + 12,
        &[Entry {
            offset: BASE_OFFSET + 12,
            value: Some(vec![7; 2 << 20].into()),
            ..records[0].clone()
        }],
    );
    let dropped = singles(&["none"]).remove(0);
    let log = [dropped, broken.clone(), large.clone()];
    let (out, taken) = rewrite(&log, rules(0), |_| false);
    assert_eq!(out[1..], [broken, large]);
    assert_eq!((out[0].header.records_count, out[0].header.last_offset_delta), (0, 0));
    assert!(matches!(taken[1], FilterOutcome::Copied(_)));
    assert!(matches!(taken[2], FilterOutcome::Copied(_)));
}

#[test]
fn joins_records_of_committed_transactions_like_any_others() {
    let one = |offset, key: &str| batch("zstd", TRANSACTIONAL, offset, offset, &[entry(offset, key, Some("v"))]);
    let log = [
        one(BASE_OFFSET, "a"),
        one(BASE_OFFSET + 1, "b"),
        batch(
            "zstd",
            0,
            BASE_OFFSET + 2,
            BASE_OFFSET + 2,
            &[entry(BASE_OFFSET + 2, "c", Some("v"))],
        ),
    ];
    let (out, _) = rewrite(&log, rules(0), |record| record.offset > BASE_OFFSET);
    assert_eq!(out.len(), 1);
    assert!(!out[0].header.is_transactional());
    assert_eq!((out[0].header.producer_id, out[0].header.records_count), (-1, 2));
    assert_eq!(read(&out, BASE_OFFSET + 3).len(), 2);
}

#[test]
fn a_transaction_end_keeps_its_place_and_may_get_a_horizon() {
    let end = EndMarker {
        producer_id: 7,
        producer_epoch: 3,
        is_commit: true,
        timestamp_ms: TIME_MS,
    };
    let mut rewriter = BatchRewriter::new(rules(0), BASE_OFFSET);
    let mut out = Vec::new();
    let horizon_ms = TIME_MS + 86_400_000;
    rewriter.take_marker(BASE_OFFSET, &end.batch(), None, &mut out).unwrap();
    // After a gap of two offsets.
    rewriter
        .take_marker(BASE_OFFSET + 3, &end.batch(), Some(horizon_ms), &mut out)
        .unwrap();
    let again = out[2].clone();
    rewriter
        .take_marker(BASE_OFFSET + 4, &again, Some(horizon_ms + 1), &mut out)
        .unwrap();
    assert_eq!(out[0], end.batch());
    assert_eq!((out[1].header.records_count, out[1].header.last_offset_delta), (0, 1));
    let header = &out[2].header;
    assert!(header.is_control() && header.is_transactional());
    assert_eq!(
        (header.producer_id, header.producer_epoch, header.last_offset_delta),
        (7, 3, 0)
    );
    assert_eq!(
        (header.delete_horizon_ms(), header.max_timestamp_ms),
        (Some(horizon_ms), TIME_MS)
    );
    out[2].check_crc().unwrap();
    let record = Records::new(out[2].records()).next().unwrap().unwrap();
    assert_eq!(header.base_timestamp_ms + record.timestamp_delta_ms, TIME_MS);
    assert_eq!(record.key.as_deref(), Some(&[0, 0, 0, 1][..]));
    assert_eq!(out[3], again, "it has a horizon");
}

#[test]
fn timestamps_at_the_extremes_read_back_unchanged() {
    for (base_ms, delta_ms) in [(i64::MAX, i64::MAX), (i64::MIN, -1), (0, i64::MIN), (-1, i64::MIN)] {
        let record = |at| Record {
            offset_delta: at,
            timestamp_delta_ms: delta_ms,
            key: Some(Bytes::from_static(b"k")),
            ..Default::default()
        };
        let payload = encode(&[record(0), record(1)]);
        let log = [raw_batch(0, 1, (base_ms, base_ms), 2, &payload)];
        let (out, _) = rewrite(&log, rules(77), |record| record.offset > BASE_OFFSET);
        let header = &out[0].header;
        let content = decompressed_records(&out[0], 1000).unwrap();
        let read = Records::new(content).next().unwrap().unwrap();
        assert_eq!(
            header.base_timestamp_ms.wrapping_add(read.timestamp_delta_ms),
            base_ms.wrapping_add(delta_ms)
        );
        assert_eq!(header.delete_horizon_ms(), Some(77));
    }
}

#[test]
fn rewritten_batches_pass_the_checks_of_produced_ones() {
    for codec in CODECS {
        let (out, _) = rewrite(&singles(&[codec; 30]), rules(0), |_| true);
        let bytes: Bytes = out.iter().flat_map(|batch| batch.bytes.to_vec()).collect();
        for batch in Batches::new(bytes) {
            let batch = batch.unwrap();
            batch.check_produced().unwrap();
            check_records(&batch, &Default::default(), MAX_UNCOMPRESSED_BYTES).unwrap();
        }
    }
}
