//! Record batches as a producer makes them, and their values as a consumer reads them.

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_wire::RecordChunks;
use penstock_wire::record_batch::{Batches, Records};

/// A batch without compression; the timestamps count up from `base_timestamp_ms`.
pub fn batch_at(base_timestamp_ms: i64, values: &[&str]) -> Bytes {
    let mut records = BytesMut::new();
    for (delta, value) in (0i64..).zip(values) {
        let mut record = BytesMut::new();
        record.put_u8(0);
        put_varint(&mut record, delta); // timestamp
        put_varint(&mut record, delta); // offset
        put_varint(&mut record, -1); // no key
        put_varint(&mut record, i64::try_from(value.len()).unwrap());
        record.put_slice(value.as_bytes());
        put_varint(&mut record, 0); // no headers
        put_varint(&mut records, i64::try_from(record.len()).unwrap());
        records.put_slice(&record);
    }
    let count = i32::try_from(values.len()).unwrap();
    let mut covered = BytesMut::new();
    covered.put_i16(0);
    covered.put_i32(count - 1);
    covered.put_i64(base_timestamp_ms);
    covered.put_i64(base_timestamp_ms + i64::from(count) - 1);
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

/// Offsets and values of what was fetched; checks what a consumer checks.
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

fn put_varint(out: &mut BytesMut, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        out.put_u8(rest.to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    out.put_u8(rest.to_le_bytes()[0]);
}
