//! How fast batches are checked and metered on one core: CRC-32C, and the uncompressed length per codec. Run it with
//! `cargo run --release -p penstock-wire --example batch_speed`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use bytes::Bytes;
use penstock_wire::record_batch::{Batch, uncompressed_len};

const RECORD_BYTES: usize = 1024;
const RECORDS: usize = 64;
const MEASURED: Duration = Duration::from_millis(500);

/// Records of which half is noise and half repeats, in turns of so many bytes: short turns make many short matches.
fn section(turn_bytes: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut noise = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut section = Vec::with_capacity(RECORDS * RECORD_BYTES);
    while section.len() < RECORDS * RECORD_BYTES {
        section.extend((0..turn_bytes).map(|_| noise()));
        section.extend((b'a'..).take(turn_bytes.min(20)).cycle().take(turn_bytes));
    }
    section
}

fn batch(codec: u8, payload: &[u8]) -> Result<Batch, Box<dyn std::error::Error>> {
    let mut bytes = vec![0; 61];
    bytes[8..12].copy_from_slice(&i32::try_from(49 + payload.len())?.to_be_bytes());
    bytes[16] = 2;
    bytes[22] = codec;
    bytes.extend_from_slice(payload);
    Ok(Batch::split_off(&mut Bytes::from(bytes))?)
}

fn report(name: &str, bytes_per_round: usize, mut round: impl FnMut()) {
    let started = Instant::now();
    let mut rounds = 0usize;
    while started.elapsed() < MEASURED {
        round();
        rounds += 1;
    }
    let gib = (rounds * bytes_per_round) as f64 / f64::from(1 << 30);
    println!("{name:<14} {:7.2} GiB/s", gib / started.elapsed().as_secs_f64());
}

fn measure(turn_bytes: usize) -> Result<(), Box<dyn std::error::Error>> {
    let section = section(turn_bytes);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&section)?;
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(&section)?;
    let payloads = [
        ("gzip", 1, gzip.finish()?),
        ("snappy", 2, snap::raw::Encoder::new().compress_vec(&section)?),
        ("lz4", 3, lz4.finish()?),
        ("zstd", 4, zstd::stream::encode_all(&section[..], 3)?),
    ];
    println!("uncompressed length, turns of {turn_bytes} bytes, by output:");
    for (name, codec, payload) in payloads {
        let batch = batch(codec, &payload)?;
        assert_eq!(uncompressed_len(&batch)?, (61 + section.len()) as u64);
        report(name, section.len(), || {
            std::hint::black_box(uncompressed_len(&batch).is_ok());
        });
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plain = batch(0, &section(512))?;
    report("crc", plain.bytes.len(), || {
        std::hint::black_box(plain.check_crc().is_ok());
    });
    measure(512)?;
    measure(16)
}
