//! Batches that were valid and are damaged, for each codec, in their header, their compressed bytes or their records. Nothing that
//! reads batches panics, and a batch that passes the check has the records that its header counts.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::Write as _;

use bytes::Bytes;
use penstock_wire::record_batch::{
    Batch, Batches, HEADER_BYTES, MAX_UNCOMPRESSED_BYTES, RecordRules, Records, check_records, decompressed_records,
    first_record_at_or_after, latest_record, window_bytes,
};
use proptest::prelude::*;

/// More than the largest section that these tests make.
const SECTION_LIMIT_BYTES: u64 = 1 << 20;

fn varint(value: i64, to: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        to.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
        rest >>= 7;
    }
    to.push(u8::try_from(rest).unwrap());
}

/// The section of records with these values, in the format of version 2.
fn section(values: &[Vec<u8>]) -> Vec<u8> {
    let mut section = Vec::new();
    for (delta, value) in (0i64..).zip(values) {
        let mut record = vec![0];
        varint(delta, &mut record);
        varint(delta, &mut record);
        varint(-1, &mut record);
        varint(i64::try_from(value.len()).unwrap(), &mut record);
        record.extend_from_slice(value);
        varint(0, &mut record);
        varint(i64::try_from(record.len()).unwrap(), &mut section);
        section.append(&mut record);
    }
    section
}

fn compressed(codec: u8, section: &[u8]) -> Vec<u8> {
    match codec {
        1 => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(section).unwrap();
            gzip.finish().unwrap()
        }
        2 => snap::raw::Encoder::new().compress_vec(section).unwrap(),
        3 => {
            let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
            lz4.write_all(section).unwrap();
            lz4.finish().unwrap()
        }
        4 => zstd::bulk::compress(section, 1).unwrap(),
        _ => section.to_vec(),
    }
}

fn batch(codec: u8, count: usize, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    let length = i32::try_from(HEADER_BYTES - 12 + payload.len()).unwrap();
    let count = i32::try_from(count).unwrap();
    bytes[8..12].copy_from_slice(&length.to_be_bytes());
    bytes[16] = 2;
    bytes[22] = codec;
    bytes[23..27].copy_from_slice(&(count - 1).to_be_bytes());
    bytes[35..43].copy_from_slice(&i64::from(count - 1).to_be_bytes());
    bytes[43..57].fill(0xff);
    bytes[57..61].copy_from_slice(&count.to_be_bytes());
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

/// Overwrites bytes at places that are fractions of the length.
fn damage(bytes: &mut [u8], places: &[(u16, u8)]) {
    for &(at, value) in places {
        if !bytes.is_empty() {
            let index = usize::from(at) * bytes.len() / (1 << 16);
            bytes[index] = value;
        }
    }
}

fn read_all(bytes: &Bytes, values: Option<&[Vec<u8>]>) {
    let _ = Batches::new(bytes.clone()).count();
    let Ok(batch) = Batch::split_off(&mut bytes.clone()) else {
        assert!(values.is_none());
        return;
    };
    let _ = window_bytes(&batch);
    let _ = first_record_at_or_after(&batch, 0, 1);
    let _ = latest_record(&batch, 0);
    let checked = check_records(&batch, &RecordRules::default(), MAX_UNCOMPRESSED_BYTES);
    let records = decompressed_records(&batch, SECTION_LIMIT_BYTES)
        .map(|content| Records::new(content).collect::<Result<Vec<_>, _>>());
    if let (Ok(_), Ok(records)) = (&checked, &records) {
        assert!(records.is_ok(), "a batch that passed the check cannot be read");
    }
    if let Some(values) = values {
        assert!(checked.is_ok(), "{checked:?}");
        assert_eq!(records.unwrap().unwrap().len(), values.len());
    }
}

fn values() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0u8..4, 0..200), 1..8)
}

fn places() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), any::<u8>()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn reads_or_refuses_a_batch_damaged_after_compression(
        codec in 0u8..5, values in values(), places in places(), is_sealed in any::<bool>(),
    ) {
        let mut bytes = batch(codec, values.len(), &compressed(codec, &section(&values)));
        read_all(&bytes.clone().into(), Some(&values));
        damage(&mut bytes, &places);
        if is_sealed {
            seal(&mut bytes);
        }
        read_all(&bytes.into(), None);
    }

    #[test]
    fn reads_or_refuses_records_damaged_before_compression(
        codec in 0u8..5, values in values(), places in places(), count in 0usize..9,
    ) {
        let mut section = section(&values);
        damage(&mut section, &places);
        read_all(&batch(codec, count, &compressed(codec, &section)).into(), None);
    }
}
