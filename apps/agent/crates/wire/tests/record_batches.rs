//! Record batches: validation, uncompressed sizes compared with real compressors, records, and lookup by timestamp.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use bytes::{BufMut, Bytes, BytesMut};
use penstock_wire::ErrorCode;
use penstock_wire::record_batch::{
    Batch, BatchError, Batches, CheckedRecords, FoundRecord, HEADER_BYTES, Header, MAX_UNCOMPRESSED_BYTES, Record,
    RecordRules, Records, check_records, decompressed_records, first_record_at_or_after, latest_record,
};
use proptest::prelude::*;
use support::{CODECS, attributes, compress, encode};

const BASE_TIMESTAMP_MS: i64 = 1_700_000_000_000;
/// Encodes a batch. `change` can modify the header before the checksum is computed.
fn batch_bytes(codec: &str, payload: &[u8], records: i32, max_timestamp_ms: i64, change: fn(&mut [u8])) -> Bytes {
    let mut out = BytesMut::new();
    out.put_i64(0);
    out.put_i32(i32::try_from(HEADER_BYTES - 12 + payload.len()).unwrap());
    out.put_i32(-1);
    out.put_i8(2);
    out.put_u32(0);
    out.put_i16(attributes(codec));
    out.put_i32(records - 1);
    out.put_i64(BASE_TIMESTAMP_MS);
    out.put_i64(max_timestamp_ms);
    out.put_i64(-1);
    out.put_i16(-1);
    out.put_i32(-1);
    out.put_i32(records);
    out.extend_from_slice(payload);
    change(&mut out);
    let crc = crc32c::crc32c(&out[21..]);
    out[17..21].copy_from_slice(&crc.to_be_bytes());
    out.freeze()
}

fn check(batch: &Batch, rules: &RecordRules) -> Result<CheckedRecords, BatchError> {
    check_records(batch, rules, MAX_UNCOMPRESSED_BYTES)
}

fn uncompressed_len(batch: &Batch) -> Result<u64, BatchError> {
    check(batch, &RecordRules::new(false, None)).map(|checked| checked.uncompressed_bytes)
}

/// Changes the header of a batch before its checksum is computed.
type Spoil = fn(&mut [u8]);

fn unchanged(_: &mut [u8]) {}

fn batch_of(codec: &str, records: &[Record]) -> Batch {
    let payload = compress(codec, &encode(records));
    let latest = records
        .iter()
        .map(|record| record.timestamp_delta_ms)
        .max()
        .unwrap_or(0);
    let count = records.len().try_into().unwrap();
    let mut bytes = batch_bytes(codec, &payload, count, BASE_TIMESTAMP_MS + latest, unchanged);
    let batch = Batch::split_off(&mut bytes).unwrap();
    assert!(bytes.is_empty());
    batch
}

fn record(index: usize, timestamp_delta_ms: i64, value: Vec<u8>) -> Record {
    Record {
        offset_delta: index.try_into().unwrap(),
        timestamp_delta_ms,
        key: (!index.is_multiple_of(3)).then(|| Bytes::from(format!("key-{index}"))),
        value: (index % 7 != 6).then(|| value.into()),
        headers: (0..index % 4)
            .map(|n| Header {
                key: Bytes::from(format!("h{n}")),
                value: (n > 0).then(|| Bytes::from_static(b"v")),
            })
            .collect(),
    }
}

/// Values from incompressible to constant, and from empty to larger than a block of any codec.
fn any_records() -> impl Strategy<Value = Vec<Record>> {
    let value = (
        any::<u64>(),
        0usize..4,
        prop_oneof![0usize..50, 0usize..2000, 60_000usize..140_000],
    )
        .prop_map(|(seed, period_bits, len)| {
            let period = [1, 7, 1000, usize::MAX][period_bits];
            let noise = |at: usize| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left((at % 61) as u32);
            (0..len)
                .map(|at| (noise(at % period) >> (at % period % 56)) as u8 ^ (at % period) as u8)
                .collect()
        });
    prop::collection::vec((value, -50i64..100_000), 1..12).prop_map(|parts: Vec<(Vec<u8>, i64)>| {
        parts
            .into_iter()
            .enumerate()
            .map(|(index, (value, delta))| record(index, delta, value))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_uncompressed_size_matches_an_uncompressed_batch(records in any_records()) {
        let expected = batch_of("none", &records).bytes.len() as u64;
        for codec in CODECS {
            prop_assert_eq!(uncompressed_len(&batch_of(codec, &records)), Ok(expected), "{}", codec);
        }
    }

    #[test]
    fn every_codec_returns_the_original_records(records in any_records()) {
        for codec in CODECS.into_iter().chain(["lz4-linked"]) {
            let content = decompressed_records(&batch_of(codec, &records), 64 << 20).unwrap();
            let read: Vec<Record> = Records::new(content).map(Result::unwrap).collect();
            prop_assert_eq!(&read, &records, "{}", codec);
        }
    }

    #[test]
    fn finds_the_first_record_at_or_after_a_timestamp(
        records in any_records(),
        least in 0usize..12,
        wanted in -100i64..100_100,
    ) {
        let kept = records.iter().skip(least);
        let expected = kept.clone().find(|record| record.timestamp_delta_ms >= wanted).map(found_record);
        let latest = kept.rev().max_by_key(|record| record.timestamp_delta_ms).map(found_record);
        let least = i64::try_from(least).unwrap();
        for codec in CODECS {
            let batch = batch_of(codec, &records);
            let found = first_record_at_or_after(&batch, least, BASE_TIMESTAMP_MS + wanted);
            prop_assert_eq!(found, Ok(expected), "{}", codec);
            prop_assert_eq!(latest_record(&batch, least), Ok(latest), "{}", codec);
        }
    }

    #[test]
    fn measures_valid_records_and_their_largest_timestamp(records in any_records(), said in any::<i32>()) {
        let latest = records.iter().map(|record| record.timestamp_delta_ms).max().unwrap() + BASE_TIMESTAMP_MS;
        let said = BASE_TIMESTAMP_MS + i64::from(said);
        let count = records.len().try_into().unwrap();
        for codec in CODECS {
            let payload = compress(codec, &encode(&records));
            let batch = Batch::split_off(&mut batch_bytes(codec, &payload, count, said, unchanged)).unwrap();
            let checked = CheckedRecords {
                uncompressed_bytes: uncompressed_len(&batch).unwrap(),
                max_timestamp_ms: latest,
            };
            prop_assert_eq!(check(&batch, &RecordRules::default()), Ok(checked), "{}", codec);
            // A lower bound makes each record's timestamp matter.
            let strict = RecordRules::new(false, Some(0..=i64::MAX));
            prop_assert_eq!(check(&batch, &strict), Ok(checked), "{}", codec);
        }
    }

    #[test]
    fn a_damaged_payload_fails_or_yields_the_decompressed_records(
        records in any_records(),
        at in any::<prop::sample::Index>(),
        flip in 1u8..,
    ) {
        for codec in CODECS {
            let mut bytes = batch_of(codec, &records).bytes.to_vec();
            let at = HEADER_BYTES + at.index(bytes.len() - HEADER_BYTES);
            bytes[at] ^= flip;
            let batch = Batch::split_off(&mut bytes.into()).unwrap();
            if let (Ok(walked), Ok(content)) = (uncompressed_len(&batch), decompressed_records(&batch, 1 << 30)) {
                prop_assert_eq!(walked, (HEADER_BYTES + content.len()) as u64, "{}", codec);
            }
        }
    }

    #[test]
    fn a_truncated_payload_is_an_error(records in any_records(), keep in any::<prop::sample::Index>()) {
        for codec in CODECS.iter().filter(|codec| **codec != "none") {
            let whole = compress(codec, &encode(&records));
            let cut = &whole[..keep.index(whole.len())];
            let mut bytes = batch_bytes(codec, cut, 1, BASE_TIMESTAMP_MS, unchanged);
            let walked = uncompressed_len(&Batch::split_off(&mut bytes).unwrap());
            // A xerial stream may end after any of its blocks.
            let may_end = *codec == "snappy-xerial" && cut.len() >= 16;
            prop_assert!(walked.is_err() || may_end, "{} {:?}", codec, walked);
        }
    }
}

fn found_record(record: &Record) -> FoundRecord {
    FoundRecord {
        offset_delta: record.offset_delta,
        timestamp_ms: BASE_TIMESTAMP_MS + record.timestamp_delta_ms,
    }
}

fn with_key(index: usize, timestamp_delta_ms: i64) -> Record {
    Record {
        key: Some(Bytes::from_static(b"k")),
        ..record(index, timestamp_delta_ms, b"value".to_vec())
    }
}

/// Changes a records section before it is compressed.
type SpoilSection = fn(&mut Vec<u8>);

/// Checks a batch with a section changed by `spoil`, for each codec and with rules that require reading the records.
fn checked_after(spoil: SpoilSection, count: i32) -> Vec<(&'static str, Result<CheckedRecords, BatchError>)> {
    let check = |codec: &&'static str| {
        let mut section = encode(&[with_key(0, 0), with_key(1, 5)]);
        spoil(&mut section);
        let payload = compress(codec, &section);
        let batch = Batch::split_off(&mut batch_bytes(
            codec,
            &payload,
            count,
            BASE_TIMESTAMP_MS + 5,
            unchanged,
        ))
        .unwrap();
        (*codec, check(&batch, &RecordRules::new(true, None)))
    };
    CODECS.iter().map(check).collect()
}

#[test]
fn refuses_records_that_do_not_match_the_header() {
    let cases: [(&str, SpoilSection, i32); 9] = [
        ("fewer than the header counts", |_| {}, 3),
        ("more than the header counts", |_| {}, 1),
        ("numbered otherwise", |section| section[3] = 2, 2),
        ("longer than it says", |section| section[0] -= 2, 2),
        ("shorter than it says", |section| section[0] += 2, 2),
        ("of negative length", |section| section[0] = 1, 2),
        ("with a key of negative length", |section| section[4] = 5, 2),
        ("with a value beyond its end", |section| section[6] = 0x7e, 2),
        ("cut off", |section| section.truncate(section.len() - 1), 2),
    ];
    for (what, spoil, count) in cases {
        for (codec, checked) in checked_after(spoil, count) {
            let refused = checked.expect_err(&format!("{what}: {codec}"));
            assert_eq!(
                refused.error_code(),
                ErrorCode::INVALID_RECORD,
                "{what}: {codec}: {refused}"
            );
        }
    }
    assert!(checked_after(|_| {}, 2).iter().all(|(_, checked)| checked.is_ok()));
}

#[test]
fn refuses_keyless_records_by_index_if_keys_are_required() {
    let mut records: Vec<Record> = (0..4).map(|index| with_key(index, 0)).collect();
    (records[1].key, records[3].key) = (None, None);
    for codec in CODECS {
        let batch = batch_of(codec, &records);
        assert!(check(&batch, &RecordRules::default()).is_ok(), "{codec}");
        let refused = check(&batch, &RecordRules::new(true, None)).unwrap_err();
        assert_eq!(refused.error_code(), ErrorCode::INVALID_RECORD, "{codec}");
        assert_eq!(
            refused.to_string(),
            "record 1 of the batch is refused: the topic is compacted: every record needs a key (2 records of the batch are refused)"
        );
        let BatchError::Records(records) = refused else {
            panic!("{codec}")
        };
        let indexes: Vec<i32> = records.first.iter().map(|record| record.index).collect();
        assert_eq!((records.count, indexes), (2, vec![1, 3]), "{codec}");
    }
}

#[test]
fn refuses_out_of_range_timestamps_but_not_missing_ones() {
    let at = |deltas: &[i64]| -> Vec<Record> {
        let records = deltas.iter().enumerate();
        records.map(|(index, delta)| with_key(index, *delta)).collect()
    };
    let allowed = RecordRules::new(false, Some(BASE_TIMESTAMP_MS - 10..=BASE_TIMESTAMP_MS + 10));
    for codec in CODECS {
        let checked = |deltas: &[i64]| check(&batch_of(codec, &at(deltas)), &allowed);
        assert!(checked(&[-10, 10]).is_ok(), "{codec}");
        assert!(checked(&[0, -1 - BASE_TIMESTAMP_MS]).is_ok(), "{codec}: no timestamp");
        for (deltas, place) in [([0, 11, 0], 1), ([0, 0, -11], 2)] {
            let refused = checked(&deltas).unwrap_err();
            assert_eq!(refused.error_code(), ErrorCode::INVALID_TIMESTAMP, "{codec}");
            let BatchError::Records(records) = refused else {
                panic!("{codec}")
            };
            assert_eq!((records.count, records.first[0].index), (1, place), "{codec}");
        }
    }
}

#[test]
fn refuses_an_inflated_batch_but_not_an_incompressible_one() {
    let section = encode(&[with_key(0, 0)]);
    for (empty_members, is_accepted) in [(0, true), (100, false)] {
        let mut payload = compress("gzip", &section);
        for _ in 0..empty_members {
            payload.extend(compress("gzip", &[]));
        }
        let mut bytes = batch_bytes("gzip", &payload, 1, BASE_TIMESTAMP_MS, unchanged);
        let batch = Batch::split_off(&mut bytes).unwrap();
        let checked = check(&batch, &RecordRules::default());
        assert_eq!(checked.is_ok(), is_accepted, "{empty_members}: {checked:?}");
    }
}

#[test]
fn refuses_timestamps_too_large_to_store_on_any_topic() {
    for codec in CODECS {
        let batch = batch_of(codec, &[with_key(0, 1 << 53)]);
        let refused = check(&batch, &RecordRules::default()).unwrap_err();
        assert_eq!(refused.error_code(), ErrorCode::INVALID_TIMESTAMP, "{codec}");
        assert!(refused.to_string().contains("9007199254740991"), "{codec}: {refused}");
        assert!(!refused.to_string().contains("message.timestamp"), "{codec}: {refused}");
        assert!(
            check(&batch, &RecordRules::new(false, None)).is_ok(),
            "{codec}: it is not stored"
        );
    }
}

#[test]
fn changing_the_largest_timestamp_keeps_records_and_checksum() {
    let batch = batch_of("zstd", &[with_key(0, 0), with_key(1, 5)]);
    for is_log_append_time in [true, false] {
        let stamped = batch.with_max_timestamp(77, is_log_append_time);
        let read = Batch::split_off(&mut stamped.bytes.clone()).unwrap();
        assert_eq!(read, stamped);
        assert_eq!(read.check_crc(), Ok(()));
        assert_eq!(read.records(), batch.records());
        assert_eq!(read.header.max_timestamp_ms, 77);
        assert_eq!(read.header.is_log_append_time(), is_log_append_time);
        assert_eq!(read.header.base_timestamp_ms, batch.header.base_timestamp_ms);
    }
}

fn one_record() -> Vec<u8> {
    encode(&[record(0, 0, b"value".to_vec())])
}

fn refusal(change: fn(&mut [u8])) -> BatchError {
    let mut bytes = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, change);
    Batch::split_off(&mut bytes)
        .and_then(|batch| batch.check_produced())
        .unwrap_err()
}

#[test]
fn accepts_a_valid_batch() {
    let mut bytes = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, unchanged);
    assert_eq!(Batch::split_off(&mut bytes).unwrap().check_produced(), Ok(()));
}

#[test]
fn detects_a_flipped_bit_anywhere_after_the_checksum() {
    let whole = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, unchanged);
    for at in 17..whole.len() {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 0x10;
        let refused = Batch::split_off(&mut bytes.into())
            .unwrap()
            .check_produced()
            .unwrap_err();
        assert_eq!(refused.error_code(), ErrorCode::CORRUPT_MESSAGE, "byte {at}");
    }
}

#[test]
fn refuses_what_producers_may_not_send_with_kafkas_code() {
    let cases: [(Spoil, ErrorCode); 10] = [
        (|batch| batch[16] = 0, ErrorCode::UNSUPPORTED_FOR_MESSAGE_FORMAT),
        (|batch| batch[16] = 1, ErrorCode::UNSUPPORTED_FOR_MESSAGE_FORMAT),
        (|batch| batch[16] = 3, ErrorCode::INVALID_RECORD),
        (|batch| batch[22] = 5, ErrorCode::UNSUPPORTED_COMPRESSION_TYPE),
        (|batch| batch[22] = 0x08, ErrorCode::INVALID_TIMESTAMP), // the append time is the broker's to set
        // A transactional batch without a producer id.
        (|batch| batch[22] = 0x10, ErrorCode::INVALID_RECORD),
        (|batch| batch[22] = 0x20, ErrorCode::INVALID_RECORD),
        (|batch| batch[26] = 7, ErrorCode::INVALID_RECORD), // last offset delta
        (|batch| batch[60] = 0, ErrorCode::INVALID_RECORD), // no records
        (|batch| batch[43..51].fill(0), ErrorCode::INVALID_RECORD), // a producer id without epoch
    ];
    for (index, (change, expected)) in cases.into_iter().enumerate() {
        assert_eq!(refusal(change).error_code(), expected, "case {index}");
    }
}

#[test]
fn refuses_a_batch_with_a_wrong_length() {
    assert_eq!(
        refusal(|batch| batch[8..12].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff])).error_code(),
        ErrorCode::CORRUPT_MESSAGE
    );
    assert_eq!(
        refusal(|batch| batch[8..12].copy_from_slice(&[0xff; 4])),
        BatchError::BadLength(-1)
    );
    assert_eq!(
        refusal(|batch| batch[8..12].copy_from_slice(&[0, 0, 0, 48])),
        BatchError::BadLength(48)
    );
    let whole = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, unchanged);
    for len in 1..whole.len() {
        assert!(Batch::split_off(&mut whole.slice(..len)).is_err());
    }
}

#[test]
fn iteration_over_batches_ends_at_the_first_broken_one() {
    let whole = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, unchanged);
    let three = [&whole[..], &whole[..], &whole[..40]].concat();
    let walked: Vec<_> = Batches::new(three.into()).collect();
    assert_eq!(walked.len(), 3);
    assert!(walked[0].is_ok() && walked[1].is_ok());
    assert!(matches!(walked[2], Err(BatchError::Truncated { .. })));
}

#[test]
fn a_served_batch_has_its_offset_and_a_valid_checksum() {
    let mut bytes = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS, unchanged);
    let batch = Batch::split_off(&mut bytes).unwrap();
    let served = batch.served(1234).concat();
    let served = Batch::split_off(&mut served.into()).unwrap();
    assert_eq!(
        (served.header.base_offset, served.header.partition_leader_epoch),
        (1234, 0)
    );
    assert_eq!(served.check_crc(), Ok(()));
    assert_eq!(served.records(), batch.records());
}

#[test]
fn log_append_time_finds_the_first_record() {
    let mut bytes = batch_bytes("none", &one_record(), 1, BASE_TIMESTAMP_MS + 50, |batch| {
        batch[22] = 0x08
    });
    let batch = Batch::split_off(&mut bytes).unwrap();
    let found = FoundRecord {
        offset_delta: 0,
        timestamp_ms: BASE_TIMESTAMP_MS + 50,
    };
    assert_eq!(
        first_record_at_or_after(&batch, 0, BASE_TIMESTAMP_MS + 50),
        Ok(Some(found))
    );
    assert_eq!(first_record_at_or_after(&batch, 0, BASE_TIMESTAMP_MS + 51), Ok(None));
}

/// Batches that no consumer can read, with the record count of their header.
fn unreadable() -> Vec<(&'static str, &'static str, Vec<u8>, i32)> {
    let one = one_record();
    let mut cases: Vec<(&str, &str, Vec<u8>, i32)> = Vec::new();
    for codec in CODECS.into_iter().filter(|codec| *codec != "none") {
        cases.push(("one record for 2^31 - 1", codec, compress(codec, &one), i32::MAX));
        cases.push(("garbage instead of records", codec, compress(codec, &[0xff; 40]), 3));
        cases.push(("garbage instead of a payload", codec, vec![0xff; 40], 1));
    }
    cases.push(("linked blocks", "lz4-linked", compress("lz4-linked", &[0; 200_000]), 1));
    let mut future_stream = compress("snappy-xerial", &one);
    future_stream[11] = 0;
    cases.push(("a stream of version 0", "snappy-xerial", future_stream, 1));
    cases
}

#[test]
fn refuses_batches_that_no_consumer_can_read() {
    for (what, codec, payload, count) in unreadable() {
        let mut bytes = batch_bytes(codec, &payload, count, BASE_TIMESTAMP_MS, unchanged);
        let batch = Batch::split_off(&mut bytes).unwrap();
        let refused = check(&batch, &RecordRules::default());
        let code = refused.as_ref().err().map(BatchError::error_code);
        assert!(
            matches!(code, Some(ErrorCode::INVALID_RECORD | ErrorCode::CORRUPT_MESSAGE)),
            "{what}: {codec}: {refused:?}"
        );
    }
}
