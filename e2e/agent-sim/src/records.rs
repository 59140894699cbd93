//! Record batches as a client writes and reads them.

use bytes::{BufMut as _, Bytes, BytesMut};
use penstock_wire::record_batch::{Batches, HEADER_BYTES, MAX_UNCOMPRESSED_BYTES, Records, decompressed_records};

const TRANSACTIONAL: i16 = 0x10;
/// Bytes of the header up to the CRC, and of the part that `batch_length` leaves out.
const CRC_END: usize = 21;
const LENGTH_END: usize = 12;

/// Who writes a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writer {
    pub(crate) producer_id: i64,
    pub(crate) epoch: i16,
    pub(crate) base_sequence: i32,
    pub(crate) is_transactional: bool,
}

/// A writer without idempotence.
pub(crate) const PLAIN: Writer = Writer {
    producer_id: -1,
    epoch: -1,
    base_sequence: -1,
    is_transactional: false,
};

/// A record that a reader found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadRecord {
    pub(crate) offset: i64,
    pub(crate) producer_id: i64,
    pub(crate) key: Option<String>,
    /// Empty for a tombstone.
    pub(crate) value: String,
}

/// A run of offsets: a batch, with its records unless it is a control batch.
#[derive(Debug, Clone)]
pub(crate) struct ReadBatch {
    pub(crate) first_offset: i64,
    pub(crate) end_offset: i64,
    pub(crate) producer_id: i64,
    pub(crate) is_control: bool,
    pub(crate) is_transactional: bool,
    pub(crate) is_abort: bool,
    /// Uncompressed, as they are billed.
    pub(crate) bytes: usize,
    pub(crate) records: Vec<ReadRecord>,
}

fn put_varint(out: &mut BytesMut, value: i64) {
    let mut zigzag = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while zigzag >= 0x80 {
        out.put_u8((zigzag & 0x7f) as u8 | 0x80);
        zigzag >>= 7;
    }
    out.put_u8(zigzag as u8);
}

fn length(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

fn put_text(out: &mut BytesMut, text: Option<&str>) {
    put_varint(out, text.map_or(-1, |text| length(text.len())));
    out.extend_from_slice(text.unwrap_or_default().as_bytes());
}

/// Encodes a batch of records without keys.
pub(crate) fn encode(writer: Writer, timestamp_ms: i64, values: &[String]) -> Bytes {
    let records: Vec<_> = values.iter().map(|value| (None, Some(value.as_str()))).collect();
    encode_pairs(writer, timestamp_ms, &records)
}

/// Encodes a batch of keys and values without compression.
pub(crate) fn encode_pairs(writer: Writer, timestamp_ms: i64, pairs: &[(Option<&str>, Option<&str>)]) -> Bytes {
    let mut records = BytesMut::new();
    for (delta, (key, value)) in pairs.iter().enumerate() {
        let mut body = BytesMut::new();
        body.put_u8(0);
        put_varint(&mut body, 0);
        put_varint(&mut body, length(delta));
        put_text(&mut body, *key);
        put_text(&mut body, *value);
        put_varint(&mut body, 0);
        put_varint(&mut records, length(body.len()));
        records.extend_from_slice(&body);
    }
    let count = i32::try_from(pairs.len()).unwrap_or(i32::MAX);
    let mut batch = BytesMut::with_capacity(HEADER_BYTES + records.len());
    batch.put_i64(0);
    batch.put_i32(i32::try_from(HEADER_BYTES - LENGTH_END + records.len()).unwrap_or(i32::MAX));
    batch.put_i32(-1);
    batch.put_i8(2);
    batch.put_u32(0);
    batch.put_i16(if writer.is_transactional { TRANSACTIONAL } else { 0 });
    batch.put_i32(count - 1);
    batch.put_i64(timestamp_ms);
    batch.put_i64(timestamp_ms);
    batch.put_i64(writer.producer_id);
    batch.put_i16(writer.epoch);
    batch.put_i32(writer.base_sequence);
    batch.put_i32(count);
    batch.extend_from_slice(&records);
    let crc = crc32c::crc32c(&batch[CRC_END..]);
    batch[CRC_END - 4..CRC_END].copy_from_slice(&crc.to_be_bytes());
    batch.freeze()
}

/// Decodes the batches of a response. Checks the CRC of each.
pub(crate) fn decode(chunks: &[Bytes]) -> Result<Vec<ReadBatch>, String> {
    let field = Bytes::from(chunks.concat());
    let mut batches = Vec::new();
    for batch in Batches::new(field) {
        let batch = batch.map_err(|error| error.to_string())?;
        batch.check_crc().map_err(|error| error.to_string())?;
        let header = batch.header;
        let content = decompressed_records(&batch, MAX_UNCOMPRESSED_BYTES).map_err(|error| error.to_string())?;
        let mut records = Vec::new();
        let mut is_abort = false;
        for record in Records::new(content) {
            let record = record.map_err(|error| error.to_string())?;
            if header.is_control() {
                // The key is a version and a type: 0 aborts, 1 commits.
                is_abort = record.key.is_some_and(|key| key.get(3) == Some(&0));
                continue;
            }
            records.push(ReadRecord {
                offset: header.base_offset + i64::from(record.offset_delta),
                producer_id: header.producer_id,
                key: record.key.map(|key| String::from_utf8_lossy(&key).into_owned()),
                value: String::from_utf8_lossy(&record.value.unwrap_or_default()).into_owned(),
            });
        }
        batches.push(ReadBatch {
            first_offset: header.base_offset,
            end_offset: header.base_offset + i64::from(header.last_offset_delta) + 1,
            producer_id: header.producer_id,
            is_control: header.is_control(),
            is_transactional: header.is_transactional(),
            is_abort,
            bytes: batch.bytes.len(),
            records,
        });
    }
    Ok(batches)
}

/// Marks the batches that a reader of committed records drops. `aborted` has producers and the first offsets of the
/// transactions that they aborted.
pub(crate) fn mark_aborted(batches: Vec<ReadBatch>, mut aborted: Vec<(i64, i64)>) -> Vec<(ReadBatch, bool)> {
    aborted.sort_by_key(|(_, first_offset)| *first_offset);
    let mut aborted = aborted.into_iter().peekable();
    let mut dropping: Vec<i64> = Vec::new();
    let mut marked = Vec::new();
    for batch in batches {
        while let Some((producer_id, _)) = aborted.next_if(|(_, first_offset)| *first_offset < batch.end_offset) {
            dropping.push(producer_id);
        }
        if batch.is_control && batch.is_abort {
            dropping.retain(|id| *id != batch.producer_id);
        }
        let is_dropped = batch.is_transactional && !batch.is_control && dropping.contains(&batch.producer_id);
        marked.push((batch, is_dropped));
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_wrote() {
        let values = ["a".to_owned(), "bc".to_owned()];
        let batches = decode(&[encode(PLAIN, 1, &values)]).unwrap();
        let read: Vec<(i64, &str)> = batches[0]
            .records
            .iter()
            .map(|record| (record.offset, record.value.as_str()))
            .collect();
        assert_eq!(read, [(0, "a"), (1, "bc")]);
        assert_eq!((batches[0].end_offset, batches[0].is_control), (2, false));
    }
}
