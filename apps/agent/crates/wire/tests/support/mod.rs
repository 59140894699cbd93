//! Encodes batches as Kafka's clients do.

#![allow(dead_code, reason = "each test file uses what it needs")]

use std::io::Write as _;

use bytes::BufMut as _;
use penstock_wire::record_batch::Record;

pub const CODECS: [&str; 8] = [
    "none",
    "gzip",
    "snappy",
    "snappy-xerial",
    "lz4",
    "lz4-checked",
    "lz4-sized",
    "zstd",
];

fn put_varlong(out: &mut Vec<u8>, value: i64) {
    let mut zigzag = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while zigzag >= 0x80 {
        out.push((zigzag & 0x7f) as u8 | 0x80);
        zigzag >>= 7;
    }
    out.push(zigzag as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    put_varlong(out, bytes.map_or(-1, |bytes| i64::try_from(bytes.len()).unwrap()));
    out.extend_from_slice(bytes.unwrap_or_default());
}

/// Encodes a records section.
pub fn encode(records: &[Record]) -> Vec<u8> {
    let mut section = Vec::new();
    for record in records {
        let mut body = vec![0];
        put_varlong(&mut body, record.timestamp_delta_ms);
        put_varlong(&mut body, record.offset_delta.into());
        put_bytes(&mut body, record.key.as_deref());
        put_bytes(&mut body, record.value.as_deref());
        put_varlong(&mut body, record.headers.len().try_into().unwrap());
        for header in &record.headers {
            put_bytes(&mut body, Some(&header.key));
            put_bytes(&mut body, header.value.as_deref());
        }
        put_varlong(&mut section, body.len().try_into().unwrap());
        section.extend_from_slice(&body);
    }
    section
}

fn lz4(section: &[u8], info: lz4_flex::frame::FrameInfo) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(section).unwrap();
    encoder.finish().unwrap()
}

/// Compresses a section as one of the clients does.
pub fn compress(codec: &str, section: &[u8]) -> Vec<u8> {
    use lz4_flex::frame::{BlockMode, BlockSize, FrameInfo};
    match codec {
        "none" => section.to_vec(),
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(section).unwrap();
            encoder.finish().unwrap()
        }
        "snappy" => snap::raw::Encoder::new().compress_vec(section).unwrap(),
        "snappy-xerial" => {
            let mut stream = b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01".to_vec();
            for block in section.chunks(32 * 1024) {
                let block = snap::raw::Encoder::new().compress_vec(block).unwrap();
                stream.put_i32(block.len().try_into().unwrap());
                stream.extend_from_slice(&block);
            }
            stream
        }
        "lz4" => lz4(section, FrameInfo::new().block_size(BlockSize::Max64KB)),
        "lz4-checked" => {
            let info = FrameInfo::new().block_size(BlockSize::Max64KB);
            lz4(section, info.block_checksums(true).content_checksum(true))
        }
        // Kafka's clients do not write this form.
        "lz4-linked" => lz4(
            section,
            FrameInfo::new()
                .block_size(BlockSize::Max64KB)
                .block_mode(BlockMode::Linked),
        ),
        "lz4-sized" => {
            let info = FrameInfo::new()
                .block_size(BlockSize::Max4MB)
                .content_size(Some(section.len() as u64));
            lz4(section, info)
        }
        "zstd" => zstd::stream::encode_all(section, 3).unwrap(),
        other => panic!("no codec {other}"),
    }
}

/// The attribute bits of the codec.
pub fn attributes(codec: &str) -> i16 {
    match codec {
        "gzip" => 1,
        "snappy" | "snappy-xerial" => 2,
        "lz4" | "lz4-checked" | "lz4-linked" | "lz4-sized" => 3,
        "zstd" => 4,
        _ => 0,
    }
}
