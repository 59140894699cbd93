//! Builds record batches as a producer does, and reads their values as a consumer does.

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_wire::RecordChunks;
use penstock_wire::record_batch::{Batches, Records};

/// A record of a batch to build.
pub struct TestRecord<'a> {
    pub timestamp_ms: i64,
    pub key: Option<&'a str>,
    pub value: &'a str,
}

/// An uncompressed batch with timestamps that count up from `base_timestamp_ms`.
pub fn batch_at(base_timestamp_ms: i64, values: &[&str]) -> Bytes {
    let records: Vec<TestRecord> = (base_timestamp_ms..)
        .zip(values)
        .map(|(timestamp_ms, value)| TestRecord {
            timestamp_ms,
            key: None,
            value,
        })
        .collect();
    let latest = base_timestamp_ms + i64::try_from(values.len()).unwrap() - 1;
    batch_of(&records, i32::try_from(values.len()).unwrap(), latest)
}

/// An uncompressed batch with the given values in its header, correct or not.
pub fn batch_of(content: &[TestRecord], count: i32, max_timestamp_ms: i64) -> Bytes {
    let base_timestamp_ms = content[0].timestamp_ms;
    let mut records = BytesMut::new();
    for (offset_delta, content) in (0i64..).zip(content) {
        let mut record = BytesMut::new();
        record.put_u8(0);
        put_varint(&mut record, content.timestamp_ms - base_timestamp_ms);
        put_varint(&mut record, offset_delta);
        put_field(&mut record, content.key);
        put_field(&mut record, Some(content.value));
        put_varint(&mut record, 0); // no headers
        put_varint(&mut records, i64::try_from(record.len()).unwrap());
        records.put_slice(&record);
    }
    let mut covered = BytesMut::new();
    covered.put_i16(0);
    covered.put_i32(count - 1);
    covered.put_i64(base_timestamp_ms);
    covered.put_i64(max_timestamp_ms);
    covered.put_i64(-1);
    covered.put_i16(-1);
    covered.put_i32(-1);
    covered.put_i32(count);
    covered.put_slice(&records);
    let mut batch = BytesMut::new();
    batch.put_i64(0);
    batch.put_i32(i32::try_from(9 + covered.len()).unwrap());
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(crc32c::crc32c(&covered));
    batch.put_slice(&covered);
    batch.freeze()
}

pub fn batch(values: &[&str]) -> Bytes {
    batch_at(1000, values)
}

/// Returns offsets and values of fetched records. Performs a consumer's checks.
pub fn read(records: &RecordChunks) -> Vec<(i64, String)> {
    let mut read = Vec::new();
    for batch in Batches::new(Bytes::from(records.0.concat())) {
        let batch = batch.unwrap();
        batch.check_crc().unwrap();
        assert_eq!(batch.header.partition_leader_epoch, 0);
        for record in Records::new(batch.records()) {
            let record = record.unwrap();
            let value = String::from_utf8(record.value.unwrap().to_vec()).unwrap();
            read.push((batch.header.base_offset + i64::from(record.offset_delta), value));
        }
    }
    read
}

fn put_field(out: &mut BytesMut, field: Option<&str>) {
    let Some(field) = field else {
        return put_varint(out, -1);
    };
    put_varint(out, i64::try_from(field.len()).unwrap());
    out.put_slice(field.as_bytes());
}

fn put_varint(out: &mut BytesMut, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        out.put_u8(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    out.put_u8(rest.to_le_bytes()[0]);
}
