//! Record batches as a Kafka producer creates them: 1 KiB records that every codec compresses 2:1.

use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::{BufMut, Bytes, BytesMut};
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use penstock_wire::record_batch::HEADER_BYTES;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Size of a record's value.
pub const RECORD_BYTES: usize = 1_024;
/// Random bytes in a value. The other half is zeros.
const RANDOM_BYTES: usize = RECORD_BYTES / 2;
/// Position of the first byte covered by the checksum.
const ATTRIBUTES_AT: usize = 21;
const CRC_AT: usize = 17;
/// The default level of Kafka's clients.
const ZSTD_LEVEL: i32 = 3;
/// Size of the fields before the partition leader epoch: base offset and length.
const LENGTH_END: usize = 12;

/// The compression of batches. The numbers are Kafka's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Codec {
    None = 0,
    /// One block for each batch, as librdkafka writes it
    Snappy = 2,
    Lz4 = 3,
    Zstd = 4,
}

/// The compressed records of batches with 1, 2, … records.
pub struct Payloads {
    codec: Codec,
    by_count: Vec<Bytes>,
}

/// The producer of a batch, and the batch's sequence number.
#[derive(Clone, Copy)]
pub struct Origin {
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub base_sequence: i32,
}

impl Payloads {
    /// Prepares batches up to the largest that fits in `batch_bytes` compressed, as limited by `batch.size`.
    pub fn new(batch_bytes: usize, codec: Codec) -> std::io::Result<Self> {
        let mut by_count = Vec::new();
        loop {
            let payload = compressed(by_count.len() + 1, codec)?;
            if HEADER_BYTES + payload.len() > batch_bytes && !by_count.is_empty() {
                return Ok(Self { codec, by_count });
            }
            by_count.push(payload);
        }
    }

    /// Number of records in the largest batch.
    pub fn most_records(&self) -> usize {
        self.by_count.len()
    }

    /// Creates a batch of `count` records with this creation time. `count` is between 1 and [`Self::most_records`].
    pub fn batch(&self, count: usize, origin: Origin, created_ms: i64) -> Bytes {
        let payload = &self.by_count[count - 1];
        let mut batch = BytesMut::with_capacity(HEADER_BYTES + payload.len());
        batch.put_i64(0);
        batch.put_i32((HEADER_BYTES + payload.len() - LENGTH_END) as i32);
        batch.put_i32(-1);
        batch.put_i8(2);
        batch.put_u32(0);
        batch.put_i16(self.codec as i16);
        batch.put_i32(count as i32 - 1);
        batch.put_i64(created_ms);
        batch.put_i64(created_ms);
        batch.put_i64(origin.producer_id);
        batch.put_i16(origin.producer_epoch);
        batch.put_i32(origin.base_sequence);
        batch.put_i32(count as i32);
        batch.put_slice(payload);
        let crc = crc32c::crc32c(&batch[ATTRIBUTES_AT..]);
        batch[CRC_AT..ATTRIBUTES_AT].copy_from_slice(&crc.to_be_bytes());
        batch.freeze()
    }
}

/// The machine's wall clock time, as used in records.
pub fn wall_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64)
}

fn compressed(count: usize, codec: Codec) -> std::io::Result<Bytes> {
    let mut random = StdRng::seed_from_u64(count as u64);
    let mut records = Vec::with_capacity(count * (RECORD_BYTES + 16));
    for offset_delta in 0..count {
        let mut value = [0; RECORD_BYTES];
        random.fill(&mut value[..RANDOM_BYTES]);
        put_record(&mut records, offset_delta as i64, &value);
    }
    Ok(match codec {
        Codec::None => records.into(),
        Codec::Snappy => snap::raw::Encoder::new().compress_vec(&records)?.into(),
        Codec::Lz4 => {
            // Framed like the Java client's.
            let info = FrameInfo::new()
                .block_size(BlockSize::Max64KB)
                .block_mode(BlockMode::Independent);
            let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
            encoder.write_all(&records)?;
            encoder.finish().map_err(std::io::Error::other)?.into()
        }
        Codec::Zstd => zstd::bulk::compress(&records, ZSTD_LEVEL)?.into(),
    })
}

fn put_record(records: &mut Vec<u8>, offset_delta: i64, value: &[u8]) {
    let mut body = vec![0];
    put_varint(&mut body, 0);
    put_varint(&mut body, offset_delta);
    put_varint(&mut body, -1);
    put_varint(&mut body, value.len() as i64);
    body.extend_from_slice(value);
    put_varint(&mut body, 0);
    put_varint(records, body.len() as i64);
    records.extend_from_slice(&body);
}

/// Writes a zigzag integer, seven bits per byte.
fn put_varint(bytes: &mut Vec<u8>, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use penstock_wire::record_batch::{Batch, Records, decompressed_records};

    use super::*;

    #[test]
    fn a_batch_is_complete_and_contains_its_records() {
        for (codec, ratios) in [
            (Codec::None, 1.0..1.04),
            (Codec::Snappy, 0.5..0.56),
            (Codec::Lz4, 0.5..0.54),
            (Codec::Zstd, 0.5..0.54),
        ] {
            let payloads = Payloads::new(100_000, codec).unwrap();
            let origin = Origin {
                producer_id: 7,
                producer_epoch: 1,
                base_sequence: 40,
            };
            for count in [1, 40, payloads.most_records()] {
                let mut field = payloads.batch(count, origin, 5);
                assert!(field.len() <= 100_000);
                let batch = Batch::split_off(&mut field).unwrap();
                assert!(field.is_empty());
                batch.check_crc().unwrap();
                batch.check_produced().unwrap();
                assert_eq!(batch.header.producer_id, 7);
                assert_eq!(batch.header.base_sequence, 40);
                let records: Vec<_> = Records::new(decompressed_records(&batch, 1 << 20).unwrap())
                    .collect::<Result<_, _>>()
                    .unwrap();
                assert_eq!(records.len(), count);
                let values = records.iter().map(|record| record.value.as_ref().unwrap());
                assert!(values.into_iter().all(|value| value.len() == RECORD_BYTES));
            }
            let largest = payloads.batch(payloads.most_records(), origin, 5).len();
            let ratio = largest as f64 / (payloads.most_records() * RECORD_BYTES) as f64;
            assert!(ratios.contains(&ratio), "{codec:?} {ratio}");
        }
    }
}
