//! Measures what fsync costs in a `file://` bucket: writes data files of the usual sizes to a folder, with and without
//! it. Run it on the disk to measure with `cargo run --release -p penstock-store --example folder_speed -- FOLDER`.

use std::time::{Duration, Instant};

use bytes::Bytes;
use penstock_store::{Bucket, Objects};
use uuid::Uuid;

const FILES: usize = 40;
const SIZES: [usize; 3] = [64 << 10, 1 << 20, 8 << 20];

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder on the disk to measure")?;
    for bytes in SIZES {
        for fsync in [true, false] {
            let bucket = Bucket::open(&format!("file://{folder}?fsync={fsync}"))?;
            let objects = Objects::new(&bucket, "folder-speed");
            let mut took = Vec::with_capacity(FILES);
            let mut written = Vec::with_capacity(FILES);
            for _ in 0..FILES {
                let file_id = Uuid::now_v7();
                let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
                let started = Instant::now();
                objects
                    .put(file_id, vec![Bytes::from(vec![7; bytes])], deadline)
                    .await?;
                took.push(started.elapsed());
                written.push(file_id);
            }
            objects.delete(&written).await;
            took.sort_unstable();
            let (median, slowest) = (took[FILES / 2], took[FILES - 1]);
            println!(
                "{:5} KiB, fsync={fsync:5}: median {median:8.1?}, slowest {slowest:8.1?}",
                bytes >> 10
            );
        }
    }
    Ok(())
}
