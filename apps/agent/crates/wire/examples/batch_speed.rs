//! Measures the CPU cost of checking a batch before it is stored, per uncompressed GiB and codec, and compares it with
//! CRC-32C and a plain copy of the content. Prints the best of several rounds, which limits the influence of other
//! programs. Run it with `cargo run --release -p penstock-wire --example batch_speed`.

use std::io::{Read as _, Write as _};

use bytes::Bytes;
use lz4_flex::frame::{BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use penstock_wire::record_batch::{Batch, MAX_UNCOMPRESSED_BYTES, RecordRules, check_records};
use rustix::time::{ClockId, clock_gettime};

type Failure = Box<dyn std::error::Error>;

const SECTION_BYTES: usize = 192 << 10;
const ROUNDS: usize = 9;
const ROUND_S: f64 = 0.1;

fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Prints the CPU time that `work` needs per GiB, given that it processes `bytes`.
fn report(what: &str, bytes: usize, mut work: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (start, mut times) = (cpu_s(), 0);
        while cpu_s() - start < ROUND_S {
            work();
            times += 1;
        }
        best = best.min((cpu_s() - start) / f64::from(times));
    }
    let gib = bytes as f64 / f64::from(1 << 30);
    println!("  {what:<8} {:6.3} CPU-s/GiB", best / gib);
}

/// A pseudorandom generator with a fixed seed.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// 1 KiB values, half noise and half zeros, like those of the load generator of benchmark `agent`.
fn half_noise(noise: &mut Noise) -> Vec<u8> {
    let mut value: Vec<u8> = (0..512).map(|_| noise.next() as u8).collect();
    value.resize(1024, 0);
    value
}

fn event(noise: &mut Noise) -> Vec<u8> {
    format!(
        r#"{{"user_id":{},"event":"page_view","ts":{},"path":"/products/{}","country":"{}","value":{}}}"#,
        noise.next() % 1_000_000,
        1_700_000_000_000 + noise.next() % 1_000_000_000,
        noise.next() % 5_000,
        ["DE", "US", "FR", "JP"][noise.next() as usize % 4],
        noise.next()
    )
    .into_bytes()
}

fn put_varint(out: &mut Vec<u8>, value: usize) {
    let mut zigzag = value << 1;
    while zigzag >= 0x80 {
        out.push((zigzag & 0x7f) as u8 | 0x80);
        zigzag >>= 7;
    }
    out.push(zigzag as u8);
}

/// A records section and its number of records.
fn section(value: fn(&mut Noise) -> Vec<u8>) -> (Vec<u8>, usize) {
    let (mut noise, mut section, mut count) = (Noise(1), Vec::new(), 0);
    while section.len() < SECTION_BYTES {
        let value = value(&mut noise);
        let mut body = vec![0, 0];
        put_varint(&mut body, count);
        body.push(1);
        put_varint(&mut body, value.len());
        body.extend_from_slice(&value);
        body.push(0);
        put_varint(&mut section, body.len());
        section.extend_from_slice(&body);
        count += 1;
    }
    (section, count)
}

fn batch(codec: u8, count: usize, payload: &[u8]) -> Result<Batch, Failure> {
    let mut bytes = vec![0; 61];
    bytes[8..12].copy_from_slice(&i32::try_from(49 + payload.len())?.to_be_bytes());
    bytes[16] = 2;
    bytes[22] = codec;
    bytes[57..61].copy_from_slice(&i32::try_from(count)?.to_be_bytes());
    bytes.extend_from_slice(payload);
    Ok(Batch::split_off(&mut Bytes::from(bytes))?)
}

fn measure(what: &str, value: fn(&mut Noise) -> Vec<u8>) -> Result<(), Failure> {
    let (section, count) = section(value);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&section)?;
    let mut lz4 = FrameEncoder::with_frame_info(FrameInfo::new().block_size(BlockSize::Max64KB), Vec::new());
    lz4.write_all(&section)?;
    let payloads = [
        ("none", 0, section.clone()),
        ("gzip", 1, gzip.finish()?),
        ("snappy", 2, snap::raw::Encoder::new().compress_vec(&section)?),
        ("lz4", 3, lz4.finish()?),
        ("zstd", 4, zstd::stream::encode_all(&section[..], 3)?),
    ];
    println!("{what}, {count} records in a batch of {} KiB:", section.len() >> 10);
    let mut copy = vec![0; section.len()];
    report("copy", section.len(), || {
        copy.copy_from_slice(std::hint::black_box(&section));
        std::hint::black_box(&mut copy);
    });
    for (name, codec, payload) in payloads {
        let batch = batch(codec, count, &payload)?;
        let rules = RecordRules::default();
        check_records(&batch, &rules, MAX_UNCOMPRESSED_BYTES)?;
        report(name, section.len(), || {
            std::hint::black_box(check_records(&batch, &rules, MAX_UNCOMPRESSED_BYTES).is_ok());
        });
    }
    // For comparison: the readers for stored batches, which decompress without walking over the records.
    let mut lz4 = FrameEncoder::with_frame_info(FrameInfo::new().block_size(BlockSize::Max64KB), Vec::new());
    lz4.write_all(&section)?;
    let lz4 = lz4.finish()?;
    let mut content = vec![0; section.len()];
    report("lz4_flex", section.len(), || {
        let read = FrameDecoder::new(std::hint::black_box(&lz4[..])).read_exact(&mut content);
        std::hint::black_box(read.is_ok());
    });
    let plain = batch(0, count, &section)?;
    report("crc-32c", section.len(), || {
        std::hint::black_box(plain.check_crc().is_ok());
    });
    Ok(())
}

fn main() -> Result<(), Failure> {
    measure("1 KiB values that LZ4 compresses 2:1", half_noise)?;
    measure("JSON events", event)
}
